//! Schemes whose nodes a learner controls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use multihop_core::{End, FlowId, Hop, Params, Scheme, Transport};
use multihop_schemes::parts::tcp;

use super::hop::SteeredHop;
use super::seats::Seats;
use super::window::SteeredWindow;

/// The seats of one environment, and the schemes that lead to them. As schemes do, it lives as long as the program;
/// environments that are gone leave theirs to new ones.
#[derive(Default)]
pub struct Steering {
    /// Where agents sit.
    pub seats: Seats,
    /// Schemes whose nodes sit there, each behind the scheme that it is in all else.
    schemes: Mutex<Vec<(&'static Scheme, &'static Scheme)>>,
}

/// What nobody has any more.
static FREE: Mutex<Vec<&'static Steering>> = Mutex::new(Vec::new());

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Steering {
    /// That of an environment.
    pub fn take() -> &'static Steering {
        held(&FREE).pop().unwrap_or_else(|| Box::leak(Box::default()))
    }

    /// An environment is gone.
    pub fn give_back(&'static self) {
        held(&FREE).push(self);
    }

    /// The scheme that is `base` in all that is not controlled.
    pub fn scheme(&'static self, base: &'static Scheme) -> &'static Scheme {
        let mut schemes = held(&self.schemes);
        if let Some((_, known)) = schemes.iter().find(|(of, _)| std::ptr::eq(*of, base)) {
            return known;
        }
        let seats = &self.seats;
        let hop = move |params: &Params| -> Box<dyn Hop> {
            Box::new(SteeredHop::new((base.hop)(params), seats))
        };
        let transport = move |params: &Params, flow: FlowId, end: End| -> Box<dyn Transport> {
            if end == End::Source && seats.terms().windows {
                return tcp::transport(params, flow, end, SteeredWindow::new(flow.source, seats));
            }
            (base.transport)(params, flow, end)
        };
        let scheme: &'static Scheme = Box::leak(Box::new(Scheme {
            hop: Box::leak(Box::new(hop)),
            transport: Box::leak(Box::new(transport)),
            ..*base
        }));
        schemes.push((base, scheme));
        scheme
    }
}
