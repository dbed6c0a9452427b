//! Rules of instruction selection for instructions that depend on their operands alone.
//!
//! A rule is a row: operations, types of operands and result ⇒ the function that emits machine instructions. All values are vectors of the lanes,
//! so that shapes do not matter. Each instruction that [`requirements`](crate::requirements) does not refuse has exactly one rule; the tests
//! `selection` of `reconverge-run` compare both tables with all instructions that the verifier accepts, and run each rule.
//!
//! | file | rules |
//! |---|---|
//! | `integers.rs`, `shifts.rs` | integers |
//! | `floats.rs` | floats |
//! | `logic.rs` | comparisons, booleans, choices |
//! | `conversions.rs` | conversions |
//! | `functions.rs` | instructions of `GLSL.std.450` |

mod conversions;
mod floats;
mod functions;
mod integers;
mod logic;
mod shifts;

use std::sync::LazyLock;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_lanes::patterns::{Operation, Pattern, Row, Table, Typed, Types};
use smallvec::SmallVec;

use super::selector::Selector;
use super::value::{ScalarType, Words};
use super::values::Selected;

/// An instruction without effects.
#[derive(Clone, Debug)]
pub(super) struct Computation {
    pub(super) inst: Inst,
    /// The type of the result; of a result with two parts, that of the first one.
    pub(super) ty: ScalarType,
    /// The type of the first operand.
    pub(super) from: ScalarType,
    operands: SmallVec<[Inst; 4]>,
}

/// Emits the instructions of a computation, and gives its result.
pub(super) type Emit = fn(&mut Selector<'_>, &Computation) -> Result<Selected, Diagnostic>;

/// A rule.
type Rule = Row<Emit>;

/// The files of rules.
const FILES: &[&[Rule]] =
    &[integers::RULES, shifts::RULES, floats::RULES, logic::RULES, conversions::RULES, functions::RULES];

static TABLE: LazyLock<Table<Emit>> = LazyLock::new(|| Table::new(FILES));

/// The rule for an instruction.
pub(super) fn rule_of(typed: &Typed) -> Option<Emit> {
    TABLE.find(typed).copied()
}

/// Returns whether there is a rule for an instruction.
pub(crate) fn has_rule(typed: &Typed) -> bool {
    TABLE.find(typed).is_some()
}

/// The patterns of all rules.
pub(crate) fn patterns() -> impl Iterator<Item = &'static Pattern> {
    FILES.iter().copied().flatten().map(|row| &row.pattern)
}

/// Integers of at most 32 bits.
const WORDS: Types = Types::INT8.or(Types::INT16).or(Types::INT32);
/// Halves and floats.
const SHORT_FLOATS: Types = Types::HALF.or(Types::FLOAT);

const fn rule(operations: &'static [Operation], operands: &'static [Types], result: Types, emit: Emit) -> Rule {
    Row::new(operations, operands, result, emit)
}

impl Computation {
    /// The instruction of an operation with these types.
    pub(super) fn new(inst: Inst, typed: &Typed, operands: SmallVec<[Inst; 4]>) -> Computation {
        let ty = ScalarType::from(typed.result);
        let from = typed.operands.first().map_or(ty, |&first| ScalarType::from(first));
        Computation { inst, ty, from, operands }
    }

    /// An operand.
    fn operand(&self, place: usize) -> Inst {
        self.operands[place]
    }

    /// The words of an operand.
    fn words(&self, selector: &mut Selector<'_>, place: usize) -> Result<Words, Diagnostic> {
        selector.value(self.operands[place])
    }

    /// The words of all operands.
    fn all_words(&self, selector: &mut Selector<'_>) -> Result<Vec<Words>, Diagnostic> {
        self.operands.iter().map(|&operand| selector.value(operand)).collect()
    }
}
