"""Large tensors on large pages: like any others, whatever the system does with the advice."""

import pytest
import torch

from gwl_core import pages


@pytest.mark.parametrize("shape", [(3, 4), (3000, 3001)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_tensor_is_like_another(shape: tuple[int, int], dtype: torch.dtype) -> None:
    made = pages.empty_like(torch.ones(shape, dtype=dtype))
    assert (made.shape, made.dtype, made.is_contiguous()) == (shape, dtype, True)
    made.fill_(2)
    assert float(made.sum()) == 2 * made.numel()


def test_advice_is_for_whole_large_pages_within_the_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(pages, "_advise", lambda first, size, advice: given.append((first.value, size.value)))
    pages.empty_like(torch.empty(1000))
    assert not given
    made = pages.empty_like(torch.empty(10_000_000))
    ((first, size),) = given
    assert first % 2**21 == size % 2**21 == 0
    assert made.data_ptr() <= first
    assert first + size <= made.data_ptr() + 4 * made.numel()
    assert size > 4 * made.numel() - 2**22
