//! Keys that are set and have no effect: what takes their place, or lets them lie.

use multihop_core::{Bytes, Forwarding, Heeded, NodeId, Param, Values};
use multihop_medium::dcf::{RuleSet, Settings};
use multihop_routing::Routes;

use super::{Checked, Note};
use crate::form::{FlowSection, RadioPart};
use crate::mesh::{Vicinity, radios};
use crate::radio::keys::RECEIVE_THRESHOLD;
use crate::traffic::keys::{STAGGER, START, STOPS};
use multihop_setup::{Fitting, Interference, Node, Radio, Reception, Setup, Simulator, TRAFFICS};

/// A note for every key that the parts of the scenario do not heed, whether it is given or not.
pub(super) fn notes(checked: &Checked<'_>) -> Vec<Note> {
    let setup = checked.setup;
    let mut notes = Vec::new();
    let scheme = (setup.scheme.name, setup.scheme.params, &setup.params.values);
    of_params("scheme", scheme, &mut notes);
    of_batches(setup, &mut notes);
    let routing = &setup.routing;
    of_params(
        "routing",
        (routing.protocol.name, routing.protocol.params, &routing.values),
        &mut notes,
    );
    if let Some(radio) = setup.medium.radio() {
        of_radio(checked, radio, &mut notes);
    }
    let mac = setup.medium.mac;
    let name = format!("the {} MAC", mac.title);
    of_params("mac", (&name, mac.params, &setup.medium.values), &mut notes);
    let settings = Settings::of(&setup.medium);
    let announces_all = |mac: &Settings| mac.rts_threshold == Some(Bytes(0));
    if settings.as_ref().is_some_and(|mac| mac.rules == RuleSet::Ns3 && announces_all(mac)) {
        let why = "by which an RTS is repeated until it is answered, and all data is long: see mac.long_retry_limit";
        notes.push(Note::unheeded("mac.short_retry_limit", "rules \"ns3\" with RTS/CTS", why));
    }
    if settings.is_some_and(|mac| mac.acknowledges && mac.rts_threshold.is_none()) {
        let why = "without which every frame counts as short: see mac.short_retry_limit";
        notes.push(Note::unheeded("mac.long_retry_limit", "the MAC without RTS/CTS", why));
    }
    if setup.simulator == Simulator::Ns3 {
        of_ns3(&mut notes);
    }
    of_traffic(checked, &mut notes);
    of_channels(checked, &mut notes);
    of_nodes(checked, &mut notes);
    of_links(checked, &mut notes);
    notes
}

/// Keys whose place the parameters of a part take, and parameters that others switch off.
fn of_params(
    section: &str,
    (part, params, values): (&str, &[Param], &Values),
    notes: &mut Vec<Note>,
) {
    for param in params {
        if let Some(why) = param.idle(section, params, values) {
            notes.push(Note::unheeded(&format!("{section}.{}", param.name), part, &why));
        }
        let Some(value) = values.named(param.name) else { continue };
        for key in param.replaces {
            let why = format!("which has {section}.{} = {value}", param.name);
            notes.push(Note::unheeded(key, part, &why));
        }
    }
}

/// Parameters of batches, where a frame carries one packet.
fn of_batches(setup: &Setup, notes: &mut Vec<Note>) {
    if setup.params.link.batch > 1 {
        return;
    }
    let by = format!("the {} MAC", setup.medium.mac.title);
    let why = "whose frames carry one packet here: it needs mac.timing = \"ht-5\" with mac.aggregation above 0";
    for param in setup.scheme.params.iter().filter(|param| param.heeded == Heeded::InBatches) {
        notes.push(Note::unheeded(&format!("scheme.{}", param.name), &by, why));
    }
}

/// Whether the powers from which frames are decoded and sensed follow from no distance.
fn thresholds_are_powers(checked: &Checked<'_>) -> bool {
    let section = checked.scenario.radio.as_ref();
    let is_given = |section: &RadioPart| section.params.contains_key(RECEIVE_THRESHOLD.name);
    checked.setup.medium.mac.floors.is_some() || section.is_some_and(is_given)
}

fn of_radio(checked: &Checked<'_>, radio: &Radio, notes: &mut Vec<Note>) {
    let by_ranges = !thresholds_are_powers(checked);
    let ranges =
        "from which the thresholds follow: give receive_threshold and sense_threshold instead";
    // a link's signal, and noise, are powers of their own, which a threshold that follows from a range meets
    let absolute = checked.scenario.link.iter().any(|link| link.signal.is_some())
        || matches!(radio.interference, Interference::Ofdm(_));
    // and so is the power of a node
    let compared = checked.setup.nodes.iter().any(|node| node.own.fitting.is_some());
    if by_ranges && !absolute && !compared {
        notes.push(Note::unheeded("radio.transmit_power", "the ranges", ranges));
    }
    let model = radio.propagation.model;
    let name = format!("propagation \"{}\"", model.name);
    of_params("radio", (&name, model.params, &radio.propagation.values), notes);
    if !model.has_height {
        let why = "whose power does not depend on it";
        notes.push(Note::unheeded("radio.antenna_height", &name, why));
        if by_ranges && !absolute {
            notes.push(Note::unheeded("radio.frequency", "the ranges", ranges));
        }
    }
    of_receiver(radio, notes);
    if checked.setup.routing.protocol.routes == Routes::Searched {
        let why = "which finds its neighbours itself: the key is of fixed routes";
        let name = checked.setup.routing.protocol.name;
        notes.push(Note::unheeded("radio.neighbour_delivery", name, why));
    }
}

/// What a receiver asks for, and the others do not.
fn of_receiver(radio: &Radio, notes: &mut Vec<Note>) {
    let errors = "which counts bit errors, not ratios";
    let (name, of_ofdm) = match radio.interference {
        Interference::Ratio => ("interference \"ratio\"", false),
        Interference::Dsss => ("interference \"dsss\"", false),
        Interference::Ofdm(_) => ("interference \"ofdm\"", true),
    };
    let captures = of_ofdm && radio.reception == Reception::MessageInMessage;
    if radio.interference != Interference::Ratio && !captures {
        notes.push(Note::unheeded("radio.capture_ratio", name, errors));
    }
    if of_ofdm && !captures {
        let why = "which stays with the first frame that it notices";
        notes.push(Note::unheeded("radio.reception", name, why));
    }
    if !of_ofdm {
        let why = "which knows no noise: the key is of interference \"ofdm\"";
        for key in ["errors", "error_margin", "noise_figure", "bandwidth"] {
            notes.push(Note::unheeded(&format!("radio.{key}"), name, why));
        }
    }
}

/// What ns-3 leaves to its own models (docs/guides/ns3.md).
fn of_ns3(notes: &mut Vec<Note>) {
    let keys =
        ["radio.capture_ratio", "mac.rules", "mac.header", "mac.eifs", "mac.link_layer_delay"];
    for key in keys {
        notes.push(Note::unheeded(key, "ns3", "which has rules of its own"));
    }
}

/// What every node says itself, and heights where the propagation asks for none.
fn of_nodes(checked: &Checked<'_>, notes: &mut Vec<Note>) {
    let Some(radio) = checked.setup.medium.radio() else { return };
    let common = radio.fitting();
    let fitting = |node: &Node| node.own.fitting.unwrap_or(common);
    let all = |differs: fn(&Fitting, &Fitting) -> bool| {
        checked.setup.nodes.iter().all(|node| differs(&fitting(node), &common))
    };
    let why = "each of which has its own";
    if all(|own, common| own.transmit_power.to_bits() != common.transmit_power.to_bits()) {
        // the thresholds of ranges follow from it
        if thresholds_are_powers(checked) {
            notes.push(Note::unheeded("radio.transmit_power", "the nodes", why));
        }
    }
    if !radio.propagation.model.has_height {
        let name = radio.propagation.model.name;
        for role in checked.scenario.roles.keys() {
            let why = "which asks for no height";
            notes.push(Note::unheeded(&format!("roles.{role}.antenna_height"), name, why));
        }
    }
}

/// What says how strong a signal is, where [[link]] says it for everyone.
fn of_links(checked: &Checked<'_>, notes: &mut Vec<Note>) {
    if !checked.scenario.lists_all_links() {
        return;
    }
    let why = "which say how strongly each node hears the others, its antenna and power included";
    let roles = checked.scenario.roles.keys().map(|role| format!("roles.{role}"));
    let each = (0..checked.scenario.node.len()).map(|at| format!("node[{at}]"));
    for table in roles.chain(each) {
        for key in ["transmit_power", "antenna_gain", "antenna_height"] {
            notes.push(Note::unheeded(&format!("{table}.{key}"), "the links", why));
        }
    }
}

/// Channels over which nothing goes.
fn of_channels(checked: &Checked<'_>, notes: &mut Vec<Note>) {
    let setup = checked.setup;
    let Some(radio) = setup.medium.radio() else { return };
    let all_flood = setup.schemes().iter().all(|scheme| scheme.forwarding == Forwarding::Flood);
    let radios = radios(&setup.medium, &setup.nodes);
    let vicinity = Vicinity {
        nodes: &setup.nodes,
        range: radio.neighbour_range,
        links: &radio.links,
        radios: radios.as_ref(),
    };
    let is_still = |node: &NodeId| setup.nodes[node.index()].track.legs.is_empty();
    for (at, on) in setup.channels.iter().enumerate() {
        let key = format!("channel[{at}].nodes");
        let mut pairs = on.iter().flat_map(|one| on.iter().map(move |other| (one, other)));
        let joins = |(one, other): (&NodeId, &NodeId)| {
            one < other && vicinity.joins(one.index(), other.index())
        };
        if all_flood {
            let why = "which sends every frame to everyone, over the common channel";
            notes.push(Note::unheeded(&key, setup.scheme.name, why));
        } else if on.iter().all(is_still) && !pairs.any(joins) {
            let why = "no two of which are neighbours";
            notes.push(Note::unheeded(&key, "its nodes", why));
        }
    }
}

fn of_traffic(checked: &Checked<'_>, notes: &mut Vec<Note>) {
    let setup = checked.setup;
    if setup.sources.len() == 1 {
        notes.push(Note::unheeded("traffic.stagger", "the only flow", "which follows no other"));
    }
    let listed = &checked.scenario.flow;
    if setup.schemes().iter().all(|scheme| !scheme.heeds_class) {
        let keys = (0..listed.len()).map(|at| format!("flow[{at}].class"));
        for key in keys.chain(["traffic.class".to_owned()]) {
            let why = "which treats all flows alike";
            notes.push(Note::unheeded(&key, setup.scheme.name, why));
        }
    }
    if checked.planned.origins.contains(&None) {
        return;
    }
    // every flow is one of [[flow]], and may say everything itself
    let why = "each of which has a value of its own";
    for name in checked.scenario.traffic.iter().flat_map(|all| all.params.keys()) {
        if listed.iter().all(|flow| says_itself(flow, name)) {
            notes.push(Note::unheeded(&format!("traffic.{name}"), "the flows", why));
        }
    }
    if listed.iter().all(|flow| flow.kind.is_some()) {
        notes.push(Note::unheeded("traffic.kind", "the flows", why));
    }
    for kind in TRAFFICS {
        if setup.sources.iter().any(|source| source.traffic.kind.name == kind.name) {
            continue;
        }
        let why = format!("none of which has kind \"{}\"", kind.name);
        for param in kind.params {
            notes.push(Note::unheeded(&format!("traffic.{}", param.name), "the flows", &why));
        }
    }
}

/// Whether a flow says itself what `name` in [traffic] would.
fn says_itself(flow: &FlowSection, name: &str) -> bool {
    let given = |name: &str| flow.params.contains_key(name);
    given(name)
        || name == STAGGER.name && given(START.name)
        || STOPS.contains(&name) && STOPS.into_iter().any(given)
}
