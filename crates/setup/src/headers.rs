//! How long packets are.

use multihop_core::{Bytes, End, FlowId, NETWORK_HEADER_LEN, Params, Scheme};

use crate::{CarriedBy, Setup, Source};

impl Setup {
    /// Length of a packet of `source` with all its headers but the MAC's.
    pub fn packet(&self, source: &Source) -> Bytes {
        let (below, transport) = headers(
            self.scheme_of(source.flow.source),
            self.params_of(source.flow.source),
            source.flow,
            source.carried_by,
        );
        source.traffic.payload + Bytes(below + transport)
    }
}

/// The headers of a packet of `flow` in bytes: those of the network and of the hop protocol, and
/// that of the transport.
pub fn headers(
    scheme: &Scheme,
    params: &Params,
    flow: FlowId,
    carried_by: CarriedBy,
) -> (u32, u32) {
    let transport = match carried_by {
        CarriedBy::Scheme => (scheme.transport)(params, flow, End::Source).header_len(),
        CarriedBy::Datagram => 0,
    };
    let below = NETWORK_HEADER_LEN + (scheme.hop)(params).header_len();
    (below as u32, transport as u32)
}
