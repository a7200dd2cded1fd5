"""Pictures of the embeddings: few points, equal points, and frames that follow each other."""

from itertools import islice

import numpy as np
import pytest

from dashboard.projection import Projection, astray, clamp_perplexity, joint, pca, tsne


def rows(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 6))


def frames(data: np.ndarray, count: int, previous: Projection | None = None, **more: float) -> Projection:
    return list(islice(tsne(data, 1, previous, **more), count))[-1]


def test_a_single_point_has_no_projection() -> None:
    for frame in (pca(rows(1), 0), frames(rows(1), 3)):
        assert frame.positions is None
        assert "single point" in frame.note


@pytest.mark.parametrize("n", [2, 3])
def test_too_few_points_for_tsne_are_scattered_plainly(n: int) -> None:
    frame = frames(rows(n), 3)
    assert frame.positions is not None
    assert frame.positions.shape == (n, 2)
    assert "too few" in frame.note


@pytest.mark.parametrize("n", [4, 5, 40])
def test_perplexity_is_capped_below_the_number_of_points_and_says_so(n: int) -> None:
    assert clamp_perplexity(n) <= min(n - 1, 30)
    frame = frames(rows(n), 1)
    assert np.isfinite(frame.positions).all()
    assert f"{n} points allow no more" in frame.note


def test_a_perplexity_that_fits_needs_no_note() -> None:
    assert frames(rows(40), 1, perplexity=5).note == ""


def test_identical_rows_are_no_trouble() -> None:
    frame = frames(np.ones((30, 4)), 2)
    assert np.isfinite(frame.positions).all()


def test_the_next_frame_starts_where_the_last_one_ended() -> None:
    first = frames(rows(60), 15)
    again = frames(rows(60) + 1e-3, 1, first)
    elsewhere = frames(rows(60) + 1e-3, 1)
    spread = np.abs(first.positions).max()
    assert np.abs(again.positions - first.positions).max() < 0.2 * spread
    assert np.abs(elsewhere.positions - first.positions).max() > 0.5 * spread
    assert again.age > first.age


def test_frames_are_reproducible() -> None:
    np.testing.assert_array_equal(frames(rows(30), 3).positions, frames(rows(30), 3).positions)


def test_pca_keeps_the_previous_signs() -> None:
    first = pca(rows(20), 0)
    flipped = Projection("pca", -first.positions, 0)
    np.testing.assert_allclose(pca(rows(20), 1, flipped).positions, -first.positions)


def test_pca_of_one_dimension() -> None:
    frame = pca(np.arange(5.0)[:, None], 0)
    np.testing.assert_array_equal(frame.positions[:, 1], 0)


def test_rows_have_unit_length_for_the_cosine_kernel_only() -> None:
    source, target = np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([[2.0, 0.0]])
    np.testing.assert_allclose(joint(source, target, cosine=True), [[0.6, 0.8], [0, 0], [1, 0]])
    np.testing.assert_array_equal(joint(source, target, cosine=False), [[3, 4], [0, 0], [2, 0]])


def test_points_that_came_together_are_together_in_the_picture_at_rest() -> None:
    rng = np.random.default_rng(0)
    apart, pairs = rng.normal(size=(400, 8)), np.repeat(rng.normal(size=(200, 8)), 2, axis=0)
    before = frames(apart, 12)
    moving, resting = (frames(pairs, 8, before, resting=rests) for rests in (False, True))
    assert astray(pairs, moving.positions) > 0.05  # some are stuck where they were
    assert astray(pairs, resting.positions) < 0.02
    assert frames(pairs, 1, resting, resting=True).age == resting.age + 20  # a good picture is not begun again
