//! Facts of a launch: the shapes of the built-in inputs across the lanes of a pack.

use rustc_hash::FxHashMap;
use spirv::BuiltIn;

/// The shape of a value across the lanes of a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The same for all lanes.
    Uniform,
    /// `base + stride · lane`, modulo two to the width of the type.
    Affine(i64),
    /// Anything.
    Varying,
}

/// All values that an integer can have, read as mathematical integers: from the first to the last, both included.
pub type Range = (i128, i128);

/// The facts of one component of a built-in input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputFact {
    /// The shape across lanes.
    pub shape: Shape,
    /// The values that it can have.
    pub range: Range,
}

/// The facts of a launch. Inputs without an entry are varying.
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
}
