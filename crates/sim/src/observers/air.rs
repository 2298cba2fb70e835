//! Custody on the air. A node may hand a packet on in a frame that nobody acknowledges, and let its copy go before
//! the radios around it have heard the end of the frame. Until then its copy is on the air.

use std::collections::VecDeque;

use multihop_core::{Duration, NodeId, Outcome, Packet, Tag, Time, TxDone};
use multihop_setup::{SPEED_OF_LIGHT, Setup};

/// So far, in m, a frame may reach from where all nodes are at the start: nodes move, and other simulators have
/// delays of their own.
const BEYOND: f64 = 300e3;

/// The packet that the MAC of a node has, or had last.
#[derive(Clone, Copy, Debug)]
struct Frame {
    tag: Tag,
    /// When the MAC finished with it; [`Time::NEVER`] while it has it.
    ended: Time,
    /// Its node has let its copy go while the MAC had it.
    is_owed: bool,
}

/// The copies that are on the air.
#[derive(Clone, Debug)]
pub struct Air {
    /// By then after its end, every radio has had a frame.
    delay: Duration,
    /// By node; none where frames go over wires, which have accounts of their own. Of several frames that a MAC has, the
    /// one that it had first.
    below: Vec<Frame>,
    /// The others.
    beside: Vec<(NodeId, Frame)>,
    /// Until when which packet has a copy on the air, nearly in this order.
    flying: VecDeque<(Time, Tag)>,
}

impl Air {
    /// Nothing is on the air between the nodes of `setup`.
    pub fn new(setup: &Setup) -> Self {
        let nodes = if setup.medium.radio().is_some() { setup.nodes.len() } else { 0 };
        let span = |axis: fn(&multihop_setup::Node) -> f64| {
            let all = || setup.nodes.iter().map(axis);
            all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
        };
        let farthest = span(|node| node.x).max(0.0) + span(|node| node.y).max(0.0) + BEYOND;
        let idle = Frame { tag: Tag::NONE, ended: Time::ZERO, is_owed: false };
        Air {
            delay: Duration::from_seconds(farthest / SPEED_OF_LIGHT),
            below: vec![idle; nodes],
            beside: Vec::new(),
            flying: VecDeque::new(),
        }
    }

    /// The MAC of `node` gets `packet`.
    #[inline]
    pub fn service_started(&mut self, node: NodeId, packet: &Packet) {
        let Some(frame) = self.below.get_mut(node.index()) else { return };
        let new = Frame { tag: packet.tag, ended: Time::NEVER, is_owed: false };
        if frame.ended == Time::NEVER {
            self.beside.push((node, new));
        } else {
            *frame = new;
        }
    }

    /// The frame of `node` about this packet: one that the MAC has, or else the last that it had.
    #[inline]
    fn frame(&mut self, node: NodeId, tag: Tag) -> Option<&mut Frame> {
        let first = self.below.get_mut(node.index())?;
        if self.beside.is_empty() || first.tag == tag && first.ended == Time::NEVER {
            return Some(first);
        }
        let beside = self.beside.iter_mut();
        let mut about = beside.filter(|(of, frame)| *of == node && frame.tag == tag);
        Some(about.next_back().map_or(first, |(_, frame)| frame))
    }

    /// Frames beside the first one of a node are forgotten when their time on the air is over.
    #[inline]
    fn forget(&mut self, now: Time) {
        if !self.beside.is_empty() {
            let delay = self.delay;
            self.beside
                .retain(|(_, frame)| frame.ended == Time::NEVER || frame.ended + delay >= now);
        }
    }

    /// It has finished with it.
    #[inline]
    pub fn service_ended(&mut self, node: NodeId, done: &TxDone, now: Time) {
        self.forget(now);
        let delay = self.delay;
        let Some(frame) = self.frame(node, done.packet.tag) else { return };
        frame.ended = now;
        let owed = core::mem::take(&mut frame.is_owed).then_some(frame.tag);
        if done.outcome != Outcome::Sent {
            // What follows is known to the receiver, or goes on.
            frame.tag = Tag::NONE;
        }
        self.flying.extend(owed.map(|tag| (now + delay, tag)));
    }

    /// `node` lets its copy of a packet go. Returns whether it stays on the air.
    #[inline]
    pub fn takes(&mut self, node: NodeId, tag: Tag, now: Time) -> bool {
        let delay = self.delay;
        let Some(frame) = self.frame(node, tag) else { return false };
        if frame.tag != tag || !tag.is_data() || frame.is_owed {
            return false;
        }
        if frame.ended == Time::NEVER {
            frame.is_owed = true;
            return true;
        }
        let until = frame.ended + delay;
        frame.tag = Tag::NONE;
        if until >= now {
            self.flying.push_back((until, tag));
        }
        until >= now
    }

    /// A copy that every radio has had before `now`, and since when.
    #[inline]
    pub fn landed(&mut self, now: Time) -> Option<(Time, Tag)> {
        self.flying
            .front()
            .is_some_and(|(until, _)| *until < now)
            .then(|| self.flying.pop_front())?
    }
}
