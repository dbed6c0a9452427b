//! The requirements of instructions on the lanes around them.
//!
//! | instruction | requires | code |
//! |---|---|---|
//! | control barriers, group operations of kernels, asynchronous copies | all lanes of their scope, together | W01 |
//! | derivatives, sampling with an implicit level, in fragment shaders | all lanes of the draw call, together | W02 |
//! | subgroup and quad operations | all lanes of the subgroup, together | W03 |
//! | lane of a broadcast, index in a quad, delta of a rotation; arguments of asynchronous copies and scopes | uniform operand | W04 |
//! | delta of a shuffle up or down, mask of a shuffle xor | uniform operand | W05 |
//!
//! W01 and W04 are SPIR-V's own rules: otherwise the behaviour is undefined. W02 is WGSL's rule; SPIR-V gives undefined values. W03 and W05
//! are only WGSL's; SPIR-V defines the behaviour.

use reconverge_analysis::uniformity::Scope;
use reconverge_ir::{Class, Effects, Inst, Module, Op, OpGroup, view};

use crate::Code;

/// The requirement of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Requirement {
    /// The check.
    pub(super) code: Code,
    /// The lanes that it concerns.
    pub(super) scope: Scope,
    /// The operand that must be uniform; `None` if the lanes must be converged.
    pub(super) operand: Option<usize>,
}

impl Requirement {
    const fn together(code: Code, scope: Scope) -> Requirement {
        Requirement { code, scope, operand: None }
    }

    const fn uniform(code: Code, scope: Scope, operand: usize) -> Requirement {
        Requirement { code, scope, operand: Some(operand) }
    }
}

/// The requirement of an instruction: mostly none.
pub(super) fn requirements(module: &Module, inst: Inst) -> Vec<Requirement> {
    use Scope::{Draw, Subgroup};
    let op = module.op(inst);
    let together = |code| vec![Requirement::together(code, Subgroup)];
    let with_operand =
        |code, operand| vec![Requirement::together(Code::W03, Subgroup), Requirement::uniform(code, Subgroup, operand)];
    match op {
        Op::ControlBarrier => barrier(module, inst),
        Op::GroupAsyncCopy | Op::GroupWaitEvents => group(module, inst, 1..group_arguments(op)),
        Op::GroupBroadcast => group(module, inst, 2..3),
        Op::GroupNonUniformBroadcast | Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformRotateKHR => {
            with_operand(Code::W04, 2)
        }
        Op::SubgroupReadInvocationKHR => with_operand(Code::W04, 1),
        Op::GroupNonUniformShuffleXor | Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => {
            with_operand(Code::W05, 2)
        }
        _ if op.group() == OpGroup::WholeGroup => group(module, inst, 0..0),
        _ if op.class() == Class::Group => together(Code::W03),
        _ if op.class() != Class::Opaque && op.effects().contains(Effects::DERIVATIVE) => {
            vec![Requirement::together(Code::W02, Draw)]
        }
        _ => Vec::new(),
    }
}

fn barrier(module: &Module, inst: Inst) -> Vec<Requirement> {
    let Some(view::ControlBarrier { execution, .. }) = view::ControlBarrier::of(module, inst) else {
        return Vec::new();
    };
    let Some(scope) = execution_scope(module, execution) else { return Vec::new() };
    let mut asked = vec![Requirement::together(Code::W01, scope)];
    let arguments = module.operands(inst).enumerate().filter(|&(_, operand)| !module.op(operand).is_constant());
    asked.extend(arguments.map(|(index, _)| Requirement::uniform(Code::W04, scope, index)));
    asked
}

/// A group operation of kernels: all lanes of its scope must reach it, with the same values of some operands.
fn group(module: &Module, inst: Inst, operands: std::ops::Range<usize>) -> Vec<Requirement> {
    let execution = module.operands(inst).next();
    let Some(scope) = execution.and_then(|scope| execution_scope(module, scope)) else { return Vec::new() };
    let uniform = operands.map(|operand| Requirement::uniform(Code::W04, scope, operand));
    std::iter::once(Requirement::together(Code::W01, scope)).chain(uniform).collect()
}

/// One more than the last operand that must be the same for all: destination, source, count, stride; the number of events.
fn group_arguments(op: Op) -> usize {
    if op == Op::GroupAsyncCopy { 5 } else { 2 }
}

/// The lanes that an operation with an execution scope concerns. A wider scope is treated as the workgroup, which all of those contain; so
/// is an unknown one, such as a specialization constant: it may become the workgroup, whatever its default.
fn execution_scope(module: &Module, scope: Inst) -> Option<Scope> {
    match module.constant_word(scope).and_then(spirv::Scope::from_u32) {
        Some(spirv::Scope::Subgroup) => Some(Scope::Subgroup),
        Some(spirv::Scope::Invocation | spirv::Scope::ShaderCallKHR) => None,
        _ => Some(Scope::Workgroup),
    }
}
