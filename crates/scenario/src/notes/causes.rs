//! Causes of results that look like a network's and are the scenario's.

use std::collections::{BTreeMap, BTreeSet};

use multihop_core::{NodeId, Scheme, Time};
use multihop_routing::Routes;

use super::{Checked, Note};
use crate::form::ParamValue;
use crate::links::decodes;
use crate::mesh::{Vicinity, hops, radios};
use crate::roles::key_of;
use crate::traffic::keys::STOPS;
use multihop_setup::{Radio, Setup, Source, Unlisted};

use crate::medium::range_key;

/// A note for every cause that is known before a run.
pub(super) fn notes(checked: &Checked<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(mobile_by_fixed_routes(checked.setup));
    notes.extend(unmeasured(checked));
    notes.extend(overload(checked));
    notes.extend(routes(checked));
    notes.extend(mixed(checked));
    if let Some(radio) = checked.setup.medium.radio() {
        notes.extend(one_way(checked.setup, radio));
        notes.extend(unlike(checked));
    }
    notes
}

fn moves(setup: &Setup) -> bool {
    setup.nodes.iter().any(|node| !node.track.legs.is_empty())
}

fn mobile_by_fixed_routes(setup: &Setup) -> Option<Note> {
    let fixed = setup.routing.protocol.routes == Routes::Known;
    (fixed && moves(setup)).then(|| {
        let message = "nodes move, and fixed routes stay what they are at the start; set \
                       routing.kind to \"aodv\" or \"dsr\"";
        Note::cause("routing.kind", message)
    })
}

/// `'a->b'`, or `'a->b' and 4 more`.
fn named(sources: &[&Source]) -> String {
    let first = sources.first().map_or("", |source| source.name.as_str());
    match sources.len() {
        0 | 1 => format!("'{first}'"),
        all => format!("'{first}' and {} more", all - 1),
    }
}

fn seconds(time: Time) -> f64 {
    time.nanos() as f64 / 1e9
}

/// Sources that stop before measuring begins.
fn unmeasured(checked: &Checked<'_>) -> Option<Note> {
    let setup = checked.setup;
    let early: Vec<&Source> =
        setup.sources.iter().filter(|source| source.stop <= setup.warmup).collect();
    let first = early.first()?;
    let message = format!(
        "{} stops at {} s, and measuring begins at {} s: nothing of it is measured; stop it later, \
         or shorten warmup",
        named(&early),
        seconds(first.stop),
        seconds(setup.warmup)
    );
    Some(Note::cause(checked.stop_key(first), message))
}

/// Sources that offer more than the medium's rate.
fn overload(checked: &Checked<'_>) -> Option<Note> {
    let setup = checked.setup;
    let rate = setup.medium.hop().data_rate.0 as f64;
    let offered = |source: &Source| {
        if source.traffic.is_bulk() { 0.0 } else { source.traffic.pattern.load() }
    };
    let over: Vec<&Source> = setup.sources.iter().filter(|source| offered(source) > rate).collect();
    let most = over.iter().copied().max_by(|a, b| offered(a).total_cmp(&offered(b)))?;
    let lasts = most.stop.since(most.start).seconds();
    let packets = offered(most) * lasts / most.traffic.payload.bits() as f64;
    let rate_key = if setup.medium.radio().is_some() { "mac.data_rate" } else { "wired.rate" };
    let times = offered(most) / rate;
    let times = if times < 10.0 { format!("{times:.1}") } else { format!("{times:.0}") };
    let message = format!(
        "{} offers {times} times {rate_key} ({} Mbit/s): no network carries it, and the run makes {:.0} \
         packets a flow; lower the load",
        named(&over),
        rate / 1e6,
        packets
    );
    Some(Note::cause("traffic.load", message))
}

/// Routes that are shorter than was asked, and longer than the routing protocol can write down.
fn routes(checked: &Checked<'_>) -> Vec<Note> {
    let setup = checked.setup;
    let most = setup.routing.protocol.most_hops;
    if checked.planned.promised.is_empty() && most.is_none() {
        return Vec::new();
    }
    let way = Ways::new(setup);
    let lengths: Vec<Option<u32>> = setup.sources.iter().map(|source| way.hops(source)).collect();
    let mut notes = Vec::new();
    let searched = setup.routing.protocol.routes == Routes::Searched;
    let with = || setup.sources.iter().zip(&lengths);
    let short = with().zip(&checked.planned.promised).find_map(|((source, hops), promised)| {
        let hops = (*hops)?;
        let free = searched || source.way.is_empty();
        (hops < *promised && free).then_some((source, hops, promised))
    });
    if let Some((source, hops, promised)) = short {
        let (range, key) = (setup.medium.neighbour_range(), range_key(&setup.medium));
        let message = format!(
            "the topology has {promised} hops for '{}', and the shortest route has {hops}: nodes up to \
             {range:.0} m apart are neighbours; place them farther apart, or lower {key}",
            source.name
        );
        notes.push(Note::cause("topology", message));
    }
    let long = |most: u32| with().find(|(_, hops)| hops.is_some_and(|hops| hops > most));
    if let Some((most, (source, Some(hops)))) = most.and_then(|most| Some((most, long(most)?)))
        && !moves(setup)
    {
        let message = format!(
            "the shortest route of '{}' has {hops} hops, and \"{}\" writes {} addresses into a packet, \
             which are {most} hops: it will find none; use \"aodv\", or a shorter route",
            source.name,
            setup.routing.protocol.name,
            most + 1
        );
        notes.push(Note::cause("routing.kind", message));
    }
    notes
}

/// Schemes that do not understand each other's packets.
fn mixed(checked: &Checked<'_>) -> Option<Note> {
    let tested = checked.setup.scheme;
    let headers = |scheme: &Scheme| scheme.headers.iter().map(|format| format.kind.0).collect();
    let other = checked.setup.schemes().into_iter().find(|scheme| {
        let (one, other): (BTreeSet<_>, BTreeSet<_>) = (headers(tested), headers(scheme));
        one != other
    })?;
    let key = key_of(checked.scenario, other)?;
    let message = format!(
        "'{}' and '{}' write different headers: a node may lose what it gets from nodes of the other scheme; \
         let the flows of each go over its own nodes",
        tested.name, other.name
    );
    Some(Note::cause(key, message))
}

/// Who is whose neighbour at the start of a run.
struct Ways(Vec<Vec<usize>>);

impl Ways {
    fn new(setup: &Setup) -> Self {
        let none = multihop_setup::Links::default();
        let links = setup.medium.radio().map_or(&none, |radio| &radio.links);
        let range = setup.medium.neighbour_range();
        let radios = radios(&setup.medium, &setup.nodes);
        Ways(Vicinity { nodes: &setup.nodes, range, links, radios: radios.as_ref() }.all())
    }

    fn hops(&self, source: &Source) -> Option<u32> {
        hops(&self.0, source.flow.source.index(), source.flow.destination.index())
    }
}

/// Links in one direction, over which AODV answers in vain.
fn one_way(setup: &Setup, radio: &Radio) -> Option<Note> {
    let protocol = setup.routing.protocol;
    // who cannot tell a link in one direction apart
    let helpless = protocol.bidirectional.is_some_and(|holds| holds(&setup.routing.values));
    if !helpless {
        return None;
    }
    let heard: BTreeSet<(NodeId, NodeId)> = radio
        .links
        .listed
        .iter()
        .filter(|link| decodes(link, radio))
        .map(|link| (link.from, link.to))
        .collect();
    // beyond the list the distance decides, in both directions alike
    let listed = |pair: (NodeId, NodeId)| {
        radio.links.others == Unlisted::Silent || radio.links.find(pair.0, pair.1).is_some()
    };
    let alone = |pair: &&(NodeId, NodeId)| {
        let back = (pair.1, pair.0);
        !heard.contains(&back) && listed(back)
    };
    let all: Vec<_> = heard.iter().filter(alone).collect();
    let (from, to) = all.first()?;
    let name = |node: &NodeId| &setup.nodes[node.index()].name;
    let others =
        if all.len() > 1 { format!(" ({} links are like it)", all.len()) } else { String::new() };
    let message = format!(
        "'{}' hears '{}', and not the other way round{others}: \"{}\" sends route replies back over \
         such a link, where they are lost, and finds no route; set routing.blacklist = true (RFC 3561, \
         6.8), or list the link in both directions",
        name(to),
        name(from),
        protocol.name
    );
    Some(Note::cause("link", message))
}

/// Links in one direction because radios differ.
fn unlike(checked: &Checked<'_>) -> Option<Note> {
    let setup = checked.setup;
    let (radio, radios) = (setup.medium.radio()?, radios(&setup.medium, &setup.nodes));
    let range = setup.medium.neighbour_range();
    let found =
        Vicinity { nodes: &setup.nodes, range, links: &radio.links, radios: radios.as_ref() }
            .one_way();
    let (from, to) = found.first()?;
    let name = |node: &usize| &setup.nodes[*node].name;
    let others = if found.len() > 1 {
        format!(" ({} links are like it)", found.len())
    } else {
        String::new()
    };
    let protocol = setup.routing.protocol;
    let helpless = protocol.bidirectional.is_some_and(|holds| holds(&setup.routing.values));
    let follows = if helpless {
        format!(
            "\"{}\" sends route replies back over such a link, where they are lost, and finds no route; set \
             routing.blacklist = true (RFC 3561, 6.8), or raise",
            protocol.name
        )
    } else {
        "the link is in one direction only, and disturbs beyond it; if that is not meant, raise"
            .to_owned()
    };
    let message = format!(
        "'{}' hears '{}', and not the other way round{others}: {follows} the transmit_power of '{}'",
        name(to),
        name(from),
        name(to),
    );
    let key = if checked.scenario.roles.is_empty() { "node" } else { "roles" };
    Some(Note::cause(key, message))
}

impl Checked<'_> {
    /// Where it stands that `source` stops.
    fn stop_key(&self, source: &Source) -> String {
        let sections = &self.scenario.flow;
        let at = self.setup.sources.iter().position(|one| one.name == source.name);
        let own = at.and_then(|at| self.planned.origins[at]);
        let common = self.scenario.traffic.as_ref().and_then(|all| stop_of(&all.params));
        match own.and_then(|at| Some((at, stop_of(&sections[at].params)?))) {
            Some((at, name)) => format!("flow[{at}].{name}"),
            None => format!("traffic.{}", common.unwrap_or(STOPS[0])),
        }
    }
}

/// Which key of a table says when its flows stop.
fn stop_of(table: &BTreeMap<String, ParamValue>) -> Option<&'static str> {
    STOPS.into_iter().find(|name| table.contains_key(*name))
}
