//! The radio medium of a scenario in real time.

use std::path::Path;
use std::process::ExitCode;

use multihop_core::Defaults;
use multihop_linux::VERSION;
use multihop_linux::ether::air::Air;
use multihop_linux::ether::config::{self, Command};
use multihop_linux::ether::message::{FromEther, ToEther};
use multihop_linux::ether::port::{self, Port};
use multihop_linux::ether::server::{Ended, Ether, Settings};
use multihop_linux::log;
use multihop_linux::node::control;
use multihop_linux::scenario;
use multihop_linux::signals::Signals;

const HELP: &str = "\
The radio medium of a scenario in real time: nodes connect to its socket.

multihop-ether SCENARIO SOCKET [--FLAG ...]
multihop-ether status SOCKET     how an ether is, as JSON
multihop-ether port SOCKET --node NAME [--FLAG ...]
                                 an Ethernet device whose frames go over it as they are, for other daemons

  --time-scale N        so many seconds of this machine are a second of the medium (1)
  --allowed-lag-ms N    what is done later than this was late (1)
  --exit-when-late      end with code 3 when something was late

  --node NAME           of a port: which of the scenario's nodes it is
  --tap NAME            the name of its device (mesh0)
  --mtu BYTES           the most data in its frames (1500)
  --queue N             how many frames wait in it (50)
  --control SOCKET      where it listens for the question status

Exit codes: 0 asked to end; 1 it could not go on; 2 the input was wrong; 3 it was late.
";

fn main() -> ExitCode {
    log::begin("multihop-ether");
    match config::parse(std::env::args_os().skip(1)) {
        Ok(Command::Run { scenario, socket, settings }) => run(&scenario, &socket, settings),
        Ok(Command::Port(settings)) => port(settings),
        Ok(Command::Status(socket)) => match status(&socket) {
            Ok(status) => {
                println!("{status}");
                ExitCode::SUCCESS
            }
            Err(message) => failed(&message, 1),
        },
        Ok(Command::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            println!("multihop-ether {VERSION}");
            ExitCode::SUCCESS
        }
        Err(message) => failed(&message, 2),
    }
}

fn run(path: &Path, socket: &Path, settings: Settings) -> ExitCode {
    let setup = match scenario::read(path, Defaults::Field) {
        Ok(setup) => setup,
        Err(message) => return failed(&message, 2),
    };
    let Some(air) = Air::new(setup) else {
        return failed(&format!("{}: a medium of wires has no ether", path.display()), 2);
    };
    let ended = Signals::new().and_then(|mut signals| {
        let mut ether = Ether::new(air, socket, settings)?;
        ether.run(&mut signals)
    });
    match ended {
        Ok(Ended::Asked) => ExitCode::SUCCESS,
        Ok(Ended::Late) => failed("behind real time", 3),
        Err(error) => failed(&format!("{}: {error}", socket.display()), 1),
    }
}

fn port(settings: port::Settings) -> ExitCode {
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => return failed(&error.to_string(), 1),
    };
    let mut port = match Port::new(settings) {
        Ok(port) => port,
        Err(message) => return failed(&message, 2),
    };
    match port.run(&mut signals) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => failed(&message, 1),
    }
}

fn status(socket: &Path) -> Result<String, String> {
    let answer = control::ask(socket, ToEther::AskStatus.emit())
        .map_err(|error| format!("{}: {error}", socket.display()))?;
    match FromEther::parse(&answer) {
        Ok(FromEther::Status(status)) => Ok(status),
        _ => Err(format!("{}: this is no ether", socket.display())),
    }
}

fn failed(message: &str, code: u8) -> ExitCode {
    log::error(message);
    ExitCode::from(code)
}
