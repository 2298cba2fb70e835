//! One node with WAKE, by hand: what it is given, hears and sends.

use multihop_core::{
    Duration, Failed, FlowId, Heard, Hop, HopStep, LinkTiming, NodeId, Outcome, Packet, Params,
    Rate, Rx, SignalStrength, TxRequest, Value, Values,
};
use multihop_schemes::wake::{Header, SCHEME};
use multihop_testkit::{HopDesk, heard, packet};

/// The node on the desk; its neighbours up and down the chain, and the far ends.
pub const ME: NodeId = NodeId(5);
pub const BEFORE: NodeId = NodeId(4);
pub const NEXT: NodeId = NodeId(6);
pub const FIRST: NodeId = NodeId(0);
pub const LAST: NodeId = NodeId(10);

pub const AIR_TIME: Duration = Duration::from_micros(4_500);
pub const LINK_ACKNOWLEDGMENT: Duration = Duration::from_micros(330);
/// 2.7 times that.
pub const HOLD: Duration = Duration::from_micros(891);
/// `T`.
pub const HOP: Duration = Duration::from_micros(4_830);

/// A node with WAKE.
pub struct Bench(pub HopDesk<dyn Hop>);

pub fn through() -> FlowId {
    FlowId::between(FIRST, LAST)
}

pub fn own() -> FlowId {
    FlowId::between(ME, LAST)
}

/// For how long a flow keeps clear that has `k` hops in a row that cannot send at once.
pub fn clearance(k: u64) -> Duration {
    (HOP + HOLD).scaled(0.88) * (k - 1)
}

pub fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

pub fn header(sequence: u16) -> Header {
    let none = Duration::ZERO;
    Header {
        to_go: None,
        in_wave: true,
        left: 0,
        goes_first: false,
        sequence,
        need: none,
        period: none,
    }
}

/// A frame of `flow` from `from`, heard so, that says this.
pub fn frame(from: NodeId, how: Heard, flow: FlowId, says: Header) -> Rx {
    let mut packet = packet(flow, says.sequence.into());
    packet.ttl -= u8::from(flow.source != from);
    says.write(&mut packet);
    Rx { air_time: AIR_TIME, ..heard(from, how, packet) }
}

impl Bench {
    /// Without rule 9, of which any lone packet is a case.
    pub fn new(given: &[(&str, Value)]) -> Self {
        let without = [("first_packets", Value::Count(0))];
        Bench::with(&[&without, given].concat())
    }

    pub fn with(given: &[(&str, Value)]) -> Self {
        Bench::needing(None, given)
    }

    /// Over a link whose modulation needs frames so many times as strong as what disturbs them.
    pub fn needing(needed_ratio: Option<f64>, given: &[(&str, Value)]) -> Self {
        let rate = LinkTiming::of_rate(Rate(1_000_000));
        Bench::over(LinkTiming { needed_ratio, ..rate }, given)
    }

    /// Over a link whose frames carry many packets, of which so many share one.
    pub fn in_batches(most: u32, given: &[(&str, Value)]) -> Self {
        let link = LinkTiming { batch: 64, ..LinkTiming::of_rate(Rate(1_000_000)) };
        let usual = [("first_packets", Value::Count(0)), ("batch", Value::Count(most))];
        Bench::over(link, &[&usual, given].concat())
    }

    /// Over `link`, with the link acknowledgment of these tests.
    pub fn over(link: LinkTiming, given: &[(&str, Value)]) -> Self {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let values = Values::new(SCHEME.params, &given).expect("valid");
        let link_acknowledgment = LINK_ACKNOWLEDGMENT;
        let link = LinkTiming { link_acknowledgment, ..link };
        Bench(HopDesk::new(ME, (SCHEME.hop)(&Params::over(&SCHEME, &values, link))))
    }

    /// A packet of the node's own flow, or of another one's that has come and is to go on.
    pub fn give(&mut self, flow: FlowId, number: u32) {
        let mut given = packet(flow, number);
        if flow.source != ME {
            given.ttl -= 1;
            header(number as u16).write(&mut given);
        }
        self.0.enqueue(given, NEXT);
    }

    /// The MAC takes a frame, and is done with it after `T`.
    pub fn send(&mut self) -> Packet {
        let request = self.0.poll().expect("a packet may go");
        let sent = request.packet.clone();
        self.0.now += HOP;
        assert_eq!(self.end(request, Outcome::Acknowledged), None);
        sent
    }

    pub fn end(&mut self, request: TxRequest, outcome: Outcome) -> Option<Failed> {
        let mut done = self.0.report(request, outcome);
        done.air_time = AIR_TIME;
        self.0.call(|hop, cx| hop.on_tx_done(cx, &done))
    }

    /// For how long nothing may go from now on.
    pub fn waits(&mut self) -> Duration {
        assert_eq!(self.0.poll(), None);
        self.0.hop.deadline().since(self.0.now)
    }

    /// The next hop is overheard: what it says of the path.
    pub fn learn(&mut self, flow: FlowId, to_go: u8, period: Duration) {
        let says = Header { to_go: Some(to_go), period, ..header(9_999) };
        self.0.hear(&frame(NEXT, Heard::Overheard, flow, says));
    }

    /// The node hears its neighbour behind for a second, whose signals differ by so many dB from one to the next.
    pub fn feel(&mut self, difference: f64) {
        for number in 0..20u16 {
            self.0.wait(Duration::from_millis(50));
            let dbw = -90.0 - difference * f64::from(number % 2);
            let signal = Some(SignalStrength::from_dbw(dbw));
            let rx =
                frame(BEFORE, Heard::Overheard, FlowId::between(FIRST, BEFORE), header(number));
            self.0.hear(&Rx { signal, ..rx });
        }
    }

    pub fn step(&mut self) -> Option<HopStep> {
        self.0.call(Hop::poll)
    }
}
