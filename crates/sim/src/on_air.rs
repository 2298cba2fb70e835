//! What one has to know of radios and of their MAC to draw a trace.

use multihop_core::Duration;
use multihop_medium::Channel;
use multihop_medium::dcf::{Profile, Settings};
use multihop_setup::Setup;
use serde::Serialize;

/// The radios of a scenario.
#[derive(Clone, Debug)]
pub struct OnAir {
    /// How far frames of mean power can be decoded, and how far they are sensed, in m; `None` where that does not
    /// follow from the distance.
    pub ranges_m: Option<(f64, f64)>,
    /// The times of the MAC, where that is 802.11's.
    pub mac: Option<MacTimes>,
}

/// What one has to know of 802.11's MAC to say from its frames what it waits for, in ns. Waits begin at the end of a
/// frame.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MacTimes {
    /// Whether data for one node is acknowledged.
    pub acknowledges: bool,
    /// A slot.
    pub slot_ns: u64,
    /// The short interframe space.
    pub sifs_ns: u64,
    /// That of the distributed coordination function.
    pub difs_ns: u64,
    /// The one after a frame that was not understood.
    pub eifs_ns: u64,
    /// How long a sender of an RTS waits for the CTS.
    pub cts_wait_ns: u64,
    /// How long a sender of data waits for the acknowledgment.
    pub ack_wait_ns: u64,
    /// A receiver that has sent a CTS gives up so much sooner than the reserved time ends.
    pub data_sooner_ns: u64,
}

/// The radios of `setup`; `None` on wires.
pub fn on_air(setup: &Setup) -> Option<OnAir> {
    let radio = setup.medium.radio()?;
    let channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
    let profile = Settings::of(&setup.medium)
        .map(|settings| Profile::new(settings, radio, channel.longest_delay()));
    Some(OnAir { ranges_m: channel.ranges(), mac: profile.map(|profile| mac_times(&profile)) })
}

fn mac_times(mac: &Profile) -> MacTimes {
    let (nothing, long) = (Duration::ZERO, Duration::from_micros(1_000_000));
    let data_mode = mac.mode(mac.settings().data_rate);
    let sooner = (mac.cts + long).saturating_sub(mac.data_timeout(long));
    MacTimes {
        acknowledges: mac.acknowledges(0),
        slot_ns: mac.slot.nanos(),
        sifs_ns: mac.sifs.nanos(),
        difs_ns: mac.difs.nanos(),
        eifs_ns: mac.eifs.nanos(),
        cts_wait_ns: mac.cts_timeout().saturating_sub(mac.rts).nanos(),
        ack_wait_ns: mac.ack_timeout(nothing, mac.ack(data_mode)).nanos(),
        data_sooner_ns: sooner.nanos(),
    }
}
