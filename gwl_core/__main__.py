"""`python -m gwl_core`."""

import sys

from gwl_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
