//! The engine as a WebAssembly module. What a page asks is JSON, and so is the answer; a part of a trace is bytes.
//!
//! ```text
//! {"call": "start", "text": "..."} --Engine::call--> {"ok": {"run": 1, ...}} or {"error": {"line": 3, ...}}
//! ```
//!
//! - `abi`: what JavaScript calls: four functions, one of which passes a question on;
//! - `engine`: the questions and their answers, and the runs that have begun;
//! - `running`: a run and its trace;
//! - `about`: what is said of a scenario and of its run: nodes, flows, ranges, headers, schemes;
//! - `edit`: keys that are changed in the text of a scenario, whose comments stay.

mod abi;
mod about;
mod edit;
mod engine;
mod refusal;
mod running;
#[cfg(test)]
mod tests;

pub use abi::*;
pub use engine::Engine;
