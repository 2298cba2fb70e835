//! Names the engine by what it is made of: a hash of the sources of its crates, of the versions of
//! the others (Cargo.lock) and of the features (ADR 0027). Where they lie and how they are compiled
//! does not count.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// FNV-1a, 64 bits: the same with every compiler, unlike the hashes of the standard library.
struct Hash(u64);

impl Hash {
    fn mix(&mut self, part: &[u8]) {
        // the length keeps parts apart
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = here.ancestors().nth(2).expect("this is crates/python").to_path_buf();
    let mut files = BTreeSet::from([root.join("Cargo.lock")]);
    for name in crates(&root)? {
        let folder = root.join("crates").join(name);
        files.insert(folder.join("Cargo.toml"));
        collect(&folder.join("src"), &mut files)?;
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    println!("cargo::rerun-if-changed={}", root.join("Cargo.lock").display());
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);
    for file in files {
        let name = file.strip_prefix(&root).expect("all lie below it");
        hash.mix(name.to_string_lossy().as_bytes());
        hash.mix(&fs::read(&file)?);
    }
    let features =
        env::vars().map(|(name, _)| name).filter(|name| name.starts_with("CARGO_FEATURE_"));
    for feature in features.collect::<BTreeSet<_>>() {
        hash.mix(feature.as_bytes());
    }
    println!("cargo::rustc-env=MULTIHOP_SOURCES={:016x}", hash.0);
    Ok(())
}

/// The crates of the engine: this one, and those of ours that they need.
fn crates(root: &Path) -> io::Result<BTreeSet<String>> {
    let (mut found, mut open) = (BTreeSet::new(), vec!["python".to_owned()]);
    while let Some(name) = open.pop() {
        let manifest = fs::read_to_string(root.join("crates").join(&name).join("Cargo.toml"))?;
        let ours = manifest.lines().filter_map(|line| line.strip_prefix("multihop-"));
        let names = ours.filter_map(|rest| rest.split(['.', ' ', '=']).next());
        if found.insert(name) {
            open.extend(names.map(str::to_owned));
        }
    }
    Ok(found)
}

/// Every file of a folder that is compiled into the engine; tests are not.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}
