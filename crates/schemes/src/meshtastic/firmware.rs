//! The firmware's numbers, by the firmware's names.
//!
//! Sources: `meshtastic/firmware`, develop 77540685 (2026-07-24), and `meshtastic/Meshtasticator` a304b7d (2026-03-25).
//!
//! | name | value | file, function |
//! |---|---|---|
//! | `CWmin`, `CWmax` | 3, 8 | `RadioInterface.h` |
//! | `SNR_MIN`, `SNR_MAX` | -20, 10 dB | `RadioInterface.cpp`, `getCWsize` |
//! | `PROCESSING_TIME_MSEC` | 4500 ms | `RadioInterface.h` |
//! | `MAX_TX_QUEUE` | 16 | `MeshTypes.h` |
//! | `NUM_RELAYERS` | 6 | `PacketHistory.h` |
//! | `PACKETHISTORY_MAX` | 2 for each node known, at least 100 | `PacketHistory.cpp` |
//! | `HOP_RELIABLE`, `HOP_MAX` | 3, 7 | `MeshTypes.h` |
//! | `NUM_RELIABLE_RETX`, `NUM_INTERMEDIATE_RETX` | 3, 2 | `NextHopRouter.h` |
//! | `ROUTE_TTL_MSEC`, `ROUTE_FAILURE_THRESHOLD`, `ROUTE_HEALTH_MAX` | 30 min, 3, 32 | `NextHopRouter.h` |
//! | `CHANNEL_UTILIZATION_PERIODS` | 6 of 10 s | `airtime.h` |
//! | `MINUTES_IN_HOUR` | 60 | `airtime.h` |
//! | `max_channel_util_percent`, `polite_channel_util_percent` | 40, 25 % | `airtime.h` |
//! | `polite_duty_cycle_percent` | 50 % | `airtime.h` |
//! | `Priority` | 10 to 120 | `mesh.proto`; `MeshPacketQueue.cpp`, `fixPriority` |

use multihop_core::Duration;

/// `CWmin`: the smallest exponent of a contention window.
pub const CW_MIN: i64 = 3;

/// `CWmax`: the largest.
pub const CW_MAX: i64 = 8;

/// `SNR_MIN`: at this signal-to-noise ratio in dB a relay has the smallest window.
pub const SNR_MIN: i64 = -20;

/// `SNR_MAX`: at this the largest.
pub const SNR_MAX: i64 = 10;

/// `PROCESSING_TIME_MSEC`: what a relay may take to decode, beside all waits.
pub const PROCESSING_TIME: Duration = Duration::from_millis(4_500);

/// `MAX_TX_QUEUE`: how many packets wait to be sent, and how many wait for an acknowledgment.
pub const MAX_TX_QUEUE: u32 = 16;

/// `NUM_RELAYERS`: of how many relays of a packet a node knows.
pub const NUM_RELAYERS: usize = 6;

/// `HOP_RELIABLE`: the hop limit of what a node sends.
pub const HOP_RELIABLE: u32 = 3;

/// `HOP_MAX`: the largest that a header has room for.
pub const HOP_MAX: u32 = 7;

/// `NUM_RELIABLE_RETX`: how often an origin sends a packet at most.
pub const NUM_RELIABLE_RETX: u32 = 3;

/// The same in Meshtasticator.
pub const MESHTASTICATOR_RETX: u32 = 4;

/// `NUM_INTERMEDIATE_RETX`: how often a relay sends one that names its next hop.
pub const NUM_INTERMEDIATE_RETX: u32 = 2;

/// `CHANNEL_UTILIZATION_PERIODS`: over so many periods the utilisation is a mean.
pub const UTILISATION_PERIODS: usize = 6;

/// How long each of them is.
pub const UTILISATION_PERIOD: Duration = Duration::from_millis(10_000);

/// `MINUTES_IN_HOUR`: over so many minutes the duty cycle is one.
pub const DUTY_MINUTES: usize = 60;

/// `max_channel_util_percent`: from this share on announcements are skipped.
pub const MAX_CHANNEL_UTILISATION: f64 = 0.40;

/// `polite_channel_util_percent`: from this on reports are.
pub const POLITE_CHANNEL_UTILISATION: f64 = 0.25;

/// `polite_duty_cycle_percent`: both are above this share of the duty cycle.
pub const POLITE_DUTY_CYCLE: f64 = 0.5;

/// For so long after it was heard a neighbour may be a next hop (`NextHopRouter.cpp`, `getNextHop`).
pub const NEIGHBOUR_LIFETIME: Duration = Duration::from_millis(2 * 3_600_000);

/// `ROUTE_TTL_MSEC`: for so long a next hop is used without a new reason.
pub const NEXT_HOP_LIFETIME: Duration = Duration::from_millis(30 * 60_000);

/// `ROUTE_FAILURE_THRESHOLD`: after so many messages in a row that needed their last attempt it is not.
pub const NEXT_HOP_FAILURES: u32 = 3;

/// `ROUTE_HEALTH_MAX`: of so many destinations a node has a record of its route.
pub const ROUTE_HEALTH_MAX: usize = 32;

/// `Priority`: the order in which packets leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// `BACKGROUND`: own announcements and reports.
    Background = 10,
    /// `DEFAULT`: what asks for nothing.
    Default = 64,
    /// `RELIABLE`: what asks for an acknowledgment.
    Reliable = 70,
    /// `HIGH`: texts.
    High = 100,
    /// `ACK`: acknowledgments.
    Ack = 120,
}
