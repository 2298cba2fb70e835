//! Flags and files.

use super::*;

fn run(arguments: &[&str]) -> Result<Config, String> {
    match parse(arguments.iter().copied())? {
        Command::Run(config) => Ok(*config),
        other => Err(format!("{other:?}")),
    }
}

const LEAST: [&str; 7] =
    ["--scenario", "mesh.toml", "--node", "n3", "--ether", "/run/ether", "--plain"];

#[test]
fn flags_go_before_the_file() {
    let folder = tempfile::tempdir().expect("it can be made");
    let path = folder.path().join("node.toml");
    let text = "scenario = \"mesh.toml\"\nnode = \"n1\"\nether = \"/run/ether\"\nmtu = 500\nplain = true\n";
    std::fs::write(&path, text).expect("it can be written");
    let file = path.to_str().expect("it is text");
    let config = run(&["--config", file, "--node", "n2", "--flows", "destination"]);
    let config = config.expect("it is complete");
    assert_eq!((config.node.as_str(), config.mtu), ("n2", 500));
    assert_eq!((config.flows, config.queue), (Keying::Destination, 10));
    assert_eq!(config.defaults, Defaults::Field);
    let config = run(&["--config", file, "--defaults", "paper"]).expect("it is complete");
    assert_eq!(config.defaults, Defaults::Paper);
    std::fs::remove_file(&path).expect("it is there");
    assert!(run(&["--config", file]).expect_err("it is gone").contains(file));
}

#[test]
fn what_is_missing_unknown_or_impossible_is_named() {
    assert!(run(&LEAST).is_ok());
    let with = |more: &[&'static str]| run(&[&LEAST[..], more].concat()).expect_err("it is wrong");
    assert!(run(&LEAST[..4]).expect_err("it is missing").contains("ether"));
    assert!(run(&LEAST[..2]).expect_err("it is missing").contains("node"));
    assert!(with(&["--interface", "wlan0"]).contains("exactly one"));
    assert!(with(&["--mtuu", "5"]).starts_with("--mtuu: unknown flag 'mtuu', did you mean 'mtu'?"));
    assert!(with(&["--mtu", "big"]).contains("u16"));
    assert!(with(&["--defaults", "mine"]).contains("known: paper, field"));
    assert!(with(&["--mtu", "67"]).contains("68"));
    assert!(with(&["--mtu", "65535"]).contains("64000"));
    assert!(with(&["--queue", "0"]).contains("queue"));
    assert!(with(&["--most-flows", "99999"]).contains("most-flows"));
    assert!(with(&["--idle", "-1"]).contains("idle"));
    assert!(with(&["--groups", "1001"]).contains("0 to 1000"));
    assert!(with(&["--tcp-proxy", "0"]).contains("tcp-proxy"));
    assert!(with(&["--tcp-proxy", "70000"]).contains("u16"));
    assert!(with(&["stop"]).contains("stop"));
}

#[test]
fn a_flag_of_another_version_is_told_what_stands_in_its_place() {
    let folder = tempfile::tempdir().expect("it can be made");
    let path = folder.path().join("node.toml");
    std::fs::write(&path, "most_flows = 500\n").expect("it can be written");
    let file = path.to_str().expect("it is text");
    let error = run(&[&LEAST[..], &["--config", file]].concat()).expect_err("it is unknown");
    let expected =
        format!("{file}: most_flows: unknown flag 'most_flows', did you mean 'most-flows'?");
    assert!(error.starts_with(&expected), "{error}");
    let former = [("flow-limit", "most-flows")];
    let said = |flags: &[String]| {
        misfit("unknown field `flow-limit`, expected `mtu`", "n1.toml", flags, &former)
    };
    assert_eq!(said(&[]), "n1.toml: flow-limit: this version has no such flag: most-flows");
    let given = said(&["flow-limit".to_owned()]);
    assert_eq!(given, "--flow-limit: this version has no such flag: most-flows");
}

#[test]
fn frames_are_sealed_unless_it_is_said_otherwise() {
    let sealed = |more: &[&'static str]| run(&[&LEAST[..6], more].concat());
    assert!(sealed(&[]).expect_err("there is no key").contains("--plain"));
    assert!(sealed(&["--key", "k"]).expect_err("there is no folder").contains("state"));
    assert!(sealed(&["--key", "k", "--state", "s"]).is_ok());
    assert!(sealed(&["--key", "k", "--state", "s", "--other-key", "o"]).is_ok());
    assert!(
        sealed(&["--plain", "--other-key", "o"]).expect_err("there is none").contains("beside")
    );
    assert!(sealed(&["--key", "k", "--plain"]).expect_err("it is both").contains("one of them"));
    assert_eq!(parse(["key", "k"]), Ok(Command::Key("k".into())));
}

#[test]
fn a_node_has_one_source_of_keys() {
    let authority = secrets::digits(&crate::roster::Signatory::new(&[1; 32]).public());
    let authority: &'static str = authority.leak();
    let with = |more: &[&'static str]| run(&[&LEAST[..6], more].concat());
    let both = ["--identity", "i", "--authority", authority];
    let config = with(&[&both[..], &["--state", "s"]].concat()).expect("it is complete");
    assert_eq!(config.identity.as_deref(), Some("i".as_ref()));
    assert!(config.authority.is_some());
    assert!(with(&both).expect_err("no folder").contains("state: with identity, a folder"));
    for more in [&["--identity", "i"][..], &["--authority", authority, "--plain"]] {
        assert!(with(more).expect_err("one is missing").contains("rosters need both of them"));
    }
    for more in [&["--plain"][..], &["--key", "k", "--state", "s"]] {
        let error = with(&[&both[..], more].concat()).expect_err("there are two");
        assert!(error.contains("it can only be one of them"), "{error}");
    }
    for wrong in ["12", "0000000000000000000000000000000000000000000000000000000000000000"] {
        let error = with(&["--identity", "i", "--authority", wrong]).expect_err("it is none");
        assert!(error.contains("`multihop-node authority FILE` prints"), "{error}");
    }
    let running = with(&[&both[..], &["--state", "s"]].concat()).expect("it is complete");
    let other = with(&["--key", "k", "--state", "s"]).expect("it is complete");
    let (taken, left) = running.differences(&other);
    assert_eq!((taken.len(), left), (0, vec!["authority".into(), "identity".into(), "key".into()]));
    assert_eq!(parse(["identity", "i"]), Ok(Command::Identity("i".into())));
    assert_eq!(parse(["authority", "a"]), Ok(Command::Authority("a".into())));
    let spread = Command::Spread { socket: "s".into(), file: "r".into() };
    assert_eq!(parse(["spread", "s", "r"]), Ok(spread));
    assert!(parse(["roster", "a", "m", "r"]).expect_err("no scenario").contains("scenario"));
}

#[test]
fn a_question_is_for_a_socket() {
    let socket = PathBuf::from("/run/n0");
    let ask = |question: &str, json| {
        Ok(Command::Ask { socket: socket.clone(), question: question.to_owned(), json })
    };
    assert_eq!(parse(["metrics", "/run/n0"]), ask("metrics", false));
    assert_eq!(parse(["status", "--json", "/run/n0"]), ask("status", true));
    assert_eq!(parse(["explain", "/run/n0", "n4"]), ask("explain n4", false));
    assert!(parse(["explain", "/run/n0"]).is_err(), "whom?");
    assert_eq!(parse(["--help"]), Ok(Command::Help));
    assert_eq!(parse(["-V"]), Ok(Command::Version));
}

/// What the package brings starts with the defaults of the field.
#[test]
fn the_packaged_files_are_for_nodes_that_may_vanish() {
    let packaging = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging");
    let config = run(&["--config", &format!("{packaging}/node.toml")]).expect("it is complete");
    let mesh = std::path::Path::new(packaging).join("mesh.toml");
    let setup = crate::scenario::read(&mesh, config.defaults).expect("it is valid");
    let probe = setup.params.values.named("longest_probe").cloned();
    let two_seconds = multihop_core::Duration::from_millis(2_000);
    assert_eq!(probe, Some(multihop_core::Value::Span(two_seconds)));
    assert!(setup.nodes.iter().any(|node| node.name == config.node));
}

#[test]
fn a_doctor_is_told_what_is_wrong_with_a_configuration() {
    let doctor = |arguments: &[&str]| match parse(arguments.iter().copied()) {
        Ok(Command::Doctor { config, json }) => (config.map(|config| config.node), json),
        other => panic!("{other:?}"),
    };
    let (config, json) = doctor(&[&["doctor"][..], &LEAST].concat());
    assert_eq!((config, json), (Ok("n3".to_owned()), false));
    let (config, json) = doctor(&["doctor", "--json", "--node", "n3"]);
    assert!(config.is_err_and(|error| error.contains("scenario")) && json);
}

#[test]
fn a_reload_takes_over_what_it_can_and_names_the_rest() {
    let before = run(&LEAST).expect("it is complete");
    let with = |more: &[&'static str]| run(&[&LEAST[..], more].concat()).expect("it is complete");
    let after = with(&["--log", "debug", "--queue", "20", "--mtu", "500"]);
    assert_eq!(
        before.differences(&after),
        (vec!["log".into(), "queue".into()], vec!["mtu".into()])
    );
    assert_eq!(before.differences(&before), (Vec::new(), Vec::new()));
    let mut running = before.clone();
    running.take_over(&after);
    assert_eq!((running.limits().queue, running.mtu), (20, 1_000));
    assert_eq!(running.differences(&after), (Vec::new(), vec!["mtu".into()]));
}

#[test]
fn a_reload_takes_other_keys_but_needs_a_restart_to_begin_or_end_sealing() {
    let of = |more: &[&'static str]| {
        run(&[&LEAST[..LEAST.len() - 1], more].concat()).expect("it is complete")
    };
    let plain = of(&["--plain"]);
    let sealed = of(&["--key", "old", "--state", "s"]);
    let changing = of(&["--key", "new", "--other-key", "old", "--state", "s"]);
    let mut running = sealed.clone();
    assert_eq!(
        running.differences(&changing),
        (vec!["key".into(), "other-key".into()], Vec::new())
    );
    running.take_over(&changing);
    assert_eq!(running.key.as_deref(), Some("new".as_ref()));
    assert_eq!(running.other_key.as_deref(), Some("old".as_ref()));
    assert_eq!(running.differences(&changing), (Vec::new(), Vec::new()));
    let (taken, left) = plain.differences(&sealed);
    assert_eq!((taken.len(), left.len()), (0, 3), "{left:?}");
    let mut running = plain;
    running.take_over(&sealed);
    assert_eq!(running.key, None);
}

#[test]
fn another_network_is_one_of_ipv4() {
    let with = |more: &[&'static str]| run(&[&LEAST[..], more].concat());
    let network = with(&["--network", "172.20.0.0/16"]).expect("it is complete").network;
    assert_eq!(network.to_string(), "172.20.0.0/16");
    assert!(with(&["--network", "172.20.0.1/16"]).expect_err("it is wrong").contains("behind"));
    assert!(with(&["--metrics-port", "0"]).expect_err("it is wrong").contains("9464"));
    assert!(with(&["--log", "loud"]).expect_err("it is wrong").contains("known: error, warning"));
}

#[test]
fn networks_that_are_announced_and_taken_are_checked() {
    let with = |more: &[&'static str]| run(&[&LEAST[..], more].concat());
    let config = with(&["--announce", "192.168.7.0/24, 0.0.0.0/0", "--accept", "192.168.0.0/16"]);
    let config = config.expect("it is complete");
    let texts = |networks: &[Subnet]| networks.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&config.announce), ["192.168.7.0/24", "0.0.0.0/0"]);
    assert_eq!(texts(&config.accept), ["192.168.0.0/16"]);
    for (flags, says) in [
        (["--announce", "192.168.7.1/24"], "announce = 192.168.7.1/24: there are bits behind"),
        (["--announce", "fd00:7::/32"], "announce = fd00:7::/32: IPv6 needs network6"),
        (["--accept", "224.0.0.0/4"], "accept = 224.0.0.0/4: such addresses lie behind no node"),
        (["--accept", "10.7.0.0/16"], "accept = 10.7.0.0/16: these are addresses of nodes"),
        (["--announce", ""], "announce = : it needs a form"),
    ] {
        let error = with(&flags).expect_err(says);
        assert!(error.contains(says), "{error}");
    }
    let many = (0..17).map(|number| format!("192.168.{number}.0/24")).collect::<Vec<_>>().join(",");
    let many: &'static str = many.leak();
    assert!(with(&["--announce", many]).expect_err("too many").contains("16 and 64 are possible"));
    let error = with(&["--accept", "0.0.0.0/0", "--drop-rights"]).expect_err("it could not");
    assert!(error.contains("leave one of them out"), "{error}");
    let small = with(&[
        "--mtu",
        "68",
        "--announce",
        "172.16.0.0/24,172.17.0.0/24,172.18.0.0/24,172.19.0.0/24,\
        172.20.0.0/24,172.21.0.0/24,172.22.0.0/24,172.23.0.0/24",
    ]);
    assert!(small.expect_err("they are too long").contains("these announcements need 70 bytes"));
    let mut running = with(&[]).expect("it is complete");
    let after = with(&["--accept", "0.0.0.0/0"]).expect("it is complete");
    assert_eq!(running.differences(&after), (vec!["accept".into()], Vec::new()));
    running.take_over(&after);
    assert_eq!(texts(&running.accept), ["0.0.0.0/0"]);
}

#[test]
fn ipv6_has_packets_of_its_own_least_size() {
    let with = |more: &[&'static str]| run(&[&LEAST[..], more].concat());
    let config = with(&["--network6", "fd6d:6873::/64"]).expect("it is complete");
    assert_eq!(config.mtu, 1_280);
    assert_eq!(config.network6.map(|prefix| prefix.to_string()), Some("fd6d:6873::/64".into()));
    let error = with(&["--network6", "fd6d:6873::/64", "--mtu", "1000"]).expect_err("too small");
    assert!(error.contains("mtu = 1000: IPv6 (network6) needs 1280 or more"), "{error}");
    let error = with(&["--network6", "10.0.0.0/8"]).expect_err("it is IPv4's");
    assert!(error.contains("network6 = 10.0.0.0/8: it needs a prefix of IPv6"), "{error}");
}
