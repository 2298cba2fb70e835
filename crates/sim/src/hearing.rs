//! Who hears whom over a time, without a run: for every MAC that goes over a radio.

use multihop_core::Time;
use multihop_medium::{Channel, Signal};
use multihop_setup::{Hearing, Node, Radio, Setup};
use multihop_trace::{Column, Table};

use crate::survey::WIRED;
use crate::table::{floats, integers, texts};

/// Who hears whom. Nodes are named by their numbers.
pub struct Hearers {
    /// The name of every node.
    pub nodes: Table,
    /// For each moment, a row for each node and each other that gets its signal: mean power in W, the probabilities that a
    /// frame keeps it from sending (`sensed`) and is decoded, and whether routing takes them for neighbours.
    pub signals: Table,
    /// One row: from which power in W on stations defer and decode, by what ratios frames survive others, whether what
    /// overlaps adds up, whether nodes move, and the noise in W (0: it does not count).
    pub rules: Table,
}

/// Who hears whom in `setup` at these moments.
///
/// # Errors
/// If nobody shares the medium: the key, and what to do.
pub fn hearers(setup: &Setup, moments: &[Time]) -> Result<Hearers, String> {
    let radio = setup.medium.radio().ok_or(WIRED)?;
    let mac = setup.medium.mac;
    let hearing = mac
        .hearing
        .ok_or_else(|| format!("mac.kind: \"{}\" does not say what its stations hear", mac.name))?;
    // carrier sense may differ from node to node
    let hears = |radio: &Radio| hearing(&setup.medium.values, radio);
    let common = hears(radio);
    let own = |node: &Node| node.own.fitting.map_or(common, |own| hears(&radio.fitted(&own)));
    let hearing: Vec<Hearing> = setup.nodes.iter().map(own).collect();
    let mut channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
    let mut rows = Vec::new();
    for (number, at) in (0u64..).zip(moments) {
        let signals = channel.signals(*at).into_iter();
        let deferred = |of: &Signal| channel.deferred(of, &hearing[of.to.index()]);
        rows.extend(signals.map(|signal| (number, deferred(&signal), signal)));
    }
    Ok(Hearers {
        nodes: vec![("name", texts(&setup.nodes, |node| node.name.clone()))],
        signals: vec![
            ("moment", integers(&rows, |(moment, ..)| *moment)),
            ("from", integers(&rows, |(.., signal)| u64::from(signal.from.0))),
            ("to", integers(&rows, |(.., signal)| u64::from(signal.to.0))),
            ("power_w", floats(&rows, |(.., signal)| signal.power)),
            ("sensed", floats(&rows, |(_, deferred, _)| *deferred)),
            ("decoded", floats(&rows, |(.., signal)| signal.decoded)),
            ("neighbours", integers(&rows, |(.., signal)| u64::from(signal.neighbours))),
        ],
        rules: rules(&common, radio.carrying_power(), channel.is_moving()),
    })
}

fn rules(hearing: &Hearing, decodes_from: f64, moves: bool) -> Table {
    let Hearing { defers_from, over_later, over_earlier, adds_up, noise } = *hearing;
    let number = |value| Column::Float(vec![value]);
    let flag = |on: bool| Column::Integer(vec![i64::from(on)]);
    vec![
        ("defers_from_w", number(defers_from)),
        ("decodes_from_w", number(decodes_from)),
        ("over_later", number(over_later)),
        ("over_earlier", number(over_earlier)),
        ("adds_up", flag(adds_up)),
        ("moves", flag(moves)),
        ("noise_w", number(noise)),
    ]
}
