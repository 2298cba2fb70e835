//! What a node of a configuration needs of the machine, and whether it is there; each thing that is not has a remedy.

use std::fs::OpenOptions;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use multihop_core::{NodeId, Rate};
use rustix::thread::CapabilitySet;
use serde::Serialize;

use crate::ether::message::{FromEther, ToEther};
use crate::ip::Subnet;
use crate::netlink::Netlink;
use crate::scenario;

use super::config::{Config, MOST_HEADERS};
use super::control;
use super::member;
use super::network::Network;
use super::rights;
use super::secrets;
use super::wire::WirePort;

const DEVICE: &str = "/dev/net/tun";
/// Here systemd lends a running service its key,
const LENT: &str = "/run/credentials";
/// which the packaged service has from a file of the same name here.
const LENDER: &str = "/etc/multihop";
/// Here systemd makes the folder of a service when it starts.
const STATES: &str = "/var/lib";

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What.
    pub part: &'static str,
    /// Whether it is as it has to be.
    pub ok: bool,
    /// How it is, and what to do if that is not well.
    pub says: String,
}

fn found(part: &'static str, looked: Result<String, String>) -> Finding {
    let ok = looked.is_ok();
    Finding { part, ok, says: looked.unwrap_or_else(|problem| problem) }
}

/// Look at all of it, for a node of this configuration.
pub fn examine(config: &Result<Box<Config>, String>) -> Vec<Finding> {
    let machine = [found("tun", tun())];
    let Ok(config) = config else {
        let wrong = config.as_ref().err().cloned().unwrap_or_default();
        return [found("configuration", Err(wrong))].into_iter().chain(machine).collect();
    };
    let nodes = nodes(config);
    let me = nodes.as_ref().ok().map(|(me, _)| *me);
    let others = nodes.as_ref().map(|(_, others)| others.clone()).unwrap_or_default();
    let running =
        config.control.as_ref().and_then(|path| control::ask(path, b"status".to_vec()).ok());
    let mut findings = vec![
        found("configuration", Ok("it can be read".to_owned())),
        found("scenario", nodes.map(|(_, others)| format!("{} other nodes", others.len()))),
    ];
    findings.extend(machine);
    findings.push(found("rights", may(config)));
    if let Some(path) = &config.identity {
        findings.push(found("identity", identity(path)));
    } else if !config.plain {
        findings.push(found("key", key(config)));
    }
    if let Some(state) = &config.state {
        findings.push(found("state", writable(state, of_service(config))));
    }
    findings.push(found("radio", radio(config, me)));
    findings.push(found("route", route(config, &others, running.is_some())));
    if config.network6.is_some() {
        findings.push(found("ipv6", ipv6()));
    }
    for network in &config.announce {
        findings.push(found("announce", announces(config, *network)));
    }
    if let Some(answer) = running {
        findings.push(found("node", answered(&answer)));
    }
    findings
}

/// The address of the node, and those of the others.
fn nodes(config: &Config) -> Result<(NodeId, Vec<NodeId>), String> {
    let setup = scenario::read(&config.scenario, config.defaults)?;
    let number = member::find(&setup, &config.node)?;
    let network = Network::configured(config, &setup, number)?;
    let others = network.all.iter().copied().filter(|node| *node != network.me).collect();
    Ok((network.me, others))
}

fn tun() -> Result<String, String> {
    if !Path::new(DEVICE).exists() {
        return Err(format!(
            "there is no {DEVICE}: modprobe tun; in a container, give it this device"
        ));
    }
    let opened = OpenOptions::new().read(true).write(true).open(DEVICE);
    opened
        .map(|_| DEVICE.to_owned())
        .map_err(|error| format!("{DEVICE}: {error}: run it as root, or by the service"))
}

fn may(config: &Config) -> Result<String, String> {
    let wanted = rights::needed(config.interface.is_some());
    let missing = rights::missing(wanted).map_err(|error| error.to_string())?;
    if missing.is_empty() {
        return Ok("they suffice".to_owned());
    }
    let name =
        |right| if right == CapabilitySet::NET_RAW { "CAP_NET_RAW" } else { "CAP_NET_ADMIN" };
    let names: Vec<_> = missing.iter().map(name).collect();
    Err(format!("{} missing: run it as root, or by the service", names.join(" and ")))
}

fn key(config: &Config) -> Result<String, String> {
    let path = config.key.as_deref().ok_or("there is none")?;
    let path = lender(path);
    for path in [Some(path.clone()), config.other_key.as_deref().map(lender)].into_iter().flatten()
    {
        secrets::read_key(&path)?;
    }
    Ok(format!("{} is one", path.display()))
}

fn identity(path: &Path) -> Result<String, String> {
    let public = secrets::digits(&secrets::read_identity(&lender(path))?.public());
    Ok(format!("its public key is {public}"))
}

/// Whether the packaged service runs the node.
fn of_service(config: &Config) -> bool {
    [&config.key, &config.identity].into_iter().flatten().any(|file| file.starts_with(LENT))
}

/// Where a secret is while no service has it lent.
fn lender(path: &Path) -> PathBuf {
    match path.file_name() {
        Some(name) if path.starts_with(LENT) && !path.exists() => Path::new(LENDER).join(name),
        _ => path.to_owned(),
    }
}

fn writable(folder: &Path, of_service: bool) -> Result<String, String> {
    if of_service && folder.starts_with(STATES) && !folder.exists() {
        return Ok(format!("the service makes {}", folder.display()));
    }
    let tried = folder.join(".doctor");
    let written = secrets::private_file(&tried).and_then(|_| std::fs::remove_file(&tried));
    let folder = folder.display();
    written.map(|()| format!("{folder} can be written")).map_err(|error| {
        format!("{folder}: {error}: make the folder, for the user that runs the node")
    })
}

fn radio(config: &Config, me: Option<NodeId>) -> Result<String, String> {
    if let Some(path) = &config.ether {
        let answer = control::ask(path, ToEther::AskStatus.emit());
        let answer = answer
            .map_err(|error| format!("{}: {error}: start multihop-ether there", path.display()))?;
        return match FromEther::parse(&answer) {
            Ok(FromEther::Status(_)) => Ok(format!("multihop-ether answers at {}", path.display())),
            _ => Err(format!("{}: it is no multihop-ether, or of another version", path.display())),
        };
    }
    let name = config.interface.as_deref().unwrap_or_default();
    let port = WirePort::new(name, me.unwrap_or(NodeId(0)), Rate(1))
        .map_err(|error| format!("{name}: {error}"))?;
    if let Some(lacking) = port.lacks() {
        let there: Vec<_> = interfaces().into_iter().filter(|there| there != "lo").collect();
        return Err(format!("{lacking}; interfaces: {}; ip link set {name} up", there.join(", ")));
    }
    let mtu = std::fs::read_to_string(format!("/sys/class/net/{name}/mtu")).ok();
    let mtu = mtu.and_then(|mtu| mtu.trim().parse::<usize>().ok());
    let needed = usize::from(config.mtu) + MOST_HEADERS;
    match mtu {
        Some(mtu) if mtu < needed => Err(format!(
            "{name} carries {mtu} B, and an IP packet of {} B may need {needed}: ip link set {name} mtu {needed}, or a \
             smaller --mtu",
            config.mtu
        )),
        _ => Ok(format!("{name} is up")),
    }
}

fn interfaces() -> Vec<String> {
    let addresses = nix::ifaddrs::getifaddrs().map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    let mut names: Vec<_> = addresses.into_iter().map(|address| address.interface_name).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether packets to the other nodes will come to the device.
fn route(config: &Config, others: &[NodeId], runs: bool) -> Result<String, String> {
    let (_, bits) = config.network.subnet().parts();
    let bits6 = config.network6.map_or(128, |prefix| prefix.subnet().parts().1);
    let netlink = Netlink::new().map_err(|error| error.to_string())?;
    let own = netlink.index(&config.tun).ok();
    let ipv4 = others.iter().map(|node| config.network.address(*node));
    let ipv6 = config
        .network6
        .into_iter()
        .flat_map(|prefix| ipv4.clone().map(move |ipv4| prefix.address(ipv4).into()));
    for address in ipv4.clone().map(IpAddr::from).chain(ipv6) {
        let leaving = netlink.route(address).map_err(|error| error.to_string())?;
        let network = if address.is_ipv6() { "--network6" } else { "--network" };
        let bits = if address.is_ipv6() { bits6 } else { bits };
        match leaving {
            Some(leaving) if Some(leaving.index) == own => {}
            Some(leaving) if leaving.bits >= bits => {
                return Err(format!(
                    "the machine has a route of its own to {address} (ip route get {address}): remove it, or give all \
                     nodes another {network}"
                ));
            }
            _ if runs => {
                return Err(format!("no route leads to {}: ip route get {address}", config.tun));
            }
            _ => {}
        }
    }
    Ok(format!("{} is free, or leads to {}", config.network, config.tun))
}

/// Whether the machine has IPv6.
fn ipv6() -> Result<String, String> {
    let off = setting("net.ipv6.conf.all.disable_ipv6")
        .ok_or("network6: this kernel has no IPv6: leave network6 out at all nodes")?;
    if off == "0" {
        return Ok("the machine has IPv6".to_owned());
    }
    Err("IPv6 is switched off: sysctl net.ipv6.conf.all.disable_ipv6=0".to_owned())
}

/// A setting of the kernel, as sysctl says it.
fn setting(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/"))).ok()?;
    Some(text.trim().to_owned())
}

/// Whether the machine reaches a network that the node announces, and hands on packets to it.
fn announces(config: &Config, network: Subnet) -> Result<String, String> {
    let netlink = Netlink::new().map_err(|error| error.to_string())?;
    let own = netlink.index(&config.tun).ok();
    if !netlink.reaches(network, own).map_err(|error| error.to_string())? {
        return Err(format!(
            "this machine has no route to {network}, so the node does not announce it: ip route get {}",
            network.sample()
        ));
    }
    let forwarding =
        if network.is_ipv6() { "net.ipv6.conf.all.forwarding" } else { "net.ipv4.ip_forward" };
    if setting(forwarding).is_none_or(|value| value != "1") {
        return Err(format!("{network}: this machine hands no packets on: sysctl {forwarding}=1"));
    }
    Ok(format!("{network} is reached, and packets to it are handed on"))
}

fn answered(answer: &[u8]) -> Result<String, String> {
    let status: serde_json::Value =
        serde_json::from_slice(answer).map_err(|_| "its answer is not understood".to_owned())?;
    if status["radio"] == serde_json::json!(true) {
        return Ok("it runs, and its radio is on".to_owned());
    }
    Err(format!("it runs without a radio: {}", status["radio_lacks"].as_str().unwrap_or_default()))
}

/// The findings in lines for people.
pub fn lines(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let word = if finding.ok { "ok" } else { "problem" };
        format!("{word:<8} {:<14} {}", finding.part, finding.says)
    };
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::config::{Command, parse};
    use super::*;

    fn examined(arguments: &[&str]) -> Vec<Finding> {
        match parse(arguments.iter().copied()) {
            Ok(Command::Doctor { config, .. }) => examine(&config),
            other => panic!("{other:?}"),
        }
    }

    fn problem<'a>(findings: &'a [Finding], part: &str) -> &'a str {
        let finding =
            findings.iter().find(|finding| finding.part == part).expect("it was looked at");
        assert!(!finding.ok, "{finding:?}");
        &finding.says
    }

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().expect("it can be made");
        let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/mesh.toml");
        let key = folder.path().join("network.key");
        std::fs::write(&key, "short").expect("it can be written");
        let text = |path: &Path| path.to_str().expect("it is text").to_owned();
        let (key, state) = (text(&key), text(&folder.path().join("none")));
        let common = ["doctor", "--scenario", mesh, "--key", &key, "--state", &state];
        let of = |more: &[&str]| examined(&[&common[..], more].concat());
        let findings = of(&["--node", "n9", "--interface", "nosuchif0"]);
        assert!(problem(&findings, "scenario").contains("it has n1"), "{findings:?}");
        assert!(
            problem(&findings, "radio").contains("nosuchif0: there is no such network interface")
        );
        assert!(problem(&findings, "state").contains("make the folder"));
        assert!(problem(&findings, "key").contains("network.key"));
        let findings = of(&["--node", "n1", "--ether", "/no/such/ether"]);
        assert!(problem(&findings, "radio").contains("start multihop-ether"));
        assert!(lines(&findings).contains("ok       scenario       5 other nodes"), "{findings:?}");
        // a node whose key comes with rosters has an identity instead
        let authority = secrets::digits(&crate::roster::Signatory::new(&[1; 32]).public());
        let member = |identity: &str| {
            let own = ["--identity", identity, "--authority", &authority, "--state", &state];
            let of = ["doctor", "--scenario", mesh, "--node", "n1", "--ether", "/no/such/ether"];
            examined(&[&of[..], &own].concat())
        };
        let findings = member(&key);
        assert!(problem(&findings, "identity").contains("network.key"), "it is none");
        assert!(findings.iter().all(|finding| finding.part != "key"));
        let identity = text(&folder.path().join("identity"));
        secrets::find_or_draw(Path::new(&identity)).expect("it is drawn");
        assert!(lines(&member(&identity)).contains("ok       identity       its public key is "));
        let findings = examined(&["doctor", "--node", "n1"]);
        assert!(problem(&findings, "configuration").contains("scenario"));
    }

    #[test]
    fn what_a_service_gets_at_its_start_is_looked_for_where_it_comes_from() {
        let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/mesh.toml");
        let of = |key: &str, state: &str| {
            let flags = ["doctor", "--scenario", mesh, "--node", "n1", "--ether", "e"];
            examined(&[&flags[..], &["--key", key, "--state", state]].concat())
        };
        let lent = "/run/credentials/multihop-node@no-such-node.service/no-such.key";
        let findings = of(lent, "/var/lib/no-such-folder");
        assert!(problem(&findings, "key").starts_with("/etc/multihop/no-such.key: "));
        assert!(lines(&findings).contains("ok       state          the service makes /var/lib/no"));
        assert!(problem(&of(lent, "/no/such/folder"), "state").contains("make the folder"));
        let other = of("/no/such.key", "/var/lib/no-such-folder");
        assert!(problem(&other, "key").starts_with("/no/such.key: "));
        assert!(problem(&other, "state").contains("make the folder"));
    }

    #[test]
    fn a_route_that_is_the_machines_own_is_found() {
        let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/mesh.toml");
        let flags = ["doctor", "--scenario", mesh, "--node", "n1", "--ether", "e", "--plain"];
        // where the loopback device is off, nothing is in the way
        let netlink = Netlink::new().expect("it talks to everybody");
        if netlink.is_on(netlink.index("lo").expect("there is one")).expect("it is there") {
            let findings = examined(&[&flags[..], &["--network", "127.0.0.0/8"]].concat());
            assert!(problem(&findings, "route").contains("ip route get 127.0.0."), "{findings:?}");
        }
    }
}
