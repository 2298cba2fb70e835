//! The fastest rate that the last signal of the neighbour bears, as ns-3's `IdealWifiManager` chooses it: with a bit error
//! rate of at most 1e-6 by the error model of the run. ns-3 takes the signal that the neighbour had of this station, which
//! it is told with the answer; here it is that of the neighbour's last frame to this station, or to all.

use multihop_core::{Number, Rng, While};

use super::super::nist;
use super::super::phy::Mode;
use super::neighbours::Neighbours;
use super::{Attempt, Choices, Controller, RateControl};

const BIT_ERROR_RATE: Number = Number {
    name: "ideal_bit_error_rate",
    about: "\"ideal\" takes the fastest rate at which the last signal of the neighbour has at most this bit error rate \
            (ns-3: BerThreshold)",
    unit: "",
    default: 1e-6,
    min: 1e-12,
    max: 0.1,
};

pub(super) const CONTROL: RateControl = RateControl {
    name: "ideal",
    source: "ns-3.37, ideal-wifi-manager.cc",
    about: "The fastest rate that the last signal of the neighbour bears by the error model; the slowest, until there is \
            one",
    params: &[BIT_ERROR_RATE.param().only_while("rate", While::Choice("ideal"))],
    needs_noise: true,
    make: Some(|values, choices| Box::new(Ideal::new(choices, values.get(BIT_ERROR_RATE)))),
};

struct Ideal {
    /// How many times as strong as noise a signal must be for each of the choices.
    needed: Vec<f64>,
    /// How strong the last signal of each neighbour was.
    last: Neighbours<f64>,
}

impl Ideal {
    fn new(choices: &Choices, errors: f64) -> Self {
        let receiver = choices.receiver.expect("it is refused without noise");
        let needs = |mode: &Mode| nist::needed(&receiver, *mode, 1.0, 1.0 - errors);
        let needed = choices.modes.iter().map(needs).collect();
        Ideal { needed, last: Neighbours::new() }
    }
}

impl Controller for Ideal {
    fn choose(&mut self, attempt: &Attempt, _rng: &mut Rng) -> usize {
        let Some(ratio) = self.last.find(attempt.to) else { return 0 };
        self.needed.iter().rposition(|needed| needed <= ratio).unwrap_or(0)
    }

    fn on_heard(&mut self, from: u32, ratio: f64) {
        *self.last.of(from, || ratio) = ratio;
    }
}
