//! Explicit link failure notification: Gavin Holland, Nitin Vaidya, *Analysis of TCP Performance
//! over Mobile Ad Hoc Networks*, `MobiCom` 1999. A loss behind a broken route says nothing about
//! congestion: the sender stands by until a probe gets through.
//!
//! The notice is [`multihop_core::RouteNews::Lost`] at the source: routing's own error message has
//! come there, as the paper has it with DSR's.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | stand-by mode | `State::Standby` | | |
//! | the probing interval | `elfn_probe` | s | 2 |
//!
//! What is reconstructed:
//!
//! | Place | Here |
//! |---|---|
//! | the first probe | one interval after the notice |
//! | a notice while nothing is on its way | of no effect: there is nothing to probe with |
//! | the timer after stand-by | starts anew, with the RTO as it was |
//! | round trips that span stand-by | are no samples, nor is that of a probe (RFC 6298, 3) |
//! | routing finds a way by itself | not waited for: only an acknowledgment ends stand-by |

use multihop_core::{Duration, Params, Span, Switch, Time};

/// Whether there is stand-by at all.
pub const ELFN: Switch = Switch {
    name: "elfn",
    about: "Stand by while the route is broken, as told by routing (Holland, Vaidya 1999)",
    default: false,
};

/// How often a sender on stand-by probes.
pub const ELFN_PROBE: Span = Span {
    name: "elfn_probe",
    about: "With elfn, the time between two probes of a broken route (Holland, Vaidya 1999)",
    bare_unit: "s",
    default: Duration::from_millis(2_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(3_600_000),
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Active,
    /// The time of the next probe; `None` once it has come, until the probe is sent.
    Standby(Option<Time>),
}

/// What a sender knows of the state of its route.
#[derive(Clone, Copy, Debug)]
pub struct Elfn {
    /// Between two probes; `None` without ELFN.
    interval: Option<Duration>,
    state: State,
}

impl Elfn {
    /// With [`ELFN`] and [`ELFN_PROBE`].
    pub fn new(params: &Params) -> Self {
        let interval = params.get(ELFN).then_some(params.get(ELFN_PROBE));
        Elfn { interval, state: State::Active }
    }

    /// Whether the sender stands by.
    pub fn stands_by(&self) -> bool {
        self.state != State::Active
    }

    /// The route is broken while data is on its way. Whether stand-by begins now.
    pub fn on_lost(&mut self, now: Time) -> bool {
        match (self.interval, self.state) {
            (Some(interval), State::Active) => {
                self.state = State::Standby(Some(now + interval));
                true
            }
            _ => false,
        }
    }

    /// An acknowledgment has arrived. Whether it ends stand-by.
    pub fn on_acknowledgment(&mut self) -> bool {
        core::mem::replace(&mut self.state, State::Active) != State::Active
    }

    /// The time for a probe has come.
    pub fn on_deadline(&mut self, now: Time) {
        if let State::Standby(Some(at)) = self.state
            && at <= now
        {
            self.state = State::Standby(None);
        }
    }

    /// Whether to send a probe now.
    pub fn poll_probe(&mut self, now: Time) -> bool {
        match (self.interval, self.state) {
            (Some(interval), State::Standby(None)) => {
                self.state = State::Standby(Some(now + interval));
                true
            }
            _ => false,
        }
    }

    /// When to call [`Elfn::on_deadline`].
    pub fn deadline(&self) -> Time {
        match self.state {
            State::Standby(Some(at)) => at,
            State::Active | State::Standby(None) => Time::NEVER,
        }
    }
}
