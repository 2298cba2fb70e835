//! The ether's program, and nodes that reach it through its socket, in real time. What is timed here may take as
//! long as a busy machine needs.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use multihop_core::{Duration, FrameClass, NodeId, Receiver, Time};
use multihop_linux::clock::Clock;
use multihop_linux::ether::message::{FromEther, Hello, Offer, ToEther};
use multihop_linux::node::control;
use multihop_linux::node::ether_port::EtherPort;
use multihop_linux::node::host::{Host, Order};
use multihop_linux::node::port::Event;
use multihop_linux::reactor;
use multihop_linux::seqpacket::Link;
use multihop_routing::Life;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use rustix::time::Timespec;
use tempfile::TempDir;

use crate::applications::{datagram, number as number_of};
use crate::world::{chain, host};

/// So many seconds at most until something has happened.
const PATIENCE: u64 = 60;

/// A scenario's file, the ether's socket, and the ether, in a folder of their own.
struct Medium {
    folder: TempDir,
    ether: Option<Child>,
    log: &'static str,
    time_scale: &'static str,
}

impl Medium {
    fn new(hops: u32) -> Self {
        Medium::of(hops, "/dev/null", "1")
    }

    /// What the ether says goes to `log`; so many seconds here are a second there.
    fn of(hops: u32, log: &'static str, time_scale: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("the folder can be written");
        let text = format!(
            "[topology]\nkind = \"chain\"\nhops = {hops}\n[scheme]\nname = \"cxcc\"\n\
             [traffic]\nload = \"1 kbit/s\"\n"
        );
        std::fs::write(folder.path().join("scenario.toml"), text).expect("it can be written");
        let mut medium = Medium { folder, ether: None, log, time_scale };
        medium.start();
        medium
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("ether.sock")
    }

    fn start(&mut self) {
        let ether = Command::new(env!("CARGO_BIN_EXE_multihop-ether"))
            .arg(self.folder.path().join("scenario.toml"))
            .arg(self.socket())
            // everything is later than this
            .args(["--allowed-lag-ms", "0", "--time-scale", self.time_scale])
            .stderr(Stdio::from(File::create(self.log).expect("it is there")))
            .spawn();
        self.ether = Some(ether.expect("it was built"));
        let clock = &mut Clock::new(1.0);
        while status(&self.socket()).is_none() {
            assert!(clock.now().seconds() < PATIENCE as f64, "the ether does not answer");
            sleep();
        }
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(self.ether.as_ref().expect("it runs"));
        kill_process(pid, signal).expect("it runs");
    }

    /// End the ether with this signal. Returns its exit code.
    fn end(&mut self, signal: Signal) -> Option<i32> {
        self.signal(signal);
        let mut ether = self.ether.take().expect("it runs");
        ether.wait().expect("it is this process's child").code()
    }

    /// A process that is the node with this address, whose radio is on.
    fn join(&self, address: u32) -> Link {
        let mut node = Link::connect(&self.socket()).expect("it listens");
        let hello = Hello { address: NodeId(address), promiscuous: false, watches_air: false };
        node.send(ToEther::Hello(hello).emit()).expect("there is room");
        let answer = told(&mut node);
        assert!(matches!(answer, FromEther::Welcome { .. }), "{answer:?}");
        node
    }
}

impl Drop for Medium {
    fn drop(&mut self) {
        if let Some(ether) = &mut self.ether {
            let _ = ether.kill();
            let _ = ether.wait();
        }
    }
}

fn sleep() {
    let timeout = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
    reactor::wait(&[], Some(timeout)).expect("nothing is waited for");
}

/// What a node is told next.
fn told(node: &mut Link) -> FromEther {
    let (mut buffer, mut clock) = (vec![0; 1 << 16], Clock::new(1.0));
    loop {
        if let Some(len) = node.receive(&mut buffer).expect("the ether is there") {
            return FromEther::parse(&buffer[..len]).expect("it was meant for a node");
        }
        assert!(clock.now().seconds() < PATIENCE as f64, "the ether says nothing");
        sleep();
    }
}

fn broadcast(len: usize) -> Vec<u8> {
    ToEther::Offer(Offer {
        to: Receiver::Broadcast,
        rate: None,
        contention: None,
        class: FrameClass::Data,
        frame: vec![0; len],
    })
    .emit()
}

fn status(socket: &Path) -> Option<serde_json::Value> {
    let answer = control::ask(socket, ToEther::AskStatus.emit()).ok()?;
    match FromEther::parse(&answer) {
        Ok(FromEther::Status(text)) => serde_json::from_str(&text).ok(),
        _ => None,
    }
}

/// Nodes without a TUN device, all in this process.
struct Nodes {
    all: Vec<(Host, EtherPort)>,
    clock: Clock,
    delivered: BTreeMap<usize, Vec<u32>>,
    lost: u32,
}

impl Nodes {
    fn new(medium: &Medium, hops: u32) -> Self {
        let setup = chain(hops, "name = \"cxcc\"");
        let node = |number| {
            let host = host(&setup, number, Life::default());
            let (promiscuous, watches_air) = (host.promiscuous(), host.watches_air());
            let hello = Hello { address: NodeId(number), promiscuous, watches_air };
            (host, EtherPort::new(medium.socket(), hello))
        };
        let all = (0..=hops).map(node).collect();
        Nodes { all, clock: Clock::new(1.0), delivered: BTreeMap::new(), lost: 0 }
    }

    fn send(&mut self, from: usize, packet: &[u8]) {
        let now = self.clock.now();
        self.all[from].0.on_ip(now, packet);
    }

    /// Let them live until `done`.
    fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let start = self.clock.now();
        while !done(self) {
            let now = self.clock.now();
            assert!(now.since(start).seconds() < PATIENCE as f64, "in vain: {what}");
            for number in 0..self.all.len() {
                self.serve(now, number);
            }
            let deadlines =
                self.all.iter().map(|(host, port)| host.deadline().min(port.deadline()));
            let next = deadlines.min().unwrap_or(Time::NEVER);
            let files: Vec<_> = self.all.iter().filter_map(|(_, port)| port.file()).collect();
            let short = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
            let wait = self.clock.wait(now, next).unwrap_or(short).min(short);
            reactor::wait(&files, Some(wait)).expect("the files are open");
        }
    }

    fn serve(&mut self, now: Time, number: usize) {
        let (host, port) = &mut self.all[number];
        port.on_time(now);
        if host.deadline() <= now {
            host.on_time(now);
        }
        loop {
            while let Some(order) = host.poll_order() {
                // the port says itself that the ether is gone
                let _ = match order {
                    Order::Send(request, class) => {
                        port.send(&request, class, request.packet.emit())
                    }
                    Order::Withdraw => port.say(&ToEther::Withdraw),
                    Order::Mark => port.say(&ToEther::Mark),
                    Order::AskAir => port.say(&ToEther::AskAir),
                    Order::Broadcast(_) | Order::Keys | Order::Keep => {
                        panic!("its frames are plain: {order:?}")
                    }
                    Order::Deliver(packet) => {
                        let packet = number_of(&packet);
                        self.delivered.entry(number).or_default().push(packet);
                        Ok(())
                    }
                };
            }
            match port.poll(now) {
                None => break,
                Some(Event::On { .. }) => host.on_radio(now),
                Some(Event::Lost) => {
                    self.lost += 1;
                    host.on_radio_lost(now);
                }
                Some(Event::Done(done)) => host.on_done(now, &done),
                Some(Event::Heard(heard)) => host.on_heard(now, &heard),
                Some(Event::Air(air)) => host.on_air(now, air),
                Some(event @ (Event::Refused(_) | Event::Foreign | Event::NotTaken)) => {
                    panic!("{event:?}")
                }
            }
        }
    }

    fn all_on(&self) -> bool {
        self.all.iter().all(|(host, _)| host.has_radio())
    }

    fn arrived(&self, node: usize) -> usize {
        self.delivered.get(&node).map_or(0, Vec::len)
    }
}

#[test]
fn packets_cross_and_an_ether_that_is_killed_comes_back() {
    let mut medium = Medium::new(2);
    let mut nodes = Nodes::new(&medium, 2);
    nodes.until("all radios are on", Nodes::all_on);
    for round in 0..5 {
        nodes.send(0, &datagram(0, 2, round, 300));
        nodes.send(2, &datagram(2, 0, round, 100));
    }
    nodes.until("ten packets arrive", |nodes| nodes.arrived(0) + nodes.arrived(2) == 10);
    let known = status(&medium.socket()).expect("it runs");
    assert!(known["lag"]["events"].as_u64() > Some(20), "{known}");
    assert!(known["nodes"][1]["transmitted"].as_u64() >= Some(10), "{known}");

    // what waits and what is on its way is not lost with the medium
    for round in 5..10 {
        nodes.send(0, &datagram(0, 2, round, 300));
    }
    assert_eq!(medium.end(Signal::KILL), None);
    nodes.until("they notice", |nodes| nodes.lost == 3);
    medium.start();
    nodes.until("the others arrive", |nodes| nodes.arrived(2) == 10);
    assert_eq!(nodes.delivered[&2], (0..10).collect::<Vec<_>>());
    assert_eq!(medium.end(Signal::TERM), Some(0));
    assert!(!medium.socket().exists(), "it cleans up");
}

#[test]
fn an_ether_bears_what_is_no_message_and_two_nodes_with_one_address() {
    let mut medium = Medium::new(1);
    let mut nodes = Nodes::new(&medium, 1);
    nodes.until("all radios are on", Nodes::all_on);
    let hello = Hello { address: NodeId(1), promiscuous: true, watches_air: true };
    for (address, reason) in [(1, "another process"), (9, "no node")] {
        let hello = ToEther::Hello(Hello { address: NodeId(address), ..hello });
        let answer = control::ask(&medium.socket(), hello.emit()).expect("it answers");
        match FromEther::parse(&answer) {
            Ok(FromEther::Refused(text)) => assert!(text.contains(reason), "{text}"),
            other => panic!("{other:?}"),
        }
    }
    let mut stranger = Link::connect(&medium.socket()).expect("it listens");
    let mut state = 1u32;
    for len in 0..2_000 {
        let mut noise: Vec<u8> = (0..len % 90)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        noise.insert(0, (len % 7) as u8);
        // who is no node may not offer frames; some messages are longer than any
        let message = if len % 500 == 0 { broadcast(70_000) } else { noise };
        // a question is answered, and nobody reads it: at some time this is given up
        if stranger.send(message).is_err() {
            stranger = Link::connect(&medium.socket()).expect("it listens");
        }
    }
    nodes.send(0, &datagram(0, 1, 7, 300));
    nodes.until("a packet arrives", |nodes| nodes.arrived(1) == 1);
    let known = status(&medium.socket()).expect("it runs");
    assert!(known["malformed"].as_u64() > Some(100), "{known}");
    assert_eq!(medium.end(Signal::INT), Some(0));
}

/// Time passes in a fast medium between two things that an ether does, so that the frame has ended before the
/// other node's radio is off, and nothing happens after that.
#[test]
fn a_node_is_told_of_its_frame_that_ends_while_another_one_leaves() {
    let medium = Medium::of(1, "/dev/null", "0.001");
    let mut node = medium.join(0);
    for _ in 0..20 {
        let neighbour = medium.join(1);
        medium.signal(Signal::STOP);
        node.send(broadcast(300)).expect("there is room");
        drop(neighbour);
        medium.signal(Signal::CONT);
        let answer = told(&mut node);
        assert!(matches!(answer, FromEther::Done(_)), "{answer:?}");
    }
}

#[test]
fn who_speaks_another_version_is_told_so() {
    let medium = Medium::new(1);
    let hello = Hello { address: NodeId(1), promiscuous: false, watches_air: false };
    let mut hello = ToEther::Hello(hello).emit();
    hello[2] ^= 0x80;
    let answer = control::ask(&medium.socket(), hello).expect("it answers");
    match FromEther::parse(&answer) {
        Ok(FromEther::Refused(text)) => assert!(text.contains("speaks version"), "{text}"),
        other => panic!("{other:?}"),
    }
}

/// The others, who have said what they want, stay.
#[test]
fn guests_who_say_nothing_make_room() {
    let medium = Medium::new(1);
    let mut nodes = Nodes::new(&medium, 1);
    nodes.until("all radios are on", Nodes::all_on);
    let connect = || Link::connect(&medium.socket()).expect("it listens");
    let mut capture = connect();
    capture.send(ToEther::Capture.emit()).expect("there is room");
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(connect());
        assert!(status(&medium.socket()).is_some(), "whoever asks is answered");
    }
    let mut buffer = vec![0; 1 << 16];
    let mut is_gone = |guest: &mut Link| guest.receive(&mut buffer).is_err();
    let gone: Vec<bool> = silent.iter_mut().map(&mut is_gone).collect();
    assert!(gone[..20].iter().all(|gone| *gone) && !gone[39], "who has waited longest: {gone:?}");
    nodes.send(0, &datagram(0, 1, 7, 300));
    nodes.until("a packet arrives", |nodes| nodes.arrived(1) == 1 && nodes.lost == 0);
    assert!(!is_gone(&mut capture));
}

#[test]
fn an_ether_whose_log_is_on_a_full_disk_goes_on() {
    let mut medium = Medium::of(1, "/dev/full", "1");
    let mut nodes = Nodes::new(&medium, 1);
    nodes.until("all radios are on", Nodes::all_on);
    // it says once a second that it is late
    for round in 0..4 {
        nodes.send(0, &datagram(0, 1, round, 300));
        let end = nodes.clock.now() + Duration::from_millis(400);
        nodes.until("a packet arrives", |nodes| nodes.arrived(1) == round as usize + 1);
        nodes.until("time passes", |nodes| nodes.clock.clone().now() >= end);
    }
    let known = status(&medium.socket()).expect("it runs");
    assert!(known["lag"]["late"].as_u64() > Some(0), "{known}");
    assert_eq!(medium.end(Signal::TERM), Some(0));
}

/// The lateness that the ether says is at least the time for which it was stopped, by this process's clock: with nothing
/// but a message for it, with a frame that is due, and with both.
#[test]
fn an_ether_counts_how_late_it_is_whatever_makes_it_look() {
    let medium = Medium::new(1);
    let mut node = medium.join(0);
    let mut frame = vec![0; 1 << 16];
    for (round, (before, during)) in
        [(false, true), (true, false), (true, true)].into_iter().enumerate()
    {
        // longer each time, so that the worst is this time's
        let span = Duration::from_millis(250 * (round as u64 + 1));
        let mut clock = Clock::new(1.0);
        // A frame that ended before this process could stop the ether is not due: then once more.
        loop {
            if before {
                node.send(broadcast(1_500)).expect("there is room");
            }
            medium.signal(Signal::STOP);
            sleep();
            if node.receive(&mut frame).expect("the ether is there").is_none() {
                break;
            }
            medium.signal(Signal::CONT);
        }
        if during {
            node.send(if before { ToEther::AskAir.emit() } else { broadcast(300) })
                .expect("there is room");
        }
        let stopped = clock.now();
        while clock.now().since(stopped) < span {
            sleep();
        }
        medium.signal(Signal::CONT);
        while !matches!(told(&mut node), FromEther::Done(_)) {}
        let known = status(&medium.socket()).expect("it runs");
        let worst = known["lag"]["worst_s"].as_f64().expect("it is a number");
        assert!(worst >= 0.95 * span.seconds(), "{round}: {worst} of {span}");
    }
}

/// How much processor time a process has had, in clock ticks.
fn ticks(process: &Child) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).expect("it runs");
    let (_, fields) = text.rsplit_once(')').expect("its name is in brackets");
    fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Whoever waits is let in when there is room again; until then the process rests.
#[test]
fn an_ether_that_can_open_no_more_files_rests_and_goes_on() {
    let medium = Medium::new(1);
    let mut nodes = Nodes::new(&medium, 1);
    nodes.until("all radios are on", Nodes::all_on);
    let ether = medium.ether.as_ref().expect("it runs");
    let pid = Some(Pid::from_child(ether));
    let limit = |current| Rlimit { current: Some(current), maximum: Some(1_024) };
    let open = std::fs::read_dir(format!("/proc/{}/fd", ether.id())).expect("it runs").count();
    prlimit(pid, Resource::Nofile, limit(open as u64)).expect("it is this process's child");
    let waiting = Link::connect(&medium.socket()).expect("it listens");
    let before = ticks(ether);
    let end = nodes.clock.now() + Duration::from_millis(1_000);
    nodes.send(0, &datagram(0, 1, 7, 300));
    nodes.until("a packet arrives", |nodes| nodes.arrived(1) == 1);
    nodes.until("time passes", |nodes| nodes.clock.clone().now() >= end);
    // a loop that never waits would have had some hundred
    assert!(ticks(ether) - before < 30, "{} ticks", ticks(ether) - before);
    prlimit(pid, Resource::Nofile, limit(1_024)).expect("it is this process's child");
    assert!(status(&medium.socket()).is_some(), "it answers again");
    assert_eq!(nodes.lost, 0);
    drop(waiting);
}
