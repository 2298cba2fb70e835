//! Who hears whom, as every MAC with a radio says, and as runs show.

use multihop_core::Time;
use multihop_trace::Table;

use super::{floats, integers, run_text, seconds, setup, track};
use crate::hearing::{Hearers, hearers};

fn found(text: &str) -> Hearers {
    hearers(&setup(text), &[Time::ZERO]).expect("radios can be asked")
}

/// Of the rows from `from` to `to`, the value in `column` at that moment; nothing without such a row.
fn value(signals: &Table, column: &str, (from, to): (i64, i64), moment: i64) -> Option<f64> {
    let all = [("moment", moment), ("from", from), ("to", to)];
    let [moments, senders, receivers] = all.map(|(name, _)| integers(signals, name));
    let is_it = |at: &usize| [moments[*at], senders[*at], receivers[*at]] == [moment, from, to];
    let at = (0..moments.len()).find(is_it)?;
    Some(floats(signals, column)[at])
}

/// Two LoRa nodes that hear each other at this power; the MAC's keys are added.
fn lora(signal: f64, mac: &str) -> String {
    format!(
        "warmup = \"0 s\"\nduration = \"600 s\"\n[topology]\nkind = \"explicit\"\n[mac]\nkind = \"lora\"\n\
         sensitivity = \"-120 dBm\"\n{mac}[scheme]\nname = \"flooding\"\n[traffic]\nload = \"8 bit/s\"\n\
         payload = \"24 B\"\n[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n[[node]]\nname = \"c\"\n\
         [[flow]]\nfrom = \"a\"\nto = \"c\"\n[[flow]]\nfrom = \"b\"\nto = \"c\"\n\
         [[link]]\nfrom = \"a\"\nto = \"b\"\nsignal = \"{signal} dBm\"\nboth_ways = true\n\
         [[link]]\nfrom = \"a\"\nto = \"c\"\nsignal = \"-100 dBm\"\nboth_ways = true\n\
         [[link]]\nfrom = \"b\"\nto = \"c\"\nsignal = \"-100 dBm\"\nboth_ways = true\n"
    )
}

#[test]
fn lora_senses_what_it_decodes_and_with_cad_a_little_below() {
    for (signal, mac, sensed, decoded) in [
        (-110.0, "cad = false\n", 1.0, 1.0),
        (-121.0, "cad = true\n", 1.0, 0.0),
        (-121.0, "cad = true\ncad_miss = 0.9\ninterfere_from = \"-130 dBm\"\n", 0.0, 0.0),
        (-121.0, "cad = false\ninterfere_from = \"-130 dBm\"\n", 0.0, 0.0),
        (-121.0, "cad = false\nenergy_threshold = \"-125 dBm\"\n", 1.0, 0.0),
        (-126.0, "cad = true\ninterfere_from = \"-130 dBm\"\n", 0.0, 0.0),
    ] {
        let signals = found(&lora(signal, mac)).signals;
        for pair in [(0, 1), (1, 0)] {
            assert_eq!(value(&signals, "sensed", pair, 0), Some(sensed), "{signal} {mac}");
            assert_eq!(value(&signals, "decoded", pair, 0), Some(decoded), "{signal} {mac}");
        }
    }
}

/// The survey's word and the run's: where senders sense each other, frames do not collide at the third node.
#[test]
fn lora_nodes_that_sense_each_other_collide_less() {
    let collisions = |cad: &str| {
        let text = lora(-121.0, cad).replace("8 bit/s", "40 bit/s");
        let nodes = run_text(&text).nodes;
        floats_or_integers(&nodes, "collisions")[2]
    };
    let (blind, sensing) = (collisions("cad = false\n"), collisions("cad = true\n"));
    assert!(blind > 20.0 && sensing < blind / 4.0, "{blind} {sensing}");
}

fn floats_or_integers(table: &Table, column: &str) -> Vec<f64> {
    integers(table, column).into_iter().map(|count| count as f64).collect()
}

#[test]
fn macs_say_by_which_ratios_frames_survive() {
    let rule = |text: &str, column| floats(&found(text).rules, column)[0];
    let text = lora(-110.0, "capture_locked = \"3 dB\"\ncapture_unlocked = \"6 dB\"\n");
    assert!((rule(&text, "over_later") - 10f64.powf(0.3)).abs() < 1e-9);
    assert!((rule(&text, "over_earlier") - 10f64.powf(0.6)).abs() < 1e-9);
    let chain = |rest: &str| {
        format!(
            "warmup = \"1 s\"\nduration = \"2 s\"\ntopology = {{ kind = \"chain\", hops = 3 }}\n\
             scheme = {{ name = \"udp\" }}\n{rest}[traffic]\nload = \"100 kbit/s\"\n"
        )
    };
    assert!((rule(&chain(""), "over_later") - 10.0).abs() < 1e-9);
    assert!(rule(&chain(""), "over_earlier").is_infinite());
    let captures = chain("[radio]\nreception = \"message-in-message\"\n");
    assert!((rule(&captures, "over_earlier") - 10.0).abs() < 1e-9);
    // the reduced CSMA has the receiver of the DCF
    let reduced = chain("").replace("\"udp\"", "\"cxcc\"");
    assert_eq!(found(&reduced).signals.len(), found(&chain("")).signals.len());
    assert_eq!(integers(&found(&chain("")).rules, "adds_up"), [0]);
    let ofdm = found(&chain("[mac]\ntiming = \"ofdm-5\"\n")).rules;
    assert_eq!(integers(&ofdm, "adds_up"), [1]);
    // preambles 4 dB out of noise would be noticed below -82 dBm, from which on a receiver listens
    assert!((10.0 * floats(&ofdm, "defers_from_w")[0].log10() + 30.0 + 82.0).abs() < 1e-6);
}

#[test]
fn nodes_that_move_are_asked_at_every_moment() {
    let text = "warmup = \"1 s\"\nduration = \"3 s\"\ntopology = { kind = \"chain\", hops = 2 }\n\
                scheme = { name = \"udp\" }\n[traffic]\nload = \"100 kbit/s\"\n";
    let mut setup = setup(text);
    setup.nodes[2].track = track((400.0, 0.0), &[(1.0, 2.0, (1_400.0, 0.0))]);
    let moments = [0.5, 1.1, 2.0].map(seconds);
    let all = hearers(&setup, &moments).expect("radios");
    let sensed = |moment| value(&all.signals, "sensed", (0, 2), moment);
    assert_eq!([0, 1, 2].map(sensed), [Some(1.0), Some(1.0), None]);
    assert_eq!(integers(&all.rules, "moves"), [1]);
}

#[test]
fn a_node_may_sense_farther_than_the_others() {
    let wide = "[roles.wide]\nnodes = [\"n0\"]\nsense_threshold = \"-90 dBm\"\n";
    let text = |more: &str| {
        format!(
            "warmup = \"0 s\"\nduration = \"20 s\"\ntopology = {{ kind = \"chain\", hops = 4 }}\n\
             scheme = {{ name = \"udp\" }}\n[traffic]\nload = \"300 kbit/s\"\n{more}"
        )
    };
    let sensed = |more: &str, pair| value(&found(&text(more)).signals, "sensed", pair, 0);
    // 600 m; 550 m are sensed
    assert_eq!((sensed("", (3, 0)), sensed("", (0, 3))), (None, None));
    assert_eq!((sensed(wide, (3, 0)), sensed(wide, (0, 3))), (Some(1.0), None));
    // the hidden node n3 is what n0's frames meet at n1
    let lost = |more: &str| floats_or_integers(&run_text(&text(more)).nodes, "collisions")[1];
    assert!(lost(wide) < lost("") / 2.0, "{} {}", lost(wide), lost(""));
}

#[test]
fn what_has_no_radio_says_so() {
    let text = "warmup = \"1 s\"\nduration = \"2 s\"\ntopology = { kind = \"chain\", hops = 2 }\n\
                scheme = { name = \"udp\" }\n[wired]\n[traffic]\nload = \"100 kbit/s\"\n";
    let error = hearers(&setup(text), &[Time::ZERO]).err().expect("no radio");
    assert!(error.starts_with("wired: "), "{error}");
}
