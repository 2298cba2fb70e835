//! Record what goes into a node, and run it again.
//!
//! A recording is a text file with one JSON value per line: every input and every poll of the
//! MAC, each with its time, followed by what the node answered. A node that is built in the
//! same way and fed with the recording must give the same answers, on every host.

use std::io::{self, BufRead, Write};

use multihop_core::{Bytes, NodeId, Time, TxRequest};
use multihop_node::{Input, Node, Output};
use serde::{Deserialize, Serialize};

/// One line of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The host called [`Node::handle`].
    Handle {
        /// When.
        at: Time,
        /// With what.
        input: Input,
    },
    /// The node answered.
    Output(Output),
    /// The host called [`Node::poll_transmit`] and got this.
    Transmit {
        /// When.
        at: Time,
        /// The answer.
        request: Option<TxRequest>,
    },
    /// The host called [`Node::poll_more`] and got this.
    Join {
        /// When.
        at: Time,
        /// For which neighbour.
        to: NodeId,
        /// How long the packet could be.
        room: Bytes,
        /// The answer.
        request: Option<TxRequest>,
    },
}

/// Why a recording could not be run again.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// It could not be read.
    Io(io::Error),
    /// A line is not part of a recording: it is cut off, or another file.
    Line {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        message: String,
    },
    /// The node answered differently.
    Differs {
        /// The line's number, from 1.
        number: usize,
        /// What was recorded.
        recorded: Box<Line>,
        /// What the node answered now.
        now: Option<Box<Line>>,
    },
    /// The recording has ended, and the node has more to say: its last lines are missing.
    Ended {
        /// What the node says.
        now: Box<Line>,
    },
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Io(error) => write!(f, "the recording cannot be read: {error}"),
            ReplayError::Line { number, message } => {
                write!(f, "line {number} is not part of a recording: {message}")
            }
            ReplayError::Differs { number, recorded, now } => {
                write!(f, "line {number}: recorded {recorded:?}, but the node answered {now:?}")
            }
            ReplayError::Ended { now } => {
                write!(f, "the recording ends too early: the node still answers {now:?}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Writes a recording while a host drives a node.
pub struct Recorder<W> {
    out: W,
}

impl<W: Write> Recorder<W> {
    /// Record to `out`.
    pub fn new(out: W) -> Self {
        Recorder { out }
    }

    /// Write one line.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn line(&mut self, line: &Line) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }

    /// Flush and give the writer back.
    ///
    /// # Errors
    /// If `out` cannot be flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Feed a recording to `node` and compare every answer. Returns how many lines were compared.
///
/// # Errors
/// If the recording cannot be read, or if the node answers differently.
pub fn replay(recording: impl BufRead, node: &mut Node) -> Result<usize, ReplayError> {
    let mut count = 0;
    for (index, text) in recording.lines().enumerate() {
        let number = index + 1;
        let text = text.map_err(ReplayError::Io)?;
        let line: Line = serde_json::from_str(&text)
            .map_err(|error| ReplayError::Line { number, message: error.to_string() })?;
        let now = match &line {
            Line::Handle { at, input } => {
                node.handle(*at, input.clone());
                Some(line.clone())
            }
            Line::Output(_) => node.poll_output().cloned().map(Line::Output),
            Line::Transmit { at, .. } => {
                Some(Line::Transmit { at: *at, request: node.poll_transmit(*at) })
            }
            Line::Join { at, to, room, .. } => {
                let (at, to, room) = (*at, *to, *room);
                Some(Line::Join { at, to, room, request: node.poll_more(at, to, room) })
            }
        };
        if now.as_ref() != Some(&line) {
            let (recorded, now) = (Box::new(line), now.map(Box::new));
            return Err(ReplayError::Differs { number, recorded, now });
        }
        count = number;
    }
    match node.poll_output().cloned().map(Line::Output).map(Box::new) {
        Some(now) => Err(ReplayError::Ended { now }),
        None => Ok(count),
    }
}
