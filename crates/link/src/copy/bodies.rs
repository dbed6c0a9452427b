//! The contents of functions and of other containers.
//!
//! Containers are created before their contents, so a branch finds its blocks. Values are mostly copied before their uses; an operand that
//! is not copied yet is the module until the end of the function, and then the copy. Linear; no recursion; no op is a special case, except
//! for calls, whose callee may have been bound to another type.

use reconverge_ir::{Inst, Op, Position};
use smallvec::SmallVec;

use super::Copier;
use super::conversions::is_about_values;
use super::globals::is_declaration;
use crate::contract;
use crate::error::Site;
use crate::input::Place;
use crate::{Input, LinkError};

/// An operand whose value is not copied yet.
struct Missing {
    user: Inst,
    index: usize,
    value: Site,
}

impl<I: Input> Copier<'_, I> {
    /// Places the copy of an instruction from after the first function, and copies the contents of a container.
    pub(super) fn copy_contents(&mut self, site: Site) -> Result<(), LinkError> {
        let inputs = self.inputs;
        let input = &inputs[site.input];
        let op = input.module().op(site.inst);
        let image = self.image(site)?;
        // An instruction that was unified with an earlier one is already placed.
        let is_placed = self.copied.module.parent(image).is_some();
        if matches!(input.position(site.inst), Place::After(_)) {
            if is_placed {
                return Ok(());
            }
            let root = self.copied.module.root();
            self.copied.module.edit().move_to(image, Position::AtEnd(root));
        }
        if !op.is_container() || !self.filled.insert(image) {
            return Ok(());
        }
        let is_declared = is_declaration(input.module(), site.inst);
        let missing = self.fill(site, image)?;
        debug_assert!(!is_declared || missing.is_empty());
        for Missing { user, index, value } in missing {
            let value = self.image(value)?;
            self.copied.module.edit().set_operand(user, index, value);
        }
        Ok(())
    }

    fn fill(&mut self, site: Site, image: Inst) -> Result<Vec<Missing>, LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let mut missing = Vec::new();
        let mut containers = vec![(site.inst, image)];
        while let Some((container, copy)) = containers.pop() {
            let first = containers.len();
            for inst in module.children(container) {
                let child = Site { inst, ..site };
                if module.op(inst).is_hoistable() {
                    self.copy_local_hoistable(child, copy)?;
                    continue;
                }
                if contract::interface_of(module, inst).is_some() {
                    self.complete_part(child, copy)?;
                    continue;
                }
                let image = self.copy_local(child, copy, &mut missing)?;
                self.create_parts(child, image);
                if module.op(inst).is_container() {
                    containers.push((inst, image));
                }
            }
            containers[first..].reverse();
        }
        Ok(missing)
    }

    /// Copies an instruction to the end of a container.
    fn copy_local(&mut self, site: Site, container: Inst, missing: &mut Vec<Missing>) -> Result<Inst, LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let op = module.op(site.inst);
        let mut ty = module.ty(site.inst).map(|ty| self.image(Site { inst: ty, ..site })).transpose()?;
        let expected = ty;
        let absent = self.copied.module.root();
        let mut operands: SmallVec<[Inst; 8]> = SmallVec::new();
        let mut gaps: SmallVec<[(usize, Site); 2]> = SmallVec::new();
        for (index, inst) in module.operands(site.inst).enumerate() {
            let operand = Site { inst, ..site };
            if module.op(inst).is_literal() {
                self.copy_global(operand)?;
            }
            operands.push(self.copied.images[site.input].get(inst).unwrap_or_else(|| {
                gaps.push((index, operand));
                absent
            }));
        }
        let before = self.copied.module.last_child(container);
        if is_about_values(op) {
            self.convert_operands(site, container, &mut operands)?;
        }
        if op == Op::FunctionCall {
            let types: SmallVec<[Option<Inst>; 8]> = module
                .operands(site.inst)
                .skip(1)
                .map(|argument| self.copied.images[site.input].get(module.ty(argument)?))
                .collect();
            ty = self.convert_call(container, &mut operands, &types).or(ty);
        }
        let image = self.copied.module.edit().append(container, op, ty, &operands);
        missing.extend(gaps.into_iter().map(|(index, value)| Missing { user: image, index, value }));
        self.copied.images[site.input].set(site.inst, image);
        self.copy_notes(site, image)?;
        if let (Some(ty), Some(expected)) = (ty, expected)
            && op == Op::FunctionCall
        {
            let expected = self.copied.module.resolve(expected);
            if ty != expected && self.are_pointers(ty, expected) {
                let converted = self.converted_result(image, expected);
                self.copied.images[site.input].set(site.inst, converted);
            }
        }
        self.copy_location(site, container, before)?;
        Ok(image)
    }

    /// Gives a part of an interface its type, its decorations and its position among the contents.
    fn complete_part(&mut self, site: Site, interface: Inst) -> Result<(), LinkError> {
        let image = self.image(site)?;
        if let Some(ty) = self.module_of(site).ty(site.inst) {
            let ty = self.image(Site { inst: ty, ..site })?;
            self.copied.module.edit().set_type(image, ty);
        }
        self.copied.module.edit().move_to(image, Position::AtEnd(interface));
        self.copy_notes(site, image)?;
        self.copy_location(site, interface, self.copied.module.previous(image))
    }

    /// Requests a hoistable instruction. A new one in the container gets its position in the order of the contents.
    fn copy_local_hoistable(&mut self, site: Site, container: Inst) -> Result<(), LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let ty = module.ty(site.inst).map(|ty| self.image(Site { inst: ty, ..site })).transpose()?;
        let operands = self.copied_operands(site)?;
        let notes = self.local_notes(site)?;
        let first_new = self.copied.module.capacity();
        let image = self.copied.module.edit().unique_decorated(module.op(site.inst), ty, &operands, &notes);
        self.copied.images[site.input].set(site.inst, image);
        if image.index() >= first_new && self.copied.module.parent(image) == Some(container) {
            self.copied.module.edit().move_to(image, Position::AtEnd(container));
        }
        Ok(())
    }

    /// The images of the operands of an instruction in a container; literals are copied.
    fn copied_operands(&mut self, site: Site) -> Result<SmallVec<[Inst; 8]>, LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let mut operands = SmallVec::new();
        for inst in module.operands(site.inst) {
            let operand = Site { inst, ..site };
            if module.op(inst).is_literal() {
                self.copy_global(operand)?;
            }
            operands.push(self.image(operand)?);
        }
        Ok(operands)
    }

    fn copy_notes(&mut self, site: Site, image: Inst) -> Result<(), LinkError> {
        let notes = self.local_notes(site)?;
        let mut edit = self.copied.module.edit();
        notes.into_iter().for_each(|note| edit.decorate(image, note));
        Ok(())
    }

    /// The decorations of an instruction in a container. They may name values before them.
    fn local_notes(&mut self, site: Site) -> Result<SmallVec<[Inst; 4]>, LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let mut notes = SmallVec::new();
        for &note in module.decorations(site.inst) {
            let own = Site { inst: note, ..site };
            let names_value = module.operands(note).any(|part| {
                self.copied.images[site.input].get(part).is_some() && module.parent(part) != Some(module.root())
            });
            if names_value && self.copied.images[site.input].get(note).is_none() {
                self.copy_local_hoistable_note(own)?;
            } else {
                self.copy_global(own)?;
            }
            notes.push(self.image(own)?);
        }
        Ok(notes)
    }

    /// A decoration whose operands are all copied.
    fn copy_local_hoistable_note(&mut self, site: Site) -> Result<(), LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let operands = self.copied_operands(site)?;
        let image = self.copied.module.edit().unique(module.op(site.inst), None, &operands);
        self.copied.images[site.input].set(site.inst, image);
        Ok(())
    }

    /// Gives the location of an instruction to all instructions that were created for it.
    fn copy_location(&mut self, site: Site, container: Inst, before: Option<Inst>) -> Result<(), LinkError> {
        let module = self.inputs[site.input].module();
        let Some(location) = module.explicit_location(site.inst) else { return Ok(()) };
        for part in location.parts() {
            self.copy_global(Site { inst: part, ..site })?;
        }
        let location = self.copied_location(site)?;
        let created = &self.copied.module;
        let mut next = match before {
            Some(before) => created.next(before),
            None => created.first_child(container),
        };
        while let Some(inst) = next {
            next = self.copied.module.next(inst);
            self.copied.module.edit().set_location(inst, location);
        }
        Ok(())
    }
}
