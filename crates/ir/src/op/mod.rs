//! Operations: the kinds of instructions.
//!
//! [`Op`] and its queries are generated from one table, `op/table.rs`; this file has the macros of the table. Classes are contiguous ranges
//! of the enum, so a cast is one comparison of a range (Slang's IR design, "instruction hierarchy"). Effects are data: a pass uses
//! [`Op::effects`], never a list of its own.

mod effects;
mod group;
mod signature;
mod table;

pub use effects::Effects;
pub use group::OpGroup;
pub use signature::{OperandKind, Quantity, Signature};
pub use table::{Class, Op};
pub(crate) use table::{slots, views};

/// The existence of a type and a result for instructions of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Neither a type nor a result: a store, a branch, a decoration.
    Plain,
    /// A result without a type: a type, a block, an imported instruction set.
    Result,
    /// A result with a type: a value.
    Typed,
}

impl Op {
    /// True for ops with children: module, function, block, generic, interface.
    pub const fn is_container(self) -> bool {
        matches!(self, Op::Module | Op::Function | Op::Block | Op::EdgeBlock | Op::Generic | Op::Interface)
    }

    /// True for containers whose contents have names of their own: a function or a generic. The names in an interface are those of its
    /// requirements, which others use.
    pub const fn opens_scope(self) -> bool {
        matches!(self, Op::Function | Op::Generic)
    }

    /// True for ordinary blocks and edge blocks.
    pub const fn is_block(self) -> bool {
        matches!(self, Op::Block | Op::EdgeBlock)
    }

    /// True for ops that end a block.
    pub fn is_terminator(self) -> bool {
        self.class() == Class::Terminator
    }

    /// True for types.
    pub fn is_type(self) -> bool {
        self.class() == Class::Type
    }

    /// True for constants, including specialization constants.
    pub fn is_constant(self) -> bool {
        self.class() == Class::Constant
    }

    /// True for literals, which print inside their users and are in no list of children.
    pub fn is_literal(self) -> bool {
        self.class() == Class::Literal
    }

    /// True for ops whose instructions are unique: equal op, type, operands and decorations mean the same instruction.
    ///
    /// Structs and specialization constants are nominal instead, as in SPIR-V section 2.8: two equal declarations are distinct. All other
    /// types, constants, literals, decorations and positions are hoistable, and so is type-level code without a place of its own.
    pub fn is_hoistable(self) -> bool {
        match self.class() {
            Class::Type => !matches!(self, Op::TypeStruct | Op::TypeOpaque),
            Class::Constant => !self.is_specialization_constant() && self != Op::ImportedConstant,
            Class::TypeLevel => {
                matches!(self, Op::Specialize | Op::LookupWitness | Op::ExtractType | Op::ExtractWitness)
            }
            Class::Literal | Class::Decoration | Class::Position => true,
            _ => false,
        }
    }

    /// True for ops that only modules at stage Generic have: generics, interfaces, values of interface type and what they consist of, and
    /// constants of other modules.
    pub fn is_generic(self) -> bool {
        self.class() == Class::TypeLevel
            || matches!(
                self,
                Op::Generic
                    | Op::Interface
                    | Op::GenericParameter
                    | Op::Requirement
                    | Op::TypeKind
                    | Op::TypeWitness
                    | Op::TypeExistential
                    | Op::ImportedConstant
            )
    }

    /// True for constants whose value is set when a pipeline is created.
    pub const fn is_specialization_constant(self) -> bool {
        matches!(
            self,
            Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstant
                | Op::SpecConstantComposite
                | Op::SpecConstantOp
        )
    }

    /// Returns whether instructions of this op have a type.
    pub fn has_type(self) -> bool {
        self.shape() == Shape::Typed
    }

    /// Returns whether instructions of this op have a name and can be operands.
    pub fn has_result(self) -> bool {
        self.shape() != Shape::Plain
    }
}

/// Declares the ops: see `op/table.rs` for the rows.
macro_rules! declare_ops {
    ($( $(#[doc = $doc:literal])+ $class:ident { $( $variant:ident = $name:ident $opcode:literal $shape:ident [$($field:ident: $operand:ident $(($kind:ident))?),*] $($effect:ident)|+ ,)* } )*) => {
        use super::signature::{OperandKind, Signature, many, one, optional, rest};
        use super::{Effects, Shape, declare_method, plain_name, signature_entry};

        /// The kind of an instruction. The variants of a class are adjacent.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "each variant is the SPIR-V instruction of that name, or explained in docs/ir.md")]
        pub enum Op { $( $( $variant, )* )* }

        /// Families of ops: contiguous ranges of [`Op`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Class { $( $(#[doc = $doc])+ $class, )* }

        impl Class {
            /// Every class, in table order.
            pub const ALL: &'static [Class] = &[ $( Class::$class, )* ];

            /// A description of the class, in a sentence.
            pub const fn description(self) -> &'static str {
                match self { $( Class::$class => concat!($( $doc ),+).trim_ascii(), )* }
            }

            /// The ops of the class, in table order.
            pub const fn ops(self) -> &'static [Op] {
                match self { $( Class::$class => &[ $( Op::$variant, )* ], )* }
            }
        }

        impl Op {
            /// Every op, in table order.
            pub const ALL: &'static [Op] = &[ $( $( Op::$variant, )* )* ];

            const CLASSES: &'static [Class] = &[ $( $( { let _ = Op::$variant; Class::$class }, )* )* ];
            const NAMES: &'static [&'static str] = &[ $( $( plain_name(stringify!($name)), )* )* ];
            const OPCODES: &'static [u16] = &[ $( $( $opcode, )* )* ];
            const SHAPES: &'static [Shape] = &[ $( $( Shape::$shape, )* )* ];
            const SIGNATURES: &'static [&'static [Signature]] = &[ $( $( &[ $( signature_entry!($field $operand $($kind)?) ),* ], )* )* ];
            const EFFECTS: &'static [Effects] = &[ $( $( Effects::NONE $( .and(Effects::$effect) )+, )* )* ];

            /// The class that the op belongs to.
            pub const fn class(self) -> Class { Self::CLASSES[self as usize] }

            /// The name in the text form.
            pub const fn name(self) -> &'static str { Self::NAMES[self as usize] }

            /// The SPIR-V opcode, if SPIR-V has the instruction.
            pub const fn opcode(self) -> Option<u16> {
                match Self::OPCODES[self as usize] { 0 => if matches!(self, Op::Nop) { Some(0) } else { None }, opcode => Some(opcode) }
            }

            /// The shape: whether the instruction has a type and a result.
            pub const fn shape(self) -> Shape { Self::SHAPES[self as usize] }

            /// The operands, without the type.
            pub const fn signature(self) -> &'static [Signature] { Self::SIGNATURES[self as usize] }

            /// The effects of the instruction besides its value.
            pub const fn effects(self) -> Effects { Self::EFFECTS[self as usize] }
        }

        /// One struct for each op, with its operands by name.
        pub(crate) mod views {
            $( $( crate::view::declare_view!($variant [ $($field: $operand $(($kind))?),* ]); )* )*
        }

        /// The operand numbers of each op.
        pub(crate) mod slots {
            $( $( crate::view::declare_slots!($variant [ $($field: $operand $(($kind))?),* ]); )* )*
        }

        /// One method for each op that is not structural.
        impl crate::Builder<'_> {
            $( $( declare_method!($class $shape $variant $name); )* )*
        }

        const _: () = { let mut index = 0; while index < Op::ALL.len() { assert!(Op::ALL[index] as usize == index); index += 1; } };
    };
}
use declare_ops;

/// One entry of a signature: `name: Kind` or `name: quantity(Kind)`.
macro_rules! signature_entry {
    ($field:ident $kind:ident) => {
        one(stringify!($field), OperandKind::$kind)
    };
    ($field:ident $quantity:ident $kind:ident) => {
        $quantity(stringify!($field), OperandKind::$kind)
    };
}
use signature_entry;

/// Declares the builder's method for one op; classes that need more than a row have separate methods.
macro_rules! declare_method {
    (Removed $($rest:tt)*) => {};
    (Structure $($rest:tt)*) => {};
    (Literal $($rest:tt)*) => {};
    (Decoration $($rest:tt)*) => {};
    (Position $($rest:tt)*) => {};
    (Opaque $($rest:tt)*) => {};
    ($class:ident Typed $variant:ident $name:ident) => {
        #[doc = concat!("Writes `", stringify!($name), "` with this type and these operands.")]
        pub fn $name(&mut self, ty: crate::Inst, operands: &[crate::Inst]) -> crate::Inst {
            self.emit(Op::$variant, Some(ty), operands)
        }
    };
    ($class:ident $shape:ident $variant:ident $name:ident) => {
        #[doc = concat!("Writes `", stringify!($name), "` with these operands.")]
        pub fn $name(&mut self, operands: &[crate::Inst]) -> crate::Inst {
            self.emit(Op::$variant, None, operands)
        }
    };
}
use declare_method;

/// A name as in the text form: a Rust keyword needs `r#` in the table, not there.
const fn plain_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

impl Op {
    /// The op of that name in the text form.
    pub fn from_name(name: &str) -> Option<Op> {
        use std::sync::LazyLock;
        static BY_NAME: LazyLock<rustc_hash::FxHashMap<&'static str, Op>> =
            LazyLock::new(|| Op::ALL.iter().map(|&op| (op.name(), op)).collect());
        BY_NAME.get(name).copied()
    }

    /// The value, type, constant or module-level op of that SPIR-V opcode.
    ///
    /// `None` for opcodes that the IR represents differently (labels, phis, branches, merges, function frames, names, decorations and
    /// lines): the reader and the writer translate them.
    pub fn from_opcode(opcode: u16) -> Option<Op> {
        BY_OPCODE.get(usize::from(opcode)).copied().flatten()
    }

    /// Returns whether the reader and the writer of SPIR-V translate the op specially.
    const fn is_translated(self) -> bool {
        matches!(
            self.class(),
            Class::Removed | Class::Structure | Class::Literal | Class::Decoration | Class::Position | Class::Opaque
        ) || matches!(self, Op::Branch | Op::BranchIf | Op::Switch | Op::If | Op::StructuredSwitch | Op::Loop)
    }
}

/// One more than the greatest opcode.
const OPCODE_LIMIT: usize = {
    let (mut limit, mut index) = (0, 0);
    while index < Op::ALL.len() {
        if let Some(opcode) = Op::ALL[index].opcode()
            && opcode as usize >= limit
        {
            limit = opcode as usize + 1;
        }
        index += 1;
    }
    limit
};

/// The results of [`Op::from_opcode`] by SPIR-V opcode. Computed at compile time: a process that reads one small module would take longer
/// to create it than to use it.
static BY_OPCODE: [Option<Op>; OPCODE_LIMIT] = {
    let (mut table, mut index) = ([None; OPCODE_LIMIT], 0);
    while index < Op::ALL.len() {
        let op = Op::ALL[index];
        if let Some(opcode) = op.opcode()
            && !op.is_translated()
        {
            table[opcode as usize] = Some(op);
        }
        index += 1;
    }
    table
};
