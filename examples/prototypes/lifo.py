"""LIFO over 802.11: the newest packet goes first. A hop protocol of its own.

multihop --with lifo.py run chain.toml --set scheme.name=lifo
"""

from multihop import prototype


class Lifo(prototype.Fifo):
    """The usual queue, from the other end."""

    def poll_transmit(self, context):
        if not self.sending:
            self.waiting.rotate(1)  # the last is the first now
        return super().poll_transmit(context)


prototype.register(
    prototype.Scheme("lifo", hop=Lifo, title="LIFO over 802.11", color="#2ca02c", marker="<")
)
