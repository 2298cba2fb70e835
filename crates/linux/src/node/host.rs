//! A node between applications and a radio: what the simulator's loop does for its nodes. No file, no
//! socket and no clock: who calls says what time it is, and carries out the orders.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

use multihop_compose::record::{Line, Recorder};
use multihop_core::{
    AirTime, CarriedBy, DropCause, Duration, FlowId, FrameClass, Heard, Message, NodeId, Outcome,
    Packet, Payload, Rate, Receiver, Rx, Tag, Time, TxDone, TxRequest,
};
use multihop_node::{Input, Node, Output, Wish};

use crate::bucket::Bucket;
use crate::ether::message::{Done, Reception};
use crate::icmp::{self, Reason};
use crate::ip::{self, IpPacket};
use crate::log::{self, Level};
use crate::seal::{Refused, Seal};

use super::announcement;
use super::counters::Counters;
use super::flows::{Ended, Flows, Limits, Sent, Taken};
use super::membership::Membership;
use super::network::Network;
use super::peers::Peers;

mod announcing;
mod joining;

/// So long a node waits for its radio to say how it has spent its time; then what it knows has to do.
const AIR_PATIENCE: Duration = Duration::from_millis(20);

/// What the host's owner has to do, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Hand this to the radio.
    Send(TxRequest, FrameClass),
    /// Take it back, unless it is on the air.
    Withdraw,
    /// Mark it.
    Mark,
    /// Ask the radio how it has spent its time.
    AskAir,
    /// Hand this IP packet to the applications.
    Deliver(Arc<[u8]>),
    /// Hand this frame to the radio, for everyone, and do not seal it.
    Broadcast(Vec<u8>),
    /// Seal with the keys that [`Membership::keys`] has now.
    Keys,
    /// Keep the roster that [`Membership::known`] has now; it is complete.
    Keep,
}

/// How the radio stands.
#[derive(Clone, Debug, PartialEq)]
enum Radio {
    /// There is none.
    Off,
    /// It has nothing to send.
    Free,
    /// It has this.
    Busy(TxRequest),
    /// It has a frame that is none of the protocols.
    Aside,
}

/// Where a recording goes.
pub type Log = Box<dyn Write>;

/// A node, its flows and its radio.
pub struct Host {
    node: Node,
    network: Network,
    flows: Flows,
    /// The largest IP packet that goes on from here.
    mtu: u16,
    radio: Radio,
    /// Until when the radio may say how it has spent its time, if it was asked.
    air_until: Time,
    orders: VecDeque<Order>,
    recorder: Option<Recorder<Log>>,
    /// What was counted.
    pub counters: Counters,
    /// What is known of the other nodes.
    peers: Peers,
    courtesy: Bucket,
    /// How many packets to groups may still be carried.
    groups: Bucket,
    /// What is still to be told to senders at other nodes; as many as are told at a time, at most.
    answers: VecDeque<Vec<u8>>,
    /// What it does about rosters, if its key comes with them.
    membership: Option<Membership>,
}

impl Host {
    /// `node` of `network`, which has no radio yet.
    pub fn new(node: Node, network: Network, flows: Flows) -> Self {
        let peers = Peers::new(network.others());
        let groups = flows.limits().bucket();
        Host {
            node,
            network,
            flows,
            mtu: u16::MAX,
            radio: Radio::Off,
            air_until: Time::NEVER,
            orders: VecDeque::new(),
            recorder: None,
            counters: Counters::default(),
            peers,
            courtesy: icmp::courtesy(),
            groups,
            answers: VecDeque::new(),
            membership: None,
        }
    }

    /// The same, which tells senders of larger IP packets than this that they go no further.
    #[must_use]
    pub fn with_mtu(self, mtu: u16) -> Self {
        Host { mtu, ..self }
    }

    /// Record from now on what the node is told and answers.
    pub fn record(&mut self, log: Log) {
        self.recorder = Some(Recorder::new(log));
    }

    /// Write what is recorded so far to its file.
    pub fn finish_recording(&mut self) {
        if let Some(recorder) = self.recorder.take()
            && recorder.finish().is_err()
        {
            self.counters.not_recorded += 1;
        }
    }

    /// What is to be done next.
    pub fn poll_order(&mut self) -> Option<Order> {
        self.orders.pop_front()
    }

    /// When to call [`Host::on_time`].
    pub fn deadline(&self) -> Time {
        let node =
            if self.air_until == Time::NEVER { self.node.deadline() } else { self.air_until };
        let others = self.announcing_deadline().min(self.joining_deadline());
        node.min(self.flows.deadline()).min(others)
    }

    /// Whether the node wants frames that are addressed to others.
    pub fn promiscuous(&self) -> bool {
        self.node.promiscuous()
    }

    /// Whether it wants to know how its radio spends its time.
    pub fn watches_air(&self) -> bool {
        self.node.watches_air()
    }

    /// The flows that start here.
    pub const fn flows(&self) -> &Flows {
        &self.flows
    }

    /// Other bounds of flows hold from now on.
    pub const fn set_limits(&mut self, limits: Limits) {
        self.flows.set_limits(limits);
        self.groups = limits.bucket();
    }

    /// What is known of the other nodes.
    pub const fn peers(&self) -> &Peers {
        &self.peers
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// Whether `node` is another one of this network.
    pub fn knows(&self, node: NodeId) -> bool {
        self.network.all.contains(&node) && node != self.network.me
    }

    /// How many UDP packets from one port to another at `node` wait for the scheme, with all others of their flow.
    pub fn waiting(&self, node: NodeId, ports: (u16, u16)) -> usize {
        self.flows.waiting_in(node, (ip::UDP, ports.0, ports.1))
    }

    /// Packets inside the node, and entries that packets of others have made in it.
    pub fn load(&self) -> (usize, usize) {
        (self.node.backlog(), self.node.footprint())
    }

    /// Whether there is a radio.
    pub fn has_radio(&self) -> bool {
        self.radio != Radio::Off
    }

    /// An application sends an IP packet.
    pub fn on_ip(&mut self, now: Time, bytes: &[u8]) {
        let packet = IpPacket::of(bytes);
        let Some(packet) = packet.filter(|packet| self.network.carries(packet.destination)) else {
            self.counters.not_ip += 1;
            return;
        };
        if packet.is_of_link(bytes) {
            self.counters.of_link += 1;
            return;
        }
        let to_group = self.network.is_group(packet.destination);
        let way = self.network.way_to(packet.destination);
        if way.is_none() && !to_group {
            self.counters.no_such_node += 1;
            return self.answer(now, Reason::Unreachable, bytes);
        }
        // Nobody there would take it; and only nodes announce networks.
        if !self.network.is_of(self.network.me, packet.source)
            || packet.protocol == announcement::PROTOCOL
        {
            self.counters.forged += 1;
            return;
        }
        if to_group && !self.groups.take(now) {
            self.counters.too_many_for_groups += 1;
            return;
        }
        self.counters.sent(bytes.len());
        if to_group {
            let others: Vec<_> = self.network.others().collect();
            for node in others {
                self.peers.on_sent(now, node);
                self.push(now, node, &packet, bytes);
            }
        } else if let Some(destination) = way {
            self.peers.on_sent(now, destination);
            self.push(now, destination, &packet, bytes);
        }
        self.settle(now);
    }

    /// A packet waits for its flow to `destination`.
    fn push(&mut self, now: Time, destination: NodeId, packet: &IpPacket, bytes: &[u8]) {
        let sent = Sent { destination, packet, bytes };
        match self.flows.push(now, sent, |flow| self.node.holds(flow)) {
            Taken::Queued => {}
            Taken::QueueFull => self.counters.queue_full += 1,
            Taken::TooMany => self.counters.too_many_flows += 1,
            Taken::Begins(flow, ended) => {
                if let Some(ended) = ended {
                    self.close(now, ended);
                }
                self.handle(now, Input::Open { flow, carried_by: CarriedBy::Scheme });
            }
        }
    }

    /// The radio is on and has nothing to send.
    pub fn on_radio(&mut self, now: Time) {
        self.give_back(now);
        self.radio = Radio::Free;
        self.network.announcer.restart(now);
        if let Some(membership) = &mut self.membership {
            membership.on_radio(now);
        }
        self.settle(now);
    }

    /// The radio is gone. What it had, the node gets back.
    pub fn on_radio_lost(&mut self, now: Time) {
        self.counters.radio_lost += 1;
        self.give_back(now);
        self.settle(now);
    }

    fn give_back(&mut self, now: Time) {
        self.answer_air(now);
        if let Radio::Busy(request) = std::mem::replace(&mut self.radio, Radio::Off) {
            let done = TxDone { attempts: 0, ..request.done(Outcome::Withdrawn, Rate(0)) };
            self.handle(now, Input::TxDone(done));
        }
    }

    /// The radio has finished with its frame.
    pub fn on_done(&mut self, now: Time, done: &Done) {
        let request = match std::mem::replace(&mut self.radio, Radio::Free) {
            Radio::Busy(request) => request,
            Radio::Aside => return self.on_said(now, done.air_time),
            Radio::Off | Radio::Free => return,
        };
        self.counters.attempts += u64::from(done.attempts);
        self.counters.frames_failed += u64::from(done.outcome == Outcome::Failed);
        if let Receiver::Node(next) = request.to {
            self.peers.on_done(now, next, done.outcome);
        }
        let mut packet = request.packet;
        packet.congestion_experienced |= done.marked;
        let done = TxDone {
            id: request.id,
            to: request.to,
            outcome: done.outcome,
            service: done.service,
            attempts: done.attempts,
            retries: done.retries,
            rate: done.rate,
            air_time: done.air_time,
            batch: done.batch,
            packet,
        };
        self.handle(now, Input::TxDone(done));
        self.settle(now);
    }

    /// The radio has decoded a frame, sealed if there is a `seal` and it is not about rosters. Whoever has the key can say that he
    /// is anybody: only the frames of this network's nodes are opened, of each of which something is remembered.
    pub fn on_frame(&mut self, now: Time, heard: &Reception, seal: Option<&mut Seal>) {
        let Some(seal) = seal else { return self.on_heard(now, heard) };
        if self.is_about_rosters(&heard.frame) {
            return self.on_clear(now, &heard.frame);
        }
        let opened =
            if self.knows(heard.from) { seal.open(heard) } else { Err(Refused::NotAuthentic) };
        match opened {
            Ok(opened) => {
                self.counters.of_other_key = seal.of_other();
                self.on_opened(now, seal.opened_by());
                self.on_heard(now, &opened);
            }
            Err(Refused::NotAuthentic) => self.counters.not_authentic += 1,
            Err(Refused::Replayed) => self.counters.replayed += 1,
        }
    }

    /// The radio has decoded a frame, and no seal is on it.
    pub fn on_heard(&mut self, now: Time, heard: &Reception) {
        self.counters.frames_heard += 1;
        let Ok(mut packet) = Packet::parse(&heard.frame) else {
            self.counters.malformed += 1;
            return;
        };
        packet.congestion_experienced |= heard.marked;
        let Reception { from, heard, rate, signal, air_time, .. } = *heard;
        self.peers.on_heard(now, from);
        let ended = self.ends_here(&packet).filter(|_| heard == Heard::ForMe);
        let quoted = ended.map(|reason| (reason, packet.payload.clone()));
        self.handle(now, Input::Heard(Rx { from, heard, rate, signal, air_time, packet }));
        if let Some((reason, Payload::Real(bytes))) = quoted {
            self.answer(now, reason, &bytes);
        }
        self.settle(now);
    }

    /// The radio says how it has spent its time.
    pub fn on_air(&mut self, now: Time, air: AirTime) {
        self.handle(now, Input::Air(air));
        self.answer_air(now);
        self.settle(now);
    }

    /// Time has passed.
    pub fn on_time(&mut self, now: Time) {
        self.announce(now);
        self.change_keys(now);
        while let Some(ended) = self.flows.end_idle(now, |flow| self.node.holds(flow)) {
            self.close(now, ended);
        }
        if self.node.deadline() <= now {
            if self.node.watches_air() && self.has_radio() && self.air_until == Time::NEVER {
                self.air_until = now + AIR_PATIENCE;
                self.orders.push_back(Order::AskAir);
            } else if self.air_until <= now || self.air_until == Time::NEVER {
                self.air_until = Time::NEVER;
                self.handle(now, Input::Deadline);
            }
        }
        self.settle(now);
    }

    /// A flow is over, with what still waits in it.
    fn close(&mut self, now: Time, (flow, waiting): Ended) {
        for _ in 0..waiting {
            self.drop(now, flow, DropCause::FlowClosed);
        }
        self.handle(now, Input::Close { flow });
    }

    /// The node's deadline has waited for what the radio says.
    fn answer_air(&mut self, now: Time) {
        if self.air_until != Time::NEVER {
            self.air_until = Time::NEVER;
            if self.node.deadline() <= now {
                self.handle(now, Input::Deadline);
            }
        }
    }

    /// Give the node what it wants, and its frame to the radio.
    fn settle(&mut self, now: Time) {
        for flow in self.flows.waiting() {
            self.feed(now, flow);
        }
        self.serve(now);
        while let Some(answer) = self.answers.pop_front() {
            self.on_ip(now, &answer);
        }
    }

    /// While the transport of `flow` wants packets, it gets those that wait.
    fn feed(&mut self, now: Time, flow: FlowId) {
        while self.node.wish(flow) == Wish::Message
            && let Some(bytes) = self.flows.pop(now, flow)
        {
            let message = Message { payload: Payload::Real(bytes), tag: Tag::default() };
            self.handle(now, Input::Message { flow, message });
        }
    }

    fn serve(&mut self, now: Time) {
        if self.radio != Radio::Free || self.says_aside(now) {
            return;
        }
        let request = self.node.poll_transmit(now);
        self.write(|| Line::Transmit { at: now, request: request.clone() });
        self.drain(now);
        let Some(request) = request else { return };
        if let Receiver::Pair(_) = request.to {
            // no radio of this host has frames for two; a scheme that says so is not started
            let done = request.done(Outcome::Failed, Rate(0));
            return self.handle(now, Input::TxDone(done));
        }
        self.counters.frames_sent += 1;
        if let Receiver::Node(next) = request.to {
            self.peers.on_frame(now, next, request.packet.flow.destination);
        }
        let class = self.node.frame_class(&request.packet);
        self.orders.push_back(Order::Send(request.clone(), class));
        self.radio = Radio::Busy(request);
    }

    fn handle(&mut self, now: Time, input: Input) {
        self.write(|| Line::Handle { at: now, input: input.clone() });
        self.node.handle(now, input);
        self.drain(now);
    }

    fn drain(&mut self, now: Time) {
        while let Some(output) = self.node.poll_output().cloned() {
            self.write(|| Line::Output(output.clone()));
            match output {
                Output::Deliver(packet) => self.deliver(now, packet),
                Output::Drop(packet, cause) => self.give_up(now, &packet, cause),
                Output::Withdraw(_) => self.orders.push_back(Order::Withdraw),
                Output::Mark(_) => self.orders.push_back(Order::Mark),
                Output::Accept(_)
                | Output::Decline
                | Output::Release(_)
                | Output::LinkBroken(_)
                | Output::Gauge(..)
                | Output::Estimate(_)
                | Output::Trace(..) => {}
            }
        }
    }

    /// Why this node is the router at which the IP packet in `packet` goes no further, if it is: its hops are used up, or it has
    /// more bytes than go on from here. It is handed on all the same, since protocols have taken it over.
    fn ends_here(&self, packet: &Packet) -> Option<Reason> {
        let Payload::Real(bytes) = &packet.payload else { return None };
        let headers = IpPacket::of(bytes)?;
        if packet.flow.destination == self.network.me || self.network.is_group(headers.destination)
        {
            return None;
        }
        if headers.ttl == packet.hops() + 1 {
            return Some(Reason::TimeExceeded);
        }
        (bytes.len() > usize::from(self.mtu)).then_some(Reason::TooBig(self.mtu))
    }

    /// Tell the sender of an IP packet why it goes no further, an application here or at another node.
    fn answer(&mut self, now: Time, reason: Reason, packet: &[u8]) {
        let Some(headers) = IpPacket::of(packet) else { return };
        let is_here = self.network.is_of(self.network.me, headers.source);
        // a kernel takes nothing from outside that has its own address: what could not be reached says so itself
        let from =
            if is_here { headers.destination } else { self.network.address_like(headers.source) };
        let Some(answer) = icmp::answer(from, reason, packet) else { return };
        if !self.courtesy.take(now) {
            self.counters.not_answered += 1;
        } else if is_here {
            self.orders.push_back(Order::Deliver(answer.into()));
        } else {
            self.answers.push_back(answer);
        }
    }

    /// The protocols give `packet` up.
    fn give_up(&mut self, now: Time, packet: &Packet, cause: DropCause) {
        self.drop(now, packet.flow, cause);
        if cause == DropCause::NoRoute
            && let Payload::Real(bytes) = &packet.payload
        {
            self.answer(now, Reason::Unreachable, &bytes.clone());
        }
    }

    fn drop(&mut self, now: Time, flow: FlowId, cause: DropCause) {
        self.counters.drop_one(cause);
        self.peers.on_drop(now, flow.destination, cause);
        if log::shows(Level::Debug) {
            let [from, to] =
                [flow.source, flow.destination].map(|node| self.network.prefix.address(node));
            log::say(
                Level::Debug,
                &format!("dropped a packet from {from} to {to}: {}", cause.name()),
            );
        }
    }

    fn deliver(&mut self, now: Time, packet: Packet) {
        let (hops, met_congestion) = (packet.hops(), packet.congestion_experienced);
        let Payload::Real(mut bytes) = packet.payload else {
            self.counters.forged += 1;
            return;
        };
        let headers = IpPacket::of(&bytes);
        let network = &self.network;
        let to_group = headers.is_some_and(|headers| network.is_group(headers.destination));
        let is_whole = headers.is_some_and(|headers| {
            network.is_of(packet.flow.source, headers.source)
                && (to_group || network.is_of(network.me, headers.destination))
        });
        if !is_whole {
            self.counters.forged += 1;
            return;
        }
        // nodes between are routers, for which it had enough hops or not; to a group the network is one link
        if !to_group && headers.is_some_and(|headers| headers.ttl <= hops) {
            self.counters.ttl_expired += 1;
            return;
        }
        if let Some(headers) = headers.filter(|headers| headers.protocol == announcement::PROTOCOL)
        {
            let from = (packet.flow.source, hops.saturating_add(1));
            return self.on_announcement(now, from, &headers, &bytes);
        }
        let mut changed = if met_congestion { bytes.to_vec() } else { Vec::new() };
        if ip::mark_congestion(&mut changed) {
            self.counters.marked += 1;
            bytes = changed.into();
        }
        self.peers.on_received(now, packet.flow.source);
        self.counters.delivered(multihop_core::Bytes(bytes.len() as u32));
        self.orders.push_back(Order::Deliver(bytes));
    }

    /// Write a line of the recording. A full disk ends the recording, not the node.
    fn write(&mut self, line: impl FnOnce() -> Line) {
        if let Some(recorder) = &mut self.recorder
            && recorder.line(&line()).is_err()
        {
            self.counters.not_recorded += 1;
            self.recorder = None;
        }
    }
}
