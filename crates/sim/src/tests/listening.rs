//! Stations that measure only while they have traffic find what those find that always measure.

use multihop_core::{
    AirTime, Cx, Duration, Estimate, Leaving, NodeId, Packet, RouteNews, Rx, Scheme, Stamp, Time,
    TxDone,
};
use multihop_schemes::parts::stamped::Stamped;
use multihop_schemes::wxcp::{SCHEME, station::Station};
use multihop_setup::Setup;
use multihop_trace::{Costly, Observation, Observer};

use crate::tests::{fingerprint, never, run, setup};
use crate::{Options, Simulation};

/// A station of WXCP whose radio never rests.
struct Sleepless(Station);

// All but `listens` is passed on.
impl Stamp for Sleepless {
    type Note = ();

    fn on_enqueue(&mut self, cx: &mut Cx, packet: &mut Packet) {
        self.0.on_enqueue(cx, packet);
    }

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), leaving: Leaving) {
        self.0.on_forward(cx, packet, (), leaving);
    }

    fn promiscuous(&self) -> bool {
        self.0.promiscuous()
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) {
        self.0.on_heard(cx, rx);
    }

    fn watches_air(&self) -> bool {
        self.0.watches_air()
    }

    fn on_neighbour_lost(&mut self, next: NodeId) {
        self.0.on_neighbour_lost(next);
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.0.on_route(cx, news);
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) {
        self.0.on_tx_done(cx, done);
    }

    fn header_len(&self) -> usize {
        self.0.header_len()
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.0.on_deadline(cx);
    }

    fn deadline(&self) -> Time {
        self.0.deadline()
    }
}

static SLEEPLESS: Scheme = Scheme {
    hop: &|params| Box::new(Stamped::new(params, Sleepless(Station::new(params)))),
    ..SCHEME
};

/// What all stations find.
#[derive(Default)]
struct Found(Vec<(Time, NodeId, Estimate)>);

impl Observer for Found {
    fn observe(&mut self, at: Time, what: &Observation) {
        if let Observation::Estimate { node, estimate } = *what {
            self.0.push((at, node, estimate));
        }
    }
}

fn found(scheme: &'static Scheme, text: &str) -> (Vec<(Time, NodeId, Estimate)>, String) {
    let setup = Setup { scheme, ..setup(text) };
    let mut found = Found::default();
    let watched = Simulation::new(setup.clone(), Options::default()).watched_by(&mut found);
    let tables = watched.run(&never()).expect("nobody interrupts the run");
    (found.0, fingerprint(&tables))
}

/// A grid whose flows come and go, in which a station restarts; with timeouts, and so with silences.
#[test]
fn a_station_that_rests_finds_what_one_finds_that_never_does() {
    for seed in 1..=3 {
        let text = format!(
            "seed = {seed}\nwarmup = \"1 s\"\nduration = \"9 s\"\n[topology]\nkind = \"grid\"\n\
             rows = 4\ncolumns = 5\nhorizontal_flows = 2\nvertical_flows = 1\n\
             [routing]\nkind = \"aodv\"\n[scheme]\nname = \"wxcp\"\n\
             [traffic]\nkind = \"ftp\"\nstart_jitter = \"3 s\"\nstop = \"8 s\"\n\
             [[restart]]\nnode = \"n7\"\nat = \"5 s\"\n"
        );
        let (own, print) = found(&SCHEME, &text);
        assert!(own.len() > 500, "{} estimates", own.len());
        assert!((own, print) == found(&SLEEPLESS, &text), "seed {seed}");
    }
}

/// What each radio has done with its time when the run ends.
#[derive(Default)]
struct Times(Vec<AirTime>);

impl Observer for Times {
    fn wants(&self, costly: Costly) -> bool {
        costly == Costly::Air
    }

    fn observe(&mut self, _at: Time, what: &Observation) {
        if let Observation::Air(times) = *what {
            self.0 = times.to_vec();
        }
    }
}

/// A flow over two hops, and a station beside it that has nothing to do.
#[test]
fn observers_are_told_what_the_radio_of_a_station_that_rests_does() {
    let of = |scheme: &str| {
        let text = format!(
            "warmup = \"0 s\"\nduration = \"5 s\"\n[topology]\nkind = \"explicit\"\n\
             [[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n\
             [[node]]\nname = \"b\"\nx = \"200 m\"\ny = \"0 m\"\n\
             [[node]]\nname = \"c\"\nx = \"400 m\"\ny = \"0 m\"\n\
             [[node]]\nname = \"aside\"\nx = \"200 m\"\ny = \"100 m\"\n\
             [[flow]]\nfrom = \"a\"\nto = \"c\"\nvia = [\"b\"]\n\
             [scheme]\nname = \"{scheme}\"\n[traffic]\nkind = \"ftp\"\n"
        );
        let mut times = Times::default();
        let watched = Simulation::new(setup(&text), Options::default()).watched_by(&mut times);
        watched.run(&never()).expect("nobody interrupts the run");
        times.0[3]
    };
    let (resting, listening) = (of("wxcp"), of("newreno"));
    for time in [resting, listening] {
        assert!(time.receiving > Duration::from_millis(1_500), "{time:?}");
        assert_eq!((time.sending, time.waiting), (Duration::ZERO, Duration::ZERO));
    }
}

/// It is spared the frames that do not concern it: fewer wake-ups.
#[test]
fn a_station_without_traffic_costs_less() {
    let text = "warmup = \"0 s\"\nduration = \"5 s\"\n[topology]\nkind = \"grid\"\nrows = 4\n\
                columns = 4\nhorizontal_flows = 1\n[routing]\nkind = \"aodv\"\n\
                [scheme]\nname = \"wxcp\"\n[traffic]\nkind = \"ftp\"\n";
    let events = |scheme: &'static Scheme| {
        let tables = run(Setup { scheme, ..setup(text) }, Options::default());
        crate::tests::integers(&tables.runs, "events")[0]
    };
    let (own, all) = (events(&SCHEME), events(&SLEEPLESS));
    assert!(own < all, "{own} wake-ups, {all} without a rest");
}
