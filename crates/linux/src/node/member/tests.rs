//! Ways that are given.

use super::*;

fn setup() -> Setup {
    let text = "[topology]\nkind = \"grid\"\nrows = 2\ncolumns = 3\nspacing = \"200 m\"\nhorizontal_flows = 1\n\
                [radio]\nreceive_range = \"250 m\"\n[scheme]\nname = \"cxcc\"\n[traffic]\nload = \"1 kbit/s\"\n";
    let setup = multihop_scenario::from_toml(text).and_then(|scenario| scenario.setup());
    setup.unwrap_or_else(|error| panic!("{error}"))
}

fn path(ways: &str, from: u32, to: u32) -> Result<Vec<u32>, String> {
    let ways: Ways = toml::from_str(ways).map_err(|error| error.to_string())?;
    let routes = routes(&setup(), &ways)?;
    let path = FixedRoutes::path(&routes, FlowId::between(NodeId(from), NodeId(to)));
    Ok(path.unwrap_or_default().into_iter().map(|node| node.0).collect())
}

#[test]
fn everybody_has_a_route_to_everybody() {
    for from in 0..6 {
        for to in (0..6).filter(|to| *to != from) {
            let path = path("", from, to).expect("no way is given");
            assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
        }
    }
}

#[test]
fn a_way_that_is_given_is_taken_there_and_back() {
    let names: Vec<_> = setup().nodes.iter().map(|node| node.name.clone()).collect();
    let straight = path("", 0, 2).expect("no way is given");
    assert_eq!(straight.len(), 3);
    let mut long = vec![0, 3, 4, 5, 2];
    let nodes: Vec<_> = long.iter().map(|node| format!("\"{}\"", names[*node as usize])).collect();
    let ways = format!("[[way]]\nnodes = [{}]\n", nodes.join(", "));
    assert_eq!(path(&ways, 0, 2), Ok(long.clone()));
    long.reverse();
    assert_eq!(path(&ways, 2, 0), Ok(long));
}

#[test]
fn a_way_that_is_none_is_refused_by_name() {
    let error = path("[[way]]\nnodes = [\"n0\", \"nobody\"]\n", 0, 1).expect_err("nobody");
    assert!(error.contains("nobody"), "{error}");
    assert!(path("[[way]]\nnodes = [\"n0\"]\n", 0, 1).is_err());
    assert!(path("[[ways]]\n", 0, 1).is_err());
}

#[test]
fn a_node_that_does_not_exist_is_told_those_that_do() {
    let error = find(&setup(), "x").expect_err("there is no x");
    assert!(error.contains("n0") || error.contains("it has "), "{error}");
}
