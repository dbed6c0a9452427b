//! Tables of instruction selection: rows with a pattern over an operation, the types of its operands and the type of its result.
//!
//! A back end has two tables, of rules and of refusals. No two rows of them match the same instruction, so that their order says nothing, and each
//! instruction without effects matches one of them: tests of the back ends compare the tables with all instructions that the verifier accepts.
//!
//! A row is found by its operation: O(rows of that operation).

use std::fmt;

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, OpGroup, OperandKind, view};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::GlslStd450Op as Glsl;

/// An operation on scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// An op of the IR, other than `ext_inst`: one without effects, or one of a subgroup.
    Op(Op),
    /// An instruction of `GLSL.std.450`.
    Glsl(Glsl),
}

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// A boolean.
    Bool,
    /// An integer of 8, 16, 32 or 64 bits.
    Int(u32),
    /// A float of 16, 32 or 64 bits.
    Float(u32),
    /// A pointer.
    Pointer,
}

/// A set of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Types(u16);

/// The operations, and the types, that a row is for.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The operations.
    pub operations: &'static [Operation],
    /// The types of each operand; the last ones also of those after it.
    pub operands: &'static [Types],
    /// The types of the result; of a result with two parts, those of the first one.
    pub result: Types,
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<T> {
    /// The instructions that it matches.
    pub pattern: Pattern,
    /// The content.
    pub content: T,
}

impl<T: Copy> Row<T> {
    /// A row for operations with these types.
    pub const fn new(
        operations: &'static [Operation],
        operands: &'static [Types],
        result: Types,
        content: T,
    ) -> Row<T> {
        Row { pattern: Pattern { operations, operands, result }, content }
    }
}

/// An operation with its types, as an instruction has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The operation.
    pub operation: Operation,
    /// The types of the operands.
    pub operands: SmallVec<[Scalar; 4]>,
    /// The type of the result; of a result with two parts, that of the first one.
    pub result: Scalar,
}

/// The rows of several files, by operation.
#[derive(Debug)]
pub struct Table<T: 'static> {
    rows: FxHashMap<Operation, Vec<&'static Row<T>>>,
}

/// The answer of a back end to an operation with its types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// A rule selects it.
    Selected,
    /// It is refused, under this name.
    Refused(&'static str),
}

impl Operation {
    /// Returns whether the lanes of a subgroup compute it together.
    pub fn is_of_subgroup(self) -> bool {
        matches!(self, Operation::Op(op) if op.group() == OpGroup::Subgroup)
    }
}

impl Scalar {
    /// Every type.
    pub const ALL: [Scalar; 9] = [
        Scalar::Bool,
        Scalar::Int(8),
        Scalar::Int(16),
        Scalar::Int(32),
        Scalar::Int(64),
        Scalar::Float(16),
        Scalar::Float(32),
        Scalar::Float(64),
        Scalar::Pointer,
    ];

    /// A type of the IR, if it is one of a scalar.
    pub fn of(module: &Module, ty: Inst) -> Option<Scalar> {
        match module.type_view(ty)? {
            TypeView::Bool => Some(Scalar::Bool),
            TypeView::Int { width, .. } => Some(Scalar::Int(width)),
            TypeView::Float { width, .. } => Some(Scalar::Float(width)),
            TypeView::Pointer { .. } => Some(Scalar::Pointer),
            _ => None,
        }
    }
}

impl Types {
    /// Booleans.
    pub const BOOL: Types = Types(1);
    /// Integers of 8 bits.
    pub const INT8: Types = Types(1 << 1);
    /// Integers of 16 bits.
    pub const INT16: Types = Types(1 << 2);
    /// Integers of 32 bits.
    pub const INT32: Types = Types(1 << 3);
    /// Integers of 64 bits.
    pub const INT64: Types = Types(1 << 4);
    /// Halves.
    pub const HALF: Types = Types(1 << 5);
    /// Floats of 32 bits.
    pub const FLOAT: Types = Types(1 << 6);
    /// Floats of 64 bits.
    pub const DOUBLE: Types = Types(1 << 7);
    /// Pointers.
    pub const POINTER: Types = Types(1 << 8);
    /// All integers.
    pub const INTS: Types = Types(0b1_1110);
    /// All floats.
    pub const FLOATS: Types = Types(0b1110_0000);
    /// All types.
    pub const ALL: Types = Types(0b1_1111_1111);

    /// The types of both sets.
    #[must_use]
    pub const fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// Returns whether a type is in the set. Integers and floats of other widths are in none.
    pub fn contains(self, ty: Scalar) -> bool {
        Scalar::ALL.iter().position(|&known| known == ty).is_some_and(|place| self.0 >> place & 1 == 1)
    }

    fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }
}

impl Pattern {
    /// Returns whether an instruction with these types matches.
    pub fn matches(&self, typed: &Typed) -> bool {
        let operands = typed.operands.iter().enumerate();
        self.operations.contains(&typed.operation)
            && self.result.contains(typed.result)
            && operands.into_iter().all(|(place, &ty)| self.operand(place).contains(ty))
    }

    /// The types of an operand.
    fn operand(&self, place: usize) -> Types {
        self.operands.get(place).or(self.operands.last()).copied().unwrap_or(Types::ALL)
    }

    /// Returns whether an instruction may match both patterns.
    pub fn overlaps(&self, other: &Pattern) -> bool {
        let places = self.operands.len().max(other.operands.len());
        self.operations.iter().any(|operation| other.operations.contains(operation))
            && self.result.meets(other.result)
            && (0..places).all(|place| self.operand(place).meets(other.operand(place)))
    }
}

impl Typed {
    /// The operation of an instruction with its types; `None` if it is no operation on scalars.
    pub fn of(module: &Module, inst: Inst) -> Option<Typed> {
        let (operation, operands): (Operation, SmallVec<[Inst; 4]>) = match view::ExtInst::of(module, inst) {
            Some(view::ExtInst { set, instruction, operands }) => {
                let operation =
                    Glsl::from_u32(instruction).filter(|_| module.is_instruction_set(set, "GLSL.std.450"))?;
                (Operation::Glsl(operation), operands.iter().collect())
            }
            None => {
                let op = module.op(inst);
                // The scope of an operation of a subgroup or of a clock, and its kind, say nothing of its types.
                let has_scope = matches!(op.group(), OpGroup::Subgroup | OpGroup::Clock);
                let has_type = |&place: &usize| !has_scope || op.operand_kind(place) == Some(OperandKind::Value);
                let places = (0..module.operand_count(inst)).filter(has_type);
                (Operation::Op(op), places.map(|place| module.operand(inst, place)).collect())
            }
        };
        let operands: Option<SmallVec<[Scalar; 4]>> =
            operands.into_iter().map(|operand| Scalar::of(module, module.ty(operand)?)).collect();
        let ty = module.ty(inst)?;
        let first = match module.type_view(ty)? {
            TypeView::Struct { members } => members.iter().next()?,
            _ => ty,
        };
        Some(Typed { operation, operands: operands?, result: Scalar::of(module, first)? })
    }

    /// The types of the operands in words, each once: `16-bit integers and pointers`.
    pub fn operand_types(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        for word in self.operands.iter().map(ToString::to_string) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" and ")
    }
}

/// Several values of the type: `booleans`, `16-bit integers`.
impl fmt::Display for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => formatter.write_str("booleans"),
            Scalar::Int(bits) => write!(formatter, "{bits}-bit integers"),
            Scalar::Float(bits) => write!(formatter, "{bits}-bit floats"),
            Scalar::Pointer => formatter.write_str("pointers"),
        }
    }
}

impl<T> Table<T> {
    /// The table of the rows of some files.
    pub fn new(files: &[&'static [Row<T>]]) -> Table<T> {
        let mut rows: FxHashMap<Operation, Vec<&'static Row<T>>> = FxHashMap::default();
        for row in files.iter().copied().flatten() {
            for &operation in row.pattern.operations {
                rows.entry(operation).or_default().push(row);
            }
        }
        Table { rows }
    }

    /// The row for an instruction with these types.
    pub fn find(&self, typed: &Typed) -> Option<&'static T> {
        let rows = self.rows.get(&typed.operation)?;
        rows.iter().find(|row| row.pattern.matches(typed)).map(|row| &row.content)
    }
}

/// The operations with two rows that match the same instruction, each of which is named once. Quadratic in the rows of an operation.
pub fn overlaps<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Vec<String> {
    let patterns: Vec<&Pattern> = patterns.into_iter().collect();
    let mut found = Vec::new();
    for (place, first) in patterns.iter().enumerate() {
        for second in patterns.iter().skip(place + 1).filter(|second| first.overlaps(second)) {
            let both = first.operations.iter().filter(|operation| second.operations.contains(operation));
            found.extend(both.map(ToString::to_string));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Op(op) => formatter.write_str(op.name()),
            Operation::Glsl(op) => write!(formatter, "{op:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Operation, Pattern, Row, Scalar, Table, Typed, Types, overlaps};
    use reconverge_ir::Op;

    const ADD: &[Operation] = &[Operation::Op(Op::IAdd)];
    const NARROW: Types = Types::INT8.or(Types::INT16);

    static ROWS: &[Row<&str>] = &[
        Row { pattern: Pattern { operations: ADD, operands: &[NARROW], result: NARROW }, content: "narrow" },
        Row { pattern: Pattern { operations: ADD, operands: &[Types::INT64], result: Types::INT64 }, content: "wide" },
    ];

    fn sum(bits: u32) -> Typed {
        let ty = Scalar::Int(bits);
        Typed { operation: Operation::Op(Op::IAdd), operands: [ty, ty].into_iter().collect(), result: ty }
    }

    #[test]
    fn rows_are_found_by_operation_and_types() {
        let table = Table::new(&[ROWS]);
        assert_eq!(table.find(&sum(16)), Some(&"narrow"));
        assert_eq!(table.find(&sum(64)), Some(&"wide"));
        assert_eq!(table.find(&sum(32)), None);
    }

    #[test]
    fn types_of_operands_are_named_once() {
        assert_eq!(sum(16).operand_types(), "16-bit integers");
        let operands = [Scalar::Float(32), Scalar::Pointer, Scalar::Float(32)].into_iter().collect();
        assert_eq!(Typed { operands, ..sum(16) }.operand_types(), "32-bit floats and pointers");
    }

    #[test]
    fn rows_that_match_the_same_are_found() {
        assert_eq!(overlaps(ROWS.iter().map(|row| &row.pattern)), Vec::<String>::new());
        let all = Pattern { operations: ADD, operands: &[Types::INTS], result: Types::INTS };
        assert_eq!(overlaps(ROWS.iter().map(|row| &row.pattern).chain([&all])), ["i_add"]);
    }
}
