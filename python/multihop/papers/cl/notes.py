"""Why claims of CL differ, as far as it was tested; `sensitivity.py` tests it again."""

from __future__ import annotations

FALL = (
    "The paper's fall needs a chain that still carries 24 packets/s just before it. DSR here "
    "falls from 20 packets/s, as in ns-2 2.35 (20 to 21), so from a lower top to the same bottom."
)
CLIFF_LIES = (
    "Over DSR everything is delivered up to 20 packets/s, with cold ARP up to 19 in some runs; "
    "ns-2 2.35 has 20 to 21. With fixed routes and known addresses all of 24 packets/s is "
    "delivered and 16 % less of 25, with cold ARP up to 22; over AODV up to 22. So the paper's "
    "place of the cliff is that of fixed routes and warm ARP, its depth (1405 packets) that of "
    "DSR: no reading that was tried has both."
)
STEADY = (
    "The level is the paper's at the highest rate (20 kbit/s); from 120 to 150 packets/s it still"
    " falls, from 24 kbit/s."
)
BY_MAC = (
    "What the MAC gives up goes back to DSR here, which salvages it or lets it wait for a route; "
    "it is lost there, when a buffer is full, or not at all. A trace of ns-2 calls each a drop of"
    " the MAC. That nearly all is lost in queues and in DSR's send buffer is as the paper says."
)
TCP_SENDS_AGAIN = (
    "What TCP has sent again counts as sent twice; DSR loses its route on false link failures, "
    "and TCP's timer runs out 38 times in a run of 105 s. ns-2 2.35 sends 723 and delivers 717."
)
TCP_DROPS = (
    "No packet of TCP is lost for good in 105 s: each that was given up somewhere was sent again."
    " The columns count packets, not copies, so this cannot be judged from them."
)
SHORTER = (
    "The rates that carry most over DSR fall from 23 packets/s over 4 hops to 16 over 9: every "
    "false link failure starts a search, and longer chains have more of them. With fixed routes "
    "CL has nearly the same throughput from 5 to 10 nodes."
)
