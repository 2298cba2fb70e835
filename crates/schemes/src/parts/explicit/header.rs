//! XCP 3.1: the congestion header, which the sender writes, stations rewrite and the receiver echoes.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-----------------------+-------------------------------+
//! | next  | length| format| zero  | RTT in microseconds           |
//! +-------+-----------------------+-------------------------------+
//! | congestion window in bytes    | feedback                      |
//! +-------------------------------+-------------------------------+
//! | reverse feedback              |
//! +-------------------------------+
//! ```
//!
//! Big-endian. Feedback is a change of the window, in thousandths of a byte. 20 bytes, as in the later
//! draft (Falk et al., draft-falk-xcp-spec, 2007), whose two formats these are.

use multihop_core::{
    Cx, Duration, EventKind, Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError,
    fields,
};

/// The header's number.
pub const XCP_PATH: NextHeader = NextHeader::path(1);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: XCP_PATH,
    message: None,
    name: "xcp",
    title: "XCP, WXCP",
    fields: &[
        Field::word("format", 8, &[(1, "standard"), (2, "minimal")], "what of it counts"),
        Field::zero(8),
        Field::number("round_trip_us", 32, "estimate of the round trip in microseconds"),
        Field::number("window", 32, "congestion window in bytes"),
        Field::signed("feedback", "change of the window in thousandths of a byte"),
        Field::signed("reverse", "that of the packets which it acknowledges"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 18;

/// Length of the header in bytes.
pub const PATH_HEADER_LEN: usize = HEADER_PREFIX + BODY;

/// No connection waits longer for an answer (RFC 6298, 2.5): a longer round trip is none.
pub const LONGEST_ROUND_TRIP_US: u32 = 60_000_000;

/// The largest window that there can be: the most packets of the parameter `window_limit`, each as long
/// as IPv4 has them.
pub const LARGEST_WINDOW: u32 = 1_000 * 65_535;

/// The largest change of a window that is possible, up or down.
pub const LARGEST_FEEDBACK: i32 = 2_000_000_000;

const STANDARD: u8 = 1;
const MINIMAL: u8 = 2;

/// The state of a flow at its sender, when a packet left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowState {
    /// The estimate of the round trip, in microseconds; never zero.
    pub round_trip_us: u32,
    /// The congestion window in bytes; never zero.
    pub window: u32,
}

/// The congestion header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathHeader {
    /// The flow's state; without it (XCP: an RTT of zero) stations have nothing to say to the packet.
    pub flow: Option<FlowState>,
    /// What the sender wishes, and what stations make of it, in thousandths of a byte.
    pub feedback: i32,
    /// In an acknowledgment: what the packets that it acknowledges have brought, likewise.
    pub reverse: i32,
}

/// A quantity that lies within so much of zero.
fn feedback(name: &'static str, bytes: [u8; 4]) -> Result<i32, WireError> {
    let value = i32::from_be_bytes(bytes);
    if (-LARGEST_FEEDBACK..=LARGEST_FEEDBACK).contains(&value) {
        Ok(value)
    } else {
        Err(WireError::Field { name, value: value.cast_unsigned() })
    }
}

/// A field that holds at least one and at most so much.
fn positive(name: &'static str, bytes: [u8; 4], most: u32) -> Result<u32, WireError> {
    let value = u32::from_be_bytes(bytes);
    if (1..=most).contains(&value) { Ok(value) } else { Err(WireError::Field { name, value }) }
}

impl FlowState {
    /// What a sender writes, within what can be written.
    pub fn new(round_trip: Duration, window: f64) -> Self {
        let micros = (round_trip.nanos() / 1_000).clamp(1, LONGEST_ROUND_TRIP_US.into());
        FlowState {
            round_trip_us: micros as u32,
            window: window.clamp(1.0, f64::from(LARGEST_WINDOW)) as u32,
        }
    }
}

impl PathHeader {
    /// What it says on the air.
    pub fn emit(&self) -> [u8; BODY] {
        let mut body = [0; BODY];
        body[0] = if self.flow.is_some() { STANDARD } else { MINIMAL };
        if let Some(FlowState { round_trip_us, window }) = self.flow {
            body[2..6].copy_from_slice(&round_trip_us.to_be_bytes());
            body[6..10].copy_from_slice(&window.to_be_bytes());
            body[10..14].copy_from_slice(&self.feedback.to_be_bytes());
        }
        body[14..18].copy_from_slice(&self.reverse.to_be_bytes());
        body
    }

    /// Read what [`PathHeader::emit`] writes.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header: also if the round trip, the window or the feedback
    /// is impossible.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let body = fields::<BODY>(body)?;
        let quad = |at: usize| [body[at], body[at + 1], body[at + 2], body[at + 3]];
        let reverse = feedback("reverse feedback", quad(14))?;
        if body[1] != 0 {
            return Err(WireError::Field { name: "reserved", value: body[1].into() });
        }
        match body[0] {
            STANDARD => Ok(PathHeader {
                flow: Some(FlowState {
                    round_trip_us: positive("round trip", quad(2), LONGEST_ROUND_TRIP_US)?,
                    window: positive("window", quad(6), LARGEST_WINDOW)?,
                }),
                feedback: feedback("feedback", quad(10))?,
                reverse,
            }),
            MINIMAL => match body[2..14].iter().find(|byte| **byte != 0) {
                Some(byte) => Err(WireError::Field { name: "flow", value: u32::from(*byte) }),
                None => Ok(PathHeader { reverse, ..PathHeader::default() }),
            },
            other => Err(WireError::Field { name: "format", value: other.into() }),
        }
    }

    /// The header of `packet`; `None` if it has none.
    ///
    /// # Errors
    /// If it cannot be read, or says what cannot be.
    pub fn of(packet: &Packet) -> Result<Option<Self>, WireError> {
        packet.headers.get(XCP_PATH).map(Self::parse).transpose()
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(XCP_PATH, &self.emit());
    }
}

/// What the header of `packet` says to who is called with `cx`; a bad one is counted with the flow of the
/// data, and as if it was not there.
pub fn read(cx: &mut Cx, packet: &Packet) -> Option<PathHeader> {
    let read = PathHeader::of(packet);
    if read.is_err() {
        let flow = if packet.flow.is_reverse() { packet.flow.reverse() } else { packet.flow };
        cx.trace(EventKind::Malformed, flow, 0, packet.tag);
    }
    read.ok().flatten()
}

#[cfg(test)]
mod tests;
