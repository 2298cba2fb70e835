//! A node of a multihop network: applications on one side, a radio on the other.

use std::process::ExitCode;

use multihop_linux::log;
use multihop_linux::node::config::{self, Command, Config};
use multihop_linux::node::control;
use multihop_linux::node::daemon::Daemon;
use multihop_linux::node::secrets;
use multihop_linux::signals::Signals;

const HELP: &str = "\
A node of a multihop network, with a TUN device for applications.

multihop-node --scenario FILE --node NAME --ether SOCKET --key FILE --state FOLDER [--FLAG VALUE ...]
multihop-node key FILE           draw a key for a network
multihop-node status SOCKET      how a node is, as JSON
multihop-node metrics SOCKET     the same as OpenMetrics

  --config FILE       a TOML file with flags of these names, which come before it
  --scenario FILE     nodes, scheme, routing and medium of the network
  --node NAME         which of its nodes this is
  --ether SOCKET      where multihop-ether listens; or
  --interface NAME    the network interface to broadcast on (Wi-Fi in ad hoc mode)
  --key FILE          the network's key
  --state FOLDER      where a node counts its lives, as it must with a key; keep it
  --plain             no key: frames are neither authenticated nor encrypted
  --defaults WHOSE    of what the scenario leaves out: field (nodes may vanish; the default), or paper
  --tun NAME          the name of the device (multihop0)
  --mtu BYTES         the largest IP packet (1000)
  --control SOCKET    where to listen for questions
  --flows KIND        five-tuple (each connection is a flow), or destination
  --most-flows N      how many flows may start here at a time (256)
  --queue N           how many packets wait in each for the scheme (10)
  --idle SECONDS      after so long without a packet a flow ends (60)
  --tcp-proxy PORT    carry redirected TCP connections as streams of the scheme, by this port at all nodes
  --routes FILE       ways that packets take: [[way]] nodes = [\"n0\", \"n1\", ...]
  --record FILE       write down what the node is told and answers
  --incarnation N     which life of the node this is, instead of what is counted, or a random number

Exit codes: 0 asked to end; 1 it could not go on; 2 the input was wrong.
";

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    match config::parse(arguments) {
        Ok(Command::Run(config)) => run(&config),
        Ok(Command::Ask { socket, what }) => match control::ask(&socket, what.into_bytes()) {
            Ok(answer) => {
                println!("{}", String::from_utf8_lossy(&answer).trim_end());
                ExitCode::SUCCESS
            }
            Err(error) => failed(&format!("{}: {error}", socket.display()), 1),
        },
        Ok(Command::Key(path)) => match secrets::write_key(&path) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => failed(&message, 1),
        },
        Ok(Command::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            println!("multihop-node {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Err(message) => failed(&message, 2),
    }
}

fn run(config: &Config) -> ExitCode {
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => return failed(&error.to_string(), 1),
    };
    let mut daemon = match Daemon::new(config) {
        Ok(daemon) => daemon,
        Err(message) => return failed(&message, 2),
    };
    match daemon.run(&mut signals) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => failed(&message, 1),
    }
}

fn failed(message: &str, code: u8) -> ExitCode {
    log::say(&format!("multihop-node: {message}"));
    ExitCode::from(code)
}
