"""Latitude and longitude in metres: a plane that touches the Earth in the middle of the nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

# WGS 84: the equator's radius in m, and the square of the eccentricity.
RADIUS_M = 6_378_137.0
ECCENTRICITY_2 = 6.694_379_990_14e-3
# Farther apart than this, in m, distances in the plane are off by more than about 0.1 %.
FLAT_M = 300_000.0
# A degree of latitude is nowhere shorter, in m.
LEAST_DEGREE_M = 110_500.0

Place = tuple[float, float]


def in_metres(places: Sequence[Place]) -> list[Place]:
    """Return where places in degrees are, in m east and north of the lowest and leftmost one.

    A degree is as long as on the ellipsoid at the median latitude of the places (its radii of
    curvature), so that single places that are wrong change no other distance.
    """
    if not places:
        return []
    first = places[0][1]
    # The short way round the Earth, also across 180 degrees.
    turned = [(lat, first + (lon - first + 180) % 360 - 180) for lat, lon in places]
    middle = math.radians(median(lat for lat, _ in turned))
    bend = 1 - ECCENTRICITY_2 * math.sin(middle) ** 2
    north = math.radians(RADIUS_M * (1 - ECCENTRICITY_2) / bend**1.5)
    east = math.radians(RADIUS_M / math.sqrt(bend)) * math.cos(middle)
    low = min(lat for lat, _ in turned)
    left = min(lon for _, lon in turned)
    return [((lon - left) * east, (lat - low) * north) for lat, lon in turned]


def apart_m(one: Place, other: Place) -> float:
    """Return how far apart two places in degrees are, in m, whatever other places there are."""
    return math.dist(*in_metres([one, other]))
