//! Eight short runs, pinned. A change of the engine that shall not change results leaves these
//! numbers alone.
//!
//! After a change that is meant to change results, print the new numbers and paste them here:
//!
//! ```text
//! cargo test -p multihop-sim golden -- --nocapture
//! ```
//!
//! and run the validation against ns-2 (`make validate`): it says whether they are still right.

use crate::tests::{fingerprint, integers, run_text};

const TAIL: &str = "warmup = \"1 s\"\nduration = \"9 s\"\n";

/// A scenario, and what its run with seed 1 gives: fingerprint, transmissions, packets delivered.
struct Golden {
    name: &'static str,
    text: &'static str,
    fingerprint: &'static str,
    transmissions: i64,
    delivered: i64,
}

const GOLDEN: [Golden; 8] = [
    Golden {
        name: "udp over a chain without RTS",
        text: "[topology]\nkind = \"chain\"\nhops = 10\n[scheme]\nname = \"udp\"\n\
               [traffic]\nload = \"200 kbit/s\"\n",
        fingerprint: "d6f3480fbcc320f2",
        transmissions: 7205,
        delivered: 290,
    },
    Golden {
        name: "udp both ways with RTS",
        text: "[topology]\nkind = \"bidirectional-chain\"\nhops = 8\n[mac]\nrts_cts = true\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"80 kbit/s\"\n",
        fingerprint: "55ae5e3fb24d9786",
        transmissions: 11_063,
        delivered: 256,
    },
    Golden {
        name: "udp over a cross at 2 Mbit/s with shadowing",
        text: "[topology]\nkind = \"cross\"\nhops = 6\n[mac]\ndata_rate = \"2 Mbit/s\"\n\
               [radio]\npropagation = \"log-normal-shadowing\"\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"120 kbit/s\"\npayload = \"1000 B\"\n",
        fingerprint: "6116cf5c3a560c0c",
        transmissions: 3981,
        delivered: 231,
    },
    Golden {
        name: "cxcc both ways",
        text: "[topology]\nkind = \"bidirectional-chain\"\nhops = 10\n[scheme]\nname = \"cxcc\"\n\
               [traffic]\nload = \"200 kbit/s\"\n",
        fingerprint: "67a8f7dab72a584a",
        transmissions: 7752,
        delivered: 241,
    },
    Golden {
        name: "cxcc in a random network with bit errors",
        text: "[topology]\nkind = \"random\"\nnodes = 60\nwidth = \"1000 m\"\n\
               height = \"1000 m\"\nflows = 6\nmin_hops = 2\n[radio]\nbit_error_rate = 2e-5\n\
               [scheme]\nname = \"cxcc\"\n[traffic]\nload = \"30 kbit/s\"\n",
        fingerprint: "e9003cb6abe839c5",
        transmissions: 6574,
        delivered: 211,
    },
    Golden {
        name: "udp over wires",
        text: "[topology]\nkind = \"bidirectional-cross\"\nhops = 6\n[wired]\nqueue = 5\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"700 kbit/s\"\n",
        fingerprint: "7ece11121b5f4732",
        transmissions: 35_630,
        delivered: 5925,
    },
    Golden {
        name: "newreno over aodv",
        text: "[topology]\nkind = \"chain\"\nhops = 8\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\nrts_cts = true\n\
               [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
        fingerprint: "cfbd44052376027f",
        transmissions: 13_630,
        delivered: 169,
    },
    Golden {
        name: "lecn with thinned acknowledgments in a grid",
        text: "[topology]\nkind = \"grid\"\nrows = 4\ncolumns = 5\nhorizontal_flows = 2\n\
               vertical_flows = 2\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\n[scheme]\nname = \"lecn\"\n\
               ack_thinning = true\n[traffic]\nkind = \"ftp\"\n",
        fingerprint: "5618088491511c84",
        transmissions: 14_656,
        delivered: 1029,
    },
];

#[test]
fn golden_runs() {
    let mut wrong = Vec::new();
    for golden in &GOLDEN {
        let tables = run_text(&format!("{TAIL}{}", golden.text));
        let fingerprint = fingerprint(&tables);
        let transmissions = integers(&tables.runs, "transmissions")[0];
        let delivered: i64 = integers(&tables.flows, "run_delivered").iter().sum();
        println!(
            "{}:\n    fingerprint: \"{fingerprint}\",\n    transmissions: {transmissions},\n    \
             delivered: {delivered},",
            golden.name
        );
        if (fingerprint.as_str(), transmissions, delivered)
            != (golden.fingerprint, golden.transmissions, golden.delivered)
        {
            wrong.push(golden.name);
        }
    }
    assert!(wrong.is_empty(), "other results than pinned: {wrong:?}");
}
