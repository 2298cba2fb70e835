//! Whole runs of HxH: real nodes with a real MAC, and AODV.

use multihop_trace::Table;

use crate::tests::{assert_balanced, floats, integers, labels, run, run_text, setup};
use crate::{Options, Tables};

/// HxH 4: 54 Mbit/s for data beside 1 Mbit/s for control frames, RTS/CTS, packets of 1024 bytes.
const MAC: &str = "[mac]\ntiming = \"dsss\"\nrts_cts = true\ndata_rate = \"54 Mbit/s\"\nbasic_rate = \"1 Mbit/s\"\n\
                   [scheme]\nname = \"hxh\"\n[traffic]\nkind = \"ftp\"\npayload = \"1024 B\"\n\
                   start = \"0 s\"\nstart_jitter = \"0 s\"\n";
const AODV: &str = "[routing]\nkind = \"aodv\"\n";

fn chain(hops: u32, more: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"9 s\"\n[topology]\nkind = \"chain\"\nhops = {hops}\n{MAC}{more}"
    )
}

/// What the schedulers and the ends did, and the frames that were sent, by their names.
fn traced(text: &str) -> Tables {
    run(setup(text), Options { trace: true, ..Options::default() })
}

fn count(events: &Table, name: &str) -> usize {
    labels(events, "event").iter().filter(|event| **event == name).count()
}

#[test]
fn flows_over_a_chain_share_it_and_nothing_is_lost() {
    let two_more = "[[flow]]\nfrom = \"n0\"\nto = \"n4\"\n[[flow]]\nfrom = \"n0\"\nto = \"n4\"\n";
    for routing in ["", AODV] {
        let tables = run_text(&chain(4, &format!("{two_more}{routing}")));
        let (_, delivered, lost) = assert_balanced(&tables, routing);
        assert!(delivered > 1_000, "{delivered} packets");
        assert_eq!((lost, integers(&tables.flows, "segment_retransmissions")), (0, vec![0; 3]));
        let goodput = floats(&tables.flows, "goodput_bit_s");
        let mean = goodput.iter().sum::<f64>() / 3.0;
        assert!(goodput.iter().all(|one| (one - mean).abs() < 0.02 * mean), "{goodput:?}");
    }
}

#[test]
fn passive_acknowledgments_save_the_air_of_explicit_ones() {
    let goodput = |more: &str| {
        let text = chain(1, "").replace("name = \"hxh\"\n", &format!("name = \"hxh\"\n{more}"));
        floats(&run_text(&text).flows, "goodput_bit_s")[0]
    };
    let (passive, explicit) = (goodput(""), goodput("passive_acks = false\n"));
    assert!(passive > 1.5 * explicit, "{passive} against {explicit}");
}

/// HxH 4.1.3: two relays trade places in the middle of a chain, and one leaves with its queue.
#[test]
fn everything_arrives_although_relays_leave_with_their_queues() {
    let node = |name, x, y| format!("[[node]]\nname = \"{name}\"\nx = \"{x} m\"\ny = \"{y} m\"\n");
    let places = [
        ("a", 0, 0),
        ("b", 200, 0),
        ("m1", 390, 0),
        ("m2", 410, 300),
        ("c", 600, 0),
        ("d", 800, 0),
    ];
    let mut text =
        "warmup = \"0 s\"\nduration = \"20 s\"\n[topology]\nkind = \"explicit\"\n".to_owned();
    text.extend(places.map(|(name, x, y)| node(name, x, y)));
    text += "[[flow]]\nfrom = \"a\"\nto = \"d\"\n";
    for (seconds, inside, outside) in [(3, "m2", "m1"), (6, "m1", "m2"), (9, "m2", "m1")] {
        text.extend([(inside, 0), (outside, 300)].map(|(name, y)| {
            let x = if name == "m1" { 390 } else { 410 };
            format!(
                "[[move]]\nnode = \"{name}\"\nat = \"{seconds} s\"\nx = \"{x} m\"\n\
                 y = \"{y} m\"\nspeed = \"60 m/s\"\n"
            )
        }));
    }
    text.extend([AODV, MAC, "stop = \"12 s\"\n"]);
    let tables = traced(&text);
    let (sent, delivered, _) = assert_balanced(&tables, "relays leave");
    assert_eq!(sent, delivered, "everything arrives");
    assert!(sent > 500, "{sent} packets");
    assert!(integers(&tables.flows, "segment_retransmissions")[0] > 0, "something was lost");
    let events = tables.events.as_ref().expect("the run was traced");
    assert!(count(events, "negative_acknowledgment") > 0);
}
