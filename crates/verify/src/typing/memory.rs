//! Variables, loads, stores and pointers into memory (SPIR-V section 3.3.8): T06.

use reconverge_ir::{Inst, Op, view};
use spirv::{Capability, MemoryAccess, StorageClass};

use super::composite::INDEX_LIMIT;
use super::facts::{
    ARRAY, BOOL, BOOLS, FUNCTION, INT, MATRIX, NUMBER, NUMBERS, OTHER, POINTER, RUNTIME_ARRAY, SIGNED, STRUCT, VECTOR,
    VOID,
};
use super::narrow;
use super::rule::Check::{Bits, By, Is, PartOf};
use super::rule::{Asked, FIRST, RESULT, Rule, SECOND, THIRD};
use super::scope;
use crate::declared::version;

/// `load`.
pub(super) const LOAD: Rule = &[
    By(is_logical_pointer),
    Is(FIRST, POINTER),
    PartOf(RESULT, FIRST),
    By(loads_something_sized),
    By(reads_as_allowed),
];
/// `store`.
pub(super) const STORE: Rule = &[
    By(is_logical_pointer),
    Is(FIRST, POINTER),
    By(stores_something),
    PartOf(SECOND, FIRST),
    By(is_writable),
    By(writes_as_allowed),
];
/// `copy_memory`.
pub(super) const COPY: Rule = &[Is(FIRST, POINTER), Is(SECOND, POINTER), By(copies_one_type), By(copies_as_allowed)];
/// `copy_memory_sized`.
pub(super) const COPY_SIZED: Rule = &[Is(FIRST, POINTER), Is(SECOND, POINTER), Is(THIRD, INT), By(copies_some_bytes)];
/// Access chains from a pointer to a composite.
pub(super) const ACCESS: Rule = &[Is(RESULT, POINTER), Is(FIRST, POINTER), By(points_to_a_part)];
/// Access chains from a pointer to an element of an array.
pub(super) const ELEMENT_ACCESS: Rule =
    &[Is(RESULT, POINTER), Is(FIRST, POINTER), Is(SECOND, INT), By(points_to_a_part_of_an_element), By(has_a_stride)];
/// The same within bounds.
pub(super) const ELEMENT_IN_BOUNDS: Rule =
    &[Is(RESULT, POINTER), Is(FIRST, POINTER), Is(SECOND, INT), By(points_to_a_part_of_an_element)];
/// `lifetime_start` and `lifetime_stop`.
pub(super) const LIFETIME: Rule = &[Is(FIRST, POINTER)];
/// `array_length`.
pub(super) const ARRAY_LENGTH: Rule =
    &[Is(RESULT, INT), Bits(RESULT, &[32, 64]), Is(FIRST, POINTER), By(measures_last_member)];
/// `generic_ptr_mem_semantics`.
pub(super) const SEMANTICS_OF: Rule = &[Is(RESULT, INT), Bits(RESULT, &[32]), Is(FIRST, POINTER)];
/// Variables; R7 checks that their types are pointers to their own class.
pub(super) const VARIABLE: Rule = &[By(begins_as_allowed)];

/// Under Logical addressing pointers come from variables, access chains, parameters and similar instructions, and not from pointer
/// arithmetic.
fn is_logical_pointer(asked: &Asked<'_, '_>) -> Option<String> {
    let (module, declared) = (asked.module(), &asked.context.declared);
    let pointer = view::Access::of(module, asked.inst)?.pointer;
    if !declared.is_logical() {
        return None;
    }
    let is_right = match module.op(pointer) {
        Op::Variable
        | Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::FunctionParameter
        | Op::ImageTexelPointer
        | Op::CopyObject => true,
        Op::Select | Op::BlockParameter | Op::FunctionCall | Op::PtrAccessChain | Op::Load | Op::ConstantNull => {
            !declared.lacks(Capability::VariablePointersStorageBuffer)
        }
        op => {
            op.class() == reconverge_ir::Class::Opaque || asked.facts(FIRST).is_some_and(|facts| facts.kind != POINTER)
        }
    };
    (!is_right).then(|| format!("{} is not a pointer that Logical addressing can access", asked.name(pointer)))
}

fn loads_something_sized(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, facts) = (asked.type_of(RESULT)?, asked.facts(RESULT)?);
    if facts.kind == RUNTIME_ARRAY {
        return Some("an array without a length cannot be loaded".to_owned());
    }
    let is_plain = facts.kind & (NUMBER | NUMBERS | MATRIX | POINTER | OTHER) != 0;
    (asked.context.is_storage_only(ty) && !is_plain).then(|| {
        "of the types with storage-only 8- or 16-bit numbers, only scalars, vectors and matrices can be loaded"
            .to_owned()
    })
}

fn stores_something(asked: &Asked<'_, '_>) -> Option<String> {
    let (pointer, value) = (asked.facts(FIRST)?, asked.type_of(SECOND));
    let is_void = |ty: Inst| asked.about(ty).kind == VOID;
    match value {
        None => Some("operand 1 should be a value".to_owned()),
        Some(ty) if is_void(ty) => Some("operand 1 is void".to_owned()),
        _ => pointer.part.is_some_and(is_void).then(|| "operand 0 points to void".to_owned()),
    }
}

fn is_writable(asked: &Asked<'_, '_>) -> Option<String> {
    const READ_ONLY: [StorageClass; 4] = [
        StorageClass::UniformConstant,
        StorageClass::Input,
        StorageClass::PushConstant,
        StorageClass::ShaderRecordBufferKHR,
    ];
    let class = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?.class;
    let found = READ_ONLY.iter().find(|&&only| only as u32 == class)?;
    Some(format!("memory of class {found:?} is read-only"))
}

fn reads_as_allowed(asked: &Asked<'_, '_>) -> Option<String> {
    let class = asked.facts(FIRST)?.class;
    access_problem(asked, 1, &[class], Direction::Read)
}

fn writes_as_allowed(asked: &Asked<'_, '_>) -> Option<String> {
    let class = asked.facts(FIRST)?.class;
    access_problem(asked, 2, &[class], Direction::Write)
}

fn copies_as_allowed(asked: &Asked<'_, '_>) -> Option<String> {
    let classes = [asked.facts(FIRST)?.class, asked.facts(SECOND)?.class];
    access_problem(asked, 2, &classes, Direction::Both)
}

fn copies_some_bytes(asked: &Asked<'_, '_>) -> Option<String> {
    let classes = [asked.facts(FIRST)?.class, asked.facts(SECOND)?.class];
    let size = asked.operand(view::CopyMemorySized::SLOT.size)?;
    let is_signed = asked.facts(THIRD).is_some_and(|facts| facts.kind == SIGNED);
    if asked.context.constant(size).is_some_and(|bytes| bytes == 0 || is_signed && (bytes as i64) < 0) {
        return Some("the size should be greater than zero".to_owned());
    }
    access_problem(asked, 3, &classes, Direction::Both)
}

fn copies_one_type(asked: &Asked<'_, '_>) -> Option<String> {
    let [target, source] = [asked.facts(FIRST)?, asked.facts(SECOND)?];
    if target.kind == OTHER || source.kind == OTHER {
        return None;
    }
    if target.part.is_some_and(|part| asked.about(part).kind == VOID) {
        return Some("memory cannot be copied through a pointer to void".to_owned());
    }
    (target.part != source.part).then(|| "both pointers should point to the same type".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
    Both,
}

/// Storage classes whose memory can be shared, so that accesses are private or not.
const SHARED: [StorageClass; 7] = [
    StorageClass::Uniform,
    StorageClass::Workgroup,
    StorageClass::CrossWorkgroup,
    StorageClass::Generic,
    StorageClass::Image,
    StorageClass::StorageBuffer,
    StorageClass::PhysicalStorageBuffer,
];

/// The error in the memory access operands that begin at `index`, if there is one.
fn access_problem(asked: &Asked<'_, '_>, index: usize, classes: &[u32], direction: Direction) -> Option<String> {
    let has = |mask: u32, bit: MemoryAccess| mask & bit.bits() != 0;
    let is_physical = classes.contains(&(StorageClass::PhysicalStorageBuffer as u32));
    let mask = asked.word(index).unwrap_or(0);
    if is_physical && !has(mask, MemoryAccess::ALIGNED) {
        return Some("an access of class PhysicalStorageBuffer should have an alignment".to_owned());
    }
    asked.operand(index)?;
    if has(mask, MemoryAccess::ALIGNED) && !asked.word(index + 1).is_some_and(u32::is_power_of_two) {
        return Some("the alignment should be a power of two".to_owned());
    }
    let (makes_available, makes_visible) =
        (has(mask, MemoryAccess::MAKE_POINTER_AVAILABLE), has(mask, MemoryAccess::MAKE_POINTER_VISIBLE));
    if makes_available && direction == Direction::Read || makes_visible && direction == Direction::Write {
        return Some("a load cannot make memory available, and a store cannot make memory visible".to_owned());
    }
    let is_shared = has(mask, MemoryAccess::NON_PRIVATE_POINTER);
    if (makes_available || makes_visible) && !is_shared {
        return Some("an access that makes memory available or visible should be NonPrivatePointer".to_owned());
    }
    if is_shared && classes.iter().any(|&class| !SHARED.iter().any(|&shared| shared as u32 == class)) {
        return Some("memory of this class is always private".to_owned());
    }
    let mut next = index + 1 + usize::from(has(mask, MemoryAccess::ALIGNED));
    for is_there in [makes_available, makes_visible] {
        if is_there {
            if let Some(problem) = scope::memory_scope_problem(asked, next) {
                return Some(problem);
            }
            next += 1;
        }
    }
    let is_second = direction == Direction::Both && asked.operand(next).is_some();
    (is_second && asked.context.declared.version < version(1, 4))
        .then(|| "two memory accesses need SPIR-V 1.4".to_owned())
}

fn points_to_a_part(asked: &Asked<'_, '_>) -> Option<String> {
    chain_problem(asked, 1)
}

fn points_to_a_part_of_an_element(asked: &Asked<'_, '_>) -> Option<String> {
    chain_problem(asked, 2)
}

/// Follows the indices of an access chain from the pointee of its base.
fn chain_problem(asked: &Asked<'_, '_>, first_index: usize) -> Option<String> {
    let (result, base) = (asked.facts(RESULT)?, asked.facts(FIRST)?);
    if result.kind == OTHER || base.kind == OTHER {
        return None;
    }
    if result.class != base.class {
        return Some("the result should be a pointer of the base's storage class".to_owned());
    }
    let indices = asked.count() - first_index;
    if indices > INDEX_LIMIT {
        return Some(format!("there should be at most {INDEX_LIMIT} indices, found {indices}"));
    }
    let mut ty = base.part?;
    for number in first_index..asked.count() {
        match step(asked, ty, number) {
            Ok(Some(part)) => ty = part,
            Ok(None) => return None,
            Err(problem) => return Some(problem),
        }
    }
    (result.part != Some(ty)).then(|| {
        let found = result.part.map_or_else(String::new, |part| asked.name(part));
        format!("the result should point to the selected type {}, found {found}", asked.name(ty))
    })
}

/// One step of an access chain: the type that an index leads to, if it is known.
fn step(asked: &Asked<'_, '_>, ty: Inst, number: usize) -> Result<Option<Inst>, String> {
    let facts = asked.about(ty);
    let index = asked.operand(number).ok_or("an index is missing")?;
    let index_type = asked.module().ty(index).map_or(VOID, |ty| asked.about(ty).kind);
    if index_type & (INT | OTHER) == 0 {
        return Err(format!("operand {number} should be an integer, found {}", asked.name(index)));
    }
    match facts.kind {
        OTHER => Ok(None),
        STRUCT => {
            let members = asked.module().operands(ty);
            let Some(index) = asked.context.constant(index) else {
                return Err(format!(
                    "operand {number}, an index into a struct, should be a constant, found {}",
                    asked.name(index)
                ));
            };
            let count = members.len();
            let member = usize::try_from(index).ok().and_then(|index| members.clone().nth(index));
            member.map(Some).ok_or_else(|| {
                format!("index {} is out of range: there are {count} members in {}", index as i64, asked.name(ty))
            })
        }
        kind if kind & (VECTOR | MATRIX | ARRAY | RUNTIME_ARRAY) != 0 => {
            let value = asked.context.constant(index);
            let is_negative = value.is_some_and(|value| (value as i64) < 0);
            if is_negative && asked.context.declared.is_logical() {
                return Err(format!("index {} is negative", value.unwrap_or(0) as i64));
            }
            Ok(facts.part)
        }
        _ => Err(format!("operand {number} selects into {}, which is not a composite", asked.name(ty))),
    }
}

/// In memory with an explicit layout, the stride of elements is that of the pointer's type.
fn has_a_stride(asked: &Asked<'_, '_>) -> Option<String> {
    let declared = &asked.context.declared;
    let (ty, base) = (asked.type_of(FIRST)?, asked.facts(FIRST)?);
    let is = |class: StorageClass| base.class == class as u32;
    let is_laid_out = is(StorageClass::Uniform)
        || is(StorageClass::StorageBuffer)
        || is(StorageClass::PhysicalStorageBuffer)
        || is(StorageClass::PushConstant)
        || is(StorageClass::Workgroup) && declared.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    let is_lacking =
        declared.is_shader() && is_laid_out && !asked.context.is_decorated(ty, spirv::Decoration::ArrayStride);
    is_lacking.then(|| format!("{}, the type of operand 0, should be decorated ArrayStride", asked.name(ty)))
}

fn measures_last_member(asked: &Asked<'_, '_>) -> Option<String> {
    if asked.facts(RESULT).is_some_and(|facts| facts.kind == super::facts::SIGNED) {
        return Some("the result should be an unsigned integer".to_owned());
    }
    let pointer = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?;
    let ty = pointer.part?;
    let members = asked.module().operands(ty);
    let last = members.clone().next_back().filter(|_| asked.about(ty).kind == STRUCT);
    let is_unsized = last.is_some_and(|last| asked.about(last).kind & (RUNTIME_ARRAY | OTHER) != 0);
    if !is_unsized {
        return Some(format!("{} should be a struct that ends in an array without a length", asked.name(ty)));
    }
    let index = asked.word(view::ArrayLength::SLOT.member)?;
    (index as usize + 1 != members.len()).then(|| format!("member {index} is not the last one of {}", asked.name(ty)))
}

fn begins_as_allowed(asked: &Asked<'_, '_>) -> Option<String> {
    let (module, pointer) = (asked.module(), asked.facts(RESULT)?);
    let class = asked.word(view::Variable::SLOT.storage_class)?;
    let is = |wanted: StorageClass| class == wanted as u32;
    if is(StorageClass::Generic) || is(StorageClass::PhysicalStorageBuffer) {
        return Some("variables of this storage class are not allowed".to_owned());
    }
    let part = pointer.part.filter(|_| pointer.kind == POINTER)?;
    if asked.about(part).kind == FUNCTION {
        return Some(format!("a variable cannot hold {}", asked.name(part)));
    }
    if let Some(problem) = narrow::variable_problem(asked, class, part) {
        return Some(problem);
    }
    let is_interface = is(StorageClass::Input) || is(StorageClass::Output);
    let is_boolean = asked.about(part).kind & (BOOL | BOOLS) != 0;
    if is_interface && is_boolean && !asked.context.is_decorated(asked.inst, spirv::Decoration::BuiltIn) {
        return Some("a boolean input or output must be a built-in".to_owned());
    }
    let initializer = asked.operand(view::Variable::SLOT.initializer)?;
    if is(StorageClass::Input) || is(StorageClass::TaskPayloadWorkgroupEXT) {
        return Some("a variable of this storage class must not have an initializer".to_owned());
    }
    let is_constant = module.op(initializer).is_constant()
        || module.op(initializer) == Op::Variable && module.parent(initializer) == Some(module.root())
        || module.op(initializer).class() == reconverge_ir::Class::Opaque
        || module.op(initializer) == Op::Function;
    if !is_constant {
        return Some(format!(
            "the initializer should be a constant or a variable of the module, found {}",
            asked.name(initializer)
        ));
    }
    let ty = module.ty(initializer)?;
    let is_known = asked.about(ty).kind != OTHER && asked.about(part).kind != OTHER;
    (is_known && ty != part && module.op(initializer) != Op::Function)
        .then(|| format!("the initializer should be of type {}, found {}", asked.name(part), asked.name(ty)))
}
