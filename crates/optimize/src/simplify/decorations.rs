//! Decorations of an instruction that replaces several.

use reconverge_ir::decoration::Note;
use reconverge_ir::{Editor, Inst, Module, Op, OpGroup};
use smallvec::SmallVec;
use spirv::Decoration;

use super::Rewritten;

/// The decorations of the instructions of a match.
#[derive(Default, Debug)]
pub(super) struct Notes {
    name: Option<Inst>,
    /// `RelaxedPrecision`, if all have it.
    relaxed: Option<Inst>,
    /// The floating-point mode decorations, if all float operations have the same.
    floats: Option<SmallVec<[Inst; 2]>>,
}

impl Notes {
    /// The common decorations of the instructions of a match, the outermost first; `None` if one of them has an unknown decoration.
    pub(super) fn compute(module: &Module, matched: &[Inst]) -> Option<Notes> {
        let mut notes = Notes::default();
        let mut relaxed = 0;
        let mut agree = true;
        for (index, &inst) in matched.iter().enumerate() {
            let mut floats: SmallVec<[Inst; 2]> = SmallVec::new();
            for &note in module.decorations(inst) {
                if module.op(note) == Op::Name {
                    notes.name = notes.name.or((index == 0).then_some(note));
                    continue;
                }
                match Note::of(module, note)?.kind()? {
                    Decoration::RelaxedPrecision => (notes.relaxed, relaxed) = (Some(note), relaxed + 1),
                    Decoration::FPFastMathMode | Decoration::NoContraction => floats.push(note),
                    Decoration::Uniform
                    | Decoration::UniformId
                    | Decoration::NoSignedWrap
                    | Decoration::NoUnsignedWrap => {}
                    _ => return None,
                }
            }
            if is_float(module.op(inst)) {
                floats.sort_unstable();
                agree &= *notes.floats.get_or_insert_with(|| floats.clone()) == floats;
            }
        }
        notes.relaxed = notes.relaxed.filter(|_| relaxed == matched.len());
        notes.floats = notes.floats.filter(|_| agree);
        Some(notes)
    }

    /// Returns whether a new instruction can have a floating-point mode.
    pub(super) fn allow(&self, rewritten: &Rewritten) -> bool {
        match rewritten {
            Rewritten::Value(_) => true,
            Rewritten::New(op, _) => !is_float(*op) || self.floats.is_some(),
        }
    }

    pub(super) fn write(&self, editor: &mut Editor<'_>, op: Op, inst: Inst) {
        let floats = self.floats.iter().flatten().filter(|_| is_float(op));
        let notes: SmallVec<[Inst; 4]> = self.name.iter().chain(&self.relaxed).chain(floats).copied().collect();
        notes.into_iter().for_each(|note| editor.decorate(inst, note));
    }
}

/// Returns whether an operation computes floats or compares them.
fn is_float(op: Op) -> bool {
    matches!(op.group(), OpGroup::FloatArithmetic | OpGroup::FloatTest | OpGroup::FloatComparison)
}
