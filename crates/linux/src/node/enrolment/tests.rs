//! Rosters that are made from files.

use std::fs;

use tempfile::{TempDir, tempdir};

use crate::node::config::{Command, parse};
use crate::roster::{Identity, LONGEST_PART};

use super::*;

const MESH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/mesh.toml");

/// A folder with an authority, and identities of n1 and n2 of the packaged network.
struct Home {
    folder: TempDir,
    public: [String; 2],
}

impl Home {
    fn new() -> Self {
        let folder = tempdir().expect("it can be made");
        let draw = |name: &str| {
            let secret = secrets::find_or_draw(&folder.path().join(name)).expect("it is drawn");
            secrets::digits(&Identity::new(&secret).public())
        };
        let public = ["n1", "n2"].map(draw);
        draw("authority");
        Home { folder, public }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("it is text").to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    fn make(&self, flags: &[&str]) -> Result<String, String> {
        let files = ["authority", "members", "roster"].map(|name| self.path(name));
        let words = ["roster", "--scenario", MESH, &files[0], &files[1], &files[2]];
        match parse([&words[..], flags].concat())? {
            Command::Roster(enrolment) => enrolment.make(),
            other => panic!("{other:?}"),
        }
    }

    fn parts(&self) -> Vec<Vec<u8>> {
        secrets::read_roster(Path::new(&self.path("roster"))).expect("it is one")
    }
}

#[test]
fn the_next_roster_has_the_next_number_and_who_is_not_in_the_list_is_expelled() {
    let home = Home::new();
    let [first, second] = &home.public;
    home.write("members", &format!("n1 = \"{first}\"\nn2 = \"{second}\"\n"));
    let said = home.make(&[]).expect("all is well");
    assert!(
        said.starts_with("roster 1 in ") && said.contains(": 2 members\nnew: n1, n2"),
        "{said}"
    );
    let grace = |home: &Home| Part::parse(&home.parts()[0]).expect("it is one").grace_s;
    assert_eq!(grace(&home), 62);
    home.write("members", &format!("n1 = \"{first}\"\n"));
    let said = home.make(&["--grace", "0"]).expect("all is well");
    assert!(
        said.starts_with("roster 2 in ") && said.ends_with("1 members\nexpelled: n2"),
        "{said}"
    );
    assert_eq!(grace(&home), 0);
    let parts = home.parts();
    let part = Part::parse(&parts[0]).expect("it is one");
    let secret = secrets::read_secret(Path::new(&home.path("n1"))).expect("it is one");
    let address = part.members().next().expect("it has one");
    assert!(matches!(part.key(address, &Identity::new(&secret)), Some(Ok(_))));
}

#[test]
fn what_is_wrong_with_a_list_is_named_and_the_roster_of_before_stays() {
    let home = Home::new();
    let [first, second] = &home.public;
    home.write("members", &format!("n1 = \"{first}\"\n"));
    home.make(&[]).expect("all is well");
    let before = home.parts();
    for (list, says) in [
        (String::new(), "0 members: 1 to 1024 are possible"),
        ("n1".to_owned(), "lines as n1 = "),
        ("n1 = \"12\"".to_owned(), "n1: it needs the 64 hexadecimal digits"),
        (format!("n9 = \"{first}\""), "the scenario has no node 'n9'"),
        (format!("n1 = \"{first}\"\nn2 = \"{first}\""), "n1 and n2 have one public key"),
        (format!("n2 = \"{}\"", "0".repeat(64)), "n2: this is no public key"),
    ] {
        home.write("members", &list);
        let error = home.make(&[]).expect_err(says);
        assert!(error.contains("members") && error.contains(says), "{error}");
    }
    home.write("members", &format!("n1 = \"{first}\"\nn2 = \"{second}\"\n"));
    for (flags, says) in [
        (&["--grace", "70000"][..], "roster: "),
        (&["--mtu", "500"][..], "unknown field `mtu`"),
        (&["--defaults", "mine"][..], "expected `paper` or `field`"),
    ] {
        let error = home.make(flags).expect_err(says);
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(home.parts(), before);
    // the roster of another network is not continued
    fs::remove_file(home.path("authority")).expect("it is there");
    secrets::find_or_draw(Path::new(&home.path("authority"))).expect("it is drawn");
    let error = home.make(&[]).expect_err("it is of another authority");
    assert!(error.contains("has not signed it"), "{error}");
    home.write("roster", "12\n");
    assert!(home.make(&[]).expect_err("it is broken").contains("line 1 is no part of a roster"));
}

#[test]
fn a_roster_goes_to_a_node_that_listens() {
    let home = Home::new();
    let socket = home.path("socket");
    let spread = || super::spread(Path::new(&socket), Path::new(&home.path("roster")));
    assert!(spread().expect_err("there is none").contains("there is no roster"));
    home.write("members", &format!("n1 = \"{}\"\n", home.public[0]));
    home.make(&[]).expect("all is well");
    assert!(spread().expect_err("nobody listens").contains("socket: "));
    let longest = format!("roster {}", "0".repeat(2 * LONGEST_PART));
    for (answer, says) in [
        (TAKEN, Ok("the node has taken roster 1; the others get it from each other")),
        (KNOWN, Ok("the node has roster 1 already")),
        ("no", Err("roster 1: no")),
    ] {
        let mut server = control::Control::new(Path::new(&socket)).expect("it can listen");
        let asked = std::thread::scope(|scope| {
            let asking = scope.spawn(spread);
            while !asking.is_finished() {
                server.serve(multihop_core::Time::ZERO, |question| {
                    assert!(question.starts_with("roster ") && question.len() < longest.len());
                    answer.to_owned()
                });
                std::thread::yield_now();
            }
            asking.join().expect("it ends")
        });
        match says {
            Ok(says) => assert_eq!(asked.as_deref(), Ok(says)),
            Err(says) => assert!(asked.is_err_and(|error| error.ends_with(says))),
        }
        drop(server);
        let _ = fs::remove_file(&socket);
    }
}
