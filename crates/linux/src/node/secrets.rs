//! Files that a node keeps: keys, identities, rosters, and the number of its life.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use crate::roster::{Identity, Part};
use crate::seal::NetworkKey;

/// Who has the key reads and writes everything.
pub const OWNER_ONLY: u32 = 0o600;
/// What others of the machine may do. The group may read: systemd's credentials are lent by an access list, which shows so.
const OTHERS: u32 = 0o007;

fn named(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// So many bytes from the system's generator.
///
/// # Errors
/// If there is none.
pub fn random<const N: usize>() -> Result<[u8; N], String> {
    let (mut bytes, path) = ([0; N], Path::new("/dev/urandom"));
    File::open(path).and_then(|mut file| file.read_exact(&mut bytes)).map_err(named(path))?;
    Ok(bytes)
}

/// Bytes as hexadecimal digits.
///
/// # Panics
/// Never: half a byte is a digit.
pub fn digits(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).expect("it has four bits");
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xF].map(digit)).collect()
}

/// As many bytes as hexadecimal digits say, if there are twice as many.
pub fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    vector(digits)?.try_into().ok()
}

/// The bytes that hexadecimal digits say.
pub fn vector(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        Some((high? << 4 | low?) as u8)
    };
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// Draw a key, and write it to a new file: 64 hexadecimal digits.
///
/// # Errors
/// If the file is there already, or cannot be written.
pub fn write_key(path: &Path) -> Result<(), String> {
    let key: [u8; 32] = random()?;
    let digits = digits(&key);
    let file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(path);
    file.and_then(|mut file| writeln!(file, "{digits}")).map_err(named(path))
}

/// The secret key in a file, which is drawn and written if there is no such file.
///
/// # Errors
/// If it is no key, everybody on this machine may read it, or it cannot be written.
pub fn find_or_draw(path: &Path) -> Result<[u8; 32], String> {
    if !path.exists() {
        write_key(path)?;
    }
    read_secret(path)
}

/// The network's key in a file.
///
/// # Errors
/// If it is no key, or everybody on this machine may read it.
pub fn read_key(path: &Path) -> Result<NetworkKey, String> {
    read_secret(path).map(NetworkKey)
}

/// The identity in a file.
///
/// # Errors
/// If it is none, or everybody on this machine may read it.
pub fn read_identity(path: &Path) -> Result<Identity, String> {
    read_secret(path).map(|secret| Identity::new(&secret))
}

/// The 32 secret bytes in a file.
///
/// # Errors
/// If there are others, or everybody on this machine may read them.
pub fn read_secret(path: &Path) -> Result<[u8; 32], String> {
    let mode = fs::metadata(path).map_err(named(path))?.permissions().mode();
    if mode & OTHERS != 0 {
        let path = path.display();
        return Err(format!(
            "{path}: everybody on this machine may use this key: chmod 600 {path}"
        ));
    }
    let text = fs::read_to_string(path).map_err(named(path))?;
    let wrong = || format!("{}: a key has 64 hexadecimal digits", path.display());
    bytes(text.trim()).ok_or_else(wrong)
}

/// A new file at `path` that only its owner reads, in place of one that may be there.
///
/// # Errors
/// If it cannot be written.
pub fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(OWNER_ONLY).open(path)?;
    // one that was there has its own mode
    file.set_permissions(fs::Permissions::from_mode(OWNER_ONLY))?;
    Ok(file)
}

/// The number of the life that begins, of the node whose lives are counted in this file: one more than the
/// last, and written down before anything is done with it.
///
/// # Errors
/// If it cannot be written, or is no number: what neighbours have seen would be taken for replayed.
pub fn next_life(path: &Path) -> Result<u32, String> {
    let last = match fs::read_to_string(path) {
        Ok(text) => text.trim().parse().map_err(|_| {
            format!(
                "{}: this is no number of a life; restore it, or begin with another key",
                path.display()
            )
        })?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0u32,
        Err(error) => return Err(named(path)(error)),
    };
    // frames that are not sealed begin as those of the very last life would
    let life = last.checked_add(1).filter(|life| *life < u32::MAX);
    let life = life.ok_or_else(|| format!("{}: no life is left", path.display()))?;
    replace(path, &format!("{life}\n"))?;
    Ok(life)
}

/// Write a file in place of one that may be there: after a failure of power there is the one or the other.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        File::open(
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        )?
        .sync_all()
    };
    write().map_err(named(path))
}

/// A roster as a file: the hexadecimal digits of its parts, each in a line.
pub fn roster_text<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    parts.into_iter().flat_map(|part| [digits(part), "\n".to_owned()]).collect()
}

/// The parts of the roster in a file; none if there is no such file. Nobody has looked at their signatures.
///
/// # Errors
/// If it has another form.
pub fn read_roster(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(path)(error)),
    };
    let part = |(at, line): (usize, &str)| {
        let part = vector(line).filter(|part| Part::parse(part).is_ok());
        part.ok_or_else(|| format!("{}: line {} is no part of a roster", path.display(), at + 1))
    };
    text.lines().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests;
