"""Why some claims differ, as far as tests have shown, and what each named cause would break.

Ranges are those of `python -m multihop_papers.cxcc.sensitivity` (10 hops, 400 kbit/s a source,
means of four seeds, 60 s measured) and losses those of `python -m multihop_papers.cxcc.losses`.
What a reading breaks and repairs is `multihop reproduce cxcc --seeds 2 --with KEY=VALUE`; the whole
table is in docs/guides/reproduce-cxcc.md.
"""

QUEUE = (
    "The ratio is that of the queues: UDP's packets wait in interface queues of 50 packets, ns-2's "
    "default; the paper does not state their length. With 10 packets (scheme.queue_limit = 10) the "
    "ratio is 3.8 to 4.2 with two-ray ground and 4.7 to 7.1 under shadowing: all four claims hold, "
    "and no claim that holds with 50 breaks. That fits the paper, but it does not say so."
)

_HIDDEN = (
    "The cause is open. Known is what fails: 84 to 95 % of the data packets and acknowledgments "
    "that are lost meet a frame that a node three hops from the sender, which cannot sense it, "
    "began earlier, and ns-2's receiver stays with the first frame that it senses. In the chain "
    "lost data and lost acknowledgments keep queues waiting equally long, elsewhere lost data 1.8 "
    "to 6 times as long. "
)

_TAKEN_OVER = (
    "A receiver that takes over a stronger later frame (radio.reception = 'message-in-message') "
    "would repair 8b to 8d, and 8a only if intervals vary too; but stock ns-2 does not have it, "
    "and it breaks claims of figures 3, 4, 9, 11, 12 and 13 that hold: basic CXCC would reach "
    "0.91 of UDP's optimum, and CXCC+RFA's lead would not grow under shadowing. "
)

_OPEN = (
    "Nothing that the paper leaves open explains it: timeouts of 2 to 8 packet times, a jitter of "
    "0 to 1, a timer that stops while the radio is deaf, contention windows of 15 to 127, a MAC "
    "header of 34 B, no EIFS, and capture ratios of 1 and 4 give 81 to 126 kbit/s in the chain, "
    "101 to 124 and 111 to 134 in the bidirectional chain and the cross, 114 to 139 in the "
    "bidirectional cross. With the runs of --quick (docs/guides/readings.md) two rules of "
    "reception hold all four panels, and so does a medium without collisions: that one, and a "
    "receiver that stays with the first frame that it can decode. With either rule fewer claims "
    "hold in all."
)

GAP = _HIDDEN + _TAKEN_OVER + _OPEN

WAVE = (
    "Up to 180 kbit/s packets of a periodic source follow each other without ever meeting, with "
    "UDP as with CXCC. Beyond, backpressure sets the pace. With intervals that vary by half "
    "(traffic.interval_jitter = 0.5, ns-2's random_) UDP's optimum is 143 kbit/s, and CXCC+RFA "
    "delivers 0.80 of it at any higher load. The rest is what the other topologies show. " + GAP
)

RTS_AT_OVERLOAD = (
    "The throughput has collapsed in both cases; most of what RTS/CTS keeps more of it is kept "
    "from 250 kbit/s a source on: 43 kbit/s where there are 23 without at the highest load."
)
RTS_IMPACT = (
    "RTS/CTS lowers the optimum (122 instead of 146 kbit/s in the bidirectional chain, 138 instead "
    "of 157 in the bidirectional cross), and the collapse is less deep with it: 43 instead of 23 "
    "kbit/s, and 34 instead of 18, at the highest load."
)
NARROW = (
    "It collapses more slowly than in the bidirectional chain; 0.12 and 0.24 of the maxima are "
    "left at the highest load. With interface queues of 10 packets it is 0.66 and 0.75, and holds."
)

AMPLIFIED = (
    "UDP's own network delay rises more in the cross: beyond the optimal load 68 times that at "
    "low load against 45 in the chain, 172 against 117 with two ways, and 569 against 328 with "
    "two ways under shadowing. CXCC+RFA's rises more as well. With interface queues of 10 packets "
    "12b holds, 9a and 9b do not."
)
LARGELY = (
    "At high load UDP needs 1.24 (chain), 2.99 (two ways), 1.32 and 7.39 times (the same under "
    "shadowing) the bytes. The paper gives no number for 'largely'; 25 % below is ours, and at low "
    "load CXCC saves no more than link acknowledgments."
)
