"""802.11n in ns-3.37 and here: links and chains of nodes, by ns-3's rules and receiver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import ofdm
from .ofdm import BACKOFF, PREAMBLE, QUEUE, SIFS, SYMBOL, UDP_HEADER, air_us

FILE = "ns3_ht"
# As ns-3 counts: a QoS header and FCS, LLC and SNAP.
HEADER = 38
# Of 802.11n, in us: AIFS of best effort; HT-SIG and training behind the preamble; longest frame.
AIFS, HT_PREAMBLE, LONGEST = 43, 16, 5484
SHORT_SYMBOL = 3.6
# Data bits of a symbol, and the highest rate in Mbit/s of an answer, by MCS.
BITS = (26, 52, 78, 104, 156, 208, 234, 260)
ANSWERS = (6, 12, 12, 24, 24, 24, 24, 24)
RATES = (6.5, 13.0, 19.5, 26.0, 39.0, 52.0, 58.5, 65.0)
SHORT_RATES = (7.2, 14.4, 21.7, 28.9, 43.3, 57.8, 65.0, 72.2)
# Hops of which one sends at a time, by MCS, as in `ofdm.REUSE`.
REUSE = (3, 3, 4, 4, 5, 7, 7, 8)
ACK, BLOCK_ACK, WINDOW = 14, 32, 64


@dataclass(frozen=True)
class Case(ofdm.Case):
    """The same of 802.11n, whose `rate` is that of its MCS."""

    # The largest A-MPDU in bytes; 0: packets go alone.
    aggregation: int
    short_guard: bool

    def mac(self, datagram_header: int) -> dict[str, Any]:
        """Return the keys of its MAC, where so many bytes of headers are not counted elsewhere."""
        size = {"aggregation_size": f"{self.aggregation} B"}
        return {
            "timing": "ht-5",
            "header": f"{HEADER + datagram_header} B",
            "short_guard": self.short_guard,
            **(size if self.aggregation else {"aggregation": "0 s"}),
        }

    @property
    def mcs(self) -> int:
        """Return the number of its mode."""
        return (SHORT_RATES if self.short_guard else RATES).index(self.rate)

    @property
    def title(self) -> str:
        """Return what it is, in a line."""
        if not self.aggregation:
            return f"{super().title}, packets alone"
        limit = "" if self.aggregation == 65535 else f", A-MPDUs of {self.aggregation} B"
        return super().title + limit + (", short guard" if self.short_guard else "")

    @property
    def reuse(self) -> int:
        """Return of how many hops one sends at a time."""
        return REUSE[self.mcs]

    @property
    def frame(self) -> int:
        """Return the length of a data frame in bytes."""
        return self.payload + 20 + UDP_HEADER + HEADER

    def _batch(self, count: int) -> int:
        """Return the bytes of an A-MPDU: delimiters, and padding but behind the last."""
        alone = self.frame if count == 1 else self.frame + 4
        return (count - 1) * (4 + -(-self.frame // 4) * 4) + alone

    def _air_us(self, size: int) -> float:
        symbols: float = -(-(16 + 6 + 8 * size) // BITS[self.mcs])
        if self.short_guard:
            # What they leave of a usual symbol counts as a whole one.
            symbols = -(-symbols * SHORT_SYMBOL // SYMBOL)
        return PREAMBLE + HT_PREAMBLE + SYMBOL * symbols

    @property
    def most(self) -> int:
        """Return how many packets a frame carries at most."""
        count = 1
        while (
            count < WINDOW
            and self._batch(count + 1) <= self.aggregation
            and self._air_us(self._batch(count + 1)) <= LONGEST
        ):
            count += 1
        return count

    @property
    def is_full(self) -> bool:
        """Return whether its queue always has what a frame may carry: what is on the air counts."""
        return 2 * self.most <= QUEUE

    @property
    def saturation(self) -> float:
        """What one link carries of datagrams, in kbit/s (IEEE 802.11-2020, 19.4.3 and 10.3)."""
        handshake = air_us(6, 20) + air_us(6, 14) + 2 * SIFS if self.rts else 0.0
        answer = air_us(ANSWERS[self.mcs], ACK if self.most == 1 else BLOCK_ACK)
        data = self._air_us(self._batch(self.most))
        return self.most * self.payload * 8e3 / (AIFS + BACKOFF + handshake + data + SIFS + answer)
