//! A medium and its nodes in virtual time: what processes and sockets do in real time, without their delays.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{Defaults, Duration, FrameClass, NodeId, Receiver, Time};
use multihop_linux::ether::air::Air;
use multihop_linux::ether::message::{FromEther, Hello, Offer, Reception, ToEther};
use multihop_linux::ip::Prefix;
use multihop_linux::node::flows::{Flows, Keying, Limits};
use multihop_linux::node::host::{Host, Order};
use multihop_linux::node::member::{self, Ways};
use multihop_linux::node::network::Network;
use multihop_linux::seal::{NetworkKey, Seal};
use multihop_routing::Life;
use multihop_scenario::{Registry, from_toml};
use multihop_setup::Setup;

/// A network.
pub struct World {
    pub air: Air,
    pub hosts: Vec<Host>,
    pub now: Time,
    /// What applications got, by node.
    pub delivered: BTreeMap<u32, Vec<Vec<u8>>>,
    /// Who is no node of this world, and what it was told.
    other: Option<NodeId>,
    /// How many nodes have been killed.
    lives: u16,
    told: Vec<FromEther>,
    /// So much later than it happens nodes hear of what the medium does.
    pub lag: Duration,
    /// What they have not heard of yet, and when they do.
    late: VecDeque<(Time, NodeId, FromEther)>,
    /// What seals frames, by node; nothing if they are plain.
    seals: Vec<Seal>,
    /// What the nodes have heard, as it was on the air, if somebody listens in.
    pub overheard: Option<Vec<(NodeId, Reception)>>,
    /// To whom the frame goes that each radio has; nobody for one that is for everybody.
    goes_to: Vec<Option<NodeId>>,
    /// Transmissions of frames so far, by receiver.
    pub transmissions: BTreeMap<Option<NodeId>, u64>,
}

pub fn setup(text: &str) -> Setup {
    from_toml(text).and_then(|scenario| scenario.setup()).unwrap_or_else(|error| panic!("{error}"))
}

/// What `multihop-node` makes of a scenario: with the defaults of the field.
pub fn in_the_field(text: &str) -> Setup {
    let registry = Registry::default().with_defaults(Defaults::Field);
    let setup = from_toml(text).and_then(|scenario| scenario.setup_with(&registry));
    setup.unwrap_or_else(|error| panic!("{error}"))
}

/// A chain of so many hops over which nothing is sent by itself.
pub fn chain(hops: u32, scheme: &str) -> Setup {
    setup(&format!(
        "[topology]\nkind = \"chain\"\nhops = {hops}\n[scheme]\n{scheme}\n[traffic]\nload = \"1 kbit/s\"\n"
    ))
}

/// Node number `number` of `setup` in this life.
pub fn host(setup: &Setup, number: u32, life: Life) -> Host {
    told(setup, number, life, &Ways::default())
}

/// The same, and it is told these ways.
pub fn told(setup: &Setup, number: u32, life: Life, ways: &Ways) -> Host {
    bounded(setup, number, life, ways, 256)
}

/// The same, and it has so many flows at most.
pub fn bounded(setup: &Setup, number: u32, life: Life, ways: &Ways, flows: usize) -> Host {
    let network = Network::new(setup, NodeId(number), Prefix::DEFAULT);
    of_network(setup, network, (life, ways), flows)
}

/// Node `network.me` of `setup`, with this network.
pub fn of_network(
    setup: &Setup,
    network: Network,
    (life, ways): (Life, &Ways),
    flows: usize,
) -> Host {
    let number = setup.addresses.number(network.me);
    let node = member::node(setup, number, ways, life).expect("ways are of nodes that there are");
    let limits =
        Limits { flows, queue: 10, idle: Duration::from_millis(60_000), groups: 4, expedite: true };
    let flows = Flows::new(network.me, Keying::FiveTuple, limits, life.incarnation);
    Host::new(node, network, flows)
}

/// What seals the frames of node number `node` in this life.
fn seal(node: u32, life: u32) -> Seal {
    Seal::new(&NetworkKey([7; 32]), NodeId(node), life, life.to_be_bytes())
}

impl World {
    /// All nodes of `setup`, with their radios on.
    pub fn new(setup: &Setup) -> Self {
        let hosts = (0..setup.nodes.len() as u32).map(|node| host(setup, node, Life::default()));
        let mut world = World {
            air: Air::new(setup.clone()).expect("it has radios"),
            hosts: hosts.collect(),
            now: Time::ZERO,
            delivered: BTreeMap::new(),
            other: None,
            lives: 0,
            told: Vec::new(),
            lag: Duration::ZERO,
            late: VecDeque::new(),
            seals: Vec::new(),
            overheard: None,
            goes_to: vec![None; setup.nodes.len()],
            transmissions: BTreeMap::new(),
        };
        for node in 0..setup.nodes.len() as u32 {
            world.join(node);
        }
        world
    }

    /// The same, of hosts that `make` has made.
    pub fn of(setup: &Setup, make: impl Fn(u32) -> Host) -> Self {
        let mut world = World::new(setup);
        for node in 0..setup.nodes.len() as u32 {
            world.begin(node, make(node));
        }
        world
    }

    /// The same, and all frames are sealed: with the keys of rosters, or `key` where a host knows of none.
    pub fn of_members(setup: &Setup, key: &NetworkKey, make: impl Fn(u32) -> Host) -> Self {
        let mut world = World::new(setup);
        let nodes = 0..setup.nodes.len() as u32;
        let seal = |node| Seal::new(key, NodeId(node), 1, [1; 4]);
        world.seals = nodes.clone().map(seal).collect();
        for node in nodes {
            world.begin(node, make(node));
        }
        world
    }

    /// Node `node`, whose radio is on, is this one from now on.
    pub fn begin(&mut self, node: u32, host: Host) {
        self.hosts[node as usize] = host;
        if self.hosts[node as usize].membership().is_some() {
            self.take_keys(node);
        }
        self.hosts[node as usize].on_radio(self.now);
        self.obey(node);
    }

    /// A node seals with the keys that rosters give, as its daemon does.
    fn take_keys(&mut self, node: u32) {
        let membership = self.hosts[node as usize].membership().expect("it knows of rosters");
        let seal = &mut self.seals[node as usize];
        match membership.keys() {
            Some((key, others)) => seal.set_keys(key, others),
            None => seal.set_keys(&NetworkKey([100 + node as u8; 32]), []),
        }
    }

    /// The same, and all frames are sealed with a key.
    pub fn sealed(setup: &Setup) -> Self {
        let mut world = World::new(setup);
        world.seals = (0..setup.nodes.len() as u32).map(|node| seal(node, 1)).collect();
        world
    }

    /// Node `node` switches its radio on.
    pub fn join(&mut self, node: u32) {
        let host = &mut self.hosts[node as usize];
        let address = self.air.setup().addresses.address(NodeId(node));
        let (promiscuous, watches_air) = (host.promiscuous(), host.watches_air());
        let hello = Hello { address, promiscuous, watches_air };
        self.air.switch_on(self.now, hello).expect("it is a node of the scenario");
        self.hosts[node as usize].on_radio(self.now);
        self.obey(node);
    }

    /// Node `node` is killed: its radio is off, and what was inside it is gone.
    pub fn kill(&mut self, node: u32) {
        self.air.switch_off(self.now, NodeId(node));
        self.lives += 1;
        let life = Life { incarnation: self.lives, since: self.now };
        self.hosts[node as usize] = host(&self.air.setup().clone(), node, life);
        if let Some(mine) = self.seals.get_mut(node as usize) {
            *mine = seal(node, 1 + u32::from(self.lives));
        }
    }

    /// Let everything happen up to `until`.
    pub fn run(&mut self, until: Time) {
        loop {
            let air = self.air.next();
            let next = (0u32..).zip(&self.hosts).map(|(node, host)| (host.deadline(), node)).min();
            let (host, node) = next.expect("there are nodes");
            let late = self.late.front().map_or(Time::NEVER, |(at, ..)| *at);
            if air.min(host).min(late) > until {
                break;
            }
            if late <= air.min(host) {
                let (at, node, message) = self.late.pop_front().expect("it is due");
                self.now = self.now.max(at);
                self.hand_over(node, message);
            } else if air <= host {
                self.now = self.air.step(air).expect("it is due").max(self.now);
                self.tell();
            } else {
                self.now = self.now.max(host);
                self.hosts[node as usize].on_time(self.now);
                self.obey(node);
            }
        }
        self.now = until;
    }

    /// The same, while somebody else is node `other`: what the medium says to it.
    pub fn run_beside(&mut self, until: Time, other: NodeId) -> Vec<FromEther> {
        self.other = Some(other);
        self.run(until);
        std::mem::take(&mut self.told)
    }

    /// An application at `node` sends.
    pub fn send(&mut self, node: u32, packet: &[u8]) {
        self.hosts[node as usize].on_ip(self.now, packet);
        self.obey(node);
    }

    /// Carry the medium's messages to the nodes.
    fn tell(&mut self) {
        for (node, message) in self.air.take_messages() {
            if self.other == Some(node) {
                self.told.push(message);
            } else if self.lag > Duration::ZERO {
                self.late.push_back((self.now + self.lag, node, message));
            } else {
                self.hand_over(node, message);
            }
        }
    }

    /// A node hears of what the medium has done.
    fn hand_over(&mut self, node: NodeId, message: FromEther) {
        let host = &mut self.hosts[node.index()];
        match message {
            FromEther::Done(done) => {
                let to = self.goes_to[node.index()];
                *self.transmissions.entry(to).or_default() += u64::from(done.attempts);
                host.on_done(self.now, &done);
            }
            FromEther::Heard(heard) => {
                if let Some(overheard) = &mut self.overheard {
                    overheard.push((node, heard.clone()));
                }
                self.hear(node, &heard);
            }
            FromEther::Air(air) => host.on_air(self.now, air),
            other => panic!("no medium says {other:?}"),
        }
        self.obey(node.0);
    }

    /// The radio of `node` has decoded a frame, as its daemon is told.
    fn hear(&mut self, node: NodeId, heard: &Reception) {
        let seal = self.seals.get_mut(node.index());
        self.hosts[node.index()].on_frame(self.now, heard, seal);
    }

    /// The same, of a frame that nobody here has sent.
    pub fn whisper(&mut self, node: NodeId, heard: &Reception) {
        self.hear(node, heard);
        self.obey(node.0);
    }

    /// Do what a node wants.
    pub fn obey(&mut self, node: u32) {
        while let Some(order) = self.hosts[node as usize].poll_order() {
            let message = match order {
                Order::Deliver(packet) => {
                    self.delivered.entry(node).or_default().push(packet.to_vec());
                    continue;
                }
                Order::Send(request, class) => {
                    self.goes_to[node as usize] = match request.to {
                        Receiver::Node(to) => Some(to),
                        Receiver::Pair(_) | Receiver::Broadcast => None,
                    };
                    let packet = request.packet.emit();
                    let seal = self.seals.get_mut(node as usize);
                    ToEther::Offer(Offer {
                        to: request.to,
                        rate: request.rate,
                        contention: request.contention,
                        class,
                        frame: match seal {
                            Some(seal) => seal.close(request.to, &packet),
                            None => packet,
                        },
                    })
                }
                Order::Broadcast(frame) => {
                    self.goes_to[node as usize] = None;
                    ToEther::Offer(Offer {
                        to: Receiver::Broadcast,
                        rate: None,
                        contention: None,
                        class: FrameClass::Control,
                        frame,
                    })
                }
                Order::Keys => {
                    self.take_keys(node);
                    continue;
                }
                Order::Keep => continue,
                Order::Withdraw => ToEther::Withdraw,
                Order::Mark => ToEther::Mark,
                Order::AskAir => ToEther::AskAir,
            };
            // as over a socket
            let message = ToEther::parse(&message.emit()).expect("it is one");
            self.air.tell(self.now, NodeId(node), message);
            self.tell();
        }
    }
}
