//! Contradictions between the decorations of an import and those of its definition.
//!
//! The decorations of the definition hold, because they describe its body and its memory. An import may have fewer or others, with these
//! exceptions:
//!
//! | decoration | rule |
//! |---|---|
//! | `Alignment` of a variable | the result has the greater one (`copy/globals.rs`) |
//! | `Constant` of a variable | both or neither: the one reads what the other writes, or writes what the other keeps in read-only memory |
//! | `FuncParamAttr` that decides how an argument is passed: `Zext`, `Sext`, `ByVal`, `Sret` | both or neither |
//! | any other decoration that both have, except for attributes of parameters and semantics | with the same operands |
//!
//! Quadratic in the decorations of one instruction, of which there are few.

use reconverge_ir::decoration::{FuncParamAttr, Note};
use reconverge_ir::{Inst, Module, Parameter};
use spirv::{Decoration, FunctionParameterAttribute as Attribute};

/// The attributes that determine how an argument is passed.
const PASSED: [Attribute; 4] = [Attribute::Zext, Attribute::Sext, Attribute::ByVal, Attribute::Sret];

/// A description of the first contradiction.
pub(crate) fn contradiction(ours: &Module, import: Inst, theirs: &Module, definition: Inst) -> Option<String> {
    own_contradiction(ours, import, theirs, definition).or_else(|| {
        let parameters = |module: &Module, inst| module.parameters(inst).collect::<Vec<Parameter>>();
        let pairs = parameters(ours, import).into_iter().zip(parameters(theirs, definition));
        pairs.enumerate().find_map(|(number, (left, right))| {
            let found = parameter_contradiction(ours, left.into(), theirs, right.into())?;
            Some(format!("parameter {}: {found}", number + 1))
        })
    })
}

fn own_contradiction(ours: &Module, import: Inst, theirs: &Module, definition: Inst) -> Option<String> {
    let constant = [ours.decorated(import), theirs.decorated(definition)].map(|all| all.has(Decoration::Constant));
    if constant[0] != constant[1] {
        let which = if constant[0] { "import" } else { "definition" };
        return Some(format!("only the {which} is decorated Constant"));
    }
    for left in notes(ours, import).filter(|note| !is_free(*note)) {
        for right in
            notes(theirs, definition).filter(|right| right.number == left.number && right.member == left.member)
        {
            if words(ours, left) != words(theirs, right) {
                let name = left.kind().map_or_else(|| left.number.to_string(), |kind| format!("{kind:?}"));
                let [left, right] = [words(ours, left), words(theirs, right)].map(|words| format!("{words:?}"));
                return Some(format!("the import is decorated {name} {left} and the definition {name} {right}"));
            }
        }
    }
    None
}

fn parameter_contradiction(ours: &Module, import: Inst, theirs: &Module, definition: Inst) -> Option<String> {
    let has = |module: &Module, inst, attribute| {
        notes(module, inst).any(|note| note.read() == Some(FuncParamAttr(attribute)))
    };
    PASSED.into_iter().find_map(|attribute| {
        let which = match [has(ours, import, attribute), has(theirs, definition, attribute)] {
            [true, false] => "import",
            [false, true] => "definition",
            _ => return None,
        };
        Some(format!("only the {which} is decorated FuncParamAttr {attribute:?}"))
    })
}

/// Returns whether import and definition may have different operands.
fn is_free(note: Note<'_>) -> bool {
    note.is(Decoration::LinkageAttributes)
        || note.is(Decoration::Alignment)
        || note.is(Decoration::FuncParamAttr)
        || note.is(Decoration::UserSemantic)
}

fn notes(module: &Module, inst: Inst) -> impl Iterator<Item = Note<'_>> {
    module.decorations(inst).iter().filter_map(|&note| Note::of(module, note))
}

fn words(module: &Module, note: Note<'_>) -> Vec<u32> {
    note.parameters.iter().flat_map(|parameter| module.literal_words(parameter).to_vec()).collect()
}
