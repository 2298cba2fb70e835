//! What can be set.

use multihop_core::{Alternative, Choice, Count, Heeded, Number, Param, Switch, While};

use crate::parts::explicit::interval::Queue;
use crate::parts::explicit::parameters as xcp;
use crate::parts::tcp;

pub(super) const ALPHA: Number = Number {
    about: "α: which part of its share of the free bandwidth a station gives away in one interval \
            (equation 3; 3.6)",
    default: 0.20,
    ..xcp::ALPHA
};

pub(super) const BETA: Number = Number {
    about: "β: which part of the persistent queue a station takes away in one interval (equation 3; \
            3.6)",
    default: 0.11,
    ..xcp::BETA
};

pub(super) const ZETA: Count = Count {
    name: "zeta",
    about: "ζ: how much a station takes away in one interval for each retransmission that a packet \
            needs in the mean (equation 3; 3.6). The unit follows from the sum",
    unit: "bytes",
    default: 67,
    min: 0,
    max: 1_000_000,
};

const GAMMA: Number = Number {
    about: "γ: which part of the traffic changes hands at least in every interval. XCP has 0.1; this \
            paper says nothing of it",
    default: 0.0,
    ..xcp::GAMMA
};

/// What a station uses of the medium itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Its exchanges on the air.
    Air,
    /// All of the time for which its MAC has a packet.
    Service,
}

pub(super) const OWN_USE: Choice<Use> = Choice {
    name: "own_use",
    about: "What counts as time used by the station itself (3.2)",
    among: &[
        Alternative {
            name: "service",
            about: "all of the time for which its MAC has a packet, backoff too: that by which \
                    equation 2 divides",
        },
        Alternative { name: "air", about: "its exchanges, from their first frame on" },
    ],
    values: &[Use::Service, Use::Air],
};

/// What equation 1's bw is a mean of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandwidthMean {
    /// Of the means of all neighbours.
    Neighbours,
    /// Of all packets.
    Packets,
    /// Of all bytes: how many, over the time that they took.
    Bytes,
}

pub(super) const BANDWIDTH_MEAN: Choice<BandwidthMean> = Choice {
    name: "bandwidth_mean",
    about: "What the average link throughput bw is a mean of (3.2)",
    among: &[
        Alternative { name: "neighbours", about: "each neighbour's own mean over packets, alike" },
        Alternative { name: "packets", about: "packets, to whomever they went" },
        Alternative { name: "bytes", about: "bytes, to whomever: all, over the time of all" },
    ],
    values: &[BandwidthMean::Neighbours, BandwidthMean::Packets, BandwidthMean::Bytes],
};

pub(super) const BANDWIDTH_MEMORY: Number = Number {
    name: "bandwidth_memory",
    about: "The weight of earlier intervals in means of link throughput. None by default: equation 1 \
            is of one period, and stations have no parameters but α, β and ζ (3.6)",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 0.999,
};

/// Who is a neighbour that shares the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// Who has transmitted a packet that was decoded, for this station or not.
    Heard,
    /// Who has transmitted a packet for another station.
    Overheard,
    /// Where the packets come from that were decoded: sources of flows.
    Origins,
}

pub(super) const NEIGHBOURS: Choice<Neighbours> = Choice {
    name: "neighbours",
    about: "Whom n counts, by the packets of the last interval (3.3)",
    among: &[
        Alternative {
            name: "heard",
            about: "who has transmitted a packet that the radio decoded, as an ns-2 node's tap \
                    hears it",
        },
        Alternative { name: "overheard", about: "who has transmitted a packet to another station" },
        Alternative {
            name: "origins",
            about: "the sources of the flows of packets that it decoded",
        },
    ],
    values: &[Neighbours::Heard, Neighbours::Overheard, Neighbours::Origins],
};

pub(super) const QUEUE: Choice<Queue> = Choice {
    name: "queue",
    about: "Which packets Q_ifq counts (3.2, 3.3)",
    among: &[
        Alternative { name: "interface", about: "those that wait in the interface queue" },
        Alternative { name: "with_mac", about: "the one in the MAC, too" },
    ],
    values: &[Queue::Interface, Queue::WithMac],
};

pub(super) const TIME_FAIRNESS: Switch = Switch {
    name: "time_fairness",
    about: "Flows gain the same air time, and so window by the throughput of their next link \
            (equation 4); off, the same throughput, as in XCP",
    default: true,
};

pub(super) const LOSS_DISCOVERY: Switch = Switch {
    name: "loss_discovery",
    about: "A sender with a small window that misses acknowledgments puts more packets on their \
            way, to learn what is lost (3.4)",
    default: true,
};

pub(super) const DISCOVERY_WINDOW: Count = Count {
    name: "discovery_window",
    about: "W_min: a larger window needs no loss discovery, and so many packets are inserted at \
            most (3.4, 3.6)",
    unit: "packets",
    default: 7,
    min: 1,
    max: 1_000,
};

pub(super) const TOLERABLE_BURST: Count = Count {
    name: "tolerable_burst",
    about: "B_t: if the window lets so many packets out at once, they are paced (3.5, 3.6)",
    unit: "packets",
    default: 2,
    min: 1,
    max: 1_000_000,
};

/// All of them.
pub(super) const PARAMS: [Param; 35] = tcp::heeding(
    tcp::heeding(
        tcp::with(&[
            ALPHA.param(),
            BETA.param(),
            ZETA.param(),
            GAMMA.param(),
            xcp::RESIDUE.param(),
            OWN_USE.param(),
            BANDWIDTH_MEAN.param(),
            BANDWIDTH_MEMORY.param(),
            NEIGHBOURS.param(),
            QUEUE.param(),
            TIME_FAIRNESS.param(),
            LOSS_DISCOVERY.param(),
            DISCOVERY_WINDOW.param().only_while("loss_discovery", While::Switch(true)),
            TOLERABLE_BURST.param(),
            xcp::INITIAL_INTERVAL.param().at_most(xcp::LONGEST_INTERVAL.name),
            xcp::LEAST_INTERVAL.param().at_most(xcp::INITIAL_INTERVAL.name),
            xcp::LONGEST_INTERVAL.param(),
            xcp::FORGET_AFTER.param(),
            xcp::ACK_FEEDBACK.param(),
            xcp::DUPLICATE_FEEDBACK.param(),
            tcp::WINDOW_LIMIT.param(),
        ]),
        &["initial_threshold", "count_segments"],
        Heeded::Never("whose windows follow from feedback"),
    ),
    // its receiver is not told the window that thinning is by
    &["ack_thinning"],
    Heeded::While("delayed_ack", While::Switch(true)),
);
