//! [policy]: whom it controls, and what is refused.

use std::fs;

use multihop_core::NodeId;

use super::{CHAIN, right, wrong};
use crate::from_toml;

const POLICY: &str = r#"{"policy": 1, "step_s": 0.1, "agents": "senders",
    "observe": [{"feature": "busy"}], "control": [{"name": "pace"}],
    "layers": [{"weights": [[1.0]], "bias": [0.0]}]}"#;

fn with_policy(more: &str) -> String {
    format!("{CHAIN}[policy]\n{more}\ntext = '''{POLICY}'''\n")
}

#[test]
fn a_policy_controls_whom_it_says_or_whom_the_scenario_says() {
    let controlled =
        |more: &str| right(&with_policy(more)).steered.into_keys().collect::<Vec<NodeId>>();
    assert_eq!(controlled(""), [NodeId(0)]);
    assert_eq!(controlled("agents = 'nodes'").len(), right(CHAIN).nodes.len());
    assert_eq!(controlled("agents = ['n1', 'n0']"), [NodeId(0), NodeId(1)]);
    assert!(right(CHAIN).steered.is_empty());
}

#[test]
fn runs_with_other_weights_are_other_runs() {
    let identity = |text: &str| right(text).identity();
    let one = with_policy("");
    assert_eq!(identity(&one), identity(&one.replace("0.1,", "0.10,")));
    for (from, to) in [("[[1.0]]", "[[1.1]]"), ("0.1,", "0.2,"), ("busy", "queue")] {
        assert_ne!(identity(&one), identity(&one.replace(from, to)), "{from}");
    }
    assert_ne!(identity(CHAIN), identity(&one));
    assert_ne!(identity(&one), identity(&with_policy("agents = 'nodes'")));
}

#[test]
fn a_file_is_read_from_the_folder_of_the_scenario() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("pace.json"), POLICY).expect("it is written");
    let read = |name: &str| {
        let scenario = from_toml(&format!("{CHAIN}[policy]\nfile = '{name}'\n"))?;
        scenario.with_files(folder.path())?.setup()
    };
    let found = read("pace.json").expect("it is there");
    assert_eq!(found.identity(), right(&with_policy("")).identity());
    let missing = read("none.json").err().expect("it is not there").to_string();
    assert!(missing.contains("policy.file: ") && missing.contains("check the path"), "{missing}");
    fs::write(folder.path().join("bad.json"), POLICY.replace("busy", "bussy")).expect("written");
    let bad = read("bad.json").err().expect("it is none").to_string();
    assert!(bad.contains("policy.file: 'bad.json' is no policy: observe[0].feature: "), "{bad}");
}

#[test]
fn a_policy_that_nobody_has_read_is_refused() {
    let message = wrong(&format!("{CHAIN}[policy]\nfile = \"pace.json\"\n"));
    assert!(message.contains("policy.file: 'pace.json' has not been read"), "{message}");
    let message = wrong(&with_policy("agents = 'relays'"));
    assert!(message.contains("'pace' is about flows that begin at agents"), "{message}");
}
