//! A node that says what it likes to those around it.

use multihop_core::{Duration, FrameClass, NodeId, Receiver, Time};
use multihop_linux::ether::message::{FromEther, Hello, Offer, ToEther};

use crate::applications::datagram;
use crate::world::{World, setup};

/// Pseudo-random numbers, the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// What an attacker makes of a frame that was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    Noise,
    CutOff,
    Changed,
    Again,
}

pub const FORGERIES: [Forgery; 4] =
    [Forgery::Noise, Forgery::CutOff, Forgery::Changed, Forgery::Again];

/// Make it of `frame`. A radio takes no frame that is shorter than a network header.
pub fn forge(noise: &mut Noise, how: Forgery, frame: &mut Vec<u8>) {
    match how {
        Forgery::Noise => {
            *frame = (0..20 + noise.below(200)).map(|_| noise.below(256) as u8).collect();
        }
        Forgery::CutOff => frame.truncate(20 + noise.below(frame.len() - 19)),
        Forgery::Changed => {
            for _ in 0..=noise.below(4) {
                let at = noise.below(frame.len());
                frame[at] ^= 1 << noise.below(8);
            }
        }
        Forgery::Again => {}
    }
}

#[test]
fn what_a_flood_of_forged_frames_fills_is_bounded() {
    for scheme in ["cxcc", "hxh", "udp"] {
        let text = format!(
            "[topology]\nkind = \"chain\"\nhops = 3\n[mac]\ndata_rate = \"11 Mbit/s\"\n\
             [scheme]\nname = \"{scheme}\"\n[traffic]\nload = \"1 kbit/s\"\n"
        );
        let mut world = World::new(&setup(&text));
        // node 3 is somebody else
        let somebody = NodeId(3);
        world.air.switch_off(Time::ZERO, somebody);
        let hello = Hello { address: somebody, promiscuous: true, watches_air: false };
        world.air.switch_on(Time::ZERO, hello).expect("it is off");
        let (mut noise, mut heard) = (Noise(1), Vec::<Vec<u8>>::new());
        let mut highest = [0; 2];
        for round in 0..4_000u32 {
            if round % 50 == 0 {
                world.send(0, &datagram(0, 2, round, 100));
                world.send(2, &datagram(2, 0, round, 100));
            }
            let to = match noise.below(3) {
                0 => Receiver::Broadcast,
                _ => Receiver::Node(NodeId(2)),
            };
            let (rate, contention, class) = (None, None, FrameClass::Data);
            let mut frame = match heard.len() {
                0 => vec![0; 100],
                count => heard[noise.below(count)].clone(),
            };
            let how = FORGERIES[noise.below(4)];
            forge(&mut noise, how, &mut frame);
            let offer = ToEther::Offer(Offer { to, rate, contention, class, frame });
            world.air.tell(world.now, somebody, offer);
            let until = world.now + Duration::from_millis(4);
            for message in world.run_beside(until, somebody) {
                if let FromEther::Heard(reception) = message
                    && heard.len() < 500
                {
                    heard.push(reception.frame);
                }
            }
            let (_, footprint) = world.hosts[2].load();
            let half = &mut highest[usize::from(round >= 2_000)];
            *half = footprint.max(*half);
        }
        let counters = &world.hosts[2].counters;
        assert!(counters.malformed > 300, "{scheme}: {counters:?}");
        assert!(counters.frames_heard > 2_000, "{scheme}: {counters:?}");
        assert!(highest[1] < 1_500, "{scheme}: {highest:?}");
        assert!(!heard.is_empty(), "{scheme}: it overhears");
    }
}
