//! A scheme with a header and parameters of its own, as TCP has.

use multihop_core::{
    Capability, Count, Cx, FlowId, Forwarding, Message, Number, Packet, Param, Plot, Scheme,
    Transport,
};
use multihop_schemes::parts::datagram::{self, Datagram};
use multihop_schemes::udp;

use super::{CHAIN, with};
use crate::{Registry, from_toml};
use multihop_setup::Setup;

struct Segments(Datagram);

impl Transport for Segments {
    fn wants_message(&self, room: bool) -> bool {
        self.0.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.0.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.0.on_packet(cx, packet);
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.0.poll_send(cx)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.0.give_up()
    }

    fn backlog(&self) -> usize {
        self.0.backlog()
    }

    fn header_len(&self) -> usize {
        32
    }
}

const fn count(name: &'static str, max: u32) -> Param {
    let about = "How many may be on their way";
    Count { name, about, unit: "segments", default: 8, min: 1, max }.param()
}

const fn number(name: &'static str, max: f64) -> Param {
    let about = "How many may be on their way";
    Number { name, about, unit: "segments", default: 8.0, min: 1.0, max }.param()
}

/// A window-based scheme.
static TCP: Scheme = Scheme {
    name: "tcp",
    title: "TCP",
    paper: "none",
    plot: Plot { color: "#000000", marker: "x" },
    counters: &[],
    words: &[],
    headers: &[],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[
        udp::SCHEME.params[0],
        count("window_limit", 1_000_000),
        number("open", f64::INFINITY),
    ],
    hop: udp::SCHEME.hop,
    transport: &|_, flow: FlowId, _| Box::new(Segments(Datagram::new(flow))),
    carries: datagram::carries,
};

fn setup(text: &str) -> Result<Setup, String> {
    let scenario = from_toml(text).map_err(|error| error.to_string())?;
    scenario.setup_with(&Registry::default().with_scheme(&TCP)).map_err(|error| error.to_string())
}

fn wrong(text: &str) -> String {
    setup(text).err().unwrap_or_else(|| panic!("passed:\n{text}"))
}

fn ftp(more: &str) -> String {
    let tcp = with(CHAIN, "\"udp\"", "\"tcp\"");
    with(&tcp, "load = \"100 kbit/s\"\n", &format!("kind = \"ftp\"\n{more}"))
}

#[test]
fn a_segment_has_to_fit_with_its_headers() {
    assert_eq!(
        wrong(&ftp("payload = \"3 kB\"\n")),
        "line 10: traffic.payload: a segment of 3000 B and 52 B of headers make 3052 B, but a \
         frame of the 802.11 DCF MAC carries at most 2304 B; the segment may be up to 2252 B"
    );
    assert!(setup(&ftp("payload = \"2252 B\"\n")).is_ok());
    assert!(wrong(&ftp("payload = \"2253 B\"\n")).contains("make 2305 B"));
}

#[test]
fn a_datagram_has_no_header_of_the_scheme() {
    let datagrams = "payload = \"2284 B\"\ntransport = \"datagram\"\n";
    assert!(setup(&ftp(datagrams)).is_ok());
    assert_eq!(
        wrong(&ftp(&datagrams.replace("2284", "2285"))),
        "line 10: traffic.payload: a payload of 2285 B and 20 B of headers make 2305 B, but a \
         frame of the 802.11 DCF MAC carries at most 2304 B; the payload may be up to 2284 B"
    );
    let beside = "[[flow]]\nfrom = \"n1\"\nto = \"n0\"\npayload = \"2260 B\"\n";
    assert!(wrong(&ftp(beside)).starts_with("line 13: flow[0].payload: a segment of 2260 B"));
    assert!(setup(&ftp(&format!("{beside}transport = \"datagram\"\n"))).is_ok());
}

#[test]
fn a_window_of_nothing_is_refused() {
    let with_param = |param: &str| with(&ftp(""), "\"tcp\"", &format!("\"tcp\"\n{param}"));
    assert_eq!(
        wrong(&with_param("window_limit = 0")),
        "line 8: scheme.window_limit: must lie between 1 and 1000000 segments (got 0)"
    );
    assert_eq!(
        wrong(&with_param("open = 0")),
        "line 8: scheme.open: must be at least 1 segments (got 0)"
    );
    let message = wrong(&with_param("window_limit = true"));
    assert!(message.ends_with("wants a whole number (in segments)"), "{message}");
    for half in ["4.5", "1.0000001", "999999.5"] {
        assert_eq!(
            wrong(&with_param(&format!("window_limit = {half}"))),
            "line 8: scheme.window_limit: wants a whole number (in segments)"
        );
    }
    for whole in ["4", "4.0"] {
        assert!(setup(&with_param(&format!("window_limit = {whole}"))).is_ok());
    }
}
