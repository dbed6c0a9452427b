//! The end of the program.
//!
//! ```text
//! mov   host_interrupt, 1
//! thrend                        writes no file
//! nop                           neither these two nor the word before read uniforms or the vertex pipe memory
//! nop
//! ```

use super::pair::Word;
use crate::machine::{Destination, Inst, SmallImmediate, Source, WritePort};
use crate::physical::PhysicalInst;

/// The words that end a program. They interrupt the host if the function does not.
pub(crate) fn end_words(insts: &[PhysicalInst]) -> Vec<Word> {
    let port = Destination::Port(WritePort::HostInterrupt);
    let mut words = Vec::with_capacity(4);
    if !insts.iter().any(|inst| inst.destination == port) {
        let interrupt = Inst::copy(port, Source::Small(SmallImmediate(1)));
        words.push(Word { add: Some(interrupt), ..Word::default() });
    }
    words.push(Word { ends_program: true, ..Word::default() });
    words.resize(words.len() + 2, Word::default());
    words
}
