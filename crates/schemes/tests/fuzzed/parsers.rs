//! What can be read is written so that it reads the same, by every parser that meets the air.

use multihop_core::{
    FlowId, HEADER_PREFIX, LONGEST_HEADER, NetworkHeader, NodeId, Packet, Payload, Tag,
};
use multihop_routing::{aodv, dsr};
use multihop_schemes::parts::{acknowledged, explicit, reliable, tcp};
use multihop_schemes::{cxcc, flush, hxh, wake};

/// Read `data` as everything that it could be.
pub fn drive(data: &[u8]) {
    let _ = NetworkHeader::parse(data);
    if let Ok(packet) = Packet::parse(data) {
        assert_eq!(Packet::parse(&packet.emit()), Ok(packet));
    }
    if let Ok(header) = cxcc::Header::parse(data) {
        assert_eq!(header.emit().as_slice(), data);
    }
    if let Ok(header) = wake::Header::parse(data) {
        assert_eq!(wake::Header::parse(&header.emit()), Ok(header));
    }
    let flow = FlowId::between(NodeId(0), NodeId(2));
    if let Ok(parts) = wake::Parts::parse(data, flow, 60) {
        assert_eq!(parts.emit(), data);
    }
    if let Ok(header) = flush::Header::parse(data) {
        assert_eq!(header.emit().as_slice(), data);
    }
    if let Ok(header) = hxh::Header::parse(data) {
        let (fields, padding) = data.split_at(header.emit().len());
        assert_eq!(header.emit(), fields);
        assert!(padding.iter().all(|byte| *byte == 0));
    }
    if let Ok(path) = reliable::PathHeader::parse(data) {
        assert_eq!(path.emit().as_slice(), data);
    }
    if let Ok(path) = explicit::header::PathHeader::parse(data) {
        assert_eq!(path.emit().as_slice(), data);
    }
    let empty = || Packet::new(flow, Payload::Virtual(0), Tag::NONE);
    if let Ok(header) = tcp::header::Header::parse(data) {
        let mut packet = empty();
        header.write(&mut packet, HEADER_PREFIX + data.len());
        assert_eq!(packet.headers.get(tcp::header::TCP), Some(data));
    }
    if data.len() <= LONGEST_HEADER - HEADER_PREFIX {
        let (mut came, mut again) = (empty(), empty());
        came.headers.set(acknowledged::UDP_ACK, data);
        if let Ok(number) = acknowledged::header::read(&came) {
            acknowledged::header::write(&mut again, number);
            assert_eq!(again, came);
        }
    }
    if let Ok((header, blocks)) = reliable::Header::parse(data) {
        assert_eq!(header.emit(), data[..data.len() - 4 * blocks.len()]);
    }
    if let Ok(message) = aodv::parse(data) {
        // reserved bits are ignored (RFC 3561, 5.1)
        assert_eq!(aodv::parse(&message.emit()), Ok(message));
    }
    if let Ok(header) = dsr::Header::parse(flow, data) {
        // options in another order, and padding
        assert_eq!(dsr::Header::parse(flow, &header.emit(flow)), Ok(header));
    }
}
