//! Messages at random times.

use std::sync::Arc;

use multihop_core::{Bytes, Duration, Rng, Span, Time};

use super::{Messages, Pattern, Traffic, TrafficKind, any_flows, no_stock};

/// A Poisson process.
pub static KIND: TrafficKind = TrafficKind {
    name: "poisson",
    title: "Poisson process",
    source: "Feller: An Introduction to Probability Theory and Its Applications, vol. 1, XVII.2",
    about: "A packet after every interval, which is exponentially distributed: as many users send that know nothing of \
            each other",
    params: &[INTERVAL.param().required()],
    lacks: &[],
    hides: &[],
    files: &[],
    stock: no_stock,
    make: |terms| {
        Ok(Arc::new(Poisson { payload: terms.payload, interval: terms.values.get(INTERVAL) }))
    },
    check: any_flows,
};

/// The longest time between two messages: the longest that a scenario can name.
const LONGEST: Duration = Duration::from_millis(500_000_000_000);

const INTERVAL: Span = Span {
    name: "interval",
    about: "Mean time between two packets; the first comes such an interval after the start, too",
    bare_unit: "",
    default: Duration::from_millis(900_000),
    min: Duration::from_nanos(1),
    max: LONGEST,
};

/// Packets of `payload`, `interval` apart in the mean.
#[derive(Clone, Copy, Debug)]
pub struct Poisson {
    /// Payload of a packet.
    pub payload: Bytes,
    /// The mean time between the beginnings of two packets.
    pub interval: Duration,
}

impl Poisson {
    /// It, as what a source sends.
    pub fn traffic(self) -> Traffic {
        Traffic { kind: &KIND, payload: self.payload, pattern: Arc::new(self) }
    }
}

/// An exponentially distributed time of this mean, by inversion.
pub(super) fn gap(mean: Duration, rng: &mut Rng) -> Duration {
    mean.scaled(-libm::log1p(-rng.unit())).min(LONGEST)
}

impl Pattern for Poisson {
    fn messages(&self, begins: Time, mut rng: Rng) -> Option<Messages> {
        let this = *self;
        let mut last = begins;
        Some(Box::new(core::iter::from_fn(move || {
            last += gap(this.interval, &mut rng);
            Some((last, this.payload))
        })))
    }

    fn load(&self) -> f64 {
        self.payload.bits() as f64 / self.interval.seconds()
    }
}
