//! The C interface, as C calls it.
#![expect(unsafe_code, reason = "as C calls it")]

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::slice;

use multihop_ns3::*;
use serde_json::Value;

const CHAIN: &str = r#"{
    "duration": "10 s", "topology": {"kind": "chain", "hops": 1},
    "scheme": {"name": "udp"}, "traffic": {"load": "20 kbit/s"}
}"#;

/// What it says, which C owns no part of.
fn told(text: *const c_char) -> String {
    // SAFETY: it ends with a zero, and the run that it is of is not closed yet.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn open(scenario: &str) -> *mut Multihop {
    let scenario = CString::new(scenario).expect("no zeros");
    // SAFETY: it ends with a zero.
    unsafe { multihop_open(scenario.as_ptr()) }
}

fn blank_order() -> MultihopOrder {
    MultihopOrder {
        task: MultihopTask::Withdraw,
        node: 0,
        number: 0,
        to: 0,
        acknowledged: false,
        cw_min: 0,
        bytes: ptr::null(),
        length: 0,
    }
}

#[test]
fn a_run_is_woken_ordered_told_and_read() {
    let run = open(CHAIN);
    // SAFETY: `run` is closed at the end, and all else is this test's own.
    let tables = unsafe {
        assert_eq!(told(multihop_error(run)), "");
        assert_eq!(told(multihop_radio_error(run)), "");
        let radio = *multihop_radio(run);
        assert_eq!((radio.data_rate, radio.cw_min, radio.rts), (1_000_000, 31, false));
        assert!((radio.receive_threshold + 64.4).abs() < 0.1, "{radio:?}");
        let mut count = 0;
        let places = slice::from_raw_parts(multihop_places(run, &raw mut count), 2);
        assert_eq!((count, places[1].node), (2, 1));
        assert!((places[1].x - 200.0).abs() < 1e-9);
        assert_eq!((multihop_seed(run), multihop_end(run)), (1, 20_000_000_000));
        let mut order = blank_order();
        let mut sent = 0_u64;
        loop {
            let now = multihop_due(run);
            if now >= multihop_end(run) {
                break;
            }
            multihop_wake(run, now);
            while multihop_order(run, &raw mut order) {
                assert_eq!((order.task, order.node, order.to), (MultihopTask::Transmit, 0, 1));
                let bytes = slice::from_raw_parts(order.bytes, order.length).to_vec();
                assert_eq!(bytes.len(), 532);
                sent += 1;
                let name = MultihopName { from: 0, number: order.number };
                let frame = MultihopFrame {
                    kind: MultihopKind::Data,
                    from: 0,
                    to: 1,
                    number: order.number,
                    bytes: 568,
                    sequence: 1,
                    air_time: 5_000_000,
                    reserved: 314_000,
                };
                multihop_began(run, now, &raw const frame);
                let (bytes, length, signal) = (bytes.as_ptr(), bytes.len(), f64::NAN);
                let reception = MultihopReception { frame: name, signal, bytes, length };
                multihop_senses(run, now, 1, MultihopSensed::Frame, now + 5_000_000);
                assert!(multihop_heard(run, now + 5_000_000, 1, &raw const reception));
                let ended =
                    multihop_ended(run, now + 5_300_000, name, MultihopOutcome::Acknowledged);
                assert!(ended, "its node waits for that");
            }
        }
        let told_first = told(multihop_results(run));
        assert!(told_first.starts_with(r#"{"runs":{"name":["#), "tables and columns in order");
        assert_eq!(told(multihop_results(run)), told_first, "again the same");
        let tables: Value = serde_json::from_str(&told_first).expect("JSON");
        assert_eq!(multihop_due(run), u64::MAX, "nothing is due in a run that is over");
        assert!(!multihop_order(run, &raw mut order));
        multihop_close(run);
        assert_eq!(tables["flows"]["run_delivered"][0].as_u64(), Some(sent));
        tables
    };
    assert!(tables["runs"]["goodput_bit_s"][0].as_f64().is_some_and(|rate| rate > 19e3));
    assert!(tables["flows"]["round_trip_mean_s"][0].is_null(), "what is no number");
    assert_eq!(tables["nodes"]["name"][1], "n1");
}

/// How many frames a source of 20 packets a second hands to ns-3 in so much time, which takes each 5 ms.
fn handed_over(scenario: &str) -> u64 {
    let run = open(scenario);
    let mut sent = 0;
    // SAFETY: `run` is closed at the end, and all else is this test's own.
    unsafe {
        assert_eq!(told(multihop_error(run)), "");
        let mut order = blank_order();
        loop {
            let now = multihop_due(run);
            if now >= multihop_end(run) {
                break;
            }
            multihop_wake(run, now);
            while multihop_order(run, &raw mut order) {
                sent += 1;
                let name = MultihopName { from: 0, number: order.number };
                multihop_ended(run, now + 5_000_000, name, MultihopOutcome::Acknowledged);
            }
        }
        multihop_close(run);
    }
    sent
}

#[test]
fn a_policy_decides_in_ns3_at_times_and_at_events() {
    let loaded = CHAIN.replace("20 kbit/s", "80 kbit/s");
    let free = handed_over(&loaded);
    for event in ["", ", \"event\": \"sent\""] {
        let policy = format!(
            r#"{{"policy": 1, "step_s": 0.5{event}, "agents": "senders", "observe": [{{"feature": "queue"}}],
                "control": [{{"name": "pace", "low": 0.1, "high": 0.5}}],
                "layers": [{{"weights": [[0.0]], "bias": [1.0]}}]}}"#
        );
        let mut scenario: Value = serde_json::from_str(&loaded).expect("JSON");
        scenario["policy"] = serde_json::json!({ "text": policy });
        // Its packets are half a second apart, in the 20 s of the run.
        let paced = handed_over(&scenario.to_string());
        assert!((30..=40).contains(&paced) && free > 5 * paced, "{event}: {paced} of {free}");
    }
}

#[test]
fn a_scenario_that_is_wrong_says_why_and_can_be_closed() {
    let cases = [
        ("{", "EOF"),
        ("topology = { kind = \"chain\", hops = 1 }\nsheme = 1", "line 2: sheme: unknown key"),
        (&CHAIN.replace("chain", "chian"), "did you mean 'chain'"),
        (
            r#"{"topology": {"kind": "chain", "hops": 1}, "wired": {}, "scheme": {"name": "udp"},
             "traffic": {"load": "20 kbit/s"}}"#,
            "remove [wired]",
        ),
    ];
    for (scenario, why) in cases {
        let run = open(scenario);
        // SAFETY: `run` is closed at the end, and all else is this test's own.
        unsafe {
            let error = told(multihop_error(run));
            assert!(error.contains(why), "{error}");
            assert!(multihop_radio(run).is_null());
            assert_eq!((multihop_end(run), multihop_due(run)), (0, u64::MAX));
            multihop_wake(run, 5);
            let mut order = blank_order();
            assert!(!multihop_order(run, &raw mut order));
            assert_eq!(told(multihop_results(run)), "");
            multihop_close(run);
        }
    }
}
