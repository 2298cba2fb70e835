//! What an ether is to be, from the command line.

use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use multihop_core::Duration;

use super::port;
use super::server::Settings;

/// Later than this is late unless it is said otherwise: two slots of 802.11's backoff would be 40 us, a frame
/// of 512 B at 1 Mbit/s is 5 ms.
const ALLOWED_LAG: Duration = Duration::from_millis(1);

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Be an ether.
    Run {
        /// The scenario's file.
        scenario: PathBuf,
        /// Where to listen.
        socket: PathBuf,
        /// How.
        settings: Settings,
    },
    /// Be an Ethernet port of an ether.
    Port(port::Settings),
    /// Ask the ether that listens there, and print its answer.
    Status(PathBuf),
    /// Say how it is called.
    Help,
    /// Say which version it is.
    Version,
}

/// Read the arguments behind the program's name.
///
/// # Errors
/// With a message for the user.
pub fn parse<I>(arguments: I) -> Result<Command, String>
where
    I: IntoIterator,
    I::Item: Into<std::ffi::OsString>,
{
    read(&mut Parser::from_args(arguments)).map_err(|error| error.to_string())
}

fn read(parser: &mut Parser) -> Result<Command, lexopt::Error> {
    let mut settings =
        Settings { time_scale: 1.0, allowed_lag: ALLOWED_LAG, exit_when_late: false };
    let mut paths = Vec::new();
    let mut port = PortFlags::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            Arg::Short('V') | Arg::Long("version") => return Ok(Command::Version),
            Arg::Long("time-scale") => {
                settings.time_scale = number(parser, "time-scale", 1e-3, 1e6)?;
            }
            Arg::Long("allowed-lag-ms") => {
                let ms = number(parser, "allowed-lag-ms", 0.0, 1e9)?;
                settings.allowed_lag = Duration::from_seconds(ms / 1e3);
            }
            Arg::Long("exit-when-late") => settings.exit_when_late = true,
            Arg::Long("node") => port.node = Some(parser.value()?.string()?),
            Arg::Long("tap") => port.tap = Some(parser.value()?.string()?),
            Arg::Long("mtu") => port.mtu = Some(number(parser, "mtu", 68.0, 60_000.0)? as u16),
            Arg::Long("queue") => port.queue = Some(number(parser, "queue", 1.0, 1e5)? as u32),
            Arg::Long("control") => port.control = Some(parser.value()?.into()),
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            Arg::Short(_) | Arg::Long(_) => return Err(argument.unexpected()),
        }
    }
    match <[PathBuf; 2]>::try_from(paths) {
        Ok([word, socket]) if word.as_os_str() == "port" => port.settings(socket),
        Ok(_) if port != PortFlags::default() => {
            Err("node, tap, mtu, queue and control are of multihop-ether port; see --help".into())
        }
        Ok([word, socket]) if word.as_os_str() == "status" => Ok(Command::Status(socket)),
        Ok([scenario, socket]) => Ok(Command::Run { scenario, socket, settings }),
        Err(_) => Err("a scenario and a socket are needed; see --help".into()),
    }
}

/// The flags of an Ethernet port.
#[derive(Debug, Default, PartialEq, Eq)]
struct PortFlags {
    node: Option<String>,
    tap: Option<String>,
    mtu: Option<u16>,
    queue: Option<u32>,
    control: Option<PathBuf>,
}

impl PortFlags {
    fn settings(self, ether: PathBuf) -> Result<Command, lexopt::Error> {
        let node =
            self.node.ok_or("--node NAME is needed: which of the scenario's nodes is it?")?;
        Ok(Command::Port(port::Settings {
            ether,
            node,
            tap: self.tap.unwrap_or_else(|| "mesh0".to_owned()),
            mtu: self.mtu.unwrap_or(1_500),
            queue: self.queue.unwrap_or(50),
            control: self.control,
        }))
    }
}

fn number(parser: &mut Parser, name: &str, least: f64, most: f64) -> Result<f64, lexopt::Error> {
    let number: f64 = parser.value()?.parse()?;
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(format!("--{name} {number}: {least} to {most} are possible").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_bounds_and_names() {
        let parsed = parse(["a.toml", "/run/e", "--time-scale", "10", "--exit-when-late"]);
        let settings =
            Settings { time_scale: 10.0, allowed_lag: ALLOWED_LAG, exit_when_late: true };
        let (scenario, socket) = ("a.toml".into(), "/run/e".into());
        assert_eq!(parsed, Ok(Command::Run { scenario, socket, settings }));
        assert_eq!(parse(["status", "/run/e"]), Ok(Command::Status("/run/e".into())));
        assert!(parse(["a.toml"]).expect_err("a socket is missing").contains("socket"));
        let error = parse(["a.toml", "/run/e", "--time-scale", "0"]).expect_err("it is zero");
        assert!(error.contains("time-scale 0"), "{error}");
        assert!(parse(["a.toml", "b", "--allowed-lag-ms", "NaN"]).is_err());
        let Ok(Command::Port(port)) = parse(["port", "/run/e", "--node", "n1", "--queue", "9"])
        else {
            panic!("it is one");
        };
        assert_eq!((port.node.as_str(), port.tap.as_str()), ("n1", "mesh0"));
        assert_eq!((port.mtu, port.queue), (1_500, 9));
        assert!(parse(["port", "/run/e"]).expect_err("whose?").contains("--node"));
        assert!(
            parse(["a.toml", "/run/e", "--node", "n1"]).expect_err("it is none").contains("port")
        );
        assert!(parse(["--late"]).expect_err("it is unknown").contains("--late"));
    }
}
