//! XCP 3.1: the congestion header, which the sender writes, stations rewrite and the receiver echoes.
//!
//! Feedback is a change of the window, in thousandths of a byte. 20 bytes, as in the later
//! draft (Falk et al., draft-falk-xcp-spec, 2007), whose two formats these are.

use multihop_core::{
    Cx, Duration, EventKind, HEADER_PREFIX, NextHeader, Packet, WireError, header, header_words,
};

/// The header's number.
pub const XCP_PATH: NextHeader = NextHeader::path(1);

header_words! {
    /// What of the header counts.
    pub enum Format {
        /// All of it.
        Standard = 1 "standard",
        /// The reverse feedback.
        Minimal = 2 "minimal",
    }
}

header! {
    /// The fields on the air.
    pub(super) struct Fields, FORMAT = "xcp" "XCP, WXCP", XCP_PATH, None, by rewrite => {
        format: Format = "format" 8 "what of it counts",
        zero 8,
        round_trip_us: u32 = "round_trip_us" 32 "estimate of the round trip in microseconds",
        window: u32 = "window" 32 "congestion window in bytes",
        feedback: i32 = "feedback" 32 "change of the window in thousandths of a byte",
        reverse: i32 = "reverse" 32 "that of the packets which it acknowledges",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    PathHeader::parse(body).ok().map(|header| header.emit().to_vec())
}

/// Length of the header in bytes.
pub const PATH_HEADER_LEN: usize = HEADER_PREFIX + Fields::LEN;

/// No connection waits longer for an answer (RFC 6298, 2.5): a longer round trip is none.
pub const LONGEST_ROUND_TRIP_US: u32 = 60_000_000;

/// The largest window that there can be: the most packets of the parameter `window_limit`, each as long
/// as IPv4 has them.
pub const LARGEST_WINDOW: u32 = 1_000 * 65_535;

/// The largest change of a window that is possible, up or down.
pub const LARGEST_FEEDBACK: i32 = 2_000_000_000;

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
fn feedback(name: &'static str, value: i32) -> Result<i32, WireError> {
    if (-LARGEST_FEEDBACK..=LARGEST_FEEDBACK).contains(&value) {
        Ok(value)
    } else {
        Err(WireError::Field { name, value: value.cast_unsigned() })
    }
}

/// A field that holds at least one and at most so much.
fn positive(name: &'static str, value: u32, most: u32) -> Result<u32, WireError> {
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
    pub fn emit(&self) -> [u8; PATH_HEADER_LEN - HEADER_PREFIX] {
        let (format, feedback) = match self.flow {
            Some(_) => (Format::Standard, self.feedback),
            None => (Format::Minimal, 0),
        };
        let (round_trip_us, window) =
            self.flow.map_or((0, 0), |flow| (flow.round_trip_us, flow.window));
        Fields { format, round_trip_us, window, feedback, reverse: self.reverse }.emit()
    }

    /// Read what [`PathHeader::emit`] writes.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header: also if the round trip, the window or the feedback
    /// is impossible.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let fields = Fields::parse(body)?;
        let reverse = feedback("reverse feedback", fields.reverse)?;
        if fields.format == Format::Standard {
            let flow = FlowState {
                round_trip_us: positive("round trip", fields.round_trip_us, LONGEST_ROUND_TRIP_US)?,
                window: positive("window", fields.window, LARGEST_WINDOW)?,
            };
            let feedback = feedback("feedback", fields.feedback)?;
            return Ok(PathHeader { flow: Some(flow), feedback, reverse });
        }
        match body[2..14].iter().find(|byte| **byte != 0) {
            Some(byte) => Err(WireError::Field { name: "flow", value: u32::from(*byte) }),
            None => Ok(PathHeader { reverse, ..PathHeader::default() }),
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
