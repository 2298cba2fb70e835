//! When a station sends, and what keeps it from that.

use multihop_core::{
    ContentionClass, Duration, LossCause, Medium, NodeId, Outcome, Power, Receiver, Time, TxRequest,
};

use super::air::{Air, HIDDEN, NEAR, What, at, broadcast, millis};
use super::settings;

/// How long a frame with 49 B behind the header is on the air with Meshtastic's LongFast: 682 ms, as 56 B.
const LONG: Duration = Duration::from_micros(681_984);

/// `broadcast` that asks for so many slots.
fn asking(window: u32) -> TxRequest {
    let contention = Some(ContentionClass::window(window));
    TxRequest { contention, ..broadcast(49) }
}

#[test]
fn slots_are_those_of_the_firmware() {
    let slot = |keys: &str| match settings(keys).access {
        crate::lora::access::Access::Slots { slot, .. } => slot,
        crate::lora::access::Access::Retry { .. } => panic!("Meshtastic has slots"),
    };
    assert_eq!(slot("preset = \"long-fast\""), millis(28));
    assert_eq!(slot("preset = \"medium-fast\""), millis(12));
    assert_eq!(slot("preset = \"short-fast\""), millis(8));
    assert_eq!(slot("slot = \"5 ms\""), millis(5));
}

#[test]
fn a_frame_waits_for_slots_and_channel_activity_detection() {
    // two symbols of 8.192 ms
    let detection = Duration::from_micros(16_384);
    let mut seen = [false; 8];
    for seed in 0..60 {
        let mut air = Air::new("", &format!("seed = {}\n{NEAR}", seed + 1));
        air.offer(0, &broadcast(49));
        air.run(at(60_000));
        let [begin] = air.transmissions(0)[..] else { panic!("it is sent once") };
        let wait = begin.since(Time::ZERO).saturating_sub(detection);
        let slots = wait / millis(28);
        assert_eq!(wait, millis(28) * slots);
        seen[slots as usize] = true;
        assert_eq!(air.heard(1), [0]);
        assert_eq!(air.heard(2), [0]);
    }
    assert_eq!(seen, [true; 8], "every slot is drawn");
}

#[test]
fn a_window_that_is_asked_for_takes_the_place_of_the_mac_s() {
    for seed in 0..20 {
        let mut air =
            Air::new("window = 60000\ncad = false", &format!("seed = {}\n{NEAR}", seed + 1));
        air.offer(0, &asking(2));
        air.run(at(60_000));
        let begin = air.transmissions(0)[0];
        assert!(begin == at(0) || begin == at(28), "{begin}");
    }
}

#[test]
fn slots_before_those_that_are_drawn_are_asked_for_too() {
    let contention = Some(ContentionClass { first: 16, ..ContentionClass::window(1) });
    let mut air = Air::new("window = 60000\nfirst = 7\ncad = false", NEAR);
    air.offer(0, &TxRequest { contention, ..broadcast(49) });
    air.run(at(60_000));
    assert_eq!(air.transmissions(0), [at(16 * 28)]);
}

#[test]
fn the_end_of_a_reception_draws_anew_unless_the_key_says_no() {
    let first = |keys: &str| {
        let mut air = Air::new(&format!("cad = false\nwindow = 1\n{keys}"), NEAR);
        // 40 slots of 28 ms: 1.12 s, beyond the end of the other frame
        air.offer(0, &TxRequest { contention: None, ..broadcast(49) });
        air.run(at(300));
        air.offer(1, &broadcast(49));
        air.run(at(60_000));
        air.transmissions(1)[0].since(air.transmissions(0)[0])
    };
    // A frame of another station keeps this one busy until its end: it then draws no slot.
    let wait = first("");
    assert!(wait >= LONG && wait < LONG + millis(1), "{wait}");
    // Without that it looks again once a slot, and finds the end of the frame up to a slot later.
    let wait = first("redraw_after_reception = false\ndetect_symbols = 1");
    assert!(wait >= LONG && wait <= LONG + millis(28), "{wait}");
    assert_eq!(wait.nanos() % 4_000_000, 0, "whole slots from 300 ms on");
}

#[test]
fn a_station_that_receives_does_not_send_and_one_that_detects_nothing_yet_does() {
    // The other frame began 40 ms ago: five symbols, less than six.
    for (symbols, sends) in [("6", true), ("4", false)] {
        let mut air = Air::new(
            &format!(
                "preset = \"meshcore-sf8\"\nspreading_factor = 11\nbandwidth = \"250 kHz\"\n\
                      detect_symbols = {symbols}"
            ),
            NEAR,
        );
        air.offer(0, &broadcast(49));
        air.run(at(40));
        air.offer(1, &broadcast(49));
        air.run(at(41));
        assert_eq!(air.transmissions(1).len(), usize::from(sends), "{symbols}");
    }
}

#[test]
fn channel_activity_detection_finds_what_the_radio_does_not_receive() {
    // -133 dBm is below the sensitivity, and above the floor of the detection.
    let weak = HIDDEN.replace("-100", "-133");
    let sends = |keys: &str| {
        let mut air = Air::new(&format!("window = 1\n{keys}"), &weak);
        air.offer(0, &broadcast(49));
        air.run(at(200));
        air.offer(1, &broadcast(49));
        air.run(at(500));
        (air.transmissions(1).len(), air.heard(1).len())
    };
    assert_eq!(sends(""), (0, 0));
    assert_eq!(sends("cad = false"), (1, 0));
    assert_eq!(sends("cad_floor = \"1 dB\""), (1, 0));
    assert_eq!(sends("cad_miss = 1.0"), (1, 0));
    assert_eq!(sends("cad = false\nenergy_threshold = \"-133.5 dBm\""), (0, 0));
    assert_eq!(sends("cad = false\nenergy_threshold = \"-132 dBm\""), (1, 0));
    let late = "cad = false\nenergy_threshold = \"-133.5 dBm\"\nenergy_delay = \"250 ms\"";
    assert_eq!(sends(late), (1, 0), "it is not measured yet");
}

#[test]
fn a_station_of_meshcore_tries_again_and_sends_in_the_end() {
    let keys = "preset = \"meshcore-sf8\"\nspreading_factor = 11\nbandwidth = \"250 kHz\"";
    let mut waits = Vec::new();
    for seed in 0..40 {
        let mut air = Air::new(keys, &format!("seed = {}\n{NEAR}", seed + 1));
        air.offer(0, &broadcast(49));
        air.run(at(100));
        air.offer(1, &broadcast(49));
        air.run(at(60_000));
        let end = air.transmissions(0)[0] + air.medium.transmission().air_time;
        let begin = air.transmissions(1)[0];
        assert!(begin > end, "it has waited");
        assert_eq!(begin.since(at(100)).nanos() % 120_000_000, 0, "multiples of 120 ms");
        waits.push(begin.since(end));
        assert_eq!(air.heard(1), [0]);
    }
    assert!(waits.iter().all(|wait| *wait < millis(360)));
    // A busy medium that never ends: one frame after the other of the others.
    let mut air = Air::new(&format!("{keys}\nforce_after = \"1 s\""), NEAR);
    air.offer(0, &broadcast(200));
    air.run(at(100));
    air.offer(1, &broadcast(49));
    air.run(at(60_000));
    let begin = air.transmissions(1)[0].since(at(100));
    assert!(begin >= millis(1_000) && begin < millis(1_360), "{begin}");
    assert!(air.heard(1).is_empty());
    assert_eq!(air.losses(1, LossCause::Transmitting), 1);
}

#[test]
fn a_frame_is_taken_back_until_it_is_on_the_air() {
    let mut air = Air::new("window = 1\ncad = false\nfirst = 10", NEAR);
    air.offer(0, &broadcast(49));
    air.run(at(100));
    let done = air.withdraw(0).expect("it waits");
    assert_eq!((done.outcome, done.service, done.attempts), (Outcome::Withdrawn, millis(100), 0));
    assert!(air.withdraw(0).is_none() && air.medium.is_free(NodeId(0)));
    air.run(at(10_000));
    assert!(air.log.is_empty());
    air.offer(0, &broadcast(49));
    air.run(at(10_281));
    assert!(air.withdraw(0).is_none(), "it is on the air");
    air.run(at(20_000));
    let ends = |entry: &&(Time, u32, What)| matches!(entry.2, What::Ends(Outcome::Sent));
    let end = air.log.iter().find(ends).expect("it ends");
    assert_eq!(end.0.since(air.transmissions(0)[0]), LONG);
}

/// Meshtasticator's way: the frame waits for its slots and for the medium, and comes back when it would have been sent.
#[test]
fn a_frame_that_was_taken_back_may_have_to_wait_as_if_it_were_sent() {
    let keys = "window = 1\ncad = false\nfirst = 10\ndetect_symbols = 0\nredraw_after_reception = false\n\
                withdraw_at_once = false";
    let mut air = Air::new(keys, NEAR);
    air.offer(0, &broadcast(49));
    air.run(at(200));
    air.offer(1, &broadcast(49));
    air.run(at(250));
    assert!(air.withdraw(1).is_none() && !air.medium.is_free(NodeId(1)));
    air.run(at(60_000));
    let sent = air.transmissions(0)[0];
    assert!(air.transmissions(1).is_empty() && air.medium.is_free(NodeId(1)));
    let back = |entry: &&(Time, u32, What)| matches!(entry.2, What::Ends(Outcome::Withdrawn));
    let back = air.log.iter().find(back).expect("it comes back");
    assert!(back.1 == 1 && back.0 >= sent + LONG, "the medium was busy: {:?}", back.0);
}

#[test]
fn a_busy_medium_holds_up_the_station_and_not_the_frame_that_it_gives_back() {
    let keys = "preset = \"meshcore-sf8\"\nretry_delay = \"200 ms\"\nretry_most = 1\nforce_after = \"400 ms\"";
    let mut air = Air::new(keys, NEAR);
    air.offer(0, &broadcast(200));
    air.run(at(100));
    air.offer(1, &broadcast(49));
    air.run(at(150));
    assert!(air.withdraw(1).is_some(), "it waits until 300 ms");
    air.offer(1, &broadcast(20));
    air.run(at(60_000));
    // Busy since 100 ms, and looked at again every 200 ms.
    assert_eq!(air.transmissions(1), [at(500)]);
}

#[test]
fn frames_for_one_node_are_for_that_and_others_overhear_them_if_they_want() {
    let request = TxRequest { to: Receiver::Node(NodeId(1)), ..broadcast(49) };
    let mut air = Air::new("", NEAR);
    air.offer(0, &request);
    air.run(at(5_000));
    assert_eq!((air.heard(1), air.heard(2)), (vec![0], vec![]));
    air.medium.set_promiscuous(NodeId(2), true);
    air.offer(0, &request);
    air.run(at(10_000));
    assert_eq!((air.heard(1), air.heard(2)), (vec![0, 0], vec![0]));
}

#[test]
fn two_that_do_not_hear_each_other_collide_and_one_that_sends_hears_nothing() {
    let mut air = Air::new("window = 1\ncad = false", HIDDEN);
    air.offer(0, &broadcast(49));
    air.offer(2, &broadcast(49));
    air.run(at(5_000));
    assert_eq!(air.heard(1), Vec::<u32>::new());
    assert_eq!(air.losses(1, LossCause::Collision), 2);
    air.offer(0, &broadcast(49));
    air.offer(1, &broadcast(49));
    air.run(at(10_000));
    assert_eq!((air.heard(0), air.heard(1)), (vec![], vec![]));
    assert_eq!([0, 1].map(|node| air.losses(node, LossCause::Transmitting)), [1, 1]);
    assert_eq!(air.heard(2), [1]);
}

#[test]
fn a_radio_s_time_adds_up() {
    let mut air = Air::new("window = 1\ncad = false", HIDDEN);
    air.offer(0, &broadcast(49));
    air.run(at(200));
    air.offer(2, &broadcast(49));
    air.run(at(500));
    let middle = air.medium.air(NodeId(1), air.now);
    // It receives the first frame until the second one destroys both.
    let (receiving, sensed) = (millis(200), millis(300));
    let near = |one: Duration, other: Duration| {
        one.saturating_sub(other) + other.saturating_sub(one) < Duration::from_micros(5)
    };
    assert!(near(middle.receiving, receiving) && near(middle.sensed, sensed), "{middle:?}");
    air.run(at(5_000));
    let times = [0, 1, 2].map(|node| air.medium.air(NodeId(node), air.now));
    assert_eq!(
        [times[0].sending, times[1].sending, times[2].sending],
        [LONG, Duration::ZERO, LONG]
    );
    let whole = times[1].receiving + times[1].sensed;
    assert!(near(whole, millis(200) + LONG), "{whole}");
    let totals = air.medium.totals(NodeId(1), air.now);
    assert_eq!(totals.receiving, whole);
}

#[test]
fn a_node_that_restarts_cuts_its_frame_off_and_one_that_is_off_hears_nothing() {
    let mut air = Air::new("window = 1\ncad = false", NEAR);
    air.offer(0, &broadcast(49));
    air.run(at(100));
    assert_eq!(air.switch(0, Power::Off), 1, "it gives its frame back");
    air.run(at(5_000));
    assert!(air.heard(1).is_empty() && air.heard(2).is_empty());
    air.offer(1, &broadcast(49));
    air.run(at(10_000));
    assert_eq!((air.heard(0), air.heard(2)), (vec![], vec![1]));
    air.switch(0, Power::On);
    air.offer(1, &broadcast(49));
    air.run(at(15_000));
    assert_eq!(air.heard(0), [1]);
}

#[test]
fn what_becomes_of_frames_is_told_to_those_who_watch() {
    let fates = |sensed: bool| {
        let weak = HIDDEN.replacen("-100", "-133", 1);
        let keys = "window = 1\ncad = false\ninterfere_from = \"-140 dBm\"";
        let mut air = Air::new(keys, &weak);
        air.medium.watch_receptions(sensed);
        air.offer(1, &broadcast(49));
        air.run(at(5_000));
        let fate = |entry: &(Time, u32, What)| match entry.2 {
            What::Receives(known) => Some((entry.1, known.fate.name())),
            _ => None,
        };
        air.log.iter().filter_map(fate).collect::<Vec<_>>()
    };
    assert_eq!(fates(false), [(2, "decoded")]);
    assert_eq!(fates(true), [(0, "too_weak"), (2, "decoded")]);
}
