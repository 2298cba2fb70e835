//! Frames as bytes (IEEE 802.11, 9.3), behind a radiotap header.
//!
//! A data frame has four addresses: who receives and who transmits it, and both ends of its packet. That is how
//! 802.11 forwards, and its 30 bytes and the FCS are the 34 bytes that ns-2 counts. In addition stand the eight bytes of
//! LLC and SNAP that say that IPv4 follows. There is no FCS.

use multihop_core::{AddressTable, FrameClass, NodeId, Packet, Time, Transmission};

const RTS: u8 = 0xB4;
const CTS: u8 = 0xC4;
const ACK: u8 = 0xD4;
const DATA: u8 = 0x08;

/// To and from the distribution system: four addresses.
const FOUR_ADDRESSES: u8 = 0x03;
const RETRY: u8 = 0x08;
const PROTECTED: u8 = 0x40;
/// An ad hoc network without a name.
const NO_NETWORK: [u8; 6] = [0; 6];

const BROADCAST: [u8; 6] = [0xFF; 6];

/// RFC 1042: IPv4 follows.
const SNAP: [u8; 8] = [0xAA, 0xAA, 0x03, 0, 0, 0, 0x08, 0x00];

/// The bytes of a frame, and how many there are of it with a payload that nobody looks at.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub captured: Vec<u8>,
    pub length: u32,
}

/// The MAC address of a node: local, and its number.
fn address(number: u32) -> [u8; 6] {
    let [_, a, b, c] = number.to_be_bytes();
    [0x02, 0, 0, a, b, c]
}

fn receiver(frame: &Transmission) -> [u8; 6] {
    frame.to.map_or(BROADCAST, |to| address(to.0))
}

/// radiotap: the time in microseconds, and no FCS.
fn radiotap(at: Time, bytes: &mut Vec<u8>) {
    const LENGTH: u8 = 17;
    bytes.extend_from_slice(&[0, 0, LENGTH, 0, 0b11, 0, 0, 0]);
    bytes.extend_from_slice(&(at.nanos() / 1000).to_le_bytes());
    bytes.push(0);
}

/// The bytes of `packet` up to a payload that nobody looks at, and how long it is with that.
pub(crate) fn packet(packet: &Packet) -> Bytes {
    let mut captured = packet.network_header().emit().to_vec();
    captured.extend_from_slice(packet.headers.as_slice());
    if let Some(payload) = packet.payload.bytes() {
        captured.extend_from_slice(payload);
    }
    Bytes { captured, length: packet.len().0 }
}

fn duration(frame: &Transmission) -> [u8; 2] {
    ((frame.reserved.nanos() / 1000).min(0x7FFF) as u16).to_le_bytes()
}

fn sequence(frame: &Transmission) -> [u8; 2] {
    ((frame.sequence as u16) << 4).to_le_bytes()
}

/// A data frame with a `body` that nobody can read: it does not even say between which nodes its packet travels.
pub(crate) fn sealed(at: Time, frame: &Transmission, body: &[u8], again: bool) -> Bytes {
    let mut captured = Vec::with_capacity(64 + body.len());
    radiotap(at, &mut captured);
    captured.extend_from_slice(&[DATA, if again { PROTECTED | RETRY } else { PROTECTED }]);
    captured.extend_from_slice(&duration(frame));
    captured.extend_from_slice(&receiver(frame));
    captured.extend_from_slice(&address(frame.from.0));
    captured.extend_from_slice(&NO_NETWORK);
    captured.extend_from_slice(&sequence(frame));
    captured.extend_from_slice(body);
    Bytes { length: captured.len() as u32, captured }
}

/// A frame that is transmitted at `at`, for the second time or more if `again`.
pub(crate) fn frame(
    at: Time,
    frame: &Transmission,
    addresses: &AddressTable,
    again: bool,
) -> Bytes {
    let mut bytes = Vec::with_capacity(128);
    radiotap(at, &mut bytes);
    let kind = match frame.class {
        FrameClass::RequestToSend => RTS,
        FrameClass::ClearToSend => CTS,
        FrameClass::LinkAcknowledgment => ACK,
        _ => DATA,
    };
    let flags = match (kind, again) {
        (DATA, true) => FOUR_ADDRESSES | RETRY,
        (DATA, false) => FOUR_ADDRESSES,
        _ => 0,
    };
    bytes.extend_from_slice(&[kind, flags]);
    bytes.extend_from_slice(&duration(frame));
    bytes.extend_from_slice(&receiver(frame));
    if kind == RTS || kind == DATA {
        bytes.extend_from_slice(&address(frame.from.0));
    }
    let mut length = bytes.len() as u32;
    if let (DATA, Some(carried)) = (kind, frame.packet) {
        let end = |address_on_air: NodeId| {
            let number = addresses.number(address_on_air);
            if address_on_air == NodeId::BROADCAST { BROADCAST } else { address(number.0) }
        };
        bytes.extend_from_slice(&end(carried.flow.destination));
        bytes.extend_from_slice(&sequence(frame));
        bytes.extend_from_slice(&end(carried.flow.source));
        bytes.extend_from_slice(&SNAP);
        length = bytes.len() as u32;
        let body = packet(carried);
        bytes.extend_from_slice(&body.captured);
        length += body.length;
    }
    Bytes { captured: bytes, length }
}
