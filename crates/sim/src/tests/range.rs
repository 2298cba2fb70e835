//! Links of any length: timeouts and reservations follow the longest one.

use multihop_core::{Bytes, Duration};
use multihop_scenario::setup::Medium;

use super::{floats, integers, run_text, setup};
use crate::build::carrier;
use crate::carrier::Carrier;
use crate::mac::Profile;

/// A chain of `hops` links of `length` m, within receive range.
fn chain(length: u32, hops: u32, rest: &str) -> String {
    format!(
        "warmup = \"2 s\"\nduration = \"8 s\"\n[topology]\nkind = \"chain\"\nhops = {hops}\n\
         spacing = \"{length} m\"\n[radio]\nreceive_range = \"{}m\"\nsense_range = \"{}m\"\n{rest}",
        length * 5 / 4,
        length * 11 / 4
    )
}

/// The constants of the MAC in a run of `text`.
fn profile(text: &str) -> Profile {
    match carrier(&setup(text)).0 {
        Carrier::Radio(radio) => radio.profile,
        Carrier::Wired(_) => panic!("no radio"),
    }
}

const UDP: &str = "[scheme]\nname = \"udp\"\n[traffic]\nload = \"100 kbit/s\"\n";

/// Every constant in which propagation counts.
fn constants(profile: &Profile) -> [Duration; 7] {
    let data = profile.data(Bytes(1000), 1);
    let reserved = profile.rts_reserves(data);
    let cts = profile.cts_reserves(reserved);
    [
        profile.cts_timeout(),
        profile.ack_timeout(data),
        profile.data_timeout(cts),
        reserved,
        cts,
        profile.data_reserves(),
        profile.eifs,
    ]
}

#[test]
fn up_to_600_m_the_constants_are_those_of_ns2() {
    let near = constants(&profile(&chain(200, 4, UDP)));
    // rates of 1 Mbit/s: 1000 B take 8192 us; 2 us of propagation each way
    let expected = [352 + 10 + 304 + 4, 8192 + 10 + 304 + 4, 304 + 10 + 8192 + 4];
    let reserved = [30 + 304 + 8192 + 304, 20 + 8192 + 304, 10 + 304, 10 + 50 + 304];
    let expected = [&expected[..], &reserved[..]].concat();
    assert_eq!(near.to_vec(), expected.into_iter().map(Duration::from_micros).collect::<Vec<_>>());
    assert_eq!(constants(&profile(&chain(600, 4, UDP))), near);
    // what the radio could reach does not count, but where the nodes are
    let wide = chain(200, 4, UDP).replace("\"250m\"", "\"5000m\"").replace("550m", "9000m");
    let one_hop = wide.replace("hops = 4", "hops = 2");
    assert_eq!(constants(&profile(&one_hop)), near);
    let moving = format!(
        "{one_hop}[[move]]\nnode = \"n0\"\nat = \"1 s\"\nx = \"9 m\"\ny = \"9 m\"\n\
         speed = \"1 m/s\"\n"
    );
    assert_ne!(constants(&profile(&moving)), near, "n0 could go anywhere within 5 km");
}

#[test]
fn beyond_600_m_they_grow_by_the_propagation() {
    let near = constants(&profile(&chain(600, 4, UDP)));
    let far = constants(&profile(&chain(6000, 4, UDP)));
    // 20 us instead of 2 us each way; of CTS, data and ACK two come back, of data and ACK one
    let expected = [36, 36, 36, 72, 36, 36, 36].map(Duration::from_micros);
    for at in 0..near.len() {
        assert_eq!(far[at].saturating_sub(near[at]), expected[at], "{at}");
    }
}

#[test]
fn under_shadowing_a_link_counts_on_which_one_frame_in_twenty_is_decoded() {
    let shadowed = |hops: u32| {
        let text = chain(400, hops, UDP).replace(
            "receive_range",
            "propagation = \"log-normal-\
            shadowing\"\nreceive_range",
        );
        profile(&text)
    };
    // 95 % of the frames at 500 m and 5 % at 1066 m: 400 m and 800 m count, 1200 m does not
    let timeout = |profile: &Profile| profile.cts_timeout().nanos();
    assert_eq!(timeout(&shadowed(1)), 670_000);
    assert_eq!(timeout(&shadowed(2)), 672_000);
    assert_eq!(timeout(&shadowed(3)), 672_000);
    let Medium::Radio(radio, _) = setup(&chain(400, 3, UDP)).medium else { panic!("no radio") };
    assert!(radio.neighbour_range > 400.0);
}

/// Goodput in kbit/s over `hops` links of each length.
fn goodputs(hops: u32, rest: &str, lengths: &[u32]) -> Vec<f64> {
    let goodput = |length: &u32| {
        let tables = run_text(&chain(*length, hops, rest));
        floats(&tables.runs, "goodput_bit_s")[0] / 1e3
    };
    lengths.iter().map(goodput).collect()
}

const LENGTHS: [u32; 6] = [200, 590, 601, 1200, 2400, 5000];

#[test]
fn one_hop_slows_down_by_the_propagation() {
    let saturated = UDP.replace("100 kbit/s", "10 Mbit/s");
    let goodputs = goodputs(1, &saturated, &LENGTHS);
    for (length, goodput) in LENGTHS.iter().zip(&goodputs) {
        // DIFS, 15 slots in the mean, data of 512 B, SIFS, ACK, and the way there and back
        let exchange =
            50.0 + 15.0 * 20.0 + 4720.0 + 10.0 + 304.0 + 2.0 * f64::from(*length) / 300.0;
        let expected = 4096e3 / exchange;
        assert!((goodput / expected - 1.0).abs() < 0.01, "{length} m: {goodput}, not {expected}");
    }
}

/// Segments and acknowledgments contend: the farther the other end, the longer a station does not
/// know of the other's frame, while a slot lasts 9 us only. So it falls by more, but steadily.
#[test]
fn one_hop_of_tcp_falls_smoothly() {
    let tcp = "[mac]\ntiming = \"ofdm\"\n[scheme]\nname = \"newreno\"\n\
               [traffic]\nkind = \"ftp\"\npayload = \"1460 B\"\n";
    let goodputs = goodputs(1, tcp, &LENGTHS);
    assert!((goodputs[2] / goodputs[1] - 1.0).abs() < 0.01, "590 m and 601 m: {goodputs:?}");
    for pair in goodputs.windows(2) {
        assert!((0.75..1.01).contains(&(pair[1] / pair[0])), "{goodputs:?}");
    }
}

#[test]
fn four_hops_deliver_the_load_at_any_length() {
    for name in ["udp", "cxcc", "hxh"] {
        let rest = UDP.replace("udp", name);
        let goodputs = goodputs(4, &rest, &LENGTHS);
        assert!(goodputs.iter().all(|rate| (rate - 100.0).abs() < 2.0), "{name}: {goodputs:?}");
    }
}

#[test]
fn rts_and_cts_go_far_as_well() {
    let rts = format!("[mac]\nrts_cts = true\n{UDP}");
    for length in LENGTHS {
        let tables = run_text(&chain(length, 4, &rts));
        let lost = integers(&tables.flows, "lost_retries_spent");
        let delivered = floats(&tables.runs, "goodput_bit_s")[0] / 1e3;
        assert!(lost == [0] && (delivered - 100.0).abs() < 2.0, "{length} m: {lost:?} {delivered}");
    }
}
