//! Every reception from bytes: nothing reaches a node that is not in the headers.

use multihop_core::Forwarding;
use multihop_routing::ROUTINGS;
use multihop_schemes::SCHEMES;

use crate::tests::{assert_balanced, fingerprint, integers, labels, run, setup};
use crate::{Options, Packets, Tables};

/// The run of `text`, with packets as values or as bytes; all that it leaves is the same, and is handed back.
fn assert_same(text: &str) -> Tables {
    let options = |packets| Options { trace: true, packets, ..Options::default() };
    let whole = run(setup(text), options(Packets::Whole));
    let bytes = run(setup(text), options(Packets::Bytes));
    let (sent, delivered, _) = assert_balanced(&bytes, text);
    assert!(sent > 20 && delivered > 10, "{sent} sent, {delivered} delivered:\n{text}");
    assert_eq!(fingerprint(&whole), fingerprint(&bytes), "{text}");
    let events = |tables: &Tables| labels(tables.events.as_ref().expect("traced"), "event");
    assert_eq!(events(&whole), events(&bytes), "{text}");
    bytes
}

/// Every scheme over every routing: transfers both ways over a chain that breaks for some seconds, and
/// a constant rate beside them.
#[test]
#[ignore = "long"]
fn every_scheme_over_every_routing_runs_from_bytes() {
    for scheme in SCHEMES {
        // As much as the transport takes, or a load that a flood can carry.
        let load = match scheme.forwarding {
            Forwarding::NextHop => "kind = \"ftp\"",
            Forwarding::Flood => "load = \"20 kbit/s\"",
        };
        let serving = ROUTINGS.iter().filter(|routing| routing.serves(scheme.forwarding));
        let kinds = serving.map(|routing| format!("kind = \"{}\"", routing.name));
        let mut routings: Vec<String> = kinds.collect();
        if scheme.does_itself.is_empty() && scheme.forwarding == Forwarding::NextHop {
            routings.push("kind = \"aodv\"\narp = \"ns2\"".to_owned());
        }
        for routing in routings {
            assert_same(&format!(
                "warmup = \"1 s\"\nduration = \"14 s\"\n[topology]\nkind = \"bidirectional-chain\"\nhops = 4\n\
                 [mac]\ndata_rate = \"2 Mbit/s\"\n[routing]\n{routing}\n[scheme]\nname = \"{}\"\n\
                 [traffic]\n{load}\n\
                 [[flow]]\nfrom = \"n1\"\nto = \"n4\"\nkind = \"cbr\"\nload = \"20 kbit/s\"\n\
                 transport = \"datagram\"\n\
                 [[move]]\nnode = \"n2\"\nat = \"6 s\"\nx = \"400 m\"\ny = \"400 m\"\nspeed = \"400 m/s\"\n\
                 [[move]]\nnode = \"n2\"\nat = \"9 s\"\nx = \"400 m\"\ny = \"0 m\"\nspeed = \"400 m/s\"\n",
                scheme.name
            ));
        }
    }
}

/// What WAKE codes is decoded from bytes. A node that has restarted lacks what it has sent before, and says so.
#[test]
fn packets_that_share_a_frame_come_out_of_its_bytes() {
    for routing in ["fixed", "aodv", "dsr"] {
        let restart =
            |at| format!("[[restart]]\nnode = \"n{}\"\nat = \"{}.5 s\"\n", 2 + at % 3, 2 + at / 4);
        let restarts = (0..40).map(restart).collect::<Vec<_>>().concat();
        let tables = assert_same(&format!(
            "warmup = \"1 s\"\nduration = \"14 s\"\n[topology]\nkind = \"bidirectional-chain\"\nhops = 6\n\
             [radio]\nbit_error_rate = 1e-5\n[routing]\nkind = \"{routing}\"\n\
             [scheme]\nname = \"wake\"\ncoding = true\ntrain = 1\n[traffic]\nload = \"120 kbit/s\"\n{restarts}"
        ));
        let counted = |name| integers(&tables.nodes, name).iter().sum::<i64>();
        let (coded, undecodable) = (counted("coded"), counted("undecodable"));
        assert!(coded > 50, "{routing}: {coded}");
        // A route that is searched for anew after each restart may leave no such packet.
        assert!(undecodable > 0 || routing != "fixed", "{coded} coded");
    }
}

#[test]
fn wires_carry_bytes_too() {
    assert_same(
        "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"cross\"\nhops = 4\n[wired]\n\
         [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    );
}

/// LECN's marks and Vegas' and ATP's numbers survive among hidden nodes and bit errors.
#[test]
fn what_stations_write_survives_among_losses() {
    for scheme in ["lecn", "link-red", "vegas", "atp", "hxh", "cxcc"] {
        assert_same(&format!(
            "warmup = \"1 s\"\nduration = \"9 s\"\n[topology]\nkind = \"cross\"\nhops = 6\n\
             [radio]\nbit_error_rate = 1e-5\n[scheme]\nname = \"{scheme}\"\n[traffic]\nkind = \"ftp\"\n"
        ));
    }
}
