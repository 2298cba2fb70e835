//! What C calls: `cpp/multihop.h` says the same in C, and what every function does. A pointer that C passes on is one
//! that it was given here, or that of its own data, which lives as long as the call.
#![expect(unsafe_code, reason = "pointers from C")]

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::slice;

use multihop_core::{Bytes, Duration, NodeId, Outcome, SignalStrength, Time};
use multihop_medium::dcf::FrameKind;
use multihop_medium::{Order, OuterFrame, OuterReception, Sensed};
use multihop_sim::{OuterRun, places};

use crate::radio::{MultihopRadio, radio};
use crate::tables::json;

/// A run, or why there is none; and what C was given pointers to.
#[derive(Default)]
pub struct Multihop {
    run: Option<OuterRun>,
    radio: Option<MultihopRadio>,
    error: CString,
    radio_error: CString,
    places: Vec<MultihopPlace>,
    order: Vec<u8>,
    results: CString,
}

/// Where a node is at a time. Between two such places it moves evenly.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MultihopPlace {
    /// In ns.
    pub time: u64,
    /// Its number.
    pub node: u32,
    /// In m.
    pub x: f64,
    /// In m.
    pub y: f64,
}

/// For everyone, in the place of a node's number.
pub const MULTIHOP_EVERYONE: u32 = u32::MAX;

/// What is to be done with a frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultihopTask {
    /// Send it.
    Transmit,
    /// Take it back, it has not been on the air.
    Withdraw,
}

/// What ns-3 is to do.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MultihopOrder {
    /// What.
    pub task: MultihopTask,
    /// Whose frame it is.
    pub node: u32,
    /// Its number.
    pub number: u32,
    /// Whom it is for, or [`MULTIHOP_EVERYONE`].
    pub to: u32,
    /// Whether the receiver is to acknowledge it.
    pub acknowledged: bool,
    /// The smallest contention window; 0 for the MAC's own.
    pub cw_min: u32,
    /// What it carries, until the next call.
    pub bytes: *const u8,
    /// How many bytes that are.
    pub length: usize,
}

/// What kind of frame is on the air.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultihopKind {
    /// Request to send.
    Rts,
    /// Clear to send.
    Cts,
    /// Data that is acknowledged.
    Data,
    /// Data that is not.
    UnacknowledgedData,
    /// Link acknowledgment.
    Ack,
}

/// A frame that begins to be on the air.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MultihopFrame {
    /// What kind it is.
    pub kind: MultihopKind,
    /// Who transmits it.
    pub from: u32,
    /// Whom it is for, or [`MULTIHOP_EVERYONE`].
    pub to: u32,
    /// The number of the frame that it is or announces, or [`MULTIHOP_EVERYONE`] if none.
    pub number: u32,
    /// Its length.
    pub bytes: u32,
    /// The MAC's sequence number.
    pub sequence: u32,
    /// How long it is on the air, in ns.
    pub air_time: u64,
    /// How long it reserves the medium after its end, in ns.
    pub reserved: u64,
}

/// How a frame has ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultihopOutcome {
    /// It was on the air, and nobody was to acknowledge it.
    Sent,
    /// It was acknowledged.
    Acknowledged,
    /// It was given up.
    Failed,
}

/// The name of a frame: whose it is, and its number.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MultihopName {
    /// Whose it is.
    pub from: u32,
    /// Its number.
    pub number: u32,
}

/// A frame as a radio has decoded it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MultihopReception {
    /// Which.
    pub frame: MultihopName,
    /// How strong it was, in dBm; not finite if that is not known.
    pub signal: f64,
    /// What it carries.
    pub bytes: *const u8,
    /// How many bytes that are.
    pub length: usize,
}

/// What a radio senses.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultihopSensed {
    /// A frame that it can decode so far.
    Frame,
    /// Something that it cannot decode.
    Noise,
    /// No frame any more.
    Silence,
    /// That the medium is reserved.
    Reservation,
    /// That nobody has answered its own frame.
    NoAnswer,
}

impl Multihop {
    fn open(scenario: &str) -> Result<Self, String> {
        let is_json = scenario.trim_start().starts_with('{');
        let read =
            if is_json { multihop_scenario::from_json } else { multihop_scenario::from_toml };
        let setup = read(scenario).and_then(|scenario| scenario.setup());
        let setup = setup.map_err(|error| error.to_string())?;
        let (radio, radio_error) = match radio(&setup) {
            Ok(radio) => (Some(radio), CString::default()),
            Err(message) => (None, text(message)),
        };
        let place = |(time, node, (x, y)): (Time, usize, _)| MultihopPlace {
            time: time.nanos(),
            node: node as u32,
            x,
            y,
        };
        let places = places(&setup, setup.end).into_iter().map(place).collect();
        let run = Some(OuterRun::new(setup)?);
        Ok(Multihop { run, radio, radio_error, places, ..Multihop::default() })
    }
}

/// Text for C, which ends at its first zero.
fn text(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    bytes.retain(|byte| *byte != 0);
    CString::new(bytes).expect("zeros were taken out")
}

fn node(number: u32) -> Option<NodeId> {
    (number != MULTIHOP_EVERYONE).then_some(NodeId(number))
}

/// The run that C names; nothing is due in one that is over, or that there never was.
///
/// # Safety
/// `multihop` is from [`multihop_open`], and was not closed.
unsafe fn run<'a>(multihop: *mut Multihop) -> Option<&'a mut OuterRun> {
    // SAFETY: as promised; C calls from one thread.
    unsafe { &mut *multihop }.run.as_mut()
}

/// A run of the scenario in TOML or JSON, never null; if [`multihop_error`] says why, there is none.
///
/// # Safety
/// `scenario` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_open(scenario: *const c_char) -> *mut Multihop {
    // SAFETY: as promised.
    let scenario = unsafe { CStr::from_ptr(scenario) }.to_string_lossy();
    let opened = Multihop::open(&scenario)
        .unwrap_or_else(|message| Multihop { error: text(message), ..Multihop::default() });
    Box::into_raw(Box::new(opened))
}

/// All that the run has is gone.
///
/// # Safety
/// As of [`multihop_due`]; nothing is called with it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_close(multihop: *mut Multihop) {
    // SAFETY: as promised.
    drop(unsafe { Box::from_raw(multihop) });
}

/// Why there is no run; empty if there is one.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_error(multihop: *const Multihop) -> *const c_char {
    // SAFETY: as promised.
    unsafe { &*multihop }.error.as_ptr()
}

/// The settings of 802.11b that the scenario asks for; null if [`multihop_radio_error`] says why not.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_radio(multihop: *const Multihop) -> *const MultihopRadio {
    // SAFETY: as promised.
    unsafe { &*multihop }.radio.as_ref().map_or(ptr::null(), ptr::from_ref)
}

/// Why 802.11b cannot be as the scenario asks; empty if it can.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_radio_error(multihop: *const Multihop) -> *const c_char {
    // SAFETY: as promised.
    unsafe { &*multihop }.radio_error.as_ptr()
}

/// Where nodes are, each at the start and at both ends of every leg of its way; how many places goes to `count`.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_places(
    multihop: *const Multihop,
    count: *mut usize,
) -> *const MultihopPlace {
    // SAFETY: as promised; `count` is C's own.
    let places = unsafe {
        let places = &(*multihop).places;
        *count = places.len();
        places
    };
    places.as_ptr()
}

/// What fixes the random numbers of the nodes.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_seed(multihop: *mut Multihop) -> u64 {
    // SAFETY: as promised.
    unsafe { run(multihop) }.map_or(0, |run| run.setup().seed)
}

/// When the run ends, in ns.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_end(multihop: *mut Multihop) -> u64 {
    // SAFETY: as promised.
    unsafe { run(multihop) }.map_or(0, |run| run.setup().end.nanos())
}

/// When to wake the run, in ns.
///
/// # Safety
/// `multihop` is from [`multihop_open`], and was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_due(multihop: *mut Multihop) -> u64 {
    // SAFETY: as promised.
    unsafe { run(multihop) }.map_or(u64::MAX, |run| run.due().nanos())
}

/// It is `now`, in ns.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_wake(multihop: *mut Multihop, now: u64) {
    // SAFETY: as promised.
    if let Some(run) = unsafe { run(multihop) } {
        run.wake(Time::from_nanos(now));
    }
}

/// What is to be done next, if anything.
///
/// # Safety
/// As of [`multihop_due`]; `order` is C's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_order(
    multihop: *mut Multihop,
    order: *mut MultihopOrder,
) -> bool {
    // SAFETY: as promised.
    let (multihop, order) = unsafe { (&mut *multihop, &mut *order) };
    let Some(next) = multihop.run.as_mut().and_then(OuterRun::poll_order) else { return false };
    *order = match next {
        Order::Transmit { node, number, to, acknowledged, cw_min, bytes } => {
            multihop.order = bytes;
            MultihopOrder {
                task: MultihopTask::Transmit,
                node: node.0,
                number,
                to: to.map_or(MULTIHOP_EVERYONE, |to| to.0),
                acknowledged,
                cw_min: cw_min.unwrap_or(0),
                bytes: multihop.order.as_ptr(),
                length: multihop.order.len(),
            }
        }
        Order::Withdraw { node, number } => MultihopOrder {
            task: MultihopTask::Withdraw,
            node: node.0,
            number,
            to: MULTIHOP_EVERYONE,
            acknowledged: false,
            cw_min: 0,
            bytes: ptr::null(),
            length: 0,
        },
    };
    true
}

/// A frame begins to be on the air.
///
/// # Safety
/// As of [`multihop_due`]; `frame` is C's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_began(
    multihop: *mut Multihop,
    now: u64,
    frame: *const MultihopFrame,
) {
    // SAFETY: as promised.
    let (Some(run), frame) = (unsafe { run(multihop) }, unsafe { *frame }) else { return };
    let began = OuterFrame {
        from: NodeId(frame.from),
        to: node(frame.to),
        kind: match frame.kind {
            MultihopKind::Rts => FrameKind::Rts,
            MultihopKind::Cts => FrameKind::Cts,
            MultihopKind::Data => FrameKind::Data,
            MultihopKind::UnacknowledgedData => FrameKind::UnacknowledgedData,
            MultihopKind::Ack => FrameKind::Ack,
        },
        bytes: Bytes(frame.bytes),
        air_time: Duration::from_nanos(frame.air_time),
        reserved: Duration::from_nanos(frame.reserved),
        sequence: frame.sequence,
    };
    run.began(Time::from_nanos(now), &began, node(frame.number).map(|number| number.0));
}

/// What a radio senses is something else from now on.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_senses(
    multihop: *mut Multihop,
    now: u64,
    node: u32,
    sensed: MultihopSensed,
    until: u64,
) {
    let until = Time::from_nanos(until);
    let sensed = match sensed {
        MultihopSensed::Frame => Sensed::Frame(until),
        MultihopSensed::Noise => Sensed::Noise(until),
        MultihopSensed::Silence => Sensed::Silence,
        MultihopSensed::Reservation => Sensed::Reservation(until),
        MultihopSensed::NoAnswer => Sensed::NoAnswer,
    };
    // SAFETY: as promised.
    if let Some(run) = unsafe { run(multihop) } {
        run.senses(Time::from_nanos(now), NodeId(node), sensed);
    }
}

/// A radio has decoded a frame. Returns whether there is such a frame.
///
/// # Safety
/// As of [`multihop_due`]; `reception` is C's own, and so are the bytes that it names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_heard(
    multihop: *mut Multihop,
    now: u64,
    node: u32,
    reception: *const MultihopReception,
) -> bool {
    // SAFETY: as promised.
    let (run, reception, bytes) = unsafe {
        let reception = &*reception;
        (run(multihop), reception, slice::from_raw_parts(reception.bytes, reception.length))
    };
    let signal = reception.signal;
    let reception = OuterReception {
        from: NodeId(reception.frame.from),
        number: reception.frame.number,
        signal: signal.is_finite().then(|| SignalStrength::from_dbw(signal - 30.0)),
        bytes,
    };
    run.is_some_and(|run| run.heard(Time::from_nanos(now), NodeId(node), &reception))
}

/// A frame has ended. Returns whether its node has waited for that.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_ended(
    multihop: *mut Multihop,
    now: u64,
    frame: MultihopName,
    outcome: MultihopOutcome,
) -> bool {
    let outcome = match outcome {
        MultihopOutcome::Sent => Outcome::Sent,
        MultihopOutcome::Acknowledged => Outcome::Acknowledged,
        MultihopOutcome::Failed => Outcome::Failed,
    };
    // SAFETY: as promised.
    let run = unsafe { run(multihop) };
    let named = (NodeId(frame.from), frame.number);
    run.is_some_and(|run| run.ended(Time::from_nanos(now), named, outcome))
}

/// The run is over: its tables in JSON, until it is closed.
///
/// # Safety
/// As of [`multihop_due`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn multihop_results(multihop: *mut Multihop) -> *const c_char {
    // SAFETY: as promised.
    let multihop = unsafe { &mut *multihop };
    if let Some(run) = multihop.run.take() {
        multihop.results = text(json(run.tables()));
    }
    multihop.results.as_ptr()
}
