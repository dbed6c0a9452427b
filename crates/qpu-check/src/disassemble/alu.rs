//! Text of ALU instructions: the adder's part, the multiplier's part, reads that no operation uses, the signal.

use super::fields::{Alu, FIRST_ROTATION, FROM_A, FROM_B, NOWHERE, Writes};
use super::names::{self, File};

/// The line of an instruction, whether or not the assembler accepts it.
pub(super) fn text(alu: &Alu) -> String {
    let mut parts = vec![add_part(alu)];
    if alu.shows_mul() {
        parts.push(mul_part(alu));
    }
    parts.extend(idle_reads(alu).into_iter().map(|read| format!("read {read}")));
    let signal = names::SIGNALS[usize::from(alu.signal)];
    if !signal.is_empty() {
        parts.push(signal.to_owned());
    }
    parts.join("; ")
}

/// The names of the two results. If neither name determines the file, the assembler takes the usual one, so a swap needs a number; so does
/// a pack of a write without a target, because the assembler knows no pack of `-`.
pub(super) fn targets(writes: &Writes) -> [String; 2] {
    let [add, mul] = writes.files();
    let is_open = names::is_shared(writes.waddr_add) && names::is_shared(writes.waddr_mul);
    let name = |file: File, address: u8, needs_number: bool| {
        if needs_number { file.number(address) } else { names::write(file, address) }
    };
    let packs_nowhere = writes.waddr_mul == NOWHERE && writes.pack != 0 && writes.pm;
    [name(add, writes.waddr_add, writes.swap && is_open), name(mul, writes.waddr_mul, packs_nowhere)]
}

/// The packs of the two results: that of file A, or that of the multiplier.
pub(super) fn packs(writes: &Writes) -> [&'static str; 2] {
    let code = usize::from(writes.pack);
    match writes.pm {
        false => writes.files().map(|file| if file == File::A { names::PACKS[code] } else { "" }),
        true => ["", code.checked_sub(4).and_then(|at| names::MUL_PACKS.get(at)).copied().unwrap_or("")],
    }
}

fn add_part(alu: &Alu) -> String {
    let writes = &alu.writes;
    let inputs = alu.add_inputs();
    let mut text = match alu.op_add {
        0 if writes.waddr_add == NOWHERE => "nop".to_owned(),
        21 if is_move(alu, inputs) => "mov".to_owned(),
        code => operation(&names::ADD, code),
    };
    if writes.sets_flags && !flags_at_mul(alu) {
        text += ".setf";
    }
    if writes.waddr_add != NOWHERE || writes.sets_flags {
        text += names::CONDITIONS[usize::from(writes.cond_add)];
    }
    let ([target, _], [pack, _]) = (targets(writes), packs(writes));
    if alu.op_add == 0 && target == "-" {
        return text;
    }
    text += &format!(" {target}{pack}");
    let count = match alu.op_add {
        0 => 0,
        _ if alu.is_unary() || text.starts_with("mov") => 1,
        _ => 2,
    };
    for &input in &inputs[..count] {
        text += &format!(", {}", source(alu, input));
    }
    text
}

fn mul_part(alu: &Alu) -> String {
    let writes = &alu.writes;
    let inputs = alu.mul_inputs();
    let mut text = match alu.op_mul {
        4 if is_move(alu, inputs) => "mov".to_owned(),
        code => operation(&names::MUL, code),
    };
    if flags_at_mul(alu) {
        text += ".setf";
    }
    if writes.waddr_mul != NOWHERE || alu.flags_come_from_mul() {
        text += names::CONDITIONS[usize::from(writes.cond_mul)];
    }
    let ([_, target], [_, pack]) = (targets(writes), packs(writes));
    text += &format!(" {target}{pack}");
    let count = match alu.op_mul {
        0 => 0,
        _ if text.starts_with("mov") => 1,
        _ => 2,
    };
    for &input in &inputs[..count] {
        text += &format!(", {}{}", source(alu, input), rotation(alu, input));
    }
    text
}

fn operation(names: &[&str], code: u8) -> String {
    match names[usize::from(code)] {
        "" => format!("reserved{code}"),
        name => name.to_owned(),
    }
}

/// Returns whether the flag is written at the multiplier's part: the assembler accepts it there only if the adder does nothing.
fn flags_at_mul(alu: &Alu) -> bool {
    alu.flags_come_from_mul() && alu.writes.waddr_add == NOWHERE && alu.shows_mul()
}

/// Returns whether an operation with two equal inputs is spelled as a move. A move of an immediate would let the assembler choose another
/// form.
fn is_move(alu: &Alu, inputs: [u8; 2]) -> bool {
    inputs[0] == inputs[1] && alu.unpack == 0 && !(inputs[0] == FROM_B && alu.small_immediate().is_some())
}

fn source(alu: &Alu, input: u8) -> String {
    let unpack = if alu.unpacks(input) { names::UNPACKS[usize::from(alu.unpack)] } else { "" };
    match (input, alu.small_immediate()) {
        (FROM_A, _) => names::read(File::A, alu.raddr_a) + unpack,
        (FROM_B, Some(code)) => names::small_immediate(code),
        (FROM_B, None) => names::read(File::B, alu.raddr_b),
        _ => format!("r{input}{unpack}"),
    }
}

/// The rotation. It applies to the result, but the assembler writes it at the sources.
fn rotation(alu: &Alu, input: u8) -> String {
    match alu.rotation() {
        Some(0) if input != FROM_B => "<<r5".to_owned(),
        Some(count) if input != FROM_B => format!(">>{count}"),
        _ => String::new(),
    }
}

/// Reads of the two files whose values no operation uses.
pub(super) fn idle_reads(alu: &Alu) -> Vec<String> {
    let mut reads = Vec::new();
    if alu.raddr_a != NOWHERE && !alu.inputs.contains(&FROM_A) {
        reads.push(names::read(File::A, alu.raddr_a));
    }
    if !alu.inputs.contains(&FROM_B) {
        match alu.small_immediate() {
            Some(code) if code < FIRST_ROTATION => reads.push(names::small_immediate(code)),
            None if alu.raddr_b != NOWHERE => reads.push(names::read(File::B, alu.raddr_b)),
            _ => {}
        }
    }
    reads
}
