"""What files say of links, and what follows for the share of frames that arrive.

A row of a file has measures under the names of its columns. Those of `MEASURES` have a sound
conversion; a row that has only others is refused, so that nothing unknown counts as perfect.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..engine.errors import MeshError
from .values import is_given, quantity


class Measure(NamedTuple):
    """A measure of a link: its name, the columns that have it, and how it is converted."""

    name: str
    columns: tuple[str, ...]
    # Units that a value may have, and by what it is multiplied then.
    units: Mapping[str, float]
    low: float
    high: float
    conversion: str
    source: str


SHARE = {"": 1.0, "percent": 0.01}
# In the order in which they count if a row has several: the most direct comes first.
MEASURES = (
    Measure(
        "delivery",
        ("delivery", "delivery_ratio", "prr", "pdr", "reception", "quality", "link_quality"),
        SHARE, 0, 1,
        "delivery ratio from the first node to the second, as it is",
        "packet reception ratio",
    ),
    Measure(
        "percent", ("percent", "delivery_percent"), {"": 0.01, "percent": 0.01}, 0, 1,
        "delivery = percent / 100", "packet reception ratio",
    ),
    Measure(
        "loss", ("loss", "loss_ratio", "packet_loss", "per", "plr"), SHARE, 0, 1,
        "delivery = 1 - loss", "packet error ratio",
    ),
    Measure(
        "nlq", ("nlq",), SHARE, 0, 1,
        "delivery from the first node to the second", "olsrd, README-Link-Quality",
    ),
    Measure(
        "lq", ("lq",), SHARE, 0, 1,
        "delivery from the second node to the first", "olsrd, README-Link-Quality",
    ),
    Measure(
        "etx", ("etx", "cost_etx"), {"": 1.0}, 0, math.inf,
        "delivery = 1 / sqrt(ETX) in both directions; 0 or 1024 and more is no link",
        "De Couto et al. 2003: ETX = 1 / (d_f d_r)",
    ),
    Measure(
        "olsr-cost", (), {"": 1.0}, 0, math.inf,
        "ETX = cost / 1024", "olsrd counts an ETX of 1 as 1024",
    ),
    Measure(
        "ett", ("ett",), {"s": 1.0, "ms": 1e-3, "us": 1e-6}, 0, math.inf,
        "ETX = ETT * rate / size", "Draves, Padhye, Zill 2004: ETT = ETX * S / B",
    ),
    Measure(
        "tq", ("tq",), {"": 1.0, "percent": 0.01}, 0, 255,
        "delivery = tq, or tq / 255 where a value of the file is above 1 (an estimate per path)",
        "batman-adv (B.A.T.M.A.N. IV): 0 to 255",
    ),
    Measure(
        "map tq", ("source_tq", "target_tq"), SHARE, 0, 1,
        "delivery = tq (an estimate per path)", "meshviewer.json: TQ / 255",
    ),
    Measure(
        "inverse tq", ("inverse_tq", "cost_tq"), {"": 1.0}, 0, math.inf,
        "delivery = 1 / tq", "graph.json and alfred's batadv-vis: 255 / tq",
    ),
    Measure(
        "signal", ("signal", "rssi", "rx_power", "received_power"), {"": 1.0, "dbm": 1.0},
        -200, 0,
        "received power in dBm, against the receive threshold", "as the driver reports it",
    ),
    Measure(
        "deviation", ("deviation", "snr_std_dev", "std_dev", "sigma"), {"": 1.0, "db": 1.0}, 0, 60,
        "standard deviation of the power in dB, drawn for each frame", "as the file has it",
    ),
    Measure(
        "snr", ("snr", "sinr", "signal_to_noise"), {"": 1.0, "db": 1.0}, -60, 120,
        "signal = SNR + noise, against the receive threshold", "noise: -174 dBm/Hz, bandwidth, "
        "noise figure; --noise",
    ),
)  # fmt: skip
BY_NAME = {measure.name: measure for measure in MEASURES}
BY_COLUMN = {column: measure for measure in MEASURES for column in measure.columns}
# Whole names that are a measure and its unit.
ALONE = {"dbm": "signal_dbm", "db": "snr_db", "%": "percent", "percent": "percent"}
UNITS = {"dbm": "dbm", "db": "db", "percent": "percent", "pct": "percent", "%": "percent",
         "ms": "ms", "us": "us", "s": "s"}  # fmt: skip
# What says nothing of delivery, also if it is a number.
OTHERS = {
    "id", "key", "name", "label", "type", "vpn", "channel", "frequency", "freq", "distance",
    "length", "time", "timestamp", "date", "comment", "description", "interface", "ifname", "mac",
    "from", "to", "source", "target", "src", "dst", "both_ways", "bidirect", "noise", "color",
    "x", "y", "lat", "lon", "age", "lastseen", "last_seen", "width", "opacity", "osmid", "vht",
}  # fmt: skip
# Of these, whatever stands there, no delivery ratio follows.
UNSOUND = {"rate", "bitrate", "throughput", "bandwidth", "airtime", "metric", "cost", "weight"}
POWERS = ("signal", "snr")
# What says something of a power, and nothing alone.
BESIDE = ("deviation",)
# How olsrd writes the ETX of a link that is none.
INFINITE = {"inf", "infinite", "infinity"}
# No link has a larger ETX; olsrd calls it infinite.
DEAD_ETX = 1024.0
NOISE_DBM = -94.0


@dataclass(frozen=True)
class Measuring:
    """How the measures of a mesh file are read: its columns, the noise power, the size of ETT."""

    # Which column is which measure, beyond the names that are known; "none" leaves it out.
    columns: Mapping[str, str] | None = None
    # What an SNR is above, in dBm: by default of 20 MHz and a noise figure of 7 dB.
    noise_dbm: float = NOISE_DBM
    # Whether that counts where a file says itself of which radio its SNRs are.
    noise_given: bool = False
    # What a link without a measure delivers.
    assumed: float | None = None
    # The size in B and the rate in bit/s of the frame whose time ETT is.
    ett_bytes: int | None = None
    rate_bit_s: float = 6e6
    # Whether links are not read at all, because positions decide.
    by_distance: bool = False
    # Whether nodes are people's homes, as in the maps of LoRa meshes whatever is said here; and
    # whether their names and places stay as they are nevertheless.
    homes: bool = False
    keep_names: bool = False


class Row(NamedTuple):
    """A link as a file has it: who is heard by whom, and what is told of it."""

    source: str
    target: str
    told: Mapping[str, Any]
    at: str
    medium: str = ""
    # True: what is told holds for both directions; False: there is no other direction.
    both: bool | None = None


class Reading(NamedTuple):
    """What a row says: the ratio and the power of a direction, and that of the other, if told."""

    delivery: float | None
    signal_dbm: float | None
    back: float | None
    # Whether what is told of the other direction was measured there.
    back_is_own: bool
    how: str
    # In dB.
    deviation_db: float | None = None


def normal(column: str) -> tuple[str, str]:
    """Return the name of a column without its unit, and the unit: `SNR (dB)` is snr, db."""
    words = [word for word in re.split(r"[^a-z0-9%]+", column.lower()) if word]
    name = "_".join(words)
    words = ALONE.get(name, name).split("_")
    unit = UNITS.get(words[-1], "") if len(words) > 1 else ""
    return "_".join(words[:-1] if unit else words), unit


class Reader:
    """Reads the rows of one file."""

    def __init__(self, rows: Sequence[Row], measuring: Measuring, where: str) -> None:
        """Look at all rows: the scale of a measure is that of the file."""
        self.measuring = measuring
        self.columns = {
            normal(column)[0]: _named(name) for column, name in (measuring.columns or {}).items()
        }
        if "cost" in self.columns:  # of NetJSON, which names the metric once for all
            self.columns |= dict.fromkeys(("cost_etx", "cost_tq"), self.columns["cost"])
        told = [self._told(row)[0] for row in rows]
        self.tq_scale = _scale([found["tq"] for found in told if "tq" in found])
        _check_map([found["map tq"] for found in told if "map tq" in found], where)
        self.unused: set[str] = set()

    def read(self, row: Row) -> Reading | None:
        """Read what a row says of its link; `None` if it says that there is one and no more."""
        found, unknown = self._told(row)
        self.unused |= set(unknown)
        ratio = next(
            (m for m in MEASURES if m.name in found and m.name not in {*POWERS, *BESIDE}), None
        )
        signal = self._signal(found)
        if ratio is None and signal is None:
            if unknown and self.measuring.assumed is None:
                raise MeshError(self._refusal(row, unknown))
            return None
        delivery, back = self._ratio(ratio, found, row) if ratio else (None, None)
        names = [ratio] if ratio else []
        if ratio and ratio.name == "nlq" and "lq" in found:
            names.append(BY_NAME["lq"])
        names += [BY_NAME[n] for n in POWERS if n in found][:1]
        names += [BY_NAME[n] for n in BESIDE if n in found and signal is not None]
        self.unused |= found.keys() - {measure.name for measure in names}
        how = "; ".join(map(self._how, names))
        return Reading(delivery, signal, back, any(m.name == "lq" for m in names), how,
                       found.get("deviation") if signal is not None else None)  # fmt: skip

    def _how(self, measure: Measure) -> str:
        noise = f" of {self.measuring.noise_dbm:g} dBm" if measure.name == "snr" else ""
        return f"{measure.name}: {measure.conversion.replace('noise', 'noise' + noise, 1)}"

    def _refusal(self, row: Row, unknown: Sequence[str]) -> str:
        columns = ", ".join(f"'{name}'" for name in unknown)
        known = ", ".join(measure.name for measure in MEASURES)
        return (
            f"{row.at}: {columns}: no measure of a link that has a conversion to a delivery ratio "
            f"({known}); say which it is, as in --measure {unknown[0]}=etx, or leave it out with "
            f"--measure {unknown[0]}=none and give --assume-delivery"
        )

    def _told(self, row: Row) -> tuple[dict[str, float], list[str]]:
        """Read all measures of a row, and list the names of other numbers."""
        found: dict[str, float] = {}
        unknown = []
        for column, value in row.told.items():
            if not is_given(value):
                continue
            name, unit = normal(column)
            measure = self.columns.get(name, BY_COLUMN.get(name))
            if measure is not None:
                found.setdefault(measure.name, _value(measure, value, unit, f"{row.at}: {column}"))
            elif name not in self.columns and name not in OTHERS:
                unknown += [column] if name in UNSOUND or _is_number(value) else []
        return found, unknown

    def _signal(self, found: Mapping[str, float]) -> float | None:
        if "signal" in found:
            return found["signal"]
        return found["snr"] + self.measuring.noise_dbm if "snr" in found else None

    def _ratio(
        self, measure: Measure, found: Mapping[str, float], row: Row
    ) -> tuple[float | None, float | None]:
        """Return the ratio of the row's direction, and of the other if the measure has it."""
        value = found[measure.name]
        if measure.name in ("lq", "nlq"):
            return found.get("nlq"), found.get("lq")
        if measure.name in ("etx", "olsr-cost", "ett"):
            share = _of_etx(value * self._per_etx(measure, row), row.at)
            return share, share
        shares = {
            "loss": lambda: 1 - value,
            "tq": lambda: value / self.tq_scale,
            "inverse tq": lambda: 1 / value if value >= 1 else value,
        }
        return shares.get(measure.name, lambda: value)(), None

    def _per_etx(self, measure: Measure, row: Row) -> float:
        """Return the factor from a measure to ETX."""
        if measure.name != "ett":
            return 1 / DEAD_ETX if measure.name == "olsr-cost" else 1.0
        if self.measuring.ett_bytes is None:
            raise MeshError(
                f"{row.at}: ETT is the time of a frame whose size the file does not say; give it, "
                "as in --ett-size 1024"
            )
        return self.measuring.rate_bit_s / (8 * self.measuring.ett_bytes)


def _named(name: str) -> Measure | None:
    if name != "none" and name not in BY_NAME:
        known = ", ".join(BY_NAME)
        raise MeshError(f"--measure: '{name}' is no measure; there are {known}, and none")
    return BY_NAME.get(name)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        quantity(value, "")
    except MeshError:
        return False
    return True


def _value(measure: Measure, value: Any, unit: str, where: str) -> float:
    """Read a value in the unit that it or its column has."""
    if measure.name == "etx" and (str(value).strip().lower() in INFINITE):
        return math.inf
    found, own = quantity(value, where)
    own = UNITS.get(own, own)
    if own and unit and own != unit:
        raise MeshError(f"{where}: {value} is in {own}, and its column in {unit}; give one unit")
    factor = measure.units.get(own or unit)
    if factor is None:
        allowed = " or ".join(name for name in measure.units if name)
        given = own or unit or "no unit"
        hint = "; a ratio in dB is an snr" if measure.name == "signal" and given == "db" else ""
        raise MeshError(
            f"{where}: {value} has {given}, but {measure.name} is in {allowed or 'no unit'}{hint}"
        )
    found *= factor
    if measure.name == "signal" and found >= 0:
        raise MeshError(
            f"{where}: {value} is no received power in dBm, which lies below 0; a ratio in dB is "
            "an snr: name the column snr, or give --measure"
        )
    if not measure.low <= found <= measure.high:
        of_hundred = measure.units is SHARE and factor == 1 and 1 < found <= 100
        raise MeshError(
            f"{where}: {value} is not from {measure.low / factor:g} to {measure.high / factor:g}"
            + (f"; write {found:g} %, or name the column with _percent" if of_hundred else "")
        )
    return found


def _of_etx(etx: float, where: str) -> float:
    """Return the share of each direction: ETX does not say which of them loses how much."""
    if etx == 0 or etx >= DEAD_ETX:
        return 0.0
    if etx < 1:
        raise MeshError(
            f"{where}: an ETX of {etx:g} is below 1, but a frame takes one transmission at least; "
            "it is another measure"
        )
    return 1 / math.sqrt(etx)


def _scale(tq: Sequence[float]) -> float:
    """Return what TQ is of: 1, or 255 where a value of the file is above 1."""
    return 255.0 if any(value > 1 for value in tq) else 1.0


def _check_map(tq: Sequence[float], where: str) -> None:
    """Refuse the quality of a map that is no TQ: it has digits, but not those of steps of 1/255.

    Maps of Babel have 1 - cost / 65535, which is 0.96 for an ETX of 10. Means of two TQ are of 510.
    """
    strange = next((v for v in tq if abs(v - round(v, 4)) > 1e-7 and not _is_of(v, 510)), None)
    if strange is not None:
        raise MeshError(
            f"{where}: source_tq or target_tq is {strange:g}, and no TQ, which has steps of 1/255; "
            "maps of Babel have 1 - cost / 65535, and a cost is no delivery ratio; leave it out "
            "with --measure source_tq=none --measure target_tq=none, and give --assume-delivery"
        )


def _is_of(share: float, steps: int) -> bool:
    return abs(share * steps - round(share * steps)) < 2e-3
