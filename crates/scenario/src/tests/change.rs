use serde_json::{Value, json};

use super::CHAIN;
use crate::{Change, Scenario, ScenarioError, from_json_with, from_toml_with};

fn change(key: &str, value: Value) -> Change {
    Change { key: key.to_owned(), value: (!value.is_null()).then_some(value) }
}

fn with(text: &str, changes: &[(&str, Value)]) -> Result<Scenario, ScenarioError> {
    let changes: Vec<Change> =
        changes.iter().map(|(key, value)| change(key, value.clone())).collect();
    let scenario = from_toml_with(text, &changes)?;
    scenario.setup()?;
    Ok(scenario)
}

fn refused(text: &str, changes: &[(&str, Value)]) -> String {
    with(text, changes).expect_err("it must be refused").to_string()
}

#[test]
fn a_text_may_lack_what_is_given_beside_it() {
    let lacks = CHAIN.replace("hops = 4", "");
    assert!(refused(&lacks, &[]).contains("topology.hops"));
    let whole = with(&lacks, &[("topology.hops", json!(4))]).expect("it has everything now");
    let said = with(CHAIN, &[]).expect("it has everything");
    assert_eq!(whole.to_json(), said.to_json());
}

#[test]
fn a_key_is_replaced_made_or_taken_away() {
    let changes = [("seed", json!(i64::MAX)), ("radio.reception", json!("ns2"))];
    let tables: Value =
        serde_json::from_str(&with(CHAIN, &changes).expect("valid").to_json()).expect("it is JSON");
    assert_eq!(tables["seed"], json!(i64::MAX));
    assert_eq!(tables["radio"]["reception"], "ns2");
    let json = tables.to_string();
    let without = from_json_with(&json, &[change("radio", Value::Null), change("seed", json!(1))]);
    let without = without.expect("valid").to_json();
    assert!(!without.contains("radio") && without.contains("\"seed\": 1"));
}

#[test]
fn what_is_wrong_is_named_by_its_key() {
    assert_eq!(
        refused(CHAIN, &[("traffic.laod", json!("1 kbit/s"))]).split(',').next(),
        Some("line 8: traffic.laod: unknown key 'laod'"),
    );
    let through = refused(CHAIN, &[("scheme.name.first", json!(1))]);
    assert_eq!(through, "scheme.name.first: cannot be set: 'name' is not a table");
    let syntax = from_toml_with("seed = = 1", &[]).expect_err("not TOML");
    assert_eq!(syntax.line, Some(1));
    assert!(from_json_with("{", &[]).expect_err("not JSON").message.starts_with("not valid JSON"));
}

#[test]
fn a_number_that_is_none_is_not_lost_on_the_way() {
    for number in ["nan", "inf", "-inf"] {
        let text = format!("{CHAIN}[radio]\ncapture_ratio = {number}\n");
        let error = with(&text, &[("seed", json!(2))]).expect_err("it must be refused");
        assert_eq!(error.key.as_deref(), Some("radio.capture_ratio"));
    }
}

#[test]
fn a_change_covers_what_stands_within_it() {
    let node = change("node", json!([]));
    assert!(node.covers("node") && node.covers("node[0].x") && node.covers("node.x"));
    assert!(!node.covers("nodes") && !node.covers("nod") && !node.covers("topology.node"));
}
