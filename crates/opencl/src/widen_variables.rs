//! Gives private variables the size that their lifetime markers state, if they are declared smaller.
//!
//! ```text
//! %v = variable *u8                          %w = variable *[u8; 32]
//! lifetime_start %v, 32              ⇒       %v = bitcast %w
//!                                            lifetime_start %v, 32
//! ```
//!
//! A front end with opaque pointers must guess the type of a variable when it writes SPIR-V, and the guess is wrong for arrays of pointers:
//! clang 22 declares one pointer, or one byte. The `lifetime_start` of the variable states its size. *Preserves* everything else. Linear.

use reconverge_analysis::Layout;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::Context;
use super::scalars::word;

/// Gives every private variable the size that its lifetime marker states. Returns whether anything changed.
///
/// # Errors
/// None.
pub fn widen_variables(module: &mut Module, _: &mut Context) -> Result<bool, Diagnostic> {
    let functions: Vec<Function> = module.functions().collect();
    let mut changed = false;
    for function in functions {
        let too_small = too_small(module, function);
        changed |= !too_small.is_empty();
        too_small.into_iter().for_each(|(variable, size)| widen(module, variable, size));
    }
    Ok(changed)
}

/// The variables that are smaller than their lifetime markers state, in order, with the stated size.
fn too_small(module: &Module, function: Function) -> Vec<(Inst, u32)> {
    let mut sizes: FxHashMap<Inst, u32> = FxHashMap::default();
    let mut variables = Vec::new();
    for inst in module.blocks(function).flat_map(|block| module.children(block)) {
        match module.op(inst) {
            Op::Variable if module.is_variable_of(inst, StorageClass::Function) => variables.push(inst),
            Op::LifetimeStart
                if let Some(view::LifetimeStart { pointer, size }) = view::LifetimeStart::of(module, inst) =>
            {
                let known = sizes.entry(through_casts(module, pointer)).or_insert(0);
                *known = size.max(*known);
            }
            _ => {}
        }
    }
    let declared = |variable: Inst| Some(Layout::of(module, module.pointee(variable)?).ok()?.size);
    let is_too_small = |variable: Inst| {
        let size = *sizes.get(&variable)?;
        let is_bare = view::Variable::of(module, variable)?.initializer.is_none();
        (u64::from(size) > declared(variable)? && is_bare).then_some((variable, size))
    };
    variables.into_iter().filter_map(is_too_small).collect()
}

fn through_casts(module: &Module, mut pointer: Inst) -> Inst {
    while let Some(cast) = view::Bitcast::of(module, pointer) {
        pointer = cast.operand;
    }
    pointer
}

fn widen(module: &mut Module, variable: Inst, size: u32) {
    let block = module.block_of(variable).expect("invariant: a private variable stands in a block");
    let pointer_type = module.ty(variable).expect("invariant: a variable has a type");
    let decorations: Vec<Inst> = module.decorations(variable).to_vec();
    let behind = module.children(block).find(|&inst| !matches!(module.op(inst), Op::Variable | Op::BlockParameter));
    let behind = behind.expect("invariant: a block ends with a terminator");
    let mut build = Builder::new(module);
    let byte = build.int_type(8);
    let count = word(&mut build, size);
    let bytes = build.editor().unique(Op::TypeArray, None, &[byte, count]);
    let wide_type = build.pointer_type(StorageClass::Function, bytes);
    let class = build.enumerant(StorageClass::Function);
    build.before(variable);
    let wide = build.variable(wide_type, &[class]);
    decorations.into_iter().for_each(|note| build.editor().decorate(wide, note));
    build.before(behind);
    let cast = build.bitcast(pointer_type, &[wide]);
    build.editor().replace_all_uses(variable, cast);
    build.editor().delete(variable);
}
