//! Whole runs over LoRa: packet accounting, the duty cycle, and hidden relays against theory.

use proptest::prelude::*;

use super::{assert_balanced, fingerprint, floats, integers, run_text};

const PLACE: &str = "[radio]\npropagation = \"log-distance\"\ntransmit_power = \"1 W\"\n";

/// A chain with these lines of [mac] and of [scheme].
fn chain(hops: u32, mac: &str, scheme: &str, load: u32) -> String {
    format!(
        "warmup = \"20 s\"\nduration = \"300 s\"\n[topology]\nkind = \"bidirectional-chain\"\nhops = {hops}\n\
         spacing = \"700 m\"\n{PLACE}[mac]\nkind = \"lora\"\n{mac}\n[scheme]\n{scheme}\n\
         [traffic]\nload = \"{load} bit/s\"\npayload = \"40 B\"\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_packet_is_accounted_for(
        seed in 1_u64..1_000_000,
        hops in 1_u32..6,
        preset in prop::sample::select(vec!["long-fast", "short-turbo", "meshcore-sf8"]),
        access in prop::sample::select(vec!["slots", "retry"]),
        over in prop::sample::select(vec!["", "duty_cycle = 0.1\nduty_window = \"60 s\"\n"]),
        scheme in prop::sample::select(vec!["udp", "cxcc", "flooding"]),
        restarts: bool,
    ) {
        let mac = format!("preset = \"{preset}\"\naccess = \"{access}\"\n{over}");
        let mut text = format!("seed = {seed}\n{}", chain(hops, &mac, &format!("name = \"{scheme}\""), 60));
        if restarts {
            text += "[[restart]]\nnode = \"n1\"\nat = \"77 s\"\n";
        }
        let tables = run_text(&text);
        let (sent, ..) = assert_balanced(&tables, &text);
        prop_assert!(sent > 0);
        prop_assert_eq!(fingerprint(&tables), fingerprint(&run_text(&text)));
    }
}

#[test]
fn cxcc_overhears_its_successor_over_chirps() {
    let tables = run_text(&chain(4, "preset = \"short-fast\"", "name = \"cxcc\"", 80));
    let (sent, delivered, lost) = assert_balanced(&tables, "cxcc");
    assert!(sent > 70 && delivered * 10 >= sent * 9, "{sent}, {delivered}, {lost}");
}

#[test]
fn a_duty_cycle_that_is_used_up_is_a_cause_of_losses() {
    let mac = "preset = \"long-fast\"\nduty_cycle = 0.05\nduty_window = \"60 s\"";
    let tables = run_text(&chain(2, mac, "name = \"udp\"", 100));
    assert_balanced(&tables, "duty cycle");
    let dropped: i64 = integers(&tables.flows, "lost_over_duty_cycle").iter().sum();
    assert!(dropped > 50, "{dropped}");
    let waits =
        run_text(&chain(2, &format!("{mac}\nover_duty_cycle = \"wait\""), "name = \"udp\"", 100));
    assert_balanced(&waits, "duty cycle");
    assert_eq!(integers(&waits.flows, "lost_over_duty_cycle").iter().sum::<i64>(), 0);
    assert!(integers(&waits.flows, "lost_queue_full").iter().sum::<i64>() > 0, "packets wait");
}

/// Two relays that do not hear each other, and wait for a time that is uniform up to `delay`: the share of the messages that
/// arrive, and what theory says of it. A message arrives if the two frames of `T` overlap by no more than the grace.
fn hidden(delay: f64) -> (f64, f64) {
    let example = include_str!("../../../../examples/lora-hidden-relays.toml");
    let text = example.replace("delay = \"1.6 s\"", &format!("delay = \"{delay} s\""));
    let tables = run_text(&text);
    assert_balanced(&tables, &text);
    let share = integers(&tables.flows, "delivered")[0] as f64
        / integers(&tables.flows, "offered")[0] as f64;
    let frames = integers(&tables.nodes, "data_frames")[0] as f64;
    let air_time = floats(&tables.nodes, "transmit_s")[0] / frames;
    // 26 of the preamble's 32 symbols of 4.096 ms
    let harmed = (air_time - 26.0 * 4.096e-3) / delay;
    (share, (1.0 - harmed) * (1.0 - harmed))
}

#[test]
fn two_hidden_relays_deliver_what_theory_says() {
    for delay in [1.0, 1.6, 3.2] {
        let (found, expected) = hidden(delay);
        // 1500 messages
        let error = libm::sqrt(expected * (1.0 - expected) / 1_500.0);
        assert!((found - expected).abs() < 3.0 * error, "{delay} s: {found} against {expected}");
    }
}
