//! Threads that each have some of the environments: a run stays on the thread on which it began.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use multihop_core::NodeId;
use multihop_policy::{Controls, Terms};
use multihop_setup::Setup;
use multihop_sim::Tables;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::episode::{Episode, Known};
use crate::prototype::caught;

/// How long a caller sleeps before it looks whether Ctrl-C was pressed.
const POLL: Duration = Duration::from_millis(200);

/// What an environment is to do.
pub enum Order {
    /// Begin an episode with these agents.
    Begin(Box<Setup>, Vec<NodeId>, Terms),
    /// Go on by a step, with a control of each agent.
    Step(Vec<Controls>),
    /// Go on to the end.
    Finish,
}

/// What came of it.
pub enum Done {
    /// What there is to know.
    Known(Known),
    /// The tables of the run.
    Tables(Box<Tables>),
}

/// For the environment of this number.
type Job = (usize, Order);
type Answer = (u64, Vec<(usize, PyResult<Done>)>);

/// The threads of some environments.
pub struct Workers {
    jobs: Vec<Sender<(u64, Vec<Job>)>>,
    answers: Mutex<Receiver<Answer>>,
    /// How often something was asked for: an answer to what nobody waits for any more is told apart.
    asked: u64,
}

impl Workers {
    /// So many threads.
    pub fn new(count: usize) -> Self {
        let (answer, answers) = channel();
        let jobs = (0..count).map(|_| {
            let (sender, jobs) = channel();
            let answer = answer.clone();
            thread::spawn(move || work(&jobs, &answer));
            sender
        });
        Workers { jobs: jobs.collect(), answers: Mutex::new(answers), asked: 0 }
    }

    /// Let environments do something, each on its thread, and wait for all of them. Other threads may use Python
    /// meanwhile.
    ///
    /// # Errors
    /// That of the first environment that failed, or if Ctrl-C was pressed. The environments concerned have no episode
    /// then.
    pub fn ask(&mut self, py: Python<'_>, orders: Vec<Job>) -> PyResult<Vec<(usize, Done)>> {
        self.asked += 1;
        let mut shares: Vec<Vec<Job>> = self.jobs.iter().map(|_| Vec::new()).collect();
        let threads = self.jobs.len();
        for (at, order) in orders {
            shares[at % threads].push((at, order));
        }
        let mut waiting = 0;
        for (sender, share) in self.jobs.iter().zip(shares) {
            if !share.is_empty() {
                sender.send((self.asked, share)).map_err(|_| lost())?;
                waiting += 1;
            }
        }
        let (answers, asked) = (&self.answers, self.asked);
        let mut found = py.detach(|| wait(answers, asked, waiting))?;
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(at, done)| Ok((at, done?))).collect()
    }
}

/// Wait for so many threads.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method has a lifetime of its own"
)]
fn wait(
    answers: &Mutex<Receiver<Answer>>,
    asked: u64,
    waiting: usize,
) -> PyResult<Vec<(usize, PyResult<Done>)>> {
    let answers = answers.lock().map_err(|_| lost())?;
    let mut found = Vec::new();
    let mut left = waiting;
    while left > 0 {
        match answers.recv_timeout(POLL) {
            Ok((number, part)) if number == asked => {
                found.extend(part);
                left -= 1;
            }
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => return Err(lost()),
        }
    }
    Ok(found)
}

fn lost() -> PyErr {
    PyRuntimeError::new_err("a thread of the environments has ended; make them anew")
}

/// What a thread does until nobody asks any more.
fn work(jobs: &Receiver<(u64, Vec<Job>)>, answer: &Sender<Answer>) {
    let mut places: BTreeMap<usize, Place> = BTreeMap::new();
    while let Ok((number, share)) = jobs.recv() {
        let done = share.into_iter().map(|(at, order)| {
            let place = places.entry(at).or_default();
            (at, place.obey(order))
        });
        if answer.send((number, done.collect())).is_err() {
            return;
        }
    }
}

/// An environment: its episode if one has begun.
#[derive(Default)]
struct Place {
    episode: Option<Episode>,
}

impl Place {
    /// Do it. After an error there is no episode.
    fn obey(&mut self, order: Order) -> PyResult<Done> {
        let episode = self.episode.take();
        let work = AssertUnwindSafe(move || caught(|| go_on(episode, order)));
        let panicked =
            |_| PyRuntimeError::new_err("the engine has panicked; reset the environment");
        let (episode, done) = catch_unwind(work).map_err(panicked)??;
        self.episode = episode;
        done
    }
}

fn go_on(episode: Option<Episode>, order: Order) -> (Option<Episode>, PyResult<Done>) {
    let mut episode = match (order, episode) {
        (Order::Begin(setup, agents, terms), before) => {
            drop(before);
            Episode::begin(*setup, &agents, terms)
        }
        (_, None) => {
            return (None, Err(PyRuntimeError::new_err("no episode has begun; reset first")));
        }
        (Order::Step(controls), Some(mut episode)) => {
            episode.step(controls.into_iter());
            episode
        }
        (Order::Finish, Some(episode)) => {
            return (None, Ok(Done::Tables(Box::new(episode.finish()))));
        }
    };
    let known = episode.look();
    (Some(episode), Ok(Done::Known(known)))
}
