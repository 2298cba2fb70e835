//! What JavaScript calls. It writes a question to where [`multihop_input`] says, calls [`multihop_call`], and reads
//! the answer where [`multihop_output`] says. After a trap it finds the message of the panic there.
#![expect(unsafe_code, reason = "JavaScript finds functions by their names")]

use std::cell::RefCell;
use std::panic;

use crate::Engine;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::default());
    /// The question, and then the answer.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a question of so many bytes. What was there before is gone.
#[unsafe(no_mangle)]
pub extern "C" fn multihop_input(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(length, 0);
        bytes.as_mut_ptr()
    })
}

/// Answer the question.
#[unsafe(no_mangle)]
pub extern "C" fn multihop_call() {
    panic::set_hook(Box::new(|info| BYTES.set(info.to_string().into_bytes())));
    let question = BYTES.take();
    let answer = ENGINE.with_borrow_mut(|engine| engine.call(&question));
    BYTES.set(answer);
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn multihop_output() -> *const u8 {
    BYTES.with_borrow(Vec::as_ptr)
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn multihop_output_length() -> usize {
    BYTES.with_borrow(Vec::len)
}
