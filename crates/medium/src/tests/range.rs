//! Links of any length: timeouts and reservations follow the longest one.

use multihop_core::{Bytes, Duration, Time};
use multihop_setup::Node;
use multihop_setup::Track;

use crate::dcf::{Mode, OWN_RATE, Profile};
use crate::tests::air::{Air, medium};

/// A chain of `hops` links of `length` m.
fn places(length: u32, hops: u32) -> Vec<(f64, f64)> {
    (0..=hops).map(|at| (f64::from(at * length), 0.0)).collect()
}

/// Keys of radios that receive up to a fourth more than `length` m.
fn ranges(length: u32) -> String {
    format!(
        "[radio]\nreceive_range = \"{} m\"\nsense_range = \"{} m\"\n",
        length * 5 / 4,
        length * 11 / 4
    )
}

/// The constants of the MAC in a chain of `hops` links of `length` m.
fn profile(length: u32, hops: u32) -> Profile {
    Air::new(&places(length, hops), &ranges(length), 1).profile
}

/// Every constant in which propagation counts.
fn constants(profile: &Profile) -> [Duration; 7] {
    let data = profile.data(Bytes(1000), profile.rate(1, OWN_RATE));
    let reserved = profile.rts_reserves(data, profile.ack(Mode::ONLY));
    let cts = profile.cts_reserves(reserved);
    [
        profile.cts_timeout(),
        profile.ack_timeout(data, profile.ack(Mode::ONLY)),
        profile.data_timeout(cts),
        reserved,
        cts,
        profile.data_reserves(profile.ack(Mode::ONLY)),
        profile.eifs,
    ]
}

#[test]
fn up_to_600_m_the_constants_are_those_of_ns2() {
    let near = constants(&profile(200, 4));
    // rates of 1 Mbit/s: 1000 B take 8192 us; 2 us of propagation each way
    let expected = [352 + 10 + 304 + 4, 8192 + 10 + 304 + 4, 304 + 10 + 8192 + 4];
    let reserved = [30 + 304 + 8192 + 304, 20 + 8192 + 304, 10 + 304, 10 + 50 + 304];
    let expected = [&expected[..], &reserved[..]].concat();
    assert_eq!(near.to_vec(), expected.into_iter().map(Duration::from_micros).collect::<Vec<_>>());
    assert_eq!(constants(&profile(600, 4)), near);
    // what the radio could reach does not count, but where the nodes are
    let wide = "[radio]\nreceive_range = \"5000 m\"\nsense_range = \"9000 m\"\n";
    assert_eq!(constants(&Air::new(&places(200, 2), wide, 1).profile), near);
    let still = |(x, y)| Node::at("", (x, y));
    let mut nodes: Vec<Node> = places(200, 2).into_iter().map(still).collect();
    let second = Time::ZERO + Duration::from_millis(1000);
    nodes[0].track = Track::through((0.0, 0.0), [(Time::ZERO, second, (9.0, 9.0))]);
    let moving = constants(&Air::moving(&nodes, wide, 1).profile);
    assert_ne!(moving, near, "the first could go anywhere within 5 km");
}

#[test]
fn beyond_600_m_they_grow_by_the_propagation() {
    let near = constants(&profile(600, 4));
    let far = constants(&profile(6000, 4));
    // 20 us instead of 2 us each way; of CTS, data and ACK two come back, of data and ACK one
    let expected = [36, 36, 36, 72, 36, 36, 36].map(Duration::from_micros);
    for at in 0..near.len() {
        assert_eq!(far[at].saturating_sub(near[at]), expected[at], "{at}");
    }
}

#[test]
fn under_shadowing_a_link_counts_on_which_one_frame_in_twenty_is_decoded() {
    let shadowing = format!("{}propagation = \"log-normal-shadowing\"\n", ranges(400));
    let shadowed = |hops: u32| Air::new(&places(400, hops), &shadowing, 1).profile;
    // 95 % of the frames at 500 m and 5 % at 1066 m: 400 m and 800 m count, 1200 m does not
    let timeout = |profile: &Profile| profile.cts_timeout().nanos();
    assert_eq!(timeout(&shadowed(1)), 670_000);
    assert_eq!(timeout(&shadowed(2)), 672_000);
    assert_eq!(timeout(&shadowed(3)), 672_000);
    assert!(medium(&shadowing).0.neighbour_range > 400.0);
}
