//! What can be read is written so that it reads the same, by every header that meets the air.

use multihop_core::{HeaderFormat, NetworkHeader, Packet};

/// Every header that is declared: a new one is fuzzed without a line here.
fn headers() -> impl Iterator<Item = &'static HeaderFormat> {
    let routing = multihop_routing::headers().chain([&multihop_node::ARP_FORMAT]);
    multihop_schemes::headers().into_iter().chain(routing)
}

/// Read `data` as everything that it could be.
pub fn drive(data: &[u8]) {
    let _ = NetworkHeader::parse(data);
    if let Ok(packet) = Packet::parse(data) {
        assert_eq!(Packet::parse(&packet.emit()), Ok(packet));
    }
    for format in headers() {
        if let Some(again) = (format.rewrite)(data) {
            assert_eq!((format.rewrite)(&again), Some(again), "{} of {data:?}", format.name);
        }
    }
}
