"""Why some claims differ, as far as tests have shown, and what each cause breaks.

A cause is a reading of what the paper leaves open. It is judged against all of LECN's claims by
`multihop reproduce lecn --quick --with KEY=VALUE`; docs/guides/reproduce-lecn.md has the table.
Numbers of single runs are from `python -m multihop.papers.lecn.sensitivity` (8 hops, five seeds).
"""

# ---- thinning ------------------------------------------------------------------------------------

THINNED_WINDOWS = (
    "The maximum is flat, and its place depends on what the paper leaves open: here the two "
    "acknowledgments are for half a window each, rounded up, which favours odd windows. Rounded "
    "down (div_ceil(2) to / 2 in tcp/sink.rs) the best windows are even, as all of the paper's. No "
    "reading that was tried gives 12 8 6."
)
THINNED_GAIN = (
    "Without thinning the throughput is the paper's within 3 %; with it, 1460 B lack 10 %, which "
    "is what the gain lacks. " + THINNED_WINDOWS
)
_GROWTH = (
    "The paper does not say how the window grows on an acknowledgment of half a window. Here it "
    "does as in ns-2, by a step for each acknowledgment, so slowly that thinning alone avoids most "
    "congestion. With a step for each acknowledged packet (scheme.count_segments) {then}. It is no "
    "cause of all: then LECN no longer keeps the window of thinning smaller at every length "
    "(figure 7b)."
)
THINNED_LEVELS = _GROWTH.format(then="LECN changes the levels as the paper says")
THINNED_AHEAD = _GROWTH.format(then="LECN is ahead at every length beyond 4")
THINNED_NEAR = _GROWTH.format(
    then="LECN adds to thinning what the optimum needs, at 0.93 and 0.95 of it"
)
THINNED_FIRST = _GROWTH.format(
    then="thinning with LECN is first at all lengths but 1 and 2, where hardly any packet is marked"
)
THINNED_VEGAS = _GROWTH.format(
    then="Vegas is better than thinning alone at the longer half of the lengths"
)

# ---- congestion potential ------------------------------------------------------------------------

BEFORE_DROPS = (
    "Which way it goes depends on what counts as before. The CP falls in the last moments of a "
    "packet that is lost, when nobody answers its RTS; averaged while the packet is in the MAC it "
    "is higher than in the stays of the controls, by 0.3, and over the last 200 ms by 0.5, in "
    "which, however, the packet that is lost is itself one that is counted. Against the mean over "
    "all times, idle ones too, it would be higher by 0.9; but when nothing is sent nothing is lost."
)
VIEWS = (
    "The maximum is over nine nodes whose surroundings differ: a node in the middle of the chain "
    "has 0.8 of it. Within 25 %, the rule for numbers, it would hold."
)
COINCIDENCE = (
    "The order holds, and no more: what the staying time knows of the CP is little. In means over "
    "100, 250 and 500 ms, nearer to the shaded areas of the figure, the correlation is 0.2 to 0.3, "
    "0.2 to 0.6 and 0.0 to 0.6, from seed to seed; that of the retry count is lower in each."
)
IDLE = (
    "Level 0 is when TCP waits for a timeout or AODV for a route. It is the paper's within 25 % "
    "with LECN, and a third too rare without; none of the readings that were tried (smallest "
    "timeout, expanding ring, local repair, MAC header) moves it by more than 4 points."
)
FULL = (
    "It depends on how the time is counted. Here every moment counts, and the numbers of levels 2 "
    "and 3 agree. The paper reads the potential just after each transmission (figure 2), when it "
    "has just fallen."
)

# ---- lengths -------------------------------------------------------------------------------------

THRESHOLDS_FLAT = (
    "The maximum is flat: 40 ms is within 1 % of the best without thinning, 60 ms with it; without "
    "thinning 60 ms is 7 to 10 % below."
)
NEAR = (
    "A mark on an acknowledgment of TCP has no effect here, as in ns-2; the paper does not say. If "
    "it counts as that of data does (scheme.heed_ack_marks), {heed}."
)
FAR = (
    "How much smaller the paper only draws, on a logarithmic axis; half is a bound set here."
)

# ---- lattice -------------------------------------------------------------------------------------

LATTICE_LIKE = (
    "At 1460 B, TCP with LECN is above Vegas; the paper's numbers are 301 and 296. Each is within "
    "17 % of it."
)
LATTICE_GAIN = "The gain magnifies what is within 25 % in the totals."
