//! The traversal that rewrites every instruction, and the final steps.
//!
//! ```text
//! ^loop(%p: ptr, %i: u32):  …  branch ^loop(%q, %j)     ⇒     ^loop(%p: u64, %i: u32):  …  branch ^loop(%b, %j)
//! ```
//!
//! Parameters first: each gets a new one. Then the blocks in reverse post-order, so that a pointer has a place before its uses. Old
//! instructions stay, with their types, until the end.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Op, Position, terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{MemoryAccess, StorageClass};

use super::access::Manner;
use super::classes::Class;
use super::leaves::{Leaf, leaves, scalar_bytes};
use super::lowering::{Lowering, PointerTarget, Spot};
use super::space::{Space, initializer, space_of};
use crate::entry_points::leave_interfaces;

/// The classes of block parameters that are lowered pointers.
type ParameterClasses = FxHashMap<Block, Vec<Option<Class>>>;

impl Lowering<'_> {
    /// Rewrites all functions, and deletes unused instructions.
    pub(super) fn rewrite(&mut self, functions: &[Function]) -> Result<(), Diagnostic> {
        for &function in functions {
            self.function = function;
            let flow = FlowGraph::compute(self.module, function);
            let order = flow.order();
            let blocks: Vec<Block> = order.sequence().iter().map(|&node| flow.block(node)).collect();
            let classes = self.add_parameters(&blocks);
            for block in blocks {
                self.cache.clear();
                let insts: Vec<Inst> = self.module.children(block).collect();
                for inst in insts {
                    self.at = inst;
                    self.instruction(inst, &classes)?;
                }
            }
        }
        self.expand_long_copies();
        self.expand_choices();
        self.delete_retired();
        self.change_data_types()?;
        self.delete_variables();
        Ok(())
    }

    fn add_parameters(&mut self, blocks: &[Block]) -> ParameterClasses {
        let mut all = ParameterClasses::default();
        for &block in blocks {
            let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
            let classes: Vec<Option<Class>> =
                parameters.iter().map(|&parameter| self.lowered_class(parameter).map(|(class, _)| class)).collect();
            for (&old, &class) in parameters.iter().zip(&classes) {
                let Some(class) = class else { continue };
                let ty = self.value_type(class);
                let new = self.module.edit().insert(Position::After(old), Op::BlockParameter, Some(ty), &[]);
                if let Some(name) = self.module.name(old) {
                    self.module.edit().set_name(new, &name);
                }
                self.places.insert(old, PointerTarget { base: Some(new), offset: 0 });
                self.retire(old);
            }
            if classes.iter().any(Option::is_some) {
                all.insert(block, classes);
            }
        }
        all
    }

    fn instruction(&mut self, inst: Inst, classes: &ParameterClasses) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        match op {
            Op::Variable => self.lower_variable(inst),
            Op::Load => self.lower_load(inst),
            Op::Store => self.lower_store(inst),
            Op::CopyMemory | Op::CopyMemorySized => self.lower_copy(inst),
            Op::Select => self.lower_select(inst),
            Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr | Op::PtrCastToGeneric | Op::GenericCastToPtr => {
                self.lower_conversion(inst)
            }
            Op::CopyObject | Op::ExpectKHR if space_of(self.module, inst).is_some() => self.lower_conversion(inst),
            Op::GenericCastToPtrExplicit => self.lower_explicit_cast(inst),
            Op::GenericPtrMemSemantics => {
                self.lower_semantics(inst);
                Ok(())
            }
            Op::SizeOf => self.lower_size(inst),
            Op::PtrEqual | Op::PtrNotEqual => self.lower_comparison(inst),
            Op::PtrDiff => self.lower_difference(inst),
            Op::CompositeExtract | Op::CompositeInsert | Op::CompositeConstruct => self.lower_composite(inst),
            Op::Branch | Op::Loop => self.lower_arguments(inst, classes),
            _ if view::Chain::covers(op) => self.lower_chain(inst),
            Op::LifetimeStart | Op::LifetimeStop => {
                self.retire(inst);
                Ok(())
            }
            _ if view::Atomic::covers(op) => self.lower_atomic(inst),
            _ => Ok(()),
        }
    }

    /// A variable of a function. Its initializer is stored after the variables, which come first in a function.
    fn lower_variable(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let Some((class, _)) = self.lowered_class(variable) else { return Ok(()) };
        if let (Some(value), Some(ty)) = (initializer(self.module, variable), self.module.pointee(variable)) {
            while self.module.op(self.at) == Op::Variable {
                self.at = self.module.next(self.at).expect("invariant: a terminator follows");
            }
            let spot = Spot { class, place: self.place(variable)? };
            let alignment = self.demands.alignment(variable, 1);
            self.store_value(spot, value, ty, Manner { alignment, flags: MemoryAccess::empty() })?;
        }
        self.retire(variable);
        Ok(())
    }

    /// Stores a value of any type, leaf by leaf.
    fn store_value(&mut self, spot: Spot, value: Inst, ty: Inst, manner: Manner) -> Result<(), Diagnostic> {
        match self.module.op(value) {
            Op::Undef => {}
            Op::ConstantNull if scalar_bytes(self.module, ty).is_none() => {
                let size = self.layouts.of(self.module, ty).map_err(|error| self.unsupported(error.to_string()))?.size;
                self.lower_zeros(spot, size, manner);
            }
            _ => {
                for Leaf { ty, offset, path } in leaves(self.module, &mut self.layouts, ty, self.at)? {
                    let part = self.element(value, &path, ty);
                    let part = self.as_data(part)?;
                    self.store_leaf(spot.moved(offset.cast_signed()), part, manner.at(offset));
                }
            }
        }
        Ok(())
    }

    fn lower_arguments(&mut self, inst: Inst, classes: &ParameterClasses) -> Result<(), Diagnostic> {
        let Some(jump) = view::Jump::of(self.module, inst) else { return Ok(()) };
        let target = self.module.cast::<Block>(jump.target);
        let Some(classes) = target.and_then(|target| classes.get(&target)) else { return Ok(()) };
        let first = terminator::first_argument(self.module.op(inst)).expect("invariant: a jump carries arguments");
        let arguments = jump.arguments.to_vec();
        for (index, (argument, class)) in arguments.into_iter().zip(classes).enumerate() {
            let Some(class) = *class else { continue };
            let place = self.place(argument)?;
            let value = self.value(Spot { class, place });
            self.module.edit().set_operand(inst, first + index, value);
        }
        Ok(())
    }

    /// Deletes the replaced variables, and module-level instructions computed from their addresses.
    fn delete_variables(&mut self) {
        let mut doomed: Vec<Inst> = self.data.variables();
        let mut classes: Vec<(Class, Vec<Inst>)> = self
            .cells
            .iter()
            .map(|(&class, cells)| (class, cells.objects.iter().map(|&(object, _)| object).collect()))
            .collect();
        classes.sort_unstable_by_key(|&(class, _)| class);
        doomed.extend(classes.into_iter().flat_map(|(_, objects)| objects));
        doomed.retain(|&object| self.module.is_live(object));
        let mut seen: FxHashSet<Inst> = doomed.iter().copied().collect();
        let mut next = 0;
        while next < doomed.len() {
            let users: Vec<Inst> = self.module.uses(doomed[next]).map(|used| used.user).collect();
            for user in users {
                if self.module.op(user) != Op::EntryPoint && seen.insert(user) {
                    doomed.push(user);
                }
            }
            next += 1;
        }
        self.changed |= !doomed.is_empty();
        leave_interfaces(self.module, &seen);
        for inst in doomed.into_iter().rev() {
            self.module.edit().delete(inst);
        }
        self.drop_initializers();
    }

    /// The initial contents of local memory are undefined in OpenCL.
    fn drop_initializers(&mut self) {
        let has_one = |&variable: &Inst| {
            space_of(self.module, variable) == Some(Space::Workgroup) && initializer(self.module, variable).is_some()
        };
        let variables: Vec<Inst> = self.module.globals().filter(has_one).collect();
        for variable in variables {
            let storage_class = self.module.edit().enumerant(StorageClass::Workgroup);
            self.module.edit().set_operands(variable, &[storage_class]);
            self.changed = true;
        }
    }
}
