//! Inserts conversions between integers that a front end omitted.
//!
//! ```text
//! %y: u32 = bitwise_and %x: u64, 65535: u32        %t: u32 = u_convert %x;  %y: u32 = bitwise_and %t, 65535
//! %b: bool = i_equal %x: u64, %z: u32         ⇒    %t: u32 = u_convert %x;  %b: bool = i_equal %t, %z
//! %y: u64 = bitwise_and %x: u64, 255: u32          %t: u32 = u_convert %x;  %y: u32 = bitwise_and %t, 255
//! %y: u64 = u_convert %x: u64                      %y: u64 = copy_object %x
//! store (bitcast %p: *u32): *u64, %x: u64, 2, 4    %t: u32 = u_convert %x;  store %p, %t, 2, 4
//! %b: bool = any %x: i8x4                          %t: boolx4 = s_less_than %x, null;  %b: bool = any %t
//! ```
//!
//! Reason: clang 22 at `-O0` folds a conversion into the previous one, as in `(uint)(ushort)x`, and the intermediate value keeps its old,
//! wider type. Values in memory, parameters and results have the types of the source, except in a store with the type of such a value: that
//! store would write past its object, or beyond its alignment. A program may intend a store with a small alignment, to a packed struct; so
//! a store that is only misaligned is changed only in functions that were not optimized, which store their parameters to variables. So a
//! type sometimes has too many bits, and never too few: if operands that must have one type differ, the source computes with the narrowest
//! type and with the low bits of the others. In addition, clang's functions `convert_T` emit a conversion even if the operand already has
//! type T, and `any` and `all`, which test the highest bit of each component, emit instructions that require booleans.
//!
//! *Requires* only a module that can be read: it runs before the verifier. *Preserves* every instruction whose types fit, except such
//! stores. Users of a result whose type became narrower are processed again; types only become narrower, so this is linear in uses. If an
//! operand is narrower than required, the other bits are unknown: the module is rejected.

mod demand;

use std::collections::VecDeque;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position, Signedness, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, MemoryAccess};

pub(crate) use self::demand::shape_of;
use self::demand::{Demand, IntegerShape, demand, shape_of_pointee};
use super::repairs::{FrontEndFault, Repair};
use super::scalars::{constant_value, integer, vector_type};
use crate::error;

/// Inserts the conversions, if the module has OpenCL kernels. Returns the instructions whose types did not match, in the order of the
/// module. Some of them were removed.
///
/// # Errors
/// [`Rejected`](crate::KernelCode::Rejected) if an operand is narrower than required.
pub fn missing_conversions(module: &mut Module) -> Result<Vec<Repair>, Diagnostic> {
    let is_kernel = |declared: view::Capability| declared.capability == Some(Capability::Kernel);
    if !module.globals().any(|global| view::Capability::of(module, global).is_some_and(is_kernel)) {
        return Ok(Vec::new());
    }
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let pending: VecDeque<(usize, Inst)> = blocks.flat_map(|block| module.children(block)).enumerate().collect();
    let plain = module.functions().filter(|&function| keeps_parameters_in_variables(module, function)).collect();
    let mut repair = Repairing { module, pending, places: FxHashMap::default(), plain, repaired: Vec::new() };
    while let Some((place, inst)) = repair.pending.pop_front() {
        repair.instruction(place, inst)?;
    }
    let mut repaired = repair.repaired;
    repaired.sort_unstable();
    repaired.dedup();
    Ok(repaired.into_iter().map(|(_, at, fault)| Repair { at, fault }).collect())
}

struct Repairing<'m> {
    module: &'m mut Module,
    /// The worklist, with the position of each instruction in the module.
    pending: VecDeque<(usize, Inst)>,
    /// The positions of the users of values that may become narrower; computed when the first one does.
    places: FxHashMap<Inst, usize>,
    /// The functions that were not optimized.
    plain: FxHashSet<Function>,
    /// The instructions whose types did not match, with their positions.
    repaired: Vec<(usize, Inst, FrontEndFault)>,
}

impl Repairing<'_> {
    fn instruction(&mut self, place: usize, inst: Inst) -> Result<(), Diagnostic> {
        let is_plain =
            |inst: Inst| self.module.function_of(inst).is_some_and(|function| self.plain.contains(&function));
        if let Some(pointer) = target_of_wide_store(self.module, inst, is_plain) {
            self.module.edit().set_operand(inst, view::Store::SLOT.pointer, pointer);
        }
        if matches!(self.module.op(inst), Op::Any | Op::All) {
            self.compare_highest_bits(place, inst);
            return Ok(());
        }
        let Some(demand) = demand(self.module, inst) else { return Ok(()) };
        match demand {
            Demand::Alike { operands, with_result } => {
                let shapes: Vec<IntegerShape> =
                    operands.clone().map_while(|index| self.operand_shape(inst, index)).collect();
                let result = if with_result { shape_of(self.module, inst) } else { shapes.first().copied() };
                let Some(result) = result.filter(|_| shapes.len() == operands.len()) else { return Ok(()) };
                let narrowest = shapes.iter().map(|shape| shape.width).min().unwrap_or(result.width).min(result.width);
                if with_result && result.width > narrowest {
                    self.narrow_result(place, inst, narrowest);
                }
                operands.zip(shapes).try_for_each(|(index, _)| self.operand(place, inst, index, narrowest))
            }
            Demand::Each(widths) => {
                widths.into_iter().try_for_each(|(index, width)| self.operand(place, inst, index, width))
            }
            Demand::Change => {
                self.copy_unchanged(place, inst);
                Ok(())
            }
        }
    }

    fn operand_shape(&self, inst: Inst, index: usize) -> Option<IntegerShape> {
        self.module.operands(inst).nth(index).and_then(|value| shape_of(self.module, value))
    }

    /// Converts an operand to this width, if it is an integer.
    fn operand(&mut self, place: usize, inst: Inst, index: usize, width: u32) -> Result<(), Diagnostic> {
        let Some(shape) = self.operand_shape(inst, index).filter(|shape| shape.width != width) else { return Ok(()) };
        if shape.width < width {
            let (op, found) = (self.module.op(inst).name(), shape.width);
            let message = format!("operand {index} of `{op}` has {found} bits and should have {width}");
            return Err(error::rejected(inst, message));
        }
        let value = self.module.operand(inst, index);
        let narrow = self.truncated(value, width, inst);
        self.module.edit().set_operand(inst, index, narrow);
        self.repaired.push((place, inst, FrontEndFault::MissingConversion));
        Ok(())
    }

    /// The low bits of a value, computed before an instruction.
    fn truncated(&mut self, value: Inst, width: u32, before: Inst) -> Inst {
        let known = constant_value(self.module, value);
        let ty = self.narrow_type(value, width);
        let mut build = Builder::new(self.module);
        build.before(before);
        match known {
            // The verifier, which runs later, reports a constant with an invalid type.
            Some(number) if build.module().width(ty).is_some() => integer(&mut build, ty, number),
            _ => build.u_convert(ty, &[value]),
        }
    }

    /// The type of a value, with fewer bits.
    fn narrow_type(&mut self, value: Inst, width: u32) -> Inst {
        let ty = self.module.ty(value).expect("invariant: what has a shape has a type");
        let (scalar, count) = self.module.components(ty);
        let signedness = match self.module.type_view(scalar) {
            Some(TypeView::Int { is_signed: true, .. }) => Signedness::Signed,
            _ => Signedness::Unsigned,
        };
        let mut build = Builder::new(self.module);
        let scalar = build.int_type_of(width, signedness);
        vector_type(&mut build, scalar, count)
    }

    /// Gives a result fewer bits, and adds its users to the worklist.
    fn narrow_result(&mut self, place: usize, inst: Inst, width: u32) {
        let ty = self.narrow_type(inst, width);
        self.module.edit().set_type(inst, ty);
        self.repaired.push((place, inst, FrontEndFault::MissingConversion));
        if self.places.is_empty() {
            let blocks = self.module.functions().flat_map(|function| self.module.blocks(function));
            let all = blocks.flat_map(|block| self.module.children(block));
            self.places = all.enumerate().map(|(place, inst)| (inst, place)).collect();
        }
        let users = self.module.uses(inst).filter(|used| matches!(used.slot, Slot::Operand(_)));
        let users = users.filter_map(|used| Some((*self.places.get(&used.user)?, used.user)));
        self.pending.extend(users);
    }

    /// An `any` or `all` of integers tests their highest bits.
    fn compare_highest_bits(&mut self, place: usize, inst: Inst) {
        let Some(value) = self.module.operands(inst).next() else { return };
        let Some(shape) = shape_of(self.module, value) else { return };
        let integers = self.module.ty(value).expect("invariant: what has a shape has a type");
        let mut build = Builder::new(self.module);
        build.before(inst);
        let boolean = build.bool_type();
        let booleans = vector_type(&mut build, boolean, shape.count);
        let zero = build.constant_null(integers, &[]);
        let is_set = build.s_less_than(booleans, &[value, zero]);
        match shape.count {
            1 => {
                self.module.edit().replace_all_uses(inst, is_set);
                self.module.edit().delete(inst);
            }
            _ => self.module.edit().set_operand(inst, 0, is_set),
        }
        self.repaired.push((place, inst, FrontEndFault::MissingConversion));
    }

    /// A conversion between equal types becomes a copy.
    fn copy_unchanged(&mut self, place: usize, inst: Inst) {
        let Some(view::Unary { operand: value }) = view::Unary::of(self.module, inst) else { return };
        let (from, to) = (shape_of(self.module, value), shape_of(self.module, inst));
        if from.is_none() || from != to {
            return;
        }
        let ty = self.module.ty(inst);
        let op = if self.module.ty(value) == ty { Op::CopyObject } else { Op::Bitcast };
        let location = self.module.explicit_location(inst);
        let decorations = self.module.decorations(inst).to_vec();
        let mut editor = self.module.edit();
        let copy = editor.insert(Position::Before(inst), op, ty, &[value]);
        editor.set_location(copy, location);
        decorations.into_iter().for_each(|decoration| editor.decorate(copy, decoration));
        editor.replace_all_uses(inst, copy);
        editor.delete(inst);
        self.repaired.push((place, inst, FrontEndFault::IdleConversion));
    }
}

/// The pointer before a cast to a wider type, if an integer is stored through the cast that cannot have that width: to a narrower variable,
/// or, in a function that was not optimized, with the alignment of the narrower type and with zero upper bits.
fn target_of_wide_store(module: &Module, inst: Inst, is_plain: impl Fn(Inst) -> bool) -> Option<Inst> {
    let view::Store { pointer: cast, object: value, memory_access: access } = view::Store::of(module, inst)?;
    let pointer = view::Bitcast::of(module, cast)?.operand;
    let (object, stored) = (shape_of_pointee(module, pointer)?, shape_of_pointee(module, cast)?);
    let is_wide = object.count == 1 && stored.count == 1 && object.width < stored.width;
    let alignment = access.filter(|access| access.mask == MemoryAccess::ALIGNED).and_then(|access| access.alignment);
    let is_meant = module.op(pointer) == Op::Variable
        || (alignment == Some(object.width / 8) && significant_bits(module, value) <= object.width && is_plain(inst));
    (is_wide && is_meant).then_some(pointer)
}

/// Returns whether a function begins with storing a parameter to a variable, which an optimizer would have promoted.
fn keeps_parameters_in_variables(module: &Module, function: Function) -> bool {
    let uncast = |pointer: Inst| view::Bitcast::of(module, pointer).map_or(pointer, |cast| cast.operand);
    let is_kept = |store: view::Store| {
        module.op(uncast(store.pointer)) == Op::Variable && module.op(store.object) == Op::FunctionParameter
    };
    let mut stores = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
    stores.any(|inst| view::Store::of(module, inst).is_some_and(is_kept))
}

/// The number of low bits of an integer that may be nonzero, according to its definition.
pub(crate) fn significant_bits(module: &Module, value: Inst) -> u32 {
    let operands = || module.operands(value);
    let known = |value: Inst| constant_value(module, value).map(|number| 64 - number.leading_zeros());
    match module.op(value) {
        Op::BitwiseAnd => operands().filter_map(known).min().unwrap_or(u32::MAX),
        Op::Select => operands().skip(1).map(|arm| known(arm).unwrap_or(u32::MAX)).max().unwrap_or(u32::MAX),
        Op::UConvert => operands().next().and_then(|from| shape_of(module, from)).map_or(u32::MAX, |shape| shape.width),
        _ => u32::MAX,
    }
}
