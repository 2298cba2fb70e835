//! Somebody puts frames into every node's ear, and data goes through the same nodes meanwhile: what memory that
//! takes, and that nothing is lost that a scheme with reliable ends has taken.

use std::process::Command;

use multihop_core::{Duration, Heard, NodeId, Rate, Receiver};
use multihop_linux::ether::message::Reception;
use multihop_linux::seal::{NetworkKey, Seal};

use crate::applications::{datagram, number};
use crate::flood::{FORGERIES, Forgery, Noise, forge};
use crate::world::{World, chain};

const HOPS: u32 = 3;
/// Frames that are remembered, to be made something of.
const REMEMBERED: usize = 2_000;
/// Between two turns of the attacker.
const TURN: Duration = Duration::from_millis(5);
const FRAMES_A_TURN: usize = 20;
/// So often an application at either end sends.
const TURNS_A_PACKET: usize = 20;
/// Schemes that acknowledge from end to end.
const RELIABLE: [&str; 2] = ["name = \"cxcc\"\nreliable = true", "name = \"newreno\""];
/// What needs no knowledge of the protocols. Who changes plain frames on purpose can say anything.
const UNCHANGED: [Forgery; 3] = [Forgery::Noise, Forgery::CutOff, Forgery::Again];

/// An attack on a chain of nodes.
struct Siege {
    world: World,
    noise: Noise,
    heard: Vec<(NodeId, Reception)>,
    sent: u32,
    /// What has arrived at either end.
    arrived: [Vec<u32>; 2],
    /// Frames of the attacker by kind.
    frames: [u64; FORGERIES.len()],
}

impl Siege {
    fn new(world: World) -> Self {
        let (noise, heard, arrived) = (Noise(1), Vec::new(), [Vec::new(), Vec::new()]);
        let mut siege = Siege { world, noise, heard, sent: 0, arrived, frames: [0; 4] };
        siege.world.overheard = Some(Vec::new());
        siege
    }

    /// The attacker hears all, sends `kinds`, and applications send.
    fn turn(&mut self, turn: usize, kinds: &[Forgery]) {
        if turn.is_multiple_of(TURNS_A_PACKET) {
            self.send();
        }
        self.world.run(self.world.now + TURN);
        for heard in self.world.overheard.as_mut().map(std::mem::take).into_iter().flatten() {
            if self.heard.len() < REMEMBERED {
                self.heard.push(heard);
            } else {
                let at = self.noise.below(REMEMBERED);
                self.heard[at] = heard;
            }
        }
        for _ in 0..if self.heard.is_empty() { 0 } else { FRAMES_A_TURN } {
            let (node, mut heard) = self.heard[self.noise.below(self.heard.len())].clone();
            let how = kinds[self.noise.below(kinds.len())];
            forge(&mut self.noise, how, &mut heard.frame);
            self.frames[how as usize] += 1;
            self.world.whisper(node, &heard);
        }
    }

    /// Applications at both ends send.
    fn send(&mut self) {
        self.world.send(0, &datagram(0, HOPS, self.sent, 200));
        self.world.send(HOPS, &datagram(HOPS, 0, self.sent, 100));
        self.sent += 1;
    }

    /// The attacker goes, and what the network has taken arrives.
    fn ends(&mut self) {
        self.world.run(self.world.now + Duration::from_millis(120_000));
    }

    /// Applications send more.
    fn go_on(&mut self) {
        for _ in 0..20 {
            self.send();
            self.world.run(self.world.now + Duration::from_millis(1_000));
        }
        self.world.run(self.world.now + Duration::from_millis(20_000));
    }

    /// Take note of what has arrived.
    fn collect(&mut self) {
        for (at, packets) in std::mem::take(&mut self.world.delivered) {
            let arrived = &mut self.arrived[usize::from(at == HOPS)];
            arrived.extend(packets.iter().map(|packet| number(packet)));
        }
    }

    /// All that was taken from either end has arrived at the other, in order, once.
    fn loses_nothing(&mut self, case: &str) {
        self.collect();
        for (from, to) in [(HOPS, 0), (0, HOPS)] {
            let arrived = &self.arrived[usize::from(to == HOPS)];
            let counters = &self.world.hosts[from as usize].counters;
            assert!(arrived.is_sorted_by(|a, b| a < b), "{case}: {from} to {to}: {arrived:?}");
            let taken = u64::from(self.sent) - counters.queue_full;
            assert_eq!(arrived.len() as u64, taken, "{case}: {from} to {to}: {counters:?}");
            assert!(2 * taken > u64::from(self.sent), "{case}: it goes on: {counters:?}");
        }
    }
}

#[test]
fn nothing_is_lost_that_a_scheme_has_taken_although_frames_are_forged() {
    for scheme in RELIABLE {
        let mut siege = Siege::new(World::sealed(&chain(HOPS, scheme)));
        for turn in 0..1_000 {
            siege.turn(turn, &FORGERIES);
        }
        siege.ends();
        siege.go_on();
        siege.loses_nothing(scheme);
        let counters = &siege.world.hosts[1].counters;
        assert!(counters.not_authentic > 2_000 && counters.replayed > 1_000, "{counters:?}");
        assert_eq!(counters.malformed, 0, "nothing without the key enters: {counters:?}");
    }
}

#[test]
fn nothing_is_lost_in_plain_mode_under_noise_cut_off_and_replayed_frames() {
    for scheme in RELIABLE {
        let mut siege = Siege::new(World::new(&chain(HOPS, scheme)));
        for turn in 0..1_000 {
            siege.turn(turn, &UNCHANGED);
        }
        siege.ends();
        siege.go_on();
        siege.loses_nothing(scheme);
        let counters = &siege.world.hosts[1].counters;
        assert!(counters.malformed > 1_000 && counters.frames_heard > 5_000, "{counters:?}");
    }
}

#[test]
fn who_has_the_key_and_is_no_node_of_the_network_is_not_heard() {
    let mut world = World::sealed(&chain(HOPS, RELIABLE[0]));
    for stranger in (100..200).map(NodeId) {
        let mut seal = Seal::new(&NetworkKey([7; 32]), stranger, 1, [1; 4]);
        let heard = Reception {
            from: stranger,
            heard: Heard::Broadcast,
            rate: Rate(1_000_000),
            signal: None,
            air_time: Duration::ZERO,
            marked: false,
            frame: seal.close(Receiver::Broadcast, b"no packet"),
        };
        world.whisper(NodeId(0), &heard);
    }
    let counters = &world.hosts[0].counters;
    assert_eq!((counters.not_authentic, counters.frames_heard), (100, 0));
}

/// How much memory this process has, in kB.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has some");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

/// So many frames of `each` kind against `world`. No other test's memory is counted: it has a process of its own.
fn flood(name: &str, each: u64, kinds: &[Forgery], world: impl FnOnce() -> World) {
    const ALONE: &str = "MULTIHOP_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let me = std::env::current_exe().expect("it runs");
        let words = ["--exact", name, "--nocapture", "--include-ignored"];
        let done = Command::new(me).args(words).env(ALONE, "1").output().expect("it runs");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let mut siege = Siege::new(world());
    let (mut turn, mut after_a_tenth) = (0, 0);
    let done = |siege: &Siege| kinds.iter().map(|kind| siege.frames[*kind as usize]).min();
    while done(&siege) < Some(each) {
        siege.turn(turn, kinds);
        turn += 1;
        if turn.is_multiple_of(1_000) {
            siege.collect();
        }
        if after_a_tenth == 0 && done(&siege) > Some(each / 10) {
            after_a_tenth = resident_kb();
        }
    }
    let end = resident_kb();
    println!("{:?} frames: {after_a_tenth} kB after a tenth, {end} kB at the end", siege.frames);
    assert!(end < after_a_tenth + 1_000, "{after_a_tenth} kB after a tenth, {end} kB");
    siege.ends();
    siege.loses_nothing(name);
}

#[test]
#[ignore = "long"]
fn a_million_sealed_frames_of_each_kind_leave_nothing_behind() {
    let name = "besieged::a_million_sealed_frames_of_each_kind_leave_nothing_behind";
    flood(name, 1_000_000, &FORGERIES, || World::sealed(&chain(HOPS, RELIABLE[0])));
}

#[test]
fn plain_frames_of_each_kind_leave_nothing_behind() {
    let name = "besieged::plain_frames_of_each_kind_leave_nothing_behind";
    flood(name, 200_000, &UNCHANGED, || World::new(&chain(HOPS, RELIABLE[0])));
}

/// Who changes plain frames on purpose can mislead ends that number what they send. A source that waits for what was
/// lost so is over after a while, and another begins; those that number nothing go on at once. (A destination that is
/// misled under HxH, whose sources need no answer, hears nothing until the source pauses for as long as a flow lives.)
#[test]
fn plain_flows_go_on_after_forged_frames() {
    // in seconds: ten times as long as an idle flow lives, looked at once in that time
    let misled = 700;
    for (scheme, patience) in [("cxcc", 0), ("udp", 0), ("newreno", misled)] {
        let mut siege = Siege::new(World::new(&chain(HOPS, &format!("name = \"{scheme}\""))));
        for turn in 0..1_000 {
            siege.turn(turn, &FORGERIES);
        }
        siege.ends();
        for _ in 0..patience {
            siege.send();
            siege.world.run(siege.world.now + Duration::from_millis(1_000));
        }
        siege.world.delivered.clear();
        let first = siege.sent;
        siege.go_on();
        let every: Vec<u32> = (first..siege.sent).collect();
        for node in [0, HOPS] {
            let packets = siege.world.delivered[&node].iter().map(|packet| number(packet));
            let arrived: Vec<u32> = packets.filter(|number| *number >= first).collect();
            assert_eq!(arrived, every, "{scheme} at {node}");
        }
    }
}
