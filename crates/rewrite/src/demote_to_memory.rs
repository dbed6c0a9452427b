//! Keeps a value in a variable of the function, if passing it through block parameters would take too many of them.
//!
//! ```text
//! d: %v = …                       entry: %memory = variable Function
//!    (a dispatch of 500 ways) ⇒   d: %v = …   store %memory, %v
//! u: use %v                       u: %w = load %memory   use %w
//! ```
//!
//! Every value that lives across a loop around one switch is an argument of every case: values times cases. One store and a load
//! for each block that uses it are linear. What was stored last is what the definition last computed, which is what each use saw
//! while the definition dominated it; consumers turn such variables back into phis where they want them.
//!
//! A load for a use on an edge is at the end of the block that the edge leaves. Linear in the uses.

use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Slot, Use};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use crate::places::top;

/// Most parameters that one value may need before it is kept in a variable.
pub const PARAMETERS: usize = 12;
/// Most arguments that these may be passed.
pub const ARGUMENTS: usize = 64;

/// Whether variables may be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demotion {
    /// They may.
    Allowed,
    /// Values are carried by parameters alone.
    Forbidden,
}

/// Returns whether a variable can hold a value for these uses. Smaller integers and floats may be there for storage alone.
pub fn can_hold(module: &Module, value: Inst, uses: &[Use]) -> bool {
    let Some(ty) = module.ty(value) else { return false };
    let (scalar, _) = module.components(ty);
    let is_plain = module.op(scalar) == Op::TypeBool || module.width(scalar) == Some(32);
    let stands_well = module.block_of(value).is_some_and(|block| module.op(block) == Op::Block);
    is_plain && stands_well && uses.iter().all(|used| place(module, *used).is_some())
}

/// The block in which the load for a use stands, and what it is before.
fn place(module: &Module, used: Use) -> Option<(Block, Inst)> {
    let block = module.block_of(used.user)?;
    if module.op(block) != Op::EdgeBlock {
        return Some((block, used.user));
    }
    let mut sources = module.predecessors(block);
    let source = sources.next().filter(|&source| module.op(source) == Op::Block)?;
    let last = module.terminator(source)?;
    sources.all(|other| other == source).then(|| (source, last.into()))
}

/// Stores a value where it is defined and loads it for each of `uses`.
///
/// Uses of one block must come in the order in which they are there, and before those on its edges.
pub fn put(module: &mut Module, function: Function, value: Inst, uses: &[Use]) {
    let ty = module.ty(value).expect("requires: a value has a type");
    let entry = module.entry(function).expect("requires: the function has a body");
    let mut editor = module.edit();
    let class = editor.enumerant(StorageClass::Function);
    let pointer = editor.unique(Op::TypePointer, None, &[class, ty]);
    let variable = editor.insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]);
    let position = match module.op(value) {
        Op::BlockParameter => {
            let block = module.block_of(value).expect("requires: a value of a block");
            top(module, block)
        }
        _ => Position::After(value),
    };
    module.edit().insert(position, Op::Store, None, &[variable, value]);
    let mut loads: FxHashMap<Block, Inst> = FxHashMap::default();
    for &used in uses {
        let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type here") };
        let (block, before) = place(module, used).expect("requires: the variable can hold the value");
        let load = *loads
            .entry(block)
            .or_insert_with(|| module.edit().insert(Position::Before(before), Op::Load, Some(ty), &[variable]));
        module.edit().set_operand(used.user, index, load);
    }
}
