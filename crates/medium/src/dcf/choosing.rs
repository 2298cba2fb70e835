//! How a station chooses rates: what its rate control is asked, and what it is told.

use multihop_core::{Bytes, Time, Values};
use multihop_setup::{Interference, Radio};

use super::pending::ModeChoice;
use super::phy::Mode;
use super::rates::{Attempt, Choices, Rates};
use super::settings::Settings;
use super::station::Station;

/// A frame of a usual length.
const USUAL_FRAME: Bytes = Bytes(1200);

/// The rate control of the `settings`; `None` where all frames have one rate.
pub(super) fn rates(settings: &Settings, values: &Values, radio: &Radio) -> Option<Rates> {
    let rates = settings.data_rates();
    let choices = Choices {
        modes: rates.iter().map(|rate| settings.format.mode(*rate)).collect(),
        air_times: rates.iter().map(|rate| settings.air_time(*rate, USUAL_FRAME)).collect(),
        once: rates.iter().map(|rate| settings.once(*rate)).collect(),
        added: rates.iter().map(|rate| settings.added(*rate, USUAL_FRAME)).collect(),
        slot: settings.slot,
        windows: (settings.cw_min, settings.cw_max),
        receiver: match radio.interference {
            Interference::Ofdm(receiver) => Some(receiver),
            Interference::Ratio | Interference::Dsss => None,
        },
    };
    Rates::new(settings.rate_control, choices, values)
}

impl Station {
    /// The rates of its frames are chosen from now on.
    pub(super) fn choose_rates(&mut self, rates: Option<&Rates>) {
        self.own.rates = rates.map(|rates| Box::new(rates.anew()));
    }

    /// An attempt for the station's frame is about to go: its mode.
    #[cold]
    pub(super) fn choose_mode(&mut self, now: Time) -> Option<Mode> {
        let own = &mut *self.own;
        let (rates, current) = (own.rates.as_mut()?, own.exchange.current.as_mut()?);
        current.choice = ModeChoice::Made;
        let attempt = Attempt { to: current.job.to, failures: current.failures, now };
        Some(rates.choose(&attempt, &mut own.rng))
    }

    /// The data of the station's frame was acknowledged, or was not.
    #[cold]
    pub(super) fn learn_outcome(&mut self, acknowledged: bool, now: Time) {
        let own = &mut *self.own;
        let (Some(rates), Some(current)) = (&mut own.rates, &mut own.exchange.current) else {
            return;
        };
        current.learn(rates, acknowledged, now);
        current.failures += u32::from(!acknowledged);
        current.choice = ModeChoice::Due;
    }

    /// A frame of `from` was decoded, which was so many times as strong as noise.
    #[cold]
    pub(super) fn learn_signal(&mut self, from: u32, ratio: f64) {
        if let Some(rates) = &mut self.own.rates {
            rates.learn_signal(from, ratio);
        }
    }
}
