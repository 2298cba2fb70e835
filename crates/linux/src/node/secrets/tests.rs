//! Keys and lives in files.

use std::os::unix::fs::PermissionsExt;

use tempfile::tempdir;

use crate::node::config::{self, Command};
use crate::roster::{Draft, Edition, Signatory};

use super::*;

#[test]
fn a_key_is_drawn_once_and_only_its_owner_reads_it() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("network.key");
    write_key(&path).expect("it can be written");
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, OWNER_ONLY);
    let key = read_key(&path).expect("it is one");
    assert_eq!(read_key(&path).map(|again| again.0), Ok(key.0));
    assert!(write_key(&path).is_err(), "it is there already");
    let owner_only = || fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
    for mode in [0o644, 0o606, 0o601] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        assert!(read_key(&path).is_err_and(|error| error.contains("chmod 600")), "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("it is ours");
    assert!(read_key(&path).is_ok(), "as systemd lends it");
    owner_only().expect("it is ours");
    for wrong in ["", "12", &"g".repeat(64), &"1".repeat(63)] {
        fs::write(&path, wrong).expect("it can be written");
        assert!(read_key(&path).is_err_and(|error| error.contains("64 hexadecimal")), "{wrong}");
    }
}

/// As a service that starts again and again may do, or a tool that prepares machines.
#[test]
fn an_identity_is_drawn_once_and_found_later() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("identity");
    let drawn = find_or_draw(&path).expect("it is drawn");
    assert_eq!(find_or_draw(&path), Ok(drawn));
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, OWNER_ONLY);
    let public = read_identity(&path).expect("it is one").public();
    assert_eq!(public, Identity::new(&drawn).public());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    assert!(find_or_draw(&path).is_err_and(|error| error.contains("chmod 600")));
    assert!(read_identity(&path).is_err());
}

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
fn every_life_has_the_next_number_and_what_is_none_is_refused() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("n0.life");
    let lives: Vec<_> = (0..3).map(|_| next_life(&path)).collect();
    assert_eq!(lives, [Ok(1), Ok(2), Ok(3)]);
    for wrong in ["", "x", "4294967294", "4294967295"] {
        fs::write(&path, wrong).expect("it can be written");
        assert!(next_life(&path).is_err(), "{wrong}");
    }
    drop(folder);
    assert!(next_life(&path).is_err(), "there is no folder");
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

#[test]
fn a_private_file_is_private_though_there_was_another() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("record");
    fs::write(&path, "a long line of before").expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    private_file(&path).and_then(|mut file| writeln!(file, "new")).expect("it can be written");
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(
        (mode & 0o777, fs::read_to_string(&path).expect("it is there")),
        (0o600, "new\n".into())
    );
}
