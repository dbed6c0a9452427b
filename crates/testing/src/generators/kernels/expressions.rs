//! Generates expressions: of all variables in scope, or of uniform ones only.

use super::make::Maker;
use super::tree::{Expression, Form, Scalar, Variable, VariableUse};

/// Leaves that are the same in all work-items of a work-group, in a kernel.
const UNIFORM: [(Scalar, &str); 6] = [
    (Scalar::Uint, "n"),
    (Scalar::Ulong, "m"),
    (Scalar::Ulong, "get_group_id(0)"),
    (Scalar::Ulong, "get_num_groups(0)"),
    (Scalar::Ulong, "get_local_size(0)"),
    (Scalar::Ulong, "get_global_size(1)"),
];

/// Leaves that differ, in a kernel.
const DIVERGENT: [(Scalar, &str); 5] = [
    (Scalar::Uint, "lid"),
    (Scalar::Uint, "gid"),
    (Scalar::Ulong, "get_local_id(0)"),
    (Scalar::Ulong, "get_global_id(0)"),
    (Scalar::Ulong, "get_global_id(1)"),
];

const WRAPPING: [&str; 6] = ["+", "-", "*", "&", "|", "^"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const UNARY: [&str; 4] = ["clz", "popcount", "abs", "clz"];
const BINARY: [&str; 10] = ["min", "max", "rotate", "mul_hi", "hadd", "rhadd", "add_sat", "sub_sat", "abs_diff", "min"];

/// The values that an expression may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    /// Those that are the same in all work-items of a group.
    Uniform,
    Any,
}

impl Maker<'_> {
    /// A condition.
    pub(super) fn condition(&mut self, values: Values) -> Expression {
        let (left, right) = (self.expression(2, values), self.expression(1, values));
        match self.random.below(6) {
            0..3 => both(Scalar::Int, Form::Compare(self.name_of(&COMPARISONS)), left, right),
            3 => both(Scalar::Int, Form::Logical(self.name_of(&["&&", "||"])), left, right),
            4 => Expression { scalar: Scalar::Int, form: Form::Prefix("!"), of: vec![left] },
            _ => {
                let three = Expression::constant(Scalar::Uint, 3);
                let low = both(Scalar::Uint, Form::Wrapping("&"), left, three);
                both(Scalar::Int, Form::Compare("!="), low, Expression::constant(Scalar::Uint, self.random.word() & 3))
            }
        }
    }

    /// An expression with a maximal depth.
    pub(super) fn expression(&mut self, depth: usize, values: Values) -> Expression {
        if depth == 0 || self.random.chance(20) {
            return self.leaf(values);
        }
        let scalar = *self.random.choose(&Scalar::ALL);
        let operand = |maker: &mut Self| maker.expression(depth - 1, values);
        match self.random.below(24) {
            0..8 => {
                let (left, right) = (operand(self), operand(self));
                both(scalar, Form::Wrapping(self.name_of(&WRAPPING)), left, right)
            }
            8..10 => {
                let (left, right) = (operand(self), operand(self));
                both(scalar, Form::Shift(self.name_of(&["<<", ">>"])), left, right)
            }
            10 => {
                let (left, right) = (operand(self), operand(self));
                both(scalar, Form::Guarded(self.name_of(&["quotient", "remainder"])), left, right)
            }
            11 => self.condition(values),
            12..14 => {
                let of = vec![self.condition(values), operand(self), operand(self)];
                Expression { scalar, form: Form::Choose, of }
            }
            14..16 => Expression { scalar, form: Form::Cast, of: vec![operand(self)] },
            16 => Expression { scalar, form: Form::Prefix(self.name_of(&["-", "~"])), of: vec![operand(self)] },
            17 => Expression { scalar, form: Form::BuiltIn(self.name_of(&UNARY)), of: vec![operand(self)] },
            18..20 => {
                let (left, right) = (operand(self), operand(self));
                both(scalar, Form::BuiltIn(self.name_of(&BINARY)), left, right)
            }
            _ => self.access(values, operand),
        }
    }

    /// One of these operators or functions.
    pub(super) fn name_of(&mut self, names: &[&'static str]) -> &'static str {
        names[self.random.below(names.len())]
    }

    /// The value of a memory access or function.
    fn access(&mut self, values: Values, operand: impl Fn(&mut Self) -> Expression) -> Expression {
        let is_kernel = self.function.parameters == 0;
        match self.random.below(10) {
            0..2 if is_kernel => Expression { scalar: Scalar::Uint, form: Form::Input, of: vec![operand(self)] },
            2 => Expression { scalar: self.kernel.table.0, form: Form::Table, of: vec![operand(self)] },
            _ if values == Values::Uniform => operand(self),
            3..5 => self.call(operand),
            _ => {
                let target = self.target();
                if target.form == Form::Output { operand(self) } else { target }
            }
        }
    }

    /// A call of a function that takes no array.
    fn call(&mut self, operand: impl Fn(&mut Self) -> Expression) -> Expression {
        let count = self.kernel.callees.len();
        let kernel = self.kernel;
        let number = self.random.below(count.max(1));
        match kernel.callees.get(number) {
            Some(callee) if !callee.takes_array => {
                let of = (0..callee.parameters).map(|_| operand(self)).collect();
                Expression { scalar: callee.result.unwrap_or(Scalar::Uint), form: Form::Call(number, 0), of }
            }
            _ => operand(self),
        }
    }

    /// A call of a function that takes an array and may change it: only as the whole right-hand side of an assignment, since C does not
    /// define the evaluation order of operands.
    pub(super) fn callee_with_array(&mut self) -> Option<Expression> {
        let kernel = self.kernel;
        let number = self.random.below(kernel.callees.len().max(1));
        let callee = kernel.callees.get(number).filter(|callee| callee.takes_array)?;
        let (scalar, length) = callee.arrays[0];
        let fits = |&(own, longer): &(Scalar, usize)| own == scalar && longer >= length;
        let array = self.function.arrays.iter().position(fits)?;
        let of = (0..callee.parameters).map(|_| self.expression(2, Values::Any)).collect();
        Some(Expression { scalar: callee.result?, form: Form::Call(number, array), of })
    }

    fn leaf(&mut self, values: Values) -> Expression {
        let is_kernel = self.function.parameters == 0;
        match self.random.below(10) {
            0..3 => self.number(),
            3..5 if is_kernel => {
                let leaves =
                    if values == Values::Uniform || self.random.chance(30) { &UNIFORM[..] } else { &DIVERGENT[..] };
                let &(scalar, leaf) = self.random.choose(leaves);
                Expression::leaf(scalar, Form::Leaf(leaf))
            }
            _ => self.readable(values),
        }
    }

    fn number(&mut self) -> Expression {
        let scalar = *self.random.choose(&Scalar::ALL);
        let number = match self.random.below(6) {
            0..3 => self.random.below(9) as u64,
            3 => 1 << self.random.below(scalar.bits() as usize),
            4 => u64::MAX >> self.random.below(scalar.bits() as usize),
            _ => self.random.word(),
        };
        Expression::constant(scalar, number)
    }

    /// A variable that may be read.
    fn readable(&mut self, values: Values) -> Expression {
        let may = |variable: &Variable| {
            values == Values::Any || matches!(variable.use_as, VariableUse::Uniform | VariableUse::UniformCounter)
        };
        match self.variable_that(may) {
            Some(variable) => variable,
            None => self.number(),
        }
    }

    fn variable_that(&mut self, may: impl Fn(&Variable) -> bool) -> Option<Expression> {
        let variables = self.function.variables.iter().enumerate();
        let fitting: Vec<usize> = variables.filter(|(_, variable)| may(variable)).map(|(index, _)| index).collect();
        if fitting.is_empty() {
            return None;
        }
        let index = *self.random.choose(&fitting);
        Some(Expression::leaf(self.function.variables[index].scalar, Form::Variable(index)))
    }

    /// A variable for that use; there must be one.
    pub(super) fn variable_for(&mut self, use_as: VariableUse) -> Expression {
        let found = self.variable_that(|variable| variable.use_as == use_as);
        found.expect("invariant: every function has variables of that use where it is asked for")
    }

    /// A possible target for the assignment of a divergent value.
    pub(super) fn target(&mut self) -> Expression {
        let function = &self.function;
        let (arrays, records, fields) = (function.arrays.len(), function.records.len(), self.kernel.fields.len());
        let (vectors, pointers) = (function.vectors, function.pointers.len());
        match self.random.below(10) {
            0..2 if arrays > 0 => {
                let array = self.random.below(arrays);
                let of = vec![self.expression(1, Values::Any)];
                Expression { scalar: self.function.arrays[array].0, form: Form::Element(array), of }
            }
            2 if records > 0 => {
                let (record, field) = (self.random.below(records), self.random.below(fields));
                let of = vec![self.expression(1, Values::Any)];
                Expression { scalar: self.kernel.fields[field], form: Form::Field(record, field), of }
            }
            3 if vectors > 0 => {
                let of = vec![self.expression(1, Values::Any)];
                let form = Form::Component(self.random.below(vectors));
                Expression { scalar: self.kernel.vector.0, form, of }
            }
            4 if pointers > 0 => {
                let pointer = self.random.below(pointers);
                let scalar = self.function.arrays[self.function.pointers[pointer]].0;
                Expression::leaf(scalar, Form::Pointee(pointer))
            }
            5 if self.function.parameters == 0 => {
                Expression { scalar: Scalar::Uint, form: Form::Output, of: vec![self.expression(1, Values::Any)] }
            }
            _ => self.variable_for(VariableUse::Any),
        }
    }
}

fn both(scalar: Scalar, form: Form, left: Expression, right: Expression) -> Expression {
    Expression { scalar, form, of: vec![left, right] }
}
