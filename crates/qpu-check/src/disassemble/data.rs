//! Words that `vc4asm` has no text for.
//!
//! The assembler decodes each word again after parsing and changes it: a write without a target becomes a write under the condition never,
//! a lone small immediate becomes a load, `x - x` becomes a load of zero, the second input of a unary operation becomes the first. And some
//! fields cannot be expressed in its language: inputs of a nop, reserved codes, an unpack that nothing reads. A word is printed as data if
//! the former change it or if it needs one of the latter.

use super::alu::idle_reads;
use super::fields::{Alu, Branch, FROM_B, Load, NOWHERE, Word, Writes};
use super::names;

/// The reason why the word is printed as data; `None` if the assembler restores it from its text.
pub(super) fn reason(word: &Word) -> Option<&'static str> {
    match word {
        Word::Alu(alu) => reserved(alu)
            .or_else(|| idle_fields(alu))
            .or_else(|| unpack(alu))
            .or_else(|| alu_pack(alu))
            .or_else(|| immediate(alu))
            .or_else(|| folded(alu)),
        Word::Load(load) => load_reason(load),
        Word::Branch(branch) => branch_reason(branch),
    }
}

fn first(cases: &[(bool, &'static str)]) -> Option<&'static str> {
    cases.iter().find(|case| case.0).map(|case| case.1)
}

fn reserved(alu: &Alu) -> Option<&'static str> {
    first(&[(names::ADD[usize::from(alu.op_add)].is_empty(), "a reserved operation of the adder")])
}

/// Fields that have no effect and that the assembler sets to values of its own.
fn idle_fields(alu: &Alu) -> Option<&'static str> {
    let writes = &alu.writes;
    let [add_a, add_b] = alu.add_inputs();
    let add_condition = writes.waddr_add == NOWHERE && !writes.sets_flags && writes.cond_add != 0;
    let mul_condition = writes.waddr_mul == NOWHERE && !alu.flags_come_from_mul() && writes.cond_mul != 0;
    first(&[
        (alu.op_add == 0 && alu.add_inputs() != [0, 0], "inputs of a nop of the adder"),
        (alu.op_mul == 0 && alu.mul_inputs() != [0, 0], "inputs of a nop of the multiplier"),
        (alu.is_unary() && add_a != add_b, "a second input of a unary operation"),
        (add_condition, "a condition of the adder's write to nowhere"),
        (mul_condition, "a condition of the multiplier's write to nowhere"),
    ])
}

fn unpack(alu: &Alu) -> Option<&'static str> {
    let adder_unpacks = alu.add_inputs().iter().any(|&input| alu.unpacks(input));
    let is_float = matches!(alu.op_add, 1..=7);
    let is_mixed = !alu.writes.pm && alu.unpack != 3 && adder_unpacks && !is_float && alu.op_mul == 1;
    let is_used = alu.inputs.iter().any(|&input| alu.unpacks(input));
    first(&[
        (alu.unpack != 0 && !is_used, "an unpack that nothing reads"),
        (is_mixed, "an unpack of an integer beside a multiplication of floats"),
        (is_used && !idle_reads(alu).is_empty(), "an unpack beside a read that nothing uses"),
    ])
}

fn alu_pack(alu: &Alu) -> Option<&'static str> {
    let is_idle = alu.writes.pm && alu.unpack == 0 && alu.writes.pack == 0;
    let has_no_part = alu.writes.pm && alu.writes.pack != 0 && !alu.shows_mul();
    first(&[(is_idle, "a pack mode without a pack or unpack"), (has_no_part, "a pack of the idle multiplier")])
        .or_else(|| pack(&alu.writes))
}

/// Packs with pm = 0 apply to the write to file A, whichever ALU executes it; packs with pm = 1 apply to the multiplier.
fn pack(writes: &Writes) -> Option<&'static str> {
    let to_file_a = if writes.swap { writes.waddr_mul } else { writes.waddr_add };
    first(&[
        (writes.pack != 0 && !writes.pm && to_file_a >= 32, "a pack without a write to register file A"),
        (writes.pack != 0 && writes.pm && !matches!(writes.pack, 4..=7), "a pack of the multiplier that has no name"),
    ])
}

fn immediate(alu: &Alu) -> Option<&'static str> {
    let code = alu.small_immediate()?;
    let rotates_nothing = alu.rotation().is_some() && (alu.op_mul == 0 || alu.mul_inputs() == [FROM_B, FROM_B]);
    let is_shift = matches!(alu.op_add, 14..=17);
    let is_sum = matches!(alu.op_add, 12 | 13);
    first(&[
        (rotates_nothing, "a rotation without a source"),
        (is_shift && alu.inputs[1] == FROM_B && matches!(code, 32..=47), "a shift by a float"),
        (is_sum && alu.add_inputs() == [FROM_B, FROM_B] && code == 0, "a sum of two immediate zeros"),
    ])
}

/// Words that become loads.
fn folded(alu: &Alu) -> Option<&'static str> {
    let writes = &alu.writes;
    let [add_a, add_b] = alu.add_inputs();
    let [mul_a, mul_b] = alu.mul_inputs();
    let is_plain = alu.small_immediate().is_some() && !writes.sets_flags;
    let lone_add = writes.waddr_mul == NOWHERE && alu.op_mul == 0 && [add_a, add_b] == [FROM_B, FROM_B];
    let lone_mul = alu.op_add == 0 && [mul_a, mul_b] == [FROM_B, FROM_B];
    let zero_add = matches!(alu.op_add, 13 | 22) && writes.waddr_mul == NOWHERE && add_a == add_b;
    let zero_mul = alu.op_mul == 7 && !writes.sets_flags && writes.waddr_add == NOWHERE && mul_a == mul_b;
    first(&[
        (is_plain && (lone_add || lone_mul), "an immediate that the assembler loads instead"),
        (zero_add || zero_mul, "a zero that the assembler loads instead"),
    ])
}

fn load_reason(load: &Load) -> Option<&'static str> {
    let writes = &load.writes;
    let add_condition = writes.waddr_add == NOWHERE && !writes.sets_flags && writes.cond_add != 0;
    let mul_condition = writes.waddr_mul == NOWHERE && writes.cond_mul != 0;
    first(&[
        (!matches!(load.mode, 0 | 1 | 3 | 4), "a reserved mode of a load"),
        (add_condition || mul_condition, "a condition of a write to nowhere"),
        (writes.pm && writes.pack == 0, "a pack mode without a pack"),
        (writes.pm && writes.waddr_mul == NOWHERE, "a pack of the multiplier's write to nowhere"),
    ])
    .or_else(|| pack(writes))
}

fn branch_reason(branch: &Branch) -> Option<&'static str> {
    first(&[
        (branch.reserved != 0, "reserved bits of a branch"),
        (names::BRANCHES[usize::from(branch.condition)].is_none(), "a reserved condition of a branch"),
        (!branch.uses_register && branch.raddr_a > 1, "a register of a branch that does not read it"),
    ])
}
