//! Counts, orders and fields of bits in terms of masks and shifts.
//!
//! ```text
//! bit_count             pairs of bits are added, then fours, then eights; sums of bytes
//! bit_reverse           neighbours are exchanged, then pairs, then fours, then bytes, then halves
//! bit_field_insert      m = (2ⁿ − 1) << at:      (base & ~m) | ((inserted << at) & m)
//! bit_field_u_extract   m = 2ⁿ − 1:              (base >> at) & m
//! bit_field_s_extract   s = m ^ (m >> 1):        (field ^ s) − s, the sign bit of the field being s
//! FindILsb a            FindUMsb (a & −a), of the upper half if the lower one is zero
//! FindSMsb a            FindUMsb (a ^ sign a)
//! ```
//!
//! Warren, *Hacker's Delight*, 2nd ed. 2012, 5-1 and 7-1 for 32 bits. Counts, orders and first bits of 64 bits are those of two halves. Integers of 8 and
//! 16 bits are computed in 32 bits. A field without bits may begin at the end of the integer, where no shift goes: amounts are taken modulo the width.
//!
//! *Requires* scalars; vectors stay as they are. *Preserves* the control-flow graph. Linear.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Function, Inst, Module, Op, OpGroup};
use reconverge_rewrite::scalars::{constant_value, convert_unsigned, integer};
use spirv::GlslStd450Op as Glsl;

use crate::Machine;
use crate::shift::shifted;

/// Expands operations on bits of a function that the machine lacks. Returns whether there was one.
pub fn expand_bits(module: &mut Module, function: Function, machine: &Machine) -> bool {
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    let operations: Vec<BitOperation> = insts.filter_map(|inst| BitOperation::of(module, inst, machine)).collect();
    for operation in &operations {
        let mut build = Builder::new(module);
        build.before(operation.inst);
        let result = expand(&mut build, operation);
        module.edit().replace_all_uses(operation.inst, result);
        module.edit().delete(operation.inst);
    }
    !operations.is_empty()
}

/// An instruction that is expanded.
#[derive(Clone, Copy, Debug)]
struct BitOperation {
    inst: Inst,
    kind: Kind,
    /// The type of the integer whose bits are looked at, and its width.
    ty: Inst,
    bits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Count,
    Reverse,
    Field(Op),
    /// The lowest bit that is set, by an instruction of this set.
    Lowest(Inst),
    /// The highest bit that is not a copy of the sign, by an instruction of this set.
    HighestSigned(Inst),
}

impl BitOperation {
    /// An operation that the machine lacks.
    fn of(module: &Module, inst: Inst, machine: &Machine) -> Option<BitOperation> {
        let op = module.op(inst);
        let (kind, operand) = match op.group() {
            OpGroup::BitCount if op == Op::BitCount => (Kind::Count, module.operand(inst, 0)),
            OpGroup::BitCount => (Kind::Reverse, module.operand(inst, 0)),
            OpGroup::BitField => (Kind::Field(op), module.operand(inst, 0)),
            OpGroup::Extended => {
                let view::ExtInst { set, instruction, operands } = view::ExtInst::of(module, inst)?;
                let kind =
                    match Glsl::from_u32(instruction).filter(|_| module.is_instruction_set(set, "GLSL.std.450"))? {
                        Glsl::FindILsb => Kind::Lowest(set),
                        Glsl::FindSMsb => Kind::HighestSigned(set),
                        _ => return None,
                    };
                (kind, operands.iter().next()?)
            }
            _ => return None,
        };
        let ty = module.ty(operand)?;
        let TypeView::Int { width: bits, .. } = module.type_view(ty)? else { return None };
        let is_expanded = match kind {
            Kind::Lowest(_) => machine.expands_function(Glsl::FindILsb, bits),
            Kind::HighestSigned(_) => machine.expands_function(Glsl::FindSMsb, bits),
            Kind::Count | Kind::Reverse | Kind::Field(_) => machine.expands(op, bits),
        };
        is_expanded.then_some(BitOperation { inst, kind, ty, bits })
    }
}

/// The value of an operation, of its type.
fn expand(build: &mut Builder<'_>, operation: &BitOperation) -> Inst {
    let &BitOperation { inst, kind, ty, bits } = operation;
    let result = build.module().ty(inst).expect("invariant: an operation has a type");
    match kind {
        Kind::Count => {
            let count = with_halves(build, operation, bit_count, Halves::Added);
            convert_unsigned(build, count, result)
        }
        Kind::Reverse => with_halves(build, operation, bit_reverse, Halves::Exchanged),
        Kind::Field(op) => {
            let ty = if bits < 32 { build.int_type(32) } else { ty };
            let count = build.module().operand_count(inst);
            let operands: Vec<Inst> = (0..count).map(|place| build.module().operand(inst, place)).collect();
            let operands: Vec<Inst> =
                operands.into_iter().map(|operand| convert_unsigned(build, operand, ty)).collect();
            let field = Fields { build, ty, bits: bits.max(32) }.field(op, &operands);
            convert_unsigned(build, field, result)
        }
        Kind::Lowest(set) => {
            let index = lowest(build, operation, set);
            if bits == 64 { build.s_convert(result, &[index]) } else { convert_unsigned(build, index, result) }
        }
        Kind::HighestSigned(set) => {
            let a = argument(build, inst);
            let amount = integer(build, ty, u64::from(bits - 1));
            let sign = build.shift_right_arithmetic(ty, &[a, amount]);
            let differing = build.bitwise_xor(ty, &[a, sign]);
            highest(build, result, set, differing)
        }
    }
}

fn argument(build: &Builder<'_>, inst: Inst) -> Inst {
    let call = view::ExtInst::of(build.module(), inst).expect("invariant: it is one of a set");
    call.operands.iter().next().expect("invariant: it has an operand")
}

/// `FindUMsb`: −1 of zero.
fn highest(build: &mut Builder<'_>, ty: Inst, set: Inst, a: Inst) -> Inst {
    let instruction = build.editor().word(Glsl::FindUMsb as u32);
    build.emit(Op::ExtInst, Some(ty), &[set, instruction, a])
}

/// The index of the lowest bit of a word that is set, and −1 of zero.
fn lowest_of_word(build: &mut Builder<'_>, set: Inst, word: Inst) -> Inst {
    let ty = build.int_type(32);
    let negated = build.s_negate(ty, &[word]);
    let alone = build.bitwise_and(ty, &[word, negated]);
    highest(build, ty, set, alone)
}

/// The index of the lowest bit of an integer that is set, as a word, and −1 of zero. Of 64 bits it is in the upper half if the lower one is zero.
fn lowest(build: &mut Builder<'_>, operation: &BitOperation, set: Inst) -> Inst {
    let (a, word) = (argument(build, operation.inst), build.int_type(32));
    let low = convert_unsigned(build, a, word);
    let in_low = lowest_of_word(build, set, low);
    if operation.bits < 64 {
        return in_low;
    }
    let high = shifted(build, Op::ShiftRightLogical, operation.ty, a, 32);
    let high = convert_unsigned(build, high, word);
    let in_high = lowest_of_word(build, set, high);
    let bool_type = build.bool_type();
    let [zero, half] = [0, 32].map(|number| integer(build, word, number));
    let moved = build.i_add(word, &[in_high, half]);
    let [no_low, no_high] = [low, high].map(|bits| build.i_equal(bool_type, &[bits, zero]));
    let in_high = build.select(word, &[no_high, in_high, moved]);
    build.select(word, &[no_low, in_high, in_low])
}

/// The way the results of two halves become that of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halves {
    Added,
    Exchanged,
}

/// The result of a function of words for an integer of any width: a word if halves are added, else of the type of the integer.
fn with_halves(
    build: &mut Builder<'_>,
    operation: &BitOperation,
    of_word: fn(&mut Builder<'_>, Inst) -> Inst,
    halves: Halves,
) -> Inst {
    let &BitOperation { inst, ty, bits, .. } = operation;
    let (a, word) = (build.module().operand(inst, 0), build.int_type(32));
    let low = convert_unsigned(build, a, word);
    let low = of_word(build, low);
    if bits < 64 {
        if halves == Halves::Added {
            return low;
        }
        let low = shifted(build, Op::ShiftRightLogical, word, low, 32 - bits);
        return convert_unsigned(build, low, ty);
    }
    let high = shifted(build, Op::ShiftRightLogical, ty, a, 32);
    let high = convert_unsigned(build, high, word);
    let high = of_word(build, high);
    match halves {
        Halves::Added => build.i_add(word, &[low, high]),
        Halves::Exchanged => {
            let [low, high] = [low, high].map(|half| convert_unsigned(build, half, ty));
            let low = shifted(build, Op::ShiftLeftLogical, ty, low, 32);
            build.bitwise_or(ty, &[low, high])
        }
    }
}

/// The upper and the lower ones of alternating groups of bits, both moved to the place of the lower ones.
fn alternating(build: &mut Builder<'_>, word: Inst, amount: u32, mask: u32) -> [Inst; 2] {
    let ty = build.int_type(32);
    let mask = integer(build, ty, u64::from(mask));
    let upper = shifted(build, Op::ShiftRightLogical, ty, word, amount);
    [upper, word].map(|bits| build.bitwise_and(ty, &[bits, mask]))
}

/// The number of bits of a word that are set.
fn bit_count(build: &mut Builder<'_>, word: Inst) -> Inst {
    let ty = build.int_type(32);
    let mut counts = word;
    for (amount, mask) in [(1, 0x5555_5555), (2, 0x3333_3333)] {
        let [upper, lower] = alternating(build, counts, amount, mask);
        counts = build.i_add(ty, &[lower, upper]);
    }
    // From here on no sum overflows its group: the masks follow the sums.
    for (amount, mask) in [(4, Some(0x0f0f_0f0f)), (16, None), (8, Some(0x3f))] {
        let upper = shifted(build, Op::ShiftRightLogical, ty, counts, amount);
        counts = build.i_add(ty, &[counts, upper]);
        if let Some(mask) = mask {
            let mask = integer(build, ty, mask);
            counts = build.bitwise_and(ty, &[counts, mask]);
        }
    }
    counts
}

/// The bits of a word in reverse order.
fn bit_reverse(build: &mut Builder<'_>, word: Inst) -> Inst {
    let ty = build.int_type(32);
    let mut bits = word;
    for (amount, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)] {
        let [upper, lower] = alternating(build, bits, amount, mask);
        let lower = shifted(build, Op::ShiftLeftLogical, ty, lower, amount);
        bits = build.bitwise_or(ty, &[upper, lower]);
    }
    bits
}

/// Fields of integers of 32 or 64 bits.
struct Fields<'b, 'm> {
    build: &'b mut Builder<'m>,
    ty: Inst,
    bits: u32,
}

impl Fields<'_, '_> {
    fn field(mut self, op: Op, operands: &[Inst]) -> Inst {
        let ty = self.ty;
        let [base, .., at, count] = *operands else { unreachable!("invariant: a field has an offset and a count") };
        let (at, mask) = (self.amount(at), self.low_bits(count));
        if op == Op::BitFieldInsert {
            let [mask, inserted] = [mask, operands[1]].map(|bits| self.build.shift_left_logical(ty, &[bits, at]));
            let others = self.build.not(ty, &[mask]);
            let kept = self.build.bitwise_and(ty, &[base, others]);
            let inserted = self.build.bitwise_and(ty, &[inserted, mask]);
            return self.build.bitwise_or(ty, &[kept, inserted]);
        }
        let moved = self.build.shift_right_logical(ty, &[base, at]);
        let field = self.build.bitwise_and(ty, &[moved, mask]);
        if op == Op::BitFieldUExtract {
            return field;
        }
        let below = shifted(self.build, Op::ShiftRightLogical, ty, mask, 1);
        let sign = self.build.bitwise_xor(ty, &[mask, below]);
        let flipped = self.build.bitwise_xor(ty, &[field, sign]);
        self.build.i_sub(ty, &[flipped, sign])
    }

    /// The amount of a shift, which is the width only if no bit of the result is used.
    fn amount(&mut self, amount: Inst) -> Inst {
        let below = u64::from(self.bits - 1);
        if let Some(amount) = constant_value(self.build.module(), amount) {
            return integer(self.build, self.ty, amount & below);
        }
        let below = integer(self.build, self.ty, below);
        self.build.bitwise_and(self.ty, &[amount, below])
    }

    /// Ones in as many low bits as a number says, up to all.
    fn low_bits(&mut self, count: Inst) -> Inst {
        let ones = u64::MAX >> (64 - self.bits);
        if let Some(count) = constant_value(self.build.module(), count) {
            let bits = u32::try_from(count).ok().and_then(|count| 1_u64.checked_shl(count));
            return integer(self.build, self.ty, bits.map_or(ones, |bit| (bit - 1) & ones));
        }
        let (amount, bool_type) = (self.amount(count), self.build.bool_type());
        let [one, all, width] = [1, ones, u64::from(self.bits)].map(|value| integer(self.build, self.ty, value));
        let bit = self.build.shift_left_logical(self.ty, &[one, amount]);
        let some = self.build.i_sub(self.ty, &[bit, one]);
        let is_part = self.build.u_less_than(bool_type, &[count, width]);
        self.build.select(self.ty, &[is_part, some, all])
    }
}
