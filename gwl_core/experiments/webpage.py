"""Figures as a page that works offline, with plotly.js inline, and as PNG where kaleido can run."""

from __future__ import annotations

import html
import json
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.experiments.drawing import panel_spec
from gwl_core.experiments.protocol import Figure

_STYLE = (
    "body{font-family:sans-serif;margin:1rem;color:#010203;background:#fff}"
    ".panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:.5rem}"
    ".panel{height:340px}"
)


def figure_html(figure: Figure) -> str:
    """The figure as one HTML file of about 5 MB; its panels flow into as many columns as there is room for.

    Raises:
        InputError: the plotly package, which brings plotly.js, is not installed whole.
    """
    specs = [panel_spec(figure, panel) for panel in figure.panels]
    # "</script" in a label would end the script element, "<!--" change how its end is found.
    data = json.dumps(specs, allow_nan=False).replace("<", "\\u003c")
    title, alt = html.escape(figure.title), html.escape(figure.alt)
    panels = "".join(f'<div class="panel" id="panel-{k}"></div>' for k in range(len(specs)))
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{_STYLE}</style>\n'
        f'<script>{_plotly_js()}</script></head>\n<body><h1 style="font-size:1.1rem">{title}</h1><p>{alt}</p>\n'
        f'<div class="panels">{panels}</div>\n<script>{data}.forEach((s, k) => Plotly.newPlot("panel-" + k, s.data, '
        "s.layout, {displaylogo: false, responsive: true}));</script>\n</body>\n</html>\n"
    )


@lru_cache(maxsize=1)
def _plotly_js() -> str:
    try:
        package = distribution("plotly")
        found = [file for file in package.files or () if file.as_posix().endswith("package_data/plotly.min.js")]
        script = Path(str(package.locate_file(found[0]))).read_text(encoding="utf-8")
    except (PackageNotFoundError, IndexError, OSError) as error:
        raise InputError("The figures need plotly.min.js of the plotly package: install plotly again.") from error
    return script.replace("</script", "<\\/script")


def write_pngs(figure: Figure, folder: Path) -> list[Path]:
    """One PNG a panel, <figure>-<number>.png, where kaleido is installed and finds a browser; else nothing."""
    if find_spec("kaleido") is None:
        return []
    import kaleido

    written: list[Path] = []
    for number, panel in enumerate(figure.panels, 1):
        path = folder / f"{figure.key}-{number}.png"
        spec = panel_spec(figure, panel)
        spec["layout"] |= {"paper_bgcolor": "white", "width": 640, "height": 420}
        try:
            kaleido.write_fig_sync(spec, path=str(path), opts={"format": "png", "scale": 2})
        except Exception:  # noqa: BLE001 kaleido has no error of its own for a browser that is absent
            return written
        written.append(path)
    return written
