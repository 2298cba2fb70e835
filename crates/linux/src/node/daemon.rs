//! A node as a process: its loop over the TUN device, the radio, questions, signals and time.

use std::fs::File;
use std::io::{self, BufWriter};
use std::os::fd::AsFd;

use multihop_core::{Duration, NodeId, Time};
use multihop_routing::Life;
use multihop_setup::Setup;
use serde_json::json;

use crate::clock::Clock;
use crate::ether::message::{Hello, ToEther};
use crate::ip;
use crate::log;
use crate::proxy::switch::Proxy;
use crate::reactor::{self, Until};
use crate::scenario;
use crate::seal::Seal;
use crate::signals::Signals;

use super::config::Config;
use super::control::Control;
use super::flows::{Flows, Limits};
use super::host::{Host, Order};

use super::ether_port::{self, EtherPort};
use super::member::{self, Ways};
use super::port::Event;
use super::radio::Radio;
use super::secrets;
use super::tun::Tun;
use super::wire::{self, WirePort};

/// So much of one file is read before the others have their turn.
const TURN: usize = 16;

/// So often a node that never had a radio is told that there is none for it, before it gives up.
const MOST_REFUSALS: u32 = 5;

/// So many flows are listed in an answer, which is one message of a socket.
const MOST_LISTED: usize = 1_000;

/// The longest IP packet.
const LONGEST_PACKET: usize = 65_535;

/// A node.
pub struct Daemon {
    name: String,
    setup: Setup,
    me: NodeId,
    host: Host,
    /// What seals frames, unless they are plain.
    seal: Option<Seal>,
    radio: Radio,
    tun: Tun,
    proxy: Option<Proxy>,
    control: Option<Control>,
    clock: Clock,
    /// Whether it has ever had a radio.
    joined: bool,
    refusals: u32,
    /// Where IP packets are read to.
    buffer: Vec<u8>,
}

fn at(path: &std::path::Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn ways(config: &Config) -> Result<Ways, String> {
    let Some(path) = &config.routes else { return Ok(Ways::default()) };
    let text = std::fs::read_to_string(path).map_err(at(path))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The radio that `config` wants.
fn radio(config: &Config, setup: &Setup, host: &Host, number: NodeId) -> Result<Radio, String> {
    let (scheme, params) = (setup.scheme_of(number), setup.params_of(number));
    let me = setup.addresses.address(number);
    if let Some(path) = &config.ether {
        if let Some(lacking) = scheme.lacks(params, ether_port::offers) {
            return Err(format!("{} needs {lacking}, which the ether has not", scheme.title));
        }
        let (promiscuous, watches_air) = (host.promiscuous(), host.watches_air());
        let hello = Hello { address: me, promiscuous, watches_air };
        return Ok(Radio::Ether(EtherPort::new(path.clone(), hello)));
    }
    let name = config.interface.as_deref().unwrap_or_default();
    if let Some(lacking) = scheme.lacks(params, wire::offers) {
        return Err(format!("{} needs {lacking}, which a network interface has not", scheme.title));
    }
    let port = WirePort::new(name, me, params.link.data_rate);
    port.map(Radio::Wire).map_err(|error| format!("{name}: {error}"))
}

/// The proxy that `config` wants, if it wants one.
fn proxy(config: &Config, me: NodeId, life: u16) -> Result<Option<Proxy>, String> {
    let proxy = config.tcp_proxy.map(|port| {
        Proxy::new(me, port, config.mtu, life)
            .map_err(|error| format!("tcp-proxy = {port}: {error}"))
    });
    proxy.transpose()
}

impl Daemon {
    /// The node that `config` describes, with its TUN device; its radio is not on yet.
    ///
    /// # Errors
    /// With a message for the user.
    pub fn new(config: &Config) -> Result<Self, String> {
        let setup = scenario::read(&config.scenario, config.defaults)?;
        let number = member::find(&setup, &config.node)?;
        let network = member::network(&setup, number);
        let me = network.me;
        let (seal, incarnation) = secrets::begin(config, me)?;
        let life = Life { incarnation, since: Time::ZERO };
        let node = member::node(&setup, number, &ways(config)?, life)?;
        let limits = Limits {
            flows: config.most_flows,
            queue: config.queue,
            idle: Duration::from_seconds(config.idle),
        };
        let flows = Flows::new(me, config.flows, limits, incarnation);
        let mut host = Host::new(node, network, flows);
        if let Some(path) = &config.record {
            let file = File::create(path).map_err(at(path))?;
            host.record(Box::new(BufWriter::new(file)));
        }
        let control = match &config.control {
            Some(path) => Some(Control::new(path).map_err(at(path))?),
            None => None,
        };
        let proxy = proxy(config, me, incarnation)?;
        let radio = radio(config, &setup, &host, number)?;
        let tun = Tun::new(&config.tun, ip::address(me), config.mtu).map_err(|error| {
            format!(
                "the TUN device {} cannot be made: {error}; `multihop doctor` says what is missing",
                config.tun
            )
        })?;
        Ok(Daemon {
            name: config.node.clone(),
            setup,
            me,
            host,
            seal,
            radio,
            tun,
            proxy,
            control,
            clock: Clock::new(1.0),
            joined: false,
            refusals: 0,
            buffer: vec![0; LONGEST_PACKET],
        })
    }

    /// Run until a signal asks for the end.
    ///
    /// # Errors
    /// If the device is gone, or there is no radio for this node.
    pub fn run(&mut self, signals: &mut Signals) -> Result<(), String> {
        reactor::be_punctual();
        let ended = self.rounds(signals);
        self.host.finish_recording();
        ended
    }

    fn rounds(&mut self, signals: &mut Signals) -> Result<(), String> {
        let failed = |error: io::Error| error.to_string();
        loop {
            let now = self.clock.now();
            self.radio.on_time(now);
            if self.host.deadline() <= now {
                self.host.on_time(now);
            }
            if let Some(proxy) = &mut self.proxy {
                proxy.serve(now, &mut self.host);
            }
            self.obey();
            let ready = self.wait(signals).map_err(failed)?;
            if signals.take().map_err(failed)? {
                return Ok(());
            }
            if ready.control {
                self.answer();
            }
            if ready.radio || self.radio.deadline() <= now {
                self.listen()?;
            }
            if ready.tun {
                self.read().map_err(|error| format!("the TUN device is gone: {error}"))?;
            }
        }
    }

    fn wait(&mut self, signals: &Signals) -> io::Result<Ready> {
        let proxy = self.proxy.as_ref().map_or(Time::NEVER, Proxy::deadline);
        let until = self.host.deadline().min(self.radio.deadline()).min(proxy);
        let timeout = {
            let now = self.clock.now();
            self.clock.wait(now, until)
        };
        let mut files =
            vec![(signals.as_fd(), Until::Readable), (self.tun.as_fd(), Until::Readable)];
        let radio = self.radio.file();
        let first_guest = files.len() + usize::from(radio.is_some());
        files.extend(radio);
        let control = self.control.iter().flat_map(Control::files);
        files.extend(control.map(|file| (file, Until::Readable)));
        let first_connection = files.len();
        files.extend(self.proxy.iter().flat_map(Proxy::files));
        let ready = reactor::wait(&files, timeout)?;
        if let Some(proxy) = &mut self.proxy {
            proxy.on_ready(self.clock.now(), &self.host, &ready[first_connection..]);
        }
        Ok(Ready {
            tun: ready[1],
            radio: first_guest > 2 && ready[2],
            control: ready[first_guest..first_connection].contains(&true),
        })
    }

    /// Applications have sent something.
    fn read(&mut self) -> io::Result<()> {
        for _ in 0..TURN {
            let Some(len) = self.tun.receive(&mut self.buffer)? else { break };
            let now = self.clock.now();
            self.host.on_ip(now, &self.buffer[..len]);
            self.obey();
        }
        Ok(())
    }

    /// The radio says something.
    fn listen(&mut self) -> Result<(), String> {
        for _ in 0..TURN {
            let now = self.clock.now();
            let Some(event) = self.radio.poll(now) else { break };
            match event {
                Event::On { time_scale } => {
                    if time_scale.to_bits() != self.clock.scale().to_bits() {
                        self.clock.set_scale(time_scale);
                    }
                    (self.joined, self.refusals) = (true, 0);
                    let now = self.clock.now();
                    self.host.on_radio(now);
                }
                Event::Lost => self.host.on_radio_lost(now),
                Event::Refused(reason) => self.refused(&reason)?,
                Event::Done(done) => self.host.on_done(now, &done),
                Event::Heard(heard) => self.host.on_frame(now, &heard, self.seal.as_mut()),
                Event::Air(air) => self.host.on_air(now, air),
            }
            self.obey();
        }
        Ok(())
    }

    /// Who has had a radio waits for another: its old connection may not be forgotten yet.
    fn refused(&mut self, reason: &str) -> Result<(), String> {
        self.refusals = self.refusals.saturating_add(1);
        let reason = format!("there is no radio for {}: {reason}", self.name);
        if !self.joined && self.refusals >= MOST_REFUSALS {
            return Err(reason);
        }
        if self.refusals == 1 {
            log::say(&format!("multihop-node: {reason}; trying again"));
        }
        Ok(())
    }

    /// Do what the host wants.
    fn obey(&mut self) {
        while let Some(order) = self.host.poll_order() {
            // if the ether is gone, the port says so when it is listened to
            let _ = match order {
                Order::Send(request, class) => {
                    let packet = request.packet.emit();
                    let frame = match &mut self.seal {
                        Some(seal) => seal.close(request.to, &packet),
                        None => packet,
                    };
                    self.radio.send(&request, class, frame)
                }
                Order::Withdraw => self.radio.say(&ToEther::Withdraw),
                Order::Mark => self.radio.say(&ToEther::Mark),
                Order::AskAir => self.radio.say(&ToEther::AskAir),
                Order::Deliver(bytes) => {
                    let now = self.clock.now();
                    let taken =
                        self.proxy.as_mut().is_some_and(|proxy| proxy.on_packet(now, &bytes));
                    if !taken && self.tun.send(&bytes).is_err() {
                        self.host.counters.not_taken += 1;
                    }
                    Ok(())
                }
            };
        }
    }

    fn answer(&mut self) {
        let Some(mut control) = self.control.take() else { return };
        let now = self.clock.now();
        control.serve(|question| match question {
            "status" => self.status(now),
            "metrics" => self.metrics(),
            _ => "status or metrics?".to_owned(),
        });
        self.control = Some(control);
    }

    fn metrics(&self) -> String {
        let (backlog, footprint) = self.host.load();
        let gauges = [
            ("radio_on", "1 if there is a radio", u64::from(self.host.has_radio())),
            ("flows", "flows that start here", self.host.flows().all().len() as u64),
            ("backlog", "packets inside the node", backlog as u64),
            ("footprint", "entries that packets of others have made", footprint as u64),
        ];
        self.host.counters.open_metrics(&self.name, &gauges)
    }

    fn status(&self, now: Time) -> String {
        let all = self.host.flows().all();
        let (count, listed) = (all.len(), all.take(MOST_LISTED));
        let flows = listed.map(|flow| {
            json!({
                "to": ip::address(flow.flow.destination).to_string(),
                "label": flow.flow.label,
                "packets": flow.packets,
                "waiting": flow.queue.len(),
            })
        });
        let (backlog, footprint) = self.host.load();
        let rows = self.host.counters.rows();
        let counters: serde_json::Map<_, _> =
            rows.into_iter().map(|(name, _, value)| (name.to_owned(), value.into())).collect();
        json!({
            "node": self.name,
            "address": ip::address(self.me).to_string(),
            "scheme": self.setup.scheme_of(self.setup.addresses.number(self.me)).name,
            "routing": self.setup.routing.protocol.name,
            "now_s": now.seconds(),
            "time_scale": self.clock.scale(),
            "radio": self.host.has_radio(),
            "flow_count": count,
            "flows": flows.collect::<Vec<_>>(),
            "backlog": backlog,
            "footprint": footprint,
            "proxy": self.proxy.as_ref().map(|proxy| json!({
                "streams": proxy.len(),
                "carried": proxy.counts.streams,
                "refused": proxy.counts.refused,
                "malformed": proxy.counts.malformed,
            })),
            "counters": counters,
            "dropped": self.host.counters.dropped,
        })
        .to_string()
    }
}

/// What can be read.
struct Ready {
    tun: bool,
    radio: bool,
    control: bool,
}
