//! Names of requests and of what they return.

use reconverge_ir::{Inst, Module, Op};

/// The maximum length of the name of a copy: arguments are often copies with such names themselves.
const LONGEST_NAME: usize = 64;

/// An instruction as a message names it: its name, or what it is.
pub(super) fn part(module: &Module, inst: Inst) -> String {
    match (module.name(inst), module.op(inst)) {
        (Some(name), _) => name,
        (None, Op::Specialize | Op::LookupWitness) => request(module, inst),
        (None, Op::Constant) => module.literal_word(inst).unwrap_or_default().to_string(),
        (None, op) => {
            let words = module.operands(inst).filter_map(|operand| module.literal_words(operand).first().copied());
            words.fold(op.name().to_owned(), |text, word| format!("{text} {word}"))
        }
    }
}

/// A request or lookup as a message names it: `twice(circle, circle.Shape)`.
pub(super) fn request(module: &Module, inst: Inst) -> String {
    let mut operands = module.operands(inst).map(|operand| match module.op(operand) {
        // Not by its own parts, so that a message is no longer than a list of names.
        Op::Specialize | Op::LookupWitness => module.name(operand).unwrap_or_else(|| "…".to_owned()),
        _ => part(module, operand),
    });
    let first = operands.next().unwrap_or_default();
    format!("{first}({})", operands.collect::<Vec<_>>().join(", "))
}

/// Names a copy that a generic with these arguments made: after an original, and the arguments. Witnesses follow from the types and are left
/// out.
pub(super) fn name_copy(module: &mut Module, copy: Inst, original: Inst, arguments: &[Inst]) {
    let Some(mut name) = module.name(original) else { return };
    for &argument in arguments.iter().filter(|&&argument| module.op(argument) != Op::WitnessTable) {
        let argument = match module.op(argument) {
            Op::Constant => module.name(argument).or_else(|| Some(module.literal_word(argument)?.to_string())),
            _ => module.name(argument),
        };
        if let Some(argument) = argument {
            name.push('.');
            name.push_str(&argument);
        }
    }
    let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or_default();
    name.truncate(end);
    module.edit().set_name(copy, &name);
}
