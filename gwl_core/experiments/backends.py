"""Where trials run: in this process, on a Dask cluster of this machine, or on a Dask cluster that is there already."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Data
from gwl_core.experiments.work import Task, carry_out, identity

if TYPE_CHECKING:
    from distributed import Client

_WORKER_BYTES = 1.2e9
"""Memory a worker may need: torch and a trial."""
_CONNECT_SECONDS = 10
_WORKERS_SECONDS = 60

Outcome = tuple[Task, "tuple[dict[str, Any], float] | Exception"]


class Backend(Protocol):
    """Runs tasks and yields each one's outcome as it ends, in any order."""

    @property
    def workers(self) -> int:
        """Tasks that can run at the same time."""
        ...

    def outcomes(self, tasks: Sequence[Task], data: Data) -> Iterator[Outcome]:
        """Each task's values and seconds, or the error it ended with."""
        ...


class Serial:
    """One task after another in this process."""

    @property
    def workers(self) -> int:
        return 1

    def outcomes(self, tasks: Sequence[Task], data: Data) -> Iterator[Outcome]:
        for task in tasks:
            try:
                yield task, carry_out(task, data)
            except Exception as error:  # noqa: BLE001 the engine decides what a failed trial means
                yield task, error


class Cluster:
    """The workers of a Dask client. A task whose worker dies is done again by another."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def workers(self) -> int:
        return sum(self._client.nthreads().values()) or 1

    def outcomes(self, tasks: Sequence[Task], data: Data) -> Iterator[Outcome]:
        from distributed import as_completed

        shared = self._client.submit(identity, dict(data), pure=False)
        futures = {
            self._client.submit(carry_out, task, shared, key=f"trial-{task.key}", pure=False): task for task in tasks
        }
        for future in as_completed(list(futures)):
            if future.cancelled():  # its client has lost the scheduler
                raise InputError(
                    "The Dask scheduler was lost; finished trials are kept: start it again and run this again."
                )
            error = future.exception()
            yield futures[future], error if isinstance(error, Exception) else future.result()
            future.release()


@contextmanager
def opened(scheduler: str | None, workers: int | None, most: int) -> Iterator[Backend]:
    """The backend for at most `most` tasks at a time.

    Args:
        scheduler: address of a Dask scheduler; None for this machine.
        workers: processes on this machine, None for as many as it has cores and memory for; 1 runs in this process.

    Raises:
        InputError: the scheduler cannot be reached, or has no worker.
    """
    if scheduler is not None:
        with _connected(scheduler) as client:
            yield Cluster(client)
        return
    count = min(workers or machine_workers(), most)
    if count <= 1:
        yield Serial()
        return
    with _local(count) as client:
        yield Cluster(client)


def machine_workers() -> int:
    """Processes that this machine has cores and memory for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, int(_memory_bytes() / _WORKER_BYTES)))


def _memory_bytes() -> float:
    from distributed.system import MEMORY_LIMIT  # knows the limits of containers

    return float(MEMORY_LIMIT)


@contextmanager
def _local(count: int) -> Iterator[Client]:
    from distributed import Client, LocalCluster

    _quiet()
    with (
        tempfile.TemporaryDirectory(prefix="gwl-dask-", ignore_cleanup_errors=True) as folder,
        LocalCluster(
            n_workers=count, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", memory_limit=0,
            local_directory=folder, silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        yield client


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    from distributed import Client

    _quiet()
    try:
        client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"The Dask scheduler {address} cannot be reached: check that it runs, and the address (tcp://host:8786)."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
        except TimeoutError as error:
            raise InputError(f"The Dask scheduler {address} has no workers: start some and run again.") from error
        yield client


def _quiet() -> None:
    """What Dask says of lost connections is for its own developers; what matters here is said in sentences."""
    for name in ("distributed", "distributed.worker", "distributed.nanny", "distributed.client", "asyncio", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
