"""The few statistics that figures and claims need."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ..engine.errors import MissingExtraError
from .student import student_t

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


def confidence(values: Sequence[float] | Values) -> float:
    """Return half the width of the mean's 95 % confidence interval; 0 for a single value."""
    count = len(values)
    if count < 2:
        return 0.0
    return float(student_t(count - 1) * np.std(values, ddof=1) / np.sqrt(count))


def jain(shares: Sequence[float] | Values) -> float:
    """Return Jain's fairness index: 1 if all shares are equal, 1/n if one has everything.

    Jain, Chiu, Hawe: A quantitative measure of fairness, DEC TR-301, 1984. NaN if nobody has
    anything: the index is 0/0 then.
    """
    array = np.asarray(shares, dtype=float)
    largest = float(np.max(array, initial=0.0))
    if largest == 0:
        return float("nan")
    array = array / largest
    return float(np.sum(array) ** 2 / (len(array) * np.sum(array**2)))


def sliding_mean(values: Values, width: int) -> Values:
    """Return the means of `width` successive values along the last axis."""
    windows = np.lib.stride_tricks.sliding_window_view(values, width, axis=-1)
    means: Values = windows.mean(axis=-1)
    return means


def variation(values: Sequence[float] | Values) -> float:
    """Return the coefficient of variation: the deviation over the mean; 0 if all is nothing."""
    mean = float(np.mean(values))
    return float(np.std(values)) / mean if mean > 0 else 0.0


def require_scipy() -> None:
    """Say how to get SciPy if it is not there: t-tests of papers' claims are all it is for."""
    if find_spec("scipy") is None:
        raise MissingExtraError(
            "papers' claims need SciPy, which is not installed: pip install 'multihop[reproduce]'"
        )


def welch(one: Sequence[float] | Values, other: Sequence[float] | Values) -> float:
    """Return how likely means differ so much by chance: the two-sided p of Welch's t-test.

    Welch: The generalization of "Student's" problem, Biometrika 34, 1947.
    """
    require_scipy()
    # Loading it takes a second, and few figures need it.
    from scipy.stats import ttest_ind

    return float(ttest_ind(one, other, equal_var=False).pvalue)
