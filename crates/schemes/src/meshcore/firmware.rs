//! Numbers of the firmware `meshcore-dev/MeshCore`, dev 9d7cee66 (2026-08-22), each with its name and its file.

/// Packets of which a node remembers the hashes (`SimpleMeshTables.h`, `MAX_PACKET_HASHES`).
pub const MAX_PACKET_HASHES: usize = 160;

/// Bytes of a path at most (`MeshCore.h`).
pub const MAX_PATH_SIZE: usize = 64;

/// Hashes in a path at most: its length has six bits (`Packet.h`, `path_len`).
pub const MAX_HOPS: u8 = 63;

/// Bytes of a text at most (`BaseChatMesh.h`).
pub const MAX_TEXT_LEN: usize = 160;

/// Bytes that an advert has for name and place at most (`MeshCore.h`).
pub const MAX_ADVERT_DATA_SIZE: usize = 32;

/// Bytes of a public key, of the time and of a signature, which each advert has (`Mesh.cpp`, `createAdvert`).
pub const ADVERT_SIZE: usize = 32 + 4 + 64;

/// Bytes of a block of the cipher (`MeshCore.h`).
pub const CIPHER_BLOCK_SIZE: usize = 16;

/// Bytes of the code that authenticates encrypted data (`MeshCore.h`).
pub const CIPHER_MAC_SIZE: usize = 2;

/// Bytes of a text before its letters: time, type and attempt (`BaseChatMesh.cpp`, `composeMsgPacket`).
pub const TEXT_HEADER: usize = 5;

/// Bytes behind a returned path where it carries no acknowledgment, so that each has a hash of its own (`Mesh.cpp`,
/// `createPathReturn`).
pub const RETURN_BLOB: usize = 4;

/// Bytes of region codes (`Dispatcher.cpp`, `checkSend`).
pub const REGION_CODES: usize = 4;

/// Packets of a repeater, and of a companion (`MyMesh.cpp`, `StaticPoolPacketManager`).
pub const POOLS: [u32; 2] = [32, 16];

/// Messages whose acknowledgment a companion recognises (`companion_radio/MyMesh.h`, `EXPECTED_ACK_TABLE_SIZE`).
pub const EXPECTED_ACKS: usize = 8;

/// Contacts of which a companion knows the path (`companion_radio`, `MAX_CONTACTS`).
pub const MAX_CONTACTS: usize = 350;

/// How long an answer to a text waits, in ms (`BaseChatMesh.cpp`, `TXT_ACK_DELAY`).
pub const TXT_ACK_DELAY: u64 = 200;

/// How long the answer to a returned path waits, in ms (`Mesh.cpp`, `onRecvPacket`).
pub const RECIPROCAL_DELAY: u64 = 500;

/// The same where a contact still floods its acknowledgments (`BaseChatMesh.cpp`, `handleReturnPathRetry`).
pub const RETURN_RETRY_DELAY: u64 = 3_000;

/// What of the wait for an acknowledgment does not depend on the frame, in ms (`companion_radio/MyMesh.cpp`,
/// `SEND_TIMEOUT_BASE_MILLIS`).
pub const SEND_TIMEOUT_BASE: u64 = 500;

/// Air times of that wait after a flood (`FLOOD_SEND_TIMEOUT_FACTOR`).
pub const FLOOD_SEND_TIMEOUT_FACTOR: u64 = 16;

/// Air times of that wait for each hop of a path (`DIRECT_SEND_PERHOP_FACTOR`).
pub const DIRECT_SEND_PERHOP_FACTOR: u64 = 6;

/// What each hop adds besides, in ms (`DIRECT_SEND_PERHOP_EXTRA_MILLIS`).
pub const DIRECT_SEND_PERHOP_EXTRA: u64 = 250;

/// A flood that would be held for less is taken at once, in ms (`Dispatcher.cpp`, `checkRecv`).
pub const MIN_RX_DELAY: u64 = 50;

/// No flood is held longer, in ms (`Dispatcher.cpp`, `MAX_RX_DELAY_MILLIS`).
pub const MAX_RX_DELAY: u64 = 32_000;

/// The length by which a score judges that of a frame (`RadioLibWrappers.cpp`, `packetScoreInt`).
pub const SCORE_LENGTH: f64 = 256.0;

/// How often a node may stand in a path of hashes of 1, 2 and 3 B before it does not relay (`simple_repeater/MyMesh.cpp`):
/// `loop.detect` minimal, moderate and strict.
pub const MAX_LOOPS: [[usize; 3]; 3] = [[4, 2, 1], [2, 1, 1], [1, 1, 1]];

/// Numbers of priorities (`Mesh.cpp`): the smallest is sent first. That of a relayed flood is its hops.
pub mod priority {
    /// What follows a path, and what goes to neighbours.
    pub const DIRECT: u8 = 0;
    /// A returned path that follows a path.
    pub const DIRECT_PATH: u8 = 1;
    /// A flood that begins here.
    pub const FLOOD: u8 = 1;
    /// A returned path that is flooded from here.
    pub const FLOOD_PATH: u8 = 2;
    /// An advert that is flooded from here.
    pub const FLOOD_ADVERT: u8 = 3;
}
