"""Copy plotly.min.js from the installed plotly package to where the page's static files are served.

``python -m dashboard.live_plot.setup [FOLDER]``; FOLDER defaults to ``dashboard/static``. A copy and not a link:
Streamlit refuses to serve links that leave its static folder.
"""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

SCRIPT = "plotly.min.js"
NOTICE = "plotly.min.js.LICENSE.txt"
STATIC = Path(__file__).parents[1] / "static"


def install(folder: Path = STATIC) -> Path:
    """Copy the script and its MIT notice into folder unless an equal copy is there; returns the script's path.

    Raises:
        FileNotFoundError: the plotly package or its notice is not installed.
    """
    package = distribution("plotly")
    folder.mkdir(parents=True, exist_ok=True)
    for name, ending in ((SCRIPT, f"package_data/{SCRIPT}"), (NOTICE, "licenses/LICENSE.txt")):
        found = [file for file in package.files or () if file.as_posix().endswith(ending)]
        if not found:
            raise FileNotFoundError(f"The installed plotly package lacks {ending}: install plotly again.")
        origin, copy = Path(str(package.locate_file(found[0]))), folder / name
        # Sizes and versions go together: plotly.min.js opens with its version.
        if not copy.is_file() or copy.read_bytes() != origin.read_bytes():
            shutil.copyfile(origin, copy)
    return folder / SCRIPT


if __name__ == "__main__":
    install(Path(sys.argv[1]) if len(sys.argv) > 1 else STATIC)
