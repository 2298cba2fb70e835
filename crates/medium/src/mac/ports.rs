//! What a station is told, and what it answers.

use multihop_core::{Bytes, Duration, LossCause, NodeId, Outcome, Time};

use super::frame::{Frame, PacketSlot, Profile};

/// What the host must do for a station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Hand the packet in this frame to the node.
    Receive(Frame),
    /// The station has finished with its frame; it is free for the next.
    Done {
        /// How it ended.
        outcome: Outcome,
        /// How often a frame was put on the air for it.
        attempts: u32,
        /// How often it had to try again.
        retries: u32,
        /// How long this radio transmitted for it.
        air_time: Duration,
        /// What was sent.
        job: Job,
    },
    /// A frame was decoded (told only when tracing).
    Heard(Frame),
    /// A frame that this radio sensed is lost (told only when tracing).
    Lost(Frame, LossCause),
}

/// A frame that the node gave to its station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The addressee's number, or [`BROADCAST`](super::frame::BROADCAST).
    pub to: u32,
    /// The packet.
    pub packet: PacketSlot,
    /// Length of the packet.
    pub bytes: Bytes,
    /// Whether the receiver must acknowledge it.
    pub acknowledged: bool,
    /// Whether the node has marked it since: congestion experienced.
    pub marked: bool,
}

/// What a call gets: the time, the constants, and a place for actions.
pub struct Ports<'a> {
    /// Now.
    pub now: Time,
    /// The constants.
    pub profile: &'a Profile,
    /// Where actions go, each with the station that acts.
    pub actions: &'a mut Vec<(NodeId, Action)>,
    /// What the station puts on the air now, after its actions.
    pub on_air: Option<Frame>,
}

impl<'a> Ports<'a> {
    /// Nothing is on the air yet.
    pub const fn new(
        now: Time,
        profile: &'a Profile,
        actions: &'a mut Vec<(NodeId, Action)>,
    ) -> Self {
        Ports { now, profile, actions, on_air: None }
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
