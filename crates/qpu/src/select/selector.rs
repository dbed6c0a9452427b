//! A function as a whole. A selector owns three parts with their own state, and the receiver of a method says what it can change:
//!
//! | part | file | state |
//! |---|---|---|
//! | `values` | `values.rs` | the values of the function, and the form of each in the machine function |
//! | `emit` | `emit.rs` | the machine function, the flags, the lanes that may be inactive |
//! | `memory` | `memory.rs` | where variables and inputs are, and what addresses point into |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, OpGroup};

use super::emit::{Emitter, Word};
use super::memory::Memory;
use super::value::{Words, one};
use super::values::{Selected, Values};

/// Selects the instructions of one function. Its own methods need more than one part.
pub(crate) struct Selector<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) emit: Emitter,
    pub(crate) memory: Memory,
}

/// The lanes whose flags a comparison sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlagLanes {
    All,
    /// Those that execute. The flags of the others are those of `execute`.
    Active,
}

impl<'a> Selector<'a> {
    /// A selector at the beginning of a function.
    pub(crate) fn new(values: Values<'a>, memory: Memory) -> Selector<'a> {
        Selector { values, emit: Emitter::new(), memory }
    }

    /// The words of a value.
    pub(crate) fn value(&mut self, inst: Inst) -> Result<Words, Diagnostic> {
        match self.values.get(inst) {
            Some(Selected::Words(words)) => return Ok(words.clone()),
            Some(Selected::Place(_)) => {
                return Err(self.values.unsupported(inst, "the address of private memory as a value"));
            }
            Some(Selected::Pair(_)) => return Err(self.values.unsupported(inst, "a pair as a value")),
            Some(Selected::Deferred) => {
                if let Some(condition) = self.compare_flags(inst, FlagLanes::All)? {
                    return Ok(one(self.emit.boolean(condition)));
                }
            }
            None => {}
        }
        self.values.constant(inst)
    }

    /// The low word of a value.
    pub(crate) fn word(&mut self, inst: Inst) -> Result<Word, Diagnostic> {
        Ok(self.value(inst)?[0])
    }

    /// Selects an instruction that is no terminator.
    pub(crate) fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.values.module.op(inst);
        match op.group() {
            OpGroup::Declaration | OpGroup::Lifetime | OpGroup::MemoryBarrier => Ok(()),
            OpGroup::Hint if op == Op::AssumeTrueKHR => Ok(()),
            OpGroup::Variable => self.select_variable(inst),
            OpGroup::Address => self.select_access_chain(inst),
            OpGroup::Load => self.select_load(inst),
            OpGroup::Store => self.select_store(inst),
            OpGroup::Atomic => self.select_atomic(inst),
            OpGroup::ControlBarrier => self.select_barrier(inst),
            OpGroup::Subgroup => self.select_subgroup(inst),
            OpGroup::IntegerComparison | OpGroup::FloatComparison if self.values.may_defer(inst) => {
                self.values.set(inst, Selected::Deferred);
                Ok(())
            }
            _ => self.select_computation(inst),
        }
    }
}
