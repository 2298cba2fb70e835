//! No scheme uses another: what several use is a part.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the parts.
const PARTS: &str = "parts";

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files below `folder` that hold Rust.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .collect()
}

/// The modules of the crate that `text` names, as in `crate::tcp` and `use crate::{tcp, xcp}`.
fn named(text: &str) -> BTreeSet<String> {
    let word = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = BTreeSet::new();
    for rest in text.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let first = list.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0 && c == ',' || depth < 0
        });
        let ends = list.find("};").unwrap_or(list.len());
        let within = first.take_while(|item| item.as_ptr() < list[ends..].as_ptr());
        found.extend(within.map(|item| word(item.trim_start())));
    }
    found
}

/// What `folder` must not name, with the file that does.
fn trespasses(root: &Path, folder: &str, all: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for path in files(&root.join(folder)) {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let others = named(&text).into_iter().filter(|name| name != folder && name != PARTS);
        let place = path.strip_prefix(root).expect("it lies there").display().to_string();
        found.extend(
            others.filter(|name| all.contains(name)).map(|name| format!("{place}: {name}")),
        );
    }
    found
}

fn folders(root: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(root).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let folders = paths.filter(|path| path.is_dir());
    folders.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

#[test]
fn no_scheme_and_no_part_names_a_scheme() {
    let root = sources();
    let all = folders(&root);
    assert!(all.len() > 10 && all.contains(PARTS) && all.contains("cxcc"), "{all:?}");
    for folder in &all {
        let found = trespasses(&root, folder, &all);
        assert!(found.is_empty(), "what several schemes use belongs in src/parts: {found:?}");
    }
}

/// Outside its folders the crate has its list of schemes only.
#[test]
fn every_scheme_has_a_folder() {
    let entries = std::fs::read_dir(sources()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let files: Vec<_> = paths.filter(|path| path.is_file()).collect();
    assert_eq!(files, [sources().join("lib.rs")]);
}

#[test]
fn names_are_found_however_they_are_written() {
    let text = "use crate::tcp;\nuse crate::{atp::Settings, xcp::{self, share}, wake};\nlet a = crate::hxh::Mean;";
    let names: Vec<_> = named(text).into_iter().collect();
    assert_eq!(names, ["atp", "hxh", "tcp", "wake", "xcp"]);
}

/// A run with several schemes has one column for each name.
#[test]
fn counters_of_one_name_count_the_same() {
    let all: Vec<_> = multihop_schemes::SCHEMES.iter().flat_map(|one| one.counters).collect();
    for counter in &all {
        let alike = all.iter().filter(|other| other.name == counter.name);
        assert!(alike.clone().all(|other| other.counts == counter.counts), "{}", counter.name);
    }
}
