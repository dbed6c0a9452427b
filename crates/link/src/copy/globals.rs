//! Copies of instructions at module level.
//!
//! A depth-first traversal with an explicit stack: an instruction is created after everything that it names. A nominal instruction that
//! names itself on the way (a struct through a pointer, a function through its debug information) is created where it is needed, with the
//! module in place of the missing operands, and gets them at the end:
//!
//! ```text
//! enter %node ─▶ enter %pointer ─▶ %node is open: created as struct {module}
//!                leave %pointer: type_pointer Function, %node'
//! leave %node: operands become {%pointer'}
//! ```
//!
//! If the traversal enters the pointer first, the struct is left first, and gets the pointer when the traversal ends.
//!
//! The parts of an interface are created with it, because others name them; they get their types with the contents of the interface.
//!
//! Literals, decorations and positions are created in the same way: they name only instructions at module level. Linear; no recursion.

use reconverge_ir::{Class, Inst, Module, Op};
use smallvec::SmallVec;

use super::{Copier, conversions};
use crate::contract;
use crate::error::Site;
use crate::input::Place;
use crate::reach::for_each_named;
use crate::{Input, LinkError, Symbol};

/// A step of the traversal.
enum Task {
    Enter(Site),
    Leave(Site),
    /// The first instruction gets the image of the second one, which was copied.
    Alias(Site, Site),
}

impl<I: Input> Copier<'_, I> {
    /// Creates the image of an instruction at module level, of a literal, a decoration or a position, unless there is one.
    pub(super) fn copy_global(&mut self, site: Site) -> Result<(), LinkError> {
        if self.copied.images[site.input].get(site.inst).is_some() {
            return Ok(());
        }
        let mut tasks = vec![Task::Enter(site)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(site) => self.enter(site, &mut tasks)?,
                Task::Leave(site) => self.leave(site)?,
                Task::Alias(site, definition) => {
                    let image = self.image(definition)?;
                    self.copied.images[site.input].set(site.inst, image);
                }
            }
        }
        for (image, index, operand) in std::mem::take(&mut self.late_operands) {
            let operand = self.image(operand)?;
            self.copied.module.edit().set_operand(image, index, operand);
        }
        Ok(())
    }

    fn enter(&mut self, site: Site, tasks: &mut Vec<Task>) -> Result<(), LinkError> {
        if self.copied.images[site.input].get(site.inst).is_some() {
            return Ok(());
        }
        let definition = self.reached.definition(site);
        if definition != site {
            tasks.extend([Task::Alias(site, definition), Task::Enter(definition)]);
            return Ok(());
        }
        let module = self.module_of(site);
        let (op, class) = (module.op(site.inst), module.op(site.inst).class());
        let is_loose = matches!(class, Class::Decoration | Class::Position);
        if class == Class::Literal {
            let words = module.literal_words(site.inst).to_vec();
            return self.set_literal(site, op, &words);
        }
        if let Some(inst) = contract::interface_of(module, site.inst) {
            // The part has an image when its interface has one.
            tasks.push(Task::Enter(Site { inst, ..site }));
            return Ok(());
        }
        if !is_loose && module.parent(site.inst) != Some(module.root()) {
            return Err(self.malformed(site, "a use at module level of what is not at module level"));
        }
        if self.opened[site.input].get(site.inst).is_some() {
            if op.is_hoistable() {
                // A struct between the two gets it as an operand at the end; if there is none, the image is missing at the first `leave`.
                return Ok(());
            }
            let image = self.created_early(site);
            self.placeholders.insert(site, image);
            self.unified.add_cyclic(&self.copied.module, image);
            self.copied.images[site.input].set(site.inst, image);
            self.create_parts(site, image);
            return Ok(());
        }
        let first = tasks.len();
        let needed = self.needed(site);
        self.opened[site.input].set(site.inst, 0);
        tasks.push(Task::Leave(site));
        tasks.extend(needed.into_iter().map(|inst| Task::Enter(Site { inst, ..site })));
        // The first needed instruction is entered first.
        tasks[first + 1..].reverse();
        Ok(())
    }

    fn set_literal(&mut self, site: Site, op: Op, words: &[u32]) -> Result<(), LinkError> {
        let mut edit = self.copied.module.edit();
        let image = if op == Op::LiteralText { edit.text_from_words(words) } else { edit.literal(words) };
        self.copied.images[site.input].set(site.inst, image);
        Ok(())
    }

    /// The instructions that have to be copied before an instruction.
    fn needed(&self, site: Site) -> SmallVec<[Inst; 8]> {
        let module = self.module_of(site);
        let mut needed = SmallVec::new();
        let dropped = self.dropped_notes(site);
        for_each_named(module, site.inst, &mut |inst| {
            if !dropped.contains(&inst) {
                needed.push(inst);
            }
        });
        if is_declaration(module, site.inst) {
            for parameter in module.children(site.inst) {
                for_each_named(module, parameter, &mut |inst| needed.push(inst));
            }
        }
        needed
    }

    /// Creates the image of an instruction whose operands may have no images yet.
    fn created_early(&mut self, site: Site) -> Inst {
        let inputs = self.inputs;
        let (module, images) = (inputs[site.input].module(), &self.copied.images[site.input]);
        let missing = self.copied.module.root();
        let image = |inst: Inst| images.get(inst).unwrap_or(missing);
        let ty = module.ty(site.inst).map(image);
        let operands: SmallVec<[Inst; 8]> = module.operands(site.inst).map(image).collect();
        self.copied.module.edit().create(module.op(site.inst), ty, &operands)
    }

    fn leave(&mut self, site: Site) -> Result<(), LinkError> {
        let inputs = self.inputs;
        let module = inputs[site.input].module();
        let op = module.op(site.inst);
        let ty = module.ty(site.inst).map(|ty| self.image(Site { inst: ty, ..site })).transpose()?;
        let mut operands: SmallVec<[Inst; 8]> = SmallVec::new();
        let mut late: SmallVec<[(usize, Site); 1]> = SmallVec::new();
        for (index, inst) in module.operands(site.inst).enumerate() {
            let operand = Site { inst, ..site };
            let is_late = self.copied.images[site.input].get(inst).is_none() && self.is_open(operand);
            if is_late && op.is_hoistable() {
                return Err(self.malformed(site, "a type or constant that contains itself"));
            }
            if is_late {
                late.push((index, operand));
                operands.push(self.copied.module.root());
            } else {
                operands.push(self.image(operand)?);
            }
        }
        if conversions::is_about_values(op) {
            self.convert_constants(site, &mut operands)?;
        }
        let notes = self.copied_notes(site)?;
        if let Some(&image) = self.placeholders.get(&site) {
            let mut edit = self.copied.module.edit();
            edit.set_operands(image, &operands);
            ty.into_iter().for_each(|ty| edit.set_type(image, ty));
            notes.iter().for_each(|&note| edit.decorate(image, note));
            self.late_operands.extend(late.into_iter().map(|(index, operand)| (image, index, operand)));
            return self.place(site, image);
        }
        if op.is_hoistable() {
            let image = self.copied.module.edit().unique_decorated(op, ty, &operands, &notes);
            self.copied.images[site.input].set(site.inst, image);
            self.unified.add_user_of_cyclic(&self.copied.module, image);
            return Ok(());
        }
        let parameters = self.declared_parameters(site)?;
        let is_complete = late.is_empty();
        let known = is_complete.then(|| self.unify(module, site.inst, ty, &operands, &notes, parameters)).flatten();
        if let Some(image) = known {
            self.copied.images[site.input].set(site.inst, image);
            return Ok(());
        }
        let mut edit = self.copied.module.edit();
        let image = edit.create(op, ty, &operands);
        notes.iter().for_each(|&note| edit.decorate(image, note));
        self.copied.images[site.input].set(site.inst, image);
        self.create_parts(site, image);
        match is_complete {
            true => self.unified.add_user_of_cyclic(&self.copied.module, image),
            false => self.unified.add_cyclic(&self.copied.module, image),
        }
        self.late_operands.extend(late.into_iter().map(|(index, operand)| (image, index, operand)));
        if is_complete {
            self.unified.add(image);
        }
        self.place(site, image)
    }

    /// Creates the parts of an interface, with the module in place of their types.
    pub(super) fn create_parts(&mut self, interface: Site, image: Inst) {
        let inputs = self.inputs;
        let module = inputs[interface.input].module();
        if module.op(interface.inst) != Op::Interface {
            return;
        }
        let absent = self.copied.module.root();
        for part in contract::parts(module, interface.inst) {
            let copy = self.copied.module.edit().append(image, module.op(part), Some(absent), &[]);
            self.copied.images[interface.input].set(part, copy);
        }
    }

    /// Places a new instruction that comes before the functions, and gives every one its location.
    fn place(&mut self, site: Site, image: Inst) -> Result<(), LinkError> {
        if let Some(location) = self.copied_location(site)? {
            self.copied.module.edit().set_location(image, Some(location));
        }
        if matches!(self.inputs[site.input].position(site.inst), Place::Before(_)) {
            self.copied.module.edit().place_global(image);
        }
        Ok(())
    }

    /// Types and decorations of the parameters of a function without a body.
    fn declared_parameters(&self, site: Site) -> Result<Vec<Inst>, LinkError> {
        let module = self.module_of(site);
        let mut parts = Vec::new();
        if is_declaration(module, site.inst) {
            for parameter in module.children(site.inst) {
                parts.extend(module.ty(parameter).map(|ty| self.image(Site { inst: ty, ..site })).transpose()?);
                for &note in module.decorations(parameter).iter().filter(|&&note| module.op(note) != Op::Name) {
                    parts.push(self.image(Site { inst: note, ..site })?);
                }
            }
        }
        Ok(parts)
    }

    /// Returns whether the copying of an instruction has begun and not ended.
    fn is_open(&self, site: Site) -> bool {
        self.opened[site.input].get(site.inst).is_some()
    }

    /// The image of an instruction that was copied.
    pub(super) fn image(&self, site: Site) -> Result<Inst, LinkError> {
        let image = self.copied.images[site.input].get(site.inst);
        image.ok_or_else(|| self.malformed(site, "a use of what is not in the module or in another function"))
    }
}

/// Returns whether an instruction is a function without a body.
pub(super) fn is_declaration(module: &Module, inst: Inst) -> bool {
    module.op(inst) == Op::Function && !module.children(inst).any(|child| module.op(child).is_block())
}

/// Returns whether an instruction stays imported. Several such imports of one kind become one.
pub(super) fn is_open_import(module: &Module, inst: Inst) -> bool {
    Symbol::of(module, inst).any(|symbol| symbol.is_import()) || is_imported_built_in(module, inst)
}

/// Returns whether the environment defines a variable: front ends import built-in variables.
fn is_imported_built_in(module: &Module, inst: Inst) -> bool {
    let all = module.decorated(inst);
    all.has(spirv::Decoration::BuiltIn) && all.has(spirv::Decoration::LinkageAttributes)
}
