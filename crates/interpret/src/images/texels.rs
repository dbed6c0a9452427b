//! Texels that a run wrote: the caller provides the contents of an image until the program writes into it.
//!
//! A texel that was written, or that a pointer points to, is an object in memory, so that atomic operations work on it. It has the
//! components of the image format, unrounded: the precision of formats is not modelled. Coordinates have no bounds, and an image in two
//! variables is two images.

use std::collections::BTreeMap;

use crate::images::Bindings;
use crate::images::image::Request;
use crate::launch::outcome::Fault;
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
}

impl Memory {
    /// Writes a texel.
    pub(super) fn write_texel(
        &mut self,
        program: &Interpreter<'_>,
        place: TexelPlace,
        request: &Request<'_>,
        texel: &Value,
    ) -> Result<(), Fault> {
        let whole = [texel.clone()];
        let components = texel.elements().unwrap_or(&whole);
        let known = self.images.as_mut().and_then(|images| images.texels.get_mut(&place));
        let (pointer, count) = match known {
            Some(kept) => {
                kept.first = None;
                (kept.pointer, kept.count)
            }
            None => {
                let count = request.kept.min(components.len()).max(1);
                (self.keep(program, place, request.component, count)?.pointer, count)
            }
        };
        let size = program.types.size(request.component);
        for (index, value) in components.iter().take(count).enumerate() {
            self.write(&program.types, request.component, pointer.advanced((index as u64 * size) as i64), value)?;
        }
        Ok(())
    }

    /// The components of a texel; `None` if it was not written.
    pub(super) fn read_texel(&self, types: &TypeTable, place: &TexelPlace) -> Option<Result<Vec<Value>, Fault>> {
        let kept = self.images.as_ref()?.texels.get(place)?;
        Some(self.components(types, kept))
    }

    /// A new texel with one component, `first`.
    pub(super) fn make_texel(
        &mut self,
        program: &Interpreter<'_>,
        place: TexelPlace,
        component: TypeId,
        first: &Value,
    ) -> Result<Pointer, Fault> {
        let kept = self.keep(program, place, component, 1)?;
        kept.first = Some(first.clone());
        let pointer = kept.pointer;
        self.write(&program.types, component, pointer, first)?;
        Ok(pointer)
    }

    /// A new texel of undefined components.
    fn keep(
        &mut self,
        program: &Interpreter<'_>,
        place: TexelPlace,
        component: TypeId,
        count: usize,
    ) -> Result<&mut Kept, Fault> {
        let pointer = self.allocate(Owner::Shared, program.types.size(component) * count as u64)?;
        let images = self.images.as_mut().ok_or_else(|| Fault::unsupported("images"))?;
        Ok(images.texels.entry(place).or_insert(Kept { pointer, component, count, first: None }))
    }

    fn components(&self, types: &TypeTable, kept: &Kept) -> Result<Vec<Value>, Fault> {
        let at = |index: usize| kept.pointer.advanced((index as u64 * types.size(kept.component)) as i64);
        (0..kept.count).map(|index| self.read(types, kept.component, at(index))).collect()
    }

    /// The texels that the run wrote, by image and position.
    pub(crate) fn final_texels(&self, types: &TypeTable) -> Vec<Texel> {
        let texel = |(place, kept): (&TexelPlace, &Kept)| {
            let components = self.components(types, kept).ok()?;
            let is_same = kept.first.as_ref().is_some_and(|first| components[..] == [first.clone()]);
            let TexelPlace { image, coordinates, sample } = place.clone();
            (!is_same).then_some(Texel { image, coordinates, sample, components })
        };
        self.images.iter().flat_map(|images| &images.texels).filter_map(texel).collect()
    }
}
