//! What is known of a launch: how the built-in inputs differ between the lanes of a pack.

use rustc_hash::FxHashMap;
use spirv::BuiltIn;

/// How a value differs between the lanes of a pack.
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

/// What is known of one component of a built-in input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputFact {
    /// How it differs between lanes.
    pub shape: Shape,
    /// The values that it can have.
    pub range: Range,
}

/// What is known of a launch. Inputs without an entry are varying.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// By built-in and component; scalars have component 0.
    pub inputs: FxHashMap<(BuiltIn, u32), InputFact>,
    /// Whether every lane of every pack is launched: the work-group is a multiple of the pack.
    pub is_full: bool,
}

impl Facts {
    /// What is known of an input.
    pub fn input(&self, built_in: BuiltIn, component: u32) -> Option<InputFact> {
        self.inputs.get(&(built_in, component)).copied()
    }
}
