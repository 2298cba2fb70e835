//! An engine whose medium its caller does not know: asked once for many events, it costs nothing.

use std::any::Any;

use multihop_core::{HandOver, Medium, Time};
use multihop_medium::dcf::{Ns2, Stations};
use multihop_setup::Setup;
use multihop_trace::Observer;

use super::Engine;
use crate::options::Options;
use crate::results::Tables;

/// An engine on any medium.
pub trait Steps<'o> {
    /// `observer` watches the run, too.
    fn watch(&mut self, observer: Box<dyn Observer + 'o>);

    /// The run begins.
    fn begin(&mut self);

    /// What happens before `until`, but at most so many events. Returns whether none is left before the end.
    fn proceed(&mut self, until: Time, events: u64) -> bool;

    /// Everything before `time` has happened.
    fn reach(&mut self, time: Time);

    /// The simulated time, when the run ends, and how many events there were.
    fn progress(&self) -> (Time, Time, u64);

    /// The run ends here: observers are told what has become of frames until now.
    fn cancel(&mut self);

    /// The run is over: what is left of it.
    fn into_tables(self: Box<Self>) -> Tables;
}

/// An engine for `setup`. The loop is compiled once for the medium of nearly all runs, of which it is a part then, and once
/// for all others (ADR 0106).
///
/// # Panics
/// If the run lasts for 36 years, which `multihop-scenario` refuses.
pub fn engine<'o>(setup: Setup, options: Options) -> Box<dyn Steps<'o> + 'o> {
    let medium = multihop_medium::medium(&setup);
    let known: &dyn Any = &*medium;
    if known.is::<Stations<Ns2>>() {
        let medium: Box<dyn Any> = medium;
        let stations = medium.downcast::<Stations<Ns2>>().expect("its type has been asked");
        return Box::new(Engine::new(stations, setup, options));
    }
    Box::new(Engine::new(medium, setup, options))
}

impl<'o, M: Medium + ?Sized> Steps<'o> for Engine<'o, M> {
    fn watch(&mut self, observer: Box<dyn Observer + 'o>) {
        self.observers.push(observer);
    }

    fn begin(&mut self) {
        self.tell_start();
    }

    fn proceed(&mut self, until: Time, events: u64) -> bool {
        self.go_on(until, events)
    }

    fn reach(&mut self, time: Time) {
        self.advance(time);
    }

    fn progress(&self) -> (Time, Time, u64) {
        (self.now, self.setup.end, self.steps)
    }

    fn cancel(&mut self) {
        self.tell_receptions(HandOver::All);
    }

    fn into_tables(self: Box<Self>) -> Tables {
        self.tables()
    }
}
