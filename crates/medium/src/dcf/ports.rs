//! What a station is told, and what it answers.

use core::marker::PhantomData;

use multihop_core::{Bytes, Duration, FrameClass, NodeId, Outcome, Rate, Time};

use super::aggregates::Aggregates;
use super::fates::Fates;
use super::frame::{Frame, PacketSlot, Profile};

/// What the host must do for a station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Hand the packet in this frame to the node.
    Receive {
        /// The frame.
        frame: Frame,
        /// Its power, on the scale of the profile's `Capture`.
        power: f64,
    },
    /// Deal with a packet that waits for others of its sender.
    Waiting(Waiting),
    /// The station has finished with its frame; it is free for the next.
    Done(Ended),
}

/// What the host must do with a packet that has come before others of its sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Waiting {
    /// Keep the packet in this frame.
    Hold {
        /// The frame.
        frame: Frame,
        /// Its power, on the scale of the profile's `Capture`.
        power: f64,
    },
    /// Hand a packet that was kept to the node.
    Release {
        /// Who has sent it.
        from: u32,
        /// Its number.
        number: u32,
    },
    /// Keep it no longer.
    Forget {
        /// Who has sent it.
        from: u32,
        /// Its number.
        number: u32,
    },
}

/// How the station's work on a frame has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// How often a frame was put on the air for it.
    pub attempts: u32,
    /// How often it had to try again.
    pub retries: u32,
    /// How long this radio transmitted for it.
    pub air_time: Duration,
    /// How many packets shared its last exchange.
    pub batch: u32,
    /// What was sent.
    pub job: Job,
}

/// A frame that the node gave to its station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The addressee's number, [`PAIR`](super::frame::PAIR) or [`BROADCAST`](super::frame::BROADCAST).
    pub to: u32,
    /// Who acknowledges it first and who second, if it is for two.
    pub pair: [u32; 2],
    /// What kind of frame its node calls it.
    pub class: FrameClass,
    /// The packet.
    pub packet: PacketSlot,
    /// Length of the packet.
    pub bytes: Bytes,
    /// Length of what goes before its frame besides the usual preamble.
    pub preamble: Bytes,
    /// At which rate to send it, or [`OWN_RATE`](super::frame::OWN_RATE).
    pub rate: Rate,
    /// The smallest contention window, or [`OWN_WINDOW`](super::frame::OWN_WINDOW).
    pub cw_min: u32,
    /// So many slots go before those that are drawn.
    pub first: u32,
    /// After how many attempts to give up, or [`OWN_LIMIT`](super::frame::OWN_LIMIT).
    pub attempts: u32,
    /// Whether the receiver acknowledges it.
    pub acknowledged: bool,
    /// Whether the node has marked it since: congestion experienced.
    pub marked: bool,
}

/// What a call gets: the time, the constants, and a place for actions.
pub struct Ports<'a, R> {
    /// Now.
    pub now: Time,
    /// The constants.
    pub profile: &'a Profile,
    /// Where actions go, each with the station that acts.
    pub actions: &'a mut Vec<(NodeId, Action)>,
    /// Whether the station puts its frame on the air now, after its actions ([`Station::sent`](super::Station::sent)).
    pub on_air: bool,
    /// Whether the station has won the medium, and goes on once others have joined its frame
    /// ([`Station::depart`](super::Station::depart)).
    pub wins: bool,
    /// What A-MPDUs carry, where stations send some.
    pub aggregates: Option<&'a mut Aggregates>,
    /// What becomes of frames, if somebody watches.
    pub fates: Option<&'a mut Fates>,
    /// Whose rules hold.
    pub rules: PhantomData<R>,
}

impl<'a, R> Ports<'a, R> {
    /// Nothing is on the air yet.
    pub const fn new(
        now: Time,
        profile: &'a Profile,
        actions: &'a mut Vec<(NodeId, Action)>,
    ) -> Self {
        let (on_air, wins) = (false, false);
        let (aggregates, fates, rules) = (None, None, PhantomData);
        Ports { now, profile, actions, on_air, wins, aggregates, fates, rules }
    }

    /// What becomes of frames is written down, if somebody watches.
    #[must_use]
    pub const fn watched_by(self, fates: Option<&'a mut Fates>) -> Self {
        Ports { fates, ..self }
    }

    /// What A-MPDUs carry is known, where stations send some.
    #[must_use]
    pub const fn carrying(self, aggregates: Option<&'a mut Aggregates>) -> Self {
        Ports { aggregates, ..self }
    }

    pub(super) fn act(&mut self, station: u32, action: Action) {
        self.actions.push((NodeId(station), action));
    }
}

/// Whether something has changed that [`Station::deadline`](super::Station::deadline) depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Deadline {
    /// It is what it was.
    Stands,
    /// It may be another.
    Moves,
}

impl Deadline {
    /// It is what it was only if it is after both.
    pub(super) fn or(self, other: Deadline) -> Deadline {
        if self == Deadline::Moves { self } else { other }
    }
}
