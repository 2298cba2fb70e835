//! A node as a process: its loop over the TUN device, the radio, questions, signals and time.

use std::collections::BTreeSet;
use std::io::{self, BufWriter};
use std::os::fd::AsFd;

use multihop_core::{Duration, NodeId, Receiver, Time};
use multihop_routing::Life;
use multihop_setup::Setup;
use rustix::io::Errno;

use crate::clock::Clock;
use crate::ether::message::{Hello, ToEther};
use crate::ip::Subnet;
use crate::log::{self, Level};
use crate::notify::Notify;
use crate::proxy::switch::Proxy;
use crate::reactor::{self, Until};
use crate::scenario;
use crate::seal::Seal;
use crate::signals::{Asked, Signals};

use super::config::Config;
use super::control::{self, Control};
use super::ether_port::{self, EtherPort};
use super::exposition::Exposition;
use super::flows::Flows;
use super::host::{Host, Order};
use super::keyring;
use super::member::{self, Ways};
use super::memory::Memory;
use super::network::Network;
use super::port::Event;
use super::radio::Radio;
use super::report::{self, View};
use super::rights;
use super::secrets;
use super::tun::{Standing, Tun};
use super::wire::{self, WirePort};

mod keys;

/// So much of one file is read before the others have their turn.
const TURN: usize = 16;

/// So often a node that never had a radio is told that there is none for it, before it gives up.
const MOST_REFUSALS: u32 = 5;

/// At most this often the TUN device is looked after: somebody may change routes all the time.
const LOOK: Duration = Duration::from_millis(1_000);

/// A node that has no radio for so long says why.
const RADIO_PATIENCE: Duration = Duration::from_millis(3_000);

/// The longest IP packet.
const LONGEST_PACKET: usize = 65_535;

/// Reads the configuration of this process again.
pub type Reread = fn() -> Result<Box<Config>, String>;

/// A node.
pub struct Daemon {
    config: Config,
    reread: Reread,
    setup: Setup,
    me: NodeId,
    host: Host,
    /// What seals frames, unless they are plain.
    seal: Option<Seal>,
    memory: Option<Memory>,
    radio: Radio,
    /// When to say why there is no radio, if there is still none then.
    radio_due: Time,
    tun: Tun,
    standing: Standing,
    look_due: Time,
    /// How often the choice of gateways had changed when the device was told of it.
    told: u64,
    proxy: Option<Proxy>,
    control: Option<Control>,
    exposition: Option<Exposition>,
    notify: Notify,
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

/// The remedy if a service's sandbox has no sockets of this kind.
fn forbidden(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(code) if code == Errno::AFNOSUPPORT.raw_os_error() => {
            "; the service forbids such sockets, and local.conf of the package allows them"
        }
        _ => "",
    }
}

/// The proxy that `config` wants, if it wants one.
fn proxy(config: &Config, me: NodeId, life: u16) -> Result<Option<Proxy>, String> {
    let proxy = config.tcp_proxy.map(|port| {
        Proxy::new(me, config.network, port, config.mtu, life)
            .map_err(|error| format!("tcp-proxy = {port}: {error}{}", forbidden(&error)))
    });
    proxy.transpose()
}

/// What the node has heard in earlier lives, which `seal` is told.
fn memory(config: &Config, seal: Option<&mut Seal>) -> Option<Memory> {
    let (seal, path) = (seal?, keyring::kept(config, "heard")?);
    let memory = Memory::new(path, Time::ZERO);
    if let Err(message) = memory.recall(seal) {
        log::warn(&format!(
            "{message}; frames that were recorded before this start may be taken again"
        ));
    }
    Some(memory)
}

impl Daemon {
    /// The node that `config` describes, with its TUN device; its radio is not on yet.
    ///
    /// # Errors
    /// With a message for the user.
    pub fn new(config: Config, reread: Reread) -> Result<Self, String> {
        log::show(config.log);
        let setup = scenario::read(&config.scenario, config.defaults)?;
        let number = member::find(&setup, &config.node)?;
        let network = Network::configured(&config, &setup, number)?;
        let me = network.me;
        let membership = keyring::membership(&config, me)?;
        let (mut seal, incarnation) = keyring::begin(&config, me, membership.as_ref())?;
        let network = network.with_gateways(config.accept.clone(), incarnation);
        let memory = memory(&config, seal.as_mut());
        let life = Life { incarnation, since: Time::ZERO };
        let node = member::node(&setup, number, &ways(&config)?, life)?;
        let flows = Flows::new(me, config.flows, config.limits(), incarnation);
        let mut host = Host::new(node, network, flows).with_mtu(config.mtu);
        host.announce_networks(Time::ZERO, &config.announce);
        if let Some(membership) = membership {
            host = host.with_membership(membership);
        }
        if let Some(path) = &config.record {
            let file = secrets::private_file(path).map_err(at(path))?;
            host.record(Box::new(BufWriter::new(file)));
        }
        let control = match &config.control {
            Some(path) => Some(Control::new(path).map_err(at(path))?),
            None => None,
        };
        let exposition = config.metrics_port.map(|port| {
            Exposition::new(port)
                .map_err(|error| format!("metrics-port = {port}: {error}{}", forbidden(&error)))
        });
        let exposition = exposition.transpose()?;
        let proxy = proxy(&config, me, incarnation)?;
        let radio = radio(&config, &setup, &host, number)?;
        let network = host.network();
        let tun = Tun::new(&config.tun, network.families(), network.elsewhere(), config.mtu);
        let tun = tun.map_err(|error| {
            format!(
                "the TUN device {} cannot be made: {error}; `multihop-node doctor` says what is missing",
                config.tun
            )
        })?;
        let keep = if config.drop_rights {
            rights::none()
        } else {
            rights::needed(config.interface.is_some())
        };
        if let Err(error) = rights::keep(keep) {
            let message = format!("rights cannot be given up: {error}");
            if config.drop_rights {
                return Err(format!("{message}; local.conf of the package lets a service do so"));
            }
            log::warn(&message);
        }
        Ok(Daemon {
            config,
            reread,
            setup,
            me,
            host,
            seal,
            memory,
            radio,
            radio_due: Time::ZERO + RADIO_PATIENCE,
            tun,
            standing: Standing::Ready,
            look_due: Time::ZERO,
            told: 0,
            proxy,
            control,
            exposition,
            notify: Notify::from_environment(),
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
        let scheme = self.setup.scheme_of(self.setup.addresses.number(self.me)).name;
        let families = self.host.network().families();
        let addresses = families.iter().map(|family| family.address.to_string());
        let addresses = addresses.collect::<Vec<_>>().join(" and ");
        let (name, tun) = (&self.config.node, &self.config.tun);
        log::info(&format!("{name} is {addresses} on {tun}, over {scheme}"));
        self.notify.ready();
        let ended = self.rounds(signals);
        self.notify.stopping();
        self.host.finish_recording();
        if let (Some(memory), Some(seal)) = (&self.memory, &self.seal)
            && let Err(message) = memory.write(seal)
        {
            log::warn(&message);
        }
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
            self.look_after(now);
            self.obey()?;
            let ready = self.wait(signals).map_err(failed)?;
            match signals.take().map_err(failed)? {
                Some(Asked::End) => return Ok(()),
                Some(Asked::Reload) => self.reload(),
                None => {}
            }
            let asked = self.exposition.as_ref().map_or(Time::NEVER, |asked| asked.deadline(now));
            if ready.questions || asked <= now {
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

    /// What is due besides packets: signs of life, what was heard, the device, and why there is no radio.
    fn look_after(&mut self, now: Time) {
        self.notify.on_time(now, self.clock.scale());
        if let (Some(memory), Some(seal)) = (&mut self.memory, &self.seal)
            && let Err(message) = memory.on_time(now, seal)
        {
            log::warn(&message);
        }
        if self.host.network().gateways.changes() != self.told {
            self.look_due = self.look_due.min(now + LOOK);
        }
        if self.look_due <= now {
            self.look_due = Time::NEVER;
            self.look_after_networks(now);
            let standing = self.tun.look_after();
            if std::mem::replace(&mut self.standing, standing) != standing {
                let line = format!("the TUN device {}: {}", self.config.tun, standing.words());
                let level = if standing == Standing::Ready { Level::Info } else { Level::Warning };
                log::say(level, &line);
                self.notify.status(&line);
            }
        }
        if self.radio_due <= now {
            self.radio_due = Time::NEVER;
            if let Some(why) = self.radio.lacks() {
                log::warn(&format!("there is no radio yet, and it is waited for: {why}"));
                self.notify.status(&format!("waiting for a radio: {why}"));
            }
        }
    }

    /// Routes to the networks that others announce, and whether the machine reaches those that this node announces.
    fn look_after_networks(&mut self, now: Time) {
        let network = self.host.network();
        let changes = network.gateways.changes();
        if changes != self.told {
            self.told = changes;
            let announced: Vec<_> = network.announced().collect();
            let gateways = network.gateways.chosen().len();
            log::info(&format!("{gateways} networks are announced by other nodes"));
            self.tun.set_announced(announced);
        }
        let own = self.host.network().announcer.own();
        let reached: BTreeSet<Subnet> =
            own.keys().copied().filter(|network| self.tun.reaches(*network)).collect();
        let before = own.clone();
        self.host.set_reached(now, |network| reached.contains(&network));
        for (network, reached) in self.host.network().announcer.own() {
            if before.get(network) != Some(reached) {
                let words = if *reached { "reaches" } else { "does not reach" };
                log::info(&format!("the machine {words} {network}, which this node announces"));
            }
        }
        if &before != self.host.network().announcer.own() {
            let announced = self.host.network().announced().collect();
            self.tun.set_announced(announced);
        }
    }

    /// Read the configuration again, and take over what a running node can.
    fn reload(&mut self) {
        self.notify.reloading();
        let read = (self.reread)().and_then(|config| Ok((keyring::keys(&config)?, config)));
        match read {
            Ok((keys, config)) => {
                let (taken, left) = self.config.differences(&config);
                self.config.take_over(&config);
                log::show(self.config.log);
                self.host.set_limits(self.config.limits());
                let now = self.clock.now();
                self.host.announce_networks(now, &self.config.announce);
                self.host.set_accept(self.config.accept.clone());
                self.look_due = now;
                self.set_keys(keys.as_ref());
                let taken = if taken.is_empty() { "nothing".to_owned() } else { taken.join(", ") };
                log::info(&format!("the configuration was read again; taken over: {taken}"));
                if !left.is_empty() {
                    log::warn(&format!("a restart is needed for: {}", left.join(", ")));
                }
            }
            Err(message) => log::error(&format!("the configuration stays as it was: {message}")),
        }
        self.notify.ready();
    }

    /// When something is due that no file says.
    fn deadline(&self, now: Time) -> Time {
        let others = [
            self.proxy.as_ref().map(|proxy| proxy.deadline(now)),
            self.control.as_ref().map(|control| control.deadline(now)),
            self.exposition.as_ref().map(|exposition| exposition.deadline(now)),
            self.memory.as_ref().map(Memory::deadline),
        ];
        let own = [self.host.deadline(), self.radio.deadline(), self.notify.deadline()];
        let looks = [self.look_due, self.radio_due];
        let all = others.into_iter().flatten().chain(own).chain(looks);
        all.min().unwrap_or(Time::NEVER)
    }

    fn wait(&mut self, signals: &Signals) -> io::Result<Ready> {
        let now = self.clock.now();
        let mut files = vec![
            (signals.as_fd(), Until::Readable),
            (self.tun.as_fd(), Until::Readable),
            (self.tun.news(), Until::Readable),
        ];
        let radio = files.len();
        files.extend(self.radio.file());
        let questions = files.len();
        files.extend(self.control.iter().flat_map(|control| control.files(now)));
        files.extend(self.exposition.iter().flat_map(|exposition| exposition.files(now)));
        let connections = files.len();
        files.extend(self.proxy.iter().flat_map(|proxy| proxy.files(now)));
        let timeout = {
            let until = self.deadline(now);
            self.clock.wait(now, until)
        };
        let ready = reactor::wait(&files, timeout)?;
        if ready[2] && self.tun.has_news() {
            self.look_due = self.look_due.min(now + LOOK);
        }
        if let Some(proxy) = &mut self.proxy {
            proxy.on_ready(self.clock.now(), &self.host, &ready[connections..]);
        }
        Ok(Ready {
            tun: ready[1],
            radio: ready[radio..questions].contains(&true),
            questions: ready[questions..connections].contains(&true),
        })
    }

    /// Applications have sent something.
    fn read(&mut self) -> io::Result<()> {
        for _ in 0..TURN {
            let Some(len) = self.tun.receive(&mut self.buffer)? else { break };
            let now = self.clock.now();
            self.host.on_ip(now, &self.buffer[..len]);
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
                    log::info("the radio is on");
                    self.notify.status("the radio is on");
                }
                Event::Lost => {
                    self.host.on_radio_lost(now);
                    log::warn("the radio is gone");
                    self.radio_due = now + RADIO_PATIENCE;
                }
                Event::Refused(reason) => self.refused(&reason)?,
                Event::Done(done) => self.host.on_done(now, &done),
                Event::Heard(heard) => {
                    self.host.on_frame(now, &heard, self.seal.as_mut());
                    if let (Some(memory), Some(seal)) = (&mut self.memory, &mut self.seal) {
                        memory.on_heard(now, seal);
                    }
                }
                Event::Foreign => self.host.counters.foreign += 1,
                Event::NotTaken => self.host.counters.frames_not_taken += 1,
                Event::Air(air) => self.host.on_air(now, air),
            }
            self.obey()?;
        }
        Ok(())
    }

    /// Who has had a radio waits for another: its old connection may not be forgotten yet.
    fn refused(&mut self, reason: &str) -> Result<(), String> {
        self.refusals = self.refusals.saturating_add(1);
        let reason = format!("there is no radio for {}: {reason}", self.config.node);
        if !self.joined && self.refusals >= MOST_REFUSALS {
            return Err(reason);
        }
        if self.refusals == 1 {
            log::warn(&format!("{reason}; trying again"));
        }
        Ok(())
    }

    /// What goes on the air for a packet.
    fn frame(&mut self, to: Receiver, packet: Vec<u8>) -> Result<Vec<u8>, String> {
        let Some(seal) = &mut self.seal else { return Ok(packet) };
        if seal.is_spent() {
            keyring::renew(&self.config, seal)?;
        }
        Ok(seal.close(to, &packet))
    }

    /// Do what the host wants.
    fn obey(&mut self) -> Result<(), String> {
        while let Some(order) = self.host.poll_order() {
            // if the ether is gone, the port says so when it is listened to
            let _ = match order {
                Order::Send(request, class) => {
                    let frame = self.frame(request.to, request.packet.emit())?;
                    self.radio.send(&request, class, frame)
                }
                Order::Withdraw => self.radio.say(&ToEther::Withdraw),
                Order::Broadcast(frame) => self.radio.broadcast(frame),
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
                Order::Keys => {
                    self.take_keys()?;
                    Ok(())
                }
                Order::Keep => {
                    self.keep_roster();
                    Ok(())
                }
            };
        }
        Ok(())
    }

    /// Answer who asks.
    fn answer(&mut self) {
        let now = self.clock.now();
        if let Some(mut control) = self.control.take() {
            control.serve(now, |question| self.answer_to(now, question));
            self.control = Some(control);
        }
        if let Some(mut exposition) = self.exposition.take() {
            exposition.serve(now, || report::metrics(self.view(None)));
            self.exposition = Some(exposition);
        }
    }

    fn answer_to(&mut self, now: Time, question: &str) -> String {
        if let Some(part) = question.strip_prefix("roster ") {
            let part = secrets::vector(part).unwrap_or_default();
            return match self.host.bring(now, &part) {
                Ok(true) => control::TAKEN.to_owned(),
                Ok(false) => control::KNOWN.to_owned(),
                Err(why) => why.to_owned(),
            };
        }
        let radio_lacks = self.radio.lacks();
        let view = self.view(radio_lacks.as_deref());
        match question.split_once(' ') {
            None if question == "status" => report::status(view, now).to_string(),
            None if question == "metrics" => report::metrics(view),
            Some(("explain", node)) => report::explanation(view, now, node).to_string(),
            _ => "status, metrics, explain with a node, or roster with a part?".to_owned(),
        }
    }

    fn view<'a>(&'a self, radio_lacks: Option<&'a str>) -> View<'a> {
        View {
            config: &self.config,
            setup: &self.setup,
            host: &self.host,
            seal: self.seal.as_ref(),
            radio_lacks,
            standing: self.standing,
            proxy: self.proxy.as_ref(),
            time_scale: self.clock.scale(),
        }
    }
}

/// What can be read.
#[derive(Default)]
struct Ready {
    tun: bool,
    radio: bool,
    questions: bool,
}
