//! Parts that are checked with every call, and tell the books of their node what no output says.

mod hop;
mod routing;
mod transport;

use std::sync::{Arc, Mutex, MutexGuard};

use multihop_core::{Hop, Routing, Transport};

use crate::watch::Watch;

pub(crate) use hop::AuditedHop;
pub(crate) use routing::AuditedRouting;
pub(crate) use transport::{AuditedTransport, Whose};

/// More steps than any part takes at once.
const WITHOUT_END: usize = 500;

/// What happens inside a node without an output.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Packets without data that a transport or a hop protocol made.
    pub(crate) made: usize,
    /// Packets without data that a transport took.
    pub(crate) taken: usize,
    /// Some frames are forged: what was no data may read as data.
    pub(crate) forgeries: bool,
    /// Length of the hop protocol's header.
    hop_header: usize,
}

/// The ledger that the parts of one node share.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Ledger>>);

impl Shared {
    pub(crate) fn look(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("nobody panics while writing a number")
    }
}

/// `hop`, audited.
pub(crate) fn hop<H: Hop + ?Sized + 'static>(hop: Watch<H>, ledger: &Shared) -> Box<dyn Hop> {
    ledger.look().hop_header = hop.look().header_len();
    Box::new(AuditedHop::new(hop, ledger.clone()))
}

/// `routing`, audited.
pub(crate) fn routing<R: Routing + ?Sized + 'static>(routing: Watch<R>) -> Box<dyn Routing> {
    Box::new(AuditedRouting::new(routing))
}

/// `transport`, audited.
pub(crate) fn transport(
    whose: Whose,
    transport: Box<dyn Transport>,
    ledger: &Shared,
) -> Box<dyn Transport> {
    Box::new(AuditedTransport::new(whose, transport, ledger.clone()))
}
