"""Why some claims differ, as far as tests have shown, and what each cause breaks.

A cause is a reading of what the paper leaves open. `multihop reproduce lecn --with KEY=VALUE`
judges it against all claims; the table is in docs/guides/reproduce-lecn.md. Numbers here are those
of its runs (with readings, `--quick`), and of `python -m multihop_papers.lecn.sensitivity` (8 hops,
five seeds).
"""

# ---- thinning ------------------------------------------------------------------------------------

THINNED_WINDOWS = (
    "The maximum is flat, and its place depends on what the paper leaves open. Here the two "
    "acknowledgments are for half a window each, rounded up, which favours odd windows. Rounded "
    "down (div_ceil(2) to / 2 in thinning.rs) they are even, 8 6 6 and 4 beside UDP, as all of the "
    "paper's; no claim of tables 1 and 2 and of figure 8 flips, and thinning gains 5 and 28 % "
    "instead of 8 and 32. No reading that was tried gives 12 8 6."
)
THINNED_GAIN = (
    "Without thinning the throughput is the paper's within 3 %; with it, 1460 B lack 10 %, which "
    "is what the gain lacks. No reading that was tried adds to it."
)
_GROWTH = (
    "The paper does not say how the window grows on an acknowledgment of half a window. Here it "
    "does as in ns-2, by a step for each acknowledgment, so slowly that thinning alone avoids most "
    "congestion. With a step for each acknowledged packet (scheme.count_segments) {then}. That "
    "repairs some claims and contradicts others: LECN then lets thinning's window grow in long "
    "chains (figure 7b), and improves thinning more than plain TCP, not less (figure 5b)."
)
THINNED_LEVELS = _GROWTH.format(then="levels 0 and 5 fall by 18 and 2, 2 and 3 rise by 15 and 8")
THINNED_AHEAD = _GROWTH.format(then="LECN is ahead at every length beyond 4, by 6 to 85 %")
THINNED_NEAR = _GROWTH.format(
    then="LECN has 0.92 (40 ms) and 0.96 (60 ms) of the maximum, thinning alone only 0.74"
)
THINNED_FIRST = _GROWTH.format(then="thinning with LECN is first at all lengths but 1")
THINNED_VEGAS = _GROWTH.format(then="Vegas is better than thinning alone over 10 and 16 hops")
LESS_DRAMATIC = (
    "The sum is less, but not by more than chance from seed to seed. With a step of the window for "
    "each acknowledged packet (scheme.count_segments) it is more: 49 points against 39."
)

# ---- congestion potential ------------------------------------------------------------------------

BEFORE_DROPS = (
    "It depends on what counts as before: over the last 50 to 1000 ms and while the packet is in "
    "the MAC the CP is higher before a drop, just before its end it is lower. Times without any "
    "packet, in which none is lost, are no control."
)
VIEWS = (
    "A node in the middle of the chain has 0.8 of the maximum over nine nodes, which do not have "
    "the same surroundings. Within 25 %, as stated numbers are judged, it would hold."
)
COINCIDENCE = (
    "Only the order holds: a staying time tells little of the CP. In means over 100, 250 and 500 "
    "ms, which is nearer to the figure's shaded areas, its correlation is 0.2 to 0.3, 0.2 to 0.6 "
    "and 0.0 to 0.6 from seed to seed, that of the retry count -0.1 to 0.5."
)
IDLE = (
    "Level 0 is when TCP waits for a timeout or AODV for a route. The paper does not say which "
    "ns-2 it ran: with the smallest timeout up to 2.27 (scheme.min_rto = 1000) it is 25.1 and 7.9 "
    "%, off by 26 %. That breaks none of the claims of figures 5 and 8 and of table 3."
)
FULL = (
    "Here every moment counts. If the potential is read just after each transmission, as in figure "
    "2, and held until the next one, level 5 has 6.1 and 3.4 %: nearer, and still too much."
)

# ---- lengths -------------------------------------------------------------------------------------

THRESHOLDS_FLAT = (
    "The maximum is flat: 40 ms is within 3 % of the best without thinning, 60 ms within 1 % with "
    "it; but 60 ms is 8 % below the best without, 40 ms 7 % with it."
)
NEAR = (
    "A mark on an acknowledgment of TCP has no effect here, as in ns-2; the paper does not say. If "
    "it counts as one on data does (scheme.heed_ack_marks), LECN reaches 0.91 (40 ms) and 0.88 (60 "
    "ms) of the maximum instead of 0.88 and 0.83. That repairs figure 5b's less dramatic change "
    "and the best threshold without thinning, and breaks figure 7a: with thinning, chains below 4 "
    "hops are not alike then."
)
FAR = "How much smaller the paper only draws, on a logarithmic axis; half is a bound set here."
VARIES = (
    "The best windows do vary, from 1 to 16 packets; but the maximum is so flat that one of 4 "
    "packets gives 0.92 of it or more at every length."
)

# ---- lattice -------------------------------------------------------------------------------------

LATTICE_LIKE = (
    "TCP with LECN is 1 to 3 % above Vegas and TCP without it 5 to 7 % below: nearer in the mean, "
    "but with ten seeds not with 95 % confidence. Each total is within 15 % of the paper's."
)
LATTICE_GAIN = (
    "The gain magnifies what is within 25 % in the totals: 284 kbit/s (the paper's 246) over 205 "
    "(189)."
)
