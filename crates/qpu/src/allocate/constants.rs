//! Small immediates as operands.
//!
//! A constant that is a small immediate is moved rather than loaded: a load takes a whole word. Who reads a register that always holds a small
//! immediate reads the immediate, unless the other operand is another one, or the operation rotates.

use super::spill::constants;
use crate::machine::{Inst, MachineFunction, Operation, SmallImmediate, Source};

/// Uses small immediates where instructions can read them.
pub(crate) fn use_small_immediates(function: &mut MachineFunction) {
    for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        if let Operation::Immediate(word) = inst.operation
            && let Some(small) = SmallImmediate::of(word)
        {
            inst.operation = Operation::Move;
            inst.sources = [Source::Small(small); 2];
        }
    }
    let constants = constants(function);
    let small = |source: Source| match source {
        Source::Small(small) => Some(small),
        Source::Register(register) => match constants[register.0 as usize]?.sources[0] {
            Source::Small(small) if constants[register.0 as usize]?.operation == Operation::Move => Some(small),
            _ => None,
        },
        Source::Port(_) => None,
    };
    for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        replace(inst, small);
    }
}

fn replace(inst: &mut Inst, small: impl Fn(Source) -> Option<SmallImmediate>) {
    if matches!(inst.operation, Operation::Rotate(_)) {
        return;
    }
    for place in 0..inst.source_count() {
        let Some(value) = small(inst.sources[place]) else { continue };
        let other = inst.sources[1 - place];
        let is_single = inst.source_count() == 1;
        let agrees = !matches!(other, Source::Small(other) if other != value);
        if is_single {
            inst.sources = [Source::Small(value); 2];
        } else if agrees {
            inst.sources[place] = Source::Small(value);
        }
    }
}
