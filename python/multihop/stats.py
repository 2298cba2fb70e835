"""The few statistics that figures and claims need."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from .errors import MissingExtraError

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Student's t, 97.5 % quantile, for 1, 2, ... degrees of freedom (DIN ISO 2602, table 1).
STUDENT_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
NORMAL = 1.960


def student_t(degrees: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    return STUDENT_T[degrees - 1] if degrees <= len(STUDENT_T) else NORMAL


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
