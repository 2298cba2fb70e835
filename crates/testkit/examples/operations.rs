//! Prints lists of operations for tests of processes: `operations SEED NODES COUNT` is one of `COUNT` operations, an object of
//! JSON a line.

use multihop_testkit::operations;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [seed, nodes, count] = &words[..] else {
        return Err("operations SEED NODES COUNT".to_owned());
    };
    let number = |word: &String| word.parse::<u32>().map_err(|error| format!("{word}: {error}"));
    let (seed, nodes, count) = (number(seed)?, number(nodes)?, number(count)?);
    if nodes < 2 {
        return Err(format!("{nodes} nodes: it takes two"));
    }
    for operation in operations(seed.into(), nodes, count as usize) {
        println!("{}", operation.json());
    }
    Ok(())
}
