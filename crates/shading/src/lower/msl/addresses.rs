//! Pointers to the memory behind addresses, which an access makes of the number.
//!
//! ```text
//! load (access_chain %node, 1)                      ⇒      reinterpret_cast<device Node*>(node)->value
//! load %position: vec3f, Aligned 4                  ⇒      float3(reinterpret_cast<device Reference*>(position)->value)
//! ```
//!
//! Two addresses may lead to the same memory with different types, and a compiler of C++ takes memory of different types for apart. So an address
//! leads to a struct that says it may overlap others (`may_alias`), which is made for what is no struct. A vector is packed where the access
//! promises a smaller alignment than that of the type. A struct has one layout, so an access that promises less than what follows from the
//! alignment of the struct is refused.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::Offset;
use reconverge_ir::view::{self, MemoryAccess, TypeView};
use spirv::{Decoration, MemoryAccess as Mask};

use super::super::Lowering;
use super::super::function::Body;
use super::super::layouts::power_in;
use super::super::uses::root;
use super::buffers::{COHERENT, VOLATILE};
use crate::syntax::{Effects, Expr, Shape, StructId, TypeShape};
use crate::write::WriteCode;

/// The name of the structs around what addresses lead to.
const REFERENCE: &str = "Reference";

/// The properties of the accesses of an instruction.
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

/// The struct of the text that an address leads to.
struct Behind {
    id: StructId,
    /// True if the type is the only member of the struct.
    is_wrapped: bool,
}

impl Lowering<'_> {
    /// The words before a type behind an address.
    fn words_behind(&self, pointee: Inst, promise: &Promise) -> &'static str {
        let count = view::TypeStruct::of(self.source, pointee).map_or(0, |structure| structure.members.len());
        let has =
            |decoration| (0..count).any(|member| self.source.decorated(pointee).member(member as u32).has(decoration));
        let is_coherent = promise.is_shared || has(Decoration::Coherent);
        let is_volatile = promise.is_volatile || has(Decoration::Volatile);
        match (is_coherent, is_volatile) {
            (_, true) => VOLATILE,
            (true, false) if self.target.msl().has(3, 2) => COHERENT,
            (true, false) => VOLATILE,
            (false, false) => "device",
        }
    }

    /// The struct that an address leads to.
    fn behind(&mut self, pointee: Inst, alignment: Option<u32>) -> Result<Behind, Diagnostic> {
        self.check_behind(pointee)?;
        let ty = match self.source.type_view(pointee) {
            Some(TypeView::Vector { .. }) => self.vector_at(pointee, alignment)?,
            _ => self.ty(pointee)?,
        };
        let (id, is_wrapped) = match self.text.types[ty] {
            TypeShape::Struct(id) => (id, false),
            _ => (self.struct_around(REFERENCE, ty), true),
        };
        self.text.aliased.insert(id);
        Ok(Behind { id, is_wrapped })
    }
}

impl Body<'_, '_> {
    /// The address that a pointer begins with, if it begins with one.
    fn address_of(&self, pointer: Inst) -> Option<Inst> {
        let base = root(self.source, pointer);
        (self.is_address(pointer) && self.is_address(base)).then_some(base)
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
        let memory = self.cx.words_behind(pointee, &promise);
        let Behind { id, is_wrapped } = self.cx.behind(pointee, promise.alignment)?;
        let structure = self.cx.text.types.of(TypeShape::Struct(id));
        let to = self.cx.text.types.of(TypeShape::Pointer { memory, to: structure });
        let address = self.value(pointer)?;
        let base = self.construct([address], to);
        let index = self.cx.int(0);
        let place = self.with_effects(Shape::Index { base, index }, structure, Effects::READS);
        if is_wrapped { self.member(place, 0, pointer) } else { Ok(place) }
    }

    /// Refuses an access through an address that the type of the text does not allow.
    pub(super) fn check_behind_address(&mut self, pointer: Inst, inst: Inst) -> Result<(), Diagnostic> {
        let Some(address) = self.address_of(pointer) else { return Ok(()) };
        if let Some(alignment) = self.promise().alignment {
            let assumed = self.assumed_alignment(address, pointer, alignment)?;
            if alignment < assumed {
                let message =
                    format!("an access with an alignment of {alignment} bytes, where MSL assumes one of {assumed}");
                return self.refuse(WriteCode::Layout, inst, message);
            }
        }
        if self.is_volatile_address(address) {
            let place = self.place(pointer)?;
            if !self.cx.has_volatile_form(self.type_of(place)) {
                let message = "a volatile access to an array of a length or a matrix in MSL";
                return self.refuse(WriteCode::Layout, inst, message);
            }
        }
        Ok(())
    }

    /// The alignment of a place that follows from that of the struct which an address leads to, and from the offsets and strides to the place.
    fn assumed_alignment(&mut self, address: Inst, pointer: Inst, promised: u32) -> Result<u32, Diagnostic> {
        let Some(mut ty) = self.source.pointee(address) else { return Ok(1) };
        let Behind { id, .. } = self.cx.behind(ty, Some(promised))?;
        let structure = self.cx.text.types.of(TypeShape::Struct(id));
        let mut alignment = self.cx.alignment_within(structure);
        let (mut chains, mut base) = (Vec::new(), pointer);
        while base != address {
            chains.push(base);
            base = self.source.operand(base, 0);
        }
        let chains = chains.into_iter().rev().filter_map(|chain| view::Chain::of(self.source, chain));
        for index in chains.flat_map(|chain| chain.indexes.to_vec()).collect::<Vec<_>>() {
            let known = self.word(index);
            let bytes = match self.source.type_view(ty) {
                Some(TypeView::Struct { .. }) => {
                    let notes = self.source.decorated(ty).member(known.unwrap_or(0));
                    notes.find().map_or(0, |Offset(offset)| offset)
                }
                Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }) => {
                    self.source.array_stride(ty).unwrap_or(1).wrapping_mul(known.unwrap_or(1))
                }
                // A part of a vector or of a matrix is read as a number.
                _ => return Ok(1),
            };
            alignment = alignment.min(power_in(bytes));
            match self.source.part_type(ty, known.unwrap_or(0) as usize) {
                Some(part) => ty = part,
                None => return Ok(1),
            }
        }
        Ok(alignment)
    }
}
