//! TCP-AP, TCP with adaptive pacing: Sherif `ElRakabawy`, Alexander Klemm, Christoph Lindemann, *TCP with
//! Adaptive Pacing for Multihop Wireless Networks*. `MobiHoc` 2005. doi:10.1145/1062689.1062725
//!
//! Packets four hops apart do not disturb each other, so a source sends no faster than a packet gets
//! four hops away: how long that takes is estimated from the round trip and the number of hops. The
//! more recent round trips vary, the slower it sends. The window is that of `NewReno`.
//!
//! The receiver echoes when the segment was sent, and how many hops it took ([`echo`]); the estimate is
//! in `estimate`.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | h, hops of the route | `Echo::hops` | hops | |
//! | the four of "4-hop" | `reach` | hops | 4 |
//! | RTT | age of `Echo::sent` | time | |
//! | `t_q`, queueing delay per hop | `Estimate::waiting` | s | |
//! | `s_data`, `s_ack` | payload + `overhead`, `overhead` | bytes | 112 of overhead |
//! | b | rate of data frames | bit/s | |
//! | FHD, 4-hop propagation delay | `Estimate::ahead` | s | |
//! | α, weight of its old mean | `alpha` | | 0.7 |
//! | `cov_RTT` | `Estimate::variation` | | |
//! | N, samples in it | `history` | samples | 50 |
//! | the sending interval, FHD (1 + 2 cov) | `Ap::pace` | time | |
//!
//! The paper's numbers and what it leaves open are those of its authors' code (ns-2, 2005), which also
//! departs from it. The defaults are the paper's words; the code's readings are parameters:
//!
//! | Place | The paper | The code |
//! |---|---|---|
//! | fewer than four hops | not said; `near = "hops"`: the delay of all hops there are | `near = "one"`: of one hop |
//! | what varies | round trips, by their standard deviation: `variation = "round-trips"` | estimates of the delay, by their mean deviation: `variation = "estimates"` |
//! | RTO | that of `NewReno`: `rto_backoff = true` | never doubled: `rto_backoff = false` |
//! | a third duplicate acknowledgment while nothing waits for its turn | nothing special: `timer_fault = false` | stops the pacing timer, and nothing but retransmissions goes before the RTO: `timer_fault = true` |
//!
//! | Left open by the paper, taken from the code | Here |
//! |---|---|
//! | before the first estimate | a packet every `first_interval`, 50 ms |
//! | estimates above `delay_bound`, 0.5 s | do not count; a queueing delay above it counts as its mean |
//! | mean of the queueing delay | weight `gamma`, 0.5, of the old one |
//!
//! Deviation from the code: only new segments and those after a timeout keep the pace; what a duplicate
//! or partial acknowledgment forces out does not wait. Deviation from the code: its pacing timer runs
//! also while nothing waits, so that a segment waits for the next tick; here it goes if the pace allows.

pub mod echo;
mod estimate;
mod parameters;

use multihop_core::{Capability, Cx, Duration, Forwarding, Params, Plot, Scheme, Time};

use self::echo::{Echo, Echoing};
use self::estimate::Estimate;
use self::parameters::{FIRST_INTERVAL, PARAMS, RTO_BACKOFF, TIMER_FAULT};
use crate::parts::fifo::Fifo;
use crate::parts::pacer::Allowance;
use crate::parts::tcp;
use crate::parts::tcp::connection::{Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::newreno::NewReno;
use crate::parts::tcp::options::Options;
use crate::parts::tcp::policy::Policy;
use crate::parts::tcp::timestamp::SentAt;

/// TCP with adaptive pacing.
pub static SCHEME: Scheme = Scheme {
    name: "tcp-ap",
    title: "TCP-AP",
    paper: "ElRakabawy, Klemm, Lindemann: TCP with Adaptive Pacing for Multihop Wireless Networks. \
            MobiHoc 2005",
    plot: Plot { color: "#3f74d1", marker: "d" },
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
        let receiver = Echoing::new(Policy::new(params));
        tcp::halves(params, flow, end, Ap::new(params), receiver)
    },
    carries: tcp::carries,
};

/// Its congestion control.
#[derive(Clone)]
pub struct Ap {
    newreno: NewReno,
    estimate: Estimate,
    first_interval: Duration,
    rto_backoff: bool,
    timer_fault: bool,
    /// The authors' code: its pacing timer was stopped, and nobody starts it before the timeout.
    stopped: bool,
}

impl Ap {
    fn new(params: &Params) -> Self {
        Ap {
            newreno: NewReno::default(),
            estimate: Estimate::new(params),
            first_interval: params.get(FIRST_INTERVAL),
            rto_backoff: params.get(RTO_BACKOFF),
            timer_fault: params.get(TIMER_FAULT),
            stopped: false,
        }
    }

    /// What an acknowledgment says of the route; not that of the SYN, which is shorter than data.
    fn learn(&mut self, now: Time, tcp: &Connection, ack: &Ack) {
        if let (Some(Echo { sent, hops }), 1..) = (ack.options.get(), tcp.unacknowledged) {
            self.estimate.sample(sent.age(now).seconds(), hops, tcp.payload());
        }
    }

    /// From one packet to the next.
    fn pace(&self) -> Duration {
        self.estimate.interval().map_or(self.first_interval, Duration::from_seconds)
    }
}

impl CongestionControl for Ap {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.learn(cx.now, tcp, ack);
        self.newreno.on_ack(tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.learn(cx.now, tcp, ack);
        self.newreno.on_duplicate_ack(tcp, cx, ack);
        if self.timer_fault && tcp.duplicates == DUPLICATES {
            self.stopped = !tcp.has_next_in(tcp.window.segments());
        }
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        self.stopped = false;
        self.newreno.on_retransmission_timeout(tcp, cx);
        if !self.rto_backoff && tcp.timer.runs() {
            tcp.timer.end_backoff();
            tcp.timer.start(cx.now);
        }
    }

    fn on_transmit(&mut self, now: Time, _sequence: u64, options: &mut Options) {
        options.put(&SentAt::now(now));
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        let window = if self.stopped { 0 } else { tcp.window.segments() };
        Allowance { window, pace: self.pace() }
    }
}
