//! ns-3's rules (ns-3.37, channel-access-manager.cc, qos-txop.cc): the standard's, but that a backoff is drawn only where
//! a frame finds the medium busy when it comes (ADR 0077). A frame that finds it idle keeps its place, whatever happens to
//! the medium before it goes.

use multihop_core::Time;

use super::backoff::Backoff;
use super::frame::{Frame, Profile};
use super::standard::Standard;
use super::station::{Rules, State, Station};

/// ns-3's rules.
pub enum Ns3 {}

impl Rules for Ns3 {
    const BEYOND_WINDOW: u32 = Standard::BEYOND_WINDOW;
    const NOTICES_APPROACH: bool = Standard::NOTICES_APPROACH;
    const CONTENDS_OWING: bool = true;
    const AWAITS_DATA: bool = Standard::AWAITS_DATA;
    /// ns-3 counts failed RTS as short frames, and asks whether the data behind them, long ones, has failed too often
    /// (3.37: `WifiRemoteStationManager::ReportRtsFailed` and `NeedRetransmission`). So the RTS is repeated as long as the
    /// frame lives.
    const LIMITS_RTS: bool = false;
    const ACKNOWLEDGING_ENDS_ATTEMPT: bool = Standard::ACKNOWLEDGING_ENDS_ATTEMPT;
    const HEEDS_ANNOUNCEMENTS: bool = Standard::HEEDS_ANNOUNCEMENTS;
    const BATCHES: bool = Standard::BATCHES;

    /// DIFS begins with the frame. In EDCA the frame goes at the beginning of a slot.
    fn want_medium(station: &mut Station, now: Time, profile: &Profile) {
        if station.is_backing_off() || !finds_idle(station, now) {
            return station.back_off::<Self>(now);
        }
        let started = if profile.edca {
            let idle = station.undisturbed_from(station.idle_from, profile);
            Backoff::slot_boundary(now, idle, profile)
        } else {
            now
        };
        let backoff = Backoff { slots: 0, started, drawn: true, committed: None };
        station.own.backoff = Some(backoff);
    }

    fn backoff_ends(station: &Station, backoff: &Backoff, profile: &Profile) -> Time {
        Standard::backoff_ends(station, backoff, profile)
    }

    fn pause_backoff(station: &mut Station, at: Time, profile: &Profile) {
        Standard::pause_backoff(station, at, profile);
    }

    fn find_busy(station: &mut Station, profile: &Profile) {
        Standard::find_busy(station, profile);
    }

    /// With EDCA a CTS does not heed the NAV: who sends an RTS to a station counts there as the holder of the TXOP, whom it
    /// answers at once (3.37: `QosFrameExchangeManager::SetTxopHolder` takes the address of the station for that of its BSS,
    /// as both are the same without an access point).
    fn may_respond(station: &Station, now: Time, profile: &Profile) -> bool {
        profile.edca || Standard::may_respond(station, now, profile)
    }

    fn give_up(station: &mut Station, now: Time) {
        Standard::give_up(station, now);
    }

    fn ignore(station: &mut Station, until: Time, profile: &Profile) {
        Standard::ignore(station, until, profile);
    }

    fn hear_announced(station: &mut Station, frame: &Frame, profile: &Profile) {
        Standard::hear_announced(station, frame, profile);
    }

    fn forget_announced(station: &mut Station, rts: Time) {
        Standard::forget_announced(station, rts);
    }
}

/// Whether a frame that comes now is told that the medium is idle. A packet is handed over before the MAC hears that a
/// frame that the radio has ignored is still on the air. The packets of an A-MPDU are handed over one by one, while it is
/// being received.
fn finds_idle(station: &Station, now: Time) -> bool {
    if station.own.batch.as_ref().is_some_and(|batch| batch.received == Some(now)) {
        return false;
    }
    if station.lock.end == now {
        return station.own.state == State::Idle && station.idle_from <= now;
    }
    station.is_idle(now)
}
