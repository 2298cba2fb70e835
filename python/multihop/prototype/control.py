"""Congestion controls of TCP: how the window opens and closes."""

from __future__ import annotations

import math

from .._multihop import Context, Params, Tcp


class CongestionControl:
    """The congestion control of one TCP connection.

    The rest is TCP NewReno's: segments, the timer, fast retransmit and recovery. NewReno also has
    the part of every method that a class lacks. Windows are in segments; values that a method sets
    in `tcp` hold from then on.
    """

    # When to call `on_deadline`, in seconds since the start; looked at after every call.
    deadline_s = math.inf

    def __init__(self, params: Params) -> None:
        """Begin with the values of the scheme's parameters, as in `params["initial_window"]`."""
        self.params = params

    def on_ack(self, context: Context, tcp: Tcp) -> None:
        """Open the window: `tcp.acknowledged` new segments have arrived, and no recovery is on.

        `tcp.round_trip_s` is how long the last of them took; None if it was sent more than once.
        """
        slow_start = tcp.window < tcp.threshold
        tcp.window += 1 if slow_start else 1 / tcp.window

    def on_loss(self, context: Context, tcp: Tcp) -> None:
        """Learn that three duplicate acknowledgments have told of a loss.

        The window was `tcp.window_before`; NewReno has halved it and set the threshold to that.
        """

    def on_retransmission_timeout(self, context: Context, tcp: Tcp) -> None:
        """Learn that the retransmission timer has run out.

        The window was `tcp.window_before`; it is one segment now, and the threshold half of it.
        """

    def on_deadline(self, context: Context, tcp: Tcp) -> None:
        """Do what was to be done at `deadline_s`, and move it."""
        self.deadline_s = math.inf
