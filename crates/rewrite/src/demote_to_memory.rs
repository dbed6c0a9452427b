//! Keeps a value in a variable of the function, if passing it through block parameters would take too many of them.
//!
//! ```text
//! d: %v = …                       entry: %memory = variable Function
//!    (a dispatch of 500 ways) ⇒   d: %v = …   store %memory, %v
//! u: use %v                       u: %w = load %memory   use %w
//! ```
//!
//! Every value that is live across a loop around one switch is an argument of every case: values times cases. One store, and a load in each
//! block with a use, are linear. The variable holds the result of the last execution of the definition, which is what each use read while
//! the definition dominated it. Consumers can turn such variables back into phis.
//!
//! A load for a use on an edge is at the end of the block that the edge leaves. Linear in the uses.

use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Slot, Use};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use crate::places::top;

/// The number of parameters for one value above which it is kept in a variable.
pub const PARAMETERS: usize = 12;
/// The number of arguments for these parameters above which it is kept in a variable.
pub const ARGUMENTS: usize = 64;

/// States whether variables may be created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demotion {
    /// Variables may be created.
    Allowed,
    /// Only parameters carry values.
    Forbidden,
}

/// Returns whether a variable can hold a value for these uses. Smaller integers and floats may be supported in memory only.
pub fn can_hold(module: &Module, value: Inst, uses: &[Use]) -> bool {
    let Some(ty) = module.ty(value) else { return false };
    let (scalar, _) = module.components(ty);
    let is_plain = module.op(scalar) == Op::TypeBool || module.width(scalar) == Some(32);
    let stands_well = module.block_of(value).is_some_and(|block| module.op(block) == Op::Block);
    is_plain && stands_well && uses.iter().all(|used| place(module, *used).is_some())
}

/// The block of the load for a use, and the instruction that the load is placed before.
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
/// Uses in one block must be in the order of the block, and before those on its edges.
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
