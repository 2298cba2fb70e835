//! The parts of a scheme at one node, in other hands.

use multihop_core::End;
use multihop_schemes::parts::tcp;
use multihop_setup::SchemeParts;

use crate::hop::SteeredHop;
use crate::station::{Driver, Shared, Terms};
use crate::transport::WatchedTransport;
use crate::window::SteeredWindow;

/// The parts of a node's scheme, which do what `driver` tells them.
pub fn steered(parts: SchemeParts, terms: Terms, driver: Box<dyn Driver>) -> SchemeParts {
    let station = Shared::new(terms, driver);
    let SchemeParts { me, hop, params, transport, weights } = parts;
    let hop = Box::new(SteeredHop::new(hop, me, weights.clone(), station.clone()));
    let own = params.clone();
    let transport = Box::new(move |flow, end| {
        if end == End::Destination {
            return transport(flow, end);
        }
        let base = if terms.windows {
            tcp::transport(&own, flow, end, SteeredWindow::new(station.clone()))
        } else {
            transport(flow, end)
        };
        Box::new(WatchedTransport::new(base, station.clone()))
    });
    SchemeParts { me, hop, params, transport, weights }
}
