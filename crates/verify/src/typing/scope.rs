//! Scopes and memory semantics, which are operands of atomics, barriers and group operations (SPIR-V sections 3.1.25 and 3.1.27): T07.

use reconverge_ir::{Inst, Op, OperandKind, view};
use spirv::{Capability, MemorySemantics, Scope};

use super::facts::{BOOL, INT, NAMED_BARRIER, OTHER};
use super::rule::Check::{Bits, By, Is};
use super::rule::{Asked, FIRST, RESULT, Rule};

/// `control_barrier` and `memory_barrier`.
pub(super) const BARRIER: Rule = &[By(has_right_scopes)];
/// `named_barrier_initialize`.
pub(super) const INITIALIZE_BARRIER: Rule = &[Is(RESULT, NAMED_BARRIER), Is(FIRST, INT), Bits(FIRST, &[32])];
/// `memory_named_barrier`.
pub(super) const NAMED_BARRIER_WAIT: Rule = &[Is(FIRST, NAMED_BARRIER), By(has_right_scopes)];
/// Ops with a scope and no other operand with a type.
pub(super) const ELECT: Rule = &[By(has_right_scopes), Is(RESULT, BOOL)];

/// A 32-bit integer operand: its value if it is known.
enum Word {
    Known(u32),
    Chosen,
    Unknown,
}

fn word(asked: &Asked<'_, '_>, operand: Inst, what: &str) -> Result<Word, String> {
    let ty = asked.module().ty(operand);
    let facts = ty.map(|ty| *asked.about(ty));
    match facts {
        Some(facts) if facts.kind == OTHER => return Ok(Word::Unknown),
        Some(facts) if facts.kind & INT != 0 && facts.width == 32 => {}
        _ => return Err(format!("{what} should be an integer of 32 bits, found {}", asked.name(operand))),
    }
    if let Some(value) = asked.context.constant(operand) {
        return Ok(Word::Known(value as u32));
    }
    let declared = &asked.context.declared;
    let is_free = !declared.is_whole
        || !declared.is_shader()
        || declared.has(Capability::CooperativeMatrixNV) && asked.module().op(operand).is_constant();
    if is_free {
        Ok(Word::Chosen)
    } else {
        Err(format!("{what} should be a constant in a shader, found {}", asked.name(operand)))
    }
}

/// Checks all operands that are scopes or semantics in the op table.
pub(super) fn has_right_scopes(asked: &Asked<'_, '_>) -> Option<String> {
    let scopes = (0..asked.count()).filter(|&number| kind(asked, number) == Some(OperandKind::Scope));
    let mut last_scope = None;
    for number in scopes {
        last_scope = Some(number);
        // The second scope of a barrier is the memory scope.
        let is_memory = asked.op != Op::ControlBarrier && takes_semantics(asked) || number > 0;
        let problem = if is_memory { memory_scope_problem(asked, number) } else { scope_problem(asked, number) };
        if problem.is_some() {
            return problem;
        }
    }
    if (Op::GroupNonUniformElect..=Op::GroupNonUniformQuadSwap).contains(&asked.op)
        || asked.op == Op::GroupNonUniformRotateKHR
    {
        let scope = asked.operand(0).and_then(|scope| asked.context.constant(scope));
        let is_right = scope.is_none_or(|scope| scope == Scope::Subgroup as u64 || scope == Scope::Workgroup as u64);
        if !is_right {
            return Some("the scope should be Subgroup or Workgroup".to_owned());
        }
    }
    let mut semantics = (0..asked.count()).filter(|&number| kind(asked, number) == Some(OperandKind::Semantics));
    let equal = semantics.next()?;
    semantics_problem(asked, equal, last_scope, None)
        .or_else(|| semantics.next().and_then(|unequal| semantics_problem(asked, unequal, last_scope, Some(equal))))
}

/// Checks the scope of a clock: Subgroup or Device.
pub(super) fn is_scope_of_clock(asked: &Asked<'_, '_>) -> Option<String> {
    let scope = asked.operand(view::ReadClockKHR::SLOT.execution).and_then(|scope| asked.context.constant(scope));
    let is_right = scope.is_none_or(|scope| scope == Scope::Subgroup as u64 || scope == Scope::Device as u64);
    has_right_scopes(asked).or_else(|| (!is_right).then(|| "the scope should be Subgroup or Device".to_owned()))
}

fn kind(asked: &Asked<'_, '_>, number: usize) -> Option<OperandKind> {
    asked.op.operand_kind(number)
}

fn takes_semantics(asked: &Asked<'_, '_>) -> bool {
    asked.op.signature().iter().any(|entry| entry.kind == OperandKind::Semantics)
}

fn scope_problem(asked: &Asked<'_, '_>, number: usize) -> Option<String> {
    match word(asked, asked.operand(number)?, "the scope") {
        Err(problem) => Some(problem),
        Ok(Word::Known(value)) => (value > Scope::ShaderCallKHR as u32).then(|| format!("{value} is not a scope")),
        Ok(_) => None,
    }
}

/// The error in a memory scope, if there is one.
pub(super) fn memory_scope_problem(asked: &Asked<'_, '_>, number: usize) -> Option<String> {
    if let Some(problem) = scope_problem(asked, number) {
        return Some(problem);
    }
    let Ok(Word::Known(value)) = word(asked, asked.operand(number)?, "the scope") else { return None };
    let declared = &asked.context.declared;
    let is_vulkan = declared.has(Capability::VulkanMemoryModel);
    if !declared.is_whole {
        return None;
    }
    if value == Scope::QueueFamily as u32 && !is_vulkan {
        return Some("the scope QueueFamily needs the capability VulkanMemoryModel".to_owned());
    }
    (value == Scope::Device as u32 && is_vulkan && !declared.has(Capability::VulkanMemoryModelDeviceScope))
        .then(|| "the scope Device needs the capability VulkanMemoryModelDeviceScope".to_owned())
}

const ORDERS: MemorySemantics = MemorySemantics::ACQUIRE
    .union(MemorySemantics::RELEASE)
    .union(MemorySemantics::ACQUIRE_RELEASE)
    .union(MemorySemantics::SEQUENTIALLY_CONSISTENT);
/// The storage class bits of memory semantics that Vulkan's memory model allows.
const MEMORY: MemorySemantics = MemorySemantics::UNIFORM_MEMORY
    .union(MemorySemantics::WORKGROUP_MEMORY)
    .union(MemorySemantics::IMAGE_MEMORY)
    .union(MemorySemantics::OUTPUT_MEMORY);

fn semantics_problem(
    asked: &Asked<'_, '_>,
    number: usize,
    scope: Option<usize>,
    equal: Option<usize>,
) -> Option<String> {
    let bits = match word(asked, asked.operand(number)?, "the memory semantics") {
        Err(problem) => return Some(problem),
        Ok(Word::Known(value)) => MemorySemantics::from_bits_retain(value),
        Ok(_) => return None,
    };
    let declared = &asked.context.declared;
    let has = |wanted: MemorySemantics| bits.intersects(wanted);
    let orders = (bits & ORDERS).bits().count_ones();
    if orders > 1 {
        return Some("memory semantics have at most one order".to_owned());
    }
    if has(MemorySemantics::UNIFORM_MEMORY) && declared.lacks(Capability::Shader) {
        return Some("the semantics UniformMemory need the capability Shader".to_owned());
    }
    let of_vulkan = MemorySemantics::OUTPUT_MEMORY
        | MemorySemantics::MAKE_AVAILABLE
        | MemorySemantics::MAKE_VISIBLE
        | MemorySemantics::VOLATILE;
    if has(of_vulkan) && declared.lacks(Capability::VulkanMemoryModel) {
        return Some("these semantics need the capability VulkanMemoryModel".to_owned());
    }
    order_problem(asked, bits, equal)
        .or_else(|| available_problem(asked, bits))
        .or_else(|| equal.and_then(|equal| stronger_problem(asked, bits, equal)))
        .or_else(|| vulkan_problem(asked, bits, scope))
}

/// Memory orders that an op cannot have. `equal` is the operand for equal values of the order for unequal ones.
fn order_problem(asked: &Asked<'_, '_>, bits: MemorySemantics, equal: Option<usize>) -> Option<String> {
    let both = MemorySemantics::ACQUIRE_RELEASE;
    let wrong = match asked.op {
        Op::AtomicStore | Op::AtomicFlagClear => both | MemorySemantics::ACQUIRE,
        Op::AtomicLoad => both | MemorySemantics::RELEASE,
        _ if equal.is_some() => both | MemorySemantics::RELEASE,
        _ => return None,
    };
    bits.intersects(wrong).then(|| format!("`{}` cannot have this order here", asked.op.name()))
}

fn available_problem(asked: &Asked<'_, '_>, bits: MemorySemantics) -> Option<String> {
    let has = |wanted: MemorySemantics| bits.intersects(wanted);
    if has(MemorySemantics::MAKE_AVAILABLE) && !has(MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE) {
        return Some("semantics with MakeAvailable need Release".to_owned());
    }
    if has(MemorySemantics::MAKE_VISIBLE) && !has(MemorySemantics::ACQUIRE | MemorySemantics::ACQUIRE_RELEASE) {
        return Some("semantics with MakeVisible need Acquire".to_owned());
    }
    let is_atomic = asked.op.class() == reconverge_ir::Class::Atomic;
    (has(MemorySemantics::VOLATILE) && !is_atomic).then(|| "only atomics can be volatile".to_owned())
}

/// The order for unequal values is not stronger than that for equal values.
fn stronger_problem(asked: &Asked<'_, '_>, bits: MemorySemantics, equal: usize) -> Option<String> {
    let Ok(Word::Known(value)) = word(asked, asked.operand(equal)?, "the memory semantics") else { return None };
    let equal = MemorySemantics::from_bits_retain(value);
    let is_stronger = bits.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT)
        && !equal.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT)
        || bits.intersects(MemorySemantics::ACQUIRE) && !equal.intersects(ORDERS);
    let differs = |wanted: MemorySemantics| bits.intersects(wanted) && !equal.intersects(wanted);
    let names_other = !(bits & MEMORY).difference(equal & MEMORY).is_empty();
    if is_stronger || differs(MemorySemantics::MAKE_VISIBLE) || names_other {
        return Some("the semantics where the comparison fails are stronger than where it succeeds".to_owned());
    }
    (bits.intersects(MemorySemantics::VOLATILE) != equal.intersects(MemorySemantics::VOLATILE))
        .then(|| "the semantics of a compare-exchange must be volatile in both cases, or in none".to_owned())
}

/// The additional rules of Vulkan's memory model.
fn vulkan_problem(asked: &Asked<'_, '_>, bits: MemorySemantics, scope: Option<usize>) -> Option<String> {
    if !asked.context.declared.is_vulkan_memory_model() {
        return None;
    }
    let (is_ordered, names_memory) = (bits.intersects(ORDERS), bits.intersects(MEMORY));
    if bits.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT) {
        return Some("Vulkan's memory model has no SequentiallyConsistent".to_owned());
    }
    if asked.op == Op::MemoryBarrier && !is_ordered {
        return Some("a memory barrier should have an order".to_owned());
    }
    if is_ordered != names_memory {
        return Some(
            "semantics with an order should name a storage class, and semantics with a storage class an order"
                .to_owned(),
        );
    }
    let scope = scope.and_then(|scope| asked.operand(scope)).and_then(|scope| asked.context.constant(scope));
    (is_ordered && scope == Some(Scope::Invocation as u64))
        .then(|| "the scope Invocation cannot have a memory order".to_owned())
}
