//! Packets in batches: 802.11n.

use multihop_routing::ROUTINGS;
use multihop_schemes::SCHEMES;

use crate::tests::{assert_balanced, floats, integers, run_text};

/// A chain of 802.11n on ns-3's radio.
fn chain(hops: u32, spacing: u32, keys: &str, scheme: &str) -> String {
    format!(
        "warmup = \"1.2 s\"\nduration = \"2 s\"\n[topology]\nkind = \"bidirectional-chain\"\nhops = {hops}\n\
         spacing = \"{spacing} m\"\n[mac]\ntiming = \"ht-5\"\nrules = \"ns3\"\n{keys}\n\
         [radio]\npropagation = \"log-normal-shadowing\"\npath_loss_exponent = 3\n\
         shadowing_deviation = \"0 dB\"\ntransmit_power = \"40 mW\"\n{scheme}"
    )
}

const UDP: &str = "[scheme]\nname = \"udp\"\nqueue_limit = 127\n[traffic]\nload = \"30 Mbit/s\"\npayload = \"1000 B\"\n";
const FTP: &str = "[scheme]\nname = \"newreno\"\nqueue_limit = 127\nwindow_limit = 64\n[traffic]\nkind = \"ftp\"\n\
                   payload = \"1000 B\"\n";
/// Its mark is due while a batch is on the air.
const LECN: &str = "[scheme]\nname = \"lecn\"\nthreshold = \"1 ms\"\n[traffic]\nkind = \"ftp\"\npayload = \"1000 B\"\n";

#[test]
fn packets_are_accounted_for_whatever_becomes_of_a_batch() {
    for (hops, spacing, keys, scheme) in [
        (1, 5, "", UDP),
        (1, 20, "", UDP),
        (3, 18, "", UDP),
        (2, 45, "data_rate = \"6.5 Mbit/s\"", UDP),
        (2, 45, "data_rate = \"6.5 Mbit/s\"", FTP),
        (3, 18, "rts_cts = true", FTP),
        (3, 18, "rate = \"minstrel\"", FTP),
        (2, 18, "aggregation = \"0 s\"", FTP),
        (2, 18, "", LECN),
    ] {
        let what = format!("{hops} hops of {spacing} m {keys}");
        let (_, delivered, _) =
            assert_balanced(&run_text(&chain(hops, spacing, keys, scheme)), &what);
        assert!(delivered > 30, "{what}: {delivered}");
    }
}

#[test]
fn batches_carry_more_and_are_counted() {
    let goodput = |keys: &str| {
        let tables = run_text(&chain(1, 5, keys, UDP));
        (floats(&tables.runs, "goodput_bit_s")[0] / 1e6, tables)
    };
    let ((batches, tables), (alone, single)) = (goodput(""), goodput("aggregation = \"0 s\""));
    assert!(batches > 50.0 && (20.0..28.0).contains(&alone), "{batches} {alone}");
    let sizes = floats(&tables.nodes, "aggregate_packets_mean");
    assert!(sizes.iter().all(|size| (20.0..=41.0).contains(size)), "{sizes:?}");
    assert!(integers(&tables.nodes, "aggregates").iter().all(|count| *count > 10));
    assert!(single.nodes.iter().all(|(name, _)| *name != "aggregates"));
}

/// Every scheme runs over it, those that have one packet at the MAC with frames of one.
#[test]
fn every_scheme_runs_over_it() {
    for scheme in SCHEMES {
        let name = scheme.name;
        let keys = if name == "cl" { "rates = [20]\n" } else { "" };
        let routing = ROUTINGS.iter().find(|routing| routing.serves(scheme.forwarding));
        let routing = routing.expect("golden runs have it, too").name;
        let text = format!(
            "[scheme]\nname = \"{name}\"\n{keys}[routing]\nkind = \"{routing}\"\n\
             [traffic]\nload = \"200 kbit/s\"\npayload = \"500 B\"\n"
        );
        let (sent, delivered, _) = assert_balanced(&run_text(&chain(3, 18, "", &text)), name);
        assert!(delivered > 50, "{name}: {delivered} of {sent}");
    }
}
