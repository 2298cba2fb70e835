//! A policy of the simulator at a node of this host: it decides at the same steps, of what the node counts itself.

use multihop_core::Time;

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
