//! What a node has in its folder, and begins with.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::node::config::{self, Command};
use crate::node::secrets::{digits, find_or_draw, replace, roster_text, write_key};
use crate::roster::{Draft, Edition, Identity, Signatory};

use super::*;

#[test]
fn a_roster_is_kept_and_counts_after_a_restart_unless_it_is_another_network_s() {
    let folder = tempdir().expect("it can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    let secret = find_or_draw(Path::new(&path("identity"))).expect("it is drawn");
    let by = Signatory::new(&[1; 32]);
    let members = [(NodeId(5), Identity::new(&secret).public())];
    let edition = Edition { number: 7, draw: 1 };
    let draft = Draft { edition, grace_s: 60, key: &NetworkKey([3; 32]), members: &members };
    let parts = draft.sign(&by).expect("it has a public key");
    let begun = |authority: &Signatory| {
        let (identity, authority) = (path("identity"), digits(&authority.public()));
        let flags = ["--scenario", "s", "--node", "n5", "--ether", "e", "--state", &path("")]
            .map(str::to_owned);
        let own = ["--identity", &identity, "--authority", &authority].map(str::to_owned);
        match config::parse(flags.into_iter().chain(own)) {
            Ok(Command::Run(config)) => membership(&config, NodeId(5)).map(|some| {
                let begun = some.expect("it has an identity");
                let (_, life) = begin(&config, NodeId(5), Some(&begun)).expect("it has a folder");
                assert!(life > 0);
                begun
            }),
            other => panic!("{other:?}"),
        }
    };
    assert!(!begun(&by).expect("there is no roster yet").has_key());
    replace(Path::new(&path("n5.roster")), &roster_text(parts.iter().map(Vec::as_slice)))
        .expect("it can be written");
    let mut again = begun(&by).expect("it is kept");
    assert_eq!(again.keys().map(|(key, others)| (key.0, others.len())), Some(([3; 32], 0)));
    assert_eq!(again.known().edition, edition);
    assert_eq!(again.take_news(), [false; 2], "it is no news");
    let error = begun(&Signatory::new(&[2; 32])).err().expect("it is another network's");
    assert!(error.contains("n5.roster: this network's authority has not signed it; remove it"));
    fs::write(path("n5.roster"), "12\n").expect("it can be written");
    assert!(begun(&by).err().expect("it is broken").contains("line 1 is no part"));
}

#[test]
fn lives_are_counted_with_a_key_and_without() {
    let folder = tempdir().expect("it can be made");
    let key = folder.path().join("network.key");
    write_key(&key).expect("it can be written");
    let config = |more: &str| -> Config {
        let text = format!("scenario = \"s\"\nnode = \"n0\"\nether = \"e\"\n{more}");
        toml::from_str(&text).expect("it is one")
    };
    let state = format!("state = \"{}\"\n", folder.path().display());
    let plain = config(&format!("plain = true\n{state}"));
    let sealed = config(&format!("key = \"{}\"\n{state}", key.display()));
    let begun = |config: &Config| {
        begin(config, NodeId(0), None).map(|(seal, incarnation)| (seal.is_some(), incarnation))
    };
    assert_eq!(begun(&plain), Ok((false, 1)));
    assert_eq!(begun(&sealed), Ok((true, 2)));
    assert_eq!(begun(&plain), Ok((false, 3)));
    let drawn: Vec<_> = (0..8).map(|_| begun(&config("plain = true"))).collect();
    assert!(drawn.iter().any(|one| *one != drawn[0]), "at random: {drawn:?}");
}
