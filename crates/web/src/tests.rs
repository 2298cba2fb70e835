//! Questions as a page asks them.

use serde_json::{Value, json};

use crate::Engine;

const TEXT: &str = "# a chain\nwarmup = \"1 s\"\nduration = \"3 s\"\n[topology]\nkind = \"bidirectional-chain\"\n\
                    hops = 3 # not many\n[scheme]\nname = \"cxcc\"\n[traffic]\nload = \"60 kbit/s\"\n";

fn ask(engine: &mut Engine, question: &Value) -> Value {
    serde_json::from_slice(&engine.call(question.to_string().as_bytes())).expect("answers are JSON")
}

fn asked(question: &Value) -> Value {
    ask(&mut Engine::default(), question)
}

fn edited(text: &str, edits: &Value) -> String {
    let answer = asked(&json!({ "call": "edit", "text": text, "edits": edits }));
    answer["ok"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn check(text: &str) -> Value {
    asked(&json!({ "call": "check", "text": text }))
}

/// The tables of a run in steps of so many events, and its trace.
fn whole_run(events: u64, changes: &Value) -> (Value, Vec<u8>) {
    let mut engine = Engine::default();
    let start =
        json!({ "call": "start", "text": TEXT, "changes": changes, "most_bytes": 1_000_000 });
    let number = ask(&mut engine, &start)["ok"]["run"].clone();
    let step = json!({ "call": "step", "run": number, "events": events });
    while ask(&mut engine, &step)["ok"]["over"] != true {}
    let finished = ask(&mut engine, &json!({ "call": "finish", "run": number }));
    assert_eq!(ask(&mut engine, &step)["ok"]["over"], true, "nothing is left");
    let take = json!({ "call": "take", "run": number, "table": "frames" });
    let frames = engine.call(take.to_string().as_bytes());
    let cancel = json!({ "call": "cancel", "run": number });
    assert_eq!(ask(&mut engine, &cancel)["ok"], true);
    assert_eq!(ask(&mut engine, &cancel)["ok"], false, "it is forgotten");
    assert_eq!(ask(&mut engine, &step)["error"]["message"], "there is no such run");
    (finished["ok"].clone(), frames)
}

#[test]
fn a_policy_in_the_text_decides_in_the_page_too() {
    let mut policy = json!({
        "policy": 1, "step_s": 0.1, "agents": "senders",
        "observe": [{ "feature": "busy" }], "control": [{ "name": "pace", "low": 0.01, "high": 0.5 }],
        "layers": [{ "weights": [[0.0]], "bias": [1.0] }],
    });
    let (bare, _) = whole_run(u64::MAX, &json!({}));
    let goodput =
        |run: &Value| run["tables"]["runs"]["goodput_bit_s"][0].as_f64().expect("a number");
    for event in [None, Some("arrived")] {
        if let Some(event) = event {
            policy["event"] = json!(event);
        }
        let (paced, _) = whole_run(777, &json!({ "policy.text": policy.to_string() }));
        // Two packets a second of each of the two sources, instead of 60 kbit/s of each.
        let found = (goodput(&paced), goodput(&bare));
        assert!(found.0 < 0.5 * found.1, "{event:?}: {found:?}");
    }
    let error =
        asked(&json!({ "call": "check", "text": TEXT, "changes": { "policy.file": "x.json" } }));
    assert!(
        error["error"]["message"].as_str().is_some_and(|said| said.contains("has not been read"))
    );
}

#[test]
fn a_run_has_tables_and_a_trace_whatever_its_steps_are() {
    let (whole, frames) = whole_run(u64::MAX, &json!({}));
    assert_eq!(whole["tables"]["runs"]["scheme"], json!(["cxcc"]));
    assert!(whole["tables"]["runs"]["goodput_bit_s"][0].as_f64() > Some(50e3), "{whole}");
    assert_eq!(whole["cut"], false);
    assert!(whole["rows"]["frames"].as_u64() > Some(100), "{whole}");
    assert!(frames.starts_with(b"PAR1") && frames.ends_with(b"PAR1"));
    let (stepped, same) = whole_run(777, &json!({}));
    assert!(stepped == whole && same == frames);
    let (other, _) = whole_run(777, &json!({ "seed": 7, "scheme.name": "udp" }));
    assert_eq!(other["tables"]["runs"]["seed"], json!([7]));
    assert_eq!(other["tables"]["runs"]["scheme"], json!(["udp"]));
}

#[test]
fn a_trace_is_taken_in_parts_while_the_run_goes_on() {
    let mut engine = Engine::default();
    let start = json!({ "call": "start", "text": TEXT, "most_bytes": 1_000_000 });
    let run = ask(&mut engine, &start)["ok"]["run"].clone();
    let take = json!({ "call": "take", "run": run, "table": "frames" });
    let step = json!({ "call": "step", "run": run, "events": 300 });
    let mut parts = vec![engine.call(take.to_string().as_bytes())];
    while ask(&mut engine, &step)["ok"]["over"] != true {
        parts.push(engine.call(take.to_string().as_bytes()));
    }
    let finished = ask(&mut engine, &json!({ "call": "finish", "run": run }))["ok"].clone();
    parts.push(engine.call(take.to_string().as_bytes()));
    assert!(parts.len() > 3 && parts.iter().all(|part| part.starts_with(b"PAR1")));
    let (whole, frames) = whole_run(u64::MAX, &json!({}));
    assert_eq!(finished, whole, "looking at it changes nothing");
    assert!(parts[1..parts.len() - 1].iter().all(|part| part.len() < frames.len()));
}

#[test]
fn what_a_scheme_decides_is_said_and_so_are_roles() {
    let about = |text: &str| check(text)["ok"]["about"].clone();
    let cxcc = about(TEXT);
    assert_eq!(cxcc["effective"]["mac.kind"], "csma");
    assert_eq!(cxcc["effective"]["routing.kind"], "fixed");
    assert_eq!(cxcc["effective"]["mac.cw_min"], "31");
    assert_eq!(cxcc["nodes"][0]["role"], Value::Null);
    assert_eq!(about(&TEXT.replace("cxcc", "udp"))["effective"]["mac.kind"], "dcf");
    let given = about(&format!("{TEXT}[mac]\ncw_min = 15\n"));
    assert_eq!(given["effective"]["mac.cw_min"], "15");
    let text = format!("{TEXT}[roles.gateway]\nnodes = [\"n3\"]\n");
    assert_eq!(about(&text)["nodes"][3]["role"], "gateway");
}

#[test]
fn who_hears_whom_is_said_with_signals() {
    let about = |text: &str| check(text)["ok"]["about"].clone();
    let chain = about(TEXT);
    let pairs = chain["hears"].as_array().expect("nobody moves");
    let least = chain["decodes_from_dbm"].as_f64().expect("a radio");
    let signal = |pair: &Value| pair[3].as_f64().expect("a signal");
    assert!(pairs.iter().any(|pair| pair[2] == 2) && chain["noise_dbm"] == Value::Null);
    assert!(pairs.iter().all(|pair| (signal(pair) >= least) == (pair[2] == 2)));
    assert_eq!(about(&format!("{TEXT}[wired]\n"))["hears"], Value::Null);
}

#[test]
fn a_scenario_is_checked_with_line_and_key() {
    let about = &check(TEXT)["ok"]["about"];
    assert_eq!(about["nodes"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        about["flows"][1],
        json!({ "flow": 1, "source": 3, "destination": 0, "label": "n3->n0" })
    );
    assert_eq!(about["range_m"], 250.0);
    let error = &check(&TEXT.replace("hops = 3", "hopps = 3"))["error"];
    assert_eq!((&error["line"], &error["key"]), (&json!(6), &json!("topology.hopps")), "{error}");
    assert!(
        error["said"].as_str().is_some_and(|said| said.starts_with("line 6: topology.hopps: "))
    );
    assert_eq!(check("[[[")["error"]["line"], 1);
    let ns3 = check(&format!("simulator = \"ns3\"\n{TEXT}"));
    assert_eq!(ns3["error"]["key"], "simulator");
    let note = &check(&format!("{TEXT}[mac]\ncw_min = 63\nrts_threshold = \"1 kB\"\n"));
    assert!(note["ok"]["notes"].is_array() || note["error"]["line"].is_number(), "{note}");
}

#[test]
fn what_is_no_question_is_refused() {
    for question in ["", "{}", "[1]", "{\"call\": \"dance\"}", "{\"call\": \"step\", \"run\": -1}"]
    {
        let answer: Value =
            serde_json::from_slice(&Engine::default().call(question.as_bytes())).expect("JSON");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("no such question"), "{question}: {answer}");
    }
}

#[test]
fn the_parts_and_the_schema_are_told() {
    let parts = asked(&json!({ "call": "parts" }));
    let schemes = parts["ok"]["schemes"].as_array().expect("a list");
    assert!(schemes.iter().any(|scheme| scheme["name"] == "cxcc" && scheme["title"] == "CXCC"));
    let schema = asked(&json!({ "call": "schema" }));
    assert!(schema["ok"]["properties"]["topology"].is_object());
}

#[test]
fn an_edit_keeps_comments_and_makes_what_is_missing() {
    let text = edited(
        TEXT,
        &json!([
            { "key": "topology.hops", "value": 5 },
            { "key": "mac.rts_cts", "value": true },
            { "key": "warmup" },
            { "key": "radio.no_such_key" },
        ]),
    );
    assert!(text.starts_with("# a chain\n"), "{text}");
    assert!(text.contains("hops = 5 # not many\n"), "{text}");
    assert!(text.contains("[mac]\nrts_cts = true\n"), "{text}");
    assert!(!text.contains("warmup"), "{text}");
    let inline = edited(
        "topology = { kind = \"chain\", hops = 2 }\n",
        &json!([{ "key": "topology.hops", "value": 9 }]),
    );
    assert_eq!(inline, "topology = { kind = \"chain\", hops = 9 }\n");
    let refused =
        json!({ "call": "edit", "text": TEXT, "edits": [{ "key": "warmup.x", "value": 1 }] });
    assert_eq!(asked(&refused)["error"]["message"], "'warmup.x' cannot be set there");
    for key in ["node[3]", "node[x]", "node[", "topology"] {
        let edits = json!([{ "key": key, "value": 1 }]);
        let answer = asked(&json!({ "call": "edit", "text": TEXT, "edits": edits }));
        assert!(answer["error"].is_object(), "{key}: {answer}");
    }
}

#[test]
fn a_topology_becomes_nodes_and_flows_with_the_same_run() {
    let explicit = |text: &str| asked(&json!({ "call": "explicit", "text": text }))["ok"].clone();
    let text = explicit(TEXT);
    let text = text.as_str().expect("a text");
    assert!(!text.contains("hops") && text.contains("# a chain"), "{text}");
    let (before, after) = (check(TEXT), check(text));
    for what in ["nodes", "flows", "range_m", "scheme"] {
        assert_eq!(before["ok"]["about"][what], after["ok"]["about"][what], "{what}: {text}");
    }
    assert_eq!(explicit(text), text, "it is so already");
    // A flow of its own stays, and comes behind those that the topology makes.
    let more =
        explicit(&format!("{TEXT}[[flow]]\nfrom = \"n1\"\nto = \"n2\"\nload = \"5 kbit/s\"\n"));
    let more = more.as_str().expect("a text");
    assert_eq!(check(more)["ok"]["about"]["flows"][2]["label"], "n1->n2");
    assert!(more.contains("5 kbit/s"), "{more}");
    // So does one with several ends, which is no node.
    let several = format!(
        "{}[[flow]]\nfrom = \"every node\"\nto = \"everyone\"\n",
        TEXT.replace("cxcc", "flooding")
    );
    let all = explicit(&several);
    let all = check(all.as_str().expect("a text"));
    assert_eq!(all["ok"]["about"]["flows"], check(&several)["ok"]["about"]["flows"], "{several}");
    // Nodes are moved, added and deleted there.
    let moved = edited(
        text,
        &json!([
            { "key": "node[1].y", "value": "40 m" },
            { "key": "node[]", "value": { "name": "new", "x": "100 m", "y": "100 m" } },
            { "key": "flow[]", "value": { "from": "new", "to": "n2" } },
            { "key": "flow[0]" },
        ]),
    );
    let about = &check(&moved)["ok"]["about"];
    assert_eq!(about["nodes"][1]["y_m"], 40.0, "{moved}");
    assert_eq!(
        (&about["nodes"][4]["label"], &about["flows"][1]["label"]),
        (&json!("new"), &json!("new->n2"))
    );
}
