//! Notes of the lowering about the interface of the text.
//!
//! They are taken where the lowering decides a number, and name parts of the tree, because names become final only behind the rules.

use reconverge_ir::Inst;

use super::{GlobalId, LocalId, StructId};
use crate::interface::{InterfaceVariable, Resource};

/// The part of the tree that has the name of something in the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Global(GlobalId),
    Member(StructId, u32),
    /// A local of an entry function, by the number of entry functions before it.
    Local(usize, LocalId),
    /// The result of an entry function.
    Result,
    /// A word of the language, or a macro.
    Word(String),
}

/// A resource of the text. Its name and its entry points are not known yet.
#[derive(Clone, Debug)]
pub(crate) struct ResourceNote {
    pub(crate) named: Named,
    /// The variables of the module that it comes from; none for what every entry point may use.
    pub(crate) variables: Vec<Inst>,
    pub(crate) resource: Resource,
    /// True if the text asks for its size.
    pub(crate) is_measured: bool,
}

/// An input or output. Its name is not known yet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VariableNote {
    pub(crate) named: Named,
    /// The instruction of the entry point; `None` where the text has one, or where [`Notes::placed`] says it.
    pub(crate) entry: Option<Inst>,
    pub(crate) is_input: bool,
    pub(crate) variable: InterfaceVariable,
}

/// A specialization constant. Its name is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ConstantNote {
    pub(crate) id: u32,
    pub(crate) named: Named,
}

/// The place of a global in an entry function that declares it.
#[derive(Clone, Debug)]
pub(crate) struct PlacedNote {
    pub(crate) global: GlobalId,
    /// The number of entry functions before the function.
    pub(crate) function: usize,
    pub(crate) named: Named,
}

/// The notes of a text.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) resources: Vec<ResourceNote>,
    pub(crate) variables: Vec<VariableNote>,
    pub(crate) constants: Vec<ConstantNote>,
    /// The places of what entry points declare, in MSL.
    pub(crate) placed: Vec<PlacedNote>,
    /// The number of entry functions whose places are noted.
    pub(crate) entry_count: usize,
    /// The entry point of each entry function, in their order.
    pub(crate) entry_functions: Vec<Inst>,
}

impl Notes {
    /// Adds an input or output, unless it is known.
    pub(crate) fn add_variable(&mut self, note: VariableNote) {
        if !self.variables.contains(&note) {
            self.variables.push(note);
        }
    }

    /// Adds a specialization constant, unless it is known.
    pub(crate) fn add_constant(&mut self, note: ConstantNote) {
        if !self.constants.contains(&note) {
            self.constants.push(note);
        }
    }
}
