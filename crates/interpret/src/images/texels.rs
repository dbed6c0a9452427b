//! Texels that a run wrote: the caller provides the contents of an image until the program writes into it.
//!
//! A texel that was written, or that a pointer points to, is an object in memory, so that atomic operations work on it. It has the
//! components of the image format, unrounded: the precision of formats is not modelled. Coordinates have no bounds, and an image in two
//! variables is two images.

use std::collections::BTreeMap;

use crate::code::program::Bindings;
use crate::fault::Fault;
use crate::images::request::Request;
use crate::memory::Memory;
use crate::types::{TypeId, TypeTable};
use crate::value::{Owner, sign_extended};
use crate::{Images, Interpreter, Pointer, Resource, Texel, Value};

/// The images of a run.
#[derive(Debug)]
pub(crate) struct ImageStore {
    pub(crate) source: Images,
    pub(crate) bindings: Bindings,
    texels: BTreeMap<TexelPlace, Kept>,
}

/// The position of a texel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TexelPlace {
    image: Resource,
    coordinates: Vec<i64>,
    sample: u32,
}

/// A texel in memory.
#[derive(Debug)]
struct Kept {
    pointer: Pointer,
    /// The type of a component.
    component: TypeId,
    count: usize,
    /// Its contents when a pointer to it was created, if only atomic operations have changed it since.
    first: Option<Value>,
}

impl TexelPlace {
    /// `None` if the coordinates are undefined.
    pub(crate) fn new(image: Resource, coordinates: &Value, sample: u32) -> Option<TexelPlace> {
        let whole = std::slice::from_ref(coordinates);
        let components = coordinates.elements().unwrap_or(whole).iter().map(|component| match *component {
            Value::Int { width, bits } => Some(sign_extended(width, bits)),
            _ => None,
        });
        Some(TexelPlace { image, coordinates: components.collect::<Option<Vec<i64>>>()?, sample })
    }
}

impl ImageStore {
    pub(crate) fn new(program: &Interpreter<'_>, source: Images) -> ImageStore {
        ImageStore { source, bindings: program.bindings(), texels: BTreeMap::new() }
    }

    /// The object of a texel, if it is in memory.
    pub(crate) fn pointer(&self, place: &TexelPlace) -> Option<Pointer> {
        self.texels.get(place).map(|kept| kept.pointer)
    }

    /// Writes a texel.
    pub(crate) fn write(
        &mut self,
        memory: &mut Memory,
        place: TexelPlace,
        request: &Request<'_>,
        texel: &Value,
    ) -> Result<(), Fault> {
        let whole = [texel.clone()];
        let components = texel.elements().unwrap_or(&whole);
        let (pointer, count) = match self.texels.get_mut(&place) {
            Some(kept) => {
                kept.first = None;
                (kept.pointer, kept.count)
            }
            None => {
                let count = request.kept.min(components.len()).max(1);
                (self.keep(memory, place, request, count)?.pointer, count)
            }
        };
        let size = request.types.size(request.component);
        for (index, value) in components.iter().take(count).enumerate() {
            memory.write(request.types, request.component, pointer.advanced((index as u64 * size) as i64), value)?;
        }
        Ok(())
    }

    /// The components of a texel; `None` if it was not written.
    pub(crate) fn read(
        &self,
        memory: &Memory,
        types: &TypeTable,
        place: &TexelPlace,
    ) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.texels.get(place)?.components(memory, types))
    }

    /// A new texel with one component, `first`.
    pub(crate) fn make(
        &mut self,
        memory: &mut Memory,
        place: TexelPlace,
        request: &Request<'_>,
        first: &Value,
    ) -> Result<Pointer, Fault> {
        let kept = self.keep(memory, place, request, 1)?;
        kept.first = Some(first.clone());
        let pointer = kept.pointer;
        memory.write(request.types, request.component, pointer, first)?;
        Ok(pointer)
    }

    /// A new texel of undefined components.
    fn keep(
        &mut self,
        memory: &mut Memory,
        place: TexelPlace,
        request: &Request<'_>,
        count: usize,
    ) -> Result<&mut Kept, Fault> {
        let component = request.component;
        let pointer = memory.allocate(Owner::Shared, request.types.size(component) * count as u64)?;
        Ok(self.texels.entry(place).or_insert(Kept { pointer, component, count, first: None }))
    }

    /// The texels that the run wrote, by image and position.
    pub(crate) fn final_texels(&self, memory: &Memory, types: &TypeTable) -> Vec<Texel> {
        let texel = |(place, kept): (&TexelPlace, &Kept)| {
            let components = kept.components(memory, types).ok()?;
            let is_same = kept.first.as_ref().is_some_and(|first| components[..] == [first.clone()]);
            let TexelPlace { image, coordinates, sample } = place.clone();
            (!is_same).then_some(Texel { image, coordinates, sample, components })
        };
        self.texels.iter().filter_map(texel).collect()
    }
}

impl Kept {
    fn components(&self, memory: &Memory, types: &TypeTable) -> Result<Vec<Value>, Fault> {
        let at = |index: usize| self.pointer.advanced((index as u64 * types.size(self.component)) as i64);
        (0..self.count).map(|index| memory.read(types, self.component, at(index))).collect()
    }
}
