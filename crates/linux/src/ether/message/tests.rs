//! Every message there and back, and what is none.

use super::*;

fn to_ether() -> Vec<ToEther> {
    let address = NodeId(70_000);
    let offer = Offer {
        to: Receiver::Node(NodeId(3)),
        rate: Some(Rate(2_000_000)),
        contention: Some(ContentionClass { cw_min: 15, first: 2, attempts: Some(3) }),
        class: FrameClass::NegativeAcknowledgment,
        frame: vec![1, 2, 3],
    };
    let plain = Offer {
        to: Receiver::Broadcast,
        rate: None,
        contention: None,
        class: FrameClass::Data,
        frame: Vec::new(),
    };
    vec![
        ToEther::Hello(Hello { address, promiscuous: true, watches_air: false }),
        ToEther::Offer(offer),
        ToEther::Offer(plain),
        ToEther::Withdraw,
        ToEther::Mark,
        ToEther::AskAir,
        ToEther::AskStatus,
        ToEther::Capture,
    ]
}

#[test]
fn a_class_that_a_scheme_declares_keeps_its_name_and_any_other_is_control() {
    static OURS: multihop_core::Word = multihop_core::Word { name: "ours", about: "of a test" };
    let carried = |class: FrameClass| {
        let to = Receiver::Broadcast;
        let offer = Offer { to, rate: None, contention: None, class, frame: Vec::new() };
        match ToEther::parse(&ToEther::Offer(offer).emit()) {
            Ok(ToEther::Offer(offer)) => offer.class,
            other => panic!("{other:?}"),
        }
    };
    let request = FrameClass::Declared(&multihop_schemes::cxcc::words::REQUEST);
    assert_eq!(carried(request), request);
    assert_eq!(carried(FrameClass::Declared(&OURS)), FrameClass::Control);
}

fn from_ether() -> Vec<FromEther> {
    let spans = [1, 2, 3, 4, 5].map(Duration::from_nanos);
    let [sending, receiving, sensed, waiting, reserved] = spans;
    let done = Done {
        outcome: Outcome::Failed,
        service: Duration::from_micros(700),
        attempts: 7,
        retries: 6,
        rate: Rate(19_200),
        air_time: Duration::from_micros(650),
        batch: 3,
        marked: true,
    };
    let heard = Reception {
        from: NodeId(2),
        heard: Heard::Overheard,
        rate: Rate(1_000_000),
        signal: Some(SignalStrength::from_watts(1e-9)),
        air_time: Duration::from_micros(4_784),
        marked: false,
        frame: vec![9; 40],
    };
    vec![
        FromEther::Welcome { time_scale: 10.0, now: Time::from_nanos(5) },
        FromEther::Refused("no".to_owned()),
        FromEther::Done(done),
        FromEther::Heard(Reception { signal: None, ..heard.clone() }),
        FromEther::Heard(heard),
        FromEther::Air(AirTime { sending, receiving, sensed, waiting, reserved }),
        FromEther::Status("{}".to_owned()),
        FromEther::Captured(vec![0x0A, 0x0D]),
    ]
}

#[test]
fn every_message_survives_the_socket() {
    for message in to_ether() {
        assert_eq!(ToEther::parse(&message.emit()), Ok(message));
    }
    for message in from_ether() {
        assert_eq!(FromEther::parse(&message.emit()), Ok(message));
    }
}

#[test]
fn what_is_cut_off_or_too_long_is_refused() {
    for bytes in to_ether().iter().map(ToEther::emit) {
        // what a frame lacks cannot be told
        let fixed = if bytes[0] == OFFER { 18 } else { bytes.len() };
        for len in 0..fixed {
            assert!(ToEther::parse(&bytes[..len]).is_err(), "{bytes:?} up to {len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(ToEther::parse(&longer).is_ok(), bytes[0] == OFFER);
    }
    for bytes in from_ether().iter().map(FromEther::emit) {
        let fixed = match bytes[0] {
            HEARD => 31,
            REFUSED | STATUS | CAPTURED => 1,
            _ => bytes.len(),
        };
        for len in 0..fixed {
            assert!(FromEther::parse(&bytes[..len]).is_err(), "{bytes:?} up to {len}");
        }
    }
}

#[test]
fn another_version_and_values_that_mean_nothing_are_refused() {
    let mut hello = to_ether()[0].emit();
    hello[2] ^= 0x80;
    assert_eq!(ToEther::parse(&hello), Err(Malformed::Field("version")));
    let mut offer = to_ether()[1].emit();
    offer[1] = 200;
    assert_eq!(ToEther::parse(&offer), Err(Malformed::Field("class")));
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let welcome = FromEther::Welcome { time_scale: scale, now: Time::ZERO };
        let expected = Err(Malformed::Field("time scale"));
        assert_eq!(FromEther::parse(&welcome.emit()), expected);
    }
    assert_eq!(FromEther::parse(&[0x42]), Err(Malformed::Field("kind")));
}

/// Whoever changes the format changes this number, and has to raise the version with it.
#[test]
fn the_format_is_that_of_its_version() {
    let mut bytes: Vec<u8> = to_ether().iter().flat_map(ToEther::emit).collect();
    bytes.extend(from_ether().iter().flat_map(FromEther::emit));
    let names = CLASSES.iter().map(|class| class.name().to_owned());
    let names = names.chain(OUTCOMES.iter().map(|outcome| format!("{outcome:?}")));
    let names = names.chain(WAYS_OF_HEARING.iter().map(|way| format!("{way:?}")));
    bytes.extend(names.flat_map(String::into_bytes));
    let (basis, prime) = (0xCBF2_9CE4_8422_2325_u64, 0x0100_0000_01B3);
    let hash = bytes.iter().fold(basis, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(prime));
    assert_eq!((VERSION, hash), (5, 0x5831_1AA9_AA64_9F6C));
}
