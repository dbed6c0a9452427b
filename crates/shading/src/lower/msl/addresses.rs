//! What is behind addresses: a pointer of the language, which an access makes of the number.
//!
//! ```text
//! load (access_chain %node, 1)                      ⇒      reinterpret_cast<device Node*>(node)->value
//! load %position: vec3f, Aligned 4                  ⇒      float3(*reinterpret_cast<device packed_float3*>(position))
//! ```
//!
//! A vector is packed where the access promises a smaller alignment than that of the type. A struct has one layout, so an access that promises
//! less than a part of it needs is refused.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, MemoryAccess, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::{Decoration, MemoryAccess as Mask, StorageClass as Class};

use super::super::Lowering;
use super::super::function::Body;
use super::buffers::{COHERENT, VOLATILE};
use crate::syntax::{Effects, Expr, Shape, TypeShape};
use crate::write::WriteCode;

/// What an instruction says of its accesses to memory.
struct Promise {
    /// The alignment of each place, if it says one.
    alignment: Option<u32>,
    is_volatile: bool,
    /// True if other invocations see them.
    is_shared: bool,
}

impl Promise {
    fn of(accesses: impl Iterator<Item = MemoryAccess>) -> Promise {
        let mut promise = Promise { alignment: None, is_volatile: false, is_shared: false };
        for access in accesses {
            promise.alignment = [promise.alignment, access.alignment].into_iter().flatten().min();
            promise.is_volatile |= access.is_volatile();
            promise.is_shared |= access.mask.contains(Mask::NON_PRIVATE_POINTER);
        }
        promise
    }
}

impl Lowering<'_> {
    /// Finds the types whose addresses are cast to addresses of other types. A compiler takes memory of different types for apart, so accesses
    /// to it must not be moved.
    pub(super) fn find_recast(&mut self) {
        let functions: Vec<_> = self.source.functions().collect();
        let insts = functions.into_iter().flat_map(|function| self.source.blocks(function));
        for inst in insts.flat_map(|block| self.source.children(block)) {
            if self.source.op(inst) != Op::Bitcast
                || self.source.storage_class(inst) != Some(Class::PhysicalStorageBuffer)
            {
                continue;
            }
            let ends = [inst, self.source.operand(inst, 0)].map(|end| self.source.pointee(end));
            if let [Some(to), Some(from)] = ends
                && to != from
            {
                self.msl.recast.extend([to, from]);
            }
        }
    }

    /// The words before a type behind an address.
    fn words_behind(&self, pointee: Inst, promise: &Promise) -> &'static str {
        let count = view::TypeStruct::of(self.source, pointee).map_or(0, |structure| structure.members.len());
        let has =
            |decoration| (0..count).any(|member| self.source.decorated(pointee).member(member as u32).has(decoration));
        let is_coherent = promise.is_shared || has(Decoration::Coherent);
        let is_volatile = promise.is_volatile || has(Decoration::Volatile) || self.msl.recast.contains(&pointee);
        match (is_coherent, is_volatile) {
            (_, true) => VOLATILE,
            (true, false) if self.target.msl().has(3, 2) => COHERENT,
            (true, false) => VOLATILE,
            (false, false) => "device",
        }
    }
}

impl Body<'_, '_> {
    /// The address that a pointer begins with, if it begins with one.
    fn address_of(&self, pointer: Inst) -> Option<Inst> {
        let mut base = pointer;
        while self.is_address(base)
            && matches!(self.source.op(base), Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject)
        {
            base = self.source.operand(base, 0);
        }
        self.is_address(base).then_some(base)
    }

    fn promise(&self) -> Promise {
        Promise::of(self.place_of_origin().into_iter().flat_map(|inst| self.source.memory_accesses(inst)))
    }

    /// Returns whether the accesses of the instruction through a pointer that begins with an address are volatile.
    pub(super) fn is_volatile_address(&self, pointer: Inst) -> bool {
        let pointee = self.address_of(pointer).and_then(|address| self.source.pointee(address));
        pointee.is_some_and(|pointee| self.cx.words_behind(pointee, &self.promise()) == VOLATILE)
    }

    /// The place that an address leads to.
    pub(in crate::lower) fn msl_behind_address(&mut self, pointer: Inst) -> Result<Expr, Diagnostic> {
        let Some(pointee) = self.source.pointee(pointer) else { return self.unknown(pointer) };
        let promise = self.promise();
        let ty = match self.source.type_view(pointee) {
            Some(TypeView::Vector { .. }) => self.cx.vector_at(pointee, promise.alignment)?,
            Some(TypeView::Matrix { .. }) => {
                return self.refuse(WriteCode::Layout, pointer, "an address of a matrix, whose stride nothing says");
            }
            _ => self.cx.ty(pointee)?,
        };
        let memory = self.cx.words_behind(pointee, &promise);
        let to = self.cx.text.types.of(TypeShape::Pointer { memory, to: ty });
        let address = self.value(pointer)?;
        let base = self.construct([address], to);
        let index = self.cx.int(0);
        Ok(self.with_effects(Shape::Index { base, index }, ty, Effects::READS))
    }

    /// Refuses an access through an address that the type of the text does not allow.
    pub(super) fn check_behind_address(&mut self, pointer: Inst, inst: Inst) -> Result<(), Diagnostic> {
        let Some(address) = self.address_of(pointer) else { return Ok(()) };
        let place = self.place(pointer)?;
        let ty = self.type_of(place);
        let needed = self.cx.alignment_within(ty);
        if let Some(alignment) = self.promise().alignment.filter(|&alignment| alignment < needed) {
            let message = format!("an access with an alignment of {alignment}, where the type of MSL has {needed}");
            return self.refuse(WriteCode::Layout, inst, message);
        }
        if self.is_volatile_address(address) && !self.cx.has_volatile_form(ty) {
            let message = "a volatile access to an array of a length or a matrix in MSL";
            return self.refuse(WriteCode::Layout, inst, message);
        }
        Ok(())
    }
}
