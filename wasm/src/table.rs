//! What stays in the wasm's memory and is known to JavaScript by a number.

use std::cell::RefCell;

use crate::encoding::Refusal;

/// Things by number. A freed one leaves its place empty, lest a late user of the number meet another.
pub struct Table<T>(RefCell<Vec<Option<T>>>);

impl<T> Table<T> {
    /// A table of nothing.
    pub const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    /// Keeps a thing, and gives its number.
    pub fn keep(&self, thing: T) -> u32 {
        let mut things = self.0.borrow_mut();
        things.push(Some(thing));
        u32::try_from(things.len() - 1).unwrap_or(u32::MAX)
    }

    /// Uses the thing of a number.
    pub fn with<R>(&self, number: u32, act: impl FnOnce(&mut T) -> R) -> Result<R, Refusal> {
        let mut things = self.0.borrow_mut();
        let thing = things.get_mut(number as usize).and_then(Option::as_mut);
        thing.map(act).ok_or_else(|| Refusal::new("handle.freed", "this was freed"))
    }

    /// Forgets the thing of a number.
    pub fn free(&self, number: u32) {
        if let Some(place) = self.0.borrow_mut().get_mut(number as usize) {
            *place = None;
        }
    }
}
