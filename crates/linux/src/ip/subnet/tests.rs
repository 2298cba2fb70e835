//! Addresses and their parts.

use super::*;

fn at(text: &str) -> IpAddr {
    text.parse().expect("it is one")
}

fn subnet(text: &str) -> Subnet {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn nodes_are_addresses_of_their_network() {
    let there = Ipv4Addr::new(10, 1, 2, 3);
    let ten = Prefix::DEFAULT;
    assert_eq!(ten.node(there), Some(NodeId(0x0001_0203)));
    assert_eq!(ten.address(NodeId(0x0001_0203)), there);
    assert_eq!(ten.node(Ipv4Addr::new(192, 168, 0, 1)), None);
    let small: Prefix = "172.20.4.0/22".parse().expect("it is one");
    assert_eq!(small.address(NodeId(0x0203)), Ipv4Addr::new(172, 20, 6, 3));
    assert_eq!(small.node(Ipv4Addr::new(172, 20, 6, 3)), Some(NodeId(0x0203)));
    assert_eq!(small.node(Ipv4Addr::new(172, 20, 8, 3)), None);
    assert!(small.fits(NodeId(1_023)) && !small.fits(NodeId(1_024)));
    assert_eq!(small.to_string(), "172.20.4.0/22");
}

#[test]
fn an_address_of_ipv6_ends_with_that_of_ipv4() {
    let prefix: Prefix6 = "fd6d:6873::/48".parse().expect("it is one");
    let here = Ipv4Addr::new(10, 0, 0, 7);
    let address = prefix.address(here);
    assert_eq!(IpAddr::from(address), at("fd6d:6873::10.0.0.7"));
    assert_eq!(IpAddr::from(Prefix6::link_local(here)), at("fe80::a00:7"));
    for own in [address, Prefix6::link_local(here)] {
        assert_eq!(prefix.in_ipv4(own), Some(here));
    }
    for other in ["fd6d:6873::1:a00:7", "fd6d:6874::a00:7", "fe80::1:a00:7", "::a00:7"] {
        let IpAddr::V6(other) = at(other) else { panic!("it is one") };
        assert_eq!(prefix.in_ipv4(other), None, "{other}");
    }
    assert_eq!(prefix.to_string(), "fd6d:6873::/48");
}

#[test]
fn subnets_are_of_any_length() {
    for (all, inside) in [("0.0.0.0/0", ["127.0.0.1", "255.255.255.255"]), ("::/0", ["::", "ff::"])]
    {
        assert!(inside.iter().all(|address| subnet(all).contains(at(address))), "{all}");
    }
    assert!(!subnet("0.0.0.0/0").contains(at("::")) && !subnet("::/0").contains(at("0.0.0.0")));
    let one = subnet("192.168.7.1/32");
    assert!(one.contains(at("192.168.7.1")) && !one.contains(at("192.168.7.0")));
    let ours = subnet("fd00:1::/32");
    assert!(ours.contains(at("fd00:1:ffff::9")) && !ours.contains(at("fd00:2::9")));
    assert!(ours.covers(subnet("fd00:1:2::/48")) && !subnet("fd00:1:2::/48").covers(ours));
    assert!(subnet("fd00:1:2::/48").overlaps(ours) && !subnet("fd00:2::/32").overlaps(ours));
    for text in
        ["1.2.3.4/33", "1.2.3.5/31", "1.2.3.4", "1.2.3/24", "1.2.3.4/-1", "::1/127", "::/129", "::"]
    {
        assert!(text.parse::<Subnet>().is_err(), "{text}");
    }
}

#[test]
fn a_sample_is_one_of_its_addresses() {
    for text in ["0.0.0.0/0", "::/0", "192.168.7.0/24", "192.168.7.1/32", "fd00::/8", "fd00::1/128"]
    {
        let one = subnet(text);
        assert!(one.contains(one.sample()), "{text}");
    }
    assert_eq!(subnet("192.168.7.0/24").sample(), at("192.168.7.1"));
}

#[test]
fn what_is_no_network_is_refused() {
    for text in ["", "10.0.0.0", "10.0.0.0/31", "0.0.0.0/0", "10.0.0.1/8", "10.0.0/8", "::/64"] {
        assert!(text.parse::<Prefix>().is_err(), "{text}");
    }
    for text in
        ["", "10.0.0.0/8", "fd00::/97", "fc00::/7", "fd00::1/64", "fe80::/64", "ff02::/64", "::/64"]
    {
        let error = text.parse::<Prefix6>().expect_err(text);
        assert!(error.starts_with("network6 = "), "{error}");
    }
}
