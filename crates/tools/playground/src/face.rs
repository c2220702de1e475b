//! The functions of the module. A question is written into the room that is asked for, its answer is read from where it lies; no
//! pointer of the page is ever followed here.
#![expect(
    unsafe_code,
    reason = "names for the page, and functions of it: neither reads or writes memory of ours"
)]

use crate::answer::answer;
use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes the share of a run that is done; zero ends the run.
    safe fn progress(share: f64) -> i32;
    /// Takes the words of a bug, before the module ends.
    safe fn failed(words: *const u8, length: usize);
}

/// Room for a question of this many octets.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn room(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question that was written there. Returns where the answer lies.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ask() -> *const u8 {
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string();
        failed(words.as_ptr(), words.len());
    }));
    let question = QUESTION.take();
    let answer = answer(question, &mut |share| progress(share) != 0);
    ANSWER.replace(answer);
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How many octets the answer has.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answered() -> usize {
    ANSWER.with_borrow(Vec::len)
}
