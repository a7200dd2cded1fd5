"""Work shared out in row blocks: every row once, in order, and the caller's thread as it was."""

import threading

import pytest
import torch

from gwl_core.sweep import alone, row_blocks, sweep


@pytest.fixture(params=[1, 2, 3])
def threads(request: pytest.FixtureRequest):
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(1)


@pytest.mark.parametrize("shape", [(1, 1), (30, 40), (700, 900), (5000, 70)])
def test_blocks_hold_every_row_once(threads: int, shape: tuple[int, int]) -> None:
    blocks = row_blocks(torch.empty(shape))
    assert [k for rows in blocks for k in range(rows.start, rows.stop)] == list(range(shape[0]))
    assert {rows.stop - rows.start for rows in blocks[:-1]} <= {blocks[0].stop - blocks[0].start}
    if shape == (700, 900):
        assert len(blocks) >= threads


def test_results_come_in_the_order_of_the_blocks(threads: int) -> None:
    blocks = [slice(k, k + 1) for k in range(50)]
    seen = set()

    def work(rows: slice) -> tuple[int, int]:
        seen.add(threading.get_ident())
        assert len(sweep(lambda inner: inner.start, blocks[:3])) == 3  # a sweep within a sweep
        return rows.start, torch.get_num_threads()

    assert sweep(work, blocks) == [(k, 1) for k in range(50)]
    assert len(seen) <= threads
    assert torch.get_num_threads() == threads


def test_denormals_are_flushed_within_and_threads_are_given_back(threads: int) -> None:
    small = torch.tensor([1e-310], dtype=torch.float64)
    with alone():
        assert torch.get_num_threads() == 1
        with alone():
            assert float((small * 1).sum()) == 0
        assert float((small * 1).sum()) == 0
    assert float((small * 1).sum()) > 0
    assert torch.get_num_threads() == threads


def test_an_error_reaches_the_caller(threads: int) -> None:
    def work(rows: slice) -> None:
        raise ValueError(str(rows.start))

    with pytest.raises(ValueError, match=r"\d"):
        sweep(work, [slice(k, k + 1) for k in range(9)])
    assert torch.get_num_threads() == threads
