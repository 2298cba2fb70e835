//! Fu et al. 2003: the mean number of retries, and the probability that follows from it.

use multihop_core::{Cx, EventKind, Leaving, Packet, Params, Stamp, TxDone};

use super::{MAX_PROBABILITY, MAX_THRESHOLD, MIN_THRESHOLD};

/// The weight of a new sample.
const WEIGHT: f64 = 1.0 / 8.0;

/// The mean of one node's MAC.
pub struct LinkRed {
    min_threshold: f64,
    max_threshold: f64,
    max_probability: f64,
    average: f64,
}

impl LinkRed {
    /// With the parameters of the scheme.
    pub fn new(params: &Params) -> Self {
        LinkRed {
            min_threshold: params.get(MIN_THRESHOLD),
            max_threshold: params.get(MAX_THRESHOLD),
            max_probability: params.get(MAX_PROBABILITY),
            average: 0.0,
        }
    }

    /// With which probability a packet is marked now. Without a distance between the thresholds
    /// it jumps.
    pub fn probability(&self) -> f64 {
        let above = self.average - self.min_threshold;
        if above <= 0.0 {
            return 0.0;
        }
        let distance = self.max_threshold - self.min_threshold;
        let share = if distance > 0.0 { above / distance } else { 1.0 };
        share.min(self.max_probability)
    }
}

impl Stamp for LinkRed {
    type Note = ();

    fn on_enqueue(&mut self, _cx: &mut Cx, _packet: &mut Packet) {}

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), _leaving: Leaving) {
        if !packet.congestion_experienced && cx.rng.chance(self.probability()) {
            packet.congestion_experienced = true;
            cx.trace(EventKind::Marked, packet.flow, 0, packet.tag);
        }
    }

    fn on_tx_done(&mut self, _cx: &mut Cx, done: &TxDone) {
        self.average += WEIGHT * (f64::from(done.retries) - self.average);
    }
}
