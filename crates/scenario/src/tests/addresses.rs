//! The addresses that [[node]] gives.

use multihop_core::NodeId;

use super::{right, wrong};

fn three(first: &str, second: &str) -> String {
    let line = |address: &str| match address {
        "" => String::new(),
        given => format!("address = \"{given}\"\n"),
    };
    format!(
        "[topology]\nkind = \"explicit\"\n[[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n{}\
         [[node]]\nname = \"b\"\nx = \"100 m\"\ny = \"0 m\"\n{}\
         [[node]]\nname = \"c\"\nx = \"200 m\"\ny = \"0 m\"\n\
         [[flow]]\nfrom = \"a\"\nto = \"c\"\n[scheme]\nname = \"udp\"\n\
         [traffic]\nload = \"10 kbit/s\"\n",
        line(first),
        line(second)
    )
}

#[test]
fn a_node_has_the_address_that_it_is_given_or_its_number() {
    let setup = right(&three("10.0.3.7", ""));
    let addresses = [0, 1, 2].map(|number| setup.addresses.address(NodeId(number)));
    assert_eq!(addresses, [3 * 256 + 7, 1, 2].map(NodeId));
    assert_eq!(setup.sources[0].flow.source, NodeId(0), "set-ups name nodes by their numbers");
}

#[test]
fn an_address_that_cannot_be_is_refused_with_its_line() {
    let cases = [
        (
            "10.0.3",
            "line 7: node[0].address: wants an IPv4 address like \"10.0.3.7\" (got \"10.0.3\")",
        ),
        (
            "192.168.0.1",
            "line 7: node[0].address: must lie in 10.0.0.0 to 10.255.254.255 (got \"192.168.0.1\")",
        ),
        (
            "10.255.255.255",
            "line 7: node[0].address: is the address of everybody; give one of its own (got \
             \"10.255.255.255\")",
        ),
        (
            "10.255.255.7",
            "line 7: node[0].address: is the address of a group; take one up to 10.255.254.255 (got \
             \"10.255.255.7\")",
        ),
    ];
    for (address, message) in cases {
        assert_eq!(wrong(&three(address, "")), message);
    }
}

#[test]
fn an_address_has_one_owner() {
    let remedy = "give one of them another address (a node without one is 10.0.0.0 + its number)";
    assert_eq!(
        wrong(&three("10.9.9.9", "10.9.9.9")),
        format!("line 12: node[1].address: 'a' and 'b' would both be 10.9.9.9; {remedy}")
    );
    let message = wrong(&three("10.0.0.2", ""));
    let expected = format!("node[2].address: 'a' and 'c' would both be 10.0.0.2; {remedy}");
    assert!(message.ends_with(&expected), "{message}");
    assert!(right(&three("10.0.0.1", "10.0.0.0")).addresses.address(NodeId(0)) == NodeId(1));
}
