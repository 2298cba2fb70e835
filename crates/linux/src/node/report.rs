//! How a node is: for its status, for metrics, and why packets do not arrive; as JSON, and in lines for people.

use std::net::IpAddr;

use multihop_core::{NodeId, Time};
use multihop_setup::Setup;
use serde_json::{Map, Value, json};

use crate::ip::Subnet;
use crate::proxy::switch::Proxy;
use crate::seal::Seal;

use super::config::Config;
use super::host::Host;
use super::membership::{Membership, Place};
use super::secrets;
use super::tun::Standing;

/// So many flows are listed in an answer, which is one message of a socket.
const MOST_LISTED: usize = 1_000;

/// So many networks are shown to people.
const MOST_SHOWN: usize = 20;

/// A neighbour that was not heard for so many seconds may be off.
const SILENT_S: f64 = 30.0;

/// A node and what belongs to it, as it is asked about.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What it is to be.
    pub config: &'a Config,
    /// Its scenario.
    pub setup: &'a Setup,
    /// The node itself.
    pub host: &'a Host,
    /// What seals its frames, unless they are plain.
    pub seal: Option<&'a Seal>,
    /// Why it has no radio, if it has none.
    pub radio_lacks: Option<&'a str>,
    /// How its device stands.
    pub standing: Standing,
    /// Its proxy, if it has one.
    pub proxy: Option<&'a Proxy>,
    /// So many seconds of the machine are a second of its clock.
    pub time_scale: f64,
}

/// How the node is.
pub fn status(view: View, now: Time) -> Value {
    let host = view.host;
    let all = host.flows().all();
    let (count, listed) = (all.len(), all.take(MOST_LISTED));
    let prefix = view.config.network;
    let flows = listed.map(|flow| {
        json!({
            "to": prefix.address(flow.flow.destination).to_string(),
            "label": flow.flow.label,
            "packets": flow.packets,
            "waiting": flow.queue.len(),
        })
    });
    let (backlog, footprint) = host.load();
    let (key, other_key) = keys(view.seal, host);
    let rows = host.counters.rows();
    let counters: Map<_, _> =
        rows.into_iter().map(|(name, _, value)| (name.to_owned(), value.into())).collect();
    json!({
        "node": view.config.node,
        "version": env!("CARGO_PKG_VERSION"),
        "address": prefix.address(host.network().me).to_string(),
        "network": prefix.to_string(),
        "address6": address6(host).map(|address| address.to_string()),
        "network6": view.config.network6.map(|network| network.to_string()),
        "networks": networks(view, now),
        "announced": host.network().announcer.own().iter().map(|(network, reached)| {
            json!({ "prefix": network.to_string(), "reached": reached })
        }).collect::<Vec<_>>(),
        "scheme": view.setup.scheme_of(view.setup.addresses.number(host.network().me)).name,
        "routing": view.setup.routing.protocol.name,
        "key": key,
        "other_key": other_key,
        "key_lacks": host.membership().and_then(Membership::lacks),
        "roster": host.membership().map(|membership| roster(membership, now)),
        "now_s": now.seconds(),
        "time_scale": view.time_scale,
        "radio": host.has_radio(),
        "radio_lacks": view.radio_lacks,
        "device": view.config.tun,
        "device_state": view.standing.words(),
        "flow_count": count,
        "flows": flows.collect::<Vec<_>>(),
        "backlog": backlog,
        "footprint": footprint,
        "proxy": view.proxy.map(|proxy| json!({
            "streams": proxy.len(),
            "carried": proxy.counts.streams,
            "refused": proxy.counts.refused,
            "malformed": proxy.counts.malformed,
        })),
        "counters": counters,
        "dropped": host.counters.dropped,
    })
}

/// The beginnings of the fingerprints of the key and of the others, by which people tell keys from each other.
pub fn keys(seal: Option<&Seal>, host: &Host) -> (Option<String>, Option<String>) {
    let has_key = host.membership().is_none_or(Membership::has_key);
    let prints = seal.filter(|_| has_key).map(Seal::fingerprints).unwrap_or_default();
    let mut short = prints.into_iter().map(|print| secrets::digits(&print[..4]));
    let key = short.next();
    let others: Vec<String> = short.collect();
    (key, (!others.is_empty()).then(|| others.join(" and ")))
}

/// The newest roster that the node knows.
fn roster(membership: &Membership, now: Time) -> Value {
    let known = membership.known();
    json!({
        "number": known.edition.number,
        "parts": known.parts().len(),
        "of_parts": known.count,
        "members": known.members(),
        "since_s": known.since.map(|since| now.since(since).seconds()),
        "grace_s": known.grace.seconds(),
        "member": known.place == Place::Member,
    })
}

/// The same in words, of a node that has keys.
pub fn words_of_keys(key: Option<&str>, other: Option<&str>) -> String {
    match (key, other) {
        (None, _) => "none".to_owned(),
        (Some(key), None) => key.to_owned(),
        (Some(key), Some(other)) => format!("{key}; frames of {other} are opened, too"),
    }
}

/// The node's address in IPv6, if it has one.
fn address6(host: &Host) -> Option<IpAddr> {
    host.network().families().into_iter().map(|family| family.address).find(IpAddr::is_ipv6)
}

/// The networks behind other nodes, and by whom packets to them go.
fn networks(view: View, now: Time) -> Vec<Value> {
    let network = view.host.network();
    let announced = network.gateways.chosen().iter().filter_map(|(subnet, node)| {
        let gateway = network.gateways.known().get(node)?;
        let holders = network.gateways.known().values();
        Some(json!({
            "prefix": subnet.to_string(),
            "node": name(view.setup, *node),
            "hops": gateway.distance(),
            "expires_s": gateway.until.since(now).seconds(),
            "gateways": holders.filter(|holder| holder.networks.contains(subnet)).count(),
        }))
    });
    let listed = network.listed().iter().map(
        |(subnet, node)| json!({ "prefix": subnet.to_string(), "node": name(view.setup, *node) }),
    );
    listed.chain(announced).take(MOST_LISTED).collect()
}

/// The name of the node with this address.
fn name(setup: &Setup, address: NodeId) -> String {
    let number = setup.addresses.number(address);
    setup.nodes.get(number.index()).map_or_else(String::new, |node| node.name.clone())
}

/// The counters as `OpenMetrics`.
pub fn metrics(view: View) -> String {
    let (host, network) = (view.host, view.host.network());
    let (backlog, footprint) = host.load();
    let ready = view.standing == Standing::Ready;
    let gauges = [
        ("radio_on", "1 if there is a radio", u64::from(host.has_radio())),
        ("device_ready", "1 if what applications send comes here", u64::from(ready)),
        ("networks", "networks that others announce", network.gateways.chosen().len() as u64),
        ("flows", "flows that start here", host.flows().all().len() as u64),
        ("backlog", "packets inside the node", backlog as u64),
        ("footprint", "entries that packets of others have made", footprint as u64),
    ];
    host.counters.open_metrics(&view.config.node, &gauges)
}

/// Why packets to `whom`, a name or an address, arrive or not.
pub fn explanation(view: View, now: Time, whom: &str) -> Value {
    let (host, prefix) = (view.host, view.config.network);
    let nodes = &view.setup.nodes;
    let named = nodes.iter().position(|node| node.name == whom);
    let address = named.map_or_else(
        || whom.parse().ok().and_then(|address| host.network().way_to(address)),
        |number| Some(view.setup.addresses.address(NodeId(number as u32))),
    );
    let name = |address: NodeId| name(view.setup, address);
    let Some(node) = address.filter(|node| host.knows(*node)) else {
        let network = prefix.to_string();
        let finding = format!(
            "{whom} is no other node of this network, whose addresses are in {network}, and lies behind none: `status` \
             shows the networks that are known; what nodes announce counts if it lies in --accept"
        );
        return json!({ "to": whom, "known": null, "findings": [finding] });
    };
    let flows = host.flows().all().filter(|flow| flow.flow.destination == node);
    let (count, waiting) =
        flows.fold((0, 0), |(count, waiting), flow| (count + 1, waiting + flow.queue.len()));
    let mut explained = json!({
        "node": view.config.node,
        "to": name(node),
        "address": prefix.address(node).to_string(),
        "behind": behind(view, now, whom),
        "key_lacks": host.membership().and_then(Membership::lacks),
        "radio": host.has_radio(),
        "radio_lacks": view.radio_lacks,
        "device": view.config.tun,
        "device_state": view.standing.words(),
        "flows": count,
        "waiting": waiting,
        "known": host.peers().explain(now, node, name),
    });
    explained["findings"] = findings(&explained).into();
    explained
}

/// The network behind a node in which the address `whom` lies, as the status has it.
fn behind(view: View, now: Time, whom: &str) -> Value {
    let address = whom.parse::<IpAddr>().ok();
    let lies = |network: &Value| {
        let subnet = word(&network["prefix"]).parse::<Subnet>().ok()?;
        address.is_some_and(|address| subnet.contains(address)).then(|| subnet.parts().1)
    };
    let found =
        networks(view, now).into_iter().filter_map(|network| Some((lies(&network)?, network)));
    found.max_by_key(|(len, _)| *len).map_or(Value::Null, |(_, network)| network)
}

fn count(value: &Value) -> u64 {
    value["count"].as_u64().unwrap_or_default()
}

fn ago(value: &Value) -> String {
    value["seconds_ago"]
        .as_f64()
        .map_or_else(|| "never".to_owned(), |ago| format!("{ago:.1} s ago"))
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// What the rest of an explanation comes to, the first cause first.
fn findings(explained: &Value) -> Vec<String> {
    let (to, known) = (word(&explained["to"]), &explained["known"]);
    let mut findings = Vec::new();
    let behind = &explained["behind"];
    if !behind.is_null() {
        let expires = behind["expires_s"].as_f64();
        let holds = expires.map_or_else(
            || "a file says so".to_owned(),
            |left| format!("announced, for {left:.0} s more, {} hops away", behind["hops"]),
        );
        findings.push(format!("it lies in {} behind {to} ({holds})", word(&behind["prefix"])));
    }
    if explained["radio"] == json!(false) {
        findings.push(format!("there is no radio: {}", word(&explained["radio_lacks"])));
    }
    if let Some(why) = explained["key_lacks"].as_str() {
        findings.push(format!("there is no key, so that no frame is sent: {why}"));
    }
    let (device, state) = (word(&explained["device"]), word(&explained["device_state"]));
    if state == Standing::Down.words() {
        findings.push(format!("the device {device} is down: ip link set {device} up"));
    } else if state == Standing::NoRoute.words() {
        findings.push(format!(
            "no route leads to {device}: ip route get {}",
            word(&explained["address"])
        ));
    }
    if count(&known["sent"]) == 0 {
        findings.push(format!("no application here has sent a packet to {to}"));
    }
    for dropped in known["dropped"].as_array().into_iter().flatten() {
        findings.push(format!(
            "{} packets were dropped here, the last one {}: {} ({})",
            count(dropped),
            ago(dropped),
            word(&dropped["cause"]),
            word(&dropped["about"]),
        ));
    }
    let next = &known["next_hop"];
    if next.is_null() {
        if count(&known["sent"]) > 0 {
            let waiting = explained["waiting"].as_u64().unwrap_or_default();
            findings.push(format!(
                "no frame with a packet for {to} has left: there is no route yet, or the scheme holds packets back \
                 ({waiting} wait here)"
            ));
        }
        return findings;
    }
    let via = word(&next["name"]);
    let heard = next["heard"]["seconds_ago"].as_f64();
    if heard.is_none_or(|ago| ago > SILENT_S) {
        findings.push(format!(
            "frames for {to} go to {via}, which was last heard {}: it is off, or out of reach",
            ago(&next["heard"])
        ));
    } else if count(&known["received"]) == 0 {
        findings.push(format!(
            "frames for {to} go to {via}, which is heard, and no packet has come back from {to}: ask {via} to explain {to}"
        ));
    } else {
        findings.push(format!(
            "frames for {to} go to {via}; the last packet of {to} came {}",
            ago(&known["received"])
        ));
    }
    findings
}

/// The keys in a status, in words.
fn line_of_keys(status: &Value) -> String {
    let (key, other) = (status["key"].as_str(), status["other_key"].as_str());
    match status["key_lacks"].as_str() {
        Some(why) => format!("none: {why}"),
        None if key.is_none() => "none: frames are plain".to_owned(),
        None => words_of_keys(key, other),
    }
}

/// A status in lines for people.
pub fn status_lines(status: &Value) -> String {
    let radio = if status["radio"] == json!(true) {
        "on".to_owned()
    } else {
        format!("off; {}", word(&status["radio_lacks"]))
    };
    let mut lines = vec![format!(
        "{} is {} of {}",
        word(&status["node"]),
        word(&status["address"]),
        word(&status["network"])
    )];
    if let Some(address) = status["address6"].as_str() {
        lines.push(format!("ipv6        {address} of {}", word(&status["network6"])));
    }
    lines.extend([
        format!("scheme      {} over {} routes", word(&status["scheme"]), word(&status["routing"])),
        format!("key         {}", line_of_keys(status)),
        format!("radio       {radio}"),
        format!("device      {}: {}", word(&status["device"]), word(&status["device_state"])),
        format!(
            "flows       {} start here, {} packets inside",
            status["flow_count"], status["backlog"]
        ),
    ]);
    let roster = &status["roster"];
    if !roster.is_null() {
        let since = roster["since_s"].as_f64();
        let since = since.map_or_else(String::new, |since| format!(", complete for {since:.0} s"));
        lines.push(format!(
            "roster      {}: {} of {} parts, {} members{since}",
            roster["number"], roster["parts"], roster["of_parts"], roster["members"]
        ));
    }
    for network in status["networks"].as_array().into_iter().flatten().take(MOST_SHOWN) {
        let far = network["hops"].as_u64().map(|hops| format!(", {hops} hops away"));
        let far = far.unwrap_or_default();
        lines.push(format!(
            "network     {} behind {}{far}",
            word(&network["prefix"]),
            word(&network["node"])
        ));
    }
    for network in status["announced"].as_array().into_iter().flatten() {
        let reached = if network["reached"] == json!(true) {
            "announced"
        } else {
            "not announced: this machine has no route to it"
        };
        lines.push(format!("network     {} is here, {reached}", word(&network["prefix"])));
    }
    if let Some(streams) = status["proxy"]["streams"].as_u64() {
        lines
            .push(format!("proxy       {streams} streams, {} refused", status["proxy"]["refused"]));
    }
    for (title, all) in [("counters", &status["counters"]), ("dropped", &status["dropped"])] {
        let counted =
            all.as_object().into_iter().flatten().filter(|(_, count)| count.as_u64() != Some(0));
        let counted: Vec<String> =
            counted.map(|(name, count)| format!("  {name:<26}{count}")).collect();
        if !counted.is_empty() {
            lines.push(title.to_owned());
            lines.extend(counted);
        }
    }
    lines.join("\n")
}

/// An explanation in lines for people.
pub fn explanation_lines(explained: &Value) -> String {
    let findings = explained["findings"].as_array().into_iter().flatten();
    let findings = findings.map(|finding| format!("- {}", word(finding)));
    let mut lines = vec![format!("{} ({})", word(&explained["to"]), word(&explained["address"]))];
    let known = &explained["known"];
    if !known.is_null() {
        lines.push(format!(
            "sent        {} packets, the last {}",
            count(&known["sent"]),
            ago(&known["sent"])
        ));
        lines.push(format!(
            "received    {} packets, the last {}",
            count(&known["received"]),
            ago(&known["received"])
        ));
        lines.push(format!(
            "waiting     {} packets in {} flows for the scheme",
            explained["waiting"], explained["flows"]
        ));
        let next = &known["next_hop"];
        if !next.is_null() {
            lines.push(format!(
                "next hop    {}: heard {}, {} frames, {} given up",
                word(&next["name"]),
                ago(&next["heard"]),
                count(&next["frames"]),
                count(&next["failed"])
            ));
        }
    }
    lines.extend(findings);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained() -> Value {
        json!({
            "to": "n4", "address": "10.0.0.4", "radio": true, "radio_lacks": null, "key_lacks": null,
            "device": "multihop0", "device_state": "ready", "flows": 1, "waiting": 2,
            "known": {
                "sent": { "count": 7, "seconds_ago": 1.0 },
                "received": { "count": 0, "seconds_ago": null },
                "dropped": [],
                "next_hop": {
                    "name": "n1", "heard": { "count": 3, "seconds_ago": 0.5 },
                    "frames": { "count": 4, "seconds_ago": 0.6 }, "failed": { "count": 0 },
                },
            },
        })
    }

    #[test]
    fn every_cause_that_can_be_seen_is_found() {
        let with = |path: &str, value: Value| {
            let mut changed = explained();
            *changed.pointer_mut(path).expect("it is there") = value;
            findings(&changed).join("\n")
        };
        assert!(with("/radio", json!(false)).contains("no radio"));
        assert!(with("/device_state", json!("down")).contains("ip link set multihop0 up"));
        assert!(
            with("/device_state", json!("no route leads to it")).contains("ip route get 10.0.0.4")
        );
        assert!(with("/known/sent/count", json!(0)).contains("no application here"));
        let keyless = with("/key_lacks", json!("roster 8 has no entry for this node"));
        assert!(keyless.contains("no frame is sent: roster 8 has no entry"), "{keyless}");
        let held = with("/known/next_hop", Value::Null);
        assert!(held.contains("no frame") && held.contains("2 wait"), "{held}");
        let silent = with("/known/next_hop/heard/seconds_ago", json!(300.0));
        assert!(silent.contains("n1, which was last heard 300.0 s ago"), "{silent}");
        assert!(with("/radio", json!(true)).contains("ask n1 to explain n4"));
        assert!(
            with("/known/received", json!({ "count": 1, "seconds_ago": 2.0 }))
                .contains("came 2.0 s ago")
        );
        let drop =
            json!([{ "cause": "no_route", "about": "no route", "count": 2, "seconds_ago": 3.0 }]);
        assert!(
            with("/known/dropped", drop)
                .contains("2 packets were dropped here, the last one 3.0 s ago: no_route")
        );
    }

    #[test]
    fn people_get_lines() {
        let mut value = explained();
        value["findings"] = findings(&value).into();
        let lines = explanation_lines(&value);
        assert!(
            lines.starts_with("n4 (10.0.0.4)\nsent        7 packets, the last 1.0 s ago\n"),
            "{lines}"
        );
        assert!(
            lines.contains("next hop    n1: heard 0.5 s ago, 4 frames, 0 given up\n- "),
            "{lines}"
        );
        let status = json!({
            "node": "n0", "address": "10.0.0.0", "network": "10.0.0.0/8", "scheme": "cxcc", "routing": "fixed",
            "radio": false, "radio_lacks": "wlan0: it is down", "device": "multihop0", "device_state": "ready",
            "flow_count": 1, "backlog": 2, "counters": { "forged": 0, "replayed": 3 }, "dropped": {},
        });
        let mut member = status.clone();
        (member["key"], member["other_key"]) = (json!("4f1c22a0"), json!("9be0417d and 01234567"));
        member["roster"] = json!({
            "number": 8, "parts": 1, "of_parts": 2, "members": 8, "since_s": null, "member": true,
        });
        let lines = status_lines(&member);
        let keys = "key         4f1c22a0; frames of 9be0417d and 01234567 are opened, too\n";
        assert!(lines.contains(keys), "{lines}");
        assert!(lines.contains("\nroster      8: 1 of 2 parts, 8 members"), "{lines}");
        member["key_lacks"] = json!("parts of roster 8 are lacking");
        assert!(
            status_lines(&member).contains("key         none: parts of roster 8 are lacking\n")
        );
        let lines = status_lines(&status);
        assert!(lines.contains("key         none: frames are plain\n"), "{lines}");
        assert!(!lines.contains("roster"), "{lines}");
        assert!(lines.contains("radio       off; wlan0: it is down\n"), "{lines}");
        assert!(
            lines.contains("  replayed                  3") && !lines.contains("forged"),
            "{lines}"
        );
    }
}
