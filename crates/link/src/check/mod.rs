//! Checks of imports against their definitions.
//!
//! An import is a claim about its definition: the kind, the type, and the decorations. Where modules use physical addresses, front ends
//! lose the types of pointees (LLVM's pointers have none), so pointers may differ in these; the copy converts them.
//!
//! Linear in the types of the imports: types that were found to be equal are not compared again.

mod decorations;
mod types;

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::AddressingModel;

use crate::error::Site;
use crate::reach::Reached;
use crate::symbol::symbol_type;
use crate::{Code, Input, LinkError, SymbolKind, type_text};
use types::Comparison;
pub(crate) use types::{base_name, belongs_to_identity, is_linkage};

/// The imported variables whose definitions point to another type.
pub(crate) type Mismatched = FxHashSet<Site>;

/// Checks all bindings. Returns the variables whose uses need a conversion.
///
/// # Errors
/// Imports of another kind or type than their definition, and decorations that contradict each other.
pub(crate) fn check<I: Input>(inputs: &[I], reached: &Reached) -> Result<Mismatched, Vec<LinkError>> {
    let mut checks = Checks {
        inputs,
        comparison: Comparison::new(inputs, reached),
        mismatched: Mismatched::default(),
        errors: Vec::new(),
    };
    for &(import, definition) in &reached.bindings {
        checks.check(import, definition);
    }
    match checks.errors.is_empty() {
        true => Ok(checks.mismatched),
        false => Err(checks.errors),
    }
}

struct Checks<'a, I> {
    inputs: &'a [I],
    comparison: Comparison<'a, I>,
    mismatched: Mismatched,
    errors: Vec<LinkError>,
}

impl<I: Input> Checks<'_, I> {
    fn check(&mut self, import: Site, definition: Site) {
        let module = |site: Site| self.inputs[site.input].module();
        let kinds = [import, definition].map(|site| SymbolKind::of(module(site), site.inst));
        let name = self.name(definition);
        if kinds[0] != kinds[1] {
            let [ours, theirs] = kinds.map(SymbolKind::with_article);
            let message = format!("{name} is imported as {ours} and {} as {theirs}", self.role(definition));
            return self.report(Code::Type, message, [import, definition]);
        }
        if kinds[0] == SymbolKind::Type && module(import).op(import.inst) == Op::TypeOpaque {
            return;
        }
        let types = [import, definition].map(|site| symbol_type(module(site), site.inst));
        if let [Some(left), Some(right)] = types {
            let [left, right] = [Site { inst: left, ..import }, Site { inst: right, ..definition }];
            match self.comparison.compare(left, right) {
                Ok(()) => {}
                Err(_) if self.is_convertible(kinds[0], left, right) => {
                    if kinds[0] == SymbolKind::Variable {
                        self.mismatched.insert(import);
                    }
                }
                Err(difference) => {
                    let texts = [left, right].map(|site| type_text(module(site), site.inst));
                    let role = self.role(definition);
                    let message =
                        format!("{name} is imported as {} and {role} as {}: {difference}", texts[0], texts[1]);
                    return self.report(Code::Type, message, [import, definition]);
                }
            }
        }
        let found = decorations::contradiction(module(import), import.inst, module(definition), definition.inst);
        if let Some(contradiction) = found {
            self.report(Code::Decoration, format!("{name}: {contradiction}"), [import, definition]);
        }
    }

    fn report(&mut self, code: Code, message: String, [import, definition]: [Site; 2]) {
        let error = LinkError::new(code, message);
        let role = self.role(definition);
        let error = error.at("imported", self.inputs, import).at(role, self.inputs, definition);
        self.errors.push(error);
    }

    /// A description of the other instruction: an import that no input defines is compared with the first one of its name.
    fn role(&self, definition: Site) -> &'static str {
        let module = self.inputs[definition.input].module();
        let is_import = crate::Symbol::of(module, definition.inst).any(|symbol| symbol.is_import());
        if is_import { "imported elsewhere" } else { "defined" }
    }

    fn name(&self, site: Site) -> String {
        let symbol = crate::Symbol::of(self.inputs[site.input].module(), site.inst).next();
        symbol.map_or_else(String::new, |symbol| symbol.text())
    }

    /// Returns whether a pointer to one type can be converted to a pointer to the other at its uses.
    fn is_convertible(&mut self, kind: SymbolKind, left: Site, right: Site) -> bool {
        let is_physical = |site: Site| addresses_physically(&self.inputs[site.input]);
        if !is_physical(left) || !is_physical(right) {
            return false;
        }
        match kind {
            SymbolKind::Variable => self.points_alike(left, right) && self.is_in_object(left, right),
            SymbolKind::Function => {
                let [ours, theirs] = [left, right].map(|site| signature(self.inputs[site.input].module(), site.inst));
                ours.len() == theirs.len()
                    && ours.into_iter().zip(theirs).all(|(ours, theirs)| {
                        let [ours, theirs] = [Site { inst: ours, ..left }, Site { inst: theirs, ..right }];
                        self.comparison.compare(ours, theirs).is_ok() || self.points_alike(ours, theirs)
                    })
            }
            _ => false,
        }
    }

    /// Returns whether the imported object is contained in the defined one: it is no larger, and two scalars or vectors have one type.
    fn is_in_object(&self, import: Site, definition: Site) -> bool {
        let [module, other] = [import, definition].map(|site| self.inputs[site.input].module());
        let pointee = |module: &Module, inst| view::TypePointer::of(module, inst).map(|pointer| pointer.pointee);
        let (Some(described), Some(object)) = (pointee(module, import.inst), pointee(other, definition.inst)) else {
            return false;
        };
        let are_scalars = is_scalar(module, described) && is_scalar(other, object);
        !are_scalars && size(module, described, DEPTH) <= size(other, object, DEPTH)
    }

    /// Returns whether both are pointers into one storage class.
    fn points_alike(&self, left: Site, right: Site) -> bool {
        let class = |site: Site| match self.inputs[site.input].module().type_view(site.inst) {
            Some(TypeView::Pointer { storage_class, .. }) => storage_class,
            _ => None,
        };
        class(left).is_some() && class(left) == class(right)
    }
}

/// The maximum depth of a measured type. Deeper parts have the size 0.
const DEPTH: usize = 16;

fn is_scalar(module: &Module, ty: Inst) -> bool {
    matches!(module.op(module.components(ty).0), Op::TypeInt | Op::TypeFloat | Op::TypeBool)
}

/// The size of a type in bytes, without padding.
fn size(module: &Module, ty: Inst, depth: usize) -> u64 {
    if depth == 0 {
        return 0;
    }
    match module.type_view(ty) {
        Some(TypeView::Int { width, .. } | TypeView::Float { width, .. }) => u64::from(width / 8),
        Some(TypeView::Bool) => 1,
        Some(TypeView::Vector { component, count }) => u64::from(count) * size(module, component, depth - 1),
        Some(TypeView::Array { element, length }) => {
            size(module, element, depth - 1).saturating_mul(module.constant_bits(length).unwrap_or(0))
        }
        Some(TypeView::Struct { members }) => {
            members.iter().fold(0, |sum, member| sum.saturating_add(size(module, member, depth - 1)))
        }
        _ => 0,
    }
}

/// The types of the result and the parameters of a function type.
fn signature(module: &Module, ty: Inst) -> Vec<Inst> {
    match module.type_view(ty) {
        Some(TypeView::Function { result, parameters }) => [result].into_iter().chain(parameters.iter()).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether the pointers of a module are addresses. Linear in the instructions that describe it.
fn addresses_physically<I: Input>(input: &I) -> bool {
    let module = input.module();
    let model = input.descriptions().iter().find_map(|&inst| view::MemoryModel::of(module, inst));
    let model = model.and_then(|model| model.addressing_model);
    matches!(model, Some(AddressingModel::Physical32 | AddressingModel::Physical64))
}
