"""When the sources of a reference run start: ns-2's random numbers, drawn again.

ns-2 draws the start times from its generator MRG32k3a (P. L'Ecuyer: Good parameters and
implementations for combined multiple recursive random number generators. Operations Research 47,
1999), every word of whose state is set to the seed. The reference scripts seed it with 1000 + the
run's seed.
"""

from __future__ import annotations

M1, M2 = 4294967087, 4294944443
NORM = 2.328306549295727688e-10
SEED_OFFSET = 1000
JITTER_S = 0.5


def start_times(seed: int, sources: int) -> list[float]:
    """Return by how many seconds each source of the run starts late."""
    first = [SEED_OFFSET + seed] * 3
    second = [SEED_OFFSET + seed] * 3
    times = []
    for _ in range(sources):
        one = (1403580 * first[1] - 810728 * first[0]) % M1
        two = (527612 * second[2] - 1370589 * second[0]) % M2
        first, second = [*first[1:], one], [*second[1:], two]
        times.append(JITTER_S * ((one - two) % M1) * NORM)
    return times
