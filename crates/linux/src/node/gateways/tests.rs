//! Which announcements are taken, and which gateway is chosen.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn subnet(text: &str) -> Subnet {
    text.parse().expect("it is one")
}

fn at(seconds: u64) -> Time {
    Time::from_nanos(seconds * 1_000_000_000)
}

fn says(number: u32, networks: &[&str]) -> Announcement {
    let networks = networks.iter().map(|text| subnet(text)).collect();
    Announcement { lifetime: 100, number, networks }
}

fn gateways(accept: &[&str]) -> Gateways {
    let inside = ["10.0.0.0/8", "fd6d::/64"].map(subnet).to_vec();
    Gateways::new(accept.iter().map(|text| subnet(text)).collect(), inside)
}

const A: NodeId = NodeId(1);
const B: NodeId = NodeId(2);

fn of(gateways: &Gateways, network: &str) -> Option<NodeId> {
    gateways.chosen().get(&subnet(network)).copied()
}

#[test]
fn only_what_is_wanted_is_taken() {
    let mut some = gateways(&["0.0.0.0/0", "192.168.0.0/16", "fd00:7::/32"]);
    let all = [
        "0.0.0.0/0",
        "0.0.0.0/1",
        "10.0.0.0/9",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "192.168.7.0/24",
        "fd00:7:1::/48",
        "::/0",
        "fd00::/16",
    ];
    assert_eq!(some.on_announcement(at(0), (A, 1), &says(1, &all)), 5);
    let taken: Vec<_> = some.chosen().keys().map(ToString::to_string).collect();
    assert_eq!(taken, ["0.0.0.0/0", "192.168.0.0/16", "192.168.7.0/24", "fd00:7:1::/48"]);
    let mut none = gateways(&[]);
    assert_eq!(none.on_announcement(at(0), (A, 1), &says(1, &all)), all.len());
    assert!(none.chosen().is_empty() && none.known().is_empty());
    // even who wants all there is gets no network of nodes, links and machines
    let mut most = gateways(&["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"]);
    let reserved =
        ["10.1.0.0/16", "127.0.0.0/8", "224.0.0.0/4", "169.254.1.0/24", "fe80::/64", "ff02::/16"];
    assert_eq!(most.on_announcement(at(0), (A, 1), &says(1, &reserved)), reserved.len());
}

#[test]
fn the_nearest_gateway_is_chosen_and_kept() {
    let mut both = gateways(&["0.0.0.0/0"]);
    let default = ["0.0.0.0/0"];
    assert_eq!(both.on_announcement(at(0), (B, 3), &says(1, &default)), 0);
    assert_eq!(of(&both, "0.0.0.0/0"), Some(B));
    both.on_announcement(at(1), (A, 3), &says(1, &default));
    assert_eq!((of(&both, "0.0.0.0/0"), both.changes()), (Some(B), 1), "as near is not nearer");
    both.on_announcement(at(2), (A, 2), &says(2, &default));
    assert_eq!((of(&both, "0.0.0.0/0"), both.changes()), (Some(A), 2));
    // an announcement on a longer way, now and then, changes nothing
    for number in 3..20 {
        let hops = if number % 3 == 0 { 9 } else { 2 };
        both.on_announcement(at(number.into()), (A, hops), &says(number, &default));
    }
    assert_eq!(both.changes(), 2);
    for number in 20..23 {
        both.on_announcement(at(number.into()), (A, 9), &says(number, &default));
    }
    assert_eq!(of(&both, "0.0.0.0/0"), Some(B), "it is farther now");
}

#[test]
fn what_is_withdrawn_or_expires_is_forgotten() {
    let mut both = gateways(&["0.0.0.0/0", "192.168.0.0/16"]);
    both.on_announcement(at(0), (A, 1), &says(5, &["0.0.0.0/0", "192.168.7.0/24"]));
    both.on_announcement(at(10), (B, 2), &says(9, &["0.0.0.0/0"]));
    both.on_announcement(at(20), (A, 1), &says(6, &["192.168.7.0/24"]));
    assert_eq!(of(&both, "0.0.0.0/0"), Some(B), "the other one has it still");
    // one that was under way for long
    assert_eq!(both.on_announcement(at(21), (A, 1), &says(5, &["0.0.0.0/0"])), 1);
    assert_eq!(of(&both, "0.0.0.0/0"), Some(B));
    assert_eq!(both.deadline(), at(110));
    both.on_time(at(110));
    assert_eq!((of(&both, "0.0.0.0/0"), both.deadline()), (None, at(120)));
    both.on_time(at(120));
    assert!(both.chosen().is_empty() && both.known().is_empty());
    // a node that has forgotten how far it had counted is heard again
    assert_eq!(both.on_announcement(at(121), (A, 1), &says(1, &["0.0.0.0/0"])), 0);
    let forever = Announcement { lifetime: u16::MAX, ..says(2, &["0.0.0.0/0"]) };
    both.on_announcement(at(130), (A, 1), &forever);
    assert_eq!(both.deadline(), at(3_730), "an hour at most");
    both.set_accept(vec![subnet("192.168.0.0/16")]);
    assert!(both.chosen().is_empty(), "nobody wants it any more");
}

/// A member that announces as much as it can, in the name of everybody.
#[test]
fn a_flood_of_networks_is_bounded_and_takes_no_gateway_away() {
    let mut some = gateways(&["0.0.0.0/0", "172.16.0.0/12"]);
    some.on_announcement(at(0), (NodeId(5_000), 4), &says(1, &["0.0.0.0/0"]));
    let mut refused = 0;
    for node in 0..1_000u32 {
        let networks = (0..16).map(|number| {
            let first = 0xAC10_0000 | (node * 16 + number) << 4;
            Subnet::new(Ipv4Addr::from(first).into(), 28).expect("nothing is behind its bits")
        });
        let said = Announcement { lifetime: 100, number: 1, networks: networks.collect() };
        refused += some.on_announcement(at(1), (NodeId(node), 1), &said);
    }
    assert_eq!(some.chosen().len(), MOST_KNOWN);
    assert_eq!(refused, 16_001 - MOST_KNOWN);
    assert_eq!(of(&some, "0.0.0.0/0"), Some(NodeId(5_000)));
}

fn any_network() -> impl Strategy<Value = Subnet> {
    const SOME: [&str; 6] =
        ["0.0.0.0/0", "192.168.7.0/24", "192.168.7.0/25", "172.16.0.0/12", "::/0", "fd00:7::/32"];
    (0..SOME.len()).prop_map(|at| subnet(SOME[at]))
}

proptest! {
    /// Whatever is announced by whom: the choice is the nearest of those whose announcements hold, and the bounds hold.
    #[test]
    fn the_choice_is_always_a_nearest_one_that_holds(
        steps in vec(
            (0u32..6, 0u8..6, any::<u8>(), 0u16..200, proptest::collection::btree_set(any_network(), 0..6), 0u64..60),
            0..60,
        ),
    ) {
        let mut all = gateways(&["0.0.0.0/0", "::/0", "192.168.0.0/16", "fd00::/16"]);
        let mut now = 0;
        for (node, hops, number, lifetime, networks, passes) in steps {
            now += passes;
            all.on_time(at(now));
            let said = Announcement { lifetime, number: number.into(), networks };
            all.on_announcement(at(now), (NodeId(node), hops), &said);
            all.on_time(at(now));
            prop_assert!(all.deadline() > at(now));
            let known: usize = all.known().values().map(|gateway| gateway.networks.len()).sum();
            prop_assert!(known <= MOST_KNOWN);
            for gateway in all.known().values() {
                prop_assert!(gateway.networks.iter().all(|network| all.chosen().contains_key(network)));
            }
            for (network, node) in all.chosen() {
                let holders = all.known().values().filter(|holder| holder.networks.contains(network));
                let nearest = holders.map(Gateway::distance).min();
                let chosen = &all.known()[node];
                prop_assert!(chosen.networks.contains(network));
                prop_assert_eq!(Some(chosen.distance()), nearest);
            }
        }
    }
}
