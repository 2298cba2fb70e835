//! ADTCP: Zhenghua Fu, Benjamin Greenstein, Xiaoqiao Meng, Songwu Lu, *Design and Implementation of a
//! TCP-Friendly Transport Protocol for Ad Hoc Wireless Networks*. ICNP 2002. Reconstructed: of the paper
//! the idea, the four measures and the table below were to be had, its numbers were not.
//!
//! A loss in an ad hoc network may be congestion, a channel error, a new route, or no route at all. The
//! receiver tells them apart by four measures over an interval (`measure`), each compared with its own
//! recent past (`history`), and says in every acknowledgment what it sees ([`report`]). The sender
//! reacts to that, and not to the loss alone.
//!
//! | What the receiver sees | delay difference and throughput | out of order | lost |
//! |---|---|---|---|
//! | congestion | the first high and the second low | | |
//! | channel error | not so | not high | high |
//! | route change | not so | high | |
//! | normal | anything else | | |
//!
//! | What the sender does | |
//! |---|---|
//! | congestion | halves the window, once per window of data, without waiting for a loss, and does not open it |
//! | channel error | retransmits, and keeps the window |
//! | route change | retransmits, does not open the window, and sets it once to what the receiver gets per round trip |
//! | normal | as `NewReno` |
//! | disconnection: a timeout that no congestion was reported before | keeps window and RTO, and sends the first missing segment every `probe_interval` until one is acknowledged |
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | IDD, inter-packet delay difference | `Measures::delay_difference` | s | |
//! | STT, short-term throughput | `Measures::throughput` | segments/s | |
//! | POR, packets out of order | `Measures::out_of_order` | share | |
//! | PLR, packet loss ratio | `Measures::lost` | share of what is missing or has come; only its order counts, which is that of missing by come | |
//! | high, low: relative sample density | `density` | share | 0.3, reconstructed |
//! | T, over which is measured | `interval` | time | 500 ms, reconstructed |
//! | samples to compare with | `history` | samples | 50, reconstructed |
//! | the least of them | `least_history` | samples | 10, reconstructed |
//! | after a break | `resume` | | all that is not acknowledged goes again, reconstructed |
//! | period of probes | `probe_interval` | time | 2 s, reconstructed, as in TCP-ELFN |

mod history;
mod measure;
pub mod report;
mod watch;

use multihop_core::{
    Alternative, Capability, Choice, Count, Cx, Duration, Forwarding, Number, Param, Params, Plot,
    Scheme, Span, Time,
};

use self::report::{Report, State};
use self::watch::Watch;
use crate::parts::fifo::Fifo;
use crate::parts::pacer::Allowance;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::newreno::NewReno;
use crate::parts::tcp::options::Options;
use crate::parts::tcp::timestamp::SentAt;
use crate::parts::tcp::{self, WINDOW_LIMIT, with};

/// ADTCP.
pub static SCHEME: Scheme = Scheme {
    name: "adtcp",
    title: "ADTCP",
    paper: "Fu, Greenstein, Meng, Lu: Design and Implementation of a TCP-Friendly Transport Protocol \
            for Ad Hoc Wireless Networks. ICNP 2002 (reconstructed)",
    plot: Plot { color: "#a3611a", marker: "H" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| {
        tcp::halves(params, flow, end, Adtcp::new(params), Watch::new(params))
    },
    carries: tcp::carries,
};

const INTERVAL: Span = Span {
    name: "interval",
    about: "Over so long the receiver measures; reconstructed",
    bare_unit: "ms",
    default: Duration::from_millis(500),
    min: Duration::from_millis(1),
    max: Duration::from_millis(60_000),
};

const DENSITY: Number = Number {
    name: "density",
    about: "A sample is high (low) if it lies among this share of the largest (smallest) of its \
            history; reconstructed",
    unit: "",
    default: 0.3,
    min: 0.0,
    max: 1.0,
};

const HISTORY: Count = Count {
    name: "history",
    about: "With so many recent samples one is compared; reconstructed",
    unit: "samples",
    default: 50,
    min: 1,
    max: 10_000,
};

const LEAST_HISTORY: Count = Count {
    name: "least_history",
    about: "With fewer samples before it, none is high or low; reconstructed",
    unit: "samples",
    default: 10,
    min: 1,
    max: 10_000,
};

const PROBE_INTERVAL: Span = Span {
    name: "probe_interval",
    about: "A sender that takes the connection for broken sends a segment so often; reconstructed",
    bare_unit: "s",
    default: Duration::from_millis(2_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(3_600_000),
};

/// How a sender goes on after a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resume {
    /// With all that is not acknowledged, in the window that there was.
    GoBack,
    /// With new segments; duplicate acknowledgments and timeouts tell what is missing.
    AsItWas,
}

const RESUME: Choice<Resume> = Choice {
    name: "resume",
    about: "How a sender goes on after a break; reconstructed",
    among: &[
        Alternative { name: "go-back", about: "all that is not acknowledged goes again" },
        Alternative { name: "as-it-was", about: "with new segments, and losses are found as ever" },
    ],
    values: &[Resume::GoBack, Resume::AsItWas],
};

const PARAMS: [Param; 21] = with(&[
    WINDOW_LIMIT.param(),
    INTERVAL.param(),
    DENSITY.param(),
    HISTORY.param(),
    LEAST_HISTORY.param().at_most(HISTORY.name),
    PROBE_INTERVAL.param(),
    RESUME.param(),
]);

/// The sender's half of its congestion control.
#[derive(Clone)]
pub struct Adtcp {
    newreno: NewReno,
    probe_interval: Duration,
    resume: Resume,
    /// What the receiver saw last.
    seen: Report,
    /// The connection is taken for broken.
    broken: bool,
    /// A new route was answered for all segments before this one.
    answered: u64,
}

impl Adtcp {
    fn new(params: &Params) -> Self {
        Adtcp {
            newreno: NewReno::default(),
            probe_interval: params.get(PROBE_INTERVAL),
            resume: params.get(RESUME),
            seen: Report::default(),
            broken: false,
            answered: 0,
        }
    }

    /// An acknowledgment arrives, and with it what the receiver sees.
    fn listen(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        if core::mem::take(&mut self.broken) && self.resume == Resume::GoBack {
            go_back(tcp, cx);
        }
        self.seen = ack.options.get().unwrap_or(self.seen);
        tcp.keeps_window = matches!(self.seen.state, State::Congestion | State::RouteChange);
        match self.seen.state {
            State::Congestion if tcp.window.cwnd() >= 2.0 => tcp.on_echo(cx, ack),
            State::RouteChange => self.measure_anew(tcp, cx),
            State::Congestion | State::Normal | State::ChannelError => {}
        }
    }

    /// Set the window to what the receiver gets, once per window of data.
    fn measure_anew(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let round_trip = tcp.timer.smoothed().seconds();
        if tcp.unacknowledged < self.answered || round_trip <= 0.0 {
            return;
        }
        self.answered = tcp.sent;
        let carried = (self.seen.per_second() * round_trip).max(2.0);
        tcp.window.threshold = carried as u32;
        tcp.set_cwnd(cx, tcp.window.cwnd().min(carried));
    }
}

/// All that is not acknowledged is taken for lost, and goes again.
fn go_back(tcp: &mut Connection, cx: &mut Cx) {
    tcp.go_back(cx);
    tcp.recover = tcp.sent;
    tcp.cause = Cause::Timeout;
    tcp.window.inflation = 0;
    tcp.duplicates = 0;
}

impl CongestionControl for Adtcp {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.listen(tcp, cx, ack);
        self.newreno.on_ack(tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.listen(tcp, cx, ack);
        let keeps = matches!(self.seen.state, State::ChannelError | State::RouteChange);
        if keeps && tcp.duplicates + 1 == DUPLICATES && tcp.is_new_loss() {
            tcp.retransmit_without_a_cut(cx);
            tcp.window.inflation = DUPLICATES;
            tcp.duplicates = DUPLICATES;
            return;
        }
        self.newreno.on_duplicate_ack(tcp, cx, ack);
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let under_way = tcp.unacknowledged > 0 && tcp.unacknowledged < tcp.sent;
        if !under_way || self.seen.state == State::Congestion {
            self.newreno.on_retransmission_timeout(tcp, cx);
            return;
        }
        self.broken = true;
        tcp.probe(cx, self.probe_interval);
    }

    fn on_transmit(&mut self, now: Time, _sequence: u64, options: &mut Options) {
        options.put(&SentAt::now(now));
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance::window(if self.broken { 0 } else { tcp.window.segments() })
    }
}
