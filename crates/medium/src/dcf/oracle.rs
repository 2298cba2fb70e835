//! An oracle that no station has (`mac.collision_free`): before a station begins an exchange, it is told whether that
//! would lose a frame. If so, it contends anew when what is in the way is over.
//!
//! It is the upper reference of what access to the medium may cost: carrier sense, backoff, EIFS and link
//! acknowledgments stay, and no frame for one station is lost to another one. It knows of each pair of stations how strongly
//! they hear each other on average; what shadowing does to a single frame it does not. A broadcast destroys nothing, and
//! is not protected.

use multihop_core::{NodeId, Time};
use multihop_setup::{Interference, Radio, Reception};

use super::backoff::Backoff;
use super::frame::{BROADCAST, NO_PAIR, PAIR, Profile};
use super::nist;
use super::pending::Current;
use super::ports::Ports;
use super::settings::Settings;
use super::station::{Rules, State, Station};
use crate::channel::Channel;

/// The share of frames that have to survive what the oracle lets begin, where bits may be wrong.
const SURE: f64 = 0.999;
/// How long a frame is whose bits those are.
const BITS: f64 = 1500.0 * 8.0;

/// What it knows of receivers.
pub(super) struct Oracle {
    /// How many times as strong as all else a frame has to be.
    ratio: f64,
    /// Noise in W.
    noise: f64,
    /// Whether a radio turns to frames that it cannot decode.
    locks_on_weak: bool,
}

/// An exchange between stations: who has begun it, and with whom.
#[derive(Clone, Copy)]
pub(super) struct Between {
    one: u32,
    /// [`BROADCAST`] for nobody.
    others: [u32; 2],
    /// Whether it begins with an RTS, which is all that has been sent.
    is_announced: bool,
}

impl Oracle {
    /// What there is to know of receivers of such frames over this radio.
    pub fn new(settings: &Settings, radio: &Radio) -> Self {
        match radio.interference {
            Interference::Ofdm(receiver) => Oracle {
                ratio: nist::needed(&receiver, settings.mode(settings.data_rate), BITS, SURE),
                noise: receiver.noise,
                locks_on_weak: false,
            },
            Interference::Ratio | Interference::Dsss => Oracle {
                ratio: radio.capture_ratio,
                noise: 0.0,
                locks_on_weak: radio.reception != Reception::FirstDecodable,
            },
        }
    }

    /// What it sees `now`.
    pub fn around<'a>(
        &'a self,
        stations: &'a [Station],
        channel: &'a Channel,
        profile: &'a Profile,
        now: Time,
    ) -> Around<'a> {
        let under_way =
            stations.iter().filter_map(|station| station.under_way(now, profile)).collect();
        Around { oracle: self, stations, channel, profile, now, under_way }
    }
}

impl Between {
    fn others(self) -> impl Iterator<Item = u32> {
        self.others.into_iter().filter(|other| *other != BROADCAST)
    }

    fn all(self) -> impl Iterator<Item = u32> {
        std::iter::once(self.one).chain(self.others())
    }

    /// The frames that go between them: from whom, and to whom. Not all MACs answer.
    fn frames(self, answers: bool) -> impl Iterator<Item = (u32, u32)> {
        let both = move |other| [(self.one, other), (other, self.one)];
        self.others().flat_map(move |other| both(other).into_iter().take(1 + usize::from(answers)))
    }
}

impl Station {
    /// What this station is about to begin `ports.now`, if it is.
    pub(super) fn begins<R: Rules>(&mut self, ports: &mut Ports<R>) -> Option<Between> {
        self.catch_up(ports);
        let now = ports.now;
        let is_due = self.own.timer > now
            && self.own.exchange.respond_at > now
            && self.may_send_at::<R>(ports.profile) <= now
            && (self.is_idle(now) || self.cannot_know());
        let current = self.own.exchange.current.filter(|current| is_due && !current.cleared)?;
        let others = named(current.job.to, current.job.pair);
        Some(Between { one: self.own.me, others, is_announced: current.uses_rts })
    }

    /// The exchange that this station has begun, and until when it lasts at most, or is asked for again; `None` if there is
    /// none `now`.
    fn under_way(&self, now: Time, profile: &Profile) -> Option<(Between, Time)> {
        let one = self.own.me;
        // Behind a CTS, the data is due.
        let cleared = self.own.exchange.current.filter(|current| current.cleared);
        if let Some(Current { job, .. }) = cleared
            && self.own.exchange.respond_at < Time::NEVER
        {
            let others = named(job.to, job.pair);
            let between = Between { one, others, is_announced: true };
            return Some((between, self.own.exchange.respond_at));
        }
        if matches!(self.own.state, State::Idle | State::AwaitsData) {
            return None;
        }
        let sent = self.sent();
        let is_announced = self.own.state == State::AwaitsCts;
        let between = Between { one, others: named(sent.to, sent.pair), is_announced };
        // Data follows a CTS that has come, and that nobody has looked at yet.
        let data = if is_announced { self.lock.end + profile.sifs } else { now };
        let until = self.own.timer.max(self.own.transmits_until).max(data);
        (until > now && until < Time::NEVER).then_some((between, until))
    }

    /// The frame that waits contends anew, from `at` on.
    pub(super) fn contend_from<R: Rules>(&mut self, at: Time) {
        let slots = self.own.draw::<R>();
        self.engaged = true;
        self.own.backoff = Some(Backoff { slots, started: at, drawn: true, committed: None });
    }

    /// Until when this receiver turns to no new frame; `None` if it does.
    fn deaf_until(&self, now: Time) -> Option<Time> {
        let until = self.lock.end.max(self.own.transmits_until);
        (until > now).then_some(until)
    }
}

fn named(to: u32, pair: [u32; 2]) -> [u32; 2] {
    match to {
        PAIR => pair,
        to if to < PAIR => [to, BROADCAST],
        _ => NO_PAIR,
    }
}

/// All stations when one of them is about to begin an exchange.
pub(super) struct Around<'a> {
    oracle: &'a Oracle,
    stations: &'a [Station],
    channel: &'a Channel,
    profile: &'a Profile,
    now: Time,
    /// What is under way, and until when.
    under_way: Vec<(Between, Time)>,
}

impl Around<'_> {
    /// Until when an exchange that begins now would lose a frame, of its own or of another one; `None` if it would not.
    pub fn harm_until(&self, begins: Between) -> Option<Time> {
        let deaf = begins.others().filter_map(|to| self.stations[to as usize].deaf_until(self.now));
        let meets = |(other, until): &(Between, Time)| {
            let shares = begins.all().any(|node| other.all().any(|at| at == node));
            let harms = || self.harms(*other, begins) || self.harms(begins, *other);
            (shares || harms()).then_some(*until)
        };
        let others = self.under_way.iter().filter(|(other, _)| other.one != begins.one);
        deaf.max().max(others.filter_map(meets).max())
    }

    /// Whether a frame of `exchange` is lost beside those of the `others`, and all that is under way.
    fn harms(&self, exchange: Between, others: Between) -> bool {
        exchange.frames(self.profile.settings().acknowledges).any(|(from, to)| {
            let own = self.power(from, to);
            // What comes later comes to a station whose radio must not have turned to another frame.
            let comes_later = to == exchange.one || exchange.is_announced;
            let takes = |node| self.takes(self.power(node, to), own);
            comes_later && others.all().any(takes) || !self.survives(own, to, others)
        })
    }

    /// Whether a radio turns to a frame of `power` W, and misses one of `own` that comes then.
    fn takes(&self, power: f64, own: f64) -> bool {
        if power <= 0.0 {
            false
        } else if self.profile.captures_stronger() {
            own < power * self.oracle.ratio
        } else {
            let decodable = self.profile.capture.in_watts(self.profile.receive_threshold);
            self.oracle.locks_on_weak || power >= decodable
        }
    }

    /// Whether a frame that arrives at `to` with `own` W survives the strongest of `others`, or, where interference adds up,
    /// it and all others.
    fn survives(&self, own: f64, to: u32, others: Between) -> bool {
        let strongest =
            |between: Between| between.all().map(|node| self.power(node, to)).fold(0.0, f64::max);
        let mut noise = strongest(others);
        if noise <= 0.0 {
            return true;
        }
        if self.profile.adds_up() {
            let apart = |between: &Between| {
                between.one != others.one && between.all().all(|node| node != to)
            };
            let rest = self.under_way.iter().map(|(between, _)| *between).filter(apart);
            noise += rest.map(strongest).sum::<f64>() + self.oracle.noise;
        }
        own >= noise * self.oracle.ratio
    }

    /// The mean power in W of `from` at `to`; 0 if it is not sensed.
    fn power(&self, from: u32, to: u32) -> f64 {
        self.channel.power(NodeId(from), NodeId(to), self.now).unwrap_or(0.0)
    }
}
