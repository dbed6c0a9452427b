//! The accesses to the memory of each class: the sizes of the accesses, and the steps of pointers.
//!
//! ```text
//! %p = ptr_access_chain %f32* %tile, %i        steps of 4
//! %x = load %f32 %p Aligned 4                  pieces of 4, all f32        ⇒ an array of f32, pointers count elements
//! store %p %y Aligned 4
//! ```
//!
//! The known alignment of a pointer (that of the variable, kept by every step that is a multiple of it) supplements alignments that the
//! code does not state. A class is *plain* if its variables are only accessed through access chains that Vulkan allows and with their own
//! types: it stays unchanged.
//!
//! One traversal, blocks in reverse post-order. Linear in the operands and in the leaves of the accessed types.

use reconverge_analysis::{FlowGraph, Layouts};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::Alignment;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::MemoryAccess;

use super::chain::{compute_chain, integer_constant};
use super::classes::{Class, Host};
use super::leaves::{Leaf, MemoryOperands, leaves, scalar_bytes};
use super::multiples::Multiples;
use super::points_to::{Memory, PointsTo};
use super::space::{Carries, space_of};
use crate::atomics::value_type;
use crate::error;
use crate::scalars::innermost;

/// The bytes of a word.
const WORD: u32 = 4;

/// The greatest tracked alignment.
pub(super) const GREATEST_ALIGNMENT: u32 = 128;

/// The common type of all accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Same {
    /// There is no access.
    #[default]
    Nothing,
    /// All have this type.
    One(Inst),
    /// They have different types.
    Many,
}

impl Same {
    fn add(&mut self, ty: Inst) {
        *self = match *self {
            Same::Nothing => Same::One(ty),
            Same::One(other) if other == ty => Same::One(ty),
            _ => Same::Many,
        };
    }
}

/// The accesses to the memory of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Demand {
    /// The type of all accesses.
    pub(super) whole: Same,
    /// The type of the scalars of all accesses.
    pub(super) scalar: Same,
    /// The size of the smallest accessed piece in bytes, if alignments are the natural ones.
    pub(super) piece: u32,
    /// The size of the smallest accessed piece, with the alignments that the code states.
    pub(super) promised_piece: u32,
    /// The greatest common divisor of all steps of pointers.
    pub(super) step: u32,
    /// True if there are copies, or stores of zeros, of more than one scalar.
    pub(super) bulk: bool,
    /// True if parts of words are written.
    pub(super) writes_parts: bool,
    /// The type of an atomic access; the floating-point type if one is arithmetic.
    pub(super) atomic: Option<Inst>,
    /// True if the class stays unchanged.
    pub(super) plain: bool,
}

impl Default for Demand {
    fn default() -> Demand {
        Demand {
            whole: Same::Nothing,
            scalar: Same::Nothing,
            piece: 8,
            promised_piece: 8,
            step: GREATEST_ALIGNMENT,
            bulk: false,
            writes_parts: false,
            atomic: None,
            plain: true,
        }
    }
}

impl Demand {
    fn add_piece(&mut self, bytes: u32, alignment: u32) {
        self.piece = self.piece.min(bytes);
        self.promised_piece = self.promised_piece.min(bytes).min(alignment);
    }
}

/// The demands of all classes, and what is known about the alignment of pointers.
#[derive(Debug, Default)]
pub(super) struct Demands {
    of: FxHashMap<Class, Demand>,
    known: FxHashMap<Inst, u32>,
    /// Pointers at a known offset in a variable.
    roots: FxHashMap<Inst, (Inst, i64)>,
    /// The minimal size of a variable, from accesses that certainly happen.
    extents: FxHashMap<Inst, u64>,
    /// The powers of two that divide the integers.
    pub(super) multiples: Multiples,
}

impl Demands {
    /// Analyzes all functions.
    ///
    /// # Errors
    /// Types without a layout, accesses of types that cannot be accessed, atomic accesses that conflict.
    pub(super) fn compute(
        module: &Module,
        points_to: &mut PointsTo,
        layouts: &mut Layouts,
    ) -> Result<Demands, Diagnostic> {
        let insts = ordered_instructions(module);
        let demands = Demands { multiples: Multiples::compute(module, &insts), ..Demands::default() };
        let mut walk = DemandWalk { module, points_to, layouts, demands };
        for global in module.globals() {
            walk.pointer(global)?;
        }
        for &inst in &insts {
            walk.pointer(inst)?;
            walk.uses(inst);
        }
        for &inst in &insts {
            walk.access(inst)?;
        }
        Ok(walk.demands)
    }

    /// The accesses to the memory of a class.
    pub(super) fn of(&self, class: Class) -> Demand {
        self.of.get(&class).cloned().unwrap_or_default()
    }

    /// The minimal size of a variable, from accesses that certainly happen: some front ends declare one pointer for an array of pointers.
    pub(super) fn extent(&self, variable: Inst) -> u64 {
        self.extents.get(&variable).copied().unwrap_or(0)
    }

    /// The alignment of an access through a pointer: the stated one, or the known one of the pointer.
    pub(super) fn alignment(&self, pointer: Inst, promised: u32) -> u32 {
        self.known.get(&pointer).copied().unwrap_or(1).max(promised)
    }
}

/// The instructions of all reachable blocks, blocks in reverse post-order.
fn ordered_instructions(module: &Module) -> Vec<Inst> {
    let mut insts = Vec::new();
    for function in module.functions().filter(|&function| module.entry(function).is_some()) {
        let flow = FlowGraph::compute(module, function);
        let order = flow.order();
        for &node in order.sequence() {
            insts.extend(module.children(flow.block(node)));
        }
    }
    insts
}

/// The alignment of a variable: that of its type, or that of a decoration if greater.
pub(super) fn variable_alignment(module: &Module, layouts: &mut Layouts, variable: Inst) -> Result<u32, Diagnostic> {
    let unsupported =
        |error: reconverge_analysis::LayoutError| error::unsupported(variable, format!("a variable of {error}"));
    let ty = innermost(module, module.pointee(variable).unwrap_or(variable));
    let own = layouts.of(module, ty).map_err(unsupported)?.alignment.min(u64::from(GREATEST_ALIGNMENT)) as u32;
    let decorated = module.decorated(variable).find().map(|Alignment(alignment)| alignment);
    let decorated = decorated.filter(|word| word.is_power_of_two()).unwrap_or(1).min(GREATEST_ALIGNMENT);
    Ok(own.max(decorated))
}

struct DemandWalk<'a> {
    module: &'a Module,
    points_to: &'a mut PointsTo,
    layouts: &'a mut Layouts,
    demands: Demands,
}

impl DemandWalk<'_> {
    fn demand(&mut self, pointer: Inst) -> Option<&mut Demand> {
        let class = self.points_to.class(pointer)?;
        Some(self.demands.of.entry(class).or_default())
    }

    /// Records the properties of the pointer that an instruction defines.
    fn pointer(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(class) = self.points_to.class(inst) else { return Ok(()) };
        let module = self.module;
        let op = module.op(inst);
        if op == Op::Variable {
            let is_logical = matches!(self.points_to.memory(class), Memory::Function | Memory::Workgroup);
            let plain = is_logical && self.is_plain_type(module.pointee(inst));
            let alignment = match self.points_to.memory(class) {
                Memory::Outside => Ok(1),
                _ => variable_alignment(module, self.layouts, inst),
            };
            self.demands.known.insert(inst, alignment.unwrap_or(1));
            self.demands.roots.insert(inst, (inst, 0));
            let demand = self.demands.of.entry(class).or_default();
            demand.plain &= plain;
            return Ok(());
        }
        if !matches!(op, Op::AccessChain | Op::InBoundsAccessChain) {
            self.demands.of.entry(class).or_default().plain = false;
        }
        if view::Chain::covers(op) {
            let operands: Vec<Inst> = module.operands(inst).collect();
            let chain = compute_chain(module, self.layouts, op, &operands, inst)?;
            let added = chain.alignment(module, &self.demands.multiples);
            if let Some(&(variable, offset)) = self.demands.roots.get(&operands[0]).filter(|_| chain.indices.is_empty())
            {
                self.demands.roots.insert(inst, (variable, offset.wrapping_add(chain.constant)));
            }
            let base = self.demands.known.get(&operands[0]).copied().unwrap_or(1);
            self.demands.known.insert(inst, base.min(added));
            let demand = self.demands.of.entry(class).or_default();
            demand.step = demand.step.min(added);
        } else if matches!(op, Op::Bitcast | Op::CopyObject | Op::PtrCastToGeneric | Op::GenericCastToPtr)
            && let Some(view::Unary { operand }) = view::Unary::of(module, inst)
        {
            let base = self.demands.known.get(&operand).copied().unwrap_or(1);
            self.demands.known.insert(inst, base);
            if let Some(&root) = self.demands.roots.get(&operand) {
                self.demands.roots.insert(inst, root);
            }
        }
        let promised = module.decorated(inst).find().map(|Alignment(alignment)| alignment);
        if let Some(promised) = promised.filter(|word| word.is_power_of_two()) {
            let known = self.demands.known.entry(inst).or_insert(1);
            *known = promised.min(GREATEST_ALIGNMENT).max(*known);
        }
        Ok(())
    }

    /// Returns whether a variable of a type may stay: it contains no pointers, and no vectors wider than Vulkan's.
    fn is_plain_type(&mut self, ty: Option<Inst>) -> bool {
        let Some(ty) = ty else { return false };
        if self.points_to.carriers.of(self.module, ty) == Carries::Pointers {
            return false;
        }
        let mut stack = vec![ty];
        let mut looked_at = 0;
        while let Some(ty) = stack.pop() {
            looked_at += 1;
            let module = self.module;
            match module.type_view(ty) {
                Some(TypeView::Array { element, .. }) => stack.push(element),
                Some(TypeView::Struct { members }) if looked_at < 1000 => stack.extend(members),
                Some(TypeView::Int { .. } | TypeView::Float { .. } | TypeView::Vector { count: ..=4, .. })
                    if self.points_to.classes.host() == Host::Addresses
                        || module.width(module.components(ty).0) == Some(WORD * 8) => {}
                _ => return false,
            }
        }
        true
    }

    /// A use of a pointer that Vulkan does not allow prevents its class from staying.
    fn uses(&mut self, inst: Inst) {
        let module = self.module;
        let op = module.op(inst);
        match op {
            Op::LifetimeStart if let Some(life) = view::LifetimeStart::of(module, inst) => {
                self.lifetime(life.pointer, u64::from(life.size));
            }
            Op::LifetimeStop if let Some(life) = view::LifetimeStop::of(module, inst) => {
                self.lifetime(life.pointer, u64::from(life.size));
            }
            _ => {}
        }
        for (index, operand) in module.operands(inst).enumerate() {
            if space_of(module, operand).is_none() {
                continue;
            }
            let allowed = match op {
                Op::Load | Op::Store | Op::AccessChain | Op::InBoundsAccessChain => index == 0,
                Op::LifetimeStart | Op::LifetimeStop => true,
                _ if op.class() == reconverge_ir::Class::Atomic => {
                    index == 0 && space_of(module, operand) == Some(super::space::Space::Workgroup)
                }
                _ => false,
            };
            if let Some(demand) = self.demand(operand).filter(|_| !allowed) {
                demand.plain = false;
            }
        }
    }

    fn access(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        match module.op(inst) {
            Op::Load if let Some(load) = view::Load::of(module, inst) => {
                let ty = module.ty(inst).expect("invariant: a load has a type");
                self.typed_access(inst, load.pointer, ty)
            }
            Op::Store if let Some(view::Store { pointer, object, .. }) = view::Store::of(module, inst) => {
                let Some(ty) = module.ty(object) else { return Ok(()) };
                match module.op(object) {
                    Op::ConstantNull if scalar_bytes(module, ty).is_none() => self.zeros(inst, pointer, ty),
                    Op::Undef => Ok(()),
                    _ => self.typed_access(inst, pointer, ty),
                }
            }
            Op::CopyMemory | Op::CopyMemorySized => self.copy(inst),
            _ if let Some(atomic) = view::Atomic::of(module, inst) => self.atomic(inst, atomic.pointer),
            _ => Ok(()),
        }
    }

    fn typed_access(&mut self, inst: Inst, pointer: Inst, ty: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        if self.demand(pointer).is_none_or(|demand| demand.plain) {
            return Ok(());
        }
        let alignment = self.access_alignment(inst, pointer, ty)?;
        if let Ok(layout) = self.layouts.of(module, ty) {
            self.extend(pointer, layout.size);
        }
        let parts = leaves(module, self.layouts, ty, inst)?;
        let demand = self.demand(pointer).expect("invariant: the pointer has a class");
        demand.whole.add(ty);
        for Leaf { ty, offset, .. } in parts {
            let bytes = scalar_bytes(module, ty).expect("invariant: a leaf has scalars");
            demand.scalar.add(module.components(ty).0);
            demand.writes_parts |= module.op(inst) == Op::Store && bytes.min(alignment) < WORD;
            demand.add_piece(bytes.min(1 << offset.trailing_zeros().min(16)), alignment);
        }
        Ok(())
    }

    fn access_alignment(&mut self, inst: Inst, pointer: Inst, ty: Inst) -> Result<u32, Diagnostic> {
        let operands = MemoryOperands::of(self.module.memory_access(inst));
        let natural = self
            .layouts
            .of(self.module, ty)
            .map_err(|error| error::unsupported(inst, format!("an access of {error}")))?;
        Ok(self.demands.alignment(pointer, operands.alignment.unwrap_or(natural.alignment as u32)))
    }

    fn zeros(&mut self, inst: Inst, pointer: Inst, ty: Inst) -> Result<(), Diagnostic> {
        if self.demand(pointer).is_none_or(|demand| demand.plain) {
            return Ok(());
        }
        let alignment = self.access_alignment(inst, pointer, ty)?;
        let size = self.layouts.of(self.module, ty).map_err(|error| error::unsupported(inst, error.to_string()))?;
        self.bulk(pointer, alignment, size.size.trailing_zeros());
        Ok(())
    }

    /// A copy needs cells whose size divides its alignment and its size.
    fn copy(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let copy = BulkCopy::read(module, self.layouts, inst)?;
        let zeros =
            copy.constant_size.map_or_else(|| self.demands.multiples.zeros(module, copy.size), u64::trailing_zeros);
        for (pointer, alignment) in [(copy.target, copy.target_alignment), (copy.source, copy.source_alignment)] {
            let alignment = self.demands.alignment(pointer, alignment);
            self.extend(pointer, copy.constant_size.unwrap_or(0));
            self.bulk(pointer, alignment, zeros);
        }
        Ok(())
    }

    /// A variable that is used beyond its declared size cannot stay unchanged.
    fn lifetime(&mut self, pointer: Inst, size: u64) {
        self.extend(pointer, size);
        let Some(&(variable, _)) = self.demands.roots.get(&pointer) else { return };
        let own = self.module.pointee(variable).map(|ty| self.layouts.of(self.module, ty));
        if own.is_some_and(|own| own.is_ok_and(|own| own.size < size))
            && let Some(demand) = self.demand(variable)
        {
            demand.plain = false;
        }
    }

    /// Records that this number of bytes at a pointer is certainly accessed.
    fn extend(&mut self, pointer: Inst, size: u64) {
        let Some(&(variable, offset)) = self.demands.roots.get(&pointer) else { return };
        let Ok(offset) = u64::try_from(offset) else { return };
        let extent = self.demands.extents.entry(variable).or_default();
        *extent = offset.saturating_add(size).max(*extent);
    }

    fn bulk(&mut self, pointer: Inst, alignment: u32, zeros: u32) {
        if let Some(demand) = self.demand(pointer) {
            demand.bulk = true;
            demand.writes_parts |= 1 << zeros.min(3) < WORD || alignment < WORD;
            demand.add_piece(1 << zeros.min(3), alignment);
        }
    }

    fn atomic(&mut self, inst: Inst, pointer: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let Some(ty) = value_type(module, inst).or_else(|| module.pointee(pointer)) else { return Ok(()) };
        let Some(demand) = self.demand(pointer) else { return Ok(()) };
        let Some(bytes) = scalar_bytes(module, ty) else {
            return Err(error::unsupported(inst, "an atomic access of a value that is not a scalar"));
        };
        demand.whole.add(ty);
        demand.scalar.add(ty);
        demand.add_piece(bytes, bytes);
        if let Some(other) = demand.atomic
            && scalar_bytes(module, other) != Some(bytes)
        {
            return Err(error::unsupported(inst, "atomic accesses of different widths to the same memory"));
        }
        let computes = matches!(module.op(inst), Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
        if computes || demand.atomic.is_none() {
            demand.atomic = Some(ty);
        }
        Ok(())
    }
}

/// The operands of a copy of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkCopy {
    pub(super) target: Inst,
    pub(super) source: Inst,
    /// The operand with the size; the instruction itself if its type gives the size.
    pub(super) size: Inst,
    pub(super) constant_size: Option<u64>,
    pub(super) target_alignment: u32,
    pub(super) source_alignment: u32,
    pub(super) flags: MemoryAccess,
}

impl BulkCopy {
    /// Reads the operands of a `copy_memory` or `copy_memory_sized`.
    ///
    /// # Errors
    /// A type without a layout.
    pub(super) fn read(module: &Module, layouts: &mut Layouts, inst: Inst) -> Result<BulkCopy, Diagnostic> {
        let sized = view::CopyMemorySized::of(module, inst);
        let plain = view::CopyMemory::of(module, inst).map(|copy| (copy.target, copy.source, inst));
        let sides = sized.map(|copy| (copy.target, copy.source, copy.size)).or(plain);
        let (target, source, size) =
            sides.ok_or_else(|| error::rejected(inst, "a copy without a source and a target"))?;
        let is_sized = sized.is_some();
        let mut accesses = module.memory_accesses(inst).map(MemoryOperands::of);
        let first = accesses.next().unwrap_or_else(|| MemoryOperands::of(view::MemoryAccess::default()));
        let second = match accesses.next() {
            Some(second) => second,
            // LLVM's SPIR-V back end (22) writes only the alignment of the target.
            None if is_sized => MemoryOperands { alignment: Some(1), ..first },
            None => first,
        };
        let (constant_size, natural) = match is_sized {
            true => (integer_constant(module, size).map(i64::cast_unsigned), 1),
            false => {
                let layout = module.pointee(target).map(|ty| layouts.of(module, ty));
                let layout = layout.and_then(Result::ok);
                let layout = layout.ok_or_else(|| error::unsupported(inst, "a copy of a type without a layout"))?;
                (Some(layout.size), layout.alignment as u32)
            }
        };
        Ok(BulkCopy {
            target,
            source,
            size,
            constant_size,
            target_alignment: first.alignment.unwrap_or(natural),
            source_alignment: second.alignment.unwrap_or(natural),
            flags: first.flags | second.flags,
        })
    }
}
