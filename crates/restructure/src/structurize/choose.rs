//! Selects a value by the condition of a branch, without branching.
//!
//! ```text
//! switch %s default ^l [1 ^l] [2 ^l]   ⇒   %c1 = i_equal %s, 1    %v1 = select %c1, %b, %a
//!        passing %a   %b     %c            %c2 = i_equal %s, 2    %v2 = select %c2, %c, %v1
//! ```
//!
//! `select` accepts scalars in every SPIR-V version, vectors before version 1.4 only with a vector of conditions, and other composites not
//! before it; composites are selected member by member. An array whose length is a specialization constant, or with more elements than an
//! instruction has operands, cannot be split: for it `select` itself is written, which version 1.4 allows.
//!
//! One comparison and one select for each value except the first, times the members of a composite.

use reconverge_analysis::array_length;
use reconverge_ir::terminator::operand;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, Position, Terminator};

/// The maximum number of constituents of an `OpCompositeConstruct`: its opcode, type and result take three of its 65,535 words.
const MOST_MEMBERS: u32 = 65_532;

/// A value for one exit of a block: the index of the successor, and the value.
pub(super) type Choice = (usize, Inst);

/// The value that belongs to the successor that `terminator` takes. Written before `position`.
///
/// `choices` has an entry for each successor that matters, ascending, successor 0 first if it is among them.
pub(super) fn choose(module: &mut Module, terminator: Terminator, choices: &[Choice], position: Position) -> Inst {
    let Some((&(_, first), rest)) = choices.split_first() else { unreachable!("a choice is between values") };
    let condition = module.operand(terminator, operand::CONDITION);
    let mut chosen = first;
    // A row with the first value needs no test: no other row is taken at the same time.
    for &(successor, value) in rest.iter().filter(|&&(_, value)| value != first) {
        chosen = match module.op(terminator) {
            // Successor 0 is taken if the condition is true, and is the first one.
            Op::BranchIf | Op::If => select(module, condition, chosen, value, position),
            _ => {
                let taken = is_case(module, terminator, successor, position);
                select(module, taken, value, chosen, position)
            }
        };
    }
    chosen
}

fn is_case(module: &mut Module, terminator: Terminator, successor: usize, position: Position) -> Inst {
    let selector = module.operand(terminator, operand::CONDITION);
    let literal = case_literal(module, terminator, successor);
    let ty = module.ty(selector).expect("requires: a selector has a type");
    let mut editor = module.edit();
    let bool_type = editor.unique(Op::TypeBool, None, &[]);
    let constant = editor.unique(Op::Constant, Some(ty), &[literal]);
    editor.insert(position, Op::IEqual, Some(bool_type), &[selector, constant])
}

/// The literal of a switch's case; successor 0 is the default, so the first case is successor 1.
pub(super) fn case_literal(module: &Module, terminator: Terminator, successor: usize) -> Inst {
    let first = match module.op(terminator) {
        Op::StructuredSwitch => operand::STRUCTURED_SWITCH_CASES,
        _ => operand::SWITCH_CASES,
    };
    module.operand(terminator, first + 2 * (successor - 1))
}

/// `condition ? yes : no`, for any type that a parameter can have.
fn select(module: &mut Module, condition: Inst, yes: Inst, no: Inst, position: Position) -> Inst {
    if yes == no {
        return yes;
    }
    let ty = module.ty(yes).expect("requires: a value has a type");
    match (module.op(ty), member_types(module, ty)) {
        (Op::TypeVector, _) => {
            let condition = splat(module, condition, ty, position);
            module.edit().insert(position, Op::Select, Some(ty), &[condition, yes, no])
        }
        (_, Some(members)) => select_members(module, (condition, yes, no), &members, position),
        _ => module.edit().insert(position, Op::Select, Some(ty), &[condition, yes, no]),
    }
}

fn splat(module: &mut Module, condition: Inst, ty: Inst, position: Position) -> Inst {
    let (_, width) = module.components(ty);
    let mut editor = module.edit();
    let (bool_type, count) = (editor.unique(Op::TypeBool, None, &[]), editor.word(width));
    let vector = editor.unique(Op::TypeVector, None, &[bool_type, count]);
    editor.insert(position, Op::CompositeConstruct, Some(vector), &vec![condition; width as usize])
}

/// Selects the scalars and vectors of a composite and constructs it from them. The depth is that of the type, which SPIR-V limits to 255.
fn select_members(
    module: &mut Module,
    (condition, yes, no): (Inst, Inst, Inst),
    members: &[Inst],
    position: Position,
) -> Inst {
    let ty = module.ty(yes).expect("requires: a value has a type");
    let mut chosen = Vec::with_capacity(members.len());
    for (index, &member) in members.iter().enumerate() {
        let mut editor = module.edit();
        let literal = editor.word(index as u32);
        let yes = editor.insert(position, Op::CompositeExtract, Some(member), &[yes, literal]);
        let no = editor.insert(position, Op::CompositeExtract, Some(member), &[no, literal]);
        chosen.push(select(module, condition, yes, no, position));
    }
    module.edit().insert(position, Op::CompositeConstruct, Some(ty), &chosen)
}

/// The types of the members of a matrix, array or struct, if its size is fixed.
fn member_types(module: &Module, ty: Inst) -> Option<Vec<Inst>> {
    match module.type_view(ty)? {
        TypeView::Struct { members } => Some(members.to_vec()),
        TypeView::Matrix { column, count } => Some(vec![column; count as usize]),
        TypeView::Array { element, .. } => {
            let length = u32::try_from(array_length(module, ty).ok()?).ok().filter(|&length| length <= MOST_MEMBERS)?;
            Some(vec![element; length as usize])
        }
        _ => None,
    }
}
