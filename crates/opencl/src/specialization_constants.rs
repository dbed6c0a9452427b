//! Converts operations on constants to instructions, so that passes treat those on specialization constants of the source as any other value. A shader
//! has fewer constant operations than a kernel.
//!
//! ```text
//! %n = spec_constant 4 {SpecId 3}                           %n = spec_constant 4 {SpecId 3}
//! %m = spec_constant_op IMul %n, 2                   ⇒      ^entry:  %m = i_mul %n, 2
//! ```
//!
//! The constants themselves stay: the host specializes the shader as it would the kernel, by the same ids, which the reflection lists. What
//! memory looks like cannot depend on them. *Requires* nothing. *Preserves* everything else. Linear in the instructions and the constants.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, decoration};
use rustc_hash::FxHashSet;
use spirv::Decoration;

use super::Context;
use super::constants_as_code::Constants;
use crate::feature::Feature;
use crate::{Int64, SpecializationConstant, SpecializationKind, error};

/// Converts constants that depend on specialization constants, and lists these in the reflection. Returns whether anything changed.
///
/// # Errors
/// An array length or an initial value that is not known before the launch; a constant of a width that the device lacks.
pub fn specialization_constants(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let is_one = |&global: &Inst| module.op(global).is_specialization_constant();
    context.reflection.specialization_constants.clear();
    let mut open: FxHashSet<Inst> = FxHashSet::default();
    let mut of_addresses: FxHashSet<Inst> = FxHashSet::default();
    let mut computed = Constants::default();
    for constant in module.globals().filter(is_one).filter(|&global| !module.decorated(global).has(Decoration::BuiltIn))
    {
        match module.op(constant) {
            Op::SpecConstantOp | Op::SpecConstantComposite => {
                let depends = |known: &FxHashSet<Inst>| module.operands(constant).any(|part| known.contains(&part));
                if depends(&of_addresses) || is_of_pointer(module, constant) {
                    of_addresses.insert(constant);
                    continue;
                }
                computed.push(constant);
                if !depends(&open) {
                    continue;
                }
            }
            _ => {
                let described = describe(module, context, constant)?;
                context.reflection.specialization_constants.extend(described);
            }
        }
        open.insert(constant);
        check_uses(module, constant)?;
    }
    if computed.is_empty() { Ok(false) } else { computed.expand(module) }
}

/// Returns whether a constant computes with a pointer: passes over memory replace it.
fn is_of_pointer(module: &Module, constant: Inst) -> bool {
    let has_pointer = |value: Inst| module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypePointer);
    has_pointer(constant) || module.operands(constant).any(has_pointer)
}

/// Checks that no type and no initial value depends on a constant.
fn check_uses(module: &Module, constant: Inst) -> Result<(), Diagnostic> {
    let users = module.uses(constant).map(|used| used.user);
    for user in users.filter(|&user| module.parent(user) == Some(module.root())) {
        let details = match module.op(user) {
            op if op.is_type() => " for the length of an array",
            Op::Variable => " for the initial value of a variable",
            _ => continue,
        };
        return Err(error::feature(constant, Feature::SpecializationConstants, details));
    }
    Ok(())
}

/// A constant for the host, if it has an id.
fn describe(module: &Module, context: &Context, constant: Inst) -> Result<Option<SpecializationConstant>, Diagnostic> {
    let kind = match module.ty(constant).and_then(|ty| module.type_view(ty)) {
        Some(TypeView::Bool) => SpecializationKind::Bool,
        Some(TypeView::Int { width, .. }) => SpecializationKind::Integer { width },
        Some(TypeView::Float { width, .. }) => SpecializationKind::Float { width },
        _ => return Err(error::rejected(constant, "a specialization constant that is no number")),
    };
    let width = kind.width();
    let has_words_alone = context.options.has_bindings() && width != 32;
    let has_no_long =
        context.options.int64 == Int64::Split && matches!(kind, SpecializationKind::Integer { width: 64 });
    if kind != SpecializationKind::Bool && (has_words_alone || has_no_long) {
        let details = format!(" of {width} bits on a device without such numbers");
        return Err(error::feature(constant, Feature::SpecializationConstants, &details));
    }
    let id = module.decorated(constant).find().map(|decoration::SpecId(id)| id);
    Ok(id.map(|id| SpecializationConstant { id, name: module.name(constant), kind }))
}
