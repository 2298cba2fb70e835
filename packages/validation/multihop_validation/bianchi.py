"""Bianchi's model of a saturated 802.11 cell, with the retry limit and the windows of ns-2.

G. Bianchi: Performance analysis of the IEEE 802.11 distributed coordination function. IEEE
Journal on Selected Areas in Communications 18(3), 2000. The equation numbers are that paper's.
"""

from __future__ import annotations

from dataclasses import dataclass

# From a sender of the star to its receiver, 50 m.
STAR_PROPAGATION_US = 50.0 / 300.0
SLOT_US, SIFS_US, DIFS_US = 20.0, 10.0, 50.0
PREAMBLE_US = 192.0
RTS_US, CTS_US, ACK_US = 352.0, 304.0, 304.0
# After a collision a bystander waits EIFS: SIFS, an ACK and DIFS after the frame's end.
EIFS_US = SIFS_US + ACK_US + DIFS_US + DIFS_US
MAC_HEADER_BYTES, NETWORK_HEADER_BYTES = 34, 20
# Windows of ns-2 by attempt: a backoff is drawn from 0 to the window less one; the last attempt
# of seven is made with the largest window again.
WINDOWS = (31, 63, 127, 255, 511, 1023, 1023)


@dataclass(frozen=True)
class Cell:
    """A saturated cell: so many stations, all in reach of each other."""

    stations: int
    payload_bytes: int
    rts: bool
    rate_bit_s: float = 1e6

    def goodput(self, propagation_us: float) -> float:
        """Return the payload delivered, in kbit/s (eq. 13)."""
        sending, _ = self.fixed_point()
        n = self.stations
        idle = (1 - sending) ** n
        some = 1 - idle  # P_tr, eq. 10
        success = n * sending * (1 - sending) ** (n - 1) / some  # P_s, eq. 11
        well, badly = self._durations(propagation_us)
        mean_slot = idle * SLOT_US + some * success * well + some * (1 - success) * badly
        return some * success * self.payload_bytes * 8 / mean_slot * 1e3

    def fixed_point(self) -> tuple[float, float]:
        """Solve for tau, the probability to send in a slot, and p, to collide then (eqs. 7, 9).

        Eq. 7 is for endless retries. With a limit of m attempts the chain leaves its last stage
        either way, so tau = sum p^i / sum p^i (W_i + 1) / 2 over i = 0 .. m-1: attempts over slots.
        """
        low, high = 0.0, 1.0
        for _ in range(100):
            sending = (low + high) / 2
            collision = 1 - (1 - sending) ** (self.stations - 1)  # eq. 9
            attempts = sum(collision**i for i in range(len(WINDOWS)))
            slots = sum(collision**i * (w + 1) / 2 for i, w in enumerate(WINDOWS))
            if attempts / slots > sending:
                low = sending
            else:
                high = sending
        return sending, collision

    def _durations(self, propagation_us: float) -> tuple[float, float]:
        """Return how long a success and a collision occupy the channel (eqs. 14 and 17)."""
        frame_bytes = self.payload_bytes + NETWORK_HEADER_BYTES + MAC_HEADER_BYTES
        data = PREAMBLE_US + frame_bytes * 8e6 / self.rate_bit_s
        answer = SIFS_US + ACK_US + 2 * propagation_us + DIFS_US
        if self.rts:
            reservation = RTS_US + SIFS_US + CTS_US + SIFS_US + 2 * propagation_us
            return reservation + data + answer, RTS_US + propagation_us + EIFS_US
        return data + answer, data + propagation_us + EIFS_US
