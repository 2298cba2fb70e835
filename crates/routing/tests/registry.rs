//! What every routing protocol has to say of itself.

use multihop_core::{NodeId, Otherwise, ParamError, ParamKind, Value, Values};
use multihop_routing::{FixedRoutes, Life, ROUTINGS, RoutingNode, RoutingProtocol};

fn make(protocol: &RoutingProtocol, values: &Values) {
    let known = FixedRoutes::default();
    let routing =
        (protocol.make)(values, RoutingNode { me: NodeId(0), known, life: Life::default() });
    assert_eq!(routing.backlog(), 0, "{}", protocol.name);
}

#[test]
fn every_protocol_describes_itself() {
    for (at, protocol) in ROUTINGS.iter().enumerate() {
        let name = protocol.name;
        assert!(ROUTINGS[..at].iter().all(|other| other.name != name), "two are called {name}");
        assert!(!protocol.title.is_empty() && !protocol.source.is_empty(), "{name}");
        assert!(protocol.about.len() > 10, "{name}");
        make(protocol, &Values::new(protocol.params, &[]).expect("the defaults are valid"));
    }
}

#[test]
fn every_parameter_is_complete_and_its_bounds_work() {
    for protocol in ROUTINGS {
        for (at, param) in protocol.params.iter().enumerate() {
            let name = format!("{}.{}", protocol.name, param.name);
            assert!(protocol.params[..at].iter().all(|other| other.name != param.name), "{name}");
            assert!(param.about.len() > 20 && !param.about.contains("  "), "{name}");
            assert_ne!(param.otherwise, Otherwise::Required, "{name}: a section may be left out");
            let values = match (param.kind, param.bounds()) {
                (_, Some((min, max))) => vec![min, param.default(), max],
                (ParamKind::Choice(among), None) => (0..among.len()).map(Value::Choice).collect(),
                (ParamKind::Switch(_), None) => vec![Value::Switch(false), Value::Switch(true)],
                (_, None) => vec![param.default()],
            };
            for value in values {
                let given = [(param.name.to_owned(), value)];
                match Values::new(protocol.params, &given) {
                    Err(ParamError::Contradicts { .. }) => {}
                    values => make(protocol, &values.expect("within its bounds")),
                }
            }
        }
    }
}

#[test]
fn the_headers_of_all_protocols_are_listed() {
    let listed: Vec<_> = multihop_routing::headers().map(|format| format.name).collect();
    let own = ROUTINGS.iter().flat_map(|protocol| protocol.headers);
    assert_eq!(listed, own.map(|format| format.name).collect::<Vec<_>>());
    assert!(listed.len() >= 4, "{listed:?}");
}
