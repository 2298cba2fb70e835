//! Several kinds of traffic in one network: flows from every node, at random times, and at those of a table.

use multihop_core::{Bytes, Duration};
use tempfile::tempdir;

use super::{CHAIN, right, with, wrong};
use crate::{from_json, from_toml};
use multihop_setup::{Poisson, Setup};

/// [`CHAIN`] with tables more.
fn beside(tables: &str) -> String {
    format!("{CHAIN}{tables}\n")
}

fn names(setup: &Setup) -> Vec<&str> {
    setup.sources.iter().map(|source| source.name.as_str()).collect()
}

/// [`CHAIN`] whose flow sends so.
fn traffic(terms: &str) -> String {
    with(CHAIN, "load = \"100 kbit/s\"", terms)
}

#[test]
fn a_table_makes_a_flow_from_every_node_it_names() {
    let report =
        "[[flow]]\nname = \"report\"\nfrom = \"every node\"\nto = \"n2\"\nload = \"1 kbit/s\"";
    let names_of = |tables: &str| names(&right(&beside(tables))).join(", ");
    let from_all = "n0->n4, report n0->n2, report n1->n2, report n3->n2, report n4->n2";
    assert_eq!(names_of(report), from_all);
    let some = report.replace("\"every node\"", "[\"n3\", \"n0\"]");
    assert_eq!(names_of(&some), "n0->n4, report n3->n2, report n0->n2");
    let message = wrong(&beside(&report.replace("\"n2\"", "\"every node\"")));
    assert!(message.ends_with("for packets that are for all nodes say \"everyone\""), "{message}");
    let one = report.replace("\"every node\"", "[\"n1\"]");
    assert_eq!(names_of(&one), "n0->n4, report", "one flow has the table's name");
    let two = format!("{report}\n{}", report.replace("report", "state"));
    assert_eq!(right(&beside(&two)).sources.len(), 9, "two classes at every node");
}

#[test]
fn nodes_that_cannot_be_are_refused() {
    let flow = "[[flow]]\nfrom = FROM\nto = \"n2\"";
    for (from, message) in [
        ("[]", "line 11: flow[0].from: names no node; name one, or remove the flow"),
        ("[\"n1\", \"n1\"]", "line 11: flow[0].from: names 'n1' twice; name every node once"),
        ("[\"n1\", \"n9\"]", "line 11: flow[0].from: unknown node 'n9'; there are n0 to n4"),
        ("[\"n2\"]", "line 12: flow[0].to: the flow goes from 'n2' to itself"),
    ] {
        assert_eq!(wrong(&beside(&flow.replace("FROM", from))), message);
    }
    let message = wrong(&beside(&flow.replace("FROM", "3")));
    assert!(message.contains("flow[0].from: "), "{message}");
    assert!(
        message.contains(
            "expected the name of a node, names in brackets, \"every node\" or \"everyone\""
        ),
        "{message}"
    );
    let via = flow.replace("FROM", "\"every node\"") + "\nvia = [\"n1\"]";
    let expected =
        "flow[0].via: is the way of one flow, and the table makes several; give a table for each";
    assert!(wrong(&beside(&via)).ends_with(expected));
    let misspelt = flow.replace("from = FROM", "form = \"n1\"");
    let message = wrong(&beside(&misspelt));
    assert!(
        message.starts_with("line 11: flow[0].form: unknown key 'form', did you mean 'from'?"),
        "{message}"
    );
    let grid = with(
        CHAIN,
        "\"chain\"\nhops = 4",
        "\"grid\"\nrows = 20\ncolumns = 20\nhorizontal_flows = 1",
    );
    let from_all = flow.replace("FROM", "\"every node\"") + "\n";
    let message = wrong(&format!("{grid}{}", from_all.repeat(251)));
    assert!(
        message.ends_with("flow[250]: makes more than 100000 flows; name fewer nodes"),
        "{message}"
    );
}

#[test]
fn a_poisson_process_has_an_interval() {
    let setup = right(&traffic("kind = \"poisson\"\ninterval = \"15 min\"\npayload = \"40 B\""));
    let poisson = Poisson { payload: Bytes(40), interval: Duration::from_millis(900_000) };
    assert_eq!(setup.sources[0].traffic, poisson.traffic());
    assert_eq!(
        wrong(&traffic("kind = \"poisson\"")),
        "line 8: traffic.interval: is missing; kind \"poisson\" needs it, as in interval = \"900 s\""
    );
    let message = wrong(&traffic("kind = \"poisson\"\ninterval = \"0 s\""));
    assert!(
        message.starts_with("line 10: traffic.interval: must lie between 1 ns and "),
        "{message}"
    );
    let message = wrong(&traffic("kind = \"poisson\"\ninterval = \"1 s\"\nload = \"1 kbit/s\""));
    let expected = "line 11: traffic.load: does not apply to kind \"poisson\"; it belongs to cbr";
    assert_eq!(message, expected);
}

#[test]
fn a_flow_may_stop_before_the_end() {
    let stop = |terms: &str| right(&traffic(terms)).sources[0].stop.nanos();
    assert_eq!(stop("kind = \"ftp\"\nstop_before_end = \"3 s\""), 27_000_000_000);
    assert_eq!(
        wrong(&traffic("kind = \"ftp\"\nstop_before_end = \"29 s\"")),
        "line 10: traffic.stop_before_end: must be shorter than the 29 s between the start of the flow and the end of \
         the run (got 29 s)"
    );
    assert_eq!(
        wrong(&traffic("kind = \"ftp\"\nstop_before_end = \"1 s\"\nstop = \"9 s\"")),
        "line 10: traffic.stop_before_end: takes the place of stop; remove one of the two"
    );
    // a flow that says itself when it stops takes nothing of that from [traffic]
    let own = "[[flow]]\nfrom = \"n0\"\nto = \"n2\"\nstop = \"9 s\"\n";
    let setup = right(&(traffic("kind = \"ftp\"\nstop_before_end = \"3 s\"") + own));
    assert_eq!(setup.sources[1].stop.nanos(), 9_000_000_000);
}

#[test]
fn a_table_of_times_is_read_from_its_file_and_taken_along() {
    let folder = tempdir().expect("a folder for temporary files");
    let table = folder.path().join("texts.csv");
    std::fs::write(&table, "time_s,from\n4,n1\n2,n0\n").expect("the file can be written");
    let texts = "[[flow]]\nname = \"texts\"\nfrom = [\"n0\", \"n1\"]\nto = \"n4\"\nkind = \"replay\"\nfile = \"texts.csv\"";
    let text = beside(texts);
    let read = |text: &str| from_toml(text).and_then(|scenario| scenario.with_files(folder.path()));
    let scenario = read(&text).expect("the file is there");
    let json = scenario.to_json();
    assert!(json.contains("time_s,from") && !json.contains("texts.csv"), "{json}");
    let again = from_json(&json).and_then(|scenario| scenario.setup()).expect("right");
    let setup = scenario.setup().expect("right");
    assert_eq!(again.identity(), setup.identity());
    let inline = texts.replace("file = \"texts.csv\"", "times = \"time_s,from\\n2,n0\\n4,n1\\n\"");
    assert_eq!(
        right(&beside(&inline)).identity(),
        setup.identity(),
        "what counts is when they send"
    );
    assert_eq!(setup.sources[1].start.nanos(), 0, "times count from the start of the run");

    std::fs::write(&table, "time_s,from\n4,n1\n2,n3\n").expect("the file can be written");
    let message = |text: &str| {
        read(text).and_then(|scenario| scenario.setup()).err().map(|error| error.to_string())
    };
    let stray = "line 15: flow[0].file: line 3 of 'texts.csv': no flow of the table's goes from 'n3' to 'any node'; \
                 name both in from and to of the flow";
    assert_eq!(message(&text).as_deref(), Some(stray));
    let unread = from_toml(&text).and_then(|scenario| scenario.setup()).err();
    let unread = unread.map(|error| error.to_string()).unwrap_or_default();
    assert!(unread.contains("flow[0].file: 'texts.csv' has not been read; "), "{unread}");
    let gone = message(&text.replace("texts.csv", "lost.csv")).unwrap_or_default();
    assert!(
        gone.starts_with("line 15: flow[0].file: '") && gone.contains("cannot be read"),
        "{gone}"
    );
    for (terms, expected) in [
        ("start = \"3 s\"", "line 16: flow[0].start: does not apply to kind \"replay\""),
        (
            "start_jitter = \"3 s\"",
            "line 16: flow[0].start_jitter: does not apply to kind \"replay\"",
        ),
    ] {
        let message = message(&format!("{text}{terms}\n")).unwrap_or_default();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn what_traffic_says_of_times_is_not_of_a_replay() {
    let texts =
        "[[flow]]\nfrom = \"n0\"\nto = \"n4\"\nkind = \"replay\"\ntimes = \"time_s\\n0.5\\n\"\n";
    let common = with(CHAIN, "load =", "start = \"5 s\"\nstart_jitter = \"2 s\"\nload =");
    let setup = right(&format!("{common}{texts}"));
    let times = |index: usize| {
        let source = &setup.sources[index];
        (source.start.nanos() / 1_000_000, source.start_jitter.nanos() / 1_000_000)
    };
    assert_eq!((times(0), times(1)), ((5_000, 2_000), (0, 0)));
}
