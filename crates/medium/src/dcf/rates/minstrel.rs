//! Minstrel as ns-3's `MinstrelWifiManager` and the Linux kernel before 802.11n have it: of every rate it counts how often
//! data was acknowledged, weighs that with what it knew before, and takes the rate of the most throughput. Some frames go
//! at others, to learn of them.
//!
//! One frame has a chain of rates, each for some attempts: the best, the second best, the most probable to succeed, the
//! slowest. A frame that samples has a rate drawn at random in front of the best or, if it is slower than that, behind it,
//! so that it costs nothing unless the best fails. How many attempts a frame has in all is the MAC's affair.

use multihop_core::{Duration, Number, Rng, Span, Time, While};

use super::counted::{Counted, most, tries_of};
use super::neighbours::Neighbours;
use super::{Attempt, Controller, RateControl};

const UPDATE: Span = Span {
    name: "minstrel_update",
    about: "How often \"minstrel\" reckons up what it has counted",
    bare_unit: "",
    default: Duration::from_millis(100),
    min: Duration::from_millis(1),
    max: Duration::from_millis(100_000),
};

const WEIGHT: Number = Number {
    name: "minstrel_weight",
    about: "Weight of what \"minstrel\" knew before (EWMA)",
    unit: "",
    default: 0.75,
    min: 0.0,
    max: 0.99,
};

const SAMPLES: Number = Number {
    name: "minstrel_samples",
    about: "Share of frames at which \"minstrel\" tries other rates",
    unit: "",
    default: 0.1,
    min: 0.0,
    max: 0.5,
};

const MINE: While = While::Choice("minstrel");

pub(super) const CONTROL: RateControl = RateControl {
    name: "minstrel",
    source: "Linux, rc80211_minstrel.c (2008 to 2019); ns-3.37, minstrel-wifi-manager.cc",
    about: "The rate that has carried most of late; some frames try others",
    params: &[
        UPDATE.param().only_while("rate", MINE),
        WEIGHT.param().only_while("rate", MINE),
        SAMPLES.param().only_while("rate", MINE),
    ],
    needs_noise: false,
    make: Some(|values, choices| {
        Box::new(Minstrel {
            update: values.get(UPDATE),
            weight: values.get(WEIGHT),
            samples: values.get(SAMPLES),
            seconds: choices.air_times.iter().map(|time| time.seconds()).collect(),
            most_tries: tries_of(choices),
            neighbours: Neighbours::new(),
        })
    }),
};

/// Rates that succeed more often than this, or less often, have two attempts at most.
const SURE: f64 = 0.95;
const HOPELESS: f64 = 0.1;
/// A slower rate that was not tried for so many updates is sampled as a faster one is.
const LONG: u32 = 20;
/// After so many frames older ones count half.
const MANY: u32 = 10_000;
/// Places of a chain before the slowest rate.
const LINKS: usize = 3;

struct Minstrel {
    update: Duration,
    weight: f64,
    samples: f64,
    /// How long a usual frame lasts, by rate.
    seconds: Vec<f64>,
    most_tries: Vec<u32>,
    neighbours: Neighbours<Neighbour>,
}

struct Neighbour {
    rates: Vec<Counted>,
    updated: Time,
    best: usize,
    second: usize,
    surest: usize,
    /// Frames, and how many of them have sampled.
    frames: u32,
    sampled: f64,
    /// The rates of the frame in hand, before the slowest.
    chain: [usize; LINKS],
}

/// How many attempts in a row a rate has, of so many that there is time for.
fn tries(rate: &Counted, most: u32) -> u32 {
    if (HOPELESS..=SURE).contains(&rate.probability()) { most } else { (most / 2).clamp(1, 2) }
}

impl Neighbour {
    fn new(rates: usize, now: Time) -> Self {
        Neighbour {
            rates: vec![Counted::default(); rates],
            updated: now,
            best: 0,
            second: 0,
            surest: 0,
            frames: 0,
            sampled: 0.0,
            chain: [0; LINKS],
        }
    }

    /// Reckon up what was counted.
    fn reckon(&mut self, weight: f64, seconds: &[f64]) {
        self.rates.iter_mut().for_each(|rate| rate.reckon(weight));
        let probability = |at: usize| self.rates[at].probability();
        let throughput = |at: usize| probability(at) / seconds[at];
        let count = self.rates.len();
        let best = most(count, None, throughput);
        let second = most(count, Some(best), throughput);
        // Of sure ones, that of the most throughput.
        let sure = |at: usize| {
            let probability = probability(at);
            if probability > SURE { 1.0 + throughput(at) } else { probability }
        };
        let surest = most(count, None, sure);
        (self.best, self.second, self.surest) = (best, second, surest);
    }

    /// The rates of a new frame.
    fn begin(&mut self, samples: f64, seconds: &[f64], rng: &mut Rng) {
        self.chain = [self.best, self.second, self.surest];
        self.frames += 1;
        if self.frames == MANY {
            (self.frames, self.sampled) = (self.frames / 2, self.sampled / 2.0);
        }
        if self.rates.len() == 1
            || self.sampled >= samples * f64::from(self.frames)
            || rng.chance(0.5)
        {
            return;
        }
        let sample = rng.below(self.rates.len() as u32) as usize;
        if sample == self.best {
            return;
        }
        if seconds[sample] > seconds[self.best] && self.rates[sample].rested < LONG {
            self.chain = [self.best, sample, self.surest];
            self.sampled += 0.5;
        } else {
            self.chain = [sample, self.best, self.surest];
            self.sampled += 1.0;
        }
    }
}

impl Controller for Minstrel {
    fn choose(&mut self, attempt: &Attempt, rng: &mut Rng) -> usize {
        let Minstrel { update, weight, samples, seconds, most_tries, neighbours } = self;
        let Attempt { to, failures, now } = *attempt;
        let neighbour = neighbours.of(to, || Neighbour::new(seconds.len(), now));
        if now.since(neighbour.updated) >= *update {
            neighbour.updated = now;
            neighbour.reckon(*weight, seconds);
        }
        if failures == 0 {
            neighbour.begin(*samples, seconds, rng);
        }
        let mut left = failures;
        for rate in neighbour.chain {
            let tries = tries(&neighbour.rates[rate], most_tries[rate]);
            if left < tries {
                return rate;
            }
            left -= tries;
        }
        0
    }

    fn on_outcome(&mut self, attempt: &Attempt, choice: usize, acknowledged: bool) {
        if let Some(neighbour) = self.neighbours.find(attempt.to) {
            neighbour.rates[choice].tell(acknowledged);
        }
    }
}
