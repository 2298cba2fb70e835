//! Movement files of ns-2: read, refused, and written.

use std::path::{Path, PathBuf};

use multihop_core::Time;
use proptest::prelude::*;
use tempfile::tempdir;

use super::mobility::{assert_whole, at, close, place};
use super::{CHAIN, right, setup, with, wrong};
use crate::{from_json, from_toml, movement_file};
use multihop_setup::Setup;

/// What setdest writes: a head, positions, distances in hops, and way-points.
const FILE: &str = r#"#
# nodes: 3, pause: 2.00, max speed: 10.00, max x: 1000.00, max y: 500.00
#
$node_(0) set X_ 100.000000000000
$node_(0) set Y_ 50.500000000000
$node_(0) set Z_ 0.000000000000
$node_(1) set X_ 300.0
$node_(1) set Y_ 50.0
$node_(1) set Z_ 0.0
$node_(2) set X_ 5e2
$node_(2) set Y_ 50.0
$god_ set-dist 0 1 1
set god_ [God instance]
$ns_ at 10.0 "$node_(2) setdest 500.0 90.0 4.0"
$ns_ at 2.000000000000 "$node_(0) setdest 130.0 90.5 5.000000000000"
$ns_ at 9.5 "$god_ set-dist 0 2 2"
$ns at 15 "$node_(2) setdest 500.0 50.0 8.0";
"#;

/// A scenario whose nodes are those of a movement file.
fn moving(file: &str) -> String {
    let mobility = format!(
        "\"movements\"\n[mobility]\nkind = \"ns2\"\nmovements = '''\n{file}'''\n\
         [[flow]]\nfrom = \"n0\"\nto = \"n2\""
    );
    with(CHAIN, "\"chain\"\nhops = 4", &mobility)
}

#[test]
fn a_movement_file_gives_nodes_and_tracks() {
    let setup = right(&moving(FILE));
    assert_whole(&setup);
    let places: Vec<_> = setup.nodes.iter().map(|node| (node.x, node.y)).collect();
    assert!(close(places[0], (100.0, 50.5)) && close(places[2], (500.0, 50.0)), "{places:?}");
    assert_eq!(setup.nodes[2].name, "n2");
    assert_eq!(setup.sources[0].name, "n0->n2");
    for (node, second, expected) in [
        (0, 2.0, (100.0, 50.5)),
        (0, 7.0, (115.0, 70.5)),
        (0, 12.0, (130.0, 90.5)),
        (1, 30.0, (300.0, 50.0)),
        (2, 15.0, (500.0, 70.0)),
        (2, 16.0, (500.0, 62.0)),
        (2, 30.0, (500.0, 50.0)),
    ] {
        let there = place(&setup.nodes[node], at(second));
        assert!(close(there, expected), "node {node} at {second} s: {there:?}");
    }
}

#[test]
fn a_movement_file_moves_the_nodes_of_another_topology() {
    let chain = |nodes: u32| {
        let file = FILE.replace("_(2)", &format!("_({})", nodes - 1));
        let mobility = format!("[mobility]\nkind = \"ns2\"\nmovements = '''\n{file}'''\n[scheme]");
        with(&with(CHAIN, "[scheme]", &mobility), "hops = 4", "hops = 2")
    };
    let setup = right(&chain(3));
    assert!(close((setup.nodes[2].x, setup.nodes[2].y), (500.0, 50.0)), "the file's place counts");
    assert_eq!(setup.nodes[2].track.legs.len(), 2);
    assert_eq!(
        wrong(&chain(5)),
        "line 8: mobility.movements: the text has 5 nodes, but the topology has 3; they must \
         agree, or use a topology of kind \"movements\""
    );
}

/// A scenario that names a movement file.
fn naming(file: &str) -> String {
    with(&moving(""), "movements = '''\n'''", &format!("file = '{file}'"))
}

#[test]
fn a_file_that_is_cut_off_is_refused_wherever_it_is_cut() {
    let folder = tempdir().expect("a folder for temporary files");
    let read = |file: &str| {
        std::fs::write(folder.path().join("walk.ns2"), file).expect("the file can be written");
        let scenario = from_toml(&naming("walk.ns2")).expect("its form is right");
        let setup = scenario.with_files(folder.path()).and_then(|scenario| scenario.setup());
        setup.map(|setup| setup.nodes).map_err(|error| error.to_string())
    };
    let nodes = |file: &str| read(file).unwrap_or_else(|error| panic!("{error}"));
    let whole = nodes(FILE);
    let last = FILE.trim_end().rfind('\n').expect("a line before the last") + 1;
    // closed quotations are whole with or without the line break, and with the semicolon
    for end in ["\"", "\";", "\"; "] {
        assert_eq!(nodes(&format!("{}{end}", &FILE[..FILE.len() - 3])), whole, "{end}");
    }
    for cut in last + 1..FILE.len() - 2 {
        let message = read(&FILE[..cut]).expect_err(&FILE[last..cut]);
        assert!(message.contains("line 17 of 'walk.ns2': "), "{message}");
    }
    // a place at the end could be half a number
    let places = format!("{FILE}$node_(1) set X_ 310.25");
    assert_eq!(nodes(&format!("{places}\n"))[1].x.to_bits(), 310.25_f64.to_bits());
    assert_eq!(
        read(&places).expect_err("it may be cut off"),
        "line 7: mobility.file: line 18 of 'walk.ns2': the file ends without a line break, \
         perhaps inside a number; end the line if it is whole, or make the file again"
    );
    assert_eq!(nodes(&format!("{FILE}# made by hand")), whole, "a comment says nothing");
    // inside a file, or a text, only the quotation tells
    let inside = FILE.replace("90.5 5.000000000000\"", "90.5 5.0000");
    let message = wrong(&moving(&inside));
    assert!(message.contains("line 15 of the text: the quotation is not closed"), "{message}");
}

#[test]
fn only_a_regular_file_is_read() {
    let folder = tempdir().expect("a folder for temporary files");
    std::fs::create_dir_all(folder.path().join("inner")).expect("a folder");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo makes a pipe");
    for file in
        [folder.path().join("inner"), folder.path().join("pipe"), PathBuf::from("/dev/zero")]
    {
        let text = naming(&file.display().to_string());
        let read = from_toml(&text).expect("its form is right").with_files(Path::new("."));
        let message = read.expect_err("no file").to_string();
        let reason = "is not a file, but a folder, a pipe or a device; check the path";
        assert!(message.starts_with("line 7: mobility.file: '"), "{message}");
        assert!(message.ends_with(reason), "{message}");
    }
}

#[test]
fn a_scenario_takes_the_text_of_its_file_along() {
    let folder = tempdir().expect("a folder for temporary files");
    std::fs::write(folder.path().join("walk.ns2"), FILE).expect("the file can be written");
    let inline = moving("");
    let text = with(&inline, "movements = '''\n'''", "file = \"walk.ns2\"");
    let read = from_toml(&text).expect("its form is right").with_files(folder.path());
    let scenario = read.expect("the file is there");
    let json = scenario.to_json();
    assert!(!json.contains("walk.ns2") && json.contains("setdest 130.0"), "{json}");
    assert!(!json.contains("set-dist") && !json.contains("pause"), "{json}");
    let again = from_json(&json).expect("what is written can be read").setup().expect("right");
    assert_eq!(again.nodes, right(&moving(FILE)).nodes);

    // a mistake is one of the file, in its own line
    std::fs::write(folder.path().join("walk.ns2"), FILE.replace("set X_ 300.0", "set X_ far"))
        .expect("the file can be written");
    let broken = from_toml(&text).and_then(|scenario| scenario.with_files(folder.path())?.setup());
    assert_eq!(
        broken.err().map(|error| error.to_string()).as_deref(),
        Some(
            "line 7: mobility.file: line 7 of 'walk.ns2': 'far' is not a coordinate in m between \
             -1e9 and 1e9"
        )
    );
    std::fs::remove_file(folder.path().join("walk.ns2")).expect("the file can be removed");
    let missing = from_toml(&text).expect("its form is right").with_files(folder.path());
    let message = missing.expect_err("the file has gone").to_string();
    assert!(message.starts_with("line 7: mobility.file: '"), "{message}");
    assert!(message.contains("walk.ns2' cannot be read: "), "{message}");
    // without the folder it has not been read at all
    let message = wrong(&text);
    assert!(
        message.starts_with("line 7: mobility.file: 'walk.ns2' has not been read"),
        "{message}"
    );
    let both = with(&inline, "[mobility]", "[mobility]\nfile = \"walk.ns2\"");
    assert_eq!(
        wrong(&both),
        "line 6: mobility.file: takes the place of movements; remove one of the two"
    );
    let read = from_toml(&both).expect("its form is right").with_files(Path::new(""));
    assert!(read.is_ok_and(|scenario| scenario.setup().is_err()), "it reads neither");
}

#[test]
fn a_broken_movement_file_is_refused_with_its_line() {
    let understood = "; expected $node_(0) set X_ 1.5, or $ns_ at 2.0 \"$node_(0) setdest 10.0 \
                      20.0 5.0\", as ns-2's setdest writes them";
    for (old, new, message) in [
        ("set X_ 5e2", "set X_ nan", "line 10 of the text: 'nan' is not a coordinate in m between -1e9 and 1e9".to_owned()),
        ("set X_ 5e2", "set X_ 5e20", "line 10 of the text: '5e20' is not a coordinate in m between -1e9 and 1e9".to_owned()),
        ("_(1) set Z_ 0.0", "_(1) set Z_ 2", "line 9 of the text: Z_ is 2, but nodes move in a plane; set it to 0".to_owned()),
        ("at 10.0", "at -10.0", "line 14 of the text: '-10.0' is not a time in s between 0e0 and 1e9".to_owned()),
        ("90.0 4.0", "90.0 -4.0", "line 14 of the text: '-4.0' is not a speed in m/s between 0e0 and 3e8".to_owned()),
        ("90.0 4.0", "90.0", format!("line 14 of the text: not understood: $ns_ at 10.0 \"$node_(2) setdest 500.0 90.0\"{understood}")),
        ("set X_ 5e2", "= 5", format!("line 10 of the text: not understood: $node_(2) = 5{understood}")),
        ("$node_(2) set X_", "$node_(-2) set X_", "line 10 of the text: '$node_(-2)' is no node; expected $node_(0) to $node_(99999)".to_owned()),
        ("$node_(2) set X_", "$node_(4000000000) set X_", "line 10 of the text: '$node_(4000000000)' is no node; expected $node_(0) to $node_(99999)".to_owned()),
        ("$node_(2) set X_ 5e2\n", "", "the text says no X_ and Y_ of node 2; set both, of every node".to_owned()),
    ] {
        let expected = format!("line 7: mobility.movements: {message}");
        assert_eq!(wrong(&moving(&with(FILE, old, new))), expected);
    }
    let message = wrong(&moving("# nothing\n"));
    assert_eq!(message, "line 7: mobility.movements: the text says nothing of any node");
    let without = with(&moving(""), "movements = '''\n'''\n", "");
    assert_eq!(
        wrong(&without),
        "line 5: mobility.file: is missing; kind \"ns2\" needs it, as in file = \"movements.txt\""
    );
    let kind = with(CHAIN, "\"chain\"\nhops = 4", "\"movements\"");
    assert!(wrong(&kind).starts_with("line 4: topology.kind: \"movements\" takes the nodes from"));
    let message = wrong(&moving(FILE).replace("to = \"n2\"", "to = \"n3\""));
    assert!(message.ends_with("unknown node 'n3'; there are n0 to n2"), "{message}");
}

/// The movement of a setup, written and read again.
fn again(setup: &Setup) -> Setup {
    let last = setup.nodes.len() - 1;
    right(&moving(&movement_file(setup)).replace("to = \"n2\"", &format!("to = \"n{last}\"")))
}

fn assert_same(a: &Setup, b: &Setup) {
    assert_eq!(a.nodes.len(), b.nodes.len());
    for (a, b) in a.nodes.iter().zip(&b.nodes) {
        assert_eq!((a.x, a.y), (b.x, b.y));
        let times = a.track.legs.iter().flat_map(|leg| [leg.start, leg.end]);
        for time in times.chain((0..700).map(|step| at(f64::from(step) / 10.0))) {
            let (a, b) = (place(a, time), place(b, time));
            assert!(close(a, b), "{time}: {a:?} {b:?}");
        }
    }
}

const WALKERS: &str = r#"duration = "60 s"
[topology]
kind = "random"
nodes = 40
width = "800 m"
height = "800 m"
flows = 1
[mobility]
kind = "random-waypoint"
min_speed = "0.01 m/s"
max_speed = "300 m/s"
max_pause = "5 s"
[routing]
kind = "aodv"
[scheme]
name = "udp"
[traffic]
load = "10 kbit/s"
"#;

#[test]
fn what_is_written_reads_back_the_same() {
    for text in [WALKERS, &moving(FILE)] {
        // a flow to the last node may have no fixed route
        let setup = right(text);
        let text = moving(&movement_file(&setup))
            .replace("to = \"n2\"", &format!("to = \"n{}\"", setup.nodes.len() - 1))
            .replace("[scheme]", "[routing]\nkind = \"aodv\"\n[scheme]");
        let again = right(&text);
        assert_whole(&again);
        assert_same(&setup, &again);
        assert_same(&right(&text), &again);
    }
    let still = right(&with(CHAIN, "hops = 4", "hops = 2"));
    assert_same(&still, &again(&still));
    assert!(!movement_file(&still).contains("setdest"));
}

proptest! {
    #[test]
    fn lines_that_look_like_movements_never_panic(
        lines in prop::collection::vec(
            "(\\$node_\\([0-9]{1,6}\\) set [XYZ]_ -?[0-9.e]{1,8})|\
             (\\$ns_ at [0-9.e]{1,6} \"\\$node_\\([0-3]\\) setdest( -?[0-9.e]{1,6}){2,4}\")|\
             (#? *\\$god_ set-dist [0-9 ]{1,9})|\\PC{0,20}",
            0..9,
        )
    ) {
        let text = lines.join("\n").replace("'''", "");
        if let Ok(setup) = setup(&moving(&format!("{text}\n"))) {
            assert_whole(&setup);
        }
    }

    #[test]
    fn any_script_reads_back_the_same(
        orders in prop::collection::vec(
            (0..3u32, 0..60_000u32, 1..1000u32, 1..1000u32, prop::sample::select(vec![0.0, 1e-3, 1.0, 17.3, 900.0])),
            0..12,
        )
    ) {
        let head = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n$node_(1) set X_ 3\n$node_(1) set Y_ 4\n\
                    $node_(2) set X_ 5.5\n$node_(2) set Y_ 6\n";
        let text = orders.iter().fold(head.to_owned(), |text, (node, at, x, y, speed)| {
            let at = f64::from(*at) / 1000.0;
            format!("{text}$ns_ at {at} \"$node_({node}) setdest {x} {y} {speed}\"\n")
        });
        let setup = right(&moving(&text));
        assert_whole(&setup);
        assert_same(&setup, &again(&setup));
    }
}

/// The nodes of a movement text.
fn nodes(file: &str) -> Vec<multihop_setup::Node> {
    right(&moving(file).replace("to = \"n2\"", "to = \"n1\"")).nodes
}

const TWO: &str = "$node_(0) set X_ 0.0\n$node_(0) set Y_ 0.0\n$node_(1) set X_ 100.0\n\
                   $node_(1) set Y_ 0.0\n$ns_ at 1.0 \"$node_(1) setdest 200.0 0.0 5.0\"\n";

#[test]
fn commands_of_tcl_may_share_lines_and_be_commented() {
    let plain = nodes(TWO);
    for same in [
        TWO.replace("X_ 0.0\n", "X_ 0.0 ;# start\n"),
        TWO.replace("X_ 0.0\n", "X_ 0.0; "),
        TWO.replace('\n', " ;"),
        TWO.replace("5.0\"", "5.0\" ;# it \"leaves; it does not come back"),
        TWO.replace("5.0\"", "5.0\" ; # $node_(1) set X_ 3"),
        format!("\u{feff}{TWO}"),
        format!("\u{feff}# by an editor\r\n{}", TWO.replace('\n', "\r\n")),
        format!("# $node_(1) set X_ 7; $node_(1) set Y_ 7\n{TWO}"),
        format!("set god_ [God instance]; $god_ set-dist 0 1 1;\n{TWO}"),
    ] {
        assert_eq!(nodes(&same), plain, "{same}");
    }
    // a comment begins with a command only, and what follows a semicolon is read
    let message = wrong(&moving(&TWO.replace("X_ 0.0\n", "X_ 0.0 # start\n")));
    assert!(
        message.contains("line 1 of the text: not understood: $node_(0) set X_ 0.0 #"),
        "{message}"
    );
    let message = wrong(&moving(&TWO.replace("X_ 0.0\n", "X_ 0.0; source other.tcl\n")));
    assert!(message.contains("not understood: source other.tcl"), "{message}");
}

#[test]
fn files_with_a_mark_and_comments_at_their_end_are_whole() {
    let folder = tempdir().expect("a folder for temporary files");
    let read = |file: &str| {
        std::fs::write(folder.path().join("walk.ns2"), file).expect("the file can be written");
        let scenario = from_toml(&naming("walk.ns2").replace("\"n2\"", "\"n1\"")).expect("right");
        let setup = scenario.with_files(folder.path()).and_then(|scenario| scenario.setup());
        setup.map(|setup| setup.nodes).map_err(|error| error.to_string())
    };
    let plain = nodes(TWO);
    assert_eq!(read(&format!("\u{feff}{TWO}")), Ok(plain.clone()));
    let open = TWO.replace("$ns_ at 1.0 \"$node_(1) setdest 200.0 0.0 5.0\"\n", "");
    for end in ["$node_(1) set X_ 100.0;", "$node_(1) set X_ 100.0 ;# the end"] {
        assert_eq!(read(&format!("{open}{end}")).map(|nodes| nodes[1].x), Ok(100.0), "{end}");
    }
    let message =
        read(&format!("{open}$node_(1) set X_ 100.0; $node_(1) set Y_ 5")).expect_err("cut");
    assert!(message.contains("ends without a line break"), "{message}");
}

/// When the radio of node 1 is on, in s, after these lines.
fn presence(lines: &str) -> Vec<(f64, Option<f64>)> {
    let present =
        nodes(&format!("{}{lines}", TWO.replace("$ns_", "# $ns_")))[1].track.present.clone();
    let second = |time: Time| time.since(Time::ZERO).seconds();
    let open = |time: Time| (time < Time::NEVER).then(|| second(time));
    present.into_iter().map(|(enters, leaves)| (second(enters), open(leaves))).collect()
}

#[test]
fn vehicles_are_on_the_air_from_when_they_enter_until_they_leave() {
    // SUMO's activity files
    let start = "$ns_ at 5.0 \"$g(1) start\"; # SUMO-ID: car.1\n";
    assert!(presence("").is_empty());
    assert_eq!(presence(start), [(5.0, None)]);
    assert_eq!(
        presence(&format!("{start}$ns_ at 9 \"$g(1) stop\"; # SUMO-ID: car.1\n")),
        [(5.0, Some(9.0))]
    );
    // with 0 for those that are there to the end
    assert_eq!(presence(&format!("{start}$ns_ at 0 \"$g(1) stop\"\n")), [(5.0, None)]);
    assert_eq!(presence("$ns_ at 9 \"$g(1) stop\"\n"), [(0.0, Some(9.0))]);
    // those that come again, in any order
    let again = "$ns_ at 12 \"$g(1) start\"\n$ns_ at 9 \"$g(1) stop\"\n$ns_ at 20 \"$g(1) stop\"\n";
    assert_eq!(presence(&format!("{again}{start}")), [(5.0, Some(9.0)), (12.0, Some(20.0))]);
    // SUMO's movement files: the first order leads to where the vehicle is
    let first = "$ns_ at 50.0 \"$node_(1) setdest 100 0 0.00\"\n";
    let second = "$ns_ at 51.0 \"$node_(1) setdest 102 0 2.00\"\n";
    assert_eq!(presence(&format!("{first}{second}")), [(50.0, None)]);
    assert_eq!(presence(&format!("{second}{first}")), [(50.0, None)]);
    assert!(presence(&first.replace("50.0", "0.0")).is_empty());
    // who sets out at once was there before, as in the files of setdest
    assert!(presence(second).is_empty());
    let message = wrong(&moving(&format!("{TWO}$ns_ at 5.0 \"$node_(1) fly\"\n")));
    assert!(message.contains("not understood"), "{message}");
}

#[test]
fn presence_is_written_and_read_again() {
    let file = format!(
        "{FILE}$ns_ at 3 \"$g(1) start\"\n$ns_ at 4.5 \"$g(1) stop\"\n$ns_ at 8 \"$g(0) stop\"\n"
    );
    let setup = right(&moving(&file));
    let again = again(&setup);
    let present = |setup: &Setup| -> Vec<_> {
        setup.nodes.iter().map(|node| node.track.present.clone()).collect()
    };
    assert_eq!(present(&again), present(&setup));
    assert_eq!(present(&setup)[1], [(at(3.0), at(4.5))]);
}

#[test]
fn ns3_refuses_radios_that_are_off_at_times() {
    let text = moving(&format!("{FILE}$ns_ at 3 \"$g(1) start\"\n"));
    let message = wrong(&format!("simulator = \"ns3\"\n{text}"));
    assert!(message.contains("simulator: ns-3's radios are on all the time"), "{message}");
}
