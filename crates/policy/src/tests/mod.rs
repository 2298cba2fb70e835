//! What is refused, and that outputs are always actions.

use multihop_core::Duration;
use multihop_setup::Steer;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Agents, CONTROLS, Control, Controls, EVENTS, FEATURES, MOST_WIDTH, Policy, Seen};

fn form() -> Value {
    json!({
        "policy": 1, "about": "a test", "step_s": 0.1, "event": "sent", "agents": "senders",
        "observe": [{"feature": "queue", "mean": 2.0, "scale": 4.0}, {"feature": "busy"}],
        "control": [{"name": "pace", "low": 0.01, "high": 1.0}],
        "layers": [
            {"weights": [[1.0, 0.0], [0.0, 1.0]], "bias": [0.0, 0.0], "activation": "tanh"},
            {"weights": [[1.0, 1.0]], "bias": [0.25]},
        ],
    })
}

fn refused(pointer: &str, value: Value) -> String {
    let mut form = form();
    *form.pointer_mut(pointer).expect("the form has it") = value;
    Policy::read(&form.to_string()).expect_err("it is wrong")
}

#[test]
fn a_network_is_evaluated_layer_by_layer() {
    let policy = Policy::read(&form().to_string()).expect("it is right");
    // (4 - 2) / 4 and 0.5, both through tanh.
    let expected = f64::from((2.0 * libm::tanh(0.5) + 0.25) as f32).min(1.0);
    assert_eq!(policy.act(&[4.0, 0.5]), [expected]);
    assert_eq!(policy.act(&[1e9, 1.0]), [1.0]);
    assert_eq!(policy.act(&[-1e9, 0.0]), [0.0]);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let cases = [
        ("/policy", json!(2), "this version reads 1"),
        ("/step_s", json!(0), "step_s: a control step of 0 s"),
        ("/step_s", json!("0.1 s"), "step_s: "),
        ("/agents", json!(7), "agents: wants \"senders\""),
        ("/observe", json!([]), "observe: there is nothing"),
        ("/observe/1/feature", json!("bussy"), "did you mean 'busy'"),
        ("/observe/1/feature", json!("delay"), "(oracle)"),
        ("/observe/1/feature", json!("queue"), "observe[1].feature: 'queue' is there twice"),
        ("/observe/0/scale", json!(0), "observe[0].scale: it is 0"),
        ("/control", json!([]), "control: there is none"),
        ("/control/0/name", json!("speed"), "control[0]: there is no 'speed'"),
        ("/control/0/low", json!(2), "write ends above 0"),
        ("/control/0/name", json!("weight"), "'weight' is known to all nodes at once"),
        ("/event", json!("delivery"), "event: there is no event 'delivery'; there are: arrived,"),
        ("/event", json!(7), "event: "),
        ("/layers", json!([]), "layers: there are 0"),
        ("/layers/0/bias", json!([0.0]), "layers[0].bias: there are 1 numbers; write 2"),
        ("/layers/0/weights/1", json!([1.0]), "layers[0].weights[1]: there are 1 numbers; write 2"),
        ("/layers/1/weights/0", json!([1.0]), "one for each output before"),
        ("/layers/1/bias/0", json!(null), "layers[1].bias[0]: "),
        ("/layers/0/activation", json!("softmax"), "layers[0].activation: "),
    ];
    for (pointer, value, said) in cases {
        let message = refused(pointer, value);
        assert!(message.contains(said), "{pointer}: {message}");
    }
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    for wrong in ["NaN", "Infinity", "-Infinity", "1e999"] {
        let text = form().to_string().replace("0.25", wrong);
        let message = Policy::read(&text).expect_err("it is no number");
        assert!(message.contains("neither NaN nor Infinity"), "{wrong}: {message}");
    }
    let message = Policy::read("").expect_err("it is empty");
    assert!(message.contains("is not JSON"), "{message}");
}

#[test]
fn a_network_that_is_too_large_is_refused() {
    let wide = vec![vec![0.0, 0.0]; MOST_WIDTH + 1];
    assert!(refused("/layers/0/weights", json!(wide)).contains("write 1 to 256"));
    let layer =
        |inputs: usize| json!({"weights": vec![vec![0.0; inputs]; 256], "bias": vec![0.0; 256]});
    let message = refused("/layers", json!([layer(2), layer(256), layer(256), layer(256)]));
    assert!(message.contains("take a smaller network"), "{message}");
    assert!(refused("/layers", json!(vec![layer(2); 9])).contains("write 1 to 8"));
    let message = refused("/layers", json!([layer(2)]));
    assert!(message.contains("the last has 256 outputs; it needs 1"), "{message}");
}

#[test]
fn a_policy_suits_schemes_that_have_its_controls() {
    let policy = Policy::read(&form().to_string()).expect("it is right");
    assert_eq!(policy.suits("cxcc", true), Ok(()));
    let message = policy.suits("udp", false).expect_err("nobody sends");
    assert!(message.contains("control 'pace' is about flows"), "{message}");
    let mut form = form();
    form["control"] = json!([{"name": "window"}]);
    let policy = Policy::read(&form.to_string()).expect("it is right");
    let message = policy.suits("udp", true).expect_err("it has no window");
    assert!(message.contains("of 'newreno', and the scheme is 'udp'"), "{message}");
    form["control"] = json!([{"name": "hold"}]);
    form["event"] = json!("acknowledged");
    let policy = Policy::read(&form.to_string()).expect("it is right");
    let message = policy.suits("udp", false).expect_err("nobody sends");
    assert!(message.contains("event 'acknowledged' is about flows"), "{message}");
    assert_eq!(policy.suits("udp", true), Ok(()));
}

#[test]
fn policies_with_other_events_are_other_policies() {
    let identity = |event: &str| {
        let mut form = form();
        form["event"] = json!(event);
        Policy::read(&form.to_string()).expect("it is right").identity()
    };
    let all: std::collections::BTreeSet<String> =
        EVENTS.iter().map(|kind| identity(kind.name)).collect();
    assert_eq!(all.len(), EVENTS.len());
}

#[test]
fn equal_steps_of_an_action_are_equal_ratios() {
    let pace = Control::new("pace", Some(0.01), Some(1.0)).expect("it is right");
    let told = |action| Controls::of(&[pace], &[action]).pace.expect("it is told");
    assert_eq!(told(0.0), Duration::from_millis(10));
    assert_eq!(told(0.5), Duration::from_millis(100));
    assert_eq!(told(1.0), Duration::from_millis(1000));
    assert_eq!(Controls::of(&[pace], &[f64::NAN]), Controls::default());
    for kind in &CONTROLS {
        Control::new(kind.name, None, None).expect("its own ends are right");
    }
}

#[test]
fn agents_are_found_by_a_word_or_by_names() {
    let all = ["a", "b", "c"];
    let of = |agents: Agents| agents.of(&all, &[0], &[2]);
    let word = |word: &str| of(Agents::One(word.to_owned()));
    let named =
        |names: &[&str]| of(Agents::Named(names.iter().map(|&one| one.to_owned()).collect()));
    assert_eq!(word("senders"), Ok(vec![0]));
    assert_eq!(word("relays"), Ok(vec![1]));
    assert_eq!(word("nodes"), Ok(vec![0, 1, 2]));
    assert_eq!(word("c"), Ok(vec![2]));
    assert_eq!(named(&["c", "a"]), Ok(vec![2, 0]));
    for (given, said) in
        [(&["d"][..], "no node 'd'"), (&["a", "a"], "named twice"), (&[], "no agents")]
    {
        let message = named(given).expect_err("it is wrong");
        assert!(message.contains(said), "{message}");
    }
    let message = Agents::One("relays".to_owned()).of(&all, &[0, 1], &[2]).expect_err("none");
    assert!(message.contains("has no relays"), "{message}");
}

#[test]
fn nothing_seen_is_nothing_known() {
    for feature in &FEATURES {
        assert_eq!(feature.of(&Seen::default()).to_bits(), 0, "{}", feature.about.name);
    }
}

proptest! {
    #[test]
    fn an_action_lies_between_0_and_1_whatever_the_weights(
        weights in proptest::collection::vec(any::<f64>().prop_filter("finite", |x| x.is_finite()), 7),
        seen in proptest::array::uniform2(0.0..1e12),
    ) {
        let mut form = form();
        form["layers"] = json!([
            {"weights": [[weights[0], weights[1]], [weights[2], weights[3]]], "bias": [weights[4], 0.0], "activation": "relu"},
            {"weights": [[weights[5], weights[6]]], "bias": [0.0]},
        ]);
        let policy = Policy::read(&form.to_string()).expect("every finite number will do");
        let action = policy.act(&seen)[0];
        prop_assert!((0.0..=1.0).contains(&action));
    }
}
