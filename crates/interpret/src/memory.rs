//! Memory: objects of bytes, each byte defined or not.
//!
//! Each lane has objects of its own, in the order in which they were made, so that a call takes its objects along when it returns;
//! and there are objects that all lanes see. A pointer names its object, so an access outside of it is seen however far outside.
//! An object also has an address, far from the next one, so that pointers can be stored, loaded, cast to integers and back.
//!
//! ```text
//! address   owner (16 bits) │ counts up, a gap of 1 MiB after each object (48 bits)
//! ```

use crate::outcome::{Fault, UndefinedBehaviour};
use crate::types::{Kind, TypeId, TypeTable};
use crate::value::Owner;
use crate::{Pointer, Value};

/// Bytes that are nobody's after each object.
const GAP: u64 = 1 << 20;
/// Bytes that all objects together may have.
const LIMIT: u64 = 1 << 30;
const ALIGNMENT: u64 = 128;
const OWNER_SHIFT: u32 = 48;

/// The memory of a run.
#[derive(Debug)]
pub(crate) struct Memory {
    shared: Region,
    lanes: Vec<Region>,
    used: u64,
}

/// The objects of one owner, in order of creation; so by number and by address too.
#[derive(Debug)]
struct Region {
    objects: Vec<Object>,
    next_number: u32,
    next_address: u64,
}

/// An object.
#[derive(Debug)]
struct Object {
    number: u32,
    address: u64,
    bytes: Vec<u8>,
    defined: Vec<bool>,
}

impl Memory {
    pub(crate) fn new(lanes: usize) -> Memory {
        let region =
            |owner: u64| Region { objects: Vec::new(), next_number: 0, next_address: owner << OWNER_SHIFT | GAP };
        Memory { shared: region(0), lanes: (1..=lanes as u64).map(region).collect(), used: 0 }
    }

    /// A new object of undefined bytes.
    pub(crate) fn allocate(&mut self, owner: Owner, size: u64) -> Result<Pointer, Fault> {
        self.used = self.used.saturating_add(size);
        if self.used > LIMIT {
            return Err(Fault::unsupported("more than 1 GiB of memory"));
        }
        let region = self.region_mut(owner).ok_or_else(|| Fault::malformed("memory without an owner"))?;
        let (number, address) = (region.next_number, region.next_address);
        region.next_number = number.checked_add(1).ok_or_else(|| Fault::unsupported("more than 2^32 objects"))?;
        region.next_address = (address + size + GAP).next_multiple_of(ALIGNMENT);
        if region.next_address >> OWNER_SHIFT != address >> OWNER_SHIFT {
            return Err(Fault::unsupported("more than 2^48 bytes of addresses in one lane"));
        }
        let (bytes, defined) = (vec![0; size as usize], vec![false; size as usize]);
        region.objects.push(Object { number, address, bytes, defined });
        Ok(Pointer { owner, object: number, offset: 0 })
    }

    /// How many objects a lane has: what to give to [`Memory::release`] later.
    pub(crate) fn mark(&self, lane: usize) -> usize {
        self.lanes[lane].objects.len()
    }

    /// Takes away the objects of a lane that were made since the mark.
    pub(crate) fn release(&mut self, lane: usize, mark: usize) {
        let gone = self.lanes[lane].objects.drain(mark..);
        self.used -= gone.map(|object| object.bytes.len() as u64).sum::<u64>();
    }

    fn region(&self, owner: Owner) -> Option<&Region> {
        match owner {
            Owner::Nobody => None,
            Owner::Shared => Some(&self.shared),
            Owner::Lane(lane) => self.lanes.get(usize::from(lane)),
        }
    }

    fn region_mut(&mut self, owner: Owner) -> Option<&mut Region> {
        match owner {
            Owner::Nobody => None,
            Owner::Shared => Some(&mut self.shared),
            Owner::Lane(lane) => self.lanes.get_mut(usize::from(lane)),
        }
    }

    /// The object of a pointer and the range of `size` bytes in it.
    fn locate(&self, pointer: Pointer, size: u64) -> Result<(&Object, std::ops::Range<usize>), Fault> {
        let region = self.region(pointer.owner).ok_or(match pointer.is_null() {
            true => UndefinedBehaviour::NullAddress,
            false => UndefinedBehaviour::OutOfBounds,
        })?;
        let object = region.object(pointer.object).ok_or(UndefinedBehaviour::Dangling)?;
        let start = u64::try_from(pointer.offset).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
        match start.checked_add(size) {
            Some(end) if end <= object.bytes.len() as u64 => Ok((object, start as usize..end as usize)),
            _ => Err(UndefinedBehaviour::OutOfBounds.into()),
        }
    }

    fn locate_mut(&mut self, pointer: Pointer, size: u64) -> Result<(&mut Object, std::ops::Range<usize>), Fault> {
        let (_, range) = self.locate(pointer, size)?;
        let region = self.region_mut(pointer.owner).expect("invariant: the object was found");
        Ok((region.object_mut(pointer.object).expect("invariant: the object was found"), range))
    }

    /// The value of a type that lies at a pointer.
    pub(crate) fn load(&self, types: &TypeTable, ty: TypeId, pointer: Pointer) -> Result<Value, Fault> {
        let size = types.extent(ty);
        Ok(match types.kind(ty) {
            Some(Kind::Bool) => self.load_word(pointer, size)?.map_or(Value::Undefined, |word| Value::Bool(word != 0)),
            Some(&Kind::Int(width)) => {
                self.load_word(pointer, size)?.map_or(Value::Undefined, |bits| Value::Int { width, bits })
            }
            Some(&Kind::Float(width)) => {
                self.load_word(pointer, size)?.map_or(Value::Undefined, |bits| Value::Float { width, bits })
            }
            Some(Kind::Pointer { .. }) => self
                .load_word(pointer, size)?
                .map_or(Value::Undefined, |address| Value::Pointer(self.pointer_at(address))),
            Some(Kind::Sequence { .. } | Kind::Struct(_)) => {
                let count = types.elements(ty, &Value::Undefined)?.len() as u64;
                let element = |index| {
                    let (element, offset) = types.element(ty, index).expect("invariant: the index is below the count");
                    self.load(types, element, pointer.advanced(offset as i64))
                };
                Value::composite((0..count).map(element).collect::<Result<Vec<Value>, Fault>>()?)
            }
            Some(Kind::Other(op)) => return Err(Fault::unsupported(format!("a load of {}", op.name()))),
            _ => return Err(Fault::malformed("a load of a type that has no size")),
        })
    }

    /// Puts a value of a type where a pointer points.
    pub(crate) fn store(
        &mut self,
        types: &TypeTable,
        ty: TypeId,
        pointer: Pointer,
        value: &Value,
    ) -> Result<(), Fault> {
        let size = types.extent(ty);
        match (types.kind(ty), value) {
            (Some(Kind::Bool), Value::Bool(value)) => self.store_word(pointer, size, u64::from(*value)),
            (Some(Kind::Int(_)), Value::Int { width, bits }) if u64::from(*width) == size * 8 => {
                self.store_word(pointer, size, *bits)
            }
            (Some(Kind::Float(_)), Value::Float { width, bits }) if u64::from(*width) == size * 8 => {
                self.store_word(pointer, size, *bits)
            }
            (Some(Kind::Pointer { .. }), Value::Pointer(value)) => match self.address(*value) {
                Some(address) => self.store_word(pointer, size, address),
                None => self.forget(pointer, Some(size)),
            },
            (Some(Kind::Sequence { .. } | Kind::Struct(_)), Value::Composite(elements))
                if types.count(ty) == Some(elements.len() as u64) =>
            {
                for (index, element) in elements.iter().enumerate() {
                    let (ty, offset) =
                        types.element(ty, index as u64).expect("invariant: the index is below the count");
                    self.store(types, ty, pointer.advanced(offset as i64), element)?;
                }
                Ok(())
            }
            (Some(Kind::Other(op)), _) => Err(Fault::unsupported(format!("a store of {}", op.name()))),
            (Some(Kind::RuntimeArray { .. } | Kind::Void) | None, _) => {
                Err(Fault::malformed("a store of a type that has no size"))
            }
            (Some(_), Value::Undefined) => self.forget(pointer, Some(size)),
            _ => Err(Fault::malformed("a value is stored as another type")),
        }
    }

    /// The bytes at a pointer as a word, lowest byte first; `None` if one is undefined.
    fn load_word(&self, pointer: Pointer, size: u64) -> Result<Option<u64>, Fault> {
        let (object, range) = self.locate(pointer, size)?;
        if !object.defined[range.clone()].iter().all(|&defined| defined) {
            return Ok(None);
        }
        let mut bytes = [0; 8];
        bytes[..range.len()].copy_from_slice(&object.bytes[range]);
        Ok(Some(u64::from_le_bytes(bytes)))
    }

    fn store_word(&mut self, pointer: Pointer, size: u64, word: u64) -> Result<(), Fault> {
        let (object, range) = self.locate_mut(pointer, size)?;
        object.defined[range.clone()].fill(true);
        object.bytes[range].copy_from_slice(&word.to_le_bytes()[..size as usize]);
        Ok(())
    }

    /// Makes the bytes from a pointer on undefined; all of its object without a size.
    pub(crate) fn forget(&mut self, pointer: Pointer, size: Option<u64>) -> Result<(), Fault> {
        let size = match size {
            Some(size) => size,
            None => self.bytes_after(pointer)?,
        };
        let (object, range) = self.locate_mut(pointer, size)?;
        object.bytes[range.clone()].fill(0);
        object.defined[range].fill(false);
        Ok(())
    }

    /// How many bytes the object has from the pointer on.
    pub(crate) fn bytes_after(&self, pointer: Pointer) -> Result<u64, Fault> {
        let (object, range) = self.locate(pointer, 0)?;
        Ok((object.bytes.len() - range.start) as u64)
    }

    /// Copies bytes as they are, the undefined ones among them. The ranges may overlap.
    pub(crate) fn copy(&mut self, target: Pointer, source: Pointer, size: u64) -> Result<(), Fault> {
        let (object, range) = self.locate(source, size)?;
        let (bytes, defined) = (object.bytes[range.clone()].to_vec(), object.defined[range].to_vec());
        let (object, range) = self.locate_mut(target, size)?;
        object.bytes[range.clone()].copy_from_slice(&bytes);
        object.defined[range].copy_from_slice(&defined);
        Ok(())
    }

    /// Puts defined bytes at the start of an object.
    pub(crate) fn fill(&mut self, pointer: Pointer, bytes: &[u8]) -> Result<(), Fault> {
        let (object, range) = self.locate_mut(pointer, bytes.len() as u64)?;
        object.defined[range.clone()].fill(true);
        object.bytes[range].copy_from_slice(bytes);
        Ok(())
    }

    /// All bytes of the object of a pointer, and which are defined.
    pub(crate) fn contents(&self, pointer: Pointer) -> Option<(&[u8], &[bool])> {
        let object = self.region(pointer.owner)?.object(pointer.object)?;
        Some((&object.bytes, &object.defined))
    }

    /// The address of a pointer; `None` if its object is gone or it left its array.
    pub(crate) fn address(&self, pointer: Pointer) -> Option<u64> {
        if pointer.offset == Pointer::LOST {
            return None;
        }
        let start = match self.region(pointer.owner) {
            Some(region) => region.object(pointer.object)?.address,
            None => 0,
        };
        Some(start.wrapping_add_signed(pointer.offset))
    }

    /// The pointer of an address: into the object that it lies in or is nearest to.
    pub(crate) fn pointer_at(&self, address: u64) -> Pointer {
        let nowhere = Pointer { owner: Owner::Nobody, object: 0, offset: address.cast_signed() };
        let owner = match address >> OWNER_SHIFT {
            0 => Owner::Shared,
            lane => Owner::Lane((lane - 1) as u16),
        };
        let Some(region) = self.region(owner) else { return nowhere };
        let next = region.objects.partition_point(|object| object.address - GAP / 2 <= address);
        match next.checked_sub(1).map(|index| &region.objects[index]) {
            Some(object) if address < object.address + object.bytes.len() as u64 + GAP / 2 => {
                Pointer { owner, object: object.number, offset: address.wrapping_sub(object.address).cast_signed() }
            }
            _ => nowhere,
        }
    }
}

impl Region {
    fn object(&self, number: u32) -> Option<&Object> {
        self.index(number).map(|index| &self.objects[index])
    }

    fn object_mut(&mut self, number: u32) -> Option<&mut Object> {
        self.index(number).map(|index| &mut self.objects[index])
    }

    /// Numbers count up, so an object stands at its number as long as none before it is gone.
    fn index(&self, number: u32) -> Option<usize> {
        match self.objects.get(number as usize) {
            Some(object) if object.number == number => Some(number as usize),
            _ => self.objects.binary_search_by_key(&number, |object| object.number).ok(),
        }
    }
}
