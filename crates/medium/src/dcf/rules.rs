//! Where the rules part that the 802.11 MACs of the field keep: ns-2's, the standard's, ns-3's.
//!
//! A set of rules is a type without values. A run's stations are compiled for theirs, so that no frame asks whose rules
//! hold.

use multihop_core::Time;

use super::frame::{Frame, Profile};
use super::station::{Backoff, Station};

/// A set of rules.
pub trait Rules: 'static {
    /// From how many numbers beyond the contention window a backoff is drawn, from 0 on.
    const BEYOND_WINDOW: u32;

    /// Whether a frame that comes nearer during a backoff may take a slot from it (ADR 0084).
    const NOTICES_APPROACH: bool;

    /// Whether a station that owes an answer draws a backoff for a frame that comes meanwhile.
    const CONTENDS_OWING: bool;

    /// Whether data that an RTS has to announce is taken from no station but the one that has the CTS, and other data
    /// never in its place.
    const DATA_NEEDS_CTS: bool;

    /// Whether a station that has to acknowledge a frame gives up the answer that it awaits.
    const ACKNOWLEDGING_ENDS_ATTEMPT: bool;

    /// Whether frames that a radio locks on to are looked at for what the standard derives from them.
    const HEEDS_ANNOUNCEMENTS: bool;

    /// A frame has come that wants the medium from `now` on.
    fn want_medium(station: &mut Station, now: Time, profile: &Profile);

    /// When `backoff` of an idle station, which runs or waits, is over as far as can be foreseen.
    fn backoff_ends(station: &Station, backoff: &Backoff, profile: &Profile) -> Time;

    /// The idle medium becomes busy at `at` for the backoff of an idle station: count the slots that have passed.
    fn pause_backoff(station: &mut Station, at: Time, profile: &Profile);

    /// The backoff is over, and the medium is busy.
    fn find_busy(station: &mut Station, profile: &Profile);

    /// Whether a station whose medium is not idle may send its CTS, or the data behind one.
    fn may_respond(station: &Station, now: Time) -> bool;

    /// The last attempt for a frame has failed.
    fn give_up(station: &mut Station, now: Time);

    /// The radio ignores a frame that ends at `until`.
    fn ignore(station: &mut Station, until: Time, profile: &Profile);

    /// The radio is locked on to `frame`, which begins to arrive.
    fn hear_announced(_station: &mut Station, _frame: &Frame, _profile: &Profile) {}

    /// The frame that began to arrive at `rts` is lost, or the radio has turned to another one.
    fn forget_announced(_station: &mut Station, _rts: Time) {}
}
