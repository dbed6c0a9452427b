//! Instruction selection: from masked functions to machine functions.
//!
//! | file | content |
//! |---|---|
//! | `value.rs` | scalar types, and the registers that hold one scalar of every lane |
//! | `arithmetic/` | the emitter: operations that depend on their operands alone |
//! | `selector.rs`, `values.rs`, `memory.rs` | a function as a whole: the three parts of its state; its values; its memory |
//! | `switch.rs`, `short_circuit.rs` | terminators |
//! | `computations.rs`, `symbolic.rs`, `narrow.rs` | instructions without effects; values that stay symbolic; 64 bits as 32 |
//! | `rules.rs` | which operations and types go to which function |
//! | `frame.rs`, `initializers.rs`, `inputs.rs` | where variables are, and what they begin with; built-in inputs |
//! | `addresses.rs`, `load_store.rs`, `atomic.rs` | accesses to memory |
//! | `bounds.rs`, `reach.rs` | which accesses are tested; how far from a buffer an address can be |
//! | `checks.rs`, `guards.rs` | what is checked at run time: bounds, barriers, unreachable code; tests of guarded code |
//! | `lane_loop.rs` | loops over lanes, for what has no vector form |
//! | `groups.rs`, `clusters.rs` | barriers and subgroup operations |

mod addresses;
pub mod arithmetic;
mod atomic;
mod bounds;
mod checks;
mod clusters;
mod computations;
mod frame;
mod groups;
mod guards;
mod initializers;
mod inputs;
mod lane_loop;
mod load_store;
mod memory;
mod narrow;
mod reach;
pub(crate) mod rules;
mod selector;
mod short_circuit;
mod switch;
mod symbolic;
pub mod value;
mod values;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op};
use reconverge_lanes::{Facts, PackValues, Ranges};

pub use bounds::{AddressWords, Bounds};
pub use checks::{Check, Extent, Site};
pub(crate) use frame::BEFORE_WORKGROUP;
pub use value::{Isa, Pack, ScalarType, Value};

use crate::machine::{BlockId, Level, MachineFunction};
use crate::requirements;
use arithmetic::{Emitter, Features};
use frame::Places;
use initializers::place_tables;
use memory::Memory;
use selector::Selector;
use values::{LaneFacts, Values};

/// The target and the launch that a function is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Specialization {
    /// The size of a work-group.
    pub local: [u32; 3],
    /// The most work-groups that a launch has.
    pub groups: [u32; 3],
    /// The pack: the lanes that execute together.
    pub pack: Pack,
    /// The features of the CPU.
    pub features: Features,
    /// The accesses to memory that are tested.
    pub bounds: Bounds,
}

impl Specialization {
    /// The number of packs of a work-group.
    pub fn packs(&self) -> u32 {
        self.items().div_ceil(self.pack.lanes())
    }

    /// The number of work-items of a work-group.
    pub fn items(&self) -> u32 {
        self.local.iter().product()
    }

    /// The level of the instructions that its code may have.
    pub fn level(&self) -> Level {
        match self.pack.isa {
            Isa::Scalar if !self.features.has_avx512 => Level::Scalar,
            Isa::Avx2 => Level::Avx2,
            Isa::Scalar | Isa::Avx512 => Level::Avx512,
        }
    }

    /// The extensions of x86-64 that its code may have instructions of, by their names in compilers.
    pub fn extensions(&self) -> Vec<&'static str> {
        let level = self.level();
        let counts = (level == Level::Avx512 && self.features.has_vector_popcnt).then_some("avx512vpopcntdq");
        level.extensions().chain(counts).collect()
    }

    /// The facts of the inputs of a launch.
    pub fn facts(&self) -> Facts {
        inputs::facts(self)
    }
}

/// A selected function.
#[derive(Debug)]
pub struct Selection {
    /// Its instructions.
    pub function: MachineFunction,
    /// Bytes of the memory of the work-group.
    pub workgroup_bytes: u32,
    /// Bytes of the push constants.
    pub push_constant_bytes: u32,
    /// The checks at run time: a call whose check failed returns its position in this list, counted from one.
    pub sites: Vec<Site>,
    /// The instructions that machine instructions were made of, by [`crate::machine::Inst::origin`].
    pub origins: Vec<Inst>,
    /// The constructs at which the lanes of a pack diverge.
    pub divergence: Divergence,
    /// In guarded code, the words of the push constants that it takes for addresses of buffers.
    pub address_words: AddressWords,
}

/// The amount of divergence in the code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Divergence {
    /// Tests whether any lane takes a path.
    pub branches: usize,
    /// Accesses to memory that are not side by side.
    pub gathers: usize,
}

/// Selects machine instructions for a function: at stage Masked, or at stage Structured for one lane.
///
/// # Errors
/// The first instruction that has no machine code.
pub fn select(module: &Module, function: Function, specialization: &Specialization) -> Result<Selection, Diagnostic> {
    requirements::check(module, function)?;
    let facts = specialization.facts();
    let is_guarded = matches!(specialization.bounds, Bounds::Guarded(_));
    let (shapes, ranges) = match specialization.pack.isa {
        Isa::Scalar if is_guarded => (PackValues::default(), Some(Ranges::compute(module, function, &facts))),
        Isa::Scalar => (PackValues::default(), None),
        _ => (PackValues::compute(module, function, &facts), None),
    };
    let mut places = Places::lay_out(module, function, specialization.pack)?;
    let mut machine = MachineFunction {
        frame_bytes: places.frame_bytes,
        has_avx512: specialization.level() == Level::Avx512,
        ..MachineFunction::default()
    };
    let in_entry = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
    let is_variable = |inst: &Inst| module.op(*inst) == Op::Variable;
    let variables: Vec<Inst> = module.globals().chain(in_entry).filter(is_variable).collect();
    place_tables(module, &mut machine, &mut places, &variables)?;
    let (workgroup_bytes, push_constant_bytes) = (places.workgroup_reach, places.push_constant_bytes);
    let facts = LaneFacts { shapes: &shapes, ranges: ranges.as_ref().unwrap_or(shapes.ranges()) };
    let mut selector = Selector {
        values: Values::new(module, facts, specialization),
        emit: Emitter::new(&mut machine, BlockId(0), specialization.pack, specialization.features),
        memory: Memory::new(places),
    };
    selector.run(function)?;
    let Selector { emit: Emitter { origins, divergence, .. }, memory: Memory { sites, address_words, .. }, .. } =
        selector;
    Ok(Selection { function: machine, workgroup_bytes, push_constant_bytes, sites, origins, divergence, address_words })
}

/// The bits of a literal of a case.
fn literal_bits(module: &Module, literal: Inst, bits: u32) -> u64 {
    let words = module.literal_words(literal);
    let low = words.first().copied().unwrap_or(0);
    let high = words.get(1).copied().unwrap_or(0);
    values::truncated((u64::from(high) << 32 | u64::from(low)).cast_signed(), bits)
}
