//! Whole runs of MeshCore: chains and fans whose results can be computed by hand, hidden relays against theory, and packet
//! accounting.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{assert_balanced, fingerprint, floats, integers, run_text};

/// SF 8 at 62.5 kHz, in seconds.
const SYMBOL: f64 = 4.096e-3;

/// How long a frame of so many bytes is on the air in s, with a preamble of 16 symbols and 4/8.
fn air_time(bytes: u32) -> f64 {
    let blocks = (8 * bytes + 16 - 32 + 28).div_ceil(32);
    (16.0 + 4.25 + 8.0 + 8.0 * f64::from(blocks)) * SYMBOL
}

/// Nodes with these names, of which the first and the last are companions, and links in both directions.
fn mesh(names: &[&str], links: &[(&str, &str)], scheme: &str, traffic: &str) -> String {
    let [first, .., last] = names else { panic!("a mesh has two ends") };
    let mut text = format!(
        "warmup = \"0 s\"\n[topology]\nkind = \"explicit\"\n[mac]\nkind = \"lora\"\npreset = \"meshcore-sf8\"\n\
         preamble = 16\n[scheme]\nname = \"meshcore\"\nsender_name = \"1 B\"\n{scheme}\n\
         [roles.companion]\nnodes = [\"{first}\", \"{last}\"]\nscheme.role = \"companion\"\n{traffic}\n"
    );
    for name in names {
        let _ = write!(text, "[[node]]\nname = \"{name}\"\n");
    }
    for (from, to) in links {
        let _ = write!(
            text,
            "[[link]]\nfrom = \"{from}\"\nto = \"{to}\"\nsignal = \"-110 dBm\"\nboth_ways = true\n"
        );
    }
    text
}

const CHAIN: [&str; 5] = ["a", "r0", "r1", "r2", "b"];

fn chain(scheme: &str, traffic: &str) -> String {
    let links: Vec<_> = CHAIN.windows(2).map(|pair| (pair[0], pair[1])).collect();
    mesh(&CHAIN, &links, scheme, traffic)
}

/// Texts of 40 B, one in so many seconds.
fn texts(to: &str, every_s: u32, duration_s: u32) -> String {
    format!(
        "[traffic]\nkind = \"cbr\"\nload = \"{} bit/s\"\npayload = \"40 B\"\nstart = \"1 s\"\nstart_jitter = \"0 s\"\n\
         stop = \"{} s\"\n[[flow]]\nfrom = \"a\"\nto = {to}\n",
        320 / every_s,
        duration_s - 20
    )
}

fn with_duration(text: &str, duration_s: u32) -> String {
    format!("duration = \"{duration_s} s\"\n{text}")
}

fn near(found: f64, expected: f64) -> bool {
    // signals take no time over a link without length
    (found - expected).abs() < 1e-6
}

#[test]
fn a_text_to_everyone_takes_a_frame_of_every_repeater_and_their_air_times() {
    let text = with_duration(&chain("txdelay = 0", &texts("\"everyone\"", 20, 320)), 320);
    let tables = run_text(&text);
    let (sent, delivered, lost) = assert_balanced(&tables, &text);
    assert!(sent > 8 && (delivered, lost) == (sent, 0), "{sent} {delivered} {lost}");
    let messages = tables.messages.as_ref().expect("a flow is for several nodes");
    assert_eq!(integers(messages, "reached"), vec![4; sent as usize]);
    assert_eq!(integers(messages, "frames"), vec![4; sent as usize]);
    // 2 B, 1 B of channel, a code of 2 B, 48 B of text; each hop adds its hash
    let hops: f64 = (53..57).map(air_time).sum();
    let last = floats(messages, "last_delay_s");
    assert!(last.iter().all(|delay| near(*delay, hops)), "{last:?} {hops}");
    let first = floats(messages, "first_delay_s");
    assert!(first.iter().all(|delay| near(*delay, air_time(53))), "{first:?}");
}

#[test]
fn a_text_to_one_node_is_flooded_once_and_follows_the_path_from_then_on() {
    let delays = "txdelay = 0\ndirect_txdelay = 0";
    let text = with_duration(&chain(delays, &texts("\"b\"", 20, 320)), 320);
    let tables = run_text(&text);
    let (sent, delivered, lost) = assert_balanced(&tables, &text);
    assert!(sent > 8 && (delivered, lost) == (sent, 0), "{sent} {delivered} {lost}");
    assert_eq!(integers(&tables.runs, "texts_acknowledged"), [sent]);
    // Both ends learn: one from the flood, one from the answer to that.
    assert_eq!(integers(&tables.runs, "paths_learned"), [2]);
    // Four frames there; four back with the path, and four with the answer; then four there and four back.
    let frames: i64 = ["data_frames", "control_frames"]
        .iter()
        .map(|name| integers(&tables.nodes, name).iter().sum::<i64>())
        .sum();
    assert_eq!(frames, 12 + 8 * (sent - 1));
    // Flooded it grows from 54 to 57 B, and along the path it shrinks as much.
    let hops: f64 = (54..58).map(air_time).sum();
    let mean = floats(&tables.flows, "end_to_end_delay_mean_s")[0];
    assert!(near(mean, hops), "{mean} {hops}");
}

/// A source, so many relays that do not hear each other, and a node behind them.
fn fan(relays: usize, scheme: &str, traffic: &str) -> String {
    let middle: Vec<String> = (0..relays).map(|relay| format!("m{relay}")).collect();
    let middle: Vec<&str> = middle.iter().map(String::as_str).collect();
    let names = [&["a"], &middle[..], &["b"]].concat();
    let links: Vec<_> = middle.iter().flat_map(|relay| [("a", *relay), (*relay, "b")]).collect();
    mesh(&names, &links, scheme, traffic)
}

#[test]
fn hidden_relays_that_do_not_wait_destroy_each_other() {
    for (relays, arrives) in [(1, true), (2, false), (3, false)] {
        let text = with_duration(&fan(relays, "txdelay = 0", &texts("\"everyone\"", 20, 320)), 320);
        let tables = run_text(&text);
        let (sent, ..) = assert_balanced(&tables, &text);
        let messages = tables.messages.as_ref().expect("a flow is for several nodes");
        let reached = relays as i64 + i64::from(arrives);
        assert_eq!(integers(messages, "reached"), vec![reached; sent as usize], "{relays}");
    }
}

#[test]
fn two_hidden_relays_deliver_what_theory_says() {
    for factor in [0.5, 1.0, 2.0] {
        let duration_s = 20_000;
        let scheme = format!("txdelay = {factor}");
        let text = with_duration(&fan(2, &scheme, &texts("[\"b\"]", 20, duration_s)), duration_s);
        let tables = run_text(&text);
        let (sent, delivered, _) = assert_balanced(&tables, &text);
        // each relay's frame has one hash, and it waits 0 to 5 t ms, t = int(T f)
        let frame = air_time(54);
        let window = 5.0 * (frame * 1e3 * factor).floor() * 1e-3;
        let harmed = 1.0 - (frame - 10.0 * SYMBOL) / window;
        let (found, expected) = (delivered as f64 / sent as f64, harmed * harmed);
        let error = libm::sqrt(expected * (1.0 - expected) / sent as f64);
        assert!((found - expected).abs() < 3.0 * error, "{factor}: {found} against {expected}");
    }
}

#[test]
fn a_message_that_is_longer_than_the_firmware_allows_is_refused() {
    let text = with_duration(&chain("", &texts("\"b\"", 20, 320)), 320);
    let refuse = |text: &str| {
        let setup = multihop_scenario::from_toml(text).and_then(|scenario| scenario.setup());
        setup.err().map(|error| error.to_string())
    };
    assert_eq!(refuse(&text.replace("\"40 B\"", "\"160 B\"")), None);
    let error = refuse(&text.replace("\"40 B\"", "\"161 B\"")).expect("it is too long");
    assert!(error.contains("the payload may be up to 160 B"), "{error}");
    let both = text.replace("[\"a\", \"b\"]", "[\"a\", \"b\"]\n[roles.repeater]\nnodes = [\"a\"]");
    let error = refuse(&both).expect("a node has one role");
    assert!(error.contains("role"), "{error}");
    let unknown = text.replace("scheme.role = \"companion\"", "scheme.role = \"router\"");
    let error = refuse(&unknown).expect("it is Meshtastic's");
    assert!(error.contains("companion"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_packet_is_accounted_for(
        seed in 1_u64..1_000_000,
        attempts in 1_u32..5,
        rxdelay in prop::sample::select(vec![0.0, 3.0, 10.0]),
        pool in 1_u32..6,
        path_hash in 1_u32..4,
        to in prop::sample::select(vec!["\"b\"", "\"everyone\""]),
        class in prop::sample::select(vec!["text", "announcement"]),
        scoped: bool,
        restarts: bool,
    ) {
        let scheme = format!(
            "attempts = {attempts}\nrxdelay = {rxdelay}\npool = {pool}\npath_hash = {path_hash}\nscoped = {scoped}"
        );
        let traffic = texts(to, 4, 300).replace("40 B", "30 B") + &format!("class = \"{class}\"\n");
        let mut text = format!("seed = {seed}\n{}", with_duration(&chain(&scheme, &traffic), 300));
        if restarts {
            text += "[[restart]]\nnode = \"r1\"\nat = \"77 s\"\n";
        }
        let tables = run_text(&text);
        let (sent, ..) = assert_balanced(&tables, &text);
        prop_assert!(sent > 0);
        prop_assert_eq!(fingerprint(&tables), fingerprint(&run_text(&text)));
    }
}
