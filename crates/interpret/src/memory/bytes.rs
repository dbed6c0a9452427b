//! Operations on the bytes of memory: loads and stores of values, copies, fills and invalidation of bytes.
//!
//! All memory accesses of a program go through this file, so that race detection sees them.

use crate::fault::Fault;
use crate::memory::Memory;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Access, Pointer, Value};

impl Memory {
    /// Loads a value of a type.
    pub(crate) fn load(&self, types: &TypeTable, ty: TypeId, pointer: Pointer) -> Result<Value, Fault> {
        let value = self.read(types, ty, pointer)?;
        if let Some(watch) = &self.watch {
            watch.note_typed(Access::Read, types, ty, pointer);
        }
        Ok(value)
    }

    /// Stores a value of a type.
    pub(crate) fn store(
        &mut self,
        types: &TypeTable,
        ty: TypeId,
        pointer: Pointer,
        value: &Value,
    ) -> Result<(), Fault> {
        if self.origins.is_some() && value.has_undefined() {
            self.note_undefined(types, ty, pointer, value);
        }
        self.write(types, ty, pointer, value)?;
        if let Some(watch) = &self.watch {
            watch.note_typed(Access::Write, types, ty, pointer);
        }
        Ok(())
    }

    /// [`Memory::load`] without race detection.
    pub(crate) fn read(&self, types: &TypeTable, ty: TypeId, pointer: Pointer) -> Result<Value, Fault> {
        let size = types.extent(ty);
        Ok(match types.kind(ty) {
            Some(&TypeKind::Int(width)) => match self.load_word(pointer, size)? {
                Some(bits) => Value::Int { width, bits },
                None => Value::Undefined,
            },
            Some(&TypeKind::Float(width)) => match self.load_word(pointer, size)? {
                Some(bits) => Value::Float { width, bits },
                None => Value::Undefined,
            },
            Some(TypeKind::Bool) => {
                self.load_word(pointer, size)?.map_or(Value::Undefined, |word| Value::Bool(word != 0))
            }
            Some(TypeKind::Pointer { .. }) => self
                .load_word(pointer, size)?
                .map_or(Value::Undefined, |address| Value::Pointer(self.pointer_at(address))),
            Some(TypeKind::Sequence { .. } | TypeKind::Struct(_)) => {
                let count = types.value_count(ty)? as u64;
                let element = |index| {
                    let (element, offset) = types.element(ty, index).expect("invariant: the index is below the count");
                    self.read(types, element, pointer.advanced(offset as i64))
                };
                Value::composite((0..count).map(element).collect::<Result<Vec<Value>, Fault>>()?)
            }
            // What a variable of an interface contains is known by its place alone (`lanes/image.rs`).
            Some(TypeKind::Descriptor(_)) if pointer.owner != Owner::Shared => self.load_descriptor(pointer)?,
            Some(TypeKind::Other(op) | TypeKind::Descriptor(op)) => {
                return Err(Fault::unsupported(format!("a load of {}", op.name())));
            }
            _ => return Err(Fault::malformed("a load of a type that has no size")),
        })
    }

    /// [`Memory::store`] without race detection.
    pub(crate) fn write(
        &mut self,
        types: &TypeTable,
        ty: TypeId,
        pointer: Pointer,
        value: &Value,
    ) -> Result<(), Fault> {
        let size = types.extent(ty);
        match (types.kind(ty), value) {
            (Some(TypeKind::Int(_)), Value::Int { width, bits }) if u64::from(*width) == size * 8 => {
                self.store_word(pointer, size, *bits)
            }
            (Some(TypeKind::Float(_)), Value::Float { width, bits }) if u64::from(*width) == size * 8 => {
                self.store_word(pointer, size, *bits)
            }
            (Some(TypeKind::Bool), Value::Bool(value)) => self.store_word(pointer, size, u64::from(*value)),
            (Some(TypeKind::Pointer { .. }), Value::Pointer(value)) => {
                match self.address(*value).or_else(|| self.grave(*value)) {
                    Some(address) => self.store_word(pointer, size, address),
                    None => self.forget(pointer, Some(size)),
                }
            }
            (Some(TypeKind::Sequence { .. } | TypeKind::Struct(_)), Value::Composite(elements))
                if types.count(ty) == Some(elements.len() as u64) =>
            {
                for (index, element) in elements.iter().enumerate() {
                    let (ty, offset) =
                        types.element(ty, index as u64).expect("invariant: the index is below the count");
                    self.write(types, ty, pointer.advanced(offset as i64), element)?;
                }
                Ok(())
            }
            (Some(TypeKind::Descriptor(_)), Value::Descriptor(descriptor)) => {
                self.store_descriptor(pointer, *descriptor)
            }
            (Some(TypeKind::Descriptor(_)), Value::Undefined) => self.forget(pointer, Some(size)),
            (Some(TypeKind::Other(op) | TypeKind::Descriptor(op)), _) => {
                Err(Fault::unsupported(format!("a store of {}", op.name())))
            }
            (Some(TypeKind::RuntimeArray { .. } | TypeKind::Void) | None, _) => {
                Err(Fault::malformed("a store of a type that has no size"))
            }
            (Some(_), Value::Undefined) => self.forget(pointer, Some(size)),
            _ => Err(Fault::malformed("a value is stored as another type")),
        }
    }

    /// The bytes at a pointer as a word, lowest byte first; `None` if one is undefined.
    pub(crate) fn load_word(&self, pointer: Pointer, size: u64) -> Result<Option<u64>, Fault> {
        let (object, range) = self.locate(pointer, size)?;
        if !object.defined.covers(range.clone()) {
            return Ok(None);
        }
        let bytes = &object.bytes[range];
        Ok(Some(match *bytes {
            [a] => u64::from(a),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }))
    }

    pub(super) fn store_word(&mut self, pointer: Pointer, size: u64, word: u64) -> Result<(), Fault> {
        let (object, range) = self.locate_mut(pointer, size)?;
        object.defined.set(range.clone());
        object.bytes[range].copy_from_slice(&word.to_le_bytes()[..size as usize]);
        Ok(())
    }

    /// Makes bytes from a pointer on undefined; without a size, all bytes of its object.
    pub(crate) fn forget(&mut self, pointer: Pointer, size: Option<u64>) -> Result<(), Fault> {
        let size = match size {
            Some(size) => size,
            None => self.bytes_after(pointer)?,
        };
        let (object, range) = self.locate_mut(pointer, size)?;
        object.bytes[range.clone()].fill(0);
        object.defined.clear(range.clone());
        if let Some(padding) = &object.padding {
            object.defined.join(padding, range);
        }
        Ok(())
    }

    /// Copies bytes, including undefined ones. The ranges may overlap.
    pub(crate) fn copy(&mut self, target: Pointer, source: Pointer, size: u64) -> Result<(), Fault> {
        let (object, range) = self.locate(source, size)?;
        let bytes = object.bytes[range.clone()].to_vec();
        let unknown: Option<Vec<usize>> = match object.defined.covers(range.clone()) {
            true => None,
            false => {
                Some(range.clone().filter(|&index| !object.defined.contains(index)).map(|i| i - range.start).collect())
            }
        };
        let first = unknown.as_ref().and_then(|unknown| unknown.first().copied());
        let (object, range) = self.locate_mut(target, size)?;
        object.defined.set(range.clone());
        for index in unknown.unwrap_or_default() {
            object.defined.clear(range.start + index..range.start + index + 1);
        }
        object.bytes[range.clone()].copy_from_slice(&bytes);
        if let Some(padding) = &object.padding {
            object.defined.join(padding, range);
        }
        if let Some(first) = first.filter(|_| self.origins.is_some()) {
            self.note_undefined_copy(target, source, size, first as u64);
        }
        if let Some(watch) = &self.watch {
            watch.note(Access::Read, source, size);
            watch.note(Access::Write, target, size);
        }
        Ok(())
    }

    /// Copies the bytes of a value of a type; if undefined values are reported and some bytes are undefined, without its padding, of which
    /// nothing says that it has a value.
    pub(crate) fn copy_value(
        &mut self,
        types: &TypeTable,
        ty: TypeId,
        target: Pointer,
        source: Pointer,
    ) -> Result<(), Fault> {
        let size = types.size(ty);
        let (object, range) = self.locate(source, size)?;
        if self.origins.is_none() || !types.has_padding(ty) || object.defined.covers(range) {
            return self.copy(target, source, size);
        }
        let mut ranges = Vec::new();
        types.visit_filled(ty, 0, &mut |range| ranges.push(range));
        for range in ranges {
            let [to, from] = [target, source].map(|start| start.advanced(range.start.cast_signed()));
            self.copy(to, from, range.end - range.start)?;
        }
        Ok(())
    }

    /// Copies the contents of one object to another one of the same size.
    pub(crate) fn repeat(&mut self, source: Pointer, target: Pointer) -> Result<(), Fault> {
        let (object, _) = self.locate(source, 0)?;
        let (bytes, defined) = (object.bytes.clone(), object.defined.clone());
        let (object, _) = self.locate_mut(target, bytes.len() as u64)?;
        (object.bytes, object.defined) = (bytes, defined);
        Ok(())
    }

    /// Writes defined bytes.
    pub(crate) fn fill(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<(), Fault> {
        let (object, range) = self.locate_mut(pointer, bytes.len() as u64)?;
        object.defined.set(range.clone());
        object.bytes[range].copy_from_slice(bytes);
        Ok(())
    }
}
