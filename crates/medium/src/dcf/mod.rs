//! The 802.11 MAC and the receiver below it, one state machine per node.
//!
//! By IEEE 802.11's names:
//! - `parameters`, `settings`: `[mac]`, and what it means;
//! - `phy`: how long the frames of a physical layer last, and at which rate they are answered;
//! - `frame`: what is on the air, and how long everything takes;
//! - `receiver`: which frame a radio locks on to, capture and collision;
//! - `signals`, `dsss`: receivers to which interference is noise, and the bit errors of 802.11b;
//! - `ofdm`, `nist`: receivers of OFDM, and its bit errors;
//! - `ports`: what a station is told, and what it answers;
//! - `arrivals`: how frames reach a station;
//! - `stations`: all of them on one channel;
//! - `station`, `backoff`: carrier sense and backoff, and where the rules of the field's MACs part;
//! - `ns2`, `standard`, `ns3`: the rules of ns-2's model, which all five papers ran on, of the standard, and of ns-3;
//! - `exchange`: the RTS/CTS/DATA/ACK exchange and its retries;
//! - `pair`: frames for two receivers;
//! - `batch`, `in_hand`, `aggregates`, `window`: several packets in one frame, and block acknowledgments;
//! - `pending`: what of that is under way;
//! - `meter`, `metering`: what the radio does with its time, for those who ask;
//! - `rates`, `choosing`: at which rate the next attempt for a frame goes, and how a station asks for it;
//! - `oracle`: tells stations which frames would be lost, as an upper reference;
//! - `fates`: what becomes of every frame, for those who watch.

mod aggregates;
mod arrivals;
mod backoff;
mod batch;
mod batches;
mod choosing;
mod dsss;
mod exchange;
mod fates;
mod frame;
mod in_hand;
mod meter;
mod metering;
mod nist;
mod ns2;
mod ns3;
mod ofdm;
mod oracle;
mod pair;
pub(crate) mod parameters;
mod pending;
mod phy;
mod ports;
mod rates;
mod receiver;
mod settings;
mod signals;
mod standard;
mod station;
mod stations;
#[cfg(test)]
mod tests;
mod window;

pub use aggregates::Aggregates;
pub use fates::Fates;
pub use frame::{
    BROADCAST, Frame, FrameKind, NO_FRAME, NO_PACKET, NO_PAIR, OWN_LIMIT, OWN_RATE, OWN_WINDOW,
    PAIR, Profile,
};
pub(crate) use meter::{Meter, View};
pub use nist::needed;
pub use ns2::Ns2;
pub use ns3::Ns3;
pub use parameters::{RuleSet, Timing};
pub use phy::{Format, HT_RATES, HT_SHORT_RATES, Mode, OFDM_RATES};
pub use ports::{Action, Deadline, Ended, Job, Ports, Waiting};
pub use rates::{Attempt, Choices, Controller, MakeController, RATE_CONTROLS, RateControl};
pub use receiver::Arrival;
pub use settings::{Aggregation, DSSS_RATES, Settings};
pub use standard::Standard;
pub use station::{Rules, Station};
pub use stations::{Stations, stations};

use multihop_core::{Bytes, Capability};
use multihop_setup::Mac;

/// The longest body of a data frame (802.11-2007, 7.1.2).
pub(crate) const LONGEST_PACKET: Bytes = Bytes(2304);

/// The 802.11 DCF.
pub static MAC: Mac = Mac {
    name: "dcf",
    title: "802.11 DCF",
    source: "IEEE 802.11-2007 and -2020; ns-2 2.35, mac-802_11.cc; ns-3.37",
    about: "Carrier sense, backoff, link acknowledgments and repetitions, with RTS/CTS if wished",
    offers: &[
        Capability::Unicast,
        Capability::LinkAcknowledgment,
        Capability::TwoReceivers,
        Capability::Withdrawal,
        Capability::Overhearing,
        Capability::AirTime,
        Capability::FirstSlot,
    ],
    words: &[],
    longest_packet: |_| LONGEST_PACKET,
    params: parameters::PARAMS,
    otherwise: |values| Settings::new(values, true).named(),
    check: |values, radio| Settings::new(values, true).check(values, radio),
    floors: None,
    hearing: Some(|values, radio| Settings::new(values, true).hearing(radio)),
    hop: |values| Settings::new(values, true).hop(),
    make: stations,
};
