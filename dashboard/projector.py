"""The thread that keeps the picture of the embeddings up to date beside the solver."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dashboard import projection
from dashboard.projection import Projection

_KEPT_FRAMES = 200


@dataclass(frozen=True, eq=False)
class Job:
    """Embeddings to draw.

    Attributes:
        kind: "tsne", "pca" or "raw".
        step: the step they belong to.
        seconds: how long a t-SNE frame may go on improving while no newer job waits.
        resting: whether the embeddings are to stay, so that a t-SNE that lost track of them begins anew.
    """

    kind: str
    source: np.ndarray
    target: np.ndarray
    cosine: bool
    perplexity: float
    step: int
    seconds: float
    resting: bool = False


class Projector:
    """Draws the newest job it was given; older ones are dropped.

    Args:
        on_frame: called from the projector's thread whenever a frame is ready.
    """

    def __init__(self, on_frame: Callable[[], None]) -> None:
        self._on_frame = on_frame
        self._changed = threading.Condition()
        self._job: Job | None = None
        self._working = False
        self._generation = 0
        self._frames: OrderedDict[tuple[str, int], Projection] = OrderedDict()
        self.latest: Projection | None = None
        threading.Thread(target=self._run, name="projector", daemon=True).start()

    @property
    def busy(self) -> bool:
        return self._working or self._job is not None

    def ask(self, job: Job) -> None:
        with self._changed:
            self._job = job
            self._changed.notify_all()

    def forget(self) -> None:
        """Drop every frame and job, as another run begins."""
        with self._changed:
            self._job, self.latest = None, None
            self._generation += 1  # what is being drawn belongs to the run before
            self._frames.clear()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._working = False
                self._changed.wait_for(lambda: self._job is not None)
                job, self._job, self._working = self._job, None, True
                generation = self._generation
            assert job is not None
            try:
                self._draw(job, generation)
            except Exception:  # noqa: BLE001 a picture that fails must not end the run
                sys.stderr.write(traceback.format_exc())
            with self._changed:
                self._working = False
            self._on_frame()

    def _draw(self, job: Job, generation: int) -> None:
        deadline = time.monotonic() + job.seconds
        for count, frame in enumerate(self._frames_of(job)):
            with self._changed:
                if generation != self._generation:
                    return
                self.latest = frame
                self._frames[job.kind, job.step] = frame
                self._frames.move_to_end((job.kind, job.step))
                if len(self._frames) > _KEPT_FRAMES:
                    self._frames.popitem(last=False)
                if self._job is not None or time.monotonic() >= deadline or count * 20 >= projection.LONGEST:
                    return
            self._on_frame()

    def _frames_of(self, job: Job) -> Iterator[Projection]:
        rows = projection.joint(job.source, job.target, job.cosine)
        if not np.isfinite(rows).all():
            note = "The embeddings are no longer finite numbers, so there is nothing to draw."
            yield Projection(job.kind, None, job.step, note=note)
        elif job.kind == "raw":
            yield projection.raw(rows, job.step)
        elif job.kind == "pca":
            yield projection.pca(rows, job.step, self._nearest(job))
        else:
            yield from projection.tsne(rows, job.step, self._nearest(job), job.perplexity, job.resting)

    def _nearest(self, job: Job) -> Projection | None:
        """The kept frame of the same kind whose step is closest: where the next frame starts."""
        with self._changed:
            steps = [step for kind, step in self._frames if kind == job.kind]
            return self._frames[job.kind, min(steps, key=lambda s: abs(s - job.step))] if steps else None
