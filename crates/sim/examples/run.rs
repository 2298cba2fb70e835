//! Run the scenario on the standard input, in JSON, and print the run's fingerprint:
//!
//! ```text
//! cargo run --release -p multihop-sim --example run < scenario.json
//! ```
//!
//! `benches/instructions.py` counts the instructions of it.

use std::sync::atomic::AtomicBool;

use multihop_sim::{Options, Simulation};
use multihop_trace::Column;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::io::read_to_string(std::io::stdin())?;
    let setup = multihop_scenario::from_json(&text)?.setup()?;
    let tables = Simulation::new(setup, Options::default()).run(&AtomicBool::new(false))?;
    for (name, column) in &tables.runs {
        if let ("fingerprint", Column::Text(rows)) = (*name, column) {
            println!("{}", rows.concat());
        }
    }
    Ok(())
}
