//! Keys and lives in files.

use std::os::unix::fs::PermissionsExt;

use tempfile::tempdir;

use super::*;

#[test]
fn a_key_is_drawn_once_and_only_its_owner_reads_it() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("network.key");
    write_key(&path).expect("it can be written");
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, OWNER_ONLY);
    let key = read_key(&path).expect("it is one");
    assert_eq!(read_key(&path).map(|again| again.0), Ok(key.0));
    assert!(write_key(&path).is_err(), "it is there already");
    let owner_only = || fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
    for mode in [0o644, 0o606, 0o601] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        assert!(read_key(&path).is_err_and(|error| error.contains("chmod 600")), "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("it is ours");
    assert!(read_key(&path).is_ok(), "as systemd lends it");
    owner_only().expect("it is ours");
    for wrong in ["", "12", &"g".repeat(64), &"1".repeat(63)] {
        fs::write(&path, wrong).expect("it can be written");
        assert!(read_key(&path).is_err_and(|error| error.contains("64 hexadecimal")), "{wrong}");
    }
}

/// As a service that starts again and again may do, or a tool that prepares machines.

#[test]
fn an_identity_is_drawn_once_and_found_later() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("identity");
    let drawn = find_or_draw(&path).expect("it is drawn");
    assert_eq!(find_or_draw(&path), Ok(drawn));
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, OWNER_ONLY);
    let public = read_identity(&path).expect("it is one").public();
    assert_eq!(public, Identity::new(&drawn).public());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    assert!(find_or_draw(&path).is_err_and(|error| error.contains("chmod 600")));
    assert!(read_identity(&path).is_err());
}

#[test]
fn every_life_has_the_next_number_and_what_is_none_is_refused() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("n0.life");
    let lives: Vec<_> = (0..3).map(|_| next_life(&path)).collect();
    assert_eq!(lives, [Ok(1), Ok(2), Ok(3)]);
    for wrong in ["", "x", "4294967294", "4294967295"] {
        fs::write(&path, wrong).expect("it can be written");
        assert!(next_life(&path).is_err(), "{wrong}");
    }
    drop(folder);
    assert!(next_life(&path).is_err(), "there is no folder");
}

#[test]
fn a_private_file_is_private_though_there_was_another() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("record");
    fs::write(&path, "a long line of before").expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    private_file(&path).and_then(|mut file| writeln!(file, "new")).expect("it can be written");
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(
        (mode & 0o777, fs::read_to_string(&path).expect("it is there")),
        (0o600, "new\n".into())
    );
}
