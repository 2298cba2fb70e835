//! Frames as bytes (IEEE 802.11, 9.3), behind a radiotap header.
//!
//! A data frame has four addresses: who receives and who transmits it, and both ends of its packet. That is how
//! 802.11 forwards, and its 30 bytes and the FCS are the 34 bytes that ns-2 counts. In addition stand the eight bytes of
//! LLC and SNAP that say that IPv4 follows. There is no FCS.

use multihop_core::{AddressTable, FrameClass, NodeId, Packet, Rate, Time, Transmission};

const RTS: u8 = 0xB4;
const CTS: u8 = 0xC4;
const ACK: u8 = 0xD4;
const BLOCK_ACK: u8 = 0x94;
const BLOCK_ACK_REQUEST: u8 = 0x84;
const DATA: u8 = 0x08;
/// Data with a field that names its class: best effort.
const QOS_DATA: u8 = 0x88;
const BEST_EFFORT: [u8; 2] = [0, 0];
/// A block acknowledgment, or the question for one, is about 64 packets, and of best effort.
const COMPRESSED: [u8; 2] = [0x04, 0];

/// The rates of 802.11n with one stream in 20 MHz, MCS 0 to 7, in units of 100 kbit/s, and with the short guard interval.
const MCS: [[u64; 8]; 2] =
    [[65, 130, 195, 260, 390, 520, 585, 650], [72, 144, 217, 289, 433, 578, 650, 722]];

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

/// Whether a rate is one of 802.11n: whether with the short guard interval, and the number of its MCS.
fn mcs(rate: Rate) -> Option<(bool, u8)> {
    let at = |rates: &[u64; 8]| rates.iter().position(|known| known * 100_000 == rate.0);
    let [long, short] = MCS.each_ref().map(at);
    let found = long.map(|at| (false, at)).or(short.map(|at| (true, at)))?;
    Some((found.0, found.1 as u8))
}

/// radiotap: the time in microseconds, and no FCS; of 802.11n also the MCS, and to which A-MPDU a packet belongs.
fn radiotap(at: Time, frame: &Transmission, bytes: &mut Vec<u8>) {
    // Of the bits that say what is present: 0 and 1, 19, and 20.
    const TIME_AND_FLAGS: u8 = 0b11;
    const MCS_KNOWN: u8 = 1 << 3;
    const IN_AGGREGATE: u8 = 1 << 4;
    let mcs = mcs(frame.rate);
    let is_joined = !frame.joined().is_empty();
    let (length, more) = match mcs {
        None => (17, 0),
        Some(_) if is_joined => (28, MCS_KNOWN | IN_AGGREGATE),
        Some(_) => (20, MCS_KNOWN),
    };
    bytes.extend_from_slice(&[0, 0, length, 0, TIME_AND_FLAGS, 0, more, 0]);
    bytes.extend_from_slice(&(at.nanos() / 1000).to_le_bytes());
    bytes.push(0);
    if let Some((short_guard, index)) = mcs {
        // Bandwidth, MCS and guard interval are known, the bandwidth is 20 MHz.
        bytes.extend_from_slice(&[0b111, if short_guard { 0b100 } else { 0 }, index]);
        if is_joined {
            bytes.extend_from_slice(&frame.number.to_le_bytes());
            bytes.extend_from_slice(&[0; 4]);
        }
    }
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
    radiotap(at, frame, &mut captured);
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
    radiotap(at, frame, &mut bytes);
    let has_qos = mcs(frame.rate).is_some();
    let kind = match frame.class {
        FrameClass::RequestToSend => RTS,
        FrameClass::ClearToSend => CTS,
        FrameClass::LinkAcknowledgment => ACK,
        FrameClass::BlockAcknowledgment => BLOCK_ACK,
        FrameClass::BlockAcknowledgmentRequest => BLOCK_ACK_REQUEST,
        _ if has_qos => QOS_DATA,
        _ => DATA,
    };
    let flags = match (kind, again) {
        (DATA | QOS_DATA, true) => FOUR_ADDRESSES | RETRY,
        (DATA | QOS_DATA, false) => FOUR_ADDRESSES,
        _ => 0,
    };
    bytes.extend_from_slice(&[kind, flags]);
    bytes.extend_from_slice(&duration(frame));
    bytes.extend_from_slice(&receiver(frame));
    if kind != CTS && kind != ACK {
        bytes.extend_from_slice(&address(frame.from.0));
    }
    if matches!(kind, BLOCK_ACK | BLOCK_ACK_REQUEST) {
        bytes.extend_from_slice(&COMPRESSED);
        bytes.extend_from_slice(&sequence(frame));
    }
    if kind == BLOCK_ACK {
        bytes.extend_from_slice(
            &frame.aggregate.map_or(0, |aggregate| aggregate.came).to_le_bytes(),
        );
    }
    let mut length = bytes.len() as u32;
    if let (DATA | QOS_DATA, Some(carried)) = (kind, frame.packet) {
        let end = |address_on_air: NodeId| {
            let number = addresses.number(address_on_air);
            if address_on_air == NodeId::BROADCAST { BROADCAST } else { address(number.0) }
        };
        bytes.extend_from_slice(&end(carried.flow.destination));
        bytes.extend_from_slice(&sequence(frame));
        bytes.extend_from_slice(&end(carried.flow.source));
        if kind == QOS_DATA {
            bytes.extend_from_slice(&BEST_EFFORT);
        }
        bytes.extend_from_slice(&SNAP);
        length = bytes.len() as u32;
        let body = packet(carried);
        bytes.extend_from_slice(&body.captured);
        length += body.length;
    }
    Bytes { captured: bytes, length }
}
