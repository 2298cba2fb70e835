//! How packets find their way.

use multihop_core::{Duration, MacAccess, Scheme};
use multihop_routing::aodv;

use crate::error::Fault;
use crate::form::{ArpKind, RoutingKind, RoutingSection, Scenario};
use crate::quantity::Span;
use crate::setup::{Arp, Routing};

/// Twice this, RFC 3561's `MY_ROUTE_TIMEOUT`, still fits the 32 bits of milliseconds of its
/// messages.
const LONGEST_LIFETIME: Duration = Duration::from_millis(2_000_000_000);

/// Route replies give lifetimes in milliseconds (RFC 3561, 5.2).
const SHORTEST_LIFETIME: Duration = Duration::from_millis(1);

/// More messages per second than a radio carries.
const MOST_PER_SECOND: u32 = 10_000;

/// The routing of `scenario`.
pub(crate) fn routing(scenario: &Scenario) -> Result<Routing, Fault> {
    let Some(section) = &scenario.routing else { return Ok(Routing::Fixed) };
    match section.kind.unwrap_or(RoutingKind::Fixed) {
        RoutingKind::Fixed => fixed(section),
        RoutingKind::Aodv if scenario.wired.is_some() => {
            let message = "\"aodv\" searches for routes with broadcasts by radio, which [wired] has \
                           not; use kind = \"fixed\", or [radio] and [mac] instead of [wired]";
            Err(Fault::new("routing.kind", message))
        }
        RoutingKind::Aodv => aodv(section),
    }
}

fn fixed(section: &RoutingSection) -> Result<Routing, Fault> {
    let aodv_only = [
        ("local_repair", section.local_repair.is_some()),
        ("expanding_ring", section.expanding_ring.is_some()),
        ("active_route_timeout", section.active_route_timeout.is_some()),
        ("request_rate_limit", section.request_rate_limit.is_some()),
        ("error_rate_limit", section.error_rate_limit.is_some()),
    ];
    if let Some((key, _)) = aodv_only.iter().find(|(_, given)| *given) {
        let message = "applies only to kind \"aodv\"; remove it or set kind = \"aodv\"";
        return Err(Fault::new(format!("routing.{key}"), message));
    }
    Ok(Routing::Fixed)
}

fn aodv(section: &RoutingSection) -> Result<Routing, Fault> {
    let default = aodv::Settings::default();
    let given = section.active_route_timeout.as_ref();
    let active_route_timeout = given.map_or(default.active_route_timeout, Span::duration);
    if !(SHORTEST_LIFETIME..=LONGEST_LIFETIME).contains(&active_route_timeout) {
        let given = given.map_or_else(String::new, |given| format!(" (got {given})"));
        let message = format!("must lie between 1 ms and 2000000 s{given}");
        return Err(Fault::new("routing.active_route_timeout", message));
    }
    Ok(Routing::Aodv(aodv::Settings {
        local_repair: section.local_repair.unwrap_or(default.local_repair),
        expanding_ring: section.expanding_ring.unwrap_or(default.expanding_ring),
        active_route_timeout,
        request_rate_limit: rate_limit("request_rate_limit", section.request_rate_limit)?,
        error_rate_limit: rate_limit("error_rate_limit", section.error_rate_limit)?,
    }))
}

fn rate_limit(key: &str, given: Option<u32>) -> Result<Option<u32>, Fault> {
    if given.is_some_and(|limit| !(1..=MOST_PER_SECOND).contains(&limit)) {
        let message = format!(
            "must lie between 1 and {MOST_PER_SECOND} messages per second; without the key there is \
             no limit"
        );
        return Err(Fault::new(format!("routing.{key}"), message));
    }
    Ok(given)
}

/// How nodes learn the MAC addresses of their neighbours.
pub(crate) fn arp(scenario: &Scenario, scheme: &Scheme) -> Result<Arp, Fault> {
    let wanted = scenario.routing.as_ref().and_then(|section| section.arp);
    let refusal = match (wanted, scheme.mac) {
        (None | Some(ArpKind::Off), _) => return Ok(Arp::Off),
        (Some(ArpKind::Ns2), _) if scenario.wired.is_some() => {
            "asks by radio, which [wired] has not; remove one of the two".to_owned()
        }
        (Some(ArpKind::Ns2), MacAccess::Csma) => format!(
            "belongs to the 802.11 DCF; scheme '{}' runs on the reduced CSMA MAC, whose frames are for \
             everyone who hears them, without link acknowledgment or link failure; remove it",
            scheme.name
        ),
        (Some(ArpKind::Ns2), MacAccess::Dcf) => return Ok(Arp::Ns2),
    };
    Err(Fault::new("routing.arp", format!("\"ns2\" {refusal}")))
}
