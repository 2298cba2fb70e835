//! What both forms of Minstrel count of each rate to a neighbour, and how they choose among rates.

use multihop_core::Duration;

use super::Choices;

/// All attempts at one rate take no longer than that.
const SEGMENT: Duration = Duration::from_millis(6);
const MOST_TRIES: u32 = 10;

/// What is known of one rate to one neighbour.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    attempts: u32,
    successes: u32,
    /// How probably data is acknowledged, as far as is known.
    probability: Option<f64>,
    /// For how many updates it was not tried.
    pub(super) rested: u32,
}

impl Counted {
    /// Data at this rate was acknowledged, or was not.
    pub(super) fn tell(&mut self, acknowledged: bool) {
        self.attempts += 1;
        self.successes += u32::from(acknowledged);
    }

    /// Reckon up what was told; what was known before has this weight.
    pub(super) fn reckon(&mut self, weight: f64) {
        if self.attempts == 0 {
            self.rested = self.rested.saturating_add(1);
            return;
        }
        let now = f64::from(self.successes) / f64::from(self.attempts);
        let before = self.probability.unwrap_or(now);
        let probability = Some(weight * before + (1.0 - weight) * now);
        *self = Counted { probability, ..Counted::default() };
    }

    /// How probably data is acknowledged; 0 of what was never tried.
    pub(super) fn probability(&self) -> f64 {
        self.probability.unwrap_or(0.0)
    }
}

/// Of the rates but `than` that of the highest score; of equal ones, the slower.
pub(super) fn most(rates: usize, than: Option<usize>, score: impl Fn(usize) -> f64) -> usize {
    let all = (0..rates).rev().filter(|at| Some(*at) != than);
    all.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(0)
}

/// How many attempts for a frame of this air time fit into a segment, with the means of their backoffs.
pub(super) fn most_tries(air_time: Duration, slot: Duration, windows: (u32, u32)) -> u32 {
    let (mut window, most) = windows;
    let (mut spent, mut tries) = (Duration::ZERO, 0);
    while tries < MOST_TRIES {
        spent = spent + air_time + slot.scaled(f64::from(window) / 2.0);
        if spent > SEGMENT {
            break;
        }
        tries += 1;
        window = (2 * window + 1).min(most);
    }
    tries.max(1)
}

/// The same for each of the choices.
pub(super) fn tries_of(choices: &Choices) -> Vec<u32> {
    let tries = |time: &Duration| most_tries(*time, choices.slot, choices.windows);
    choices.air_times.iter().map(tries).collect()
}
