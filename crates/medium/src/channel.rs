//! Who hears whom, how strongly, and how much later.

use multihop_core::{
    Bytes, Duration, LossCause, NodeId, Purpose, Rng, Time, inverse_normal, normal,
};
use multihop_setup::{self as setup, Cells, Hearing, Radios, SPEED_OF_LIGHT, Unlisted};

use crate::movement::Movement;
use crate::scale::Scale;

/// Links on which fewer than one frame in this many is sensed are left out.
const NEGLIGIBLE: f64 = 1e-9;

/// A link on which fewer frames than this are decoded carries no data.
const USABLE: f64 = 0.05;

/// The relative rounding of distances.
const ROUNDING: f64 = 1e-9;

/// A number below 2^31 that grows with the angle at which `there` is seen from `here`, and takes less time than that.
fn direction(here: (f64, f64), there: (f64, f64)) -> u32 {
    let (x, y) = (there.0 - here.0, there.1 - here.1);
    // It falls from 1 to -1 on the way around the upper half.
    let along = x / (x.abs() + y.abs());
    let quarters = if y < 0.0 { 3.0 + along } else { 1.0 - along };
    (quarters * f64::from(1 << 29)) as u32
}

fn ascending(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = nodes.collect();
    nodes.sort_unstable();
    nodes
}

/// One node's signal at another.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    delay: Duration,
    /// Mean power.
    power: f64,
    /// Why a frame of mean power cannot be decoded; `None` if it can.
    spoiled: Option<LossCause>,
    /// Whether its ends come closer.
    closing: bool,
}

/// What a node gets of another's transmissions, without interference.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// Who transmits.
    pub from: NodeId,
    /// Who gets it.
    pub to: NodeId,
    /// Mean power in W.
    pub power: f64,
    /// Probability that a frame is sensed: that it matters to the radio at all.
    pub sensed: f64,
    /// Probability that its power suffices to decode it.
    pub decoded: f64,
    /// Whether routing takes them for neighbours.
    pub neighbours: bool,
}

/// A frame as it reaches one radio.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a, F> {
    /// Whose radio it is.
    pub to: NodeId,
    /// The frame.
    pub frame: &'a F,
    /// Its power: in W or, with shadowing, in dBW.
    pub power: f64,
    /// When its first bit arrives.
    pub start: Time,
    /// Why it cannot be decoded, whatever else happens; `None` if it can.
    pub spoiled: Option<LossCause>,
    /// Whether transmitter and receiver come closer.
    pub closing: bool,
}

/// What the channel has to know of a frame, whatever its format.
pub trait OnAir {
    /// Who transmits it.
    fn from(&self) -> NodeId;

    /// Its length, in which bits may be wrong.
    fn bytes(&self) -> Bytes;
}

/// What becomes of a signal on its way.
struct Path {
    radio: setup::Radio,
    /// Of all nodes, where they differ.
    radios: Radios,
    scale: Scale,
    /// Standard deviation of the shadowing in dB; zero without it.
    deviation: f64,
    receive_threshold: f64,
    /// From which power a signal carries data.
    carrying_power: f64,
    sense_threshold: f64,
}

impl Path {
    fn new(radio: setup::Radio, nodes: &[setup::Node]) -> Self {
        let radios = Radios::new(&radio, nodes).expect("a scenario has refused more");
        let deviation = radio.propagation.deviation().unwrap_or(0.0);
        let scale = Scale::of(&radio.propagation);
        Path {
            scale,
            deviation,
            receive_threshold: scale.of_watts(radio.receive_threshold),
            carrying_power: scale.of_watts(radio.carrying_power()),
            sense_threshold: scale.of_watts(radio.sense_threshold),
            radio,
            radios,
        }
    }

    /// The signal of `from` at `to`, `distance` m away, unless it is negligible.
    fn link(&self, from: u32, to: u32, distance: f64) -> Option<Link> {
        let alike = self.radios.are_alike();
        let radio = if alike { &self.radio } else { self.radios.between(NodeId(from), NodeId(to)) };
        self.link_by(radio, to, distance)
    }

    /// The signal of such a radio at `to`, `distance` m away, unless it is negligible.
    fn link_by(&self, radio: &setup::Radio, to: u32, distance: f64) -> Option<Link> {
        let link = self.any_link(radio.propagation.mean_power(radio, distance), to, distance);
        let threshold = self.scale.of_watts(radio.sense_threshold);
        (self.exceeds(link.power, threshold, self.deviation) > NEGLIGIBLE).then_some(link)
    }

    /// The signal of mean `power` in W at `to`, `distance` m away.
    fn any_link(&self, power: f64, to: u32, distance: f64) -> Link {
        let power = self.scale.of_watts(power);
        let delay = Duration::from_seconds(distance / SPEED_OF_LIGHT);
        Link { to, delay, power, spoiled: self.too_weak(power), closing: false }
    }

    /// The signal of a link that is listed, over `distance` m, unless it is negligible.
    fn listed(&self, link: &setup::Link, distance: f64) -> Option<Link> {
        let found = self.any_link(link.power, link.to.0, distance);
        let deviation = link.deviation.unwrap_or(self.deviation);
        let delivers = link.delivery.is_some_and(|share| share > 0.0);
        if !delivers && self.sensed(&found, deviation) <= NEGLIGIBLE {
            return None;
        }
        let measured = link.delivery.map(|_| Link { spoiled: None, ..found });
        Some(measured.unwrap_or(found))
    }

    /// Whether `power` is too little to decode.
    fn too_weak(&self, power: f64) -> Option<LossCause> {
        (power < self.receive_threshold).then_some(LossCause::TooWeak)
    }

    /// The probability that a signal of mean `power` and this deviation in dB is above `threshold`.
    fn exceeds(&self, power: f64, threshold: f64, deviation: f64) -> f64 {
        if deviation > 0.0 {
            normal(self.scale.above(power, threshold) / deviation)
        } else {
            f64::from(u8::from(power >= threshold))
        }
    }

    /// The probability that a frame on `link` is sensed, if its power has this deviation in dB.
    fn sensed(&self, link: &Link, deviation: f64) -> f64 {
        let own = self.radios.sense_threshold(NodeId(link.to));
        let threshold = own.map_or(self.sense_threshold, |watts| self.scale.of_watts(watts));
        self.exceeds(link.power, threshold, deviation)
    }

    /// The probability that a frame on `link` has the power to be decoded, likewise.
    fn decoded(&self, link: &Link, deviation: f64) -> f64 {
        self.exceeds(link.power, self.carrying_power, deviation)
    }

    /// There are no such links to nodes farther away, in m; infinite if there is no such distance.
    fn reach(&self, such: impl Fn(&Link) -> bool) -> f64 {
        let alike = core::slice::from_ref(&self.radio);
        let radios = if self.radios.are_alike() { alike } else { self.radios.pairs() };
        let is_within = |distance| {
            let mut links = radios.iter().filter_map(|radio| self.link_by(radio, 0, distance));
            links.any(|link| such(&link))
        };
        let (mut within, mut beyond) = (0.0, 1.0);
        while beyond < f64::INFINITY && is_within(beyond) {
            (within, beyond) = (beyond, beyond * 2.0);
        }
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = f64::midpoint(within, beyond);
            if is_within(middle) {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        beyond * (1.0 + ROUNDING)
    }
}

/// Whether chance decides what becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chance {
    /// It does not.
    Nothing,
    /// It does, and power varies on all links alike.
    Alike,
    /// It does, and some links have a deviation of their own.
    ByLink,
}

/// The shared channel.
pub struct Channel {
    path: Path,
    movement: Movement,
    /// Who senses whom: from the start if nobody moves, otherwise as of the last transmission of
    /// each node.
    links: Vec<Vec<Link>>,
    /// With shadowing, the probability that a frame is sensed, of each of them.
    shadowed: Vec<Vec<f64>>,
    moving: bool,
    /// Whether chance decides what becomes of a frame.
    chance: Chance,
    /// Whether some links have a delivery ratio.
    measured: bool,
    /// Logarithm of the probability that a byte survives.
    byte_survival: f64,
    rng: Rng,
}

impl Channel {
    /// The channel between `nodes` in the run with `seed`.
    ///
    /// # Panics
    /// If there are more than [`multihop_setup::MOST_FITTINGS`] different radios, which `multihop-scenario` refuses.
    pub fn new(nodes: &[setup::Node], radio: setup::Radio, seed: u64) -> Self {
        let path = Path::new(radio, nodes);
        let reach = match path.radio.links.others {
            Unlisted::Propagation => path.reach(|_| true),
            Unlisted::Silent => 0.0,
        };
        let movement = Movement::new(nodes, reach);
        let measured = path.radio.links.any_delivery();
        let byte_survival = 8.0 * libm::log1p(-path.radio.bit_error_rate);
        let chance = if path.radio.links.any_deviation() {
            Chance::ByLink
        } else if path.deviation > 0.0 || byte_survival < 0.0 || measured {
            Chance::Alike
        } else {
            Chance::Nothing
        };
        let mut channel = Channel {
            byte_survival,
            chance,
            measured,
            rng: Rng::stream(seed, NodeId(0), Purpose::Medium),
            links: Vec::new(),
            shadowed: vec![Vec::new(); nodes.len()],
            moving: movement.any(),
            movement,
            path,
        };
        let nodes = (0..nodes.len() as u32).map(NodeId);
        let place = |node| channel.movement.position(node, Time::ZERO);
        let cells = Cells::new(nodes.clone().map(place), reach);
        let mut near = Vec::new();
        let links = |from| {
            cells.near(place(from), &mut near);
            let near = near.iter().map(|to| NodeId(*to as u32));
            let near = near.filter(|to| channel.may_start_within(reach, from, *to));
            near.filter_map(|to| channel.link(from, to)).collect()
        };
        let mut links: Vec<Vec<Link>> = nodes.map(links).collect();
        if !channel.path.radio.links.is_empty() {
            for (from, links) in (0..).zip(&mut links) {
                channel.put_listed(from, Time::ZERO, links);
            }
        }
        channel.links = links;
        (0..channel.links.len()).for_each(|from| channel.weigh(from));
        channel
    }

    /// For every node, those that routing may use as next hops when the run starts, in ascending
    /// order.
    pub fn neighbours(&self) -> Vec<Vec<NodeId>> {
        let near = |(from, links): (usize, &Vec<Link>)| {
            let from = NodeId(from as u32);
            let alike = self.path.radios.are_alike();
            let range = if alike { self.path.radio.neighbour_range } else { f64::INFINITY };
            let near = links.iter().map(|link| NodeId(link.to));
            let listed = &self.path.radio.links;
            let may_be = |to| listed.govern(from, to) || self.may_start_within(range, from, to);
            ascending(near.filter(|to| may_be(*to) && self.in_range(from, *to, Time::ZERO)))
        };
        self.links.iter().enumerate().map(near).collect()
    }

    /// The mean power in W at `to` of what `from` transmits when the run starts, and the share of it that arrives where that
    /// was measured; `None` if it is not sensed.
    pub fn strength(&self, from: NodeId, to: NodeId) -> Option<(f64, f64)> {
        let link = self.links[from.index()].iter().find(|link| link.to == to.0)?;
        let share = self.delivery(from, link).unwrap_or(1.0);
        Some((self.path.scale.in_watts(link.power), share))
    }

    /// The mean power in W at `to` of what `from` transmits at `now`; `None` if it is not sensed.
    pub fn power(&self, from: NodeId, to: NodeId, now: Time) -> Option<f64> {
        if !self.moving {
            return self.strength(from, to).map(|(power, _)| power);
        }
        if ![from, to].iter().all(|node| self.movement.is_present(node.0, now)) {
            return None;
        }
        let (listed, distance) = (&self.path.radio.links, self.distance(from, to, now));
        let link = if listed.govern(from, to) {
            listed.find(from, to).and_then(|link| self.path.listed(link, distance))
        } else {
            self.path.link(from.0, to.0, distance)
        };
        link.map(|link| self.path.scale.in_watts(link.power))
    }

    /// How far frames of mean power carry data, and how far they are sensed, in m; `None` where
    /// that does not follow from the distance alone.
    pub fn ranges(&self) -> Option<(f64, f64)> {
        if self.path.radio.links.others == Unlisted::Silent || !self.path.radios.are_alike() {
            return None;
        }
        let (receive, sense) = (self.path.carrying_power, self.path.sense_threshold);
        let reach = |threshold| self.path.reach(|link| link.power >= threshold);
        Some((reach(receive), reach(sense)))
    }

    /// Whether nodes ever move.
    pub const fn is_moving(&self) -> bool {
        self.moving
    }

    /// Whether two nodes are neighbours at `now`.
    pub fn in_range(&self, from: NodeId, to: NodeId, now: Time) -> bool {
        if ![from, to].iter().all(|node| self.movement.is_present(node.0, now)) {
            return false;
        }
        let listed = self.path.radio.links.join(from, to);
        listed.unwrap_or_else(|| {
            let distance = self.distance(from, to, now);
            if self.path.radios.are_alike() {
                distance <= self.path.radio.neighbour_range
            } else {
                self.path.radios.join(from, to, distance)
            }
        })
    }

    /// The propagation delay of the longest link that can carry data: between the nodes where they
    /// are or, if they move, where they may come to be.
    pub fn longest_delay(&self) -> Duration {
        if self.moving {
            let decoded = |link: &Link| self.path.decoded(link, self.path.deviation);
            let reach = self.path.reach(|link| decoded(link) >= USABLE);
            return Duration::from_seconds(reach / SPEED_OF_LIGHT);
        }
        let usable = self.all().filter(|(from, link)| self.decoded(*from, link) >= USABLE);
        usable.map(|(_, link)| link.delay).max().unwrap_or(Duration::ZERO)
    }

    /// Every link, with who transmits.
    fn all(&self) -> impl Iterator<Item = (NodeId, &Link)> {
        let all = (0u32..).map(NodeId).zip(&self.links);
        all.flat_map(|(from, links)| links.iter().map(move |link| (from, link)))
    }

    /// The share of the frames of `from` on `link` that are decoded, where it is measured.
    fn delivery(&self, from: NodeId, link: &Link) -> Option<f64> {
        self.path.radio.links.find(from, NodeId(link.to)).and_then(|listed| listed.delivery)
    }

    /// The probability that a frame of `from` on `link` is decoded if nothing disturbs it.
    fn decoded(&self, from: NodeId, link: &Link) -> f64 {
        let by_power = || self.path.decoded(link, self.deviation(from, link));
        self.delivery(from, link).unwrap_or_else(by_power)
    }

    /// The standard deviation in dB of the power of frames of `from` on `link`.
    fn deviation(&self, from: NodeId, link: &Link) -> f64 {
        let listed = if self.chance == Chance::ByLink {
            self.path.radio.links.find(from, NodeId(link.to)).and_then(|listed| listed.deviation)
        } else {
            None
        };
        listed.unwrap_or(self.path.deviation)
    }

    /// The probability that it is sensed.
    fn sensed(&self, from: NodeId, link: &Link) -> f64 {
        let by_power = || self.path.sensed(link, self.deviation(from, link));
        self.delivery(from, link).map_or_else(by_power, |_| 1.0)
    }

    /// From now on, [`Channel::arrivals`] goes around who transmits: first to those that can decode it, then to
    /// the others, each in the order of their directions. Neighbours are often in the same state, so the
    /// processor foresees what happens to the next (ADR 0069). Where chance decides, or nodes move, the order stays
    /// that of their numbers.
    pub fn go_around(&mut self) {
        if self.chance != Chance::Nothing || self.moving {
            return;
        }
        let place = |node| self.movement.position(NodeId(node), Time::ZERO);
        for (from, links) in (0..).zip(&mut self.links) {
            let here = place(from);
            let beyond = |link: &Link| u32::from(link.spoiled.is_some()) << 31;
            links.sort_by_cached_key(|link| beyond(link) | direction(here, place(link.to)));
        }
    }

    /// For every node, those that sense what it transmits at `now`, in ascending order.
    pub fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        self.follow_all(now);
        let near = |links: &Vec<Link>| ascending(links.iter().map(|link| NodeId(link.to)));
        self.links.iter().map(near).collect()
    }

    /// What every node gets of what any other transmits at `now`.
    pub fn signals(&mut self, now: Time) -> Vec<Signal> {
        self.follow_all(now);
        let signal = |from, link: &Link| Signal {
            from,
            to: NodeId(link.to),
            power: self.path.scale.in_watts(link.power),
            sensed: self.sensed(from, link),
            decoded: self.decoded(from, link),
            neighbours: self.in_range(from, NodeId(link.to), now),
        };
        self.all().map(|(from, link)| signal(from, link)).collect()
    }

    /// The probability that such a signal keeps a station from sending that hears so.
    pub fn deferred(&self, signal: &Signal, hearing: &Hearing) -> f64 {
        let scale = self.path.scale;
        let listed = self.path.radio.links.find(signal.from, signal.to);
        if listed.is_some_and(|link| link.delivery.is_some()) {
            // its frames are received, well or not
            return 1.0;
        }
        let deviation = listed.and_then(|link| link.deviation).unwrap_or(self.path.deviation);
        let [power, floor] = [signal.power, hearing.defers_from].map(|watts| scale.of_watts(watts));
        self.path.exceeds(power, floor, deviation)
    }

    /// Call `arrive` with every node that senses `frame`, which starts at `now`.
    #[inline]
    pub fn arrivals<F: OnAir>(
        &mut self,
        frame: &F,
        now: Time,
        mut arrive: impl FnMut(&Arrival<F>),
    ) {
        let from = frame.from();
        if self.moving {
            self.follow(from.0, now);
        }
        if self.chance != Chance::Nothing {
            if self.chance == Chance::ByLink {
                self.random_arrivals::<F, true>(frame, now, &mut arrive);
            } else {
                self.random_arrivals::<F, false>(frame, now, &mut arrive);
            }
            return;
        }
        for link in &self.links[from.index()] {
            let Link { power, spoiled, closing, .. } = *link;
            let start = now + link.delay;
            arrive(&Arrival { to: NodeId(link.to), frame, power, start, spoiled, closing });
        }
    }

    /// [`Channel::arrivals`] where shadowing, bit errors or measured ratios decide. `VARIED`: the power varies by link.
    #[inline(never)]
    fn random_arrivals<F: OnAir, const VARIED: bool>(
        &mut self,
        frame: &F,
        now: Time,
        arrive: &mut dyn FnMut(&Arrival<F>),
    ) {
        let from = frame.from();
        let sensed = &self.shadowed[from.index()];
        for (place, link) in self.links[from.index()].iter().enumerate() {
            let Link { mut power, mut spoiled, closing, .. } = *link;
            let measured = self.measured.then(|| self.delivery(from, link)).flatten();
            let deviation = if VARIED { self.deviation(from, link) } else { self.path.deviation };
            if let Some(share) = measured {
                spoiled = (!self.rng.chance(share)).then_some(LossCause::Undelivered);
            } else if deviation > 0.0 {
                // One draw for both questions: whether the frame is sensed at all, and how
                // strong it is if so.
                let rank = self.rng.unit();
                if rank >= sensed[place] {
                    continue;
                }
                let level = deviation * inverse_normal(rank);
                power = if VARIED { self.path.scale.lowered(power, level) } else { power - level };
                spoiled = self.path.too_weak(power);
            }
            if spoiled.is_none() && self.byte_survival < 0.0 {
                let survival = libm::exp(self.byte_survival * f64::from(frame.bytes().0));
                spoiled = (!self.rng.chance(survival)).then_some(LossCause::BitError);
            }
            let start = now + link.delay;
            arrive(&Arrival { to: NodeId(link.to), frame, power, start, spoiled, closing });
        }
    }

    /// Find out who senses what any node transmits at `now`.
    fn follow_all(&mut self, now: Time) {
        if self.moving {
            (0..self.links.len() as u32).for_each(|from| self.follow(from, now));
        }
    }

    /// Find out who senses what `from` transmits at `now`.
    fn follow(&mut self, from: u32, now: Time) {
        self.movement.advance(now);
        let links = &mut self.links[from as usize];
        links.clear();
        if !self.movement.is_present(from, now) {
            return self.weigh(from as usize);
        }
        self.movement.each_near(from, now, |to, distance, closing| {
            links.extend(self.path.link(from, to, distance).map(|link| Link { closing, ..link }));
        });
        if !self.path.radio.links.is_empty() {
            let mut links = std::mem::take(&mut self.links[from as usize]);
            self.put_listed(from, now, &mut links);
            self.links[from as usize] = links;
        }
        self.weigh(from as usize);
    }

    /// With shadowing, find out how probably what `from` transmits is sensed on each link.
    fn weigh(&mut self, from: usize) {
        if self.path.deviation > 0.0 || self.chance == Chance::ByLink {
            let mut shadowed = std::mem::take(&mut self.shadowed[from]);
            let node = NodeId(from as u32);
            let sensed = |link| self.path.sensed(link, self.deviation(node, link));
            shadowed.clear();
            shadowed.extend(self.links[from].iter().map(sensed));
            self.shadowed[from] = shadowed;
        }
    }

    /// Put what is listed of `from` into `links`, in place of what follows from distances `now`.
    fn put_listed(&self, from: u32, now: Time, links: &mut Vec<Link>) {
        let (listed, from) = (&self.path.radio.links, NodeId(from));
        links.retain(|link| !listed.govern(from, NodeId(link.to)));
        let present = |link: &&setup::Link| self.movement.is_present(link.to.0, now);
        links.extend(listed.of(from).iter().filter(present).filter_map(|link| {
            let found = self.path.listed(link, self.distance(from, link.to, now))?;
            Some(Link { closing: self.movement.is_closing(from.0, link.to.0, now), ..found })
        }));
        links.sort_unstable_by_key(|link| link.to);
    }

    fn distance(&self, from: NodeId, to: NodeId, now: Time) -> f64 {
        let position = |node| self.movement.position(node, now);
        let (here, there) = (position(from), position(to));
        libm::hypot(here.0 - there.0, here.1 - there.1)
    }

    /// Whether two nodes may be so near each other, in m, when the run starts. A distance, which
    /// is exact to its last digit, takes several times as long.
    fn may_start_within(&self, range: f64, from: NodeId, to: NodeId) -> bool {
        let place = |node| self.movement.position(node, Time::ZERO);
        let (here, there) = (place(from), place(to));
        let (x, y) = (here.0 - there.0, here.1 - there.1);
        x * x + y * y <= range * range * (1.0 + 2.0 * ROUNDING)
    }

    fn link(&self, from: NodeId, to: NodeId) -> Option<Link> {
        let distance = self.distance(from, to, Time::ZERO);
        self.path.link(from.0, to.0, distance).filter(|_| from != to)
    }
}
