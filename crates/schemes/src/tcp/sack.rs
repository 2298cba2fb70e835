//! TCP SACK: RFC 6675, with the pipe of ns-2's `Sack1`. The sender knows which segments are
//! missing, and how many are on their way.

use multihop_core::{Capability, Cx, Forwarding, Plot, Scheme, Time};

use super::scoreboard::Scoreboard;
use crate::parts::fifo::Fifo;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::policy::Policy;
use crate::parts::tcp::selective::Selective;
use crate::parts::tcp::{self, PARAMS};

/// TCP with selective acknowledgments.
pub static SCHEME: Scheme = Scheme {
    name: "sack",
    title: "TCP SACK",
    paper: "Fall, Floyd: Simulation-based Comparisons of Tahoe, Reno and SACK TCP. CCR 26(3), 1996; \
            RFC 2018; RFC 6675",
    plot: Plot { color: "#9467bd", marker: "P" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| {
        let receiver = Selective::new(Policy::new(params));
        tcp::halves(params, flow, end, Sack::default(), receiver)
    },
    carries: tcp::carries,
};

/// Its congestion control.
#[derive(Clone, Default)]
pub struct Sack {
    scoreboard: Scoreboard,
    phase: Phase,
    /// RFC 6675, 2: how many segments are on their way, in a recovery.
    pipe: i64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Open,
    Recovery,
    /// After a timeout, until an acknowledgment of new data: duplicates mean nothing.
    TimedOut,
}

impl Sack {
    /// RFC 6675, 5, step 4. Deviation: the pipe is what was sent, less the duplicates, as in ns-2.
    fn recover(&mut self, tcp: &Connection) {
        let on_their_way = (tcp.sent - tcp.unacknowledged).cast_signed();
        self.pipe = on_their_way - i64::from(DUPLICATES);
        self.phase = Phase::Recovery;
        self.scoreboard.on_retransmitted(tcp.unacknowledged);
    }
}

impl CongestionControl for Sack {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        if self.phase == Phase::Recovery && ack.sequence < tcp.recover {
            // RFC 6675, 5, step B. Deviation: a partial acknowledgment takes two segments from the
            // pipe: the retransmission, and what it was retransmitted for.
            self.pipe -= 2;
            tcp.advance(cx, ack);
            self.scoreboard.update(tcp, ack);
            tcp.timer.end_backoff();
            tcp.timer.start(cx.now);
            return;
        }
        if self.phase == Phase::Recovery {
            // RFC 6675, 5, step A. The window does not open with this one.
            tcp.recover = 1;
            tcp.new_ack(cx, ack);
        } else {
            tcp.new_ack_opens(cx, ack);
        }
        self.phase = Phase::Open;
        self.scoreboard.clear();
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        if self.phase == Phase::Recovery {
            self.pipe -= 1;
            self.scoreboard.update(tcp, ack);
            return;
        }
        // RFC 6675, 2: only what reports a new segment is a duplicate acknowledgment.
        if self.phase == Phase::TimedOut || !self.scoreboard.update(tcp, ack) {
            return;
        }
        tcp.duplicates += 1;
        if tcp.duplicates < DUPLICATES {
            tcp.limited_transmit();
        } else if tcp.duplicates == DUPLICATES && tcp.is_new_loss() {
            self.recover(tcp);
            tcp.fast_retransmit(cx);
        } else if tcp.duplicates == DUPLICATES && tcp.cause == Cause::Mark {
            self.recover(tcp);
            tcp.retransmit_after_mark(cx);
        }
    }

    fn on_old_ack(&mut self, tcp: &mut Connection, ack: &Ack) {
        if self.phase == Phase::Recovery {
            self.pipe -= 1;
            self.scoreboard.update(tcp, ack);
        }
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        self.phase = Phase::TimedOut;
        self.scoreboard.clear();
        tcp.duplicates = 0;
        tcp.on_retransmission_timeout(cx);
    }

    /// RFC 6675, 5, step C: in a recovery the pipe decides, and gaps come first.
    fn next_segment(&mut self, tcp: &mut Connection, _now: Time) -> Option<u64> {
        if self.phase != Phase::Recovery {
            return tcp.next_in(self.allowance(tcp).window);
        }
        if self.pipe >= tcp.window.cwnd() as i64 {
            return None;
        }
        let sequence = if let Some(gap) = self.scoreboard.next_gap(tcp.unacknowledged) {
            self.scoreboard.on_retransmitted(gap);
            gap
        } else {
            tcp.next_in(tcp.window.limit())?
        };
        self.pipe += 1;
        Some(sequence)
    }
}
