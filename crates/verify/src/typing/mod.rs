//! Type rules: the types of the operands and results of each op.
//!
//! Every op has a [`rule`](table::rule), which is data: a list of checks, as defined in `rule.rs`. The facts that they use are computed
//! once (`facts.rs`). One file contains the rules of one group of ops, and each group has a code:
//!
//! | file | rules for | code |
//! |---|---|---|
//! | `arithmetic.rs` | arithmetic, derivatives | T01 |
//! | `logical.rs` | comparisons, logic, selection, pointers compared | T02 |
//! | `bits.rs` | shifts, bit operations | T03 |
//! | `conversion.rs` | conversions | T04 |
//! | `composite.rs` | composites | T05 |
//! | `memory.rs`, `pointers.rs`, `narrow.rs` | variables, loads, stores, pointers into memory | T06 |
//! | `scope.rs` | barriers, scopes, memory semantics | T07 |
//! | `atomic.rs` | atomics | T08 |
//! | `group.rs` | operations across lanes | T09 |
//! | `image.rs`, `image_operands.rs` | images | T10 |
//! | `extended.rs`, `opencl.rs` | extended instructions | T11 |
//! | `declarations.rs` | types; constants | T12, T13 |
//! | `miscellaneous.rs`, `unknown.rs` | everything else | T14 |
//!
//! A type that the op table does not contain is not checked; neither are operations in specialization constants, which front ends write
//! with types that only drivers check.

mod arithmetic;
mod atomic;
mod bits;
mod composite;
mod conversion;
mod declarations;
mod extended;
pub(crate) mod facts;
mod group;
mod image;
mod image_operands;
mod logical;
mod memory;
mod miscellaneous;
mod narrow;
mod opencl;
mod pointers;
mod rule;
mod scope;
mod table;
mod unknown;

use reconverge_ir::{Class, Op};

use crate::Code;
use crate::layout::Line;
use crate::report::Report;
pub(crate) use rule::Context;
use rule::{Asked, Rule};

/// By op: its rule.
static RULES: [Rule; Op::ALL.len()] = {
    let (mut rules, mut index) = ([miscellaneous::NONE; Op::ALL.len()], 0);
    while index < Op::ALL.len() {
        rules[index] = table::rule(Op::ALL[index]);
        index += 1;
    }
    rules
};

/// Checks the types of these instructions. Linear in their operands, except for null constants and copied composites, which are linear in
/// their types.
pub(crate) fn verify_types<'m>(report: &mut Report<'m>, context: &Context<'m>, lines: &[Line]) {
    let is_logical = context.declared.is_whole && context.declared.is_logical();
    let is_narrow = context.types.has_storage_only();
    for &Line { inst, op, .. } in lines {
        let pointer = || is_logical.then(|| pointers::problem(context, inst, op)).flatten();
        let narrow = || is_narrow.then(|| narrow::problem(context, inst, op)).flatten();
        if let Some(problem) = pointer().or_else(narrow) {
            report.at(Code::T06, inst, format!("`{}`: {problem}", op.name()));
            continue;
        }
        if let Some(problem) = unknown::problem(context, inst, op) {
            report.at(Code::T14, inst, problem);
            continue;
        }
        let rule = RULES[op as usize];
        if rule.is_empty() {
            continue;
        }
        let asked = Asked { context, inst, op, first: 0, report };
        if let Some(problem) = rule.iter().find_map(|check| check.problem(&asked)) {
            let suggestion = (code(op) == Code::T09).then(|| group::suggestion(&asked)).flatten();
            report.at(code(op), inst, format!("`{}`: {problem}", op.name()));
            suggestion.into_iter().for_each(|suggestion| report.suggest(suggestion));
        }
    }
}

/// The code for a violation of an op's rule.
fn code(op: Op) -> Code {
    match op {
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => Code::T02,
        Op::ImageTexelPointer => Code::T10,
        Op::ExtInst => Code::T11,
        _ => match op.class() {
            Class::Arithmetic | Class::Derivative => Code::T01,
            Class::Logical => Code::T02,
            Class::Bit => Code::T03,
            Class::Conversion => Code::T04,
            Class::Composite => Code::T05,
            Class::Memory => Code::T06,
            Class::Barrier => Code::T07,
            Class::Atomic => Code::T08,
            Class::Group => Code::T09,
            Class::Image => Code::T10,
            Class::Type => Code::T12,
            Class::Constant => Code::T13,
            Class::Removed
            | Class::Structure
            | Class::Literal
            | Class::Decoration
            | Class::Position
            | Class::ModuleInstruction
            | Class::Geometry
            | Class::Miscellaneous
            | Class::TypeLevel
            | Class::Lane
            | Class::Opaque
            | Class::Terminator => Code::T14,
        },
    }
}
