//! Whose addresses are whose.

use multihop_core::Time;

use crate::node::announcement::Announcement;

use super::*;

fn setup() -> Setup {
    let text = "[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"cxcc\"\n[traffic]\nload = \"1 kbit/s\"\n";
    let setup = multihop_scenario::from_toml(text).and_then(|scenario| scenario.setup());
    setup.unwrap_or_else(|error| panic!("{error}"))
}

fn read(text: &str) -> Result<Network, String> {
    let folder = tempfile::tempdir().expect("it can be made");
    let path = folder.path().join("networks.toml");
    std::fs::write(&path, text).expect("it can be written");
    Network::new(&setup(), NodeId(0), Prefix::DEFAULT).with_behind(&setup(), &path)
}

fn at(text: &str) -> IpAddr {
    text.parse().expect("it is one")
}

#[test]
fn the_longest_prefix_counts_and_nodes_come_before_all() {
    let text = "[[network]]\nprefix = \"0.0.0.0/0\"\nnode = \"n2\"\n\
                [[network]]\nprefix = \"192.168.0.0/16\"\nnode = \"n1\"\n\
                [[network]]\nprefix = \"192.168.7.0/24\"\nnode = \"n0\"\n";
    let network = read(text).expect("it is one");
    assert_eq!(network.way_to(at("10.0.0.1")), Some(NodeId(1)));
    assert_eq!(network.way_to(at("10.0.0.9")), None, "what could be a node lies behind none");
    assert_eq!(network.way_to(at("192.168.8.1")), Some(NodeId(1)));
    assert_eq!(network.way_to(at("192.168.7.1")), None, "it lies behind this node");
    assert_eq!(network.way_to(at("1.1.1.1")), Some(NodeId(2)));
    assert!(network.is_of(NodeId(0), at("192.168.7.1")));
    assert!(
        !network.is_of(NodeId(1), at("192.168.7.1")) && !network.is_of(NodeId(2), at("10.0.0.1"))
    );
    let elsewhere: Vec<_> = network.elsewhere().map(|subnet| subnet.to_string()).collect();
    assert_eq!(elsewhere, ["192.168.0.0/16", "0.0.0.0/0"]);
}

#[test]
fn the_last_address_is_of_all_unless_it_is_a_node_s() {
    let of = |prefix: &str| Network::new(&setup(), NodeId(0), prefix.parse().expect("it is one"));
    let mut network = of("10.1.2.0/30");
    assert!(network.is_group(at("10.1.2.3")), "three nodes have 0 to 2");
    network.all.insert(NodeId(3));
    assert!(!network.is_group(at("10.1.2.3")));
    assert_eq!(network.way_to(at("10.1.2.3")), Some(NodeId(3)));
    for group in ["224.0.0.251", "239.1.2.3", "255.255.255.255"] {
        assert!(network.is_group(at(group)), "{group}");
    }
    assert!(!network.is_group(at("10.255.255.255")), "another network's");
}

#[test]
fn what_is_wrong_is_named() {
    for (text, says) in [
        ("[[network]]\nprefix = \"192.168.7.1/24\"\nnode = \"n0\"\n", "behind the first 24"),
        ("[[network]]\nprefix = \"192.168.7.0/24\"\nnode = \"n9\"\n", "it has n0"),
        ("[[network]]\nprefix = \"192.168.7.0/24\"\n", "node"),
        ("[[networks]]\n", "networks"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains("networks.toml") && error.contains(says), "{error}");
    }
}

/// A chain of three nodes, of which this is the first, that takes default routes, and networks in 192.168.0.0/16.
fn with_gateways() -> Network {
    let accept =
        ["0.0.0.0/0", "192.168.0.0/16", "::/0"].map(|text| text.parse().expect("it is one"));
    let prefix6 = "fd6d:6873::/64".parse().expect("it is one");
    let network = Network::new(&setup(), NodeId(0), Prefix::DEFAULT).with_ipv6(Some(prefix6));
    network.with_gateways(accept.to_vec(), 0)
}

fn announced(network: &mut Network, (node, hops): (u32, u8), networks: &[&str]) {
    let networks = networks.iter().map(|text| text.parse().expect("it is one")).collect();
    let said = Announcement { lifetime: 100, number: 1, networks };
    network.gateways.on_announcement(Time::ZERO, (NodeId(node), hops), &said);
}

#[test]
fn packets_to_announced_networks_go_by_the_longest_prefix() {
    let mut network = with_gateways();
    assert_eq!(network.way_to(at("1.1.1.1")), None);
    announced(&mut network, (1, 1), &["0.0.0.0/0", "::/0"]);
    announced(&mut network, (2, 2), &["0.0.0.0/0", "192.168.7.0/24"]);
    for (to, way) in [
        ("1.1.1.1", Some(1)),
        ("192.168.7.9", Some(2)),
        ("192.168.8.9", Some(1)),
        ("2001:db8::1", Some(1)),
        ("10.0.0.2", Some(2)),
        ("10.0.0.9", None),
        ("fd6d:6873::10.0.0.1", Some(1)),
        ("fd6d:6873::1", None),
        ("fe80::10.0.0.2", Some(2)),
        ("fe80::1", None),
    ] {
        assert_eq!(network.way_to(at(to)), way.map(NodeId), "{to}");
    }
    // who announces a network may send from it, and nobody else
    assert!(network.is_of(NodeId(1), at("1.1.1.1")) && network.is_of(NodeId(2), at("1.1.1.1")));
    assert!(network.is_of(NodeId(2), at("192.168.7.9")));
    assert!(!network.is_of(NodeId(1), at("192.168.7.9")), "it lies behind another");
    assert!(!network.is_of(NodeId(2), at("10.0.0.1")) && !network.is_of(NodeId(0), at("1.1.1.1")));
    let routes: Vec<_> = network.announced().map(|route| route.to_string()).collect();
    assert_eq!(routes, ["0.0.0.0/0", "192.168.7.0/24", "::/0"]);
}

#[test]
fn a_gateway_uses_its_own_way_out_while_it_has_one() {
    let mut network = with_gateways();
    announced(&mut network, (1, 1), &["0.0.0.0/0"]);
    let default = "0.0.0.0/0".parse().expect("it is one");
    network.announcer.announce(Time::ZERO, &[default]);
    assert_eq!(network.way_to(at("1.1.1.1")), Some(NodeId(1)), "it has none");
    network.announcer.set_reached(Time::ZERO, |_| true);
    assert_eq!((network.way_to(at("1.1.1.1")), network.announced().count()), (None, 0));
    assert!(network.is_of(NodeId(0), at("1.1.1.1")) && network.is_of(NodeId(1), at("1.1.1.1")));
}

#[test]
fn groups_of_ipv6_are_groups_unless_they_are_the_machine_s_own() {
    let network = with_gateways();
    for (address, is_group) in
        [("ff02::fb", true), ("ff05::2", true), ("ff01::1", false), ("fd6d:6873::1", false)]
    {
        assert_eq!(network.is_group(at(address)), is_group, "{address}");
    }
    let [ipv4, ipv6] = network.families()[..] else { panic!("there are two") };
    assert_eq!((ipv4.address, ipv4.other), (at("10.0.0.0"), at("10.0.0.1")));
    assert_eq!((ipv6.address, ipv6.other), (at("fd6d:6873::a00:0"), at("fd6d:6873::a00:1")));
    assert_eq!(ipv6.link_local, Some(at("fe80::a00:0")));
}

#[test]
fn a_network_of_ipv6_behind_a_node_needs_addresses_of_ipv6() {
    let error =
        read("[[network]]\nprefix = \"fd00:7::/32\"\nnode = \"n2\"\n").expect_err("there are none");
    assert!(error.contains("fd00:7::/32: IPv6 needs network6"), "{error}");
}
