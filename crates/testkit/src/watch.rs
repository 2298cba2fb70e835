//! A part that a test looks into while a node runs it.

use std::sync::{Arc, Mutex, MutexGuard};

/// A part of a node, and a way to it for the test.
pub struct Watch<T: ?Sized>(Arc<Mutex<Box<T>>>);

impl<T: ?Sized> Watch<T> {
    /// Watch `part`.
    pub fn new(part: Box<T>) -> Self {
        Watch(Arc::new(Mutex::new(part)))
    }

    /// The part.
    ///
    /// # Panics
    /// If it has panicked before, or is looked at already.
    #[inline]
    pub fn look(&self) -> MutexGuard<'_, Box<T>> {
        self.0.lock().expect("a part that has panicked is not looked at")
    }
}

impl<T: ?Sized> Clone for Watch<T> {
    fn clone(&self) -> Self {
        Watch(Arc::clone(&self.0))
    }
}
