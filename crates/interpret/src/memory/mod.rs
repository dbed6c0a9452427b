//! Memory: objects of bytes, each byte defined or not.
//!
//! Each lane has its own objects, in order of creation, so that a return deletes the objects of the call. The lanes of a work-group share
//! some objects, and all lanes share others. A pointer identifies its object, so every access outside of it is detected, at any distance.
//! An object also has an address, far from the next one, so that pointers can be stored, loaded, and cast to integers and back. `bytes.rs`
//! accesses the bytes.
//!
//! ```text
//! address   lane + 1, or 0 (16 bits) │ work-group (1 bit) │ counts up, a gap of 1 MiB after each object (47 bits)
//! ```
//!
//! The module-level variables come first (`code/variable_address.rs`).

pub(crate) mod bitmask;
mod bytes;
mod descriptors;
pub(crate) mod printed;
mod texels;
mod undefined;

use std::ops::Range;

use reconverge_ir::Inst;

use crate::code::variable_address::{GAP, GROUP_BIT, variable_place};
use crate::fault::{Fault, UndefinedBehaviour};
use crate::memory::bitmask::Bitmask;
use crate::memory::printed::PrintedText;
use crate::origins::Origins;
use crate::races::Watch;
use crate::races::copies::Copies;
use crate::types::{TypeId, TypeTable};
use crate::value::Owner;
use crate::{Descriptor, Pointer, Value};

/// The maximal total size of all objects in bytes.
const LIMIT: u64 = 1 << 30;
/// The alignment of every object's address.
const OBJECT_ALIGNMENT: u64 = 128;
const OWNER_SHIFT: u32 = 48;

/// The memory of a run.
#[derive(Debug)]
pub(crate) struct Memory {
    shared: Region,
    group: Region,
    lanes: Vec<Region>,
    used: u64,
    /// The race detector, if there is one.
    pub(crate) watch: Option<Box<Watch>>,
    /// The undefined values that are reported, if they are.
    pub(crate) origins: Option<Box<Origins>>,
    /// The copies of the work-group that are not complete.
    pub(crate) copies: Copies,
    /// The images and samplers in memory, by their numbers from 1 on.
    descriptors: Vec<Descriptor>,
    /// The output of the lanes, in a kernel launch.
    pub(crate) printed: Option<Box<PrintedText>>,
}

/// The objects of one owner, in order of creation, which is also the order of numbers and addresses.
#[derive(Debug)]
struct Region {
    /// The common part of all addresses.
    base: u64,
    objects: Vec<Object>,
    next_number: u32,
    next_address: u64,
    /// The addresses of objects that were deleted, if pointers to them were stored after that.
    graves: Vec<(u32, u64)>,
}

/// An object.
#[derive(Debug)]
pub(crate) struct Object {
    number: u32,
    address: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) defined: Bitmask,
    /// Its variable and the type of it, if undefined values are reported.
    variable: Option<(Inst, TypeId)>,
    /// The bytes of its type that belong to no scalar, if undefined values are reported: they are always defined.
    padding: Option<Box<Bitmask>>,
}

impl Memory {
    pub(crate) fn new(lanes: usize) -> Memory {
        let mut memory = Memory {
            shared: Region::new(0),
            group: Region::new(GROUP_BIT),
            lanes: Vec::new(),
            used: 0,
            watch: None,
            origins: None,
            copies: Copies::default(),
            descriptors: Vec::new(),
            printed: None,
        };
        memory.begin_group(lanes);
        memory
    }

    /// Deletes the objects of the last work-group, and prepares those of the next one.
    pub(crate) fn begin_group(&mut self, lanes: usize) {
        let gone = self.lanes.iter().chain([&self.group]).flat_map(|region| &region.objects);
        self.used -= gone.map(|object| object.bytes.len() as u64).sum::<u64>();
        self.group = Region::new(GROUP_BIT);
        self.lanes.clear();
        self.lanes.extend((1..=lanes as u64).map(|owner| Region::new(owner << OWNER_SHIFT)));
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
        region.next_address = (address + size + GAP).next_multiple_of(OBJECT_ALIGNMENT);
        if region.next_address & !(GROUP_BIT - 1) != address & !(GROUP_BIT - 1) {
            return Err(Fault::unsupported("more than 2^47 bytes of addresses in one lane"));
        }
        let (bytes, defined) = (vec![0; size as usize], Bitmask::new(size as usize));
        region.objects.push(Object { number, address, bytes, defined, variable: None, padding: None });
        Ok(Pointer { owner, object: number, offset: 0 })
    }

    /// Records the variable and the type of an object: its padding counts as defined if undefined values are reported.
    pub(crate) fn describe(&mut self, types: &TypeTable, ty: TypeId, pointer: Pointer, variable: Inst) {
        if self.origins.is_none() {
            return;
        }
        let object = self.region_mut(pointer.owner).and_then(|region| region.object_mut(pointer.object));
        let Some(object) = object else { return };
        object.variable = Some((variable, ty));
        object.define_padding(types);
    }

    /// The variable of a function that the object of a pointer is.
    pub(crate) fn variable_of(&self, pointer: Pointer) -> Option<Inst> {
        self.region(pointer.owner)?.object(pointer.object)?.variable.map(|(variable, _)| variable)
    }

    /// A new object of undefined bytes for a module-level variable, created before all others and in the order of the variables.
    pub(crate) fn allocate_variable(&mut self, owner: Owner, size: u64) -> Result<Pointer, Fault> {
        if let Some(region) = self.region_mut(owner)
            && let Some(place) = variable_place(region.next_number)
        {
            region.next_address = region.base | place;
        }
        self.allocate(owner, size)
    }

    /// Resizes an object to the size of its lifetime marker, with undefined bytes; LLVM's SPIR-V back end (22) declares some variables
    /// smaller.
    pub(crate) fn grow(&mut self, types: &TypeTable, pointer: Pointer, size: u64) -> Result<(), Fault> {
        let Owner::Lane(lane) = pointer.owner else { return Ok(()) };
        let object = self.lanes[usize::from(lane)].object_mut(pointer.object).filter(|_| pointer.offset == 0);
        let Some(object) = object.filter(|object| size > object.bytes.len() as u64) else { return Ok(()) };
        if size > GAP / 2 {
            return Err(Fault::unsupported("a variable that is smaller than its lifetime marker states"));
        }
        self.used += size - object.bytes.len() as u64;
        (object.bytes, object.defined) = (vec![0; size as usize], Bitmask::new(size as usize));
        object.define_padding(types);
        Ok(())
    }

    /// The number of objects of a lane: the mark for [`Memory::release`].
    pub(crate) fn mark(&self, lane: usize) -> usize {
        self.lanes[lane].objects.len()
    }

    /// Deletes the objects of a lane that were created since the mark.
    pub(crate) fn release(&mut self, lane: usize, mark: usize) {
        let gone = self.lanes[lane].objects.drain(mark..);
        self.used -= gone.map(|object| object.bytes.len() as u64).sum::<u64>();
    }

    fn region(&self, owner: Owner) -> Option<&Region> {
        match owner {
            Owner::Nobody => None,
            Owner::Shared => Some(&self.shared),
            Owner::Group => Some(&self.group),
            Owner::Lane(lane) => self.lanes.get(usize::from(lane)),
        }
    }

    fn region_mut(&mut self, owner: Owner) -> Option<&mut Region> {
        match owner {
            Owner::Nobody => None,
            Owner::Shared => Some(&mut self.shared),
            Owner::Group => Some(&mut self.group),
            Owner::Lane(lane) => self.lanes.get_mut(usize::from(lane)),
        }
    }

    /// The object of a pointer and the range of `size` bytes in it.
    pub(crate) fn locate(&self, pointer: Pointer, size: u64) -> Result<(&Object, Range<usize>), Fault> {
        let object = self.region(pointer.owner).and_then(|region| region.object(pointer.object));
        let object = object.ok_or_else(|| self.nowhere(pointer))?;
        Ok((object, object.range(pointer.offset, size)?))
    }

    fn locate_mut(&mut self, pointer: Pointer, size: u64) -> Result<(&mut Object, Range<usize>), Fault> {
        let nowhere = self.nowhere(pointer);
        let object = self.region_mut(pointer.owner).and_then(|region| region.object_mut(pointer.object));
        let object = object.ok_or(nowhere)?;
        let range = object.range(pointer.offset, size)?;
        Ok((object, range))
    }

    /// The error for a pointer without an object.
    fn nowhere(&self, pointer: Pointer) -> UndefinedBehaviour {
        match pointer.owner {
            Owner::Nobody if pointer.is_null() => UndefinedBehaviour::NullAddress,
            Owner::Nobody => UndefinedBehaviour::OutOfBounds,
            _ => UndefinedBehaviour::Dangling,
        }
    }

    /// The number of bytes of the object from the pointer on.
    pub(crate) fn bytes_after(&self, pointer: Pointer) -> Result<u64, Fault> {
        let (object, range) = self.locate(pointer, 0)?;
        Ok((object.bytes.len() - range.start) as u64)
    }

    /// All bytes of the object of a pointer, and whether they are defined.
    pub(crate) fn contents(&self, pointer: Pointer) -> Option<(&[u8], &Bitmask)> {
        let object = self.region(pointer.owner)?.object(pointer.object)?;
        Some((&object.bytes, &object.defined))
    }

    /// The address of a pointer; `None` if its object was deleted or it left its array.
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

    /// The address of a pointer whose object was deleted, for a program that stores it: the pointer that it loads is known as dangling. The
    /// address is new, since nothing else is left of the object.
    fn grave(&mut self, pointer: Pointer) -> Option<u64> {
        let region = self.region_mut(pointer.owner).filter(|_| pointer.offset != Pointer::LOST)?;
        let known = region.graves.iter().find(|&&(number, _)| number == pointer.object);
        let address = match known {
            Some(&(_, address)) => address,
            None => {
                let address = region.next_address;
                region.next_address = (address + GAP).next_multiple_of(OBJECT_ALIGNMENT);
                region.graves.push((pointer.object, address));
                address
            }
        };
        Some(address.wrapping_add_signed(pointer.offset))
    }

    /// The pointer for an address: into the object that contains it or is nearest to it.
    pub(crate) fn pointer_at(&self, address: u64) -> Pointer {
        let nowhere = Pointer { owner: Owner::Nobody, object: 0, offset: address.cast_signed() };
        let owner = match address >> OWNER_SHIFT {
            0 if address & GROUP_BIT != 0 => Owner::Group,
            0 => Owner::Shared,
            lane => Owner::Lane((lane - 1) as u16),
        };
        let Some(region) = self.region(owner) else { return nowhere };
        let next = region.objects.partition_point(|object| object.address - GAP / 2 <= address);
        match next.checked_sub(1).map(|index| &region.objects[index]) {
            Some(object) if address < object.address + object.bytes.len() as u64 + GAP / 2 => {
                Pointer { owner, object: object.number, offset: address.wrapping_sub(object.address).cast_signed() }
            }
            _ => {
                let is_near = |&&(_, grave): &&(u32, u64)| address.abs_diff(grave) < GAP / 2;
                let grave = region.graves.iter().find(is_near);
                grave.map_or(nowhere, |&(object, grave)| Pointer {
                    owner,
                    object,
                    offset: address.wrapping_sub(grave).cast_signed(),
                })
            }
        }
    }
}

impl Region {
    fn new(address: u64) -> Region {
        Region { base: address, objects: Vec::new(), next_number: 0, next_address: address | GAP, graves: Vec::new() }
    }

    fn object(&self, number: u32) -> Option<&Object> {
        self.index(number).map(|index| &self.objects[index])
    }

    fn object_mut(&mut self, number: u32) -> Option<&mut Object> {
        self.index(number).map(|index| &mut self.objects[index])
    }

    /// Numbers increase, so an object is at the index of its number as long as no object before it was deleted.
    fn index(&self, number: u32) -> Option<usize> {
        match self.objects.get(number as usize) {
            Some(object) if object.number == number => Some(number as usize),
            _ => self.objects.binary_search_by_key(&number, |object| object.number).ok(),
        }
    }
}

impl Object {
    /// The padding of a variable is defined: that of each of its elements, if it is an array of them.
    fn define_padding(&mut self, types: &TypeTable) {
        let Some((_, ty)) = self.variable.filter(|&(_, ty)| types.has_padding(ty)) else { return };
        let (size, length) = (types.size(ty), self.bytes.len());
        let mut padding = Bitmask::new(length);
        padding.set(0..length);
        for index in 0..length as u64 / size {
            let clear = &mut |range: Range<u64>| padding.clear(range.start as usize..range.end as usize);
            types.visit_filled(ty, index * size, clear);
        }
        self.defined.join(&padding, 0..length);
        self.padding = Some(Box::new(padding));
    }

    /// The range of `size` bytes at an offset.
    fn range(&self, offset: i64, size: u64) -> Result<Range<usize>, UndefinedBehaviour> {
        let start = u64::try_from(offset).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
        match start.checked_add(size) {
            Some(end) if end <= self.bytes.len() as u64 => Ok(start as usize..end as usize),
            _ => Err(UndefinedBehaviour::OutOfBounds),
        }
    }
}

/// Reports undefined behaviour for an address that is not a multiple of `alignment`.
///
/// Objects are at multiples of 128, so only the offset is checked; greater alignments are not checked.
pub(crate) fn check_alignment(pointer: Pointer, alignment: u32) -> Result<(), Fault> {
    let low = u64::from(alignment).min(OBJECT_ALIGNMENT) - 1;
    match pointer.offset.cast_unsigned() & low == 0 || pointer.offset == Pointer::LOST || pointer.owner == Owner::Nobody
    {
        true => Ok(()),
        false => Err(UndefinedBehaviour::Misaligned.into()),
    }
}

/// The pointer of an access, by any lane.
pub(crate) fn address_of(pointer: &Value) -> Result<Pointer, Fault> {
    match pointer {
        Value::Pointer(pointer) => Ok(*pointer),
        Value::Undefined => Err(UndefinedBehaviour::UndefinedAddress.into()),
        _ => Err(Fault::malformed("a pointer is expected")),
    }
}
