//! Runs on a medium that is not ours: one without interference, in which a frame takes a fixed time, every neighbour
//! hears it, and whoever it is for acknowledges it at once.

use std::collections::BTreeMap;

use multihop_core::{Bytes, Capability, Duration, NodeId, Outcome, SignalStrength, Time};
use multihop_medium::dcf::FrameKind;
use multihop_medium::{Order, OuterFrame, OuterReception, Sensed};
use multihop_schemes::SCHEMES;

use crate::tests::{assert_balanced, fingerprint, floats, integers, run_text, setup};
use crate::{OuterRun, Tables};

/// How long a frame takes.
const AIR_TIME: Duration = Duration::from_millis(6);

/// A frame that waits, or is on the air.
struct Frame {
    from: NodeId,
    to: Option<NodeId>,
    acknowledged: bool,
    bytes: Vec<u8>,
}

/// The medium of a chain.
#[derive(Default)]
struct Ideal {
    nodes: u32,
    /// Frames that wait: they begin a little later, so that they can be withdrawn.
    waiting: BTreeMap<(Time, u32), Frame>,
    /// Frames on the air, by when they end.
    on_air: BTreeMap<(Time, u32), Frame>,
    began: u32,
    withdrawn: u32,
    /// Of so many frames nobody hears one; none is lost if it is zero.
    loses_one_of: u32,
}

impl Ideal {
    fn obey(&mut self, run: &mut OuterRun, now: Time) {
        while let Some(order) = run.poll_order() {
            match order {
                Order::Transmit { node, number, to, acknowledged, bytes, .. } => {
                    let begins = now + Duration::from_micros(320);
                    let frame = Frame { from: node, to, acknowledged, bytes };
                    self.waiting.insert((begins, number), frame);
                }
                Order::Withdraw { number, .. } => {
                    let before = self.waiting.len();
                    self.waiting.retain(|(_, waiting), _| *waiting != number);
                    assert_eq!(self.waiting.len() + 1, before, "what is withdrawn still waits");
                    self.withdrawn += 1;
                }
            }
        }
    }

    fn next(&self) -> Time {
        let first = |frames: &BTreeMap<(Time, u32), Frame>| frames.keys().next().map(|(at, _)| *at);
        [first(&self.waiting), first(&self.on_air)]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(Time::NEVER)
    }

    fn begin(&mut self, run: &mut OuterRun, now: Time, number: u32, frame: Frame) {
        let kind = if frame.acknowledged { FrameKind::Data } else { FrameKind::UnacknowledgedData };
        let began = OuterFrame {
            from: frame.from,
            to: frame.to,
            kind,
            bytes: Bytes(frame.bytes.len() as u32),
            air_time: AIR_TIME,
            reserved: Duration::ZERO,
            sequence: number,
        };
        assert!(run.began(now, &began, Some(number)));
        for neighbour in self.neighbours(frame.from) {
            run.senses(now, neighbour, Sensed::Frame(now + AIR_TIME));
        }
        self.began += 1;
        self.on_air.insert((now + AIR_TIME, number), frame);
    }

    fn end(&self, run: &mut OuterRun, now: Time, number: u32, frame: &Frame) {
        let lost = self.loses_one_of > 0 && number.is_multiple_of(self.loses_one_of);
        for neighbour in self.neighbours(frame.from) {
            run.senses(now, neighbour, Sensed::Silence);
            if lost {
                continue;
            }
            let signal = Some(SignalStrength::from_watts(1e-9));
            let heard = OuterReception { from: frame.from, number, signal, bytes: &frame.bytes };
            assert!(run.heard(now, neighbour, &heard), "it is a frame of this run");
        }
        let outcome = match (frame.acknowledged, lost) {
            (true, true) => Outcome::Failed,
            (true, false) => Outcome::Acknowledged,
            (false, _) => Outcome::Sent,
        };
        // A node that has restarted does not wait for it any more.
        run.ended(now, (frame.from, number), outcome);
    }

    fn neighbours(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let nodes = self.nodes;
        [node.0.wrapping_sub(1), node.0 + 1].into_iter().filter(move |at| *at < nodes).map(NodeId)
    }

    fn carry(mut self, mut run: OuterRun) -> (Tables, Ideal) {
        let end = run.setup().end;
        self.obey(&mut run, Time::ZERO);
        loop {
            let now = run.due().min(self.next());
            if now >= end {
                return (run.tables(), self);
            }
            run.wake(now);
            self.obey(&mut run, now);
            while let Some(entry) = self.waiting.first_entry().filter(|entry| entry.key().0 <= now)
            {
                let ((_, number), frame) = entry.remove_entry();
                self.begin(&mut run, now, number, frame);
            }
            while let Some(entry) = self.on_air.first_entry().filter(|entry| entry.key().0 <= now) {
                let ((_, number), frame) = entry.remove_entry();
                self.end(&mut run, now, number, &frame);
                self.obey(&mut run, now);
            }
        }
    }
}

fn chain(scheme: &str, keys: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"20 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\nname = \"{scheme}\"\n{keys}"
    )
}

const LIGHT: &str = "[traffic]\nload = \"20 kbit/s\"\n";

fn carried(text: &str) -> (Tables, Ideal) {
    carried_with(text, Ideal::default())
}

fn carried_with(text: &str, ideal: Ideal) -> (Tables, Ideal) {
    let run = OuterRun::new(setup(text)).unwrap_or_else(|error| panic!("{error}"));
    let nodes = run.setup().nodes.len() as u32;
    Ideal { nodes, ..ideal }.carry(run)
}

fn refusal(text: &str) -> String {
    OuterRun::new(setup(text)).err().expect("it is refused")
}

#[test]
fn every_scheme_runs_on_another_medium_and_keeps_its_books() {
    // such a medium draws every backoff from slot 0
    let all = SCHEMES.iter().filter(|one| !one.requires.contains(&Capability::FirstSlot));
    for scheme in all {
        let (tables, ideal) = carried(&chain(scheme.name, LIGHT));
        let (sent, delivered, lost) = assert_balanced(&tables, scheme.name);
        assert!(sent > 80 && lost == 0, "{}: {sent} sent, {lost} lost", scheme.name);
        assert!(delivered + 3 >= sent, "{}: {delivered} of {sent}", scheme.name);
        let told = integers(&tables.runs, "transmissions")[0];
        assert!(told > 0 && told <= i64::from(ideal.began), "{}: {told}", scheme.name);
    }
}

#[test]
fn a_packet_takes_what_the_medium_takes() {
    let (tables, _) = carried(&chain("udp", LIGHT));
    let delay = floats(&tables.runs, "network_delay_mean_s")[0];
    // Three times on the air, twice handed on: a delay counts from the first begin (CXCC 7.1).
    assert!((delay - (3.0 * 6e-3 + 2.0 * 320e-6)).abs() < 1e-9, "{delay}");
    let overhead = floats(&tables.runs, "overhead")[0];
    assert!((overhead - 532.0 / 512.0).abs() < 1e-9, "with the network header: {overhead}");
}

#[test]
fn what_only_our_radios_count_is_left_out_rather_than_zero() {
    let names =
        |tables: &Tables| -> Vec<&str> { tables.nodes.iter().map(|(name, _)| *name).collect() };
    let (there, here) = (carried(&chain("udp", LIGHT)).0, run_text(&chain("udp", LIGHT)));
    let left_out: Vec<&str> =
        names(&here).into_iter().filter(|name| !names(&there).contains(name)).collect();
    let radios = ["transmit_s", "receive_s", "idle_s", "collisions", "capture_lost", "bit_errors"];
    assert_eq!(left_out, radios);
}

#[test]
fn the_same_scenario_gives_the_same_run() {
    let run = || fingerprint(&carried(&chain("cxcc", LIGHT)).0);
    assert_eq!(run(), run());
}

#[test]
fn frames_are_withdrawn_and_losses_made_up_for() {
    let lossy = Ideal { loses_one_of: 7, ..Ideal::default() };
    let (tables, ideal) = carried_with(&chain("cxcc", "[traffic]\nload = \"100 kbit/s\"\n"), lossy);
    let (_, delivered, lost) = assert_balanced(&tables, "cxcc");
    assert!(ideal.withdrawn > 0, "CXCC takes back what it has heard forwarded");
    let refused = integers(&tables.flows, "refused")[0];
    assert_eq!(integers(&tables.flows, "lost"), [refused], "nothing is lost on the way");
    assert!(delivered > 100 && lost >= refused, "{delivered} delivered, {lost} lost");
}

#[test]
fn nodes_restart_with_a_frame_on_the_air() {
    let keys = "[traffic]\nload = \"400 kbit/s\"\n[[restart]]\nnode = \"n1\"\nat = \"5 s\"\n";
    for (scheme, loses) in [("udp", true), ("cxcc", false)] {
        let (tables, _) = carried(&chain(scheme, keys));
        assert_balanced(&tables, scheme);
        // CXCC's source has every packet until it has heard the relay forward it.
        let lost = integers(&tables.flows, "lost_restarted")[0];
        assert_eq!(lost > 0, loses, "{scheme}: {lost}");
        let until = floats(&tables.flows, "last_delivery_s")[0];
        assert!(until > 19.0, "{scheme}: traffic goes on, until {until} s");
    }
}

#[test]
fn what_is_not_of_this_run_is_told_apart() {
    let mut run = OuterRun::new(setup(&chain("udp", LIGHT))).expect("it can be run");
    let at = Time::ZERO + Duration::from_millis(1);
    for (node, from, number) in [(1, 0, 7), (1, 99, 0), (99, 0, 0), (1, 0, 0)] {
        let reception =
            OuterReception { from: NodeId(from), number, signal: None, bytes: b"no packet" };
        assert!(!run.heard(at, NodeId(node), &reception));
        assert!(!run.ended(at, (NodeId(from), number), Outcome::Sent));
        run.senses(at, NodeId(node), Sensed::Silence);
    }
    for (from, to) in [(99, Some(0)), (0, Some(99)), (99, None)] {
        let strange = OuterFrame {
            from: NodeId(from),
            to: to.map(NodeId),
            kind: FrameKind::Ack,
            bytes: Bytes(14),
            air_time: Duration::from_micros(304),
            reserved: Duration::ZERO,
            sequence: 0,
        };
        assert!(!run.began(at, &strange, Some(0)));
    }
}

#[test]
fn what_another_medium_cannot_do_is_refused() {
    let coding = refusal(&chain("wake", &format!("coding = true\n{LIGHT}")));
    assert!(coding.contains("'wake' needs frames for two neighbours at once"), "{coding}");
    let wires = refusal(&chain("udp", &format!("{LIGHT}[wired]\nrate = \"1 Mbit/s\"\n")));
    assert!(wires.contains("remove [wired]"), "{wires}");
}
