//! CXCC 3.2, 4: what a node knows.

use std::collections::VecDeque;

use multihop_core::{Cx, Duration, FlowId, NodeId, OverhearTimer, Packet, Params, Rng, Tag, Time};

use super::below::{Attempt, Below};
use super::echoes::Echoes;
use super::header::{Header, Kind};
use super::memory::Memory;
use super::settings::{Clock, Settings};
use super::spacing::Spacing;
use crate::parts::probing::{Probe, Probing};

/// CXCC at one node.
pub struct Cxcc {
    pub(super) settings: Settings,
    /// The flows' queues, by flow (4.2). A node has few of them.
    pub(super) queues: Vec<Queue>,
    /// The last received packet of each flow (4.1).
    pub(super) memory: Memory,
    /// ACKs and NACKs that wait to be sent.
    pub(super) answers: VecDeque<Answer>,
    /// What frames name besides their own packet; nothing in the paper.
    pub(super) echoes: Echoes,
    /// How flows keep clear of their own packets; nothing in the paper.
    pub(super) spacing: Spacing,
    /// The one frame that waits below (6).
    pub(super) below: Option<Below>,
    /// The next sequence number of what starts here.
    pub(super) next_sequence: u64,
    /// Packets for which there was no space.
    pub(super) refused: u64,
    pub(super) probing: Probing,
    /// From when on a queue may transmit that waits for its neighbour's turn only.
    pub(super) opens: Time,
}

impl Cxcc {
    /// CXCC with these parameters.
    pub fn new(params: &Params) -> Self {
        Cxcc::with(super::settings(params), (Echoes::default(), Spacing::default()), params)
    }

    /// A variant.
    pub(super) fn with(
        settings: Settings,
        (echoes, spacing): (Echoes, Spacing),
        params: &Params,
    ) -> Self {
        Cxcc {
            settings,
            queues: Vec::new(),
            memory: Memory::new(),
            answers: VecDeque::new(),
            echoes,
            spacing,
            below: None,
            next_sequence: 0,
            refused: 0,
            probing: Probing::new(params),
            opens: Time::NEVER,
        }
    }

    /// The edges of the wait graph (3.3) that start here: the flows whose queue at this node is
    /// blocked, and the node with the queue that it waits for.
    pub fn waits(&self) -> impl Iterator<Item = (FlowId, NodeId)> + '_ {
        self.queues.iter().filter_map(|queue| match &queue.forwarded {
            Some(Forwarded { queued, standing: ForwardedState::Blocked(_), .. }) => {
                Some((queue.flow, queued.next))
            }
            _ => None,
        })
    }

    /// How many packets were refused because their queue was full. None, as long as every
    /// neighbour keeps the rules.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}

/// A packet in a queue.
#[derive(Debug)]
pub(super) struct Queued {
    pub(super) packet: Packet,
    /// What stands in the packet's header.
    pub(super) header: Header,
    pub(super) next: NodeId,
}

/// 4.2: "one that has already been forwarded but is not yet acknowledged, and therefore needs to
/// be cached in order to be retransmitted if necessary".
#[derive(Debug)]
pub(super) struct Forwarded {
    pub(super) queued: Queued,
    pub(super) standing: ForwardedState,
    /// How often it, or an RFA for it, was sent again.
    pub(super) repetitions: u32,
    /// Since when it was sent in vain.
    pub(super) since: Time,
}

/// Whether a queue is blocked by its forwarded packet (3.2).
#[derive(Debug)]
pub(super) enum ForwardedState {
    /// It waits for the next hop, until the timer permits a retransmission.
    Blocked(Timer),
    /// It may transmit this: the packet again, or an RFA.
    Repeat(Kind),
}

/// The queue of one flow: "space for at most two packets" (4.2).
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) flow: FlowId,
    pub(super) forwarded: Option<Forwarded>,
    /// 4.2: "the other one that has been received from the upstream node but must not be
    /// forwarded until an acknowledgment for the preceding packet arrives".
    pub(super) waiting: Option<Queued>,
}

impl Queue {
    /// How its transmission stands with the neighbour that it is for.
    pub(super) fn probe(&self) -> Option<Probe> {
        let forwarded = self.forwarded.as_ref();
        let queued = forwarded.map(|forwarded| &forwarded.queued).or(self.waiting.as_ref())?;
        Some(Probe { to: queued.next, since: forwarded.map(|forwarded| forwarded.since) })
    }

    /// What it would transmit now; nothing while it is blocked.
    pub(super) fn offer(&self) -> Option<(&Queued, Kind, Attempt)> {
        match &self.forwarded {
            None => self.waiting.as_ref().map(|queued| (queued, Kind::Data, Attempt::First)),
            Some(Forwarded { queued, standing: ForwardedState::Repeat(kind), .. }) => {
                Some((queued, *kind, Attempt::Repeated))
            }
            Some(Forwarded { standing: ForwardedState::Blocked(_), .. }) => None,
        }
    }
}

/// An ACK or a NACK that waits to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) flow: FlowId,
    pub(super) to: NodeId,
    pub(super) header: Header,
    pub(super) tag: Tag,
}

/// How often a timeout grows at most.
const MOST_GROWTHS: u32 = 10;

/// A timeout in its unit: the number in `TO = 3 T_P ± j` (4.3), after so many repetitions that multiply it by `growth` each.
pub(super) fn timeout(
    rng: &mut Rng,
    number: f64,
    jitter: f64,
    growth: f64,
    repetitions: u32,
) -> f64 {
    let jitter = rng.between(-jitter, jitter);
    let grown = (0..repetitions.min(MOST_GROWTHS)).fold(1.0, |product, _| product * growth);
    (number + jitter) * grown
}

/// The timeout of one transmission: `TO = 3 T_P ± j` (4.3), from the end of the transmission on.
#[derive(Debug)]
pub(super) struct Timer {
    /// When to look at it.
    pub(super) look_at: Time,
    /// `None` counts wall-clock time.
    overhearing: Option<OverhearTimer>,
}

impl Timer {
    /// After a packet, or an RFA for it, was sent again `repetitions` times; not before the pause `at_least` is over.
    pub(super) fn start(
        cx: &mut Cx,
        settings: &Settings,
        (packet, repetitions): (&Packet, u32),
        at_least: Duration,
    ) -> Self {
        let Settings { timeout: number, timeout_jitter: jitter, timeout_growth: growth, .. } =
            *settings;
        let factor = timeout(&mut cx.rng, number, jitter, growth, repetitions);
        let timeout = settings.packet_time(packet).scaled(factor).max(at_least);
        let overhearing = match settings.clock {
            Clock::Wall => None,
            // Deviation: only with `count_deaf_time = false`.
            Clock::Overhearing => Some(OverhearTimer::start(cx, timeout)),
        };
        Timer { look_at: cx.now + timeout, overhearing }
    }

    /// Whether it has run out. If this radio was deaf meanwhile, it is set to a later time.
    pub(super) fn has_run_out(&mut self, cx: &Cx) -> bool {
        if let Some(timer) = &self.overhearing {
            self.look_at = timer.look_at(cx);
        }
        self.look_at <= cx.now
    }
}
