//! Sockets in a folder of their own.

use tempfile::{TempDir, tempdir};

use super::*;

fn pair() -> (Listener, Link, Link, TempDir) {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("sock");
    let listener = Listener::bind(&path).expect("the folder can be written");
    let there = Link::connect(&path).expect("somebody listens");
    let here = listener.accept().expect("it works").expect("somebody connects");
    (listener, here, there, folder)
}

#[test]
fn messages_stay_whole_and_in_order() {
    let (_listener, mut here, mut there, _folder) = pair();
    let mut buffer = [0; 100];
    assert_eq!(here.receive(&mut buffer).expect("it is there"), None);
    there.send(vec![1; 3]).expect("there is room");
    there.send(vec![2; 5]).expect("there is room");
    assert_eq!(here.receive(&mut buffer).expect("it is there"), Some(3));
    assert_eq!(here.receive(&mut buffer).expect("it is there"), Some(5));
    assert_eq!(buffer[..5], [2; 5]);
    drop(there);
    assert!(here.receive(&mut buffer).is_err(), "the other side is gone");
}

#[test]
fn who_does_not_read_is_given_up_and_nobody_waits() {
    let (_listener, mut here, there, _folder) = pair();
    let mut sent = 0;
    while here.send(vec![0; 1_000]).is_ok() {
        sent += 1;
        assert!(sent < 10_000, "what waits is bounded");
    }
    assert!(here.is_waiting());
    drop(there);
}

#[test]
fn a_socket_that_nobody_listens_at_is_replaced_and_another_is_not() {
    let (listener, _here, _there, _folder) = pair();
    let path = listener.path.clone();
    assert!(Listener::bind(&path).is_err(), "somebody listens");
    let Listener { fd, .. } = &listener;
    rustix::net::shutdown(fd, rustix::net::Shutdown::Both).expect("it listens");
    assert!(Listener::bind(&path).is_ok());
}

#[test]
fn a_file_that_is_no_socket_is_left_as_it_is() {
    let folder = tempdir().expect("it can be made");
    let path = folder.path().join("results.csv");
    std::fs::write(&path, "1,2").expect("it can be written");
    let error = Listener::bind(&path).expect_err("it is a file").to_string();
    assert_eq!(error, "there is a file that is no socket");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "1,2");
}
