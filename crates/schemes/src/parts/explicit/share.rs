//! XCP 3.5; WXCP 3.3: how a station divides what it has to say among the packets that pass. Pure
//! functions over integers, so that every platform finds the same.
//!
//! What a station has to say is the aggregate feedback of a control interval, in millionths of a byte of
//! *windows per interval*: a change of the total rate, times the interval. A packet's share of it becomes
//! a change of its flow's window by the ratio of the flow's round trip to the interval. So what is handed
//! out, as rates, adds up to no more than the aggregate, whoever gets it.

use multihop_core::{Duration, Params};

use super::header::{FlowState, LARGEST_FEEDBACK};
use super::parameters::{GAMMA, RESIDUE};

/// Millionths in one.
pub const MILLION: i64 = 1_000_000;

/// Millionths of a byte in the unit of the header's feedback.
const PER_UNIT: i128 = 1_000;

/// A packet that passes a station, with what its sender says of its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// rtt, in nanoseconds; at least one.
    round_trip: u64,
    /// s, in bytes; at least one.
    length: u32,
    /// rtt · s / cwnd, the time between two packets of the flow, in nanoseconds; at least one.
    spacing: u64,
    /// `bw_k` in bytes per second, or one for everybody; at least one.
    throughput: u32,
}

impl Passing {
    /// A packet of `length` bytes. No round trip counts for more than `longest`.
    pub fn new(flow: FlowState, length: u32, throughput: u32, longest: Duration) -> Self {
        let round_trip = (u64::from(flow.round_trip_us) * 1_000).min(longest.nanos()).max(1);
        let length = length.max(1);
        // a window holds at least one packet
        let spacing = u128::from(round_trip) * u128::from(length) / u128::from(flow.window.max(1));
        let spacing = u64::try_from(spacing).unwrap_or(round_trip).clamp(1, round_trip);
        Passing { round_trip, length, spacing, throughput: throughput.max(1) }
    }

    /// Its part of positive feedback (XCP equation 5, WXCP equation 4), as a rate.
    fn weight(&self) -> u128 {
        u128::from(self.spacing) * u128::from(self.throughput)
    }
}

/// Sums over the packets that a station has seen in a control interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Σ `bw_k` · rtt · s / cwnd.
    weights: u128,
    /// Σ s of those that can get feedback.
    bytes: u64,
    /// Σ rtt · s / cwnd.
    spacings: u128,
    /// Σ rtt² · s / cwnd.
    round_trips: u128,
    /// Bytes that have come to the queue, of whatever flow: y · T.
    arrived: u64,
}

impl Sums {
    /// So many bytes came to the queue.
    pub fn on_arrival(&mut self, length: u32) {
        self.arrived = self.arrived.saturating_add(length.into());
    }

    /// A packet passes.
    pub fn add(&mut self, packet: &Passing) {
        let spacing = u128::from(packet.spacing);
        self.weights = self.weights.saturating_add(packet.weight());
        self.bytes = self.bytes.saturating_add(packet.length.into());
        self.spacings = self.spacings.saturating_add(spacing);
        let product = spacing * u128::from(packet.round_trip);
        self.round_trips = self.round_trips.saturating_add(product);
    }

    /// XCP 3.5: the mean round trip of all flows, Σ rtt² · s / cwnd over Σ rtt · s / cwnd.
    pub fn mean_round_trip(&self) -> Option<Duration> {
        let mean = self.round_trips.checked_div(self.spacings)?;
        Some(Duration::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)))
    }

    /// Bytes that have come.
    pub const fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Whether a packet was there that can get feedback.
    pub const fn any(&self) -> bool {
        self.bytes > 0
    }
}

/// How a station divides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Division {
    /// γ in millionths: that much of the traffic is taken from all and given to all, as far as the
    /// aggregate does not already move more (XCP equation 4).
    pub shuffle: i64,
    /// Whether no more than the aggregate is handed out in an interval (draft-falk-xcp-spec-03).
    pub residue: bool,
}

impl Division {
    /// With the parameters [`GAMMA`] and [`RESIDUE`] of XCP.
    pub fn new(params: &Params) -> Self {
        Division { shuffle: millionths(params.get(GAMMA)), residue: params.get(RESIDUE) }
    }
}

/// What may be handed out to packets in one control interval, after the sums of the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    sums: Sums,
    residue: bool,
    /// T, in nanoseconds.
    interval: u64,
    /// In millionths of a byte per interval, never negative: all, and what is left.
    plus: i64,
    plus_left: i64,
    minus: i64,
    minus_left: i64,
}

impl Shares {
    /// The aggregate feedback after an interval with these `sums`.
    pub fn new(aggregate: i64, sums: Sums, interval: Duration, division: Division) -> Self {
        if !sums.any() || interval == Duration::ZERO {
            return Shares::default();
        }
        let moved = i128::from(sums.arrived) * i128::from(division.shuffle);
        let moved = i64::try_from(moved).unwrap_or(i64::MAX);
        let shuffled = moved.saturating_sub(aggregate.saturating_abs()).max(0);
        let plus = aggregate.max(0).saturating_add(shuffled);
        let minus = aggregate.min(0).saturating_neg().saturating_add(shuffled);
        let (interval, residue) = (interval.nanos(), division.residue);
        Shares { sums, residue, interval, plus, plus_left: plus, minus, minus_left: minus }
    }

    /// `packet` passes, and `asked` stands in its header: what is to stand there. Never more than was
    /// asked.
    pub fn take(&mut self, packet: &Passing, asked: i32) -> i32 {
        let plus = part(self.plus, packet.weight(), self.sums.weights).min(self.plus_left);
        let minus = part(self.minus, packet.length.into(), self.sums.bytes.into());
        let minus = minus.min(self.minus_left);
        let own = self.of_window(packet, plus - minus);
        if asked >= own {
            self.debit(plus, minus);
            return own;
        }
        // what another station or the sender has taken away counts here, too, and what the packet does
        // not get is left for others
        let more = self.of_interval(packet, i64::from(own) - i64::from(asked));
        let minus = minus.saturating_add(more).min(self.minus_left);
        let plus = self.of_interval(packet, asked.into()).saturating_add(minus);
        self.debit(plus, minus);
        asked
    }

    /// So much was given and taken away.
    fn debit(&mut self, plus: i64, minus: i64) {
        if self.residue {
            self.plus_left -= plus.clamp(0, self.plus_left);
            self.minus_left -= minus;
        }
    }

    /// What may still be handed out, in millionths of a byte per interval: to give, and to take away.
    pub const fn left(&self) -> (i64, i64) {
        (self.plus_left, self.minus_left)
    }

    /// A share per interval as a change of the window of the packet's flow, in the header's unit.
    fn of_window(&self, packet: &Passing, share: i64) -> i32 {
        let Some(interval) = i128::from(self.interval).checked_mul(PER_UNIT).filter(|t| *t > 0)
        else {
            return 0;
        };
        let window = i128::from(share) * i128::from(packet.round_trip) / interval;
        let most = i128::from(LARGEST_FEEDBACK);
        window.clamp(-most, most) as i32
    }

    /// The reverse.
    fn of_interval(&self, packet: &Passing, window: i64) -> i64 {
        let share = i128::from(window) * PER_UNIT * i128::from(self.interval);
        i64::try_from(share / i128::from(packet.round_trip)).unwrap_or(i64::MAX)
    }
}

/// `part` of `whole` parts of `amount`, which is not negative; all of it for a part that is larger.
fn part(amount: i64, part: u128, whole: u128) -> i64 {
    let (Ok(amount), true) = (u128::try_from(amount), whole > 0) else { return 0 };
    if part >= whole {
        return amount as i64;
    }
    match amount.checked_mul(part) {
        Some(product) => (product / whole) as i64,
        // both are large, and so is the whole
        None => (amount * (part >> 64) / (whole >> 64).max(1)).min(amount) as i64,
    }
}

/// A factor as millionths.
pub fn millionths(factor: f64) -> i64 {
    (factor * MILLION as f64).round() as i64
}

/// A large amount, as near as it can be stored.
pub fn saturated(amount: i128) -> i64 {
    i64::try_from(amount).unwrap_or(if amount < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests;
