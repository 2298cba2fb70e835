//! Minstrel for 802.11n, as ns-3's `MinstrelHtWifiManager` and the Linux kernel from 802.11n on have it.
//!
//! Like [Minstrel](super::minstrel) it weighs how often data was acknowledged at each rate with what it knew before. It
//! counts the packets of a batch one by one, and reckons what a packet takes with its share of the batch's preamble and
//! answer. A rate at which few packets arrive carries nothing; one at which nearly all arrive is not preferred for the last few.
//!
//! Few frames sample: after each that does, so many others do not that a sample costs little. Slower rates are sampled
//! only once they have rested long. A frame at a sampled rate has one attempt there, then those of a usual frame.

use multihop_core::{Count, Duration, Number, Rng, Span, Time, While};

use super::counted::{Counted, most, most_tries};
use super::neighbours::Neighbours;
use super::{Attempt, Choices, Controller, RateControl};

const UPDATE: Span = Span {
    name: "minstrel_ht_update",
    about: "How often \"minstrel-ht\" reckons up what it has counted",
    bare_unit: "",
    default: Duration::from_millis(50),
    min: Duration::from_millis(1),
    max: Duration::from_millis(100_000),
};

const WEIGHT: Number = Number {
    name: "minstrel_ht_weight",
    about: "Weight of what \"minstrel-ht\" knew before (EWMA)",
    unit: "",
    default: 0.75,
    min: 0.0,
    max: 0.99,
};

const SAMPLES: Count = Count {
    name: "minstrel_ht_samples",
    unit: "",
    about: "How many frames \"minstrel-ht\" may sample between two updates",
    default: 8,
    min: 0,
    max: 100,
};

const MINE: While = While::Choice("minstrel-ht");

pub(super) const CONTROL: RateControl = RateControl {
    name: "minstrel-ht",
    source: "Linux, rc80211_minstrel_ht.c (2010 to 2020); ns-3.37, minstrel-ht-wifi-manager.cc",
    about: "Minstrel that counts the packets of batches, and samples seldom",
    params: &[
        UPDATE.param().only_while("rate", MINE),
        WEIGHT.param().only_while("rate", MINE),
        SAMPLES.param().only_while("rate", MINE),
    ],
    needs_noise: false,
    make: Some(|values, choices| {
        Box::new(MinstrelHt {
            update: values.get(UPDATE),
            weight: values.get(WEIGHT),
            samples: values.get(SAMPLES),
            choices: choices.clone(),
            neighbours: Neighbours::new(),
        })
    }),
};

/// A rate at which fewer packets arrive carries nothing.
const HOPELESS: f64 = 0.1;
/// What is above this counts as this: the last packets are lost to collisions, whatever the rate.
const COLLISIONS: f64 = 0.9;
/// Of rates at which more packets arrive, the one that carries most is the surest.
const SURE: f64 = 0.75;
/// A rate at which more packets arrive is not sampled.
const KNOWN: f64 = 0.95;
/// A slower rate is sampled if it was not tried for so many updates, and so many are between two updates.
const LONG: u32 = 20;
const MOST_SLOWER: u32 = 3;
/// So many frames, and two for each packet of a usual batch, stand between two that sample.
const PAUSE: f64 = 16.0;
/// A new neighbour is sampled so often at once, and so often before the first update.
const AT_ONCE: u32 = 4;
const AT_FIRST: u32 = 16;
const FEWEST_TRIES: u32 = 2;
/// Rates that one frame goes through.
const LINKS: usize = 3;

struct MinstrelHt {
    update: Duration,
    weight: f64,
    samples: u32,
    choices: Choices,
    neighbours: Neighbours<Neighbour>,
}

struct Neighbour {
    rates: Vec<Counted>,
    /// The order in which they are sampled, and which is next.
    order: Vec<usize>,
    next: usize,
    updated: Time,
    best: usize,
    second: usize,
    surest: usize,
    /// Packets in a usual batch; frames and packets since the last update, and packets of the frame in hand.
    batch: f64,
    frames: u32,
    packets: u32,
    outcomes: u32,
    /// Frames before the next may sample; how many may then, and how many before the next update; how many slower rates
    /// were sampled.
    pause: u32,
    due: u32,
    samples: u32,
    slower: u32,
    /// The rates of the frame in hand, with their attempts.
    chain: [(usize, u32); LINKS],
}

impl Neighbour {
    fn new(rates: usize, samples: u32, now: Time) -> Self {
        let samples = if samples == 0 { 0 } else { AT_FIRST };
        Neighbour {
            rates: vec![Counted::default(); rates],
            order: (0..rates).collect(),
            next: rates,
            updated: now,
            best: 0,
            second: 0,
            surest: 0,
            batch: 1.0,
            frames: 0,
            packets: 0,
            outcomes: 0,
            pause: 0,
            due: samples.min(AT_ONCE),
            samples,
            slower: 0,
            chain: [(0, 1); LINKS],
        }
    }

    /// How long a packet takes at a rate, with its share of what a batch takes once.
    fn seconds(&self, at: usize, choices: &Choices) -> f64 {
        choices.added[at].seconds() + choices.once[at].seconds() / self.batch
    }

    /// Reckon up what was counted.
    fn reckon(&mut self, weight: f64, samples: u32, choices: &Choices) {
        self.rates.iter_mut().for_each(|rate| rate.reckon(weight));
        if self.frames > 0 {
            let now = f64::from(self.packets) / f64::from(self.frames);
            self.batch = weight * self.batch + (1.0 - weight) * now.max(1.0);
        }
        (self.frames, self.packets, self.samples, self.slower) = (0, 0, samples, 0);
        let carried = |at: usize| {
            let probability = self.rates[at].probability();
            let counts = probability >= HOPELESS;
            f64::from(counts) * probability.min(COLLISIONS) / self.seconds(at, choices)
        };
        let count = self.rates.len();
        let best = most(count, None, carried);
        let second = most(count, Some(best), carried);
        let sure = |at: usize| {
            let probability = self.rates[at].probability();
            if probability > SURE { 1.0 + carried(at) } else { probability }
        };
        (self.best, self.second, self.surest) = (best, second, most(count, None, sure));
    }

    /// How many attempts in a row a rate has.
    fn tries(&self, at: usize, choices: &Choices) -> u32 {
        if self.rates[at].probability() < HOPELESS {
            return 1;
        }
        let batch = choices.once[at] + choices.added[at].scaled(self.batch);
        most_tries(batch, choices.slot, choices.windows).max(FEWEST_TRIES)
    }

    /// The rate at which a new frame samples, if it does.
    fn sample(&mut self, choices: &Choices, rng: &mut Rng) -> Option<usize> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        if self.due == 0 {
            if self.samples > 0 {
                (self.samples, self.due) = (self.samples - 1, 1);
                self.pause = (PAUSE + 2.0 * self.batch) as u32;
            }
            return None;
        }
        let at = self.next_in_order(rng);
        let rate = &self.rates[at];
        let known = rate.probability() > KNOWN;
        if known || [self.best, self.second, self.surest].contains(&at) {
            return None;
        }
        if self.seconds(at, choices) >= self.seconds(self.second, choices) {
            if rate.rested < LONG || self.slower == MOST_SLOWER {
                return None;
            }
            self.slower += 1;
        }
        self.due -= 1;
        Some(at)
    }

    /// Each rate comes once, in a random order, before any comes again.
    fn next_in_order(&mut self, rng: &mut Rng) -> usize {
        let rates = self.order.len();
        if self.next == rates {
            for last in (1..rates).rev() {
                self.order.swap(last, rng.below(last as u32 + 1) as usize);
            }
            self.next = 0;
        }
        self.next += 1;
        self.order[self.next - 1]
    }

    /// The rates of a new frame.
    fn begin(&mut self, choices: &Choices, rng: &mut Rng) {
        let usual = |at: usize| (at, self.tries(at, choices));
        let (best, second, surest) = (usual(self.best), usual(self.second), usual(self.surest));
        self.chain = match self.sample(choices, rng) {
            Some(at) => [(at, 1), best, surest],
            None => [best, second, surest],
        };
    }
}

impl Controller for MinstrelHt {
    fn choose(&mut self, attempt: &Attempt, rng: &mut Rng) -> usize {
        let MinstrelHt { update, weight, samples, choices, neighbours } = self;
        let Attempt { to, failures, now } = *attempt;
        let rates = choices.modes.len();
        let neighbour = neighbours.of(to, || Neighbour::new(rates, *samples, now));
        if neighbour.outcomes > 0 {
            neighbour.frames += 1;
            neighbour.packets += core::mem::take(&mut neighbour.outcomes);
        }
        if now.since(neighbour.updated) >= *update {
            neighbour.updated = now;
            neighbour.reckon(*weight, *samples, choices);
        }
        if failures == 0 {
            neighbour.begin(choices, rng);
        }
        let mut left = failures;
        for (rate, tries) in neighbour.chain {
            if left < tries {
                return rate;
            }
            left -= tries;
        }
        neighbour.chain[LINKS - 1].0
    }

    fn on_outcome(&mut self, attempt: &Attempt, choice: usize, acknowledged: bool) {
        if let Some(neighbour) = self.neighbours.find(attempt.to) {
            neighbour.rates[choice].tell(acknowledged);
            neighbour.outcomes += 1;
        }
    }
}
