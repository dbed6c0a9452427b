//! Jump threading: a jump to a block that only tests a number goes where the test leads, if the number is known at the jump.
//!
//! ```text
//! mov ecx, 0                    mov ecx, 0
//! jmp test               →      jmp exit
//! …
//! test: cmp ecx, 0
//!       je exit
//! ```
//!
//! Structured control flow leaves such tests: a path out of a construct sets a selector, which the merge block tests. After allocation
//! nothing is in SSA form any more, so that a block can lose an edge without repair. The number is found by a walk back from the jump over
//! moves of the allocator to the instruction that writes it; the walk has a limit, so that the pass is linear.

use super::allocate::Allocated;
use super::flatten::{End, Flat, Part};
use super::inst::{Condition, Operand};
use iced_x86::Code;
use regalloc2::{Allocation, Edit, Function, Inst as FlatInst, OperandKind, Output, ProgPoint};

/// The largest number of instructions that a walk visits.
const FARTHEST: usize = 48;
/// The largest number of tests that a jump skips.
const MOST_TESTS: usize = 4;

/// A block that only compares a number with a constant.
#[derive(Clone, Copy)]
struct Test {
    place: Allocation,
    bits: u32,
    constant: i64,
    condition: Condition,
    then: u32,
    otherwise: u32,
}

/// Shortens the ways over tests whose result is known.
pub(super) fn thread_jumps(allocated: &mut Allocated<'_>) {
    let Allocated { flat, output, .. } = allocated;
    let tests: Vec<Option<Test>> = (0..flat.blocks.len()).map(|block| test_of(flat, output, block)).collect();
    for block in 0..flat.blocks.len() {
        for _ in 0..MOST_TESTS {
            let End::Jump(to) = flat.blocks[block].end else { break };
            let Some(test) = tests[to as usize] else { break };
            let Some(number) = number_at_end(flat, output, block, test.place) else { break };
            let Some(holds) = test.holds(number) else { break };
            flat.blocks[block].end = End::Jump(if holds { test.then } else { test.otherwise });
        }
    }
}

impl Test {
    /// Returns whether the condition holds for a number, if it is known.
    fn holds(self, number: u64) -> Option<bool> {
        let cut = |value: i64| if self.bits == 32 { i64::from(value as i32) } else { value };
        let (a, b) = (cut(number.cast_signed()), cut(self.constant));
        let unsigned = |value: i64| value.cast_unsigned() & (u64::MAX >> (64 - self.bits));
        Some(match self.condition {
            Condition::Equal => a == b,
            Condition::NotEqual => a != b,
            Condition::Less => a < b,
            Condition::LessEqual => a <= b,
            Condition::Greater => a > b,
            Condition::GreaterEqual => a >= b,
            Condition::Below => unsigned(a) < unsigned(b),
            Condition::BelowEqual => unsigned(a) <= unsigned(b),
            Condition::Above => unsigned(a) > unsigned(b),
            Condition::AboveEqual => unsigned(a) >= unsigned(b),
            Condition::Parity | Condition::NoParity | Condition::Carry => return None,
        })
    }
}

/// The test that is all of a block.
fn test_of(flat: &Flat<'_>, output: &Output, number: usize) -> Option<Test> {
    let block = &flat.blocks[number];
    let &End::Branch { condition, then, otherwise } = &block.end else { return None };
    if block.insts.len() != 2 || !edits_of(flat, output, number).is_empty() {
        return None;
    }
    let first = FlatInst::new(block.insts.start as usize);
    let Part::Inst { block, index } = flat.parts[first.index()] else { return None };
    let inst = &flat.function.blocks[block as usize].insts[index as usize];
    let (bits, constant) = match (inst.code, inst.operands.as_slice()) {
        (Code::Test_rm32_r32, [Operand::Use(a), Operand::Use(b)]) if a == b => (32, 0),
        (Code::Cmp_rm32_imm32, [Operand::Use(_), Operand::Immediate(constant)]) => (32, *constant),
        (Code::Cmp_rm64_imm32, [Operand::Use(_), Operand::Immediate(constant)]) => (64, *constant),
        _ => return None,
    };
    Some(Test { place: output.inst_allocs(first)[0], bits, constant, condition, then, otherwise })
}

/// The edits of a block, which are in the order of the code.
fn edits_of<'o>(flat: &Flat<'_>, output: &'o Output, block: usize) -> &'o [(ProgPoint, Edit)] {
    let insts = &flat.blocks[block].insts;
    let place = |inst: u32| output.edits.partition_point(|(point, _)| point.inst().index() < inst as usize);
    &output.edits[place(insts.start)..place(insts.end)]
}

/// The constant that a place holds at the end of a block, if a walk finds it.
fn number_at_end(flat: &Flat<'_>, output: &Output, block: usize, place: Allocation) -> Option<u64> {
    let (mut block, mut place, mut visited) = (block, place, 0);
    loop {
        let mut edits = edits_of(flat, output, block).iter().rev().peekable();
        for inst in flat.blocks[block].insts.clone().rev().map(|inst| FlatInst::new(inst as usize)) {
            let mut follow = |point: ProgPoint| {
                while let Some((_, Edit::Move { from, to })) = edits.next_if(|(at, _)| *at >= point) {
                    if *to == place {
                        place = *from;
                    }
                }
                place
            };
            let after = follow(ProgPoint::after(inst));
            if writes(flat, output, inst, after) {
                return constant_of(flat, inst);
            }
            follow(ProgPoint::before(inst));
            visited += 1;
            if visited > FARTHEST {
                return None;
            }
        }
        let [from] = flat.predecessors(block) else { return None };
        block = from.index();
    }
}

/// Returns whether an instruction may change what a place holds.
fn writes(flat: &Flat<'_>, output: &Output, inst: FlatInst, place: Allocation) -> bool {
    let operands = flat.inst_operands(inst).iter().zip(output.inst_allocs(inst));
    let mut written = operands.filter(|(operand, _)| operand.kind() == OperandKind::Def);
    let is_clobbered = place.as_reg().is_some_and(|register| flat.inst_clobbers(inst).contains(register));
    is_clobbered || written.any(|(_, allocation)| *allocation == place)
}

/// The number that an instruction writes.
fn constant_of(flat: &Flat<'_>, inst: FlatInst) -> Option<u64> {
    let Part::Inst { block, index } = flat.parts[inst.index()] else { return None };
    let inst = &flat.function.blocks[block as usize].insts[index as usize];
    match (inst.code, inst.operands.last()) {
        (Code::Mov_r32_imm32, Some(&Operand::Immediate(number))) => Some(u64::from(number as u32)),
        _ => None,
    }
}
