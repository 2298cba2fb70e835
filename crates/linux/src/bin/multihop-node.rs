//! A node of a multihop network: applications on one side, a radio on the other.

use std::path::Path;
use std::process::ExitCode;

use multihop_linux::VERSION;
use multihop_linux::log;
use multihop_linux::node::config::{self, Command, Config};
use multihop_linux::node::control;
use multihop_linux::node::daemon::Daemon;
use multihop_linux::node::{doctor, enrolment, report, secrets};
use multihop_linux::roster::{Identity, Signatory};
use multihop_linux::signals::Signals;

const HELP: &str = "\
A node of a multihop network, with a TUN device for applications.

multihop-node --scenario FILE --node NAME --ether SOCKET --key FILE --state FOLDER [--FLAG VALUE ...]
multihop-node key FILE               draw a key for a network
multihop-node identity FILE          draw a node's identity, unless FILE has one, and print its public key
multihop-node authority FILE         the same of a network's authority
multihop-node roster --scenario FILE AUTHORITY MEMBERS ROSTER
                                     make the next roster of the nodes in MEMBERS: lines as n1 = \"its public key\"
multihop-node spread SOCKET ROSTER   hand a roster to a node, from which the others get it
multihop-node status SOCKET          how a node is
multihop-node explain SOCKET NODE    why packets to NODE, a name or an address, arrive or not
multihop-node metrics SOCKET         its counters as OpenMetrics
multihop-node doctor --FLAG VALUE    what the machine lacks for a node with these flags, and how to get it

  --json              status, explain and doctor answer in JSON
  --config FILE       a TOML file with flags of these names, which come before it
  --scenario FILE     nodes, scheme, routing and medium of the network
  --node NAME         which of its nodes this is
  --ether SOCKET      where multihop-ether listens; or
  --interface NAME    the network interface to broadcast on (Wi-Fi in ad hoc mode); waited for if it is not there yet
  --key FILE          the network's key
  --other-key FILE    a key of which frames are taken, too, while the network changes its key
  --identity FILE     instead of a key: the network's key comes with rosters, and is read with this node's identity
  --authority KEY     the public key of the authority that signs rosters
  --grace SECONDS     for roster: so long nodes seal with the key of before; 0 to expel at once (60, and 2 for each part)
  --state FOLDER      where a node counts its lives, and keeps what it has heard, as it must unless plain; keep it
  --plain             no key: frames are neither authenticated nor encrypted
  --defaults WHOSE    of what the scenario leaves out: field (nodes may vanish; the default), or paper
  --tun NAME          the name of the device (multihop0)
  --network PREFIX    the addresses of all nodes (10.0.0.0/8); the same at all of them
  --network6 PREFIX   IPv6 addresses besides, such as fd6d:6873::/64, the same at all nodes; the last 32 bits are IPv4's
  --announce LIST     networks behind this node, such as 192.168.7.0/24,0.0.0.0/0, while the machine reaches them
  --accept LIST       where networks may lie that others announce; 0.0.0.0/0 and ::/0 are default routes only
  --networks FILE     what lies behind nodes, the same at all: [[network]] prefix = \"192.168.7.0/24\", node = \"n1\"
  --mtu BYTES         the largest IP packet (1000; 1280 with --network6)
  --control SOCKET    where to listen for questions
  --metrics-port N    serve the counters at http://127.0.0.1:N/metrics
  --log LEVEL         which lines to write: error, warning, info (the default), or debug (every dropped packet)
  --flows KIND        five-tuple (each connection is a flow), or destination
  --most-flows N      how many flows may start here at a time (256)
  --queue N           how many packets wait in each for the scheme (10)
  --idle SECONDS      after so long without a packet a flow ends (60)
  --groups N          how many packets to groups (multicast, broadcast) are carried a second (4), one for every other node
  --expedite          packets whose DSCP is EF, AF41 to AF43 or CS6 go ahead of others in interface queues
  --tcp-proxy PORT    carry redirected TCP connections as streams of the scheme, by this port at all nodes
  --routes FILE       ways that packets take: [[way]] nodes = [\"n0\", \"n1\", ...]
  --record FILE       write down what the node is told and answers
  --drop-rights       give up all capabilities after the start: no route is restored, no interface is waited for
  --incarnation N     which life of the node this is, instead of what is counted, or a random number

SIGHUP: read the configuration again, and take over log, most-flows, queue, idle, groups, expedite, announce, accept\nand the keys.
Exit codes: 0 asked to end; 1 it could not go on, or the doctor has found a problem; 2 the input was wrong.
";

fn main() -> ExitCode {
    log::begin("multihop-node");
    match read() {
        Ok(Command::Run(config)) => run(*config),
        Ok(Command::Ask { socket, question, json }) => ask(&socket, question, json),
        Ok(Command::Doctor { config, json }) => {
            let findings = doctor::examine(&config);
            let text = if json {
                serde_json::json!(findings).to_string()
            } else {
                doctor::lines(&findings)
            };
            println!("{text}");
            ExitCode::from(u8::from(!findings.iter().all(|finding| finding.ok)))
        }
        Ok(Command::Key(path)) => match secrets::write_key(&path) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => failed(&message, 1),
        },
        Ok(Command::Identity(path)) => {
            show(secrets::find_or_draw(&path).map(|secret| Identity::new(&secret).public()))
        }
        Ok(Command::Authority(path)) => {
            show(secrets::find_or_draw(&path).map(|secret| Signatory::new(&secret).public()))
        }
        Ok(Command::Roster(enrolment)) => said(enrolment.make()),
        Ok(Command::Spread { socket, file }) => said(enrolment::spread(&socket, &file)),
        Ok(Command::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            println!("multihop-node {VERSION}");
            ExitCode::SUCCESS
        }
        Err(message) => failed(&message, 2),
    }
}

/// Print a public key.
fn show(public: Result<[u8; 32], String>) -> ExitCode {
    said(public.map(|public| secrets::digits(&public)))
}

fn said(text: Result<String, String>) -> ExitCode {
    match text {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => failed(&message, 1),
    }
}

/// What the command line asks for.
fn read() -> Result<Command, String> {
    config::parse(std::env::args_os().skip(1))
}

fn reread() -> Result<Box<Config>, String> {
    match read()? {
        Command::Run(config) => Ok(config),
        _ => Err("the command line asks for no node".to_owned()),
    }
}

fn ask(socket: &Path, question: String, json: bool) -> ExitCode {
    let lines = match question.split(' ').next() {
        Some("status") if !json => Some(report::status_lines as fn(&_) -> String),
        Some("explain") if !json => Some(report::explanation_lines as fn(&_) -> String),
        _ => None,
    };
    let answer = match control::ask(socket, question.into_bytes()) {
        Ok(answer) => answer,
        Err(error) => return failed(&format!("{}: {error}", socket.display()), 1),
    };
    let read = lines.map(|lines| serde_json::from_slice(&answer).map(|value| lines(&value)));
    match read {
        Some(Ok(text)) => println!("{text}"),
        Some(Err(_)) => return failed("its answer is not understood; is it another version?", 1),
        None => println!("{}", String::from_utf8_lossy(&answer).trim_end()),
    }
    ExitCode::SUCCESS
}

fn run(config: Config) -> ExitCode {
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => return failed(&error.to_string(), 1),
    };
    let mut daemon = match Daemon::new(config, reread) {
        Ok(daemon) => daemon,
        Err(message) => return failed(&message, 2),
    };
    match daemon.run(&mut signals) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => failed(&message, 1),
    }
}

fn failed(message: &str, code: u8) -> ExitCode {
    log::error(message);
    ExitCode::from(code)
}
