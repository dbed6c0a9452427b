//! Points-to analysis of a module: one traversal that turns instructions into unions of classes.
//!
//! ```text
//! %t = variable Workgroup                     class A   objects %t   pointers %t %p %q %g
//! %p = ptr_access_chain %t, %i
//! %q = block parameter, passed %p       ⇒
//! %g = ptr_cast_to_generic %q
//! %u = convert_ptr_to_u %g                    bag of %u, %v: Generic → A
//! %v = i_add %u, %n                           %r is in A too
//! %r = convert_u_to_ptr %v
//! ```
//!
//! The unions are those of `classes.rs` (Steensgaard 1996). Integers are followed forward only, from the conversion of a pointer: through
//! arithmetic, selects, block parameters, vectors and memory (`taint.rs`). Null and undefined pointers are shared by all users of their
//! type, so they are in no class; if one flows into a class, this is recorded as a property of the class.
//!
//! Decided at the end, when the contents of classes are known: casts from Generic that test the address space, comparisons of Generic
//! pointers, which may point to different kinds of memory, and integers that no pointer reaches.
//!
//! Nearly linear in the operands.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use super::classes::{Bag, Class, Classes, Host};
use super::kinds::{Kinds, Traits};
use super::space::{Carriers, Carries, Space, initializer, operand_of, space_of};
use crate::arguments::binding_of;
use crate::error;

/// The location of the objects of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// Variables of functions.
    Function,
    /// Work-group variables.
    Workgroup,
    /// Module constants.
    Constant,
    /// Memory with addresses.
    Outside,
    /// Storage buffers.
    Bindings,
    /// None: no pointer of the class can be dereferenced; they become 32-bit offsets.
    Nowhere,
}

/// The result of the analysis.
#[derive(Debug)]
pub(super) struct PointsTo {
    pub(super) classes: Classes,
    class_of: FxHashMap<Inst, Class>,
    /// Integers that were computed from pointers, with the classes of these.
    bag_of: FxHashMap<Inst, Bag>,
    pub(super) carriers: Carriers,
}

impl PointsTo {
    /// Analyzes the module.
    ///
    /// # Errors
    /// Classes that mix kinds of memory; unknown ops on pointers.
    pub(super) fn compute(module: &Module, host: Host) -> Result<PointsTo, Diagnostic> {
        let mut walk = PointsToWalk::new(module, host);
        walk.module_level()?;
        let defined = module.functions().filter(|&function| module.entry(function).is_some());
        if let Some(parameter) = defined
            .flat_map(|function| module.parameters(function))
            .find(|&parameter| space_of(module, parameter.inst()).is_some())
        {
            return Err(error::unsupported(parameter, "a function that takes pointers and was not inlined"));
        }
        let blocks = module.functions().flat_map(|function| module.blocks(function));
        for inst in blocks.flat_map(|block| module.children(block)) {
            walk.instruction(inst)?;
        }
        walk.spread()?;
        walk.finish()?;
        let PointsToWalk { classes, class_of, bag_of, carriers, .. } = walk;
        Ok(PointsTo { classes, class_of, bag_of, carriers })
    }

    /// The class of a pointer; `None` for everything else, and for null and undefined pointers.
    pub(super) fn class(&mut self, pointer: Inst) -> Option<Class> {
        let class = *self.class_of.get(&pointer)?;
        Some(self.classes.find(class))
    }

    /// Returns whether an integer was computed from a pointer.
    pub(super) fn is_pointer(&self, integer: Inst) -> bool {
        self.bag_of.contains_key(&integer)
    }

    /// Records that a value replaces one that may have been computed from a pointer.
    pub(super) fn pass_on(&mut self, old: Inst, new: Inst) {
        if let Some(&bag) = self.bag_of.get(&old) {
            self.bag_of.insert(new, bag);
        }
    }

    /// The location of the objects of a class.
    pub(super) fn memory(&mut self, class: Class) -> Memory {
        memory(&mut self.classes, class)
    }

    /// Returns whether a class without objects, or with those of the host, has pointers to memory of the host, which are not addresses.
    pub(super) fn is_bound(&mut self, class: Class) -> bool {
        let mut host = [Space::Global, Space::Constant, Space::Generic].into_iter();
        match self.memory(class) {
            Memory::Bindings => true,
            Memory::Nowhere => host.any(|space| self.classes.has_space(class, space)),
            _ => false,
        }
    }
}

/// The location of the objects of a class.
pub(super) fn memory(classes: &mut Classes, class: Class) -> Memory {
    let kinds = classes.kinds(class);
    let only_logical = !classes.has_space(class, Space::Constant) && !classes.has_space(class, Space::Global);
    let is_logical = classes.has_space(class, Space::Function) || classes.has_space(class, Space::Workgroup);
    match kinds {
        _ if kinds.contains(Kinds::OUTSIDE) => Memory::Outside,
        _ if kinds.contains(Kinds::BINDING) => Memory::Bindings,
        Kinds::FUNCTION => Memory::Function,
        Kinds::WORKGROUP => Memory::Workgroup,
        Kinds::CONSTANT => Memory::Constant,
        _ if only_logical && is_logical || classes.host() == Host::Bindings => Memory::Nowhere,
        _ => Memory::Outside,
    }
}

/// Returns whether a value is a pointer constant that is in no class.
pub(super) fn is_null(module: &Module, value: Inst) -> bool {
    module.op(value) == Op::ConstantNull
}

/// The state of the analysis; `taint.rs` handles integers.
pub(super) struct PointsToWalk<'m> {
    pub(super) module: &'m Module,
    pub(super) classes: Classes,
    class_of: FxHashMap<Inst, Class>,
    pub(super) bag_of: FxHashMap<Inst, Bag>,
    pub(super) carriers: Carriers,
    /// Values with a bag whose users were not processed yet.
    pub(super) pending: Vec<Inst>,
    pub(super) explicit_casts: Vec<Inst>,
    pub(super) generic_comparisons: Vec<Inst>,
    pub(super) from_integers: Vec<Inst>,
}

impl<'m> PointsToWalk<'m> {
    fn new(module: &'m Module, host: Host) -> PointsToWalk<'m> {
        PointsToWalk {
            module,
            classes: Classes::new(host),
            class_of: FxHashMap::default(),
            bag_of: FxHashMap::default(),
            carriers: Carriers::default(),
            pending: Vec::new(),
            explicit_casts: Vec::new(),
            generic_comparisons: Vec::new(),
            from_integers: Vec::new(),
        }
    }

    /// The class of a pointer of a kernel that is neither null nor undefined.
    pub(super) fn class(&mut self, pointer: Inst) -> Option<Class> {
        let space = space_of(self.module, pointer)?;
        if matches!(self.module.op(pointer), Op::ConstantNull | Op::Undef) {
            return None;
        }
        let classes = &mut self.classes;
        Some(*self.class_of.entry(pointer).or_insert_with(|| classes.add_class(space)))
    }

    /// The bag of a value that contains pointers or was converted from one. Its users are processed later.
    pub(super) fn bag(&mut self, value: Inst) -> Bag {
        if let Some(&bag) = self.bag_of.get(&value) {
            return bag;
        }
        let bag = self.classes.add_bag();
        self.bag_of.insert(value, bag);
        self.pending.push(value);
        bag
    }

    fn module_level(&mut self) -> Result<(), Diagnostic> {
        let globals = self.module.ordered_globals();
        for &global in &globals {
            match self.module.op(global) {
                Op::Variable => self.variable(global)?,
                Op::SpecConstantOp if space_of(self.module, global).is_some() => {
                    let constant = view::SpecConstantOp::of(self.module, global);
                    let Some(base) = constant.and_then(|constant| constant.operands.first()) else { continue };
                    self.flow(base, global, global)?;
                }
                Op::ConstantComposite | Op::SpecConstantComposite => self.composite(global)?,
                _ => {}
            }
        }
        for &global in globals.iter().filter(|&&global| self.module.op(global) == Op::Variable) {
            if let (Some(class), Some(initializer)) = (self.class(global), initializer(self.module, global)) {
                self.put(class, initializer, global)?;
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some(class) = self.class(variable) else { return Ok(()) };
        match space_of(self.module, variable) {
            _ if binding_of(self.module, variable).is_some() => {
                self.classes.add_object(class, variable, Kinds::BINDING)
            }
            Some(Space::Function) => self.classes.add_object(class, variable, Kinds::FUNCTION),
            Some(Space::Workgroup) => self.classes.add_object(class, variable, Kinds::WORKGROUP),
            Some(Space::Constant) => self.classes.add_object(class, variable, Kinds::CONSTANT),
            Some(Space::Global) => self.classes.add_object(class, variable, self.classes.host().kind()),
            _ => Err(error::rejected(variable, "a variable in generic memory")),
        }
    }

    /// Makes the unions for an instruction of a block.
    fn instruction(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let op = module.op(inst);
        match op {
            Op::Variable => {
                self.variable(inst)?;
                if let (Some(class), Some(initializer)) = (self.class(inst), initializer(module, inst)) {
                    self.put(class, initializer, inst)?;
                }
                Ok(())
            }
            _ if let Some(chain) = view::Chain::of(module, inst) => self.flow(chain.base, inst, inst),
            Op::CopyObject | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::ExpectKHR
                if let Some(operand) = operand_of(module, inst) =>
            {
                self.flow(operand, inst, inst)
            }
            Op::Select if let Some(select) = view::Select::of(module, inst) => {
                self.flow(select.true_value, inst, inst)?;
                self.flow(select.false_value, inst, inst)
            }
            Op::Branch | Op::Loop => self.arguments(inst),
            Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr => self.conversion(inst),
            Op::Load | Op::AtomicLoad => self.load(inst),
            Op::Store if let Some(store) = view::Store::of(module, inst) => {
                self.store(inst, store.pointer, store.object)
            }
            Op::AtomicStore if let Some(store) = view::AtomicStore::of(module, inst) => {
                self.store(inst, store.pointer, store.value)
            }
            Op::CopyMemory if let Some(copy) = view::CopyMemory::of(module, inst) => {
                self.copy(inst, copy.target, copy.source)
            }
            Op::CopyMemorySized if let Some(copy) = view::CopyMemorySized::of(module, inst) => {
                self.copy(inst, copy.target, copy.source)
            }
            Op::CompositeConstruct => self.composite(inst),
            Op::CompositeExtract if let Some(extract) = view::CompositeExtract::of(module, inst) => {
                self.part(inst, extract.composite, inst)
            }
            Op::CompositeInsert if let Some(insert) = view::CompositeInsert::of(module, inst) => {
                if self.holds_pointers(inst) {
                    self.flow(insert.composite, inst, inst)?;
                }
                self.part(inst, inst, insert.object)
            }
            Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => self.comparison(inst),
            Op::GenericCastToPtrExplicit => {
                self.explicit_casts.push(inst);
                Ok(())
            }
            Op::LifetimeStart | Op::LifetimeStop | Op::GenericPtrMemSemantics | Op::SizeOf => Ok(()),
            _ if let Some(atomic) = view::Atomic::of(module, inst) => {
                self.atomic(inst, atomic.pointer);
                Ok(())
            }
            _ => self.unknown(inst),
        }
    }

    /// Unites the classes of a pointer and of a value that it flows into; or the bags, for values that contain pointers.
    pub(super) fn flow(&mut self, from: Inst, to: Inst, at: Inst) -> Result<(), Diagnostic> {
        if let Some(target) = self.class(to) {
            return match self.class(from) {
                Some(source) => self.classes.unite(source, target, at),
                None => {
                    self.note_null(from, target);
                    Ok(())
                }
            };
        }
        if self.holds_pointers(to) && self.module.op(from) != Op::Undef {
            let (source, target) = (self.bag(from), self.bag(to));
            return self.classes.unite_bags(source, target, at);
        }
        Ok(())
    }

    fn note_null(&mut self, value: Inst, class: Class) {
        if is_null(self.module, value) {
            self.classes.add_trait(class, Traits::NULL);
        }
    }

    fn holds_pointers(&mut self, value: Inst) -> bool {
        self.carriers.of_value(self.module, value) == Carries::Pointers
    }

    fn arguments(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let Some(jump) = view::Jump::of(module, inst) else { return Ok(()) };
        let Some(target) = module.cast::<Block>(jump.target) else { return Ok(()) };
        for (parameter, argument) in module.parameters(target).zip(jump.arguments) {
            self.flow(argument, parameter.into(), inst)?;
        }
        Ok(())
    }

    fn conversion(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(operand) = operand_of(self.module, inst) else { return Ok(()) };
        let (from, to) = (space_of(self.module, operand), space_of(self.module, inst));
        match (from, to) {
            (Some(_), Some(_)) => self.flow(operand, inst, inst),
            (Some(space), None) => {
                let Some(class) = self.class(operand) else { return Ok(()) };
                self.classes.add_trait(class, Traits::TO_INTEGER);
                let bag = self.bag(inst);
                self.classes.write(bag, space, class, inst)
            }
            (None, Some(_)) => {
                self.from_integers.push(inst);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(access) = view::Access::of(self.module, inst) else { return Ok(()) };
        let Some(source) = self.class(access.pointer) else { return Ok(()) };
        if let (Some(class), Some(space)) = (self.class(inst), space_of(self.module, inst)) {
            self.classes.add_trait(class, Traits::FROM_MEMORY);
            let contents = self.classes.contents(source);
            let read = self.classes.read(contents, space, inst)?;
            return self.classes.unite(read, class, inst);
        }
        match self.carriers.of_value(self.module, inst) {
            Carries::Pointers => {
                let (contents, bag) = (self.classes.contents(source), self.bag(inst));
                self.classes.unite_bags(contents, bag, inst)
            }
            Carries::Integers => {
                self.classes.read_integer(source, inst);
                Ok(())
            }
            Carries::Nothing => Ok(()),
        }
    }

    fn store(&mut self, inst: Inst, pointer: Inst, value: Inst) -> Result<(), Diagnostic> {
        match self.class(pointer) {
            Some(target) => self.put(target, value, inst),
            None => match self.class(value) {
                // A pointer that flows to an unknown place (through null, or into memory that is not a kernel's).
                Some(_) if space_of(self.module, pointer).is_none() => Err(unknown(self.module, inst)),
                _ => Ok(()),
            },
        }
    }

    /// A value is stored where the pointers of a class point.
    pub(super) fn put(&mut self, target: Class, value: Inst, at: Inst) -> Result<(), Diagnostic> {
        if let (Some(class), Some(space)) = (self.class(value), space_of(self.module, value)) {
            let contents = self.classes.contents(target);
            return self.classes.write(contents, space, class, at);
        }
        let is_constant = matches!(self.module.op(value), Op::ConstantNull | Op::Undef);
        if self.bag_of.contains_key(&value) || (!is_constant && self.holds_pointers(value)) {
            let (contents, bag) = (self.classes.contents(target), self.bag(value));
            return self.classes.unite_bags(contents, bag, at);
        }
        Ok(())
    }

    fn copy(&mut self, inst: Inst, target: Inst, source: Inst) -> Result<(), Diagnostic> {
        if let (Some(target), Some(source)) = (self.class(target), self.class(source)) {
            let (target, source) = (self.classes.contents(target), self.classes.contents(source));
            return self.classes.unite_bags(target, source, inst);
        }
        Ok(())
    }

    /// A composite is constructed from values, some of which are pointers.
    fn composite(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if !self.holds_pointers(inst) {
            return Ok(());
        }
        let bag = self.bag(inst);
        let parts: Vec<Inst> = self.module.operands(inst).collect();
        for part in parts {
            if let (Some(class), Some(space)) = (self.class(part), space_of(self.module, part)) {
                self.classes.write(bag, space, class, inst)?;
            } else if self.holds_pointers(part) && !matches!(self.module.op(part), Op::ConstantNull | Op::Undef) {
                let part = self.bag(part);
                self.classes.unite_bags(bag, part, inst)?;
            }
        }
        Ok(())
    }

    /// A member is extracted from a composite with pointers, or inserted into one.
    fn part(&mut self, inst: Inst, whole: Inst, part: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        if !self.holds_pointers(whole) {
            return Ok(());
        }
        let bag = self.bag(whole);
        if let (Some(class), Some(space)) = (self.class(part), space_of(module, part)) {
            if part == inst {
                self.classes.add_trait(class, Traits::FROM_MEMORY);
                let read = self.classes.read(bag, space, inst)?;
                return self.classes.unite(read, class, inst);
            }
            return self.classes.write(bag, space, class, inst);
        }
        let is_constant = matches!(module.op(part), Op::ConstantNull | Op::Undef);
        if !is_constant && self.carriers.of_value(module, part) != Carries::Nothing {
            let part = self.bag(part);
            return self.classes.unite_bags(bag, part, inst);
        }
        Ok(())
    }

    fn comparison(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Binary { left: a, right: b }) = view::Binary::of(self.module, inst) else { return Ok(()) };
        let is_difference = self.module.op(inst) == Op::PtrDiff;
        match (self.class(a), self.class(b)) {
            (Some(first), Some(second)) => {
                if !is_difference {
                    self.classes.add_trait(first, Traits::COMPARED);
                    self.classes.add_trait(second, Traits::COMPARED);
                }
                if space_of(self.module, a) == Some(Space::Generic) {
                    self.generic_comparisons.push(inst);
                    return Ok(());
                }
                self.classes.unite(first, second, inst)
            }
            (Some(class), None) => {
                self.note_null(b, class);
                Ok(())
            }
            (None, Some(class)) => {
                self.note_null(a, class);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn atomic(&mut self, inst: Inst, pointer: Inst) {
        let Some(target) = self.class(pointer) else { return };
        if self.carriers.of_value(self.module, inst) != Carries::Nothing {
            self.classes.read_integer(target, inst);
        }
    }

    /// An unknown op must not have pointer operands or results.
    fn unknown(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let mut values = self.module.operands(inst).chain([inst]);
        match values.any(|value| space_of(self.module, value).is_some()) && self.module.op(inst) != Op::BlockParameter {
            true if self.module.op(inst) != Op::Undef => Err(unknown(self.module, inst)),
            _ => Ok(()),
        }
    }
}

fn unknown(module: &Module, at: Inst) -> Diagnostic {
    let name = module.op(at).name();
    error::unsupported(at, format!("`{name}` with a pointer to memory of a kernel"))
}
