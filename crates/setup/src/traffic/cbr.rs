//! Constant bit rate.

use std::sync::Arc;

use multihop_core::{BitRate, Bytes, Duration, Number, Rate, Rng, Time};

use super::{Messages, Pattern, Terms, Traffic, TrafficKind, any_flows, no_stock};
use crate::Refusal;

/// Constant bit rate.
pub static KIND: TrafficKind = TrafficKind {
    name: "cbr",
    title: "constant bit rate",
    source: "ns-2, cbr_traffic.cc",
    about: "A packet in every interval, whose length follows from load and payload",
    params: &[LOAD.param().required(), INTERVAL_JITTER.param()],
    lacks: &[],
    hides: &[],
    files: &[],
    stock: no_stock,
    make,
    check: any_flows,
};

const LOAD: BitRate = BitRate {
    name: "load",
    about: "Offered load of each flow, payload only",
    default: Rate(100_000),
    min: Rate(1),
    max: Rate(u64::MAX),
};

const INTERVAL_JITTER: Number = Number {
    name: "interval_jitter",
    about: "Each interval between two packets is drawn uniformly from this share of it below to as much above, 0.5 \
            as in ns-2 with random_; at 0 it is exactly periodic",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 1.0,
};

fn make(terms: &Terms) -> Result<Arc<dyn Pattern>, Refusal> {
    let load = terms.values.get(LOAD);
    let interval = load.air_time(terms.payload);
    if interval == Duration::ZERO {
        let message = format!(
            "{} bit/s sends a packet more often than once per nanosecond; lower it, or raise payload",
            load.0
        );
        return Err(Refusal::new(LOAD.name, message));
    }
    Ok(Arc::new(Cbr {
        payload: terms.payload,
        interval,
        jitter: terms.values.get(INTERVAL_JITTER),
    }))
}

/// One packet of `payload` every `interval` in the mean.
#[derive(Clone, Copy, Debug)]
pub struct Cbr {
    /// Payload of a packet.
    pub payload: Bytes,
    /// Between the beginnings of two packets.
    pub interval: Duration,
    /// Each interval is uniform in this share of it around its mean; 0 for exactly periodic.
    pub jitter: f64,
}

impl Cbr {
    /// It, as what a source sends.
    pub fn traffic(self) -> Traffic {
        Traffic { kind: &KIND, payload: self.payload, pattern: Arc::new(self) }
    }

    fn gap(&self, rng: &mut Rng) -> Duration {
        if self.jitter > 0.0 {
            // ns-2: cbr_traffic.cc with random_, where the jitter is 0.5
            self.interval.scaled(rng.between(1.0 - self.jitter, 1.0 + self.jitter))
        } else {
            self.interval
        }
    }
}

impl Pattern for Cbr {
    fn messages(&self, begins: Time, mut rng: Rng) -> Option<Messages> {
        let this = *self;
        let mut next = begins;
        Some(Box::new(core::iter::from_fn(move || {
            let due = next;
            next += this.gap(&mut rng);
            Some((due, this.payload))
        })))
    }

    fn load(&self) -> f64 {
        self.payload.bits() as f64 / self.interval.seconds()
    }
}
