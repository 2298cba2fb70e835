//! Rate control (`mac.rate`): at which rate a station sends the next attempt for a frame. One file per way.
//!
//! A frame whose owner asks for no rate, and that one neighbour acknowledges, has the rate that the station's
//! [`Controller`] chooses when the attempt goes on the air, not when the frame was handed over. Broadcasts, RTS and answers
//! have those that the format says.

mod counted;
mod fixed;
mod ideal;
mod minstrel;
mod minstrel_ht;
mod neighbours;

use core::fmt;

use multihop_core::{Alternative, Choice, Duration, Param, Rng, Time, Values};
use multihop_setup::{Interference, Ofdm, Radio, Refusal};

use super::phy::{Format, Mode};

pub(super) use neighbours::MOST_NEIGHBOURS;

/// A way to choose rates, with everything that tools need to know of it.
#[derive(Clone, Copy)]
pub struct RateControl {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How it chooses.
    pub about: &'static str,
    /// Its parameters, which stand in `[mac]`.
    pub params: &'static [Param],
    /// Whether it needs to know how strong signals are beside noise.
    pub needs_noise: bool,
    /// Makes that of a station; `None` where all frames have `mac.data_rate`.
    pub make: Option<MakeController>,
}

/// Makes the rate control of a station.
pub type MakeController = fn(&Values, &Choices) -> Box<dyn Controller>;

/// All of them; the first is the default.
pub const RATE_CONTROLS: &[RateControl] =
    &[fixed::CONTROL, ideal::CONTROL, minstrel::CONTROL, minstrel_ht::CONTROL];

pub(super) const RATE: Choice<&RateControl> = Choice {
    name: "rate",
    about: "How stations choose the rate of each attempt for a frame to one neighbour; up to data_rate",
    among: &NAMES,
    values: &VALUES,
};

const NAMES: [Alternative; RATE_CONTROLS.len()] = {
    let mut all = [Alternative { name: "", about: "" }; RATE_CONTROLS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = Alternative { name: RATE_CONTROLS[at].name, about: RATE_CONTROLS[at].about };
        at += 1;
    }
    all
};

const VALUES: [&RateControl; RATE_CONTROLS.len()] = {
    let mut all = [&RATE_CONTROLS[0]; RATE_CONTROLS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = &RATE_CONTROLS[at];
        at += 1;
    }
    all
};

/// How many parameters a MAC with `own` has, with those of all ways.
pub(super) const fn count(own: usize) -> usize {
    let (mut all, mut at) = (own, 0);
    while at < RATE_CONTROLS.len() {
        all += RATE_CONTROLS[at].params.len();
        at += 1;
    }
    all
}

/// `own` and the parameters of all ways.
pub(super) const fn joined<const ALL: usize>(own: &[Param]) -> [Param; ALL] {
    let mut all = [own[0]; ALL];
    let mut to = 0;
    while to < own.len() {
        all[to] = own[to];
        to += 1;
    }
    let mut at = 0;
    while at < RATE_CONTROLS.len() {
        let mut from = 0;
        while from < RATE_CONTROLS[at].params.len() {
            all[to] = RATE_CONTROLS[at].params[from];
            from += 1;
            to += 1;
        }
        at += 1;
    }
    all
}

/// What rates can be chosen, and what is known of them before the run.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The modes, from the slowest on.
    pub modes: Vec<Mode>,
    /// How long a frame of 1200 B is on the air in each.
    pub air_times: Vec<Duration>,
    /// What an exchange takes whatever the length of its frame: the preamble, SIFS and the answer.
    pub once: Vec<Duration>,
    /// What 1200 B add to that.
    pub added: Vec<Duration>,
    /// Slot time.
    pub slot: Duration,
    /// Smallest and largest contention window.
    pub windows: (u32, u32),
    /// The receiver of each station, if it is one of OFDM.
    pub receiver: Option<Ofdm>,
}

/// An attempt for a frame that is about to go.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// To which node.
    pub to: u32,
    /// How often data for it was not acknowledged before.
    pub failures: u32,
    /// Now.
    pub now: Time,
}

/// What chooses the rates of a station.
pub trait Controller {
    /// The place of the mode among the choices.
    fn choose(&mut self, attempt: &Attempt, rng: &mut Rng) -> usize;

    /// A frame of a neighbour was decoded, which was so many times as strong as noise.
    fn on_heard(&mut self, _from: u32, _ratio: f64) {}

    /// Data for a neighbour was acknowledged, or was not.
    fn on_outcome(&mut self, _attempt: &Attempt, _choice: usize, _acknowledged: bool) {}
}

/// A station's rate control.
pub struct Rates {
    choices: Choices,
    controller: Box<dyn Controller>,
    make: MakeController,
    values: Values,
}

impl Rates {
    /// That of `control` among these choices; `None` where all frames have one rate.
    pub(super) fn new(control: &RateControl, choices: Choices, values: &Values) -> Option<Self> {
        let make = control.make?;
        Some(Rates { controller: make(values, &choices), choices, make, values: values.clone() })
    }

    /// The same for another station, or after a restart: nothing is known.
    pub(super) fn anew(&self) -> Self {
        let Rates { choices, make, values, .. } = self;
        let controller = make(values, choices);
        Rates { choices: choices.clone(), controller, make: *make, values: values.clone() }
    }

    /// The mode of an attempt.
    pub(super) fn choose(&mut self, attempt: &Attempt, rng: &mut Rng) -> Mode {
        self.choices.modes[self.controller.choose(attempt, rng)]
    }

    /// Data in this mode was acknowledged, or was not.
    pub(super) fn learn_outcome(&mut self, attempt: &Attempt, mode: Mode, acknowledged: bool) {
        if let Some(choice) = self.choices.modes.iter().position(|one| *one == mode) {
            self.controller.on_outcome(attempt, choice, acknowledged);
        }
    }

    /// A frame of `from` was decoded, which was so many times as strong as noise.
    pub(super) fn learn_signal(&mut self, from: u32, ratio: f64) {
        self.controller.on_heard(from, ratio);
    }
}

impl RateControl {
    /// Refuses what it cannot choose of.
    pub(super) fn check(&self, format: Format, radio: Option<&Radio>) -> Result<(), Refusal> {
        if self.make.is_some() && format == Format::Serial {
            let message = format!(
                "\"{}\" chooses among the rates of OFDM; set mac.timing = \"ofdm-5\", \"ofdm-2.4\" or \"ht-5\", or remove mac.rate: \
                 frames then have mac.data_rate",
                self.name
            );
            return Err(Refusal::new(RATE.name, message));
        }
        let has_noise =
            radio.is_none_or(|radio| matches!(radio.interference, Interference::Ofdm(_)));
        if self.needs_noise && !has_noise {
            let message = format!(
                "\"{}\" compares signals with noise, which only radio.interference = \"ofdm\" has; remove \
                 radio.interference, or use mac.rate = \"minstrel\"",
                self.name
            );
            return Err(Refusal::new(RATE.name, message));
        }
        Ok(())
    }
}

impl PartialEq for RateControl {
    fn eq(&self, other: &RateControl) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for RateControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
