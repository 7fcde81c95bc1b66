"""Cosines."""

import numpy as np
import pytest

from actors.policy.text.chunking import cosines


def test_a_cosine_by_hand() -> None:
    found = cosines([1, 0], [[2, 0], [0, 3], [-1, 0], [1, 1], [0, 0]])

    assert found == pytest.approx([1, 0, -1, 0.70710678, 0])


def test_what_all_vectors_have_in_common_can_be_taken_off() -> None:
    centre = np.array([10, 0], np.float32) / 10.0

    found = cosines([1.0, 0.1], [[1.0, 0.2], [1.0, -0.2]], centre)

    assert found[0] > 0.9
    assert found[1] < -0.9
