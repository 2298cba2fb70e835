//! A policy: a small neural network that decides at every control step, as data.

use std::sync::Arc;

use multihop_core::{Duration, Time};
use multihop_setup::{SchemeParts, Steer};
use serde::Deserialize;

use crate::agents::Agents;
use crate::control::{CONTROLS, Control, Controls};
use crate::events::EventKind;
use crate::features::{FEATURES, Known, Seen};
use crate::network::Network;
use crate::station::{Driver, Terms};
use crate::steered::steered;

/// So long the text of a policy is at most, in bytes.
pub const LONGEST: u64 = 4_000_000;

/// The form that this program reads.
const VERSION: u32 = 1;

/// The shortest and the longest control step in s.
const STEPS_S: (f64, f64) = (1e-3, 3600.0);

/// What agents see, what they do, and the network between.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Who is controlled unless somebody says otherwise.
    pub agents: Agents,
    step: Duration,
    event: Option<&'static EventKind>,
    observed: Vec<Observed>,
    controls: Vec<Control>,
    network: Network,
}

/// A feature that is observed: its place in [`FEATURES`], what is subtracted from it, and by what it is divided then.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Observed {
    feature: usize,
    mean: f64,
    scale: f64,
}

/// The text of a policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    policy: u32,
    /// Where it comes from, for who reads the file.
    #[serde(default, rename = "about")]
    _about: String,
    step_s: f64,
    /// What ends a step before that time.
    event: Option<String>,
    agents: Agents,
    observe: Vec<ObservedForm>,
    control: Vec<ControlForm>,
    layers: Network,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ObservedForm {
    feature: String,
    #[serde(default)]
    mean: f64,
    #[serde(default = "one")]
    scale: f64,
}

const fn one() -> f64 {
    1.0
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ControlForm {
    name: String,
    low: Option<f64>,
    high: Option<f64>,
}

impl Policy {
    /// The policy of a text in JSON.
    ///
    /// # Errors
    /// If it is none: which key is wrong, and what would be right.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        let form: Form =
            serde_path_to_error::deserialize(&mut json).map_err(|error| misread(&error))?;
        json.end().map_err(|error| format!("is not JSON: {error}"))?;
        form.policy()
    }

    /// What it sees of a control step.
    fn seen(&self, seen: &Seen) -> Vec<f64> {
        self.observed.iter().map(|one| FEATURES[one.feature].of(seen)).collect()
    }

    /// What it does, as one number between 0 and 1 for each control, when it sees these values of its features.
    ///
    /// Both are numbers of 32 bits, as those of environments for learning.
    pub fn act(&self, seen: &[f64]) -> Vec<f64> {
        let single = |value: f64| f64::from(value as f32);
        let inputs: Vec<f64> = self
            .observed
            .iter()
            .zip(seen)
            .map(|(one, value)| (single(*value) - one.mean) / one.scale)
            .collect();
        // a sum of weights that are too large is no number, which is no order
        let bounded =
            |output: f64| single(if output.is_nan() { 0.0 } else { output.clamp(0.0, 1.0) });
        self.network.of(&inputs).into_iter().map(bounded).collect()
    }

    /// How many features it sees.
    pub fn inputs(&self) -> usize {
        self.observed.len()
    }

    /// Whether agents with this scheme, at some of which flows begin or at none, can have it.
    ///
    /// # Errors
    /// If not: why, and the remedy.
    pub fn suits(&self, scheme: &str, sends: bool) -> Result<(), String> {
        for Control { kind, .. } in &self.controls {
            if let Some(own) = kind.scheme.filter(|own| *own != scheme) {
                return Err(format!(
                    "its control '{}' is of '{own}', and the scheme is '{scheme}'; set scheme.name, or take another policy",
                    kind.name
                ));
            }
        }
        let of_event = self.event.filter(|kind| kind.of_flows);
        let of_flows = self.controls.iter().find(|control| control.kind.of_flows);
        let seen = self.observed.iter().map(|one| &FEATURES[one.feature].about);
        let of_senders = seen.into_iter().find(|about| about.known == Known::Sender);
        let about = of_flows
            .map(|control| format!("control '{}'", control.kind.name))
            .or(of_senders.map(|about| format!("feature '{}'", about.name)))
            .or(of_event.map(|kind| format!("event '{}'", kind.name)));
        match about {
            Some(about) if !sends => Err(format!(
                "its {about} is about flows that begin at agents, and none does; let senders be agents, or take another policy"
            )),
            _ => Ok(()),
        }
    }

    fn terms(&self) -> Terms {
        let sees = |name| self.observed.iter().any(|one| FEATURES[one.feature].about.name == name);
        Terms {
            // A node knows of no warm-up.
            origin: Time::ZERO,
            until: Time::NEVER,
            step: self.step,
            event: self.event.map(EventKind::event),
            watches_air: sees("busy") || sees("sending"),
            overhears: sees("overheard"),
            windows: self.controls.iter().any(|control| control.kind.name == "window"),
        }
    }
}

impl Form {
    fn policy(self) -> Result<Policy, String> {
        if self.policy != VERSION {
            return Err(format!(
                "policy: its form has the number {}; this version reads {VERSION}",
                self.policy
            ));
        }
        let (least, most) = STEPS_S;
        if !(least..=most).contains(&self.step_s) {
            return Err(format!(
                "step_s: a control step of {} s; write a time from {least} s to {most} s",
                self.step_s
            ));
        }
        let event = self.event.as_deref().map(EventKind::named).transpose();
        let event = event.map_err(|why| format!("event: {why}"))?;
        if self.observe.is_empty() {
            return Err("observe: there is nothing; name a feature".to_owned());
        }
        let mut observed: Vec<Observed> = Vec::new();
        for (at, one) in self.observe.iter().enumerate() {
            let found = one.observed().map_err(|why| format!("observe[{at}].{why}"))?;
            if observed.iter().any(|other| other.feature == found.feature) {
                return Err(format!("observe[{at}].feature: '{}' is there twice", one.feature));
            }
            observed.push(found);
        }
        if self.control.is_empty() {
            let names: Vec<&str> = CONTROLS.iter().map(|kind| kind.name).collect();
            return Err(format!("control: there is none; name some of: {}", names.join(", ")));
        }
        let mut controls: Vec<Control> = Vec::new();
        for (at, ControlForm { name, low, high }) in self.control.iter().enumerate() {
            let control =
                Control::new(name, *low, *high).map_err(|why| format!("control[{at}]: {why}"))?;
            if control.kind.shared {
                return Err(format!(
                    "control[{at}].name: '{name}' is known to all nodes at once, which no real network can do; policies \
                     do without it"
                ));
            }
            if controls.iter().any(|other| other.kind == control.kind) {
                return Err(format!("control[{at}].name: '{name}' is there twice"));
            }
            controls.push(control);
        }
        self.layers.check(observed.len(), controls.len())?;
        let step = Duration::from_seconds(self.step_s);
        let (agents, network) = (self.agents, self.layers);
        Ok(Policy { agents, step, event, observed, controls, network })
    }
}

impl ObservedForm {
    fn observed(&self) -> Result<Observed, String> {
        let Self { feature: name, mean, scale } = self;
        if *scale <= 0.0 {
            return Err(format!("scale: it is {scale}; write a number above 0"));
        }
        let names = || FEATURES.iter().map(|feature| feature.about.name);
        let feature = names().position(|known| known == name).ok_or_else(|| {
            if ORACLE.contains(&name.as_str()) {
                return format!(
                    "feature: '{name}' is known to nobody in a real network (oracle), and a policy is to run there; train \
                     without it"
                );
            }
            let near = names().min_by_key(|known| strsim::damerau_levenshtein(known, name));
            let near = near.filter(|known| strsim::damerau_levenshtein(known, name) <= 2);
            let meant = near.map_or(String::new(), |known| format!("did you mean '{known}'? "));
            let all: Vec<&str> = names().collect();
            format!("feature: there is no '{name}'; {meant}there are: {}", all.join(", "))
        })?;
        Ok(Observed { feature, mean: *mean, scale: *scale })
    }
}

/// Features that environments for learning have in rewards, and no node in its eyes.
pub const ORACLE: [&str; 5] = ["elapsed", "delivered", "delay", "delivered_all", "lost_all"];

/// What is wrong with the form.
fn misread(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let path = error.path().to_string();
    let place = if path == "." { String::new() } else { format!("{path}: ") };
    let why = error.inner().to_string();
    let (said, line) =
        why.rfind(" at line ").map_or((&why[..], ""), |at| (&why[..at], &why[at + 1..]));
    let plain = if error.inner().is_syntax() || error.inner().is_eof() {
        format!("is not JSON: {said}; a number is finite, neither NaN nor Infinity")
    } else if said.contains("untagged enum Agents") {
        "wants \"senders\", \"relays\", \"nodes\", or names of nodes in brackets".to_owned()
    } else {
        said.replace('`', "'")
    };
    let line = if line.is_empty() { String::new() } else { format!(" ({line})") };
    format!("{place}{plain}{line}")
}

impl Steer for Policy {
    fn take(self: Arc<Self>, parts: SchemeParts) -> SchemeParts {
        let terms = self.terms();
        steered(parts, terms, Box::new(Pilot { policy: self, seen: Seen::default() }))
    }

    fn identity(&self) -> String {
        let controls = self.controls.iter().map(|one| (one.kind.name, one.low, one.high));
        let observed = self.observed.iter();
        let observed = observed.map(|one| (FEATURES[one.feature].about.name, one.mean, one.scale));
        let (controls, observed): (Vec<_>, Vec<_>) = (controls.collect(), observed.collect());
        let event = self.event.map_or("", |kind| kind.name);
        format!("{event}{:?}", (self.step, observed, controls, &self.network))
    }
}

/// The policy at one node.
struct Pilot {
    policy: Arc<Policy>,
    seen: Seen,
}

impl Driver for Pilot {
    fn tell(&mut self, seen: Seen) {
        self.seen = seen;
    }

    fn controls(&mut self) -> Controls {
        let Pilot { policy, seen } = self;
        Controls::of(&policy.controls, &policy.act(&policy.seen(seen)))
    }
}
