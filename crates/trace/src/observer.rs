//! What a host tells those who watch.

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::vocabulary;
use multihop_core::{
    AirTime, DropCause, Duration, Estimate, Event, FlowId, Gauge, Message, NodeId, Packet,
    RadioTotals, Reception, Tag, Time, Timer, Transmission, TxDone,
};

/// Somebody who watches a run: counts, measures, writes down. Watching changes nothing.
///
/// ```
/// use multihop_core::Time;
/// use multihop_trace::{Observation, Observer};
///
/// /// How many frames were put on the medium.
/// struct Frames(u64);
///
/// impl Observer for Frames {
///     fn observe(&mut self, _at: Time, what: &Observation) {
///         self.0 += u64::from(matches!(what, Observation::Transmission(_)));
///     }
/// }
/// ```
pub trait Observer {
    /// Whether it is to be told what costs its host something to find out.
    fn wants(&self, _costly: Costly) -> bool {
        false
    }

    /// Something happened, and is told at `at`; times never go back.
    fn observe(&mut self, at: Time, what: &Observation);
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn wants(&self, costly: Costly) -> bool {
        (**self).wants(costly)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        (**self).observe(at, what);
    }
}

/// An observer that its run shares with the caller, who may look at it between the steps of the run.
impl<O: Observer> Observer for Rc<RefCell<O>> {
    fn wants(&self, costly: Costly) -> bool {
        self.borrow().wants(costly)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        self.borrow_mut().observe(at, what);
    }
}

/// How often [`Observation::Air`] is told.
pub const AIR_INTERVAL: Duration = Duration::from_millis(100);

/// What is told only if somebody wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Costly {
    /// What becomes of every frame at radios that could decode it, and at the one that it is for:
    /// [`Observation::Receptions`].
    Receptions,
    /// With that, where frames are sensed and too weak to be decoded ([`Fate::Sensed`](multihop_core::Fate)): most
    /// radios that a frame reaches.
    Sensed,
    /// Who senses whom: [`Observation::Sensing`].
    Sensing,
    /// What radios do with their time: [`Observation::Air`].
    Air,
    /// When parts of nodes want to be woken: [`Observation::Timer`].
    Timers,
}

/// Something that happened in a run. What is borrowed is valid for the moment only.
#[derive(Clone, Copy, Debug)]
pub enum Observation<'a> {
    /// An application hands a message to the transport of its flow.
    Offer {
        /// Where.
        node: NodeId,
        /// Over which flow.
        flow: FlowId,
        /// What.
        message: &'a Message,
    },
    /// A node has taken responsibility for a copy of a packet.
    Acceptance {
        /// Which node.
        node: NodeId,
        /// Of which packet.
        tag: Tag,
    },
    /// A node's copy of a packet is gone, because the next hop has taken one.
    Release {
        /// Which node.
        node: NodeId,
        /// Of which packet.
        tag: Tag,
    },
    /// A copy of a packet has gone into a wire, where it is in nobody's hands.
    WireEntered(Tag),
    /// A copy of a packet has left a wire.
    WireLeft(Tag),
    /// The application at the destination got a packet.
    Delivery {
        /// Where.
        node: NodeId,
        /// Which.
        packet: &'a Packet,
    },
    /// A packet, or a copy of it, was given up.
    Drop {
        /// Where.
        node: NodeId,
        /// Which.
        packet: &'a Packet,
        /// Why.
        cause: DropCause,
    },
    /// A node began to transmit a frame.
    Transmission(Transmission<'a>),
    /// What became of frames that have ended, some time after that. None of a frame that a restart cut off.
    /// On the air they come in the order of the frames' numbers, and what follows is about later frames.
    Receptions(&'a [Reception]),
    /// A packet came to its node's MAC and began to contend for the medium.
    ServiceStart {
        /// Where.
        node: NodeId,
        /// Which.
        packet: &'a Packet,
    },
    /// The MAC has finished with a packet.
    ServiceEnd {
        /// Where.
        node: NodeId,
        /// With which, how it ended, and how long that took.
        done: &'a TxDone,
    },
    /// The state of a transport has changed, at the source of its flow.
    Gauge {
        /// Where.
        node: NodeId,
        /// Of which flow.
        flow: FlowId,
        /// The number of the traffic source.
        source: u32,
        /// What it shows.
        gauge: Gauge,
    },
    /// A station has estimated what it can have.
    Estimate {
        /// Which.
        node: NodeId,
        /// What it found.
        estimate: Estimate,
    },
    /// A protocol's own event.
    Protocol(ProtocolEvent),
    /// Routing takes the link to a neighbour for broken.
    LinkBroken {
        /// Where.
        node: NodeId,
        /// To whom.
        next: NodeId,
        /// Whether it is right.
        reach: Reach,
    },
    /// For every node, those that sense it: at the start, and while nodes move. None on wires.
    Sensing(&'a [Vec<NodeId>]),
    /// What every radio has done with its time since the start; told every [`AIR_INTERVAL`], at
    /// the start, and at the end. Nothing on wires.
    Air(&'a [AirTime]),
    /// How many nodes within sensing range, itself included, have a packet in their MAC; told
    /// after every start and end of a service, if it is measured.
    CongestionPotential {
        /// Around which node.
        node: NodeId,
        /// How many.
        value: usize,
    },
    /// A part of a node wants to be woken at another time than before.
    Timer {
        /// Where.
        node: NodeId,
        /// Which part.
        timer: Timer,
        /// When; [`Time::NEVER`]: not at all.
        due: Time,
    },
    /// A node restarts: it has forgotten everything, and what was inside it is given up next.
    Restart {
        /// Which.
        node: NodeId,
    },
    /// The warm-up is over: measures begin here, with what the radios have counted before. It is
    /// told at the start if there is no warm-up.
    MeasuringBegins(&'a [RadioTotals]),
    /// The run is over.
    End {
        /// What the radios have counted since the start.
        radios: &'a [RadioTotals],
        /// How often a node was woken.
        wakes: u64,
    },
}

/// What a protocol did at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolEvent {
    /// Where.
    pub node: NodeId,
    /// What, and to which flow.
    pub event: Event,
    /// To which packet.
    pub tag: Tag,
    /// The number of the traffic source, if it is at this node and the event is about its flow.
    pub source: Option<u32>,
    /// Why, if it is a retransmission.
    pub reason: Option<RetransmissionReason>,
}

vocabulary! {
    /// Why a packet was retransmitted, as only an observer who sees everything can tell (CXCC 4.1).
    RetransmissionReason {
        LostData = "lost_data": "the next hop does not have the packet",
        LostAcknowledgment = "lost_acknowledgment":
            "the next hop has already acknowledged it, implicitly or explicitly",
        EarlyTimeout = "early_timeout":
            "the next hop has it and has not yet been able to forward it",
    }
}

/// Whether a link that is taken for broken could be used if nothing disturbed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Its other end is in range: the medium was busy, and the route is as good as before.
    InRange,
    /// It is not.
    OutOfRange,
}

impl Reach {
    /// Its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Reach::InRange => "in_range",
            Reach::OutOfRange => "out_of_range",
        }
    }
}
