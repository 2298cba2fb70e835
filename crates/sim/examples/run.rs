//! Run the scenario on the standard input, in JSON, and print the run's fingerprint; with a trace in a folder
//! that is there and empty, if one is named:
//!
//! ```text
//! cargo run --release -p multihop-sim --example run -- [FOLDER] < scenario.json
//! ```
//!
//! `benches/instructions.py` counts the instructions of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use multihop_sim::{Options, Simulation};
use multihop_trace::{BATCH, Column, Files};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::io::read_to_string(std::io::stdin())?;
    let setup = multihop_scenario::from_json(&text)?.setup()?;
    let stop = Arc::new(AtomicBool::new(false));
    let tables = if let Some(folder) = std::env::args_os().nth(1) {
        let files = Files::new(folder.into(), BTreeMap::new(), Arc::clone(&stop));
        let mut stream = multihop_sim::stream(&setup, files, BATCH);
        let simulation = Simulation::new(setup, Options::default()).watched_by(&mut stream);
        let tables = simulation.run(&stop);
        stream.finish().finish()?;
        tables?
    } else {
        Simulation::new(setup, Options::default()).run(&stop)?
    };
    for (name, column) in &tables.runs {
        if let ("fingerprint", Column::Text(rows)) = (*name, column) {
            println!("{}", rows.concat());
        }
    }
    Ok(())
}
