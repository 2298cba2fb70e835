//! Who hears whom whatever the distance: [[link]].

use multihop_core::{NodeId, normal};

use crate::bounds::within;
use crate::error::Fault;
use crate::form::{LinkSection, ParamValue, Scenario};
use crate::names::Names;
use crate::quantity::Signal;
use crate::radio::keys::{NEIGHBOUR_DELIVERY, UNLISTED};
use crate::reach::distance;
use multihop_setup::{Carried, Channel, Interference, Link, Links, Node, Radio, Unlisted};

/// About as many as a machine has room for.
const MOST_LINKS: usize = 10_000_000;

impl Scenario {
    /// Whether [[link]] says everything about who hears whom, so that positions need not be known.
    pub(crate) fn lists_all_links(&self) -> bool {
        let unlisted = self.radio.as_ref().and_then(|radio| radio.params.get(UNLISTED.name));
        let by_propagation =
            matches!(unlisted, Some(ParamValue::Text(text)) if text == "propagation");
        !self.link.is_empty() && !by_propagation
    }
}

/// The links of `scenario` between `nodes`.
pub(crate) fn links(scenario: &Scenario, nodes: &[Node], medium: &Carried) -> Result<Links, Fault> {
    let sections = &scenario.link;
    let radio = match &medium.channel {
        Channel::Radio(radio) => radio,
        Channel::Links { .. } if sections.is_empty() => return Ok(Links::default()),
        Channel::Links { .. } => {
            let message = "says how radios hear each other, and [wired] has none; remove one of \
                           the two";
            return Err(Fault::new("link", message));
        }
    };
    let least = neighbour_delivery(scenario)?;
    if sections.is_empty() {
        return Ok(Links::default());
    }
    if sections.len() > MOST_LINKS {
        let message = format!("lists {}, but at most {MOST_LINKS} are possible", sections.len());
        return Err(Fault::new("link", message));
    }
    let listed = ordered(sections, all(scenario, nodes, radio)?)?;
    let silent = scenario.lists_all_links();
    let others = if silent { Unlisted::Silent } else { Unlisted::Propagation };
    let mut links = Links { listed, others };
    let known = links.clone();
    for link in &mut links.listed {
        let by_distance = || {
            let apart = distance(&nodes[link.from.index()], &nodes[link.to.index()]);
            !silent && apart <= radio.neighbour_range
        };
        let back = known.find(link.to, link.from).map(|back| decoded(back, radio) >= least);
        let back = back.unwrap_or_else(by_distance);
        link.neighbours = back && decoded(link, radio) >= least;
    }
    Ok(links)
}

/// Refuses keys of [radio] that mean nothing without links.
fn neighbour_delivery(scenario: &Scenario) -> Result<f64, Fault> {
    let (_, values) = scenario.radio.clone().unwrap_or_default().read()?;
    let delivery = values.given(NEIGHBOUR_DELIVERY);
    let given = [
        (UNLISTED.name, values.given(UNLISTED).is_some()),
        (NEIGHBOUR_DELIVERY.name, delivery.is_some()),
    ];
    if let (true, Some((key, _))) = (scenario.link.is_empty(), given.iter().find(|key| key.1)) {
        let message = "applies only where [[link]] lists who hears whom; remove it";
        return Err(Fault::new(format!("radio.{key}"), message));
    }
    Ok(delivery.unwrap_or(NEIGHBOUR_DELIVERY.default))
}

/// Every direction of every link as it is listed, with the number of its table.
fn all(scenario: &Scenario, nodes: &[Node], radio: &Radio) -> Result<Vec<(Link, usize)>, Fault> {
    let names = Names::new(scenario, nodes);
    let mut all = Vec::new();
    for (index, section) in scenario.link.iter().enumerate() {
        let from = names.find(&format!("link[{index}].from"), &section.from)?;
        let to = names.find(&format!("link[{index}].to"), &section.to)?;
        if from == to {
            let message = format!("the link goes from '{}' to itself", section.from);
            return Err(Fault::new(format!("link[{index}].to"), message));
        }
        let (power, delivery) = quality(index, section, radio)?;
        let (from, to) = (NodeId(from as u32), NodeId(to as u32));
        let there = Link { from, to, power, delivery, neighbours: false };
        all.push((there, index));
        if section.both_ways == Some(true) {
            all.push((Link { from: to, to: from, ..there }, index));
        }
    }
    Ok(all)
}

/// In ascending order; none may be there twice.
fn ordered(sections: &[LinkSection], mut all: Vec<(Link, usize)>) -> Result<Vec<Link>, Fault> {
    all.sort_by_key(|(link, index)| (link.from, link.to, *index));
    let same = |pair: &&[(Link, usize)]| {
        let [(first, _), (second, _)] = pair else { return false };
        (first.from, first.to) == (second.from, second.to)
    };
    if let Some([(_, first), (_, second)]) = all.windows(2).find(same) {
        let LinkSection { from, to, .. } = &sections[*second];
        let message = format!(
            "'{from}' and '{to}' are named by link[{first}] already, for the same direction; \
             remove one of the two, or both_ways"
        );
        return Err(Fault::new(format!("link[{second}]"), message));
    }
    Ok(all.into_iter().map(|(link, _)| link).collect())
}

/// The mean power in W and, if it is given, the delivery ratio of a link.
fn quality(
    index: usize,
    section: &LinkSection,
    radio: &Radio,
) -> Result<(f64, Option<f64>), Fault> {
    let key = |name: &str| format!("link[{index}].{name}");
    let power = section.signal.as_ref().map(Signal::watts);
    let Some(delivery) = section.delivery else {
        let remedy = "say how strong the signal is (or give delivery)";
        return power
            .map(|power| (power, None))
            .ok_or_else(|| Fault::missing(key("signal"), remedy));
    };
    let must = "must be at least 0 and at most 1";
    let share = within(&key("delivery"), delivery, |share| (0.0..=1.0).contains(&share), must)?;
    if share == 0.0 && power.is_none() {
        let remedy = "a link that delivers nothing may still disturb; say how strongly, or leave \
                      it out";
        return Err(Fault::missing(key("signal"), remedy));
    }
    let power = power.unwrap_or_else(|| flawless(radio));
    if let (true, Some(signal)) = (power < radio.sense_threshold && share > 0.0, &section.signal) {
        let message = format!(
            "{signal} is too weak to be sensed, but delivery is {share}; lower \
             radio.sense_threshold or remove one of the two"
        );
        return Err(Fault::new(key("signal"), message));
    }
    Ok((power, Some(share)))
}

/// The power in W of a link of which the delivery ratio alone is known: the power loses no frame.
fn flawless(radio: &Radio) -> f64 {
    match radio.interference {
        // 3 dB above where 10 % are lost to noise
        Interference::Ofdm(_) => 2.0 * radio.carrying_power(),
        Interference::Ratio | Interference::Dsss => radio.receive_threshold,
    }
}

/// Whether enough of the frames on `link` are decoded for routing to meet it.
pub(crate) fn decodes(link: &Link, radio: &Radio) -> bool {
    decoded(link, radio) > 0.0
}

/// Share of the frames on `link` that are decoded if nothing disturbs them.
fn decoded(link: &Link, radio: &Radio) -> f64 {
    let least = radio.carrying_power();
    match (link.delivery, radio.propagation.deviation()) {
        (Some(share), _) => share,
        (None, Some(deviation)) if deviation > 0.0 => {
            normal(10.0 * libm::log10(link.power / least) / deviation)
        }
        (None, _) => f64::from(u8::from(link.power >= least)),
    }
}
