//! Bursts of packets, as an example of a kind of traffic.

use std::sync::Arc;

use multihop_core::{Bytes, Count, Duration, Rng, Span, Time};

use super::{Messages, Pattern, TrafficKind, any_flows, no_stock};

/// Bursts.
pub static KIND: TrafficKind = TrafficKind {
    name: "bursts",
    title: "bursts",
    source: "none; the example of CONTRIBUTING.md",
    about: "Several packets at once, again and again",
    params: &[PERIOD.param(), BURST.param()],
    lacks: &[],
    hides: &[],
    files: &[],
    stock: no_stock,
    make: |terms| {
        let (period, burst) = (terms.values.get(PERIOD), terms.values.get(BURST));
        Ok(Arc::new(Bursts { payload: terms.payload, period, burst }))
    },
    check: any_flows,
};

const PERIOD: Span = Span {
    name: "period",
    about: "Time between two bursts",
    bare_unit: "",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(1_000_000),
};

const BURST: Count = Count {
    name: "burst",
    about: "Packets of a burst",
    unit: "packets",
    default: 4,
    min: 1,
    max: 1_000,
};

#[derive(Clone, Copy, Debug)]
struct Bursts {
    payload: Bytes,
    period: Duration,
    burst: u32,
}

impl Pattern for Bursts {
    fn messages(&self, begins: Time, _rng: Rng) -> Option<Messages> {
        let this = *self;
        let number = 0u64..;
        let burst = u64::from(this.burst);
        Some(Box::new(number.map(move |at| (begins + this.period * (at / burst), this.payload))))
    }

    fn load(&self) -> f64 {
        self.payload.bits() as f64 * f64::from(self.burst) / self.period.seconds()
    }
}
