//! Undefined bytes that an instruction makes: noted while it executes, with their places, and recorded when it has executed
//! (`lanes/settle.rs`).

use crate::memory::Memory;
use crate::origins::{FoundOrigin, Pending};
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Pointer, Value};

impl Memory {
    /// Notes the undefined parts of a value that is about to be stored.
    pub(crate) fn note_undefined(&mut self, types: &TypeTable, ty: TypeId, place: Pointer, value: &Value) {
        let mut pending = Vec::new();
        let is_like_three = is_like_three(types, ty, value);
        parts(types, ty, place, value, &mut |component, ty, place| {
            let has_no_fourth = is_like_three && component == Some(3) && place.owner == Owner::Shared;
            let before = has_no_fourth.then(|| self.bytes_at(place, types.extent(ty)));
            pending.push(Pending { place, component, before, source: None });
        });
        if let Some(origins) = &mut self.origins {
            origins.pending.append(&mut pending);
        }
    }

    /// Notes a copy of bytes, of which the one at this distance from the start is the first undefined one.
    pub(crate) fn note_undefined_copy(&mut self, target: Pointer, source: Pointer, size: u64, first: u64) {
        let Some(origins) = &mut self.origins else { return };
        match target.owner {
            Owner::Shared if source.owner == Owner::Shared => {}
            Owner::Shared => {
                let [place, source] = [target, source].map(|start| start.advanced(first.cast_signed()));
                origins.pending.push(Pending { place, component: None, before: None, source: Some(source) });
            }
            _ => origins.copied(target, source, size),
        }
    }

    /// The origin of the undefined value that a store has put at a place.
    pub(crate) fn origin_at(&self, place: Pointer) -> Option<FoundOrigin> {
        let origins = self.origins.as_ref()?;
        origins.stored.get(&(place.owner, place.object, place.offset)).copied()
    }

    fn bytes_at(&self, place: Pointer, size: u64) -> Vec<Option<u8>> {
        let Ok((object, range)) = self.locate(place, size) else { return Vec::new() };
        range.map(|index| object.defined.contains(index).then(|| object.bytes[index])).collect()
    }

    /// Discards notes: a value that is undefined before the first instruction is not reported.
    pub(crate) fn discard_notes(&mut self) {
        self.origins.iter_mut().for_each(|origins| origins.pending.clear());
    }

    /// Returns whether an instruction has left notes.
    #[inline]
    pub(crate) fn has_notes(&self) -> bool {
        self.origins.as_ref().is_some_and(|origins| !origins.pending.is_empty())
    }

    /// Stores the defined bytes of a place again.
    pub(crate) fn put_back(&mut self, place: Pointer, before: &[Option<u8>]) {
        for (index, byte) in before.iter().enumerate() {
            if let Some(byte) = byte {
                let filled = self.fill(place.advanced(index as i64), &[*byte]);
                filled.expect("invariant: the place was stored to");
            }
        }
    }
}

/// Returns whether a value is a vector of four of which three components are defined, as a front end stores three.
fn is_like_three(types: &TypeTable, ty: TypeId, value: &Value) -> bool {
    let is_vector = matches!(types.kind(ty), Some(TypeKind::Sequence { count: 4, .. }));
    is_vector
        && value
            .elements()
            .is_some_and(|elements| !elements[..3].iter().any(Value::has_undefined) && elements.len() == 4)
}

/// Visits the undefined parts of a value: the element of the whole, the type and the place of the part.
fn parts(
    types: &TypeTable,
    ty: TypeId,
    place: Pointer,
    value: &Value,
    visit: &mut dyn FnMut(Option<usize>, TypeId, Pointer),
) {
    match value {
        Value::Undefined => visit(None, ty, place),
        Value::Composite(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let Some((ty, offset)) = types.element(ty, index as u64) else { continue };
                let place = place.advanced(offset.cast_signed());
                parts(types, ty, place, element, &mut |_, ty, place| visit(Some(index), ty, place));
            }
        }
        _ => {}
    }
}
