//! The scopes of names while a text is read.
//!
//! Numbers and the names of instructions at module level are visible everywhere; names in a function or generic are visible there and in what
//! it contains. A name may be used before its definition: a placeholder represents it and is replaced at every use by the definition. A
//! name still without definition at the end of its scope is looked up in the scope around it; at the end of the text it is an error. Linear
//! in the uses times the depth of scopes, which is limited.

use rustc_hash::FxHashMap;

use super::error::{ErrorCode, Fault};
use super::lexer::Label;
use crate::{Inst, Module, Op};

#[derive(Clone, Copy, Debug)]
enum Entry {
    Defined(Inst),
    /// Used at that byte, not defined yet; the instruction is the placeholder.
    Pending(Inst, usize),
}

/// The names of one scope.
#[derive(Debug, Default)]
struct Table<'t> {
    entries: FxHashMap<Label<'t>, Entry>,
    /// The names used before their definition, in order of first use; some may be defined by now.
    forward: Vec<Label<'t>>,
}

impl<'t> Table<'t> {
    fn expect(&mut self, label: Label<'t>, placeholder: Inst, offset: usize) {
        self.entries.insert(label, Entry::Pending(placeholder, offset));
        self.forward.push(label);
    }
}

/// The visible names.
#[derive(Debug, Default)]
pub(super) struct Scopes<'t> {
    module: Table<'t>,
    /// The scopes that are open, the innermost last.
    open: Vec<Table<'t>>,
}

impl<'t> Scopes<'t> {
    /// Opens the scope of a function or generic.
    pub(super) fn enter(&mut self) {
        self.open.push(Table::default());
    }

    /// The instruction of a label, or a placeholder for it.
    pub(super) fn refer(&mut self, module: &mut Module, label: Label<'t>, offset: usize) -> Inst {
        let innermost = self.home(label);
        if let Some(&(Entry::Defined(inst) | Entry::Pending(inst, _))) = innermost.entries.get(&label) {
            return inst;
        }
        if let Some(inst) = self.defined(label) {
            return inst;
        }
        let placeholder = module.edit().create(Op::Undef, None, &[]);
        self.home(label).expect(label, placeholder, offset);
        placeholder
    }

    /// The instruction of a label, if it is defined.
    pub(super) fn defined(&self, label: Label<'t>) -> Option<Inst> {
        let tables = self.open.iter().rev().chain([&self.module]);
        tables.map(|table| table.entries.get(&label)).find_map(|entry| match entry {
            Some(&Entry::Defined(inst)) => Some(inst),
            _ => None,
        })
    }

    /// Checks that a label can be defined.
    pub(super) fn check_new(&self, label: Label<'t>, offset: usize) -> Result<(), Fault> {
        match self.defined(label).is_some() {
            true => Err(Fault::new(
                offset,
                ErrorCode::Duplicate,
                format!("expected a new name; {} is already defined", spelled(label)),
            )),
            false => Ok(()),
        }
    }

    /// Defines a label in the innermost scope. It must be new; the instruction must be in its place.
    pub(super) fn define(&mut self, module: &mut Module, label: Label<'t>, inst: Inst) {
        let table = self.home(label);
        if let Some(Entry::Pending(placeholder, _)) = table.entries.insert(label, Entry::Defined(inst)) {
            settle(module, placeholder, inst);
        }
    }

    /// The table that a label belongs to: numbers are visible everywhere.
    fn home(&mut self, label: Label<'t>) -> &mut Table<'t> {
        match (label, self.open.last_mut()) {
            (Label::Value(_) | Label::Block(_), Some(innermost)) => innermost,
            _ => &mut self.module,
        }
    }

    /// Closes the innermost scope. Its names without definition may still be defined around it.
    pub(super) fn leave(&mut self, module: &mut Module) {
        let Some(closed) = self.open.pop() else { return };
        for label in closed.forward {
            let Some(&Entry::Pending(placeholder, offset)) = closed.entries.get(&label) else { continue };
            let around = self.home(label).entries.get(&label).copied();
            match around.or_else(|| self.defined(label).map(Entry::Defined)) {
                Some(Entry::Defined(inst) | Entry::Pending(inst, _)) => settle(module, placeholder, inst),
                None => self.home(label).expect(label, placeholder, offset),
            }
        }
    }

    /// The first use of a name that was never defined.
    pub(super) fn undefined(&self) -> Result<(), Fault> {
        let pending = self.module.forward.iter().filter_map(|&label| match self.module.entries.get(&label) {
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
