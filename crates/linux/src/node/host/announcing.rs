//! Networks behind nodes: what this node announces, and what it hears of others.

use std::net::IpAddr;

use multihop_core::{NodeId, Time};

use crate::ip::{self, IpPacket, Subnet};
use crate::node::announcement::{Announcement, PROTOCOL};

use super::Host;

impl Host {
    /// Announce these networks from now on, as far as the machine reaches them ([`Host::set_reached`]).
    pub fn announce_networks(&mut self, now: Time, networks: &[Subnet]) {
        self.network.announcer.announce(now, networks);
    }

    /// The machine reaches some of the networks that are announced, and others not.
    pub fn set_reached(&mut self, now: Time, reached: impl Fn(Subnet) -> bool) {
        self.network.announcer.set_reached(now, reached);
    }

    /// Networks that others announce are taken from now on if they lie in one of these.
    pub fn set_accept(&mut self, accept: Vec<Subnet>) {
        self.network.gateways.set_accept(accept);
    }

    /// When [`Host::on_time`] has to tell others of networks, or to forget some.
    pub(super) fn announcing_deadline(&self) -> Time {
        let tells = if self.has_radio() { self.network.announcer.deadline() } else { Time::NEVER };
        tells.min(self.network.gateways.deadline())
    }

    /// Tell who is next, if that is due, and forget what does not hold any more.
    pub(super) fn announce(&mut self, now: Time) {
        self.network.gateways.on_time(now);
        if !self.has_radio() {
            return;
        }
        while let Some((to, announcement)) = self.network.announcer.poll(now) {
            let ends = (self.network.address(), self.network.prefix.address(to));
            let bytes = ip::packet4(ends, PROTOCOL, 0, &announcement.emit());
            if let Some(packet) = IpPacket::of(&bytes) {
                self.counters.announcements_sent += 1;
                self.push(now, to, &packet, &bytes);
            }
        }
    }

    /// A node says which networks lie behind it. Only what it says from its own address counts.
    pub(super) fn on_announcement(
        &mut self,
        now: Time,
        from: (NodeId, u8),
        headers: &IpPacket,
        bytes: &[u8],
    ) {
        let own: IpAddr = self.network.prefix.address(from.0).into();
        let body = bytes.get(headers.behind..).unwrap_or_default();
        let Some(announcement) = Announcement::parse(body).ok().filter(|_| headers.source == own)
        else {
            self.counters.announcements_malformed += 1;
            return;
        };
        self.counters.announcements += 1;
        let refused = self.network.gateways.on_announcement(now, from, &announcement);
        self.counters.networks_refused += refused as u64;
    }
}
