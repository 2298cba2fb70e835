//! Frames that only those can make and read who have the network's key.
//!
//! ```text
//!  0             8       12
//! +-------------+-------+------------------------------+--------+
//! | counter     | salt  | encrypted: receiver, packet  | tag 16 |
//! +-------------+-------+------------------------------+--------+
//! ```
//!
//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with the nonce sender, counter, salt; the sender is what
//! the link layer says. The counter's upper half is the number of the sender's life, which outlives it; the
//! salt is drawn anew in each life, so that a mistake about lives repeats no nonce.

use std::collections::BTreeMap;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Key, Tag, XChaCha20Poly1305, XNonce};
use multihop_core::{Heard, NodeId, Receiver};

use crate::bytes::Reader;
use crate::ether::message::Reception;

/// How many bytes longer a sealed frame is than its packet.
pub const OVERHEAD: usize = CLEAR + RECEIVER + TAG;

const CLEAR: usize = 12;
const RECEIVER: usize = 4;
const TAG: usize = 16;

/// What stands for everyone.
const EVERYONE: u32 = u32::MAX;

/// Part of what is authenticated, so that no other use of the key makes such frames.
const CONTEXT: &[u8] = b"multihop frame 1";

/// The key of a network.
#[derive(Clone)]
pub struct NetworkKey(pub [u8; 32]);

/// Why a frame was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nobody with the key has made it, or for another receiver.
    NotAuthentic,
    /// It was opened before, or is so old that it may have been.
    Replayed,
}

/// Which counters of a sender were seen.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    /// The highest.
    highest: u64,
    /// Bit n is the counter n below the highest.
    seen: u64,
}

impl Window {
    fn is_new(&self, counter: u64) -> bool {
        match self.highest.checked_sub(counter) {
            None => true,
            Some(back) => back < u64::from(u64::BITS) && self.seen >> back & 1 == 0,
        }
    }

    fn note(&mut self, counter: u64) {
        if counter > self.highest {
            let ahead = u32::try_from(counter - self.highest).unwrap_or(u64::BITS);
            self.seen = self.seen.checked_shl(ahead).unwrap_or(0) | 1;
            self.highest = counter;
        } else {
            self.seen |= 1 << (self.highest - counter);
        }
    }
}

/// Seals and opens the frames of one node.
pub struct Seal {
    cipher: XChaCha20Poly1305,
    /// Of other keys, of which frames are opened, too.
    others: Vec<XChaCha20Poly1305>,
    me: NodeId,
    counter: u64,
    salt: [u8; 4],
    /// Of senders that have the key: whoever opens frames asks first whether there is such a node.
    windows: BTreeMap<NodeId, Window>,
    /// Whether a sender was heard in a life that was not heard before.
    new_life: bool,
    /// How many frames of other keys were opened.
    of_other: u64,
    /// The place of the key that has opened the last frame.
    opened_by: usize,
}

impl Seal {
    /// Node `me` in a `life` that it never had before, with a `salt` drawn for it.
    pub fn new(key: &NetworkKey, me: NodeId, life: u32, salt: [u8; 4]) -> Self {
        let cipher = cipher(key);
        let counter = u64::from(life) << 32;
        let windows = BTreeMap::new();
        Seal {
            cipher,
            others: Vec::new(),
            me,
            counter,
            salt,
            windows,
            new_life: false,
            of_other: 0,
            opened_by: 0,
        }
    }

    /// From now on `key` seals, and frames of `others` are opened, too. Counters go on, so that no nonce comes twice under a key
    /// that returns, and no recorded frame is taken again.
    pub fn set_keys<'a>(
        &mut self,
        key: &NetworkKey,
        others: impl IntoIterator<Item = &'a NetworkKey>,
    ) {
        self.cipher = cipher(key);
        self.others = others.into_iter().map(cipher).collect();
    }

    /// The place of the key that has opened the last frame: 0 is the one that seals, and the others follow.
    pub const fn opened_by(&self) -> usize {
        self.opened_by
    }

    /// How many frames were opened with another key than the one that seals.
    pub const fn of_other(&self) -> u64 {
        self.of_other
    }

    /// Whether this life has no counter left: the next one would be of the life that follows.
    pub const fn is_spent(&self) -> bool {
        self.counter as u32 == u32::MAX
    }

    /// Go on in another `life` that the node never had before, with a `salt` drawn for it.
    pub fn renew(&mut self, life: u32, salt: [u8; 4]) {
        (self.counter, self.salt) = (u64::from(life) << 32, salt);
    }

    /// What tells the key from others, and says nothing about it.
    pub fn fingerprint(&self) -> [u8; TAG] {
        fingerprint(&self.cipher)
    }

    /// Whether that is the fingerprint of a key whose frames are opened.
    pub fn knows(&self, print: [u8; TAG]) -> bool {
        self.ciphers().any(|cipher| fingerprint(cipher) == print)
    }

    /// The fingerprints of all keys; the first one seals.
    pub fn fingerprints(&self) -> Vec<[u8; TAG]> {
        self.ciphers().map(fingerprint).collect()
    }

    fn ciphers(&self) -> impl Iterator<Item = &XChaCha20Poly1305> {
        std::iter::once(&self.cipher).chain(&self.others)
    }

    /// The highest counter of every sender that was heard, or remembered.
    pub fn heard(&self) -> impl Iterator<Item = (NodeId, u64)> {
        self.windows.iter().map(|(sender, window)| (*sender, window.highest))
    }

    /// Frames of `sender` up to this counter are old.
    pub fn remember(&mut self, sender: NodeId, counter: u64) {
        self.windows.insert(sender, Window { highest: counter, seen: u64::MAX });
    }

    /// Whether a sender was heard in a new life since this was asked the last time.
    pub const fn take_new_life(&mut self) -> bool {
        std::mem::replace(&mut self.new_life, false)
    }

    /// The frame of `packet` for `to`.
    ///
    /// # Panics
    /// If the packet is longer than 256 GB, or the life is spent ([`Seal::is_spent`]).
    pub fn close(&mut self, to: Receiver, packet: &[u8]) -> Vec<u8> {
        assert!(!self.is_spent(), "a nonce would be another life's");
        self.counter += 1;
        let to = match to {
            Receiver::Node(to) | Receiver::Pair([to, _]) => to.0,
            Receiver::Broadcast => EVERYONE,
        };
        let mut inside = to.to_be_bytes().to_vec();
        inside.extend(packet);
        let nonce = nonce(self.me, self.counter, self.salt);
        let tag = self.cipher.encrypt_inout_detached(&nonce, CONTEXT, inside.as_mut_slice().into());
        let tag = tag.expect("a packet is short enough");
        let mut frame = Vec::with_capacity(packet.len() + OVERHEAD);
        frame.extend(self.counter.to_be_bytes());
        frame.extend(self.salt);
        frame.extend(inside);
        frame.extend(tag);
        frame
    }

    /// What was in a frame: the same reception, with the packet.
    ///
    /// # Errors
    /// If it is not authentic, or not new.
    pub fn open(&mut self, heard: &Reception) -> Result<Reception, Refused> {
        let mut reader = Reader(&heard.frame);
        let counter = reader.u64().map_err(|_| Refused::NotAuthentic)?;
        let salt = reader.u32().map_err(|_| Refused::NotAuthentic)?.to_be_bytes();
        let (inside, tag) = reader.rest().split_last_chunk::<TAG>().ok_or(Refused::NotAuthentic)?;
        let window = self.windows.get(&heard.from).copied().unwrap_or_default();
        if !window.is_new(counter) {
            return Err(Refused::Replayed);
        }
        let nonce = nonce(heard.from, counter, salt);
        let opened = self.ciphers().enumerate().find_map(|(which, cipher)| {
            let mut inside = inside.to_vec();
            let buffer = inside.as_mut_slice().into();
            let done = cipher.decrypt_inout_detached(&nonce, CONTEXT, buffer, &Tag::from(*tag));
            done.is_ok().then_some((which, inside))
        });
        let (which, inside) = opened.ok_or(Refused::NotAuthentic)?;
        let mut reader = Reader(&inside);
        let to = reader.u32().map_err(|_| Refused::NotAuthentic)?;
        let meant = match to {
            EVERYONE => Heard::Broadcast,
            to if to == self.me.0 => Heard::ForMe,
            _ => Heard::Overheard,
        };
        // somebody has turned it to another receiver
        if meant != heard.heard {
            return Err(Refused::NotAuthentic);
        }
        self.opened_by = which;
        self.of_other += u64::from(which > 0);
        self.new_life |= window.highest >> 32 != counter >> 32;
        self.windows.entry(heard.from).or_default().note(counter);
        let frame = reader.rest().to_vec();
        let Reception { from, rate, signal, air_time, marked, .. } = *heard;
        Ok(Reception { from, heard: meant, rate, signal, air_time, marked, frame })
    }
}

fn cipher(key: &NetworkKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(key.0))
}

fn fingerprint(cipher: &XChaCha20Poly1305) -> [u8; TAG] {
    // no frame has a nonce that ends in ones
    let nonce = XNonce::from([0xFF; 24]);
    let tag = cipher.encrypt_inout_detached(&nonce, CONTEXT, (&mut [][..]).into());
    tag.map_or([0; TAG], Into::into)
}

fn nonce(sender: NodeId, counter: u64, salt: [u8; 4]) -> XNonce {
    let mut nonce = [0; 24];
    nonce[..4].copy_from_slice(&sender.0.to_be_bytes());
    nonce[4..12].copy_from_slice(&counter.to_be_bytes());
    nonce[12..16].copy_from_slice(&salt);
    XNonce::from(nonce)
}

#[cfg(test)]
mod tests;
