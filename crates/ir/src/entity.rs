//! Handles: names of the parts of a module.
//!
//! Everything in a module is an instruction, and an instruction is identified by an [`Inst`]: an index, not a reference, so that handles
//! can be stored, compared and sorted, and editing is compatible with the borrow checker. [`Block`], [`Function`] and the other typed
//! handles are the same index with a guarantee about the op; [`Module::cast`](crate::Module::cast) is the only way to get one, and costs
//! one comparison.

use std::fmt;

use reconverge_diagnostic::Place;

use crate::Op;

/// An instruction of a module. Dense, in order of creation; handles of one module are meaningless in another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inst(pub(crate) u32);

impl Inst {
    /// The handle with this index.
    pub const fn new(index: usize) -> Inst {
        Inst(index as u32)
    }

    /// The instruction that a message of this module is about.
    pub const fn of_place(place: Place) -> Option<Inst> {
        match place {
            Place::Instruction(index) => Some(Inst::new(index)),
            _ => None,
        }
    }

    /// The index, for tables beside the module: below [`Module::capacity`](crate::Module::capacity).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Inst {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "%{}", self.0)
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

impl From<Inst> for Place {
    fn from(inst: Inst) -> Place {
        Place::Instruction(inst.index())
    }
}

/// A handle with a guarantee about the op of its instruction.
pub trait Handle: Copy + Into<Inst> {
    /// Returns whether the handle may name instructions of this op.
    fn accepts(op: Op) -> bool;
    /// The handle of an instruction whose op was checked.
    #[doc(hidden)]
    fn from_accepted(inst: Inst) -> Self;
}

macro_rules! handles {
    ($( $(#[$doc:meta])* $name:ident: $accepts:expr; )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Inst);

        impl $name {
            /// The instruction.
            pub const fn inst(self) -> Inst { self.0 }
            /// The index of the instruction.
            pub const fn index(self) -> usize { self.0.index() }
        }

        impl From<$name> for Inst {
            fn from(handle: $name) -> Inst { handle.0 }
        }

        impl Handle for $name {
            fn accepts(op: Op) -> bool { let accepts: fn(Op) -> bool = $accepts; accepts(op) }
            fn from_accepted(inst: Inst) -> Self { Self(inst) }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result { write!(formatter, "%{}", self.0.0) }
        }
    )* };
}

handles! {
    /// A type.
    Type: |op| op.is_type();
    /// A constant, including specialization constants.
    Constant: |op| op.is_constant();
    /// A function, with a body or only declared.
    Function: |op| op == Op::Function;
    /// A block or an edge block.
    Block: |op| op.is_block();
    /// A parameter of a block or of a function.
    Parameter: |op| matches!(op, Op::BlockParameter | Op::FunctionParameter);
    /// The last instruction of a block.
    Terminator: |op| op.is_terminator();
}
