//! Clamps indices of private arrays, for a driver that reads them too late.
//!
//! ```text
//! %p = access_chain %array, %j          %k = UMin %j, 15
//!                                  ⇒    %p = access_chain %array, %k
//! ```
//!
//! Reason: if an index is a parameter of a loop, and the next index is computed before the array is read, lavapipe (Mesa 22.3) reads the
//! element of the next index. A value that is computed at the access has its own register. *Requires* `lower_memory`: arrays of cells, with
//! one index each. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Inst, Module};
use spirv::{GlslStd450Op, StorageClass};

use super::Context;
use super::scalars::{constant_value, glsl_import, word};

/// Clamps every variable index of a private array, if the driver has this bug. Returns whether anything changed.
///
/// # Errors
/// None.
pub fn bounded_indices(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    if !context.options.driver.quirks().reads_indices_late {
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

/// The last index of the private array of an access chain with one 32-bit index.
fn last_index(module: &Module, chain: Inst) -> Option<u32> {
    let view::Chain { base, element: None, indexes } = view::Chain::of(module, chain)? else { return None };
    let is_private =
        [StorageClass::Function, StorageClass::Private].iter().any(|&class| module.is_variable_of(base, class));
    let Some(TypeView::Array { length, .. }) = module.type_view(module.pointee(base)?) else { return None };
    let length = u32::try_from(constant_value(module, length)?).ok()?;
    let is_word = matches!(module.type_view(module.ty(indexes.first()?)?), Some(TypeView::Int { width: 32, .. }));
    length.checked_sub(1).filter(|_| is_private && indexes.len() == 1 && is_word)
}

fn bound(module: &mut Module, chain: Inst, last: u32, glsl: &mut Option<Inst>) -> bool {
    let index = module.operand(chain, view::AccessChain::SLOT.indexes);
    if constant_value(module, index).is_some() || module.glsl_op(index) == Some(GlslStd450Op::UMin) {
        return false;
    }
    let ty = module.ty(index).expect("invariant: an index has a type");
    let mut build = Builder::new(module);
    build.before(chain);
    let import = *glsl.get_or_insert_with(|| glsl_import(&mut build));
    let (minimum, last) = (build.enumerant(GlslStd450Op::UMin), word(&mut build, last));
    let bounded = build.ext_inst(ty, &[import, minimum, index, last]);
    build.editor().set_operand(chain, view::AccessChain::SLOT.indexes, bounded);
    true
}
