//! TCP Vegas: Brakmo, Peterson, *TCP Vegas: End to End Congestion Avoidance on a Global Internet*,
//! IEEE JSAC 13(8), 1995. Once per round trip the window is compared with what the network
//! delivers: what is not delivered waits in queues.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | α (IV.C) | `alpha` | packets | 1 |
//! | β (IV.C) | `beta` | packets | 3 |
//! | γ (IV.D) | `gamma` | packets | 1 |
//! | `BaseRTT` | `Vegas::base` | s | |
//! | Diff | `waiting` | packets | |
//! | fine-grained RTO (IV.A) | `Clock::timeout` | s | |
//!
//! The paper leaves constants open; they are ns-2's. So is `Ring`, which forgets less than it
//! should: after a loss, when acknowledgments cover many segments at once, that shows in the window.

use multihop_core::{
    Capability, Cx, Forwarding, Heeded, Number, Param, Params, Plot, Scheme, Time,
};

use crate::parts::fifo::Fifo;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::options::Options;
use crate::parts::tcp::{self, WINDOW_LIMIT, heeding, with};

/// TCP Vegas.
pub static SCHEME: Scheme = Scheme {
    name: "vegas",
    title: "TCP Vegas",
    paper: "Brakmo, Peterson: TCP Vegas: End to End Congestion Avoidance on a Global Internet. \
            IEEE JSAC 13(8), 1995",
    plot: Plot { color: "#8f8f14", marker: "X" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| tcp::transport(params, flow, end, Vegas::new(params)),
    carries: tcp::carries,
};

const ALPHA: Number = Number {
    name: "alpha",
    about: "With fewer packets waiting in queues, the window grows (IV.C)",
    unit: "packets",
    default: 1.0,
    min: 0.0,
    max: 1_000.0,
};

const BETA: Number = Number {
    name: "beta",
    about: "With more packets waiting in queues, the window shrinks (IV.C)",
    unit: "packets",
    default: 3.0,
    min: 0.0,
    max: 1_000.0,
};

const GAMMA: Number = Number {
    name: "gamma",
    about: "With more packets waiting in queues, slow start ends (IV.D)",
    unit: "packets",
    default: 1.0,
    min: 0.0,
    max: 1_000.0,
};

const PARAMS: [Param; 18] = heeding(
    with(&[WINDOW_LIMIT.param(), ALPHA.param().at_most(BETA.name), BETA.param(), GAMMA.param()]),
    &["count_segments"],
    Heeded::Never("whose window changes once a round trip"),
);

/// The window after a coarse timeout, and the least one.
const LEAST: f64 = 2.0;

/// The fine-grained clock (IV.A): Jacobson's estimate with exact times, in seconds.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Eight times the mean.
    smoothed: f64,
    /// Four times the deviation.
    variation: f64,
    timeout: f64,
}

impl Clock {
    fn new(first: f64) -> Self {
        Clock { smoothed: 8.0 * first, variation: first, timeout: 1.5 * first }
    }

    fn sample(&mut self, round_trip: f64) {
        let error = round_trip - self.smoothed / 8.0;
        self.smoothed += error;
        self.variation += error.abs() - self.variation / 4.0;
        self.timeout = f64::midpoint(self.smoothed / 4.0, self.variation) * (17.0 / 16.0);
    }
}

/// Of each segment on its way: when it was sent last, and how often. ns-2 keeps this in a ring as
/// long as the window limit, and forgets the segments that an acknowledgment covers only up to the
/// end of the ring, or not at all if the acknowledgment reaches around it. Deviation from the paper,
/// which has no such thing: the same here, because windows are compared with ns-2's. What it
/// changes was not measured alone.
#[derive(Clone)]
struct Ring {
    places: Vec<(Option<Time>, u32)>,
}

impl Ring {
    fn new(limit: usize) -> Self {
        Ring { places: vec![(None, 0); limit.max(1)] }
    }

    fn place(&self, sequence: u64) -> usize {
        (sequence % self.places.len() as u64) as usize
    }

    fn get(&self, sequence: u64) -> (Option<Time>, u32) {
        self.places[self.place(sequence)]
    }

    fn on_transmit(&mut self, now: Time, sequence: u64) {
        let place = self.place(sequence);
        self.places[place] = (Some(now), self.places[place].1 + 1);
    }

    /// What is on its way counts as sent again, at a time that is not known.
    fn on_standby(&mut self) {
        for (at, _) in &mut self.places {
            *at = None;
        }
    }

    /// The segments from `first` up to and without `end` are acknowledged.
    fn forget(&mut self, first: u64, end: u64) {
        let (mut place, last) = (self.place(first), self.place(end - 1));
        for _ in first..end {
            if place > last {
                break;
            }
            self.places[place] = (None, 0);
            place = (place + 1) % self.places.len();
        }
    }
}

/// Its congestion control.
#[derive(Clone)]
pub struct Vegas {
    alpha: f64,
    beta: f64,
    gamma: f64,
    /// The least round-trip time, in seconds.
    base: f64,
    clock: Option<Clock>,
    sent: Ring,
    /// This round trip ends with the acknowledgment of this segment.
    mark: u64,
    /// When the last SYN was sent.
    begun: Option<Time>,
    /// Since when this round trip lasts.
    since: Option<Time>,
    samples: f64,
    sum: f64,
    /// By how much each acknowledgment opens the window.
    increase: f64,
    /// IV.D: slow start decides only every other round trip.
    decides: bool,
    /// When the window was cut last, and to what.
    cut_at: Option<Time>,
    cut_to: f64,
    /// IV.A: how many acknowledgments after a retransmission are looked at for another loss.
    worried: u32,
}

impl Vegas {
    fn new(params: &Params) -> Self {
        Vegas {
            alpha: params.get(ALPHA),
            beta: params.get(BETA),
            gamma: params.get(GAMMA),
            base: f64::INFINITY,
            clock: None,
            sent: Ring::new(params.get(WINDOW_LIMIT) as usize),
            mark: 0,
            begun: None,
            since: None,
            samples: 0.0,
            sum: 0.0,
            increase: 0.0,
            decides: true,
            cut_at: None,
            cut_to: 0.0,
            worried: 0,
        }
    }

    /// The first acknowledgment of all sets the clock.
    fn clock(&mut self, now: Time) -> &mut Clock {
        let first = now.since(self.since.unwrap_or(now)).seconds();
        self.clock.get_or_insert_with(|| {
            self.base = first;
            Clock::new(first)
        })
    }

    /// IV.A: whether the first missing segment has been on its way for too long.
    fn is_overdue(&mut self, now: Time, sequence: u64) -> bool {
        let timeout = self.clock(now).timeout;
        let (at, _) = self.sent.get(sequence);
        at.is_none_or(|at| now.since(at).seconds() >= timeout)
    }

    /// IV.C and IV.D: once per round trip, compare what is expected with what is achieved.
    fn on_round_trip(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let whole = cx.now.since(self.since.unwrap_or(cx.now)).seconds();
        let round_trip = if self.samples > 0.0 { self.sum / self.samples } else { whole };
        (self.sum, self.samples) = (0.0, 0.0);
        let delivered = tcp.next.saturating_sub(self.mark);
        if round_trip > 0.0 {
            if round_trip < self.base || delivered <= 1 {
                self.base = round_trip;
            }
            let in_flight = (tcp.next + 1 - tcp.unacknowledged) as f64;
            let expected = in_flight / self.base;
            let actual = delivered as f64 / round_trip;
            let waiting = ((expected - actual) * self.base + 0.5).trunc();
            if tcp.window.cwnd() < f64::from(tcp.window.threshold) {
                self.slow_start(tcp, cx, waiting);
            } else {
                self.avoid_congestion(tcp, cx, waiting);
            }
        }
        self.mark = tcp.next;
        self.since = Some(cx.now);
    }

    /// IV.D.
    fn slow_start(&mut self, tcp: &mut Connection, cx: &mut Cx, waiting: f64) {
        self.decides = !self.decides;
        self.increase = 0.0;
        if self.decides && waiting > self.gamma {
            tcp.window.threshold = 2;
            tcp.set_cwnd(cx, tcp.window.cwnd() * 7.0 / 8.0);
            tcp.set_cwnd(cx, tcp.window.cwnd().max(LEAST));
        } else if self.decides {
            self.increase = 1.0;
        }
    }

    /// IV.C.
    fn avoid_congestion(&mut self, tcp: &mut Connection, cx: &mut Cx, waiting: f64) {
        self.increase = 0.0;
        if waiting > self.beta {
            tcp.set_cwnd(cx, tcp.window.cwnd() - 1.0);
            tcp.set_cwnd(cx, tcp.window.cwnd().max(LEAST));
        } else if waiting < self.alpha {
            self.increase = 1.0 / tcp.window.cwnd();
        }
    }

    /// Open the window, unless it has not been used.
    fn open(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let cwnd = tcp.window.cwnd();
        if self.increase >= 1.0 && cwnd >= f64::from(tcp.window.threshold) {
            self.increase = 0.0;
        }
        let in_flight = (tcp.next + 1 - tcp.unacknowledged) as f64;
        if self.increase > 0.0 && cwnd - in_flight <= 2.0 {
            tcp.set_cwnd(cx, cwnd + self.increase);
        }
    }

    /// IV.A: the round-trip time of the segment that is acknowledged last, if it was sent once.
    fn sample(&mut self, now: Time, first: u64, end: u64) {
        let last = self.sent.get(end - 1);
        self.sent.forget(first, end);
        // Not the SYN, which is much shorter than data, nor, as in ns-2, what is sent with it after a timeout.
        if let (Some(at), 1) = last
            && self.begun != Some(at)
        {
            let round_trip = now.since(at).seconds();
            self.sum += round_trip;
            self.samples += 1.0;
            if round_trip > 0.0 {
                self.base = self.base.min(round_trip);
                self.clock(now).sample(round_trip);
            }
        }
    }

    /// IV.A: retransmit, and cut the window if it was not cut since the segment was sent.
    fn on_loss(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let (at, times) = self.sent.get(tcp.unacknowledged);
        let window = tcp.window.segments();
        tcp.cause = Cause::Duplicates;
        tcp.recover = tcp.sent;
        self.worried = (tcp.next + 1 - tcp.unacknowledged).min(2) as u32;
        self.clock(cx.now).timeout *= if times > 1 { 2.0 } else { 9.0 / 8.0 };
        if at.is_some_and(|at| self.cut_at.is_none_or(|cut| cut < at)) {
            let cut = match (window, times) {
                (..=3, _) => 2,
                (_, 2..) => window / 2,
                _ => window - window / 4,
            };
            self.cut_to = f64::from(cut);
            self.cut_at = Some(cx.now);
            tcp.set_cwnd(cx, self.cut_to + f64::from(tcp.duplicates));
        }
        tcp.timer.back_off();
        tcp.timer.start(cx.now);
        tcp.timer.forget();
        tcp.force(tcp.unacknowledged);
        if times == 1 {
            tcp.duplicates = DUPLICATES;
        }
    }
}

impl CongestionControl for Vegas {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.clock(cx.now);
        if tcp.unacknowledged == 1 {
            tcp.set_initial_window(cx);
        }
        if tcp.duplicates > DUPLICATES && tcp.window.cwnd() > self.cut_to {
            tcp.set_cwnd(cx, self.cut_to);
            tcp.window.threshold = 2;
        }
        let first = tcp.unacknowledged;
        tcp.new_ack(cx, ack);
        if ack.sequence > self.mark {
            self.on_round_trip(tcp, cx);
        }
        self.open(tcp, cx);
        self.sample(cx.now, first, ack.sequence);
        if self.worried > 0 {
            self.worried -= 1;
            if self.is_overdue(cx.now, ack.sequence) {
                tcp.duplicates = DUPLICATES;
                tcp.force(ack.sequence);
            } else {
                self.worried = 0;
            }
        }
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, _ack: &Ack) {
        tcp.duplicates += 1;
        if self.is_overdue(cx.now, tcp.unacknowledged) || tcp.duplicates == DUPLICATES {
            if tcp.unacknowledged > tcp.recover || tcp.cause != Cause::Timeout {
                self.on_loss(tcp, cx);
            }
        } else if tcp.duplicates > DUPLICATES {
            tcp.set_cwnd(cx, tcp.window.cwnd() + 1.0);
        }
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        tcp.duplicates = 0;
        tcp.on_retransmission_timeout(cx);
        tcp.set_cwnd(cx, LEAST);
        self.cut_to = 0.0;
        self.cut_at = Some(cx.now);
    }

    fn on_transmit(&mut self, now: Time, sequence: u64, _options: &mut Options) {
        // ns-2's clock begins anew with every SYN, and what was cut before counts from then on.
        if sequence == 0 {
            let before = self.begun.replace(now).unwrap_or(now);
            self.cut_at = self.cut_at.map(|cut| cut + now.since(before));
            self.since = Some(now);
        }
        self.since.get_or_insert(now);
        self.sent.on_transmit(now, sequence);
    }

    fn on_standby(&mut self) {
        self.sent.on_standby();
        // The next transmission, a probe, begins another round trip.
        self.since = None;
    }
}
