"""What every test shares: reproducible property tests, few threads, and where optional sample data lies."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Before NumPy or torch is imported: small problems get slower, not faster, on many threads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=25)
settings.load_profile("repeatable")

ROOT = Path(__file__).parents[1]
_BROWSER = "tests/browser/"


class _BrowserLast(LoadScopeScheduling):
    """Whole files to each worker; then the browser tests on one, in turn: each needs more than one core."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::")[0]
        return _BROWSER if path.startswith(_BROWSER) else path

    def _assign_work_unit(self, node: WorkerController) -> None:
        if _BROWSER in self.workqueue:
            self.workqueue.move_to_end(_BROWSER)
        super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        others = [other for other in self.nodes if other is not node and not other.shutting_down]
        if others and list(self.workqueue) == [_BROWSER]:
            node.shutdown()  # with what it was given; the last one takes the browser
        else:
            super()._reschedule(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return _BrowserLast(config, log)


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Put `__main__` back: a page under test takes its place, and a spawned process would look for its work there."""
    kept = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = kept


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Larger sample data kept beside the repository, not in it; tests that need it are extras."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the sample data that may lie beside the repository (../shared) is not there")
    return folder
