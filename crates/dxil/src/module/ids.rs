//! Numbers of the parts of a module. Each prints as its number.

use std::fmt;

macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident; )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// The part with this number.
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// The number.
            pub const fn number(self) -> u32 {
                self.0
            }

            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    )* };
}

ids! {
    /// A type: an index of [`Types`](super::Types).
    TypeId;
    /// A value. Values of the module come first; those of a function continue the numbers: parameters, constants, instructions.
    ValueId;
    /// A variable of the module: an index of [`Module::globals`](super::Module::globals).
    GlobalId;
    /// A function: an index of [`Module::functions`](super::Module::functions).
    FunctionId;
    /// A block: an index of [`Function::blocks`](super::Function::blocks).
    BlockId;
    /// An instruction: an index of [`Function::instructions`](super::Function::instructions).
    InstructionId;
    /// Metadata. That of the module comes first; that of a function continues the numbers.
    MetadataId;
}
