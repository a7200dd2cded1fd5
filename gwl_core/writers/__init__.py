"""Results out: tables, arrays and the record of a run, as bytes or as files in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gwl_core.errors import InputError
from gwl_core.result import Result, SparseResult
from gwl_core.writers.arrays import coupling_npz, embeddings_npz
from gwl_core.writers.bibtex import references_bib
from gwl_core.writers.consensus import consensus_csv
from gwl_core.writers.graph_files import graph_files, graphs_zip
from gwl_core.writers.record import run_json
from gwl_core.writers.tables import history_csv, matches_csv, result_pairs

__all__ = [
    "consensus_csv",
    "coupling_npz",
    "embeddings_npz",
    "graph_files",
    "graphs_zip",
    "history_csv",
    "matches_csv",
    "references_bib",
    "result_pairs",
    "run_json",
    "usable_folder",
    "write_all",
]


def write_all(result: Result | SparseResult, folder: str | Path, origin: Mapping[str, Any] | None = None) -> list[Path]:
    """Write matches.csv, coupling.npz, embeddings.npz (if there are any), history.csv, run.json, both graphs as GraphML
    and GEXF, and references.bib.

    Files of these names are replaced; an embeddings.npz of an earlier run is removed if this one has none.

    Args:
        origin: where the graphs came from, kept in run.json.

    Returns:
        The paths written.

    Raises:
        InputError: if the folder cannot be made or written to.
    """
    files = {
        "matches.csv": matches_csv(result),
        "coupling.npz": coupling_npz(result),
        "embeddings.npz": embeddings_npz(result),
        "history.csv": history_csv(result),
        "run.json": run_json(result, origin),
        **graph_files(result),
        "references.bib": references_bib(result),
    }
    folder = usable_folder(folder)
    written = []
    for name, content in files.items():
        path = folder / name
        try:
            if content is None:
                path.unlink(missing_ok=True)
                continue
            path.write_bytes(content)
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror}); choose another folder.") from error
        written.append(path)
    return written


def usable_folder(folder: str | Path) -> Path:
    """The folder, made if need be; raises InputError if that fails or it takes no files."""
    path = Path(folder)
    probe = path / ".writable"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"The folder {path} cannot be used ({reason}); choose another one.") from error
    return path
