//! Indices of private arrays as numbers of their own, for a driver that reads them too late.
//!
//! ```text
//! %p = access_chain %array, %j          %k = UMin %j, 15
//!                                  ⇒    %p = access_chain %array, %k
//! ```
//!
//! Why: where an index is a parameter of a loop, and the next one is computed before the array is read, lavapipe (Mesa 22.3) reads at
//! the next one. A number that is computed where the array is accessed is its own. *Requires* `memory`: arrays of cells, one index
//! each. Linear.

use reconverge_ir::{Builder, Inst, Module, Op};
use spirv::StorageClass;

use super::entry_points::is_variable_of;
use super::scalars::{constant_value, word};
use super::{Context, Driver, KernelError};

/// `UMin` in GLSL.std.450.
const UMIN: u32 = 38;

/// Bounds every variable index of a private array, where the driver is lavapipe. Whether anything changed.
///
/// # Errors
/// None.
pub fn bounded_indices(module: &mut Module, context: &mut Context) -> Result<bool, KernelError> {
    if context.options.driver != Driver::Lavapipe {
        return Ok(false);
    }
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions: Vec<Inst> = blocks.flat_map(|block| module.children(block)).collect();
    let (mut changed, mut glsl) = (false, None);
    for inst in instructions {
        if let Some(last) = last_index(module, inst) {
            changed |= bound(module, inst, last, &mut glsl);
        }
    }
    Ok(changed)
}

/// The last index of the private array that an access chain leads into by one index of 32 bits.
fn last_index(module: &Module, chain: Inst) -> Option<u32> {
    let is_chain =
        matches!(module.op(chain), Op::AccessChain | Op::InBoundsAccessChain) && module.operand_count(chain) == 2;
    let array = is_chain.then(|| module.operand(chain, 0))?;
    let is_private =
        [StorageClass::Function, StorageClass::Private].iter().any(|&class| is_variable_of(module, array, class));
    let ty = is_private.then(|| module.ty(array)).flatten().map(|pointer| module.operand(pointer, 1))?;
    let length = (module.op(ty) == Op::TypeArray).then(|| constant_value(module, module.operand(ty, 1))).flatten()?;
    let index = module.ty(module.operand(chain, 1))?;
    let is_word = module.op(index) == Op::TypeInt && module.literal_word(module.operand(index, 0)) == Some(32);
    u32::try_from(length).ok().and_then(|length| length.checked_sub(1)).filter(|_| is_word)
}

fn bound(module: &mut Module, chain: Inst, last: u32, glsl: &mut Option<Inst>) -> bool {
    let index = module.operand(chain, 1);
    if constant_value(module, index).is_some() || is_minimum(module, index) {
        return false;
    }
    let ty = module.ty(index).expect("invariant: an index has a type");
    let import = *glsl.get_or_insert_with(|| import(module));
    let mut build = Builder::new(module);
    build.before(chain);
    let (number, last) = (build.editor().word(UMIN), word(&mut build, last));
    let bounded = build.ext_inst(ty, &[import, number, index, last]);
    build.editor().set_operand(chain, 1, bounded);
    true
}

fn is_minimum(module: &Module, value: Inst) -> bool {
    module.op(value) == Op::ExtInst
        && is_glsl(module, module.operand(value, 0))
        && module.literal_word(module.operand(value, 1)) == Some(UMIN)
}

fn is_glsl(module: &Module, import: Inst) -> bool {
    module.op(import) == Op::ExtInstImport && module.literal_text(module.operand(import, 0)) == "GLSL.std.450"
}

fn import(module: &mut Module) -> Inst {
    let known = module.globals().find(|&global| is_glsl(module, global));
    known.unwrap_or_else(|| {
        let mut editor = module.edit();
        let name = editor.text("GLSL.std.450");
        editor.append_global(Op::ExtInstImport, None, &[name])
    })
}
