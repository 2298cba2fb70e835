//! Rosters: what this node hears and says of them, in frames between those of its protocols.

use multihop_core::{Duration, Time};

use crate::node::membership::{Membership, Refused};
use crate::roster::Clear;

use super::{Host, Order, Radio};

impl Host {
    /// The same node, whose keys come with rosters. Until it is a member it sends no frame of its protocols.
    #[must_use]
    pub fn with_membership(self, membership: Membership) -> Self {
        Host { membership: Some(membership), ..self }
    }

    /// What it does about rosters, if its keys come with them.
    pub const fn membership(&self) -> Option<&Membership> {
        self.membership.as_ref()
    }

    /// The operator has brought a part of a roster; whether it was not known.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn bring(&mut self, now: Time, part: &[u8]) -> Result<bool, &'static str> {
        let membership = self.membership.as_mut().ok_or("this node has no identity")?;
        let taken = membership.bring(now, part).map_err(Refused::words)?;
        self.counters.roster_parts += u64::from(taken);
        self.tell_news();
        self.settle(now);
        Ok(taken)
    }

    /// When [`Host::on_time`] has to change keys, or to say something of rosters.
    pub(super) fn joining_deadline(&self) -> Time {
        let Some(membership) = &self.membership else { return Time::NEVER };
        let says = if self.radio == Radio::Free { membership.says_at() } else { Time::NEVER };
        membership.deadline().min(says)
    }

    pub(super) fn is_about_rosters(&self, frame: &[u8]) -> bool {
        self.membership.is_some() && Clear::is_one(frame)
    }

    /// Anybody may have sent a frame that is not sealed.
    pub(super) fn on_clear(&mut self, now: Time, frame: &[u8]) {
        let Some(membership) = &mut self.membership else { return };
        let counted = match membership.on_frame(now, frame) {
            Ok(false) => None,
            Ok(true) => Some(&mut self.counters.roster_parts),
            Err(Refused::Malformed) => Some(&mut self.counters.roster_malformed),
            Err(Refused::NotSigned) => Some(&mut self.counters.roster_not_signed),
            Err(Refused::Old) => Some(&mut self.counters.roster_old),
            Err(Refused::Unchecked) => Some(&mut self.counters.roster_unchecked),
        };
        if let Some(counted) = counted {
            *counted += 1;
        }
        self.tell_news();
        self.settle(now);
    }

    /// A frame was opened with the key at this place.
    pub(super) fn on_opened(&mut self, now: Time, place: usize) {
        if let Some(membership) = &mut self.membership {
            membership.on_opened(now, place);
            self.tell_news();
        }
    }

    pub(super) fn change_keys(&mut self, now: Time) {
        if let Some(membership) = &mut self.membership {
            membership.on_time(now);
            self.tell_news();
        }
    }

    fn tell_news(&mut self) {
        let [keys, complete] =
            self.membership.as_mut().map(Membership::take_news).unwrap_or_default();
        self.orders.extend(keys.then_some(Order::Keys));
        self.orders.extend(complete.then_some(Order::Keep));
    }

    /// The radio, which is free, gets a frame about rosters; or nothing, though there may be frames of the protocols, because
    /// there is no key.
    pub(super) fn says_aside(&mut self, now: Time) -> bool {
        let Some(membership) = &mut self.membership else { return false };
        let Some(frame) = membership.poll(now) else { return !membership.has_key() };
        self.counters.roster_frames_sent += 1;
        self.orders.push_back(Order::Broadcast(frame));
        self.radio = Radio::Aside;
        true
    }

    /// The radio has finished with a frame about rosters.
    pub(super) fn on_said(&mut self, now: Time, air_time: Duration) {
        if let Some(membership) = &mut self.membership {
            membership.on_sent(now, air_time);
        }
        self.settle(now);
    }
}
