//! Facts of a launch: how the built-in inputs differ between the lanes of a pack, and which values they can have.

use reconverge_ir::{Inst, Module, Op, decoration};
use rustc_hash::FxHashMap;
use spirv::BuiltIn;

use crate::ranges::Range;
use crate::uniformity::Variation;

/// The facts of one component of a built-in input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputFact {
    /// The variation across the lanes of a pack.
    pub variation: Variation,
    /// The values that it can have.
    pub range: Range,
}

/// The facts of a launch. Nothing is known of inputs without an entry.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// By built-in and component; scalars have component 0.
    pub inputs: FxHashMap<(BuiltIn, u32), InputFact>,
    /// True if every lane of every pack is launched: the work-group is a multiple of the pack.
    pub is_full: bool,
}

impl Facts {
    /// Returns the fact of an input, if there is one.
    pub fn input(&self, built_in: BuiltIn, component: u32) -> Option<InputFact> {
        self.inputs.get(&(built_in, component)).copied()
    }

    /// Returns the fact of the input that a pointer is the address of, if there is one.
    pub(crate) fn at(&self, module: &Module, pointer: Inst) -> Option<InputFact> {
        let (built_in, component) = input_of(module, pointer)?;
        self.input(built_in, component)
    }
}

/// The built-in input and its component that a pointer is the address of.
pub fn input_of(module: &Module, pointer: Inst) -> Option<(BuiltIn, u32)> {
    let (variable, component) = match module.op(pointer) {
        Op::Variable => (pointer, 0),
        Op::AccessChain | Op::InBoundsAccessChain => {
            let mut operands = module.operands(pointer);
            let (variable, index) = (operands.next()?, operands.next()?);
            (variable, module.constant_word(index).filter(|_| operands.next().is_none())?)
        }
        _ => return None,
    };
    module.decorated(variable).find().map(|decoration::BuiltIn(built_in)| (built_in, component))
}
