//! Stations on a channel without nodes above them.

use multihop_core::{
    Below, Duration, FlowId, FrameClass, FrameId, LossCause, Medium, NodeId, Outcome, Packet,
    Payload, Power, Receiver, Reception, Report, Tag, Time, Told, TxDone, TxRequest, Wakes,
};

use super::setup;
use crate::lora::stations::Stations;

/// Three nodes in a row, of which the ends do not hear each other, and the middle one hears both with -100 dBm.
pub const HIDDEN: &str = "[topology]\nkind = \"chain\"\nhops = 2\n\
    [[link]]\nfrom = \"n0\"\nto = \"n1\"\nsignal = \"-100 dBm\"\nboth_ways = true\n\
    [[link]]\nfrom = \"n1\"\nto = \"n2\"\nsignal = \"-100 dBm\"\nboth_ways = true\n";

/// Three nodes that all hear each other with -100 dBm.
pub const NEAR: &str = "[topology]\nkind = \"chain\"\nhops = 2\n\
    [[link]]\nfrom = \"n0\"\nto = \"n1\"\nsignal = \"-100 dBm\"\nboth_ways = true\n\
    [[link]]\nfrom = \"n0\"\nto = \"n2\"\nsignal = \"-100 dBm\"\nboth_ways = true\n\
    [[link]]\nfrom = \"n1\"\nto = \"n2\"\nsignal = \"-100 dBm\"\nboth_ways = true\n";

/// Something that a station has told.
#[derive(Clone, Debug)]
pub enum What {
    Transmits,
    Hears(NodeId),
    Ends(Outcome),
    Receives(Reception),
    Drops(&'static str),
}

/// Stations, and what they have told.
pub struct Air {
    pub medium: Stations,
    pub wakes: Wakes,
    pub now: Time,
    pub log: Vec<(Time, u32, What)>,
}

pub fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub fn at(ms: u64) -> Time {
    Time::ZERO + millis(ms)
}

/// A packet for everyone, of so many bytes beside the network header.
pub fn broadcast(payload: u32) -> TxRequest {
    let flow = FlowId::between(NodeId(0), NodeId::BROADCAST);
    TxRequest::new(
        Receiver::Broadcast,
        Packet::new(flow, Payload::Virtual(payload), Tag::default()),
    )
}

impl Air {
    /// The stations of three nodes.
    pub fn new(keys: &str, place: &str) -> Self {
        let medium = Stations::new(&setup(keys, place));
        Air { medium, wakes: Wakes::new(3), now: Time::ZERO, log: Vec::new() }
    }

    fn below<T>(&mut self, call: impl FnOnce(&mut Stations, &mut Below) -> T) -> T {
        let below = &mut Below { now: self.now, lag: Duration::ZERO, wakes: &mut self.wakes };
        call(&mut self.medium, below)
    }

    fn note(&mut self, reports: usize) {
        let mut told = Told::default();
        for _ in 0..reports {
            let (node, report) = self.medium.poll_report(self.now, &mut told);
            let what = match report {
                Report::Hears => What::Hears(told.heard.from),
                Report::Done => What::Ends(told.done.outcome),
                Report::Received(known) => What::Receives(known),
                Report::Drops(cause) => What::Drops(cause.name()),
                Report::Transmits | Report::Keeps(_) | Report::Leaves(_) => continue,
            };
            self.log.push((self.now, node.0, what));
        }
    }

    /// `node` hands a frame over now.
    pub fn offer(&mut self, node: u32, request: &TxRequest) {
        assert!(self.medium.is_free(NodeId(node)), "the MAC holds one frame");
        let reports = self
            .below(|medium, below| medium.offer(NodeId(node), request, FrameClass::Data, below));
        self.note(reports);
    }

    /// `node` takes its frame back.
    pub fn withdraw(&mut self, node: u32) -> Option<TxDone> {
        self.below(|medium, below| medium.withdraw(NodeId(node), FrameId::ONLY, below))
    }

    /// The radio of `node` is switched.
    pub fn switch(&mut self, node: u32, power: Power) -> usize {
        self.below(|medium, below| medium.switch(NodeId(node), power, below)).len()
    }

    /// All that happens before `until`, which is then now.
    pub fn run(&mut self, until: Time) {
        loop {
            let (due, node) = self.wakes.next();
            if due >= until {
                break;
            }
            self.now = due;
            let woken = self.below(|medium, below| medium.on_deadline(node, below));
            self.note(woken.reports);
            if woken.on_air {
                let reports = self.below(|medium, below| medium.transmit(node, below));
                self.log.push((self.now, node.0, What::Transmits));
                self.note(reports);
            }
        }
        self.now = until;
    }

    /// When `node` began to transmit.
    pub fn transmissions(&self, node: u32) -> Vec<Time> {
        let begins = |(at, who, what): &(Time, u32, What)| {
            (*who == node && matches!(what, What::Transmits)).then_some(*at)
        };
        self.log.iter().filter_map(begins).collect()
    }

    /// From whom `node` has heard, in order.
    pub fn heard(&self, node: u32) -> Vec<u32> {
        let hears = |(_, who, what): &(Time, u32, What)| match what {
            What::Hears(from) if *who == node => Some(from.0),
            _ => None,
        };
        self.log.iter().filter_map(hears).collect()
    }

    /// How many frames for `node` were lost for this cause.
    pub fn losses(&self, node: u32, cause: LossCause) -> u64 {
        self.medium.totals(NodeId(node), self.now).losses.count(cause)
    }
}
