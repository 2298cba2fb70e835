"""TCP whose window opens by a fraction of a segment in each round trip. A congestion control.

After Nahm, Helmy, Kuo: TCP over Multihop 802.11 Networks: Issues and Performance Enhancement.
MobiHoc 2005 (fractional window increment).

multihop --with few.py run chain.toml --set scheme.name=few --set scheme.alpha=0.02
"""

from multihop import prototype


class FractionalWindow(prototype.CongestionControl):
    """Congestion avoidance, slower; losses are NewReno's."""

    def on_ack(self, context, tcp):
        if tcp.window < tcp.threshold:
            tcp.window += 1
        else:
            tcp.window += self.params["alpha"] / tcp.window


prototype.register(
    prototype.Scheme(
        "few",
        control=FractionalWindow,
        params=[
            prototype.Param("alpha", 0.1, "segments more in a round trip", least=0.001, most=1)
        ],
        title="TCP with a fractional window increment",
        color="#8c564b",
        marker="h",
    )
)
