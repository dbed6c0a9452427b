//! The copy that a request becomes.
//!
//! ```text
//! generic %g {                                     specialize %g, %circle
//!   %T = generic_parameter                           %T ↦ %circle
//!   %p = type_pointer Function, %T         ⇒         type_pointer Function, %circle     hoistable: requested again, at module level
//!   func %body(%x: %p) { … }                         func %g.circle(%x: …) { … }        copied, to the end of the module
//!   func %unused { … }
//!   return_value %body }
//! ```
//!
//! Specialization copies the instructions that the returned one needs, found once for each generic.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Copies, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::LinkageType;

use super::{Request, RequestId, Specializer, names, parts_of};
use crate::GenericsCode;

/// The facts about a generic that requests need.
#[derive(Clone, Debug)]
pub(super) struct Template {
    parameters: Vec<Inst>,
    /// The instruction that the generic returns.
    returned: Inst,
    /// The children of the generic that the returned instruction needs, in order.
    needed: Vec<Inst>,
    /// The number of instructions in them.
    size: usize,
}

impl Template {
    /// The template of a generic; none for one that returns nothing.
    fn new(module: &Module, generic: Inst) -> Option<Template> {
        let end = module.last_child(generic)?;
        let returned = view::ReturnValue::of(module, end)?.value;
        let needed = needed_by(module, generic, returned);
        let size = needed.iter().map(|&child| module.descendants(child).count()).sum();
        let is_parameter = |child: &Inst| module.op(*child) == Op::GenericParameter;
        Some(Template { parameters: module.children(generic).filter(is_parameter).collect(), returned, needed, size })
    }
}

fn needed_by(module: &Module, generic: Inst, returned: Inst) -> Vec<Inst> {
    let mut needed = FxHashSet::default();
    let mut open = vec![returned];
    while let Some(inst) = open.pop() {
        let Some(child) = child_above(module, generic, inst) else { continue };
        if module.op(child) != Op::GenericParameter && needed.insert(child) {
            open.extend(module.descendants(child).flat_map(|inst| parts_of(module, inst)));
        }
    }
    // A pointer in a type that contains itself needs its forward declaration, which nothing uses.
    let is_declared = |child: Inst| {
        view::TypeForwardPointer::of(module, child).is_some_and(|ahead| needed.contains(&ahead.pointer_type))
    };
    module.children(generic).filter(|&child| needed.contains(&child) || is_declared(child)).collect()
}

/// The child of a generic that an instruction is, or is in.
fn child_above(module: &Module, generic: Inst, inst: Inst) -> Option<Inst> {
    let mut current = inst;
    loop {
        match module.parent(current)? {
            parent if parent == generic => return Some(current),
            parent => current = parent,
        }
    }
}

impl Specializer<'_> {
    /// Notes a request, within the limits.
    pub(super) fn request(&mut self, inst: Inst, origin: Option<RequestId>) -> Result<RequestId, Diagnostic> {
        let depth = origin.map_or(1, |origin| self.requests[origin.0 as usize].depth + 1);
        if self.requests.len() >= self.limits.requests {
            let text = format!("more than {} requests for generics", self.limits.requests);
            return Err(self.error(GenericsCode::Limit, inst, origin, text));
        }
        let id = RequestId(self.requests.len() as u32);
        self.requests.push(Request { inst, origin, depth });
        if depth > self.limits.depth {
            let text = format!(
                "requests for generics lead to more requests, {} in a chain and no end: a generic requests itself for new arguments each time",
                self.limits.depth
            );
            return Err(self.error(GenericsCode::Limit, inst, Some(id), text));
        }
        Ok(id)
    }

    /// The copy of what the generic of a request returns.
    pub(super) fn expand(&mut self, id: RequestId) -> Result<Inst, Diagnostic> {
        let inst = self.requests[id.0 as usize].inst;
        let operands: Vec<Inst> = self.module.operands(inst).collect();
        let Some((&generic, arguments)) = operands.split_first() else {
            let text = "a request names no generic".to_owned();
            return Err(self.error(GenericsCode::Malformed, inst, Some(id), text));
        };
        self.read_template(generic, id)?;
        let template = &self.templates[&generic];
        if template.parameters.len() != arguments.len() {
            let text = format!(
                "{} arguments for the generic {} of {} parameters",
                arguments.len(),
                names::part(self.module, generic),
                template.parameters.len()
            );
            return Err(self.error(GenericsCode::Malformed, inst, Some(id), text));
        }
        self.copied += template.size;
        if self.copied > self.limits.instructions {
            let text = format!("requests for generics need more than {} instructions", self.limits.instructions);
            return Err(self.error(GenericsCode::Limit, inst, Some(id), text));
        }
        let mut copies = Copies::new();
        for (&parameter, &argument) in template.parameters.iter().zip(arguments) {
            copies.set(parameter, argument);
        }
        let images = self.module.edit().copy(&template.needed, &mut copies);
        for image in images {
            if !self.module.op(image).is_hoistable() {
                self.module.edit().place_global(image);
            }
        }
        for &original in &template.needed {
            let name = if original == template.returned { generic } else { original };
            let image = copies.image(original);
            if !self.module.op(image).is_hoistable() {
                names::name_copy(self.module, image, name, arguments);
            }
        }
        Ok(copies.image(template.returned))
    }

    fn read_template(&mut self, generic: Inst, id: RequestId) -> Result<(), Diagnostic> {
        if self.templates.contains_key(&generic) {
            return Ok(());
        }
        let name = names::part(self.module, generic);
        if self.module.op(generic) != Op::Generic {
            let text = format!("a request for {name}, which is no generic");
            return Err(self.error(GenericsCode::Malformed, generic, Some(id), text));
        }
        let linkages = self.module.decorated(generic);
        let is_imported = linkages.iter().filter_map(|note| note.read::<LinkageAttributes>());
        let is_imported = is_imported.into_iter().any(|linkage| linkage.linkage == LinkageType::Import);
        match Template::new(self.module, generic).filter(|_| !is_imported) {
            Some(template) => {
                self.templates.insert(generic, template);
                Ok(())
            }
            None => {
                let text = format!("the generic {name} is declared here and has no contents");
                Err(self.error(GenericsCode::Open, generic, Some(id), text))
            }
        }
    }
}
