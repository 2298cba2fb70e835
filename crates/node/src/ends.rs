//! The ends of flows at one node, and which of them have something to say.
//!
//! A node may have thousands of them, of which few change at a time: nobody looks at the others.

use std::collections::VecDeque;

use multihop_core::{
    Claim, Cx, Duration, End, FlowId, NodeId, Packet, Room, Schedule, Tag, Time, Transport,
};

/// An end at which nothing has arrived for so long owes nothing, whatever waits there: it is longer than any transport
/// waits before it tries again.
const IDLE: Duration = Duration::from_millis(120_000);

/// In so many bits, an end counts the packets without data that it sends.
const INCARNATION: u32 = 24;

/// Who has opened an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The host, which closes it.
    Opened,
    /// A packet that has arrived.
    Accepted,
}

/// One end of a flow at a node.
pub struct FlowEnd {
    flow: FlowId,
    /// Who has opened it.
    origin: Origin,
    /// When the last packet arrived at it.
    pub seen: Time,
    /// The flow of the packets that this end sends: the flow or its reverse.
    pub outgoing: FlowId,
    /// Called by [`Ends::call`] and [`Ends::poll_send`].
    pub transport: Box<dyn Transport>,
    /// Whether the application takes packets.
    pub ready: bool,
    /// Packets that wait for it, with the neighbour that each came from.
    pub held: VecDeque<(Packet, NodeId)>,
    /// How many packets without data it has sent.
    controls: u32,
}

impl FlowEnd {
    /// This `end` of `flow`, of which nothing has arrived yet.
    pub fn new(flow: FlowId, end: End, transport: Box<dyn Transport>, origin: Origin) -> Self {
        FlowEnd {
            flow,
            origin,
            seen: Time::ZERO,
            outgoing: match end {
                End::Source => flow,
                End::Destination => flow.reverse(),
            },
            transport,
            ready: true,
            held: VecDeque::new(),
            controls: 0,
        }
    }

    /// What it says for itself where a packet has opened it. It owes something while packets wait at it, for the
    /// application or for those that are missing, and while its transport has something to say later.
    fn claim(&self, now: Time) -> Claim {
        let waits = !self.held.is_empty() || self.transport.backlog() > 0;
        let owes = waits || self.transport.deadline() < Schedule::HORIZON;
        Claim { source: self.flow.source, used: self.seen, owes: owes && now < self.seen + IDLE }
    }

    /// The tag of its next packet without data, in this incarnation of its node.
    const fn number(&mut self, tag: Tag, incarnation: u16) -> Tag {
        let count = self.controls & ((1 << INCARNATION) - 1);
        self.controls += 1;
        // Numbers of one incarnation do not come again in the next.
        tag.numbered_control((incarnation as u32 & 0x7f) << INCARNATION | count)
    }
}

/// The ends of flows at a node, in the order in which they were opened.
pub struct Ends {
    all: Vec<FlowEnd>,
    /// How many of them packets have opened.
    accepted: usize,
    /// The number of every end, by its flow.
    numbers: Vec<(FlowId, usize)>,
    /// The deadlines of the transports.
    deadlines: Schedule,
    /// The first of them: every input asks for it, and few change it.
    deadline: Time,
    /// When to ask each transport for packets: at once if it was called, or if the hop protocol
    /// admitted none; else at its deadline.
    turns: Schedule,
    /// At once if the transport was called since [`Ends::poll_called`] has named it.
    called: Schedule,
}

/// Which end of `flow` the node `me` is.
pub fn end_at(flow: FlowId, me: NodeId) -> End {
    if flow.source == me { End::Source } else { End::Destination }
}

impl Ends {
    /// None.
    pub fn new() -> Self {
        let none = Schedule::new(0);
        Ends {
            all: Vec::new(),
            accepted: 0,
            numbers: Vec::new(),
            deadlines: none.clone(),
            deadline: Time::NEVER,
            turns: none.clone(),
            called: none,
        }
    }

    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.numbers.binary_search_by_key(&flow, |(flow, _)| *flow)
    }

    /// One more, of a flow that has none, which is to be asked for packets. Its number.
    pub fn add(&mut self, end: FlowEnd) -> usize {
        let number = self.all.len();
        let at = self.position(end.flow).unwrap_or_else(|at| at);
        self.numbers.insert(at, (end.flow, number));
        self.accepted += usize::from(end.origin == Origin::Accepted);
        self.all.push(end);
        for schedule in [&mut self.deadlines, &mut self.turns, &mut self.called] {
            schedule.push();
        }
        self.on_call(number);
        number
    }

    /// Take away the end of `flow`: those behind it move up.
    pub fn remove(&mut self, flow: FlowId) -> Option<FlowEnd> {
        let (_, number) = self.numbers.remove(self.position(flow).ok()?);
        for (_, behind) in &mut self.numbers {
            *behind -= usize::from(*behind > number);
        }
        for schedule in [&mut self.deadlines, &mut self.turns, &mut self.called] {
            schedule.remove(number);
        }
        self.deadline = self.deadlines.earliest();
        let end = self.all.remove(number);
        self.accepted -= usize::from(end.origin == Origin::Accepted);
        Some(end)
    }

    /// The host opens end number `at`, whoever has before.
    pub fn open(&mut self, at: usize) {
        let origin = core::mem::replace(&mut self.all[at].origin, Origin::Opened);
        self.accepted -= usize::from(origin == Origin::Accepted);
    }

    fn all_accepted(&self) -> impl Iterator<Item = &FlowEnd> + Clone {
        self.all.iter().filter(|end| end.origin == Origin::Accepted)
    }

    /// How many have been opened by packets.
    pub const fn accepted(&self) -> usize {
        self.accepted
    }

    /// Whether there is room for another one that a packet of `source` opens, if so many may be there.
    pub fn room(&self, bound: usize, source: NodeId, now: Time) -> Room {
        let claims = self.all_accepted().map(|end| end.claim(now));
        multihop_core::room(bound, self.accepted(), source, claims)
    }

    /// The flow of the end with this number among those that packets have opened.
    pub fn nth_accepted(&self, number: usize) -> Option<FlowId> {
        self.all_accepted().nth(number).map(|end| end.flow)
    }

    /// The end of `flow`.
    pub fn of_flow(&self, flow: FlowId) -> Option<usize> {
        self.position(flow).ok().map(|at| self.numbers[at].1)
    }

    /// The end of `flow`, or of its reverse.
    pub fn of_packet(&self, flow: FlowId) -> Option<usize> {
        self.of_flow(flow).or_else(|| self.of_flow(flow.reverse()))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// End number `at`.
    pub fn end(&self, at: usize) -> &FlowEnd {
        &self.all[at]
    }

    /// End number `at`, for what its application does.
    pub fn end_mut(&mut self, at: usize) -> &mut FlowEnd {
        &mut self.all[at]
    }

    /// Call the transport of end number `at`, which may change what it wants.
    pub fn call(&mut self, at: usize, call: impl FnOnce(&mut dyn Transport)) {
        call(&mut *self.all[at].transport);
        self.on_call(at);
    }

    fn set_deadline(&mut self, at: usize, deadline: Time) {
        self.deadlines.set(at, deadline);
        self.deadline = self.deadlines.earliest();
    }

    fn on_call(&mut self, at: usize) {
        self.set_deadline(at, self.all[at].transport.deadline());
        self.turns.set(at, Time::ZERO);
        self.called.set(at, Time::ZERO);
    }

    /// Whether any end may have packets to send.
    #[inline]
    pub fn any_turn(&self, now: Time) -> bool {
        self.turns.earliest() <= now
    }

    /// The first end from number `from` on that may have packets to send.
    pub fn next_turn(&self, from: usize, now: Time) -> Option<usize> {
        self.turns.due(from, now)
    }

    /// Ask the transport of end number `at` for a packet. If it has none, its turn is over.
    pub fn poll_send(&mut self, at: usize, cx: &mut Cx) -> Option<Packet> {
        let transport = &mut self.all[at].transport;
        let mut packet = transport.poll_send(cx);
        let deadline = transport.deadline();
        self.set_deadline(at, deadline);
        if let Some(packet) = &mut packet {
            self.called.set(at, Time::ZERO);
            if !packet.tag.is_data() {
                packet.tag = self.all[at].number(packet.tag, cx.incarnation);
            }
        } else {
            self.turns.set(at, deadline);
        }
        packet
    }

    /// The first end from number `from` on whose deadline has come.
    pub fn next_due(&self, from: usize, now: Time) -> Option<usize> {
        self.deadlines.due(from, now)
    }

    /// The earliest deadline.
    pub fn deadline(&self) -> Time {
        if self.deadline < Schedule::HORIZON { self.deadline } else { Time::NEVER }
    }

    /// A flow whose transport was called, each once.
    pub fn poll_called(&mut self) -> Option<FlowId> {
        let at = self.called.due(0, Time::ZERO)?;
        self.called.set(at, Time::NEVER);
        Some(self.all[at].flow)
    }

    /// How many packets are inside the ends.
    pub fn backlog(&self) -> usize {
        self.all.iter().map(|end| end.transport.backlog() + end.held.len()).sum()
    }
}
