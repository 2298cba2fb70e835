//! TCP: one-way, in segments, as ns-2's agents have it, over the common stack.
//!
//! RFC 5681 (congestion control), RFC 6298 (timer), RFC 6582 (`NewReno`), RFC 2018 and 6675 (SACK),
//! RFC 3042 (limited transmit), RFC 3168 (ECN), Brakmo and Peterson 1995 (Vegas), Holland and
//! Vaidya 1999 (stand-by while the route is broken, see [`elfn`]; off by default). The papers that
//! this project reproduces ran on ns-2 2.35 or older, so that where ns-2 departs from an RFC this
//! code follows ns-2 and says so.
//!
//! A variant is a file of `schemes::tcp` with its [`CongestionControl`] and its `SCHEME`; what all share is in
//! [`connection`]. If its receiver takes part, that half is a [`ReceiverControl`]; the halves talk in
//! [`options`].
//!
//! | In the RFCs | In the code | Unit | Default |
//! |---|---|---|---|
//! | SND.UNA | `Connection::unacknowledged` | segments | |
//! | SND.NXT | `Connection::sent`; `Connection::next` after a go-back | segments | |
//! | recover (RFC 6582) | `Connection::recover` | segments | |
//! | cwnd | `Window::cwnd` | segments | 1 until the SYN is acknowledged, then `initial_window` |
//! | IW | `initial_window` | segments | 2 |
//! | rwnd | `window_limit` | segments | 20 |
//! | ssthresh | `Window::threshold` | segments | `initial_threshold`: 20 |
//! | RTO, SRTT, RTTVAR (RFC 6298) | `Timer` | ticks | RTO 3 s before the first sample |
//! | G (RFC 6298) | `tick` | ms | 10 |
//! | lower bound of RTO | `min_rto` | ms | 200 |
//! | `DupThresh` | `DUPLICATES` | acknowledgments | 3 |
//! | RCV.NXT | `Received::expected` | segments | |
//!
//! Where this departs from the RFCs, as ns-2 does:
//!
//! | Place | Here |
//! |---|---|
//! | RFC 9293, 3.5 handshake | two ways: SYN, segment 0, and its acknowledgment; the SYN goes with the first message |
//! | RFC 9293, 3.4.1 initial sequence number | by the life of the node, 0 in the first; after a reset, behind all that were used |
//! | RFC 9293, 3.5.1, 3.5.3 resets | with the number of the segment that is unknown, or that the receiver expects; without connection states that ns-2 does not have |
//! | RFC 5681, 3.1 cwnd | grows with every acknowledgment also while `window_limit` is the limit |
//! | RFC 5681, 3.1 initial ssthresh | 20 whatever the limit, as on ns-2's wireless nodes; the RFC wants it arbitrarily high |
//! | RFC 5681, 3.1 `FlightSize` / 2 | half of min(cwnd, limit), as in ns-2 |
//! | RFC 5681, 4.1 idle | after an RTO without anything on its way cwnd is one segment |
//! | RFC 6298, 2.1, 2.4 | 3 s before the first sample, and at least 0.2 s |
//! | RFC 3168, 6.1.1 negotiation | none: the parameter `ecn` is for both ends |
//! | RFC 3168, 6.1.2 CWR | in the segment after any reduction, new or sent again, and also without `ecn` |
//! | RFC 3168, 6.1.2 a mark at a cwnd of one segment | the timer backs off at the second one in a row; the RFC resets it at each |
//! | RFC 3168, 6.1.5 what is sent again | can be marked as all else can |
//!
//! Where it departs from ns-2:
//!
//! | Place | Here |
//! |---|---|
//! | RFC 6298, 3 a segment that was sent twice | never timed; ns-2's Sack1 and Vegas time it on |
//! | the timer of an idle connection | stops after it has run out once; ns-2's goes on and cuts one to one |
//! | ECN-echo of the acknowledgment of a SYN that was sent twice | not taken for a mark |
//! | ACK with SACK blocks | as long as every other; ns-2's grows by 8 bytes per block |
//! | `ecn` | also in Vegas, whose segments ns-2 does not send as ECN-capable |

pub mod connection;
pub mod control;
pub mod elfn;
pub mod header;
pub mod newreno;
pub mod options;
mod parameters;
pub mod policy;
pub mod received;
pub mod selective;
pub mod sender;
pub mod sink;
pub mod thinning;
pub mod timestamp;
pub mod window;

use multihop_core::{End, FlowId, Packet, Params, Transport};

pub use control::{CongestionControl, ReceiverControl};
use header::TCP;
pub use parameters::{COMMON, PARAMS, Settings, WINDOW_LIMIT, heeding, marked, with};
use policy::Policy;
use sender::Sender;
use sink::Sink;

/// Whether a TCP has sent `packet`.
pub fn carries(packet: &Packet) -> bool {
    packet.headers.get(TCP).is_some()
}

/// One end of a TCP connection with this congestion control, of which the receiver knows nothing.
pub fn transport<C: CongestionControl + 'static>(
    params: &Params,
    flow: FlowId,
    end: End,
    control: C,
) -> Box<dyn Transport> {
    halves(params, flow, end, control, Policy::new(params))
}

/// One end of a TCP connection whose congestion control has a half at either end.
pub fn halves<C: CongestionControl + 'static, R: ReceiverControl + 'static>(
    params: &Params,
    flow: FlowId,
    end: End,
    sender: C,
    receiver: R,
) -> Box<dyn Transport> {
    let settings = Settings::new(params);
    match end {
        End::Source => Box::new(Sender::new(settings, flow, sender)),
        End::Destination => Box::new(Sink::new(settings, flow, receiver)),
    }
}
