//! Flows to everyone and to groups, and who can carry them.

use multihop_core::NodeId;
use multihop_setup::Arp;

use super::{CHAIN, right, with, wrong};

/// [`CHAIN`] under flooding, with one more flow.
fn flooding(to: &str) -> String {
    with(&beside(to), "\"udp\"", "\"flooding\"")
}

fn beside(to: &str) -> String {
    format!("{CHAIN}[[flow]]\nfrom = \"n1\"\nto = {to}\n")
}

fn numbers(nodes: &[u32]) -> Vec<NodeId> {
    nodes.iter().copied().map(NodeId).collect()
}

#[test]
fn a_flow_to_everyone_is_for_all_nodes_but_its_source() {
    let setup = right(&flooding("\"everyone\""));
    let source = &setup.sources[1];
    assert_eq!(source.name, "n1->everyone");
    assert_eq!((source.flow.source, source.flow.destination), (NodeId(1), NodeId::BROADCAST));
    assert_eq!(setup.addressed(source.flow), numbers(&[0, 2, 3, 4]));
    assert_eq!(setup.called(NodeId::BROADCAST), "everyone");
    assert!(setup.groups.is_empty());
}

#[test]
fn a_list_of_names_is_a_group_and_equal_lists_are_the_same() {
    let text = flooding("[\"n4\", \"n0\"]")
        + "[[flow]]\nfrom = \"n2\"\nto = [\"n0\", \"n4\"]\n"
        + "[[flow]]\nfrom = \"n2\"\nto = [\"n2\", \"n3\"]\n";
    let setup = right(&text);
    assert_eq!(setup.groups, [numbers(&[0, 4]), numbers(&[2, 3])]);
    let destination = |flow: usize| setup.sources[flow].flow.destination;
    assert_eq!([1, 2, 3].map(destination), [0, 0, 1].map(NodeId::group));
    assert_eq!(setup.called(NodeId::group(0)), "n0, n4");
    assert_eq!(setup.addressed(setup.sources[3].flow), numbers(&[3]), "not its own source");
    assert_eq!(setup.groups_of(NodeId(4)), [NodeId::group(0)]);
    assert_eq!(setup.groups_of(NodeId(1)), []);
}

#[test]
fn flooding_has_no_routes_unless_somebody_insists() {
    let setup = right(&flooding("\"everyone\""));
    assert_eq!((setup.routing.protocol.name, setup.arp), ("none", Arp::Off));
    let section = |kind: &str| with(&flooding("\"n3\""), "[scheme]", &format!("{kind}\n[scheme]"));
    assert_eq!(right(&section("[routing]\nkind = \"none\"")).routing.protocol.name, "none");
    assert_eq!(
        wrong(&section("[routing]\nkind = \"aodv\"")),
        "line 7: routing.kind: \"aodv\" has routes, but 'flooding' sends every packet to all neighbours and asks \
         for none; remove it, or set kind = \"none\""
    );
    assert_eq!(
        wrong(&section("[routing]\narp = \"ns2\"")),
        "line 7: routing.arp: \"ns2\" asks for the address of the next hop, and 'flooding' has none; remove it"
    );
}

#[test]
fn who_hands_packets_from_hop_to_hop_needs_routes_and_one_destination() {
    assert_eq!(
        wrong(&with(CHAIN, "[scheme]", "[routing]\nkind = \"none\"\n[scheme]")),
        "line 7: routing.kind: \"none\" has no routes, but 'udp' hands packets to one next hop after the other; set \
         kind = \"fixed\", or use a scheme that floods"
    );
    for to in ["\"everyone\"", "[\"n3\", \"n4\"]"] {
        assert_eq!(
            wrong(&beside(to)),
            "line 12: flow[0].to: is for several nodes, but 'udp' hands packets to one next hop after the other; \
             use a scheme that floods, as \"flooding\", or a flow to each node"
        );
    }
}

#[test]
fn mistakes_in_groups_name_their_place() {
    let cases = [
        ("[]", "line 12: flow[0].to: names nobody; name a node, or say \"everyone\""),
        ("[\"n3\", \"n3\"]", "line 12: flow[0].to: names 'n3' twice; name every node once"),
        ("[\"n3\", \"n9\"]", "line 12: flow[0].to: unknown node 'n9'; there are n0 to n4"),
        (
            "[\"n1\"]",
            "line 12: flow[0].to: names only 'n1', from which the flow comes; name another node",
        ),
        (
            "3",
            "line 12: flow[0].to: invalid type: integer `3`, expected the name of a node, names in brackets, \
             \"every node\" or \"everyone\"",
        ),
    ];
    for (to, message) in cases {
        assert_eq!(wrong(&flooding(to)), message);
    }
    let flow = |set: u32| {
        let named = (0..9).filter(|bit| set >> bit & 1 == 1);
        let named: Vec<String> = named.map(|bit| format!("\"n{}\"", bit + 1)).collect();
        format!("[[flow]]\nfrom = \"n0\"\nto = [{}]\n", named.join(", "))
    };
    let long = with(CHAIN, "hops = 4", "hops = 10").replace("\"udp\"", "\"flooding\"");
    let flows: Vec<String> = (1..=256).map(flow).collect();
    let message = wrong(&(long + &flows.concat()));
    assert!(
        message
            .ends_with("flow[255].to: names another group; flows can go to 255 different groups"),
        "{message}"
    );
}

#[test]
fn a_node_is_not_called_everyone() {
    let text = "duration = \"9 s\"\n[topology]\nkind = \"explicit\"\n[scheme]\nname = \"flooding\"\n\
                [[node]]\nname = \"everyone\"\nx = \"0 m\"\ny = \"0 m\"\n\
                [[flow]]\nfrom = \"everyone\"\nto = \"everyone\"\n";
    assert_eq!(
        wrong(text),
        "line 7: node[0].name: is what a flow to all nodes says; give the node another name"
    );
}
