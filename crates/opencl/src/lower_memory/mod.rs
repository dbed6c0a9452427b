//! Lowers the pointers of kernels for Vulkan: to addresses of buffers, and to indices of arrays.
//!
//! ```text
//! pointer to …                             becomes                            an access
//! global memory, constant arguments        u64, an address                    convert_u_to_ptr, load … Aligned n
//! local and private variables              u32, a place in an array of cells  access_chain, load
//! module constants                         the same, a Private array          access_chain, load
//! program-scope variables                  u64, after one address from the host
//! generic pointers                         what the objects are that they may point to
//!
//! %p = in_bounds_ptr_access_chain %global f32* %a, %i           %s = shift_left_logical %i, 2
//! %q = in_bounds_ptr_access_chain %local f32* %tile, %l         %p = i_add %a, %s
//! %x = load %f32 %p Aligned 4                             ⇒     %r = convert_u_to_ptr %ptr(PhysicalStorageBuffer, f32) %p
//! store %q %x Aligned 4                                         %x = load %f32 %r Aligned 4
//!                                                               %t = access_chain %ptr(Workgroup, f32) %tile, %l
//!                                                               store %t %x
//! ```
//!
//! *Requires* entry points without parameters and without calls; vectors of at most four. *Preserves* the behaviour of kernels, if OpenCL C
//! defines it. Control flow changes only around long copies, which become loops. Variables that Vulkan supports stay.
//!
//! Unification determines which pointers may point to the same variables (`points_to.rs`; Steensgaard, *Points-to analysis in almost linear
//! time*, POPL 1996). The accesses to the memory of each class (`demands.rs`) determine the type of its array (`cells.rs`). Then every
//! instruction is rewritten in place, blocks in reverse post-order (`address.rs`, `access.rs`, `conversion.rs`, `atomics.rs`, `copy.rs`).
//! See `docs/kernel-memory.md` for details.
//!
//! Invariant: a rewritten pointer has a class, a value and a constant byte offset that dominate its uses. Nearly linear in the instructions
//! and in the parts of split aggregate accesses.
//!
//! Limits: a class of pointers into two kinds of memory is not supported; the error names the instruction that unites them.

mod access;
mod address;
mod atomics;
mod bits;
mod buffers;
mod cell_pointer;
mod cells;
mod chain;
mod choices;
mod classes;
mod constants;
mod conversion;
mod copy;
mod demands;
mod kinds;
mod late;
mod leaves;
mod lowering;
mod multiples;
mod parts;
mod points_to;
mod positions;
mod program_data;
mod rewrite;
mod space;
mod taint;

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module};
use rustc_hash::FxHashMap;

use self::buffers::Buffers;
use self::cells::{Cells, Contents, Start};
use self::classes::{Class, Host};
use self::constants::{Image, image_constant};
use self::demands::Demands;
use self::lowering::Lowering;
use self::points_to::{Memory, PointsTo};
use self::program_data::{ProgramMemory, bits_in_cells};
use self::space::initializer;
use super::Context;
use crate::error;
use reconverge_rewrite::remove_unreachable;

/// Lowers all pointers of kernels to addresses and indices of arrays. Returns whether anything changed. See the description of the module.
///
/// # Errors
/// Pointers that may point to two kinds of memory; unknown ops on pointers; variables and accesses of types without a layout; initializers
/// that depend on specialization; more memory than 32 bits can address.
pub fn lower_memory(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let functions: Vec<Function> = module.functions().filter(|&function| module.entry(function).is_some()).collect();
    let mut changed = false;
    for &function in &functions {
        changed |= remove_unreachable(module, function) > 0;
    }
    let Some(&first) = functions.first() else { return Ok(changed) };
    let host = if context.options.has_bindings() { Host::Bindings } else { Host::Addresses };
    let mut points_to = PointsTo::compute(module, host)?;
    let mut layouts = Layouts::new();
    let demands = Demands::compute(module, &mut points_to, &mut layouts)?;
    let mut data = ProgramMemory::default();
    if host == Host::Bindings {
        data = ProgramMemory::lay_out(module, &mut layouts, &mut points_to, &FxHashMap::default(), context)?;
    }
    let cells = all_cells(module, &mut layouts, &mut points_to, (&demands, &data))?;
    if host == Host::Addresses {
        data = ProgramMemory::lay_out(module, &mut layouts, &mut points_to, &cells, context)?;
    }
    let mut lowering = Lowering {
        at: module.root(),
        module,
        context,
        points_to,
        demands,
        layouts,
        cells,
        places: FxHashMap::default(),
        data,
        cache: FxHashMap::default(),
        origins: FxHashMap::default(),
        data_types: FxHashMap::default(),
        long_copies: Vec::new(),
        buffers: Buffers::default(),
        choices: Vec::new(),
        retired: Vec::new(),
        function: first,
        changed,
    };
    lowering.rewrite(&functions)?;
    Ok(lowering.changed)
}

/// The cells of every class that needs them.
fn all_cells(
    module: &mut Module,
    layouts: &mut Layouts,
    points_to: &mut PointsTo,
    (demands, program): (&Demands, &ProgramMemory),
) -> Result<FxHashMap<Class, Cells>, Diagnostic> {
    let host = points_to.classes.host();
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let values: Vec<Inst> = module.globals().chain(blocks.flat_map(|block| module.children(block))).collect();
    let mut cells = FxHashMap::default();
    let mut constants = Vec::new();
    for value in values {
        let Some(class) = points_to.class(value).filter(|class| !cells.contains_key(class)) else { continue };
        let (memory, demand) = (points_to.memory(class), demands.of(class));
        let stays = demand.plain && matches!(memory, Memory::Function | Memory::Workgroup);
        if memory == Memory::Outside || stays {
            continue;
        }
        let objects = points_to.classes.objects(class).into_iter();
        let objects: Vec<(Inst, u64)> = objects.map(|object| (object, demands.extent(object))).collect();
        let traits = points_to.classes.traits(class);
        let contents = Contents { memory, objects: &objects, demand, traits, host, program };
        cells.insert(class, Cells::lay_out(module, layouts, &contents)?);
        if memory == Memory::Constant {
            constants.push(class);
        }
    }
    for class in constants {
        let initializer = initial_value(module, layouts, points_to, &cells, class)?;
        if let Some(cells) = cells.get_mut(&class) {
            cells.initializer = Some(initializer);
        }
    }
    Ok(cells)
}

/// The constant with the contents of a class of module constants.
fn initial_value(
    module: &mut Module,
    layouts: &mut Layouts,
    points_to: &mut PointsTo,
    all: &FxHashMap<Class, Cells>,
    class: Class,
) -> Result<Inst, Diagnostic> {
    let cells = &all[&class];
    let at = cells.objects.first().map_or(module.root(), |&(object, _)| object);
    let too_many = || error::limit(at, "more module constants than one array can hold");
    let length = cells.known_length(module).ok_or_else(too_many)?;
    let mut image = Image::zeros(u64::from(length) * u64::from(cells.bytes), at)?;
    for &(object, start) in &cells.objects {
        let (Some(initializer), Start::Byte(start)) = (initializer(module, object), start) else { continue };
        image.put(module, layouts, u64::from(start), initializer)?;
    }
    for pointer in std::mem::take(&mut image.pointers) {
        let bits = bits_in_cells(points_to, all, pointer.variable, pointer.offset)?;
        image.write(pointer.at, &bits);
    }
    image_constant(module, cells, &image.bytes).ok_or_else(too_many)
}
