//! What a node can know of a control step.

use multihop_core::Duration;

/// Who knows a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Every node, of itself.
    Node,
    /// A node at which flows begin whose transport acknowledges.
    Sender,
    /// Nobody in a real network.
    Oracle,
}

impl Known {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Known::Node => "node",
            Known::Sender => "sender",
            Known::Oracle => "oracle",
        }
    }
}

/// A feature, as tools see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Who knows it.
    pub known: Known,
    /// What it is.
    pub about: &'static str,
    /// No value is larger.
    pub most: f64,
}

/// A feature that a node knows.
pub struct Feature {
    /// What it is.
    pub about: About,
    of: fn(&Seen) -> f64,
}

impl Feature {
    /// Its value at the node that has seen this.
    pub fn of(&self, seen: &Seen) -> f64 {
        (self.of)(seen)
    }
}

/// What a node has seen in a control step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How long the step was.
    pub length: Duration,
    /// How many packets it is responsible for, at the end.
    pub queue: u64,
    /// Frames decoded that were for this node, or for all.
    pub heard: u64,
    /// Frames decoded that were for others.
    pub overheard: u64,
    /// Packets that the next hop has acknowledged, or that were sent without asking for that.
    pub sent: u64,
    /// Packets that the MAC has given up.
    pub failed: u64,
    /// Attempts of the MAC for both.
    pub attempts: u64,
    /// Packets that arrived, and attempts for them, for the neighbour that the smallest share of attempts has reached.
    pub weakest: (u64, u64),
    /// How long the medium was not free for it.
    pub busy: Duration,
    /// How long it transmitted.
    pub sending: Duration,
    /// Packets of its flows that were acknowledged end to end.
    pub acknowledged: u64,
    /// The latest sample of the round-trip time of its flows, since the start.
    pub round_trip: Option<Duration>,
}

impl Seen {
    fn rate(&self, count: u64) -> f64 {
        if self.length == Duration::ZERO { 0.0 } else { count as f64 / self.length.seconds() }
    }

    fn share(&self, time: Duration) -> f64 {
        let length = self.length.nanos();
        if length == 0 { 0.0 } else { (time.nanos() as f64 / length as f64).min(1.0) }
    }

    fn mean_attempts(&self) -> f64 {
        let packets = self.sent + self.failed;
        if packets == 0 { 0.0 } else { self.attempts as f64 / packets as f64 }
    }
}

/// All features that a node can know, in the order in which their values are handed over.
pub static FEATURES: [Feature; 12] = [
    node("queue", "packets", "packets that the node is responsible for", |seen| seen.queue as f64),
    node("heard", "frames/s", "frames for this node, or for all, that it decoded", |seen| {
        seen.rate(seen.heard)
    }),
    node("overheard", "frames/s", "frames for others that it decoded", |seen| {
        seen.rate(seen.overheard)
    }),
    share("busy", "how much of the time the medium was not free for the node", |seen| {
        seen.share(seen.busy)
    }),
    share("sending", "how much of the time its radio sent", |seen| seen.share(seen.sending)),
    node("sent", "packets/s", "packets that its MAC has sent with success", |seen| {
        seen.rate(seen.sent)
    }),
    node("failed", "packets/s", "packets that its MAC has given up", |seen| seen.rate(seen.failed)),
    node("attempts", "", "mean attempts of its MAC for a packet; 0 without packets", |seen| {
        seen.mean_attempts()
    }),
    share(
        "delivery",
        "share of its MAC's attempts that reach the neighbour which they reach least; 0 without any",
        |seen| {
            let (sent, attempts) = seen.weakest;
            if attempts == 0 { 0.0 } else { sent as f64 / attempts as f64 }
        },
    ),
    node("length", "s", "how long the step was", |seen| seen.length.seconds()),
    sender(
        "acknowledged",
        "packets/s",
        "packets of its flows that were acknowledged end to end",
        |seen| seen.rate(seen.acknowledged),
    ),
    sender(
        "round_trip",
        "s",
        "the latest sample of the round-trip time of its flows; 0 before one",
        |seen| seen.round_trip.map_or(0.0, Duration::seconds),
    ),
];

const fn node(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    of: fn(&Seen) -> f64,
) -> Feature {
    let about = About { name, unit, known: Known::Node, about, most: f64::INFINITY };
    Feature { about, of }
}

const fn sender(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    of: fn(&Seen) -> f64,
) -> Feature {
    let about = About { name, unit, known: Known::Sender, about, most: f64::INFINITY };
    Feature { about, of }
}

const fn share(name: &'static str, about: &'static str, of: fn(&Seen) -> f64) -> Feature {
    let about = About { name, unit: "", known: Known::Node, about, most: 1.0 };
    Feature { about, of }
}
