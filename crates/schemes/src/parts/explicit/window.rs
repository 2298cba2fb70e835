//! XCP 3.3; WXCP 3.4: a window that follows the feedback.

use multihop_core::{Cx, Packet, Params};

use super::header::{FlowState, LARGEST_FEEDBACK, PATH_HEADER_LEN, PathHeader, read};
use super::parameters::{ACK_FEEDBACK, DUPLICATE_FEEDBACK};
use crate::parts::tcp::connection::Connection;

/// Units of the header's feedback in a byte.
const PER_BYTE: f64 = 1_000.0;

/// What a sender knows of the feedback to its window.
#[derive(Clone)]
pub struct ExplicitWindow {
    /// s, the length of the last packet with data, in bytes.
    length: f64,
    /// Whether the feedback of acknowledgments counts that stations have written into themselves.
    fed: bool,
    duplicates: bool,
    /// What the present acknowledgment has brought, in the header's unit.
    feedback: i32,
}

impl ExplicitWindow {
    /// Without a packet yet.
    pub fn new(params: &Params) -> Self {
        ExplicitWindow {
            length: 0.0,
            fed: params.get(ACK_FEEDBACK),
            duplicates: params.get(DUPLICATE_FEEDBACK),
            feedback: 0,
        }
    }

    /// `packet` leaves: "the sender fills its current cwnd and rtt into the packet header". It wishes what
    /// it takes to fill the receiver's window in one round trip.
    pub fn write(&mut self, tcp: &Connection, packet: &mut Packet) {
        if !packet.payload.is_empty() {
            self.length = (packet.len().0 as usize + PATH_HEADER_LEN) as f64;
        }
        let (cwnd, limit) = (tcp.window.cwnd(), f64::from(tcp.window.limit()));
        let round_trip = tcp.timer.round_trip().filter(|_| self.length > 0.0);
        let flow = round_trip.map(|known| FlowState::new(known.smoothed, cwnd * self.length));
        let most = f64::from(LARGEST_FEEDBACK);
        let wish = (limit - cwnd) * self.length * PER_BYTE / cwnd.max(1.0);
        let feedback = if flow.is_some() { wish.clamp(-most, most) as i32 } else { 0 };
        PathHeader { flow, feedback, reverse: 0 }.write(packet);
    }

    /// An acknowledgment has come in `packet`.
    pub fn read(&mut self, cx: &mut Cx, packet: &Packet) {
        let header = read(cx, packet).unwrap_or_default();
        let lowered = self.fed && header.flow.is_some();
        self.feedback = if lowered { header.feedback.min(header.reverse) } else { header.reverse };
    }

    /// It was a new one: "the sender adjusts its cwnd", WXCP equation 8: cwnd = max(cwnd + feedback, s).
    pub fn adjust(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let feedback = f64::from(core::mem::take(&mut self.feedback)) / PER_BYTE;
        if self.length > 0.0 {
            let limit = f64::from(tcp.window.limit()).max(tcp.window.cwnd());
            let cwnd = tcp.window.cwnd() + feedback / self.length;
            tcp.set_cwnd(cx, cwnd.clamp(1.0, limit));
        }
    }

    /// It was a duplicate.
    pub fn on_duplicate(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        if self.duplicates {
            self.adjust(tcp, cx);
        }
        keep_one(tcp, cx);
    }
}

/// WXCP 3.4: whatever loss recovery makes of it, a window holds a packet.
pub fn keep_one(tcp: &mut Connection, cx: &mut Cx) {
    if tcp.window.cwnd() < 1.0 {
        tcp.set_cwnd(cx, 1.0);
    }
}
