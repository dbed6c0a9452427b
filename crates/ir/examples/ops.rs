//! Prints `docs/ops.md`, the table of all ops: `cargo run -p reconverge-ir --example ops > docs/ops.md`.

use std::fmt::Write as _;

use reconverge_ir::{Class, Op, Quantity, Shape};

fn main() {
    print!("{}", markdown());
}

/// The whole page.
pub(crate) fn markdown() -> String {
    let mut page = String::from(
        "# Ops\n\n\
         Generated from the op table (`crates/ir/src/op/table.rs`) by `cargo run -p reconverge-ir --example ops > docs/ops.md`.\n\n\
         An op is named as in SPIR-V, in snake case without `Op`, and means what the SPIR-V specification says. *Result* tells what\n\
         stands before the op in the text form: `%x: %t` for a value with a type, `%x` for a result without one. Operands have the\n\
         names of SPIR-V's grammar, in snake case. Those marked `?` may be missing, those marked `…` may be repeated or missing; kinds\n\
         are SPIR-V's operand kinds, and the others are explained in [ir.md](ir.md#operands). Effects are what passes ask about.\n",
    );
    let classes = Class::ALL.iter().filter(|&&class| class != Class::Removed);
    for &class in classes {
        write!(page, "\n## {class:?}\n\n{}\n\n", class.description()).expect("a string takes everything");
        page.push_str("| op | SPIR-V | result | operands | effects |\n|---|---|---|---|---|\n");
        class.ops().iter().for_each(|&op| page.push_str(&row(op)));
    }
    page
}

fn row(op: Op) -> String {
    let opcode = op.opcode().map_or("—".to_owned(), |opcode| opcode.to_string());
    let result = match op.shape() {
        Shape::Plain => "—",
        Shape::Result => "`%x`",
        Shape::Typed => "`%x: %t`",
    };
    let operands: Vec<String> = op
        .signature()
        .iter()
        .map(|entry| {
            let mark = match entry.quantity {
                Quantity::One => "",
                Quantity::Optional => "?",
                Quantity::Many => "…",
            };
            format!("{}: {:?}{mark}", entry.name, entry.kind)
        })
        .collect();
    let operands = if operands.is_empty() { "—".to_owned() } else { operands.join(", ") };
    format!("| `{}` | {opcode} | {result} | {operands} | {} |\n", op.name(), op.effects())
}
