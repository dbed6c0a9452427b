//! The scopes of names while a text is read.
//!
//! Numbers and the names of instructions at module level are visible everywhere; names in a function are visible there. A name may be used
//! before its definition: a placeholder represents it and is replaced at every use by the definition. A name still without definition at
//! the end of its function is looked up at module level; at the end of the text it is an error. Linear in the uses.

use rustc_hash::FxHashMap;

use super::error::{ErrorCode, Fault};
use super::lexer::Label;
use crate::{Inst, Module, Op};

/// Where a label is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Module,
    Function,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Defined(Inst),
    /// Used at that byte, not defined yet; the instruction is the placeholder.
    Pending(Inst, usize),
}

/// The visible names.
#[derive(Debug, Default)]
pub(super) struct Scope<'t> {
    module: FxHashMap<Label<'t>, Entry>,
    function: FxHashMap<Label<'t>, Entry>,
    /// The names used before their definition, in order of first use; some may be defined by now.
    forward: Vec<Label<'t>>,
    forward_in_function: Vec<Label<'t>>,
}

impl<'t> Scope<'t> {
    /// The instruction of a label, or a placeholder for it.
    pub(super) fn refer(&mut self, module: &mut Module, label: Label<'t>, offset: usize, level: Level) -> Inst {
        let local = matches!((label, level), (Label::Value(_) | Label::Block(_), Level::Function));
        if let Some(&(Entry::Defined(inst) | Entry::Pending(inst, _))) = self.function.get(&label) {
            return inst;
        }
        match self.module.get(&label) {
            Some(&Entry::Defined(inst)) => return inst,
            Some(&Entry::Pending(inst, _)) if !local => return inst,
            _ => {}
        }
        let placeholder = module.edit().create(Op::Undef, None, &[]);
        let entry = Entry::Pending(placeholder, offset);
        if local {
            self.function.insert(label, entry);
            self.forward_in_function.push(label);
        } else {
            self.module.insert(label, entry);
            self.forward.push(label);
        }
        placeholder
    }

    /// The instruction of a label, if it is defined.
    pub(super) fn defined(&self, label: Label<'t>) -> Option<Inst> {
        [&self.function, &self.module].into_iter().find_map(|table| match table.get(&label) {
            Some(&Entry::Defined(inst)) => Some(inst),
            _ => None,
        })
    }

    /// Checks that a label can be defined at a level.
    pub(super) fn check_new(&self, label: Label<'t>, offset: usize) -> Result<(), Fault> {
        let taken = |table: &FxHashMap<Label<'t>, Entry>| matches!(table.get(&label), Some(Entry::Defined(_)));
        match taken(&self.function) || taken(&self.module) {
            true => Err(Fault::new(
                offset,
                ErrorCode::Duplicate,
                format!("expected a new name; {} is already defined", spelled(label)),
            )),
            false => Ok(()),
        }
    }

    /// Defines a label. It must be new; the instruction must be in its place.
    pub(super) fn define(&mut self, module: &mut Module, label: Label<'t>, inst: Inst, level: Level) {
        let local = matches!((label, level), (Label::Value(_) | Label::Block(_), Level::Function));
        let table = if local { &mut self.function } else { &mut self.module };
        if let Some(Entry::Pending(placeholder, _)) = table.insert(label, Entry::Defined(inst)) {
            settle(module, placeholder, inst);
        }
    }

    /// Removes the names of a function. Names without definition may still be defined at module level.
    pub(super) fn leave_function(&mut self, module: &mut Module) {
        for label in std::mem::take(&mut self.forward_in_function) {
            let Some(&Entry::Pending(placeholder, offset)) = self.function.get(&label) else { continue };
            match self.module.get(&label) {
                Some(&(Entry::Defined(inst) | Entry::Pending(inst, _))) => settle(module, placeholder, inst),
                None => {
                    self.module.insert(label, Entry::Pending(placeholder, offset));
                    self.forward.push(label);
                }
            }
        }
        self.function.clear();
    }

    /// The first use of a name that was never defined.
    pub(super) fn undefined(&self) -> Result<(), Fault> {
        let pending = self.forward.iter().filter_map(|&label| match self.module.get(&label) {
            Some(&Entry::Pending(_, offset)) => Some((offset, label)),
            _ => None,
        });
        match pending.min_by_key(|&(offset, _)| offset) {
            Some((offset, label)) => {
                let message = format!("expected a definition of {} somewhere in the text", spelled(label));
                Err(Fault::new(offset, ErrorCode::Undefined, message))
            }
            None => Ok(()),
        }
    }
}

/// Replaces a placeholder by an instruction; the handle of the placeholder then means the instruction.
fn settle(module: &mut Module, placeholder: Inst, inst: Inst) {
    module.edit().merge_into(placeholder, inst);
}

fn spelled(label: Label<'_>) -> String {
    match label {
        Label::Number(number) => format!("`%{number}`"),
        Label::Value(name) => format!("`%{name}`"),
        Label::Block(name) => format!("`^{name}`"),
    }
}
