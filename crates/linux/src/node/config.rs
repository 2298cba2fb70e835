//! What a node is to be: a TOML file, and flags of the same names that go before it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use multihop_core::{Defaults, Duration, LONGEST_HEADER, NETWORK_HEADER_LEN};
use multihop_scenario::in_plain_words;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use crate::ether::message::LONGEST_FRAME;
use crate::ip::{HEADER4, Prefix, Prefix6, Subnet};
use crate::log::Level;
use crate::roster::Authority;
use crate::seal::OVERHEAD;

use super::announcement::{self, Announcement};
use super::enrolment::Enrolment;
use super::flows::{Keying, Limits, MOST_FLOWS};
use super::gateways;
use super::secrets;

/// The flags that have no value.
const SWITCHES: [&str; 4] = ["plain", "drop-rights", "expedite", "json"];

/// The flags whose value is a number.
const NUMBERS: [&str; 9] = [
    "mtu",
    "most-flows",
    "queue",
    "idle",
    "groups",
    "tcp-proxy",
    "metrics-port",
    "incarnation",
    "grace",
];

/// The flags that a running node takes over when it reads its configuration again.
const LIVE: [&str; 8] =
    ["log", "most-flows", "queue", "idle", "groups", "expedite", "announce", "accept"];

/// The flags that a running node takes over if frames were sealed and are to be, under another key.
const KEYS: [&str; 2] = ["key", "other-key"];

/// A flag that nodes have had, and what to give instead. A flag that is renamed or taken away gets a line here.
const FORMER: [(&str, &str); 0] = [];

/// The largest IP packet that fits into a frame with all headers and a seal.
const MOST_MTU: u16 = 64_000;
/// The most that a frame has besides its IP packet.
pub const MOST_HEADERS: usize = NETWORK_HEADER_LEN + 4 * LONGEST_HEADER + OVERHEAD;
const _: () = assert!(MOST_MTU as usize + MOST_HEADERS <= LONGEST_FRAME);

/// Every link of IPv6 carries as much (RFC 8200, 5).
const LEAST_MTU6: u16 = 1_280;

/// The most networks in `accept`.
const MOST_ACCEPTED: usize = 64;

/// The most packets to groups in a second.
const MOST_GROUPS: u32 = 1_000;

/// What a node is to be.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The scenario of its network: nodes, scheme, routing, and for the ether the medium.
    pub scenario: PathBuf,
    /// Which of its nodes this is.
    pub node: String,
    /// Where the ether listens.
    pub ether: Option<PathBuf>,
    /// Which defaults hold of what the scenario does not give: those of the field, where nodes may vanish, or the
    /// paper's, to compare with a simulation.
    #[serde(default = "defaults")]
    pub defaults: Defaults,
    /// Instead of an ether: the network interface that frames are broadcast on.
    pub interface: Option<String>,
    /// The name of the TUN device.
    #[serde(default = "device")]
    pub tun: String,
    /// The IP addresses of the network's nodes, the same at all of them.
    #[serde(default = "network")]
    pub network: Prefix,
    /// The IPv6 addresses of the network's nodes, the same at all of them; none without it.
    pub network6: Option<Prefix6>,
    /// The networks behind this node that it announces to the others, while its machine reaches them.
    #[serde(default, deserialize_with = "announce")]
    pub announce: Vec<Subnet>,
    /// What others announce is taken if it lies in one of these; of all there is, only the default route itself.
    #[serde(default, deserialize_with = "accept")]
    pub accept: Vec<Subnet>,
    /// The networks that lie behind nodes, in a file of `[[network]]`, the same at all of them.
    pub networks: Option<PathBuf>,
    /// The largest IP packet in bytes.
    #[serde(default = "mtu")]
    pub mtu: u16,
    /// Where to listen for questions.
    pub control: Option<PathBuf>,
    /// What makes a flow.
    #[serde(default)]
    pub flows: Keying,
    /// How many flows may start here at a time.
    #[serde(default = "most_flows")]
    pub most_flows: usize,
    /// How many packets wait in each flow for the scheme.
    #[serde(default = "queue")]
    pub queue: usize,
    /// After so many seconds without a packet a flow ends.
    #[serde(default = "idle")]
    pub idle: f64,
    /// How many packets to groups (multicast and broadcast) are carried in a second, each as one for every other node.
    #[serde(default = "groups")]
    pub groups: u32,
    /// Packets whose DSCP asks for it go ahead of others in interface queues: EF, AF41 to AF43 and CS6.
    #[serde(default)]
    pub expedite: bool,
    /// At this port connections come that the kernel redirects, to be carried as streams.
    pub tcp_proxy: Option<u16>,
    /// Ways that packets take, in a file of `[[way]]`.
    pub routes: Option<PathBuf>,
    /// Write down here what the node is told and answers.
    pub record: Option<PathBuf>,
    /// Which life of the node this is, instead of what is counted, or a random number.
    pub incarnation: Option<u16>,
    /// The file with the network's key.
    pub key: Option<PathBuf>,
    /// The file with another key, of which frames are opened, too: while a network changes its key.
    pub other_key: Option<PathBuf>,
    /// The file with this node's identity, if the network's key comes with rosters.
    pub identity: Option<PathBuf>,
    /// The public key of the authority that signs rosters.
    #[serde(default, deserialize_with = "authority")]
    pub authority: Option<Authority>,
    /// The folder in which a node counts its lives, and keeps what it has heard and the newest roster.
    pub state: Option<PathBuf>,
    /// Frames are neither authenticated nor encrypted.
    #[serde(default)]
    pub plain: bool,
    /// At this port of the machine itself the counters are served over HTTP.
    pub metrics_port: Option<u16>,
    /// Which lines the log has.
    #[serde(default)]
    pub log: Level,
    /// Give up all capabilities once devices are made: routes are not restored then, and no interface is waited for.
    #[serde(default)]
    pub drop_rights: bool,
    /// The flags that were given, to compare them later.
    #[serde(skip)]
    pub given: Table,
}

impl Config {
    /// The flags in which `other` differs: those that a running node takes over, and those that it does not.
    pub fn differences(&self, other: &Self) -> (Vec<String>, Vec<String>) {
        let names: BTreeSet<&String> = self.given.keys().chain(other.given.keys()).collect();
        let differing =
            names.into_iter().filter(|name| self.given.get(*name) != other.given.get(*name));
        let live = self.live(other);
        differing.cloned().partition(|name| live.contains(&name.as_str()))
    }

    /// The flags of `other` that a running node takes over.
    fn live(&self, other: &Self) -> Vec<&'static str> {
        let sealed = self.key.is_some() && other.key.is_some();
        LIVE.into_iter().chain(KEYS.into_iter().filter(|_| sealed)).collect()
    }

    /// Take over what a running node can of `other`.
    pub fn take_over(&mut self, other: &Self) {
        let live = self.live(other);
        if live.contains(&"key") {
            self.key.clone_from(&other.key);
            self.other_key.clone_from(&other.other_key);
        }
        for name in live {
            match other.given.get(name) {
                Some(value) => drop(self.given.insert(name.to_owned(), value.clone())),
                None => drop(self.given.remove(name)),
            }
        }
        let Config { log, most_flows, queue, idle, groups, expedite, .. } = *other;
        (self.log, self.most_flows, self.queue) = (log, most_flows, queue);
        (self.idle, self.groups, self.expedite) = (idle, groups, expedite);
        self.announce.clone_from(&other.announce);
        self.accept.clone_from(&other.accept);
    }

    /// The bounds of its flows.
    pub fn limits(&self) -> Limits {
        let idle = Duration::from_seconds(self.idle);
        let Config { most_flows: flows, queue, groups, expedite, .. } = *self;
        Limits { flows, queue, idle, groups, expedite }
    }
}

/// Networks, in a list or with commas between them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Listed {
    One(String),
    Many(Vec<String>),
}

fn subnets<'de, D: Deserializer<'de>>(name: &str, given: D) -> Result<Vec<Subnet>, D::Error> {
    let form = || {
        D::Error::custom(format!(
            "{name}: it needs a list as [\"192.168.7.0/24\"], or 192.168.7.0/24,fd00:7::/32"
        ))
    };
    let texts: Vec<String> = match Listed::deserialize(given).map_err(|_| form())? {
        Listed::One(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
        Listed::Many(texts) => texts,
    };
    let read = texts.iter().map(|text| text.parse());
    read.collect::<Result<_, String>>()
        .map_err(|error| D::Error::custom(format!("{name} = {error}")))
}

fn announce<'de, D: Deserializer<'de>>(given: D) -> Result<Vec<Subnet>, D::Error> {
    subnets("announce", given)
}

fn accept<'de, D: Deserializer<'de>>(given: D) -> Result<Vec<Subnet>, D::Error> {
    subnets("accept", given)
}

fn authority<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Authority>, D::Error> {
    let text = String::deserialize(given)?;
    let authority = secrets::bytes(&text).and_then(|public| Authority::new(&public));
    authority.map(Some).ok_or_else(|| {
        D::Error::custom(format!(
            "authority = {text}: it needs the 64 hexadecimal digits that `multihop-node authority FILE` prints"
        ))
    })
}

const fn network() -> Prefix {
    Prefix::DEFAULT
}

const fn defaults() -> Defaults {
    Defaults::Field
}

fn device() -> String {
    "multihop0".to_owned()
}

const fn mtu() -> u16 {
    1_000
}

const fn most_flows() -> usize {
    256
}

const fn queue() -> usize {
    10
}

const fn groups() -> u32 {
    4
}

const fn idle() -> f64 {
    60.0
}

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Be a node.
    Run(Box<Config>),
    /// Ask the process that listens there, and print its answer.
    Ask {
        /// Where.
        socket: PathBuf,
        /// `status`, `metrics`, or `explain` with a node.
        question: String,
        /// Whether to print JSON, and not lines for people.
        json: bool,
    },
    /// Look at what a node of this configuration needs of the machine.
    Doctor {
        /// What the node is to be, or what is wrong with that.
        config: Result<Box<Config>, String>,
        /// Whether to print JSON.
        json: bool,
    },
    /// Draw a key, and write it there.
    Key(PathBuf),
    /// Print the public key of the identity there, which is drawn if there is none.
    Identity(PathBuf),
    /// Print the public key of the authority there, which is drawn if there is none.
    Authority(PathBuf),
    /// Make the next roster.
    Roster(Box<Enrolment>),
    /// Hand the roster in a file to the node that listens there.
    Spread {
        /// Where.
        socket: PathBuf,
        /// The roster.
        file: PathBuf,
    },
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
    let mut parser = Parser::from_args(arguments);
    let (mut given, mut file, mut words) = (Table::new(), None, Vec::new());
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            Arg::Short('V') | Arg::Long("version") => return Ok(Command::Version),
            Arg::Long("config") => file = Some(read(text(&mut parser)?)?),
            Arg::Long(name) if SWITCHES.contains(&name) => {
                given.insert(name.to_owned(), Value::Boolean(true));
            }
            Arg::Long(name) => {
                let name = name.to_owned();
                let value = value(&name, text(&mut parser)?);
                given.insert(name, value);
            }
            Arg::Value(word) => words.push(word.string().map_err(|error| error.to_string())?),
            Arg::Short(_) => return Err(argument.unexpected().to_string()),
        }
    }
    let json = given.remove("json").is_some();
    let ask =
        |question: String, socket: &str| Ok(Command::Ask { socket: socket.into(), question, json });
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] => configured(file, given).map(Command::Run),
        ["doctor"] => Ok(Command::Doctor { config: configured(file, given), json }),
        ["key", file] => Ok(Command::Key(file.into())),
        ["identity", file] => Ok(Command::Identity(file.into())),
        ["authority", file] => Ok(Command::Authority(file.into())),
        ["roster", authority, members, roster] => {
            let files = [authority, members, roster].map(PathBuf::from);
            Enrolment::new(files, given).map(|enrolment| Command::Roster(Box::new(enrolment)))
        }
        ["spread", socket, file] => {
            Ok(Command::Spread { socket: socket.into(), file: file.into() })
        }
        [what @ ("status" | "metrics"), socket] => ask(what.to_owned(), socket),
        ["explain", socket, node] => ask(format!("explain {node}"), socket),
        _ => Err(format!("'{}' is not understood; see --help", words.join(" "))),
    }
}

/// A file with flags, and its path.
type File = (String, Table);

/// What a file and flags before it make of a node.
fn configured(file: Option<File>, given: Table) -> Result<Box<Config>, String> {
    let (path, mut all) = file.unwrap_or_default();
    let flags: Vec<String> = given.keys().cloned().collect();
    all.extend(given);
    if all.contains_key("network6") {
        all.entry("mtu").or_insert(Value::Integer(LEAST_MTU6.into()));
    }
    let read = Config::deserialize(all.clone());
    let read = read.map_err(|error| misfit(error.message(), &path, &flags, &FORMER))?;
    check(&read)?;
    Ok(Box::new(Config { given: all, ..read }))
}

/// What serde says of flags and of the file at `path`, in the words of a user; `former` has flags of other versions, with what
/// to give instead.
fn misfit(message: &str, path: &str, flags: &[String], former: &[(&str, &str)]) -> String {
    let (plain, missing) = in_plain_words(message);
    if let Some(name) = missing {
        return format!("{name} {plain}: give --{name}, or {name} in the file of --config");
    }
    // serde names what was given first, between backticks
    let given = message.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    let Some(given) = given else { return plain };
    let is_flag = flags.iter().any(|flag| flag == given);
    let place = if is_flag { format!("--{given}") } else { format!("{path}: {given}") };
    match former.iter().find(|(name, _)| *name == given) {
        Some((_, remedy)) => format!("{place}: this version has no such flag: {remedy}"),
        None => format!("{place}: {}", plain.replacen("key", "flag", 1)),
    }
}

fn text(parser: &mut Parser) -> Result<String, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    value.string().map_err(|error| error.to_string())
}

/// The value of the flag `name`, as in TOML.
fn value(name: &str, text: String) -> Value {
    if !NUMBERS.contains(&name) {
        return Value::String(text);
    }
    let number = text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Float));
    number.unwrap_or(Value::String(text))
}

fn read(path: String) -> Result<File, String> {
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let table = toml::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok((path, table))
}

fn check(config: &Config) -> Result<(), String> {
    // RFC 791: every link carries 68 bytes
    if !(68..=MOST_MTU).contains(&config.mtu) {
        return Err(format!("mtu = {}: an IP packet has 68 to {MOST_MTU} bytes", config.mtu));
    }
    check_networks(config)?;
    if config.ether.is_some() == config.interface.is_some() {
        return Err("ether, interface: exactly one of them is the radio".to_owned());
    }
    if config.other_key.is_some() && config.key.is_none() {
        return Err("other-key: it stands beside a key".to_owned());
    }
    check_keys(config)?;
    if config.metrics_port == Some(0) {
        return Err("metrics-port = 0: it needs a port, such as 9464".to_owned());
    }
    if config.tcp_proxy == Some(0) {
        return Err("tcp-proxy = 0: it needs a port, the same at all nodes".to_owned());
    }
    if !(1..=MOST_FLOWS).contains(&config.most_flows) {
        return Err(format!("most-flows = {}: 1 to {MOST_FLOWS} are possible", config.most_flows));
    }
    if !(1..=10_000).contains(&config.queue) {
        return Err(format!("queue = {}: 1 to 10000 are possible", config.queue));
    }
    if config.groups > MOST_GROUPS {
        return Err(format!("groups = {}: 0 to {MOST_GROUPS} are possible", config.groups));
    }
    if !(config.idle > 0.0 && config.idle < 1e9) {
        return Err(format!("idle = {}: so many seconds are not possible", config.idle));
    }
    Ok(())
}

fn check_keys(config: &Config) -> Result<(), String> {
    let given = [
        ("key", config.key.is_some()),
        ("identity", config.identity.is_some()),
        ("plain", config.plain),
    ];
    let given: Vec<&str> =
        given.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    let wrong = match given[..] {
        [] => "key: give the network's key, or identity and authority, or --plain".to_owned(),
        [_, _, ..] => format!("{}: it can only be one of them", given.join(" and ")),
        _ if config.identity.is_some() != config.authority.is_some() => {
            "identity and authority: rosters need both of them".to_owned()
        }
        ["plain"] => return Ok(()),
        [name] if config.state.is_none() => format!("state: with {name}, a folder is needed"),
        _ => return Ok(()),
    };
    Err(wrong)
}

fn check_networks(config: &Config) -> Result<(), String> {
    if config.network6.is_some() && config.mtu < LEAST_MTU6 {
        return Err(format!(
            "mtu = {}: IPv6 (network6) needs {LEAST_MTU6} or more, at all nodes",
            config.mtu
        ));
    }
    let inside = [Some(config.network.subnet()), config.network6.map(Prefix6::subnet)];
    for (name, networks) in [("announce", &config.announce), ("accept", &config.accept)] {
        for network in networks {
            let wrong = |why: &str| Err(format!("{name} = {network}: {why}"));
            if network.is_ipv6() && config.network6.is_none() {
                return wrong("IPv6 needs network6, the same at all nodes");
            }
            if gateways::is_reserved(*network) {
                return wrong("such addresses lie behind no node");
            }
            if inside.iter().flatten().any(|inside| inside.covers(*network)) {
                return wrong("these are addresses of nodes (network, network6)");
            }
        }
    }
    if config.announce.len() > announcement::MOST || config.accept.len() > MOST_ACCEPTED {
        return Err(format!(
            "announce, accept: {} and {} networks; {} and {MOST_ACCEPTED} are possible",
            config.announce.len(),
            config.accept.len(),
            announcement::MOST
        ));
    }
    let networks = config.announce.iter().copied().collect();
    let announcement = Announcement { networks, ..Announcement::default() };
    let needed = HEADER4 + announcement.emit().len();
    if usize::from(config.mtu) < needed {
        return Err(format!("mtu = {}: these announcements need {needed} bytes", config.mtu));
    }
    if !config.accept.is_empty() && config.drop_rights {
        return Err(
            "accept and drop-rights: routes to announced networks need the right to change \
                    routes; leave one of them out"
                .to_owned(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
