"""Why some claims differ, as far as tests have shown.

The numbers are those of `python -m multihop.papers.cxcc.sensitivity`: 10 hops, 400 kbit/s a
source, means of four seeds, 60 s measured.
"""

QUEUE = (
    "The ratio is that of the queues: UDP's packets wait in interface queues of 50 packets, ns-2's "
    "default; the paper does not state their length. With 10 packets (scheme.queue_limit = 10) the "
    "ratio is 3.6 to 5.1 with two-ray ground and 4.6 to 7.6 under shadowing, with 15 packets 5.3 "
    "to 7.4 and 6.9 to 12.0."
)

_GAP = (
    "Not a matter of what the paper leaves open: timeouts of 2 to 8 packet times, a jitter of 0 to "
    "1, a timer that stops while the radio is deaf, contention windows of 15 to 127, a MAC header "
    "of 34 B, no EIFS, and capture ratios of 1 and 4 give {reach} kbit/s. It is ns-2's receiver, "
    "which stays with the first frame that it senses: with message-in-message capture "
    "(radio.reception = 'message-in-message') a stronger later frame takes over, and then CXCC+RFA "
    "delivers {taken} kbit/s under overload, and UDP at its best load {best}."
)

GAP = ""
GAP_BIDIRECTIONAL = _GAP.format(reach="101 to 124", taken="199", best="176")
GAP_CROSS = _GAP.format(reach="111 to 134", taken="200", best="219")
GAP_BIDIRECTIONAL_CROSS = _GAP.format(reach="114 to 139", taken="194", best="192")

WAVE = (
    "Up to 180 kbit/s a periodic source lets packets follow each other without ever meeting, with "
    "UDP as with CXCC. Beyond, backpressure sets the pace, and CXCC+RFA delivers 114 kbit/s at any "
    "load, UDP without RTS/CTS 134 to 137, with RTS/CTS 101 to 103. "
    + _GAP.format(reach="81 to 126", taken="198", best="250")
)
