//! Movement files of ns-2, as its tool setdest writes them.

use multihop_core::{Duration, Text, Time, Values};

use super::walk::{self, Waypoint};
use super::{Course, MOST_LEGS, MobilityModel, Movement};
use crate::error::Fault;
use crate::names::MOST_NODES;
use multihop_setup::{NamedFile, Node, Refusal, Track};

/// An ns-2 movement file.
pub(super) static MODEL: MobilityModel = MobilityModel {
    name: "ns2",
    title: "ns-2 movement file",
    source: "ns-2, setdest",
    about: "An ns-2 movement file, as its tool setdest writes it",
    params: &[
        FILE.file.param().or("the text is given as movements"),
        FILE.text.param().or("the text of file"),
    ],
    files: &[&FILE],
    make,
};

static FILE: NamedFile = NamedFile {
    file: Text {
        name: "file",
        about: "The movement file, relative to the scenario file. Its text is then kept in movements, so that the \
                scenario says everything itself",
        default: "movements.txt",
    },
    text: Text {
        name: "movements",
        about: "The text of a movement file, instead of file",
        default: "$node_(0) set X_ 1.5 ...",
    },
    longest: 256_000_000,
    keep,
};

/// What says something of the nodes, in the text of a file; or why the file is none.
fn keep(text: &str, name: &str) -> Result<String, String> {
    match cut_line(text) {
        Some(line) => Err(format!(
            "line {line} of '{name}': the file ends without a line break, perhaps inside a number; \
             end the line if it is whole, or make the file again"
        )),
        None => Ok(without_idle(text)),
    }
}

/// Bounds of places in m, times in s and speeds in m/s, as for quantities.
const FARTHEST: f64 = 1e9;
const LATEST: f64 = 1e9;
const FASTEST: f64 = 3e8;

/// What a movement file says of one node.
#[derive(Default)]
struct Said {
    x: Option<f64>,
    y: Option<f64>,
    orders: Vec<Waypoint>,
    /// When it starts and stops, in the order of the file.
    switches: Vec<(Time, Switch)>,
    /// When its radio is on; always, if there is nothing.
    present: Vec<(Time, Time)>,
}

/// What becomes of a node's radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    Stop,
    Start,
}

impl Said {
    /// Concludes when the node's radio is on.
    ///
    /// A stop that is not after a start says that the node never stops: SUMO writes 0 for vehicles
    /// that are there to the end. Without either, a node whose first order is later than 0 and leads
    /// to where the node is already has entered with it: SUMO's movement files begin so, and no
    /// other ones.
    fn appear(&mut self) {
        self.switches.sort_unstable();
        let enters = self.switches.iter().any(|(_, switch)| *switch == Switch::Start);
        let mut since = (!enters).then_some(Time::ZERO);
        for &(at, switch) in &self.switches {
            match (switch, since) {
                (Switch::Start, None) => since = Some(at),
                (Switch::Stop, Some(begun)) if at > begun => {
                    self.present.push((begun, at));
                    since = None;
                }
                _ => {}
            }
        }
        if let Some(begun) = since
            && begun.max(self.entry()) > Time::ZERO
        {
            self.present.push((begun.max(self.entry()), Time::NEVER));
        }
    }

    /// When the node enters by its orders alone.
    fn entry(&self) -> Time {
        let first = self.orders.iter().min_by_key(|order| order.at);
        let stays = |order: &&Waypoint| self.x.zip(self.y) == Some(order.to);
        let said = !self.switches.is_empty();
        first.filter(|order| !said && stays(order)).map_or(Time::ZERO, |order| order.at)
    }
}

/// What a movement file says.
pub(crate) struct Movements {
    nodes: Vec<Said>,
    name: String,
    key: String,
}

impl Movements {
    /// How many nodes there are: those up to the highest that the file names.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where a node is at the start, if the file says so.
    pub(crate) fn place(&self, node: usize) -> Option<(f64, f64)> {
        let said = self.nodes.get(node)?;
        said.x.zip(said.y)
    }

    /// What is wrong with the file as a whole.
    pub(crate) fn fault(&self, message: &str) -> Fault {
        Fault::new(&*self.key, format!("{} {message}", self.name))
    }
}

/// What a byte order mark is read as, which some editors put first.
const MARK: char = '\u{feff}';

/// The commands of a line, between semicolons outside of quotations and before a comment; and whether
/// something closes the last one: a semicolon, or a comment.
fn commands(line: &str) -> (Vec<&str>, bool) {
    let (mut commands, mut rest) = (Vec::new(), line.trim_start_matches(MARK));
    loop {
        if rest.trim_start().starts_with('#') {
            return (commands, true);
        }
        let mut quoted = false;
        let end = rest.find(|c: char| {
            quoted ^= c == '"';
            c == ';' && !quoted
        });
        let Some(end) = end else { break };
        commands.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    let closed = rest.trim().is_empty() && !commands.is_empty();
    commands.push(rest);
    (commands, closed)
}

/// The words of a command, without quotes.
fn words(command: &str) -> Vec<&str> {
    let split = |c: char| c.is_whitespace() || c == '"' || c == ';';
    command.split(split).filter(|word| !word.is_empty()).collect()
}

/// Whether no command of a line says anything of the nodes' movement.
fn says_nothing(line: &str) -> bool {
    commands(line).0.iter().all(|command| is_idle(&words(command)))
}

/// Whether a command says anything of the nodes' movement: comments do not, nor do the distances in
/// hops that setdest works out for ns-2's "god" object.
fn is_idle(words: &[&str]) -> bool {
    matches!(words, [] | ["set", "god_", ..] | ["$god_", ..] | [_, "at", _, "$god_", ..])
}

/// Whether a command that says something ends inside a quotation.
fn is_cut(command: &str) -> bool {
    !is_idle(&words(command)) && command.matches('"').count() % 2 == 1
}

/// The number of the last line of a file if it may have been cut off there: a number at the end
/// could have had more digits. A line break says that it had not, and so does a quotation mark.
fn cut_line(text: &str) -> Option<usize> {
    let last = text.lines().last().filter(|_| !text.ends_with('\n'))?;
    let (commands, closed) = commands(last);
    let end = commands.last().map_or("", |command| command.trim_end());
    let whole = closed || end.ends_with('"') && !is_cut(end);
    (!whole && !says_nothing(last)).then(|| text.lines().count())
}

/// The text without what says nothing, line by line: what setdest writes for ns-2's "god" object
/// is most of a file, and a scenario carries its text along.
fn without_idle(text: &str) -> String {
    let lines = text.trim_start_matches(MARK).lines();
    let kept = lines.map(|line| if says_nothing(line) { "" } else { line.trim() });
    let kept: Vec<&str> = kept.collect();
    format!("{}\n", kept.join("\n").trim_end())
}

/// What a movement file says, of its text.
fn make(values: &Values) -> Result<Box<dyn Movement>, Refusal> {
    let found = FILE.found(values, MODEL.name)?;
    let mut movements =
        Movements { nodes: Vec::new(), name: found.name(), key: format!("mobility.{}", found.key) };
    let mut orders = 0;
    for (line, number) in found.content.text.lines().zip(1..) {
        movements.line(line).map_err(|message| found.line(number, &message))?;
        orders += line.matches("setdest").count();
        if orders > MOST_LEGS {
            return Err(found.refusal(&format!("has more than {MOST_LEGS} setdest commands")));
        }
    }
    if movements.nodes.is_empty() {
        return Err(found.refusal("says nothing of any node"));
    }
    movements.nodes.iter_mut().for_each(Said::appear);
    Ok(Box::new(movements))
}

impl Movement for Movements {
    fn places(&self) -> Option<&Movements> {
        Some(self)
    }

    fn tracks(self: Box<Self>, course: &Course) -> Result<Vec<Track>, Refusal> {
        let track = |(node, said): (&Node, Said)| {
            let Said { orders, present, .. } = said;
            Track { present, ..walk::obeying((node.x, node.y), orders) }
        };
        Ok(course.nodes.iter().zip(self.nodes).map(track).collect())
    }
}

impl Movements {
    fn line(&mut self, line: &str) -> Result<(), String> {
        commands(line).0.into_iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &str) -> Result<(), String> {
        if is_cut(command) {
            return Err("the quotation is not closed; is the file cut off?".to_owned());
        }
        let words = words(command);
        match words[..] {
            _ if is_idle(&words) => {}
            [node, "set", axis @ ("X_" | "Y_" | "Z_"), value] => {
                let node = self.node(node)?;
                let value = number("a coordinate in m", value, (-FARTHEST, FARTHEST))?;
                match axis {
                    "X_" => node.x = Some(value),
                    "Y_" => node.y = Some(value),
                    _ if value.abs() > 0.0 => {
                        return Err(format!(
                            "Z_ is {value}, but nodes move in a plane; set it to 0"
                        ));
                    }
                    _ => {}
                }
            }
            ["$ns_" | "$ns", "at", at, node, "setdest", x, y, speed] => {
                let node = self.node(node)?;
                let place = |value| number("a coordinate in m", value, (-FARTHEST, FARTHEST));
                node.orders.push(Waypoint {
                    at: Time::ZERO
                        + Duration::from_seconds(number("a time in s", at, (0.0, LATEST))?),
                    to: (place(x)?, place(y)?),
                    speed: number("a speed in m/s", speed, (0.0, FASTEST))?,
                });
            }
            ["$ns_" | "$ns", "at", at, node, switch @ ("start" | "stop")] => {
                let at = number("a time in s", at, (0.0, LATEST))?;
                let switch = if switch == "start" { Switch::Start } else { Switch::Stop };
                let node = self.node(&node.replacen("$g(", "$node_(", 1))?;
                node.switches.push((Time::ZERO + Duration::from_seconds(at), switch));
            }
            _ => {
                let shown: String = command.trim().chars().take(60).collect();
                return Err(format!(
                    "not understood: {shown}; expected $node_(0) set X_ 1.5, or $ns_ at 2.0 \
                     \"$node_(0) setdest 10.0 20.0 5.0\", as ns-2's setdest writes them"
                ));
            }
        }
        Ok(())
    }

    /// The node that `$node_(7)` means.
    fn node(&mut self, word: &str) -> Result<&mut Said, String> {
        let inner = word.strip_prefix("$node_(").and_then(|rest| rest.strip_suffix(')'));
        let index = inner.and_then(|inner| inner.parse::<u32>().ok());
        let index = index.filter(|&index| index < MOST_NODES).ok_or_else(|| {
            format!("'{word}' is no node; expected $node_(0) to $node_({})", MOST_NODES - 1)
        })? as usize;
        if index >= self.nodes.len() {
            self.nodes.resize_with(index + 1, Said::default);
        }
        Ok(&mut self.nodes[index])
    }
}

fn number(noun: &str, word: &str, (least, most): (f64, f64)) -> Result<f64, String> {
    let number = word.parse::<f64>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("'{word}' is not {noun} between {least:e} and {most:e}"))
}
