//! Switches on uniform selectors: a jump table where the literals are dense, else comparisons by bisection.

use iced_x86::Code;

use super::arithmetic::Emitter;
use super::value::ScalarType;
use crate::machine::{BlockId, Class, Condition, Inst, Operand, Terminator, VReg};

/// Fewer literals are compared one after another.
const FEW: usize = 4;
/// The largest number of table entries for each literal.
const ENTRIES_OF_LITERAL: u64 = 3;

/// Ends the block by a switch. The selector is zero-extended, and so are the literals.
pub(super) fn select_switch(
    emit: &mut Emitter<'_>,
    ty: ScalarType,
    register: VReg,
    default: BlockId,
    mut cases: Vec<(u64, BlockId)>,
) {
    cases.sort_unstable_by_key(|&(literal, _)| literal);
    let (Some(&(first, _)), Some(&(last, _))) = (cases.first(), cases.last()) else {
        return emit.end(Terminator::Jump(default, Vec::new()));
    };
    let is_dense = last - first < ENTRIES_OF_LITERAL * cases.len() as u64;
    if cases.len() > FEW && is_dense && i32::try_from(first).is_ok() {
        let mut targets = vec![default; (last - first + 1) as usize];
        for &(literal, target) in &cases {
            targets[(literal - first) as usize] = target;
        }
        let to = emit.function.register(Class::General);
        let operands = [Operand::Update { from: register, to }, Operand::Immediate(first as i64)];
        emit.push(Inst::new(Code::Sub_rm64_imm32, operands));
        return emit.end(Terminator::Table { index: to, default, targets });
    }
    bisect(emit, ty, register, default, cases);
}

/// Compares with the middle, until few are left.
fn bisect(emit: &mut Emitter<'_>, ty: ScalarType, register: VReg, default: BlockId, cases: Vec<(u64, BlockId)>) {
    let mut pending = vec![(emit.block, cases)];
    while let Some((block, mut cases)) = pending.pop() {
        emit.block = block;
        if cases.len() > FEW {
            let upper = cases.split_off(cases.len() / 2);
            let (below, above) = (emit.new_block(), emit.new_block());
            compare(emit, ty, register, upper[0].0);
            emit.end(Terminator::Branch { condition: Condition::Below, then: below, otherwise: above });
            pending.extend([(below, cases), (above, upper)]);
            continue;
        }
        for (literal, target) in cases {
            let next = emit.new_block();
            compare(emit, ty, register, literal);
            emit.end(Terminator::Branch { condition: Condition::Equal, then: target, otherwise: next });
            emit.block = next;
        }
        emit.end(Terminator::Jump(default, Vec::new()));
    }
}

fn compare(emit: &mut Emitter<'_>, ty: ScalarType, register: VReg, literal: u64) {
    let inst = match (ty.bits(), i32::try_from(literal)) {
        (64, Ok(literal)) => {
            Inst::new(Code::Cmp_rm64_imm32, [Operand::Use(register), Operand::Immediate(literal.into())])
        }
        (64, Err(_)) => {
            let constant =
                emit.define(Class::General, Code::Mov_r64_imm64, [Operand::Immediate(literal.cast_signed())]);
            Inst::new(Code::Cmp_r64_rm64, [Operand::Use(register), Operand::Use(constant)])
        }
        _ => Inst::new(
            Code::Cmp_rm32_imm32,
            [Operand::Use(register), Operand::Immediate(i64::from((literal as u32).cast_signed()))],
        ),
    };
    emit.push(inst.with_effect());
}
