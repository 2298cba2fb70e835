//! What a node was told on Linux, told again to the node that the simulator has.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use multihop_compose::record::replay;
use multihop_core::{Duration, NodeId, Time};
use multihop_linux::node::member::{self, Ways};
use multihop_routing::Life;

use crate::applications::datagram;
use crate::world::{World, chain, host};

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk with room for so many bytes.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Both ends of a chain send for a while, and its relay writes to `log`.
fn busy(scheme: &str, life: Life, log: Box<dyn Write>) -> World {
    let setup = chain(2, scheme);
    let mut world = World::new(&setup);
    world.air.switch_off(Time::ZERO, NodeId(1));
    world.hosts[1] = host(&setup, 1, life);
    world.hosts[1].record(log);
    world.join(1);
    for round in 0..40 {
        world.send(0, &datagram(0, 2, round, 300));
        world.send(2, &datagram(2, 0, round, 60));
        world.run(Time::ZERO + Duration::from_millis(20 * u64::from(round)));
    }
    world.run(Time::ZERO + Duration::from_millis(3_000));
    world
}

#[test]
fn a_recording_replays_with_identical_answers() {
    for scheme in ["name = \"cxcc\"", "name = \"hxh\"", "name = \"wxcp\""] {
        let (life, log) = (Life { incarnation: 7, since: Time::ZERO }, Shared::default());
        let mut world = busy(scheme, life, Box::new(log.clone()));
        world.hosts[1].finish_recording();
        let recording = log.0.borrow();
        let again = |life| {
            let setup = chain(2, scheme);
            let mut node =
                member::node(&setup, NodeId(1), &Ways::default(), life).expect("it is there");
            replay(&recording[..], &mut node)
        };
        let lines = again(life).unwrap_or_else(|error| panic!("{scheme}: {error}"));
        assert!(lines > 300, "{scheme}: only {lines} lines");
        let other = Life { incarnation: 8, since: Time::ZERO };
        // who draws random numbers answers otherwise in another life
        assert_eq!(again(other).is_err(), scheme.contains("cxcc"), "{scheme}");
    }
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_node() {
    let whole = busy("name = \"cxcc\"", Life::default(), Box::new(io::sink()));
    let cut = busy("name = \"cxcc\"", Life::default(), Box::new(Small(10_000)));
    assert_eq!(cut.hosts[1].counters.not_recorded, 1);
    assert_eq!(cut.delivered, whole.delivered);
    assert!(whole.delivered[&2].len() == 40);
}
