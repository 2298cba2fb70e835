//! What can be read is written so that it reads the same, by every parser that meets the air.

use multihop_core::{FlowId, HEADER_PREFIX, NetworkHeader, NodeId, Packet, Payload, Tag};
use multihop_routing::{aodv, dsr};
use multihop_schemes::{atp, cxcc, hxh, tcp, xcp};

/// Read `data` as everything that it could be.
pub fn drive(data: &[u8]) {
    let _ = NetworkHeader::parse(data);
    if let Ok(packet) = Packet::parse(data) {
        assert_eq!(Packet::parse(&packet.emit()), Ok(packet));
    }
    if let Ok(header) = cxcc::Header::parse(data) {
        assert_eq!(header.emit().as_slice(), data);
    }
    if let Ok(header) = hxh::Header::parse(data) {
        let (fields, padding) = data.split_at(header.emit().len());
        assert_eq!(header.emit(), fields);
        assert!(padding.iter().all(|byte| *byte == 0));
    }
    if let Ok(path) = atp::PathHeader::parse(data) {
        assert_eq!(path.emit().as_slice(), data);
    }
    if let Ok(path) = xcp::header::PathHeader::parse(data) {
        assert_eq!(path.emit().as_slice(), data);
    }
    if let Ok(header) = tcp::header::Header::parse(data) {
        let flow = FlowId::between(NodeId(0), NodeId(1));
        let mut packet = Packet::new(flow, Payload::Virtual(0), Tag::NONE);
        header.write(&mut packet, HEADER_PREFIX + data.len());
        assert_eq!(packet.headers.get(tcp::header::TCP), Some(data));
    }
    if let Ok((header, blocks)) = atp::Header::parse(data) {
        assert_eq!(header.emit(), data[..data.len() - 4 * blocks.len()]);
    }
    if let Ok(message) = aodv::parse(data) {
        // reserved bits are ignored (RFC 3561, 5.1)
        assert_eq!(aodv::parse(&message.emit()), Ok(message));
    }
    let flow = FlowId::between(NodeId(0), NodeId(2));
    if let Ok(header) = dsr::Header::parse(flow, data) {
        // options in another order, and padding
        assert_eq!(dsr::Header::parse(flow, &header.emit(flow)), Ok(header));
    }
}
