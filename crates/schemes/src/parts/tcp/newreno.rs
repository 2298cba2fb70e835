//! TCP `NewReno`: RFC 6582. An acknowledgment of new data that does not cover all that was sent
//! before the loss was noticed is partial: it points at the next loss, and the recovery goes on.

use multihop_core::Cx;

use super::connection::{Cause, Connection, DUPLICATES};
use super::control::CongestionControl;
use super::header::Ack;

/// How many new segments one acknowledgment lets out during a recovery.
const BURST: u32 = 2;

/// Its congestion control.
#[derive(Clone, Default)]
pub struct NewReno {
    /// There was a partial acknowledgment in this recovery.
    partial: bool,
}

impl NewReno {
    /// RFC 6582, 3.2 step 3, partial acknowledgments.
    fn on_partial_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        // RFC 6582, 4: the "Impatient" variant: only the first one restarts the timer.
        if !self.partial {
            self.partial = true;
            tcp.timer.start(cx.now);
        }
        let acknowledged = (ack.sequence - tcp.unacknowledged) as u32;
        if tcp.window.inflation > acknowledged {
            tcp.window.inflation -= acknowledged - 1;
        } else {
            let deflated = tcp.window.cwnd() - f64::from(acknowledged - tcp.window.inflation);
            tcp.set_cwnd(cx, deflated);
            tcp.window.inflation = 1;
        }
        if tcp.window.cwnd() < 1.0 {
            tcp.set_cwnd(cx, 1.0);
        }
        tcp.advance(cx, ack);
        if tcp.timer.on_acknowledged(cx.now, ack.sequence).is_some() {
            tcp.timer.end_backoff();
        }
        tcp.force(tcp.unacknowledged);
        tcp.burst = if tcp.duplicates < DUPLICATES { tcp.burst } else { BURST };
    }

    /// What an acknowledgment of new data means to a recovery. Whether that goes on; if not, what opens
    /// the window is another's affair.
    pub fn recovers(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) -> bool {
        if ack.sequence < tcp.recover && tcp.cause == Cause::Duplicates {
            self.on_partial_ack(tcp, cx, ack);
            return true;
        }
        // RFC 6582, 3.2 step 3, full acknowledgments.
        if tcp.window.inflation > 0 && tcp.cause == Cause::Duplicates {
            tcp.cause = Cause::Recovered;
        }
        tcp.window.inflation = 0;
        self.partial = false;
        false
    }
}

impl CongestionControl for NewReno {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        if !self.recovers(tcp, cx, ack) {
            tcp.new_ack_opens(cx, ack);
        }
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, _ack: &Ack) {
        tcp.duplicates += 1;
        if tcp.duplicates < DUPLICATES {
            tcp.limited_transmit();
            return;
        }
        tcp.burst = BURST;
        if tcp.duplicates > DUPLICATES {
            tcp.window.inflation += u32::from(tcp.cause == Cause::Duplicates);
        } else if tcp.is_new_loss() {
            tcp.fast_retransmit(cx);
            tcp.window.inflation = DUPLICATES;
        } else if tcp.cause == Cause::Mark {
            tcp.retransmit_after_mark(cx);
            tcp.window.inflation = DUPLICATES;
        }
    }
}
