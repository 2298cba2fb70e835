"""What the papers' words count as, and the claims that several papers make in the same form.

"Close to" is within 10 %, a stated number within 25 %, "fair" a Jain index of at least 0.95, and
an ordering is strict. The 95 % interval of what is compared lies on the claimed side of a bound; it
decides nothing if it reaches over it (`judging.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .judging import estimates, finding, stated_within
from .spec import Claim, Data, Finding

CLOSE = 0.90
STATED = 0.25
FAIR = 0.95

# Numbers in the order in which a claim names them.
Measure = Callable[[Data], Sequence[float]]


def kbit(bits: float) -> str:
    """Write a rate."""
    return f"{bits / 1e3:.0f} kbit/s"


def off(measured: float, stated: float) -> float:
    """Return by which part of it a number misses the stated one."""
    return abs(measured / stated - 1)


def like(value: float, stated: str) -> str:
    """Write a number with as many decimals as the paper writes."""
    return f"{value:.{len(stated.partition('.')[2])}f}"


def stated(text: str, numbers: str, unit: str, measure: Measure, note: str = "") -> Claim:
    """Claim numbers that the paper states: written as it writes them, with spaces between."""
    texts = numbers.split()

    def judge(data: Data) -> Finding:
        pairs = list(zip(estimates(data, measure), texts, strict=True))
        misses = [off(one.value, float(text)) for one, text in pairs]
        found = " ".join(like(one.value, text) for one, text in pairs)
        # A number that could not be measured is never within.
        compared = [
            stated_within(one, float(text), STATED, f"for {text}" if len(pairs) > 1 else "")
            for one, text in pairs
        ]
        return finding(f"{found}{unit}, off by at most {max(misses):.0%}", compared)

    each = f"each within {STATED:.0%}" if len(texts) > 1 else f"within {STATED:.0%}"
    return Claim(text, f"{numbers}{unit}, {each}", judge, note)


def percent_more(measured: float, reference: float) -> str:
    """Write how far a value is above another."""
    return f"{measured / reference - 1:+.0%}"
