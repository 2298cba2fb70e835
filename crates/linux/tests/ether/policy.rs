//! A policy of the simulator at a node of this host: it decides at the same steps, of what the node counts itself.

use std::sync::atomic::AtomicBool;

use multihop_compose::record::replay;
use multihop_core::{NodeId, Time};
use multihop_linux::node::member::{self, Ways};
use multihop_routing::Life;
use multihop_sim::{Options, Simulation};

use crate::applications::datagram;
use crate::world::{World, setup};

/// Packets of a second from 64 ms to 1 s apart, the longer the more is waiting: `queue` is 0 where a source is paced.
const POLICY: &str = r#"{"policy": 1, "step_s": 0.1, "agents": "senders",
    "observe": [{"feature": "queue"}, {"feature": "overheard"}],
    "control": [{"name": "pace", "low": 0.004, "high": 1.0}],
    "layers": [{"weights": [[0.1, 0.0]], "bias": [0.5]}]}"#;

/// What node 3 has got of eight packets of node 0 in so many milliseconds.
fn delivered(policy: &str, after_ms: u64) -> usize {
    let text = "[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\nname = \"cxcc\"\n[traffic]\nload = \"1 kbit/s\"\n";
    let mut world = World::new(&setup(&format!("{text}{policy}")));
    // It looks at its policy first.
    world.run(Time::from_nanos(1_000_000));
    for number in 0..8 {
        world.send(0, &datagram(0, 3, number, 100));
    }
    world.run(Time::from_nanos(after_ms * 1_000_000));
    world.delivered.get(&3).map_or(0, Vec::len)
}

#[test]
fn a_policy_paces_the_flows_of_a_host() {
    let policy = format!("[policy]\ntext = '''{POLICY}'''\n");
    assert_eq!(delivered("", 250), 8);
    // One at once, and one every 63 ms from then on.
    let early = delivered(&policy, 250);
    assert!((3..=5).contains(&early), "{early}");
    assert_eq!(delivered(&policy, 900), 8);
    // Who is told to wait for a second waits.
    let slow = policy.replace("\"bias\": [0.5]", "\"bias\": [1.0]");
    assert_eq!(delivered(&slow, 900), 1);
}

/// A policy of these agents, with weights that make its actions move.
fn deciding(agents: &str, event: &str, controls: &[&str]) -> String {
    let control: Vec<String> =
        controls.iter().map(|name| format!("{{\"name\": \"{name}\"}}")).collect();
    let rows = vec!["[0.05, 0.9, -0.3, 2.0]"; controls.len()].join(", ");
    let bias = vec!["0.1"; controls.len()].join(", ");
    format!(
        "[policy]\ntext = '''{{\"policy\": 1, \"step_s\": 0.1{event}, \"agents\": \"{agents}\",
        \"observe\": [{{\"feature\": \"queue\"}}, {{\"feature\": \"busy\"}}, {{\"feature\": \"delivery\"}},
                      {{\"feature\": \"length\"}}],
        \"control\": [{}], \"layers\": [{{\"weights\": [{rows}], \"bias\": [{bias}]}}]}}'''\n",
        control.join(", ")
    )
}

/// What node `me` of the simulator was told, told to the node that this host makes of a scenario: how many lines are the
/// same, or what is not.
fn told_again(me: u32, told: &str, scenario: &str) -> Result<usize, String> {
    let mut node = member::node(&setup(scenario), NodeId(me), &Ways::default(), Life::default())?;
    replay(told.as_bytes(), &mut node).map_err(|error| error.to_string())
}

#[test]
fn a_policy_decides_here_as_in_the_simulator() {
    let text = "duration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\nname = \"udp\"\n\
                [traffic]\nload = \"200 kbit/s\"\nstart = \"100 ms\"\n";
    let at = |event: &str| format!(", \"event\": \"{event}\"");
    for (me, agents, event, controls) in [
        (0, "senders", String::new(), &["pace"][..]),
        (0, "senders", at("sent"), &["pace"]),
        (1, "relays", String::new(), &["hold", "contention"]),
        (1, "relays", at("heard"), &["hold", "contention"]),
    ] {
        let scenario = format!("{text}{}", deciding(agents, &event, controls));
        let options = Options { record: Some(NodeId(me)), ..Options::default() };
        let simulation = Simulation::new(setup(&scenario), options);
        let tables = simulation.run(&AtomicBool::new(false)).expect("nobody cancels it");
        let told = tables.recording.expect("it was asked for");
        let lines = told_again(me, &told, &scenario);
        let lines = lines.unwrap_or_else(|error| panic!("{agents}{event}: {error}"));
        assert!(lines > 300, "{agents}{event}: only {lines} lines");
        let other = scenario.replace("0.9", "0.8");
        for other in [text, &other] {
            assert!(told_again(me, &told, other).is_err(), "{agents}{event}: it decides the same");
        }
    }
}
