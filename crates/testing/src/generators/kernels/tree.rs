//! A kernel of OpenCL C as a tree.
//!
//! The tree contains the meaning of a program and not its text: the printer adds guards, masks and casts that keep every operation defined,
//! so that no change of a tree makes a program undefined.

/// An integer type of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// 8 bits, signed.
    Char,
    /// 8 bits, unsigned.
    Uchar,
    /// 16 bits, signed.
    Short,
    /// 16 bits, unsigned.
    Ushort,
    /// 32 bits, signed.
    Int,
    /// 32 bits, unsigned.
    Uint,
    /// 64 bits, signed.
    Long,
    /// 64 bits, unsigned.
    Ulong,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Scalar; 8] = [
        Scalar::Char,
        Scalar::Uchar,
        Scalar::Short,
        Scalar::Ushort,
        Scalar::Int,
        Scalar::Uint,
        Scalar::Long,
        Scalar::Ulong,
    ];

    /// Its name in OpenCL C.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Char => "char",
            Scalar::Uchar => "uchar",
            Scalar::Short => "short",
            Scalar::Ushort => "ushort",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Long => "long",
            Scalar::Ulong => "ulong",
        }
    }

    /// Its width.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Char | Scalar::Uchar => 8,
            Scalar::Short | Scalar::Ushort => 16,
            Scalar::Int | Scalar::Uint => 32,
            Scalar::Long | Scalar::Ulong => 64,
        }
    }

    /// The unsigned type of the same size.
    pub const fn unsigned(self) -> Scalar {
        match self.bits() {
            8 => Scalar::Uchar,
            16 => Scalar::Ushort,
            32 => Scalar::Uint,
            _ => Scalar::Ulong,
        }
    }

    /// The unsigned type in which sums and products wrap, after C's integer promotion.
    pub const fn wrapping(self) -> Scalar {
        if self.bits() == 64 { Scalar::Ulong } else { Scalar::Uint }
    }
}

/// An expression: its type, its kind, and its operands.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// Its type.
    pub scalar: Scalar,
    /// Its kind.
    pub form: Form,
    /// Its operands.
    pub of: Vec<Expression>,
}

/// The kind of an expression. Names of operators and functions are those of OpenCL C.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// A number, truncated to its type.
    Constant(u64),
    /// A variable of the function.
    Variable(usize),
    /// An argument of the kernel, or a number of the work-item.
    Leaf(&'static str),
    /// An element of the input, by its index.
    Input,
    /// An element of the table in constant memory, by its index.
    Table,
    /// A word of the work-item's part of the output, by its index; only as the target of an assignment.
    Output,
    /// An element of a private array, by its index.
    Element(usize),
    /// A field of an element of an array of structs: which array, which field; by its index.
    Field(usize, usize),
    /// A component of a vector, by its index.
    Component(usize),
    /// The pointee of a pointer.
    Pointee(usize),
    /// An operator of one operand.
    Prefix(&'static str),
    /// An operator that wraps.
    Wrapping(&'static str),
    /// A shift.
    Shift(&'static str),
    /// A quotient or remainder; by one if it is undefined.
    Guarded(&'static str),
    /// A comparison, in C's common type.
    Compare(&'static str),
    /// `&&` or `||`.
    Logical(&'static str),
    /// `?:`.
    Choose,
    /// A cast.
    Cast,
    /// A built-in function.
    BuiltIn(&'static str),
    /// A call of a function of the program, with an array of the caller where it takes one.
    Call(usize, usize),
}

impl Expression {
    /// An expression without operands.
    pub const fn leaf(scalar: Scalar, form: Form) -> Expression {
        Expression { scalar, form, of: Vec::new() }
    }

    /// A number.
    pub const fn constant(scalar: Scalar, number: u64) -> Expression {
        Expression::leaf(scalar, Form::Constant(number))
    }
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// `place operator value`.
    Assign {
        /// A variable, element, field, component, pointee or word of the output.
        place: Expression,
        /// `=`, `^=`, `+=` or the like, which wrap.
        operator: &'static str,
        /// The value.
        value: Expression,
    },
    /// `if`.
    If {
        /// The condition.
        condition: Expression,
        /// Then.
        then: Vec<Statement>,
        /// Else; often empty.
        or_else: Vec<Statement>,
    },
    /// A loop. The counter ends it after a few iterations.
    Loop {
        /// Its form.
        form: LoopForm,
        /// The counter.
        counter: usize,
        /// The number of iterations, or the condition.
        condition: Expression,
        /// The body.
        body: Vec<Statement>,
    },
    /// `switch` over the low bits of a selector.
    Switch {
        /// The selector.
        selector: Expression,
        /// The mask.
        mask: u64,
        /// The cases, in order.
        cases: Vec<Case>,
        /// The default.
        default: Default,
    },
    /// A loop that a switch enters in the middle (Duff's device).
    Entered {
        /// The selector of the entry.
        selector: Expression,
        /// The body; each part is an entry.
        parts: Vec<Vec<Statement>>,
        /// The counter.
        counter: usize,
        /// The condition.
        condition: Expression,
    },
    /// `break`; no operation outside loops and switches.
    Break,
    /// `continue`; no operation outside loops.
    Continue,
    /// `return`, which is recorded in the output.
    Return(Expression),
    /// A label.
    Label(usize),
    /// `goto`, if the condition holds. The counter, if there is one, ends a backward jump after a few iterations.
    Goto {
        /// The label.
        label: usize,
        /// The counter.
        counter: Option<usize>,
        /// The condition.
        condition: Expression,
    },
    /// Work-items of a work-group exchange values: barrier, write own cell, barrier, read another's cell.
    Exchange {
        /// The memory.
        through: Exchange,
        /// The written values.
        value: Expression,
        /// The cell that is read: that of the work-item at this distance, or the one with this number if all read the same.
        index: Expression,
        /// The variable that gets it.
        into: usize,
    },
    /// An atomic operation with unused result, on one of four shared words.
    Gather {
        /// True if the words are in local memory.
        is_local: bool,
        /// Its built-in function.
        operation: &'static str,
        /// The word.
        word: usize,
        /// The operand.
        value: Expression,
    },
    /// `pointer = condition ? &a : &b`.
    Point {
        /// The pointer.
        pointer: usize,
        /// The condition.
        condition: Expression,
        /// Variables or elements of its type.
        targets: [Expression; 2],
    },
    /// Assigns a whole struct: array, index.
    Copy {
        /// The target.
        to: (usize, Expression),
        /// The source.
        from: (usize, Expression),
    },
    /// Assigns a whole vector.
    Vector {
        /// The target.
        to: usize,
        /// The value.
        value: VectorValue,
    },
}

/// The form of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopForm {
    /// `for`, with a bound that is computed in every iteration.
    For,
    /// `while`.
    While,
    /// `do … while`.
    DoWhile,
}

/// A case of a switch.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its literals.
    pub labels: Vec<u64>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// True if it falls through to the next.
    pub falls: bool,
}

/// The treatment of all other values by a switch.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// No default.
    None,
    /// A default; it comes before the case with that number and falls through to it.
    Body(usize, Vec<Statement>),
    /// A default that is unreachable, because the cases are complete.
    Unreachable,
}

/// The memory of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// Local memory, where each reads the cell of another.
    Local,
    /// The same, in a function.
    LocalByCall,
    /// Local memory, where all read one cell.
    Broadcast,
    /// Global memory.
    Global,
}

/// The value of a vector assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum VectorValue {
    /// Scalars, repeated as needed.
    Of(Vec<Expression>),
    /// An operation on two vectors.
    Both(&'static str, usize, usize),
    /// An operation on a vector and a scalar.
    Splat(&'static str, usize, Expression),
    /// Components of a vector in another order.
    Shuffle(usize, Vec<usize>),
    /// Components of the one where the other is less.
    Less(usize, usize),
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variable {
    /// Its type.
    pub scalar: Scalar,
    /// Its initializer.
    pub start: u64,
    /// Its use.
    pub use_as: VariableUse,
}

/// The use of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUse {
    /// Any.
    Any,
    /// The same in all work-items of a work-group.
    Uniform,
    /// A counter; only its loop assigns to it.
    Counter,
    /// A counter that is the same in all work-items of a work-group.
    UniformCounter,
}

/// A function, or the body of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its variables; the first ones are parameters.
    pub variables: Vec<Variable>,
    /// The number of parameters.
    pub parameters: usize,
    /// Private arrays: type, and length, a power of two.
    pub arrays: Vec<(Scalar, usize)>,
    /// True if the first array is a parameter.
    pub takes_array: bool,
    /// Arrays of structs, by length, a power of two.
    pub records: Vec<usize>,
    /// The number of vectors.
    pub vectors: usize,
    /// Pointers: the array that they initially point into, whose type they have.
    pub pointers: Vec<usize>,
    /// Its body.
    pub statements: Vec<Statement>,
    /// The type of its result; `None` for a kernel.
    pub result: Option<Scalar>,
    /// True if a compiler may inline it.
    pub is_inlined: bool,
}

/// A kernel with its functions and data.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The work-items of a work-group.
    pub local: [u32; 2],
    /// Work-groups.
    pub groups: u32,
    /// True if its attributes require the size of a work-group.
    pub is_sized: bool,
    /// True if there are barriers.
    pub has_barriers: bool,
    /// The table in constant memory.
    pub table: (Scalar, [u64; 8]),
    /// The fields of its struct.
    pub fields: Vec<Scalar>,
    /// The type of its vectors.
    pub vector: (Scalar, usize),
    /// The type of cells in local memory.
    pub cell: Scalar,
    /// True if these are an argument.
    pub is_cell_argument: bool,
    /// The functions that it calls.
    pub callees: Vec<Function>,
    /// The kernel.
    pub body: Function,
}

impl Kernel {
    /// The number of work-items of a work-group.
    pub const fn group_size(&self) -> u32 {
        self.local[0] * self.local[1]
    }
}

impl Statement {
    /// The lists of statements in it.
    pub fn lists(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If { then, or_else, .. } => vec![then, or_else],
            Statement::Loop { body, .. } => vec![body],
            Statement::Switch { cases, default, .. } => {
                let mut lists: Vec<&Vec<Statement>> = cases.iter().map(|case| &case.body).collect();
                if let Default::Body(_, body) = default {
                    lists.push(body);
                }
                lists
            }
            Statement::Entered { parts, .. } => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The same, to change them.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, or_else, .. } => vec![then, or_else],
            Statement::Loop { body, .. } => vec![body],
            Statement::Switch { cases, default, .. } => {
                let mut lists: Vec<&mut Vec<Statement>> = cases.iter_mut().map(|case| &mut case.body).collect();
                if let Default::Body(_, body) = default {
                    lists.push(body);
                }
                lists
            }
            Statement::Entered { parts, .. } => parts.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions that it evaluates itself, mutable; without the targets of assignments and pointers.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Statement::Assign { place, value, .. } => {
                let mut all: Vec<&mut Expression> = place.of.iter_mut().collect();
                all.push(value);
                all
            }
            Statement::If { condition, .. }
            | Statement::Loop { condition, .. }
            | Statement::Goto { condition, .. }
            | Statement::Point { condition, .. } => vec![condition],
            Statement::Switch { selector, .. } => vec![selector],
            Statement::Entered { selector, condition, .. } => vec![selector, condition],
            Statement::Return(value) | Statement::Gather { value, .. } => vec![value],
            Statement::Exchange { value, index, .. } => vec![value, index],
            Statement::Copy { to, from } => vec![&mut to.1, &mut from.1],
            Statement::Vector { value: VectorValue::Of(parts), .. } => parts.iter_mut().collect(),
            Statement::Vector { value: VectorValue::Splat(_, _, part), .. } => vec![part],
            Statement::Break | Statement::Continue | Statement::Label(_) | Statement::Vector { .. } => Vec::new(),
        }
    }
}
