//! The target of an access: an object and a path of constant indices in it.
//!
//! ```text
//! %p = access_chain %v %one %i %two        (v, [1]), inexact: element i of member 1, and whatever follows
//! ```
//!
//! Places form a forest, one tree for each object, in which a place contains those below it. Accesses at inexact places are treated as
//! accesses to the whole place. Places are found through a memo, so a chain of addresses is walked once.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Decoration, StorageClass};

use super::declarations::{self as decorations, Rules, is_constant_class, is_read_only_image, is_unaliased};
use super::exposure::is_address_kept;
use super::groups::Groups;
use crate::declarations::is_read_only_buffer;

/// An accessed object: one variable, one parameter, one image, or the target of an unknown pointer.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) groups: Groups,
    /// True if accesses may go to anything exposed of the groups.
    pub(super) is_anything: bool,
    /// True if others may have its address.
    pub(super) is_exposed: bool,
    /// True if nothing writes it.
    pub(super) is_constant: bool,
    /// True if it is an array of resources, whose elements are not distinguished.
    is_array: bool,
    /// True if it is declared volatile or coherent, or something in it is.
    is_ordered: bool,
    /// The place of the whole object.
    pub(super) whole: u32,
}

/// A place in an object. Places come after those that contain them.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryPlace {
    pub(super) object: u32,
    /// The place around it; itself for a whole object.
    pub(super) parent: u32,
}

/// The target of a pointer: a place, or, if inexact, a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Location {
    pub(super) place: u32,
    pub(super) is_exact: bool,
    /// True if accesses are volatile or coherent by declaration.
    pub(super) is_ordered: bool,
}

/// The class of an access. Accesses of different classes may be to the same memory; two through equal pointers have one class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class(pub(super) u32);

/// The maximum number of operands of a pointer that is derived in one short step.
const SHORT: usize = 4;

/// The objects and places of a function, created on demand.
#[derive(Debug)]
pub(super) struct Locations<'m> {
    module: &'m Module,
    rules: Rules,
    pub(super) objects: Vec<Object>,
    pub(super) places: Vec<MemoryPlace>,
    /// Objects by variable or parameter; unknown objects by their kinds.
    by_root: FxHashMap<Inst, u32>,
    by_groups: FxHashMap<Groups, u32>,
    by_index: FxHashMap<(u32, u32), u32>,
    images: FxHashMap<Inst, u32>,
    memo: FxHashMap<Inst, Location>,
    /// By descriptor set and binding, the objects with it.
    by_binding: FxHashMap<(u32, u32), Binding>,
    /// By type, whether values of it contain something volatile or coherent.
    ordered_types: FxHashMap<Inst, bool>,
}

/// The objects of one binding.
#[derive(Debug, Default)]
struct Binding {
    /// True if they may be one memory that is written.
    is_shared: bool,
    objects: SmallVec<[u32; 1]>,
}

impl<'m> Locations<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Locations {
            module,
            rules: Rules::of(module),
            objects: Vec::new(),
            places: Vec::new(),
            by_root: FxHashMap::default(),
            by_groups: FxHashMap::default(),
            by_index: FxHashMap::default(),
            images: FxHashMap::default(),
            memo: FxHashMap::default(),
            by_binding: FxHashMap::default(),
            ordered_types: FxHashMap::default(),
        }
    }

    /// The target of a pointer.
    pub(super) fn of_pointer(&mut self, pointer: Inst) -> Location {
        let module = self.module;
        let mut chain: SmallVec<[Inst; 4]> = SmallVec::new();
        let mut current = pointer;
        let mut location = loop {
            if let Some(&known) = self.memo.get(&current) {
                break known;
            }
            match base_of(module, current) {
                Some(base) => {
                    chain.push(current);
                    current = base;
                }
                None => {
                    let root = self.of_root(current);
                    self.memo.insert(current, root);
                    break root;
                }
            }
        };
        // Deriving one short step is as fast as a lookup. Of two pointers that are derived from each other, at least one is cached.
        let is_long = chain.len() > 1 || chain.iter().any(|&derived| module.operand_count(derived) > SHORT);
        while let Some(derived) = chain.pop() {
            location = self.step(location, derived);
            if is_long {
                self.memo.insert(derived, location);
            }
        }
        location
    }

    /// The whole object that a pointer points into.
    pub(super) fn whole_of_pointer(&mut self, pointer: Inst) -> Location {
        let location = self.of_pointer(pointer);
        self.whole(location)
    }

    /// The memory of an image, from its handle.
    pub(super) fn of_image(&mut self, handle: Inst) -> Location {
        let module = self.module;
        let mut root = handle;
        while let Some(inner) = handle_in(module, root) {
            root = inner;
        }
        let pointer = view::Load::of(module, root).map(|load| load.pointer);
        self.of_image_at(pointer, module.ty(root))
    }

    /// The memory of the image whose handle a pointer points to.
    pub(super) fn of_image_pointer(&mut self, pointer: Inst) -> Location {
        self.of_image_at(Some(pointer), self.module.pointee(pointer))
    }

    fn of_image_at(&mut self, pointer: Option<Inst>, ty: Option<Inst>) -> Location {
        let module = self.module;
        let mut variable = pointer;
        while let Some(base) = variable.and_then(|pointer| base_of(module, pointer)) {
            variable = Some(base);
        }
        let variable = variable.filter(|&variable| module.op(variable) == Op::Variable);
        let object = match variable {
            Some(variable) => self.image_variable(variable, ty),
            None if ty.is_some_and(|ty| is_read_only_image(module, ty)) => self.constant(),
            None => self.anything(Groups::IMAGE),
        };
        self.inexact(object)
    }

    /// The variables and parameters that are objects, in no order.
    pub(super) fn roots(&self) -> impl Iterator<Item = (Inst, u32)> {
        self.by_root.iter().map(|(&root, &object)| (root, object))
    }

    /// The innermost object of a place.
    pub(super) fn object(&self, place: u32) -> &Object {
        &self.objects[self.places[place as usize].object as usize]
    }

    fn whole(&self, location: Location) -> Location {
        Location { place: self.object(location.place).whole, is_exact: false, ..location }
    }

    fn inexact(&self, object: u32) -> Location {
        let Object { whole, is_ordered, .. } = self.objects[object as usize];
        Location { place: whole, is_exact: false, is_ordered }
    }

    /// The target of a derived pointer, given that of its base.
    fn step(&mut self, base: Location, derived: Inst) -> Location {
        let module = self.module;
        let indexes = match view::Chain::of(module, derived) {
            Some(chain) if chain.element.is_none_or(|element| module.constant_word(element) == Some(0)) => {
                chain.indexes
            }
            // A bit cast may give the whole another type.
            Some(_) => return self.whole(base),
            None if module.op(derived) == Op::Bitcast => return self.whole(base),
            None => return base,
        };
        let mut location = base;
        for index in indexes {
            match module.constant_word(index).filter(|_| location.is_exact) {
                Some(index) => location.place = self.part(location.place, index),
                None => location.is_exact = false,
            }
        }
        location
    }

    fn part(&mut self, parent: u32, index: u32) -> u32 {
        let next = self.places.len() as u32;
        let object = self.places[parent as usize].object;
        let place = *self.by_index.entry((parent, index)).or_insert(next);
        if place == next {
            self.places.push(MemoryPlace { object, parent });
        }
        place
    }

    fn of_root(&mut self, root: Inst) -> Location {
        let module = self.module;
        let class = module.storage_class(root);
        if let Some(view::ImageTexelPointer { image, .. }) = view::ImageTexelPointer::of(module, root) {
            return self.of_image_pointer(image);
        }
        let object = match module.op(root) {
            Op::Variable => self.variable(root, class),
            Op::FunctionParameter if is_unaliased(module, root) && is_address_kept(module, root) => {
                self.known(root, Object { is_exposed: false, ..Object::of(Groups::of_class(class)) })
            }
            _ if class.is_some_and(is_constant_class) => self.constant(),
            _ => self.anything(Groups::of_class(class)),
        };
        let is_ordered = decorations::is_ordered(module, root) || self.is_ordered_type(module.pointee(root));
        self.objects[object as usize].is_ordered |= is_ordered && module.op(root) == Op::Variable;
        let Object { whole, is_array, is_anything, .. } = self.objects[object as usize];
        Location { place: whole, is_exact: !is_array && !is_anything, is_ordered }
    }

    fn variable(&mut self, variable: Inst, class: Option<StorageClass>) -> u32 {
        let module = self.module;
        let groups = Groups::of_class(class);
        let has = |kind| module.decorated(variable).has(kind);
        let is_resource = matches!(class, Some(StorageClass::Uniform | StorageClass::StorageBuffer));
        let ty = module.pointee(variable);
        let is_read_only = || is_resource && !self.rules.has_addresses && is_read_only_buffer(module, variable);
        let is_constant = match class {
            Some(StorageClass::Uniform) => !decorations::is_buffer_block(module, variable) || is_read_only(),
            Some(class) => is_constant_class(class) || is_read_only(),
            None => false,
        };
        let object = Object {
            is_anything: has(Decoration::Aliased) && groups != Groups::FUNCTION,
            is_exposed: groups != Groups::FUNCTION || !is_address_kept(module, variable),
            is_constant: is_constant && !has(Decoration::Aliased),
            is_array: is_resource && ty.is_some_and(|ty| matches!(module.op(ty), Op::TypeArray | Op::TypeRuntimeArray)),
            ..Object::of(groups)
        };
        let object = self.known(variable, object);
        if is_resource {
            self.share_binding(variable, object);
        }
        object
    }

    /// The object of a variable of images of a type.
    fn image_variable(&mut self, variable: Inst, image: Option<Inst>) -> u32 {
        let module = self.module;
        if let Some(&object) = self.images.get(&variable) {
            return object;
        }
        let has = |kind| module.decorated(variable).has(kind);
        let is_aliased = has(Decoration::Aliased) || self.rules.is_opencl;
        let object = Object {
            is_anything: is_aliased,
            is_constant: image.is_some_and(|ty| is_read_only_image(module, ty))
                || has(Decoration::NonWritable) && !is_aliased,
            is_ordered: decorations::is_ordered(module, variable),
            ..Object::of(Groups::IMAGE)
        };
        let object = self.add(object);
        self.images.insert(variable, object);
        self.share_binding(variable, object);
        object
    }

    /// Records that variables of one binding may be one memory, which matters if one of them is written.
    fn share_binding(&mut self, variable: Inst, object: u32) {
        let Some(binding) = decorations::binding(self.module, variable) else { return };
        let Binding { is_shared, objects } = self.by_binding.entry(binding).or_default();
        objects.push(object);
        let is_written = !self.objects[object as usize].is_constant;
        let marked = match (*is_shared, objects.len()) {
            (_, 1) => return,
            (true, count) => &objects[count - 1..],
            (false, _) if is_written || !self.objects[objects[0] as usize].is_constant => &objects[..],
            (false, _) => return,
        };
        *is_shared = true;
        for &object in marked {
            let object = &mut self.objects[object as usize];
            object.is_anything = true;
            object.is_constant = false;
        }
    }

    fn known(&mut self, root: Inst, object: Object) -> u32 {
        if let Some(&known) = self.by_root.get(&root) {
            return known;
        }
        let number = self.add(object);
        self.by_root.insert(root, number);
        number
    }

    fn anything(&mut self, groups: Groups) -> u32 {
        if let Some(&object) = self.by_groups.get(&groups) {
            return object;
        }
        let object = self.add(Object { is_anything: true, ..Object::of(groups) });
        self.by_groups.insert(groups, object);
        object
    }

    /// An object for memory that is never written and otherwise unknown.
    fn constant(&mut self) -> u32 {
        if let Some(&object) = self.by_groups.get(&Groups::NONE) {
            return object;
        }
        let object = self.add(Object { is_constant: true, ..Object::of(Groups::NONE) });
        self.by_groups.insert(Groups::NONE, object);
        object
    }

    fn add(&mut self, object: Object) -> u32 {
        let number = self.objects.len() as u32;
        let whole = self.places.len() as u32;
        self.places.push(MemoryPlace { object: number, parent: whole });
        self.objects.push(Object { whole, ..object });
        number
    }

    /// Returns whether a type has members that are volatile or coherent, at any depth.
    fn is_ordered_type(&mut self, ty: Option<Inst>) -> bool {
        let Some(ty) = ty else { return false };
        if let Some(&known) = self.ordered_types.get(&ty) {
            return known;
        }
        let module = self.module;
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        let mut pending = vec![ty];
        let mut is_ordered = false;
        while let Some(ty) = pending.pop().filter(|_| !is_ordered) {
            match module.type_view(ty) {
                _ if !seen.insert(ty) => {}
                Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => pending.push(element),
                Some(TypeView::Struct { members }) => {
                    is_ordered = decorations::has_ordered_member(module, ty);
                    pending.extend(members);
                }
                _ => {}
            }
        }
        self.ordered_types.insert(ty, is_ordered);
        is_ordered
    }
}

impl Object {
    /// An unknown object of these kinds.
    fn of(groups: Groups) -> Object {
        Object {
            groups,
            is_anything: false,
            is_exposed: true,
            is_constant: false,
            is_array: false,
            is_ordered: false,
            whole: 0,
        }
    }
}

/// The base of a derived pointer, if it is one.
fn base_of(module: &Module, pointer: Inst) -> Option<Inst> {
    let base = view::DerivedPointer::of(module, pointer)?.base;
    module.ty(base).filter(|&ty| module.op(ty) == Op::TypePointer).map(|_| base)
}

/// The handle that a handle is derived from, if it is.
fn handle_in(module: &Module, handle: Inst) -> Option<Inst> {
    match module.op(handle) {
        Op::SampledImage => view::SampledImage::of(module, handle).map(|made| made.image),
        Op::Image => view::Image::of(module, handle).map(|made| made.sampled_image),
        Op::CopyObject => view::CopyObject::of(module, handle).map(|copy| copy.operand),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use reconverge_ir::text;

    use super::*;

    /// Pointers with expensive derivations are followed only once.
    #[test]
    fn wide_pointers_and_those_on_the_way_to_others_are_remembered() {
        let module = text::parse(
            "%void = type_void
             %u32 = type_int 32, 0
             %two: %u32 = constant 2
             %0 = type_array %u32, %two
             %1 = type_array %0, %two
             %2 = type_array %1, %two
             %3 = type_array %2, %two
             %4 = type_array %3, %two
             %p0 = type_pointer Function, %u32
             %p3 = type_pointer Function, %3
             %p4 = type_pointer Function, %4
             %one: %u32 = constant 1
             func %f: %void () {
             block ^entry:
               %variable: %p4 = variable Function
               %short: %p3 = access_chain %variable, %one
               %wide: %p0 = access_chain %variable, %one, %one, %one, %one, %one
               %derived: %p0 = access_chain %short, %one, %one, %one, %one
               return
             }",
        );
        let module = module.unwrap_or_else(|error| panic!("{error}"));
        let entry = module.functions().find_map(|function| module.entry(function)).expect("it has a body");
        let pointers: Vec<Inst> = module.children(entry).skip(1).take(3).collect();
        let mut locations = Locations::new(&module);
        let mut known = |asked: usize| {
            locations.of_pointer(pointers[asked]);
            [0, 1, 2].map(|index| locations.memo.contains_key(&pointers[index]))
        };
        assert_eq!(known(0), [false, false, false], "one short step is taken again");
        assert_eq!(known(1), [false, true, false]);
        assert_eq!(known(2), [true, true, true]);
        let places = [1, 2].map(|index| locations.of_pointer(pointers[index]).place);
        assert_eq!(places[0], places[1], "one place, whichever way leads there");
    }
}
