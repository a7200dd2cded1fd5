"""Copy the plotly.min.js of the installed plotly package to where Streamlit serves it: copy_plotly.py TARGET."""

import importlib.util
import shutil
import sys
from pathlib import Path


def main(target: Path) -> None:
    package = importlib.util.find_spec("plotly")
    if package is None or package.origin is None:
        sys.exit("plotly is not installed in this environment: run `make setup`.")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Copied under another name first, so that an interrupted copy is never served.
    partial = target.with_suffix(".partial")
    shutil.copyfile(Path(package.origin).parent / "package_data" / "plotly.min.js", partial)
    partial.replace(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
