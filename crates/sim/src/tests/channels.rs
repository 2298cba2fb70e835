//! Channels beside the common one, in whole runs.

use multihop_core::{Forwarding, NodeId, Time};
use multihop_schemes::SCHEMES;
use multihop_trace::{Costly, Observation, Observer};

use super::{assert_balanced, fingerprint, floats, integers, never, run_text, setup};
use crate::{Options, Simulation, Tables};

/// Flows from a and from b to r between them, which do not sense each other, as fast as they can.
fn hidden(more: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"6 s\"\n[topology]\nkind = \"explicit\"\n[radio]\nsense_range = \"260 m\"\n\
         [scheme]\nname = \"udp\"\n[traffic]\nload = \"2 Mbit/s\"\nstart = \"0 s\"\n\
         [[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n[[node]]\nname = \"r\"\nx = \"240 m\"\ny = \"0 m\"\n\
         [[node]]\nname = \"b\"\nx = \"480 m\"\ny = \"0 m\"\n{more}"
    )
}

const BOTH: &str = "[[flow]]\nfrom = \"a\"\nto = \"r\"\n[[flow]]\nfrom = \"b\"\nto = \"r\"\n";

#[test]
fn what_goes_over_another_channel_is_as_if_it_were_alone() {
    let own = "[[channel]]\nnodes = [\"a\", \"r\"]\n";
    let goodput = |text: &str| floats(&run_text(text).flows, "goodput_bit_s");
    let alone = goodput(&hidden("[[flow]]\nfrom = \"a\"\nto = \"r\"\n"))[0];
    let (shared, apart) = (goodput(&hidden(BOTH)), run_text(&hidden(&format!("{BOTH}{own}"))));
    assert!(shared.iter().sum::<f64>() < 0.8 * alone, "{shared:?} {alone}");
    for flow in floats(&apart.flows, "goodput_bit_s") {
        assert!((flow / alone - 1.0).abs() < 0.03, "{flow} {alone}");
    }
    // r receives from both at the same time
    assert_eq!(integers(&apart.nodes, "collisions"), [0, 0, 0]);
    assert_balanced(&apart, "apart");
}

/// Frames are numbered one after the other, and what becomes of one is told after it.
#[derive(Default)]
struct Numbers {
    next: u32,
    received: usize,
    /// Who has sent each frame.
    from: Vec<NodeId>,
}

impl Observer for &mut Numbers {
    fn wants(&self, costly: Costly) -> bool {
        costly == Costly::Receptions
    }

    fn observe(&mut self, _: Time, what: &Observation) {
        match what {
            Observation::Transmission(frame) => {
                assert_eq!(frame.number, self.next);
                self.next += 1;
                self.from.push(frame.from);
            }
            Observation::Receptions(known) => {
                for one in *known {
                    assert!(one.frame < self.next && one.by.is_none_or(|by| by < self.next));
                    assert_ne!(self.from[one.frame as usize], one.node, "{one:?}");
                    self.received += 1;
                }
            }
            _ => {}
        }
    }
}

fn watched(text: &str) -> (Tables, Numbers) {
    let mut numbers = Numbers::default();
    let simulation = Simulation::new(setup(text), Options::default());
    let tables = simulation.watched_by(&mut numbers).run(&never());
    (tables.expect("nobody interrupts the run"), numbers)
}

#[test]
fn every_scheme_runs_over_two_channels() {
    for scheme in SCHEMES {
        // the firmwares of LoRa send slowly
        let floods = scheme.forwarding == Forwarding::Flood;
        let (duration, load) = if floods { (600, "40 bit/s") } else { (4, "60 kbit/s") };
        let text = format!(
            "warmup = \"0 s\"\nduration = \"{duration} s\"\ntopology = {{ kind = \"bidirectional-chain\", hops = 5 }}\n\
             scheme = {{ name = \"{}\" }}\n[[channel]]\nnodes = [\"n2\", \"n3\"]\n[[channel]]\n\
             nodes = [\"n3\", \"n4\", \"n5\"]\n[[restart]]\nnode = \"n2\"\nat = \"2.5 s\"\n\
             [traffic]\nload = \"{load}\"\npayload = \"32 B\"\n",
            scheme.name
        );
        let (tables, numbers) = watched(&text);
        let (sent, delivered, _) = assert_balanced(&tables, scheme.name);
        assert!(sent > 0 && (floods || delivered > 0), "{}: {delivered} of {sent}", scheme.name);
        assert!(numbers.received > numbers.next as usize / 2, "{}", scheme.name);
        assert_eq!(fingerprint(&tables), fingerprint(&run_text(&text)), "{}", scheme.name);
    }
}

#[test]
fn frames_for_everyone_and_to_others_stay_on_the_common_channel() {
    let chain = |on: &str| {
        format!(
            "warmup = \"1 s\"\nduration = \"6 s\"\ntopology = {{ kind = \"chain\", hops = 3 }}\nscheme = {{ name = \"udp\" }}\n\
             [routing]\nkind = \"aodv\"\n[traffic]\nload = \"40 kbit/s\"\n{on}"
        )
    };
    // n0 and n2 are on it, and are no neighbours: nothing goes there
    let beside = run_text(&chain("[[channel]]\nnodes = [\"n0\", \"n2\"]\n"));
    assert_eq!(fingerprint(&beside), fingerprint(&run_text(&chain(""))));
    let used = run_text(&chain("[[channel]]\nnodes = [\"n1\", \"n2\"]\n"));
    assert_ne!(fingerprint(&used), fingerprint(&beside));
    assert_balanced(&used, "used");
    let goodput = floats(&used.flows, "goodput_bit_s")[0];
    assert!((goodput / 40e3 - 1.0).abs() < 0.1, "routes are found over it: {goodput}");
}
