//! Facts about types for the rules, computed once for a module.
//!
//! A type has one kind, and kinds are bits, so that "a scalar or a vector of floats" is one word. Types that no rule distinguishes, and
//! those that the op table does not contain, have the kind [`OTHER`], which is not checked: every set of kinds contains it.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op};
use spirv::Capability;

use crate::declared::Declared;
use crate::layout::Layout;

/// A set of kinds of types.
pub(crate) type Kinds = u32;

pub(crate) const OTHER: Kinds = 1;
pub(crate) const VOID: Kinds = 1 << 1;
pub(crate) const BOOL: Kinds = 1 << 2;
pub(crate) const SIGNED: Kinds = 1 << 3;
pub(crate) const UNSIGNED: Kinds = 1 << 4;
pub(crate) const FLOAT: Kinds = 1 << 5;
pub(crate) const BOOLS: Kinds = 1 << 6;
pub(crate) const SIGNED_VECTOR: Kinds = 1 << 7;
pub(crate) const UNSIGNED_VECTOR: Kinds = 1 << 8;
pub(crate) const FLOATS: Kinds = 1 << 9;
pub(crate) const MATRIX: Kinds = 1 << 10;
pub(crate) const ARRAY: Kinds = 1 << 11;
pub(crate) const RUNTIME_ARRAY: Kinds = 1 << 12;
pub(crate) const STRUCT: Kinds = 1 << 13;
pub(crate) const POINTER: Kinds = 1 << 14;
pub(crate) const IMAGE: Kinds = 1 << 15;
pub(crate) const SAMPLER: Kinds = 1 << 16;
pub(crate) const SAMPLED_IMAGE: Kinds = 1 << 17;
pub(crate) const FUNCTION: Kinds = 1 << 18;
pub(crate) const EVENT: Kinds = 1 << 19;
pub(crate) const NAMED_BARRIER: Kinds = 1 << 20;
pub(crate) const RAY_QUERY: Kinds = 1 << 21;
pub(crate) const ACCELERATION_STRUCTURE: Kinds = 1 << 22;
/// Opaque types, events, queues, pipes and similar types: their values are only passed on.
pub(crate) const HANDLE: Kinds = 1 << 23;
/// A type that is not known yet: a parameter of a generic, an associated type, the type of a value of interface type. Its values are only passed
/// on.
pub(crate) const PARAMETER: Kinds = 1 << 24;

pub(crate) const INT: Kinds = SIGNED | UNSIGNED;
pub(crate) const INTS: Kinds = SIGNED_VECTOR | UNSIGNED_VECTOR;
pub(crate) const SCALAR: Kinds = BOOL | INT | FLOAT;
pub(crate) const NUMBER: Kinds = INT | FLOAT;
pub(crate) const NUMBERS: Kinds = INTS | FLOATS;
pub(crate) const VECTOR: Kinds = BOOLS | INTS | FLOATS;
pub(crate) const COMPOSITE: Kinds = VECTOR | MATRIX | ARRAY | RUNTIME_ARRAY | STRUCT;

/// The kinds by name, for messages.
const NAMES: [(Kinds, &str); 18] = [
    (VOID, "void"),
    (BOOL, "a boolean"),
    (INT, "an integer"),
    (SIGNED, "a signed integer"),
    (UNSIGNED, "an unsigned integer"),
    (FLOAT, "a float"),
    (BOOLS, "a vector of booleans"),
    (INTS, "a vector of integers"),
    (SIGNED_VECTOR, "a vector of signed integers"),
    (UNSIGNED_VECTOR, "a vector of unsigned integers"),
    (FLOATS, "a vector of floats"),
    (MATRIX, "a matrix"),
    (ARRAY, "an array"),
    (STRUCT, "a struct"),
    (POINTER, "a pointer"),
    (IMAGE, "an image"),
    (SAMPLER, "a sampler"),
    (SAMPLED_IMAGE, "a sampled image"),
];

/// The kinds of a set, as text.
pub(crate) fn describe(kinds: Kinds) -> String {
    let (mut words, mut left) = (Vec::new(), kinds);
    for (kind, name) in NAMES {
        if left & kind == kind {
            words.push(name);
            left &= !kind;
        }
    }
    match words.split_last() {
        None => "of another kind".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

/// The facts about one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TypeFacts {
    pub(crate) kind: Kinds,
    /// The width of a number, or of each component; 0 for other types.
    pub(crate) width: u32,
    /// The components of a vector or columns of a matrix; 1 for everything else.
    pub(crate) count: u32,
    /// The type of a component, column or element, of the pointee of a pointer, or of the texels of an image.
    pub(crate) part: Option<Inst>,
    /// The storage class of a pointer.
    pub(crate) class: u32,
    /// The sum of the widths, 8 and 16, of numbers in it that shaders can only load, store and convert with the declared capabilities.
    pub(crate) storage_only: u32,
    /// True if it is or contains a runtime array.
    pub(crate) is_unsized: bool,
}

const NOTHING_KNOWN: TypeFacts =
    TypeFacts { kind: OTHER, width: 0, count: 1, part: None, class: u32::MAX, storage_only: 0, is_unsized: false };

/// The facts about every type at module level and in generics.
pub(crate) struct Types {
    /// By instruction: its index in `facts`; 0 if it is not a type at module level.
    places: Vec<u32>,
    facts: Vec<TypeFacts>,
}

impl Types {
    /// The facts about the types of a module. A type must come after its members; otherwise its facts are unknown. Linear.
    pub(crate) fn compute(module: &Module, layout: &Layout, declared: &Declared) -> Types {
        let mut types = Types { places: vec![0; module.capacity()], facts: vec![NOTHING_KNOWN] };
        for line in layout.declarations().iter().filter(|line| line.op.is_type() || may_be_type(line.op)) {
            let mut facts = types.facts_about(module, line.inst);
            types.note_narrowness(module, line.inst, declared, &mut facts);
            types.places[line.inst.index()] = types.facts.len() as u32;
            types.facts.push(facts);
        }
        types
    }

    /// Returns whether any type contains numbers that can only be stored.
    pub(crate) fn has_storage_only(&self) -> bool {
        self.facts.iter().any(|facts| facts.storage_only != 0)
    }

    /// The facts about a type.
    pub(crate) fn of(&self, ty: Inst) -> &TypeFacts {
        &self.facts[self.places[ty.index()] as usize]
    }

    fn facts_about(&self, module: &Module, ty: Inst) -> TypeFacts {
        let known = |kind: Kinds| TypeFacts { kind, ..NOTHING_KNOWN };
        if may_be_type(module.op(ty)) {
            return known(if is_known_lookup(module, ty) { OTHER } else { PARAMETER });
        }
        let Some(view) = module.type_view(ty) else { return NOTHING_KNOWN };
        match view {
            TypeView::Void => known(VOID),
            TypeView::Bool => known(BOOL),
            TypeView::Int { width, is_signed } => {
                TypeFacts { width, ..known(if is_signed { SIGNED } else { UNSIGNED }) }
            }
            TypeView::Float { width, is_ieee: true } => TypeFacts { width, ..known(FLOAT) },
            // Floats of other encodings have other rules.
            TypeView::Float { .. } => NOTHING_KNOWN,
            TypeView::Vector { component, count } => {
                let TypeFacts { width, kind, .. } = *self.of(component);
                TypeFacts { width, count, part: Some(component), ..known(vector(kind)) }
            }
            TypeView::Matrix { column, count } => {
                let TypeFacts { width, kind, .. } = *self.of(column);
                TypeFacts { width, count, part: Some(column), ..known(if kind == OTHER { OTHER } else { MATRIX }) }
            }
            TypeView::Array { element, .. } => TypeFacts { part: Some(element), ..known(ARRAY) },
            TypeView::RuntimeArray { element } => TypeFacts { part: Some(element), ..known(RUNTIME_ARRAY) },
            TypeView::Struct { .. } => known(STRUCT),
            TypeView::Pointer { pointee, .. } => {
                // The number, since a storage class may be unknown.
                let class = module.operands(ty).nth(view::TypePointer::SLOT.storage_class);
                let class = class.and_then(|class| module.literal_word(class)).unwrap_or(u32::MAX);
                TypeFacts { part: Some(pointee), class, ..known(POINTER) }
            }
            TypeView::Function { .. } => known(FUNCTION),
            TypeView::Image(image) => TypeFacts { part: Some(image.sampled_type), ..known(IMAGE) },
            TypeView::SampledImage { image } => TypeFacts { part: Some(image), ..known(SAMPLED_IMAGE) },
            TypeView::CooperativeMatrix(_) => NOTHING_KNOWN,
            TypeView::Other(op) => known(kind_of_op(op)),
        }
    }
}

/// Returns whether instructions of an op may be types that are not known yet. What a request returns is not known here either, but may be a
/// struct.
fn may_be_type(op: Op) -> bool {
    matches!(op, Op::GenericParameter | Op::Requirement | Op::LookupWitness | Op::ExtractType)
}

/// Returns whether a type is looked up in a table of the module: it is a type of the module then, in other words.
fn is_known_lookup(module: &Module, ty: Inst) -> bool {
    let witness = view::LookupWitness::of(module, ty).map(|lookup| module.op(lookup.witness));
    matches!(witness, Some(Op::WitnessTable | Op::Specialize))
}

/// The kind of types without other facts.
fn kind_of_op(op: Op) -> Kinds {
    match op {
        Op::TypeSampler => SAMPLER,
        Op::TypeEvent => EVENT,
        Op::TypeNamedBarrier => NAMED_BARRIER,
        Op::TypeRayQueryKHR => RAY_QUERY,
        Op::TypeAccelerationStructureKHR => ACCELERATION_STRUCTURE,
        Op::TypeOpaque
        | Op::TypeDeviceEvent
        | Op::TypeReserveId
        | Op::TypeQueue
        | Op::TypePipe
        | Op::TypePipeStorage
        | Op::TypeKind
        | Op::TypeWitness => HANDLE,
        Op::TypeExistential => PARAMETER,
        _ => OTHER,
    }
}

impl Types {
    /// Records whether values of a type can only be stored: one of its members has this property.
    fn note_narrowness(&self, module: &Module, ty: Inst, declared: &Declared, facts: &mut TypeFacts) {
        let op = module.op(ty);
        match op {
            Op::TypeInt => {
                let is_narrow = match facts.width {
                    8 => declared.lacks(Capability::Int8),
                    16 => declared.lacks(Capability::Int16),
                    _ => false,
                };
                facts.storage_only = if is_narrow && declared.is_shader() { facts.width } else { 0 };
            }
            Op::TypeFloat => {
                let is_narrow = facts.width == 16 && declared.lacks(Capability::Float16);
                facts.storage_only = if is_narrow && declared.is_shader() { facts.width } else { 0 };
            }
            Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct => {
                for part in module.operands(ty).filter(|&part| module.op(part).is_type()) {
                    facts.storage_only |= self.of(part).storage_only;
                    facts.is_unsized |= self.of(part).is_unsized;
                }
                facts.is_unsized |= op == Op::TypeRuntimeArray;
            }
            _ => {}
        }
    }
}

/// The kind of a vector whose components have this kind.
const fn vector(component: Kinds) -> Kinds {
    match component {
        BOOL => BOOLS,
        SIGNED => SIGNED_VECTOR,
        UNSIGNED => UNSIGNED_VECTOR,
        FLOAT => FLOATS,
        _ => OTHER,
    }
}
