//! Channels beside the common one.

use multihop_core::NodeId;

use super::{CHAIN, right, with, wrong};

/// [`CHAIN`], whose nodes are n0 to n4, with tables more.
fn beside(tables: &str) -> String {
    format!("{CHAIN}{tables}\n")
}

fn notes(text: &str) -> Vec<String> {
    let notes = crate::from_toml(text).and_then(|scenario| scenario.notes()).expect("right");
    notes.into_iter().filter(|note| note.unheeded).map(|note| note.to_string()).collect()
}

#[test]
fn nodes_are_on_the_channels_that_name_them() {
    let text = beside(
        "[[channel]]\nnodes = [\"n2\", \"n1\"]\n[[channel]]\nnodes = [\"n2\", \"n3\", \"n4\"]",
    );
    let setup = right(&text);
    let on: Vec<Vec<u32>> =
        setup.channels.iter().map(|on| on.iter().map(|NodeId(number)| *number).collect()).collect();
    assert_eq!(on, [vec![1, 2], vec![2, 3, 4]]);
    assert!(notes(&text).is_empty());
    assert_ne!(setup.identity(), right(CHAIN).identity());
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    for (tables, message) in [
        ("[[channel]]\nnodes = [\"n1\"]", "line 11: channel[0].nodes: names fewer than two nodes"),
        (
            "[[channel]]\nnodes = [\"n1\", \"n9\"]",
            "line 11: channel[0].nodes: unknown node 'n9'; there are n0 to n4",
        ),
        ("[[channel]]\nnodes = [\"n1\", \"n1\"]", "line 11: channel[0].nodes: names 'n1' twice"),
        ("[[channel]]\nlinks = []", "line 11: channel[0].links: unknown key 'links'"),
        (
            "[[channel]]\nnodes = [\"n1\", \"n2\"]\n[[channel]]\nnodes = [\"n2\", \"n3\", \"n1\"]",
            "line 13: channel[1].nodes: 'n1' and 'n2' are both on channel[0] already; two nodes have one channel",
        ),
        (
            "[wired]\n[[channel]]\nnodes = [\"n1\", \"n2\"]",
            "line 11: channel: is of radios, and [wired] has none",
        ),
    ] {
        let found = wrong(&beside(tables));
        assert!(found.starts_with(message), "{found}");
    }
    let ns3 = format!("simulator = \"ns3\"\n{}", beside("[[channel]]\nnodes = [\"n1\", \"n2\"]"));
    let found = wrong(&ns3);
    assert!(found.starts_with("line 1: simulator: ns-3 gives every node one radio"), "{found}");
}

#[test]
fn channels_over_which_nothing_goes_are_named() {
    let far = beside("[[channel]]\nnodes = [\"n1\", \"n3\"]");
    let expected =
        "line 11: not heeded: channel[0].nodes by its nodes, no two of which are neighbours";
    assert_eq!(notes(&far), [expected]);
    let flood = with(
        &beside("[[channel]]\nnodes = [\"n1\", \"n2\"]"),
        "name = \"udp\"",
        "name = \"flooding\"",
    );
    let found = notes(&flood);
    assert!(
        found.iter().any(|note| note.contains("channel[0].nodes by flooding, which sends every")),
        "{found:?}"
    );
}
