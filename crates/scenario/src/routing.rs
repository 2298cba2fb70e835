//! How packets find their way.

use multihop_core::{Alternative, Capability, Choice, Forwarding, Param, Scheme, Value, Values};
use multihop_routing::fixed::Metric;
use multihop_routing::{Routes, RoutingProtocol, fixed};

use crate::error::Fault;
use crate::form::Scenario;
use crate::registry::Registry;
use multihop_setup::{Arp, Carried, Interference, Routing};

/// A key of [routing] whatever its kind: nodes ask for addresses below any protocol.
pub(crate) const ARP: Choice<Arp> = Choice {
    name: "arp",
    about: "How a node learns the MAC addresses of its neighbours. MACs with link acknowledgments only",
    among: &[
        Alternative { name: "off", about: "It knows them" },
        Alternative {
            name: "ns2",
            about: "It asks by broadcast, as ns-2's ARP does: one packet is held per neighbour and a \
                    second replaces it, and the fourth without an answer is a link failure",
        },
    ],
    values: &[Arp::Off, Arp::Ns2],
};

/// The parameters of [routing] with this protocol.
pub(crate) fn params(protocol: &RoutingProtocol) -> Vec<Param> {
    protocol.params.iter().copied().chain([ARP.param()]).collect()
}

/// The routing of `scenario`, and how its nodes learn addresses.
pub(crate) fn routing(
    scenario: &Scenario,
    (scheme, medium): (&Scheme, &Carried),
    registry: &Registry,
) -> Result<(Routing, Arp), Fault> {
    let part = scenario.routing.clone().unwrap_or_default();
    let protocol = match part.name {
        Some(_) => part.find(&registry.routings, |protocol| protocol.name)?,
        None => preferred(scheme, registry),
    };
    check_forwarding(scheme, protocol, preferred(scheme, registry))?;
    if protocol.routes == Routes::Searched && scenario.wired.is_some() {
        let message = format!(
            "\"{}\" searches for routes with broadcasts by radio, which [wired] has not; use kind = \
             \"{}\", or [radio] and [mac] instead of [wired]",
            protocol.name,
            fixed::ROUTING.name
        );
        return Err(Fault::new("routing.kind", message));
    }
    let all: Vec<_> = registry.routings.iter().map(|other| (other.name, params(other))).collect();
    let all: Vec<_> = all.iter().map(|(name, params)| (*name, params.as_slice())).collect();
    let values = part.values((protocol.name, &params(protocol)), &all, registry.defaults)?;
    check_capabilities(protocol, &values, medium)?;
    check_metric(protocol, &values, medium)?;
    let arp = arp(values.get(ARP), scheme, medium)?;
    Ok((Routing { protocol, values, weights: None }, arp))
}

/// The routing protocol that a scheme has where a scenario names none: the first that serves it; the first of all if
/// there is none, which is then refused.
fn preferred(scheme: &Scheme, registry: &Registry) -> &'static RoutingProtocol {
    let serving = registry.routings.iter().find(|protocol| protocol.serves(scheme.forwarding));
    serving.unwrap_or(&registry.routings[0])
}

/// Refuses routes for packets that go everywhere, and no routes for those that need some.
fn check_forwarding(
    scheme: &Scheme,
    protocol: &RoutingProtocol,
    other: &RoutingProtocol,
) -> Result<(), Fault> {
    if protocol.serves(scheme.forwarding) {
        return Ok(());
    }
    let (name, kind, other) = (scheme.name, protocol.name, other.name);
    let message = match scheme.forwarding {
        Forwarding::Flood => format!(
            "\"{kind}\" has routes, but '{name}' sends every packet to all neighbours and asks for none; \
             remove it, or set kind = \"{other}\""
        ),
        Forwarding::NextHop => format!(
            "\"{kind}\" has no routes, but '{name}' hands packets to one next hop after the other; set \
             kind = \"{other}\", or use a scheme that floods"
        ),
    };
    Err(Fault::new("routing.kind", message))
}

/// Refuses an option that needs of the MAC what this one cannot do.
fn check_capabilities(
    protocol: &RoutingProtocol,
    values: &Values,
    medium: &Carried,
) -> Result<(), Fault> {
    for param in protocol.params {
        if let Some((on, capability)) = param.needs
            && values.named(param.name) == Some(&Value::Switch(on))
            && medium.radio().is_some()
            && !medium.mac.can(capability)
        {
            let message = format!(
                "{on} needs {capability}, which the {} MAC does not have; remove it",
                medium.mac.title
            );
            return Err(Fault::new(format!("routing.{}", param.name), message));
        }
    }
    Ok(())
}

/// Refuses air times of links where no receiver says what a link bears.
fn check_metric(
    protocol: &RoutingProtocol,
    values: &Values,
    medium: &Carried,
) -> Result<(), Fault> {
    let knows =
        medium.radio().is_some_and(|radio| matches!(radio.interference, Interference::Ofdm(_)));
    let asks =
        *protocol.name == *fixed::ROUTING.name && values.get(fixed::METRIC) == Metric::AirTime;
    if asks && !knows {
        let message = "\"airtime\" asks which rate a link's signal bears beside noise, which only radio.interference = \
                       \"ofdm\" says; set mac.timing = \"ofdm-5\", \"ofdm-2.4\" or \"ht-5\", or use \"hops\"";
        return Err(Fault::new("routing.metric", message));
    }
    Ok(())
}

/// Refuses addresses that are asked for where nobody can.
fn arp(wanted: Arp, scheme: &Scheme, medium: &Carried) -> Result<Arp, Fault> {
    let refusal = if wanted == Arp::Off {
        return Ok(Arp::Off);
    } else if medium.radio().is_none() {
        "asks by radio, which [wired] has not; remove one of the two".to_owned()
    } else if scheme.forwarding == Forwarding::Flood {
        format!("asks for the address of the next hop, and '{}' has none; remove it", scheme.name)
    } else if !medium.mac.can(Capability::LinkAcknowledgment) {
        format!(
            "belongs to MACs with link acknowledgments; scheme '{}' runs on the {} MAC, whose frames are \
             for everyone who hears them, without link acknowledgment or link failure; remove it",
            scheme.name, medium.mac.title
        )
    } else {
        return Ok(Arp::Ns2);
    };
    Err(Fault::new("routing.arp", format!("\"ns2\" {refusal}")))
}
