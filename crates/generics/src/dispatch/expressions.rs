//! Type-level code that depends on opened values.
//!
//! `extract_type` and `extract_witness` open a value of interface type; types, lookups and requests built from them are *dynamic*. A *case*
//! says which witness table each opened value has, and the image of dynamic code in a case is static:
//!
//! ```text
//! %T = extract_type %e                     in the case %e ↦ %circle.Shape
//! %w = extract_witness %e
//! %f = lookup_witness %w, %Shape.area      ⇒   %circle.area
//! %p = type_pointer Function, %T           ⇒   type_pointer Function, %circle
//! ```
//!
//! Linear in the code that an image is made of; no recursion.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::Specializer;

/// The witness table of each opened value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) tables: SmallVec<[(Inst, Inst); 1]>,
}

impl Case {
    fn table(&self, opened: Inst) -> Option<Inst> {
        self.tables.iter().find(|(value, _)| *value == opened).map(|&(_, table)| table)
    }
}

/// Returns whether an instruction may be dynamic code: a hoistable one that is not at module level.
fn is_local(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    matches!(op.class(), Class::Type | Class::TypeLevel)
        && op.is_hoistable()
        && module.parent(inst).is_some_and(|parent| parent != module.root())
}

/// The dynamic code that an instruction is made of, operands before their users; empty for static code.
fn parts(module: &Module, inst: Inst) -> Vec<Inst> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![(inst, false)];
    while let Some((inst, is_done)) = open.pop() {
        if is_done {
            order.push(inst);
        } else if is_local(module, inst) && seen.insert(inst) {
            open.push((inst, true));
            let operands = module.ty(inst).into_iter().chain(module.operands(inst));
            open.extend(operands.map(|operand| (operand, false)));
        }
    }
    order
}

/// The opened values that an instruction depends on, each once; none for static code.
pub(super) fn opened(module: &Module, inst: Inst) -> SmallVec<[Inst; 1]> {
    let mut values = SmallVec::new();
    for part in parts(module, inst) {
        if let Some(value) = opened_by(module, part)
            && !values.contains(&value)
        {
            values.push(value);
        }
    }
    values
}

/// The value that an instruction opens, if it does.
pub(super) fn opened_by(module: &Module, inst: Inst) -> Option<Inst> {
    match module.op(inst) {
        Op::ExtractType => view::ExtractType::of(module, inst).map(|it| it.existential),
        Op::ExtractWitness => view::ExtractWitness::of(module, inst).map(|it| it.existential),
        _ => None,
    }
}

/// The type that a witness table is about.
pub(super) fn subject(module: &Module, table: Inst) -> Option<Inst> {
    view::TypeWitness::of(module, module.ty(table)?).map(|ty| ty.subject)
}

/// The interface of a witness or a witness table.
pub(super) fn interface(module: &Module, witness: Inst) -> Option<Inst> {
    view::TypeWitness::of(module, module.ty(witness)?).map(|ty| ty.interface)
}

/// The interface of a value of interface type.
pub(super) fn interface_of_value(module: &Module, value: Inst) -> Option<Inst> {
    view::TypeExistential::of(module, module.ty(value)?).map(|ty| ty.interface)
}

/// The meaning of dynamic code in a case: a type, a function or a witness table. Static code means itself, after its requests are resolved.
pub(super) fn image(specializer: &mut Specializer<'_>, inst: Inst, case: &Case) -> Result<Inst, Diagnostic> {
    let mut images: FxHashMap<Inst, Inst> = FxHashMap::default();
    for part in parts(specializer.module, inst) {
        let module = &mut *specializer.module;
        let found = match (module.op(part), opened_by(module, part).and_then(|value| case.table(value))) {
            (Op::ExtractType, Some(table)) => subject(module, table),
            (Op::ExtractWitness, Some(table)) => Some(table),
            _ => None,
        };
        let found = found.unwrap_or_else(|| requested(specializer.module, part, &images));
        images.insert(part, specializer.resolve(found)?);
    }
    match images.get(&inst) {
        Some(&image) => Ok(image),
        None => specializer.resolve(inst),
    }
}

/// The instruction with the images of its operands.
fn requested(module: &mut Module, inst: Inst, images: &FxHashMap<Inst, Inst>) -> Inst {
    let image = |operand: Inst| images.get(&operand).copied().unwrap_or(operand);
    let operands: SmallVec<[Inst; 4]> = module.operands(inst).map(image).collect();
    let ty = module.ty(inst).map(image);
    let op = module.op(inst);
    let decorations = module.decorations(inst).to_vec();
    module.edit().unique_decorated(op, ty, &operands, &decorations)
}
