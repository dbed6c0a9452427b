//! A kernel of OpenCL C as a tree.
//!
//! The tree holds what a program says and nothing about how it is written: guards, masks and casts that keep every operation defined
//! are put there by the printer, so that no change to a tree makes a program undefined.

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

    /// As OpenCL C calls it.
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

    /// How many bits it has.
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

    /// The unsigned type in which sums and products wrap: no smaller one takes part in arithmetic.
    pub const fn wrapping(self) -> Scalar {
        if self.bits() == 64 { Scalar::Ulong } else { Scalar::Uint }
    }
}

/// An expression: its type, what it is, and what it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// Its type.
    pub scalar: Scalar,
    /// What it is.
    pub form: Form,
    /// Its operands.
    pub of: Vec<Expression>,
}

/// What an expression is. Names of operators and functions are those of OpenCL C.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// A number, cut to its type.
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
    /// What a pointer points to.
    Pointee(usize),
    /// An operator of one operand.
    Prefix(&'static str),
    /// An operator that wraps.
    Wrapping(&'static str),
    /// A shift.
    Shift(&'static str),
    /// A quotient or remainder; by one where there is none.
    Guarded(&'static str),
    /// A comparison, in the type that C compares in.
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
        /// What is assigned.
        value: Expression,
    },
    /// `if`.
    If {
        /// Whether.
        condition: Expression,
        /// Then.
        then: Vec<Statement>,
        /// Else; often empty.
        or_else: Vec<Statement>,
    },
    /// A loop. The counter ends it after a few iterations.
    Loop {
        /// How it is written.
        form: LoopForm,
        /// The variable that counts.
        counter: usize,
        /// How often, or how long.
        condition: Expression,
        /// What repeats.
        body: Vec<Statement>,
    },
    /// `switch` over the low bits of a selector.
    Switch {
        /// What decides.
        selector: Expression,
        /// Which of its bits.
        mask: u64,
        /// The cases, in order.
        cases: Vec<Case>,
        /// Where all else goes.
        default: Default,
    },
    /// A loop that a switch enters in its midst (Duff's device).
    Entered {
        /// What decides where it is entered.
        selector: Expression,
        /// The body; each part is an entry.
        parts: Vec<Vec<Statement>>,
        /// The variable that counts iterations.
        counter: usize,
        /// How long.
        condition: Expression,
    },
    /// `break`; nothing where there is no loop or switch.
    Break,
    /// `continue`; nothing where there is no loop.
    Continue,
    /// `return`, with a trace of it.
    Return(Expression),
    /// A place to go to.
    Label(usize),
    /// `goto`, if the condition holds. The counter, if there is one, ends the way back after a few times.
    Goto {
        /// Where to.
        label: usize,
        /// The variable that counts.
        counter: Option<usize>,
        /// Whether.
        condition: Expression,
    },
    /// Work-items of a work-group tell each other something: barrier, own cell, barrier, another's cell.
    Exchange {
        /// Through what.
        through: Exchange,
        /// What each tells.
        value: Expression,
        /// Whose is read: the work-item so many further on, or the one of that number where all read the same.
        index: Expression,
        /// The variable that takes it.
        into: usize,
    },
    /// An atomic operation whose result nothing reads, on one of four words that all share.
    Gather {
        /// Whether the words are those of the work-group.
        is_local: bool,
        /// Its built-in function.
        operation: &'static str,
        /// Which word.
        word: usize,
        /// The operand.
        value: Expression,
    },
    /// `pointer = condition ? &a : &b`.
    Point {
        /// The pointer.
        pointer: usize,
        /// Which.
        condition: Expression,
        /// Variables or elements of its type.
        targets: [Expression; 2],
    },
    /// Assigns a whole struct: array, index.
    Copy {
        /// To.
        to: (usize, Expression),
        /// From.
        from: (usize, Expression),
    },
    /// Assigns a whole vector.
    Vector {
        /// To.
        to: usize,
        /// What.
        value: VectorValue,
    },
}

/// How a loop is written.
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
    /// Its numbers.
    pub labels: Vec<u64>,
    /// What it does.
    pub body: Vec<Statement>,
    /// Whether it goes on in the next.
    pub falls: bool,
}

/// What a switch does with all other numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// No default.
    None,
    /// A default; it is before the case of that number, and falls into it.
    Body(usize, Vec<Statement>),
    /// A default that is never reached; only where the cases are complete.
    Unreachable,
}

/// Through what work-items tell each other something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// Local memory, each the cell of another.
    Local,
    /// The same, in a function.
    LocalByCall,
    /// Local memory, all the same cell.
    Broadcast,
    /// Global memory.
    Global,
}

/// What a vector takes.
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
    /// What it starts with.
    pub start: u64,
    /// What it is for.
    pub use_as: VariableUse,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUse {
    /// Whatever.
    Any,
    /// The same in all work-items of a work-group.
    Uniform,
    /// Counts; only what it counts for assigns to it.
    Counter,
    /// Counts the same in all work-items of a work-group.
    UniformCounter,
}

/// A function, or the body of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its variables; the first ones are parameters.
    pub variables: Vec<Variable>,
    /// How many parameters it has.
    pub parameters: usize,
    /// Private arrays: type, and length, a power of two.
    pub arrays: Vec<(Scalar, usize)>,
    /// Whether the first array is a parameter.
    pub takes_array: bool,
    /// Arrays of structs, by length, a power of two.
    pub records: Vec<usize>,
    /// How many vectors there are.
    pub vectors: usize,
    /// Pointers: the array that they point into at first, whose type they have.
    pub pointers: Vec<usize>,
    /// What it does.
    pub statements: Vec<Statement>,
    /// The type of its result; nothing for a kernel.
    pub result: Option<Scalar>,
    /// Whether a compiler may inline it.
    pub is_inlined: bool,
}

/// A kernel with all that it needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// Work-items of a work-group.
    pub local: [u32; 2],
    /// Work-groups.
    pub groups: u32,
    /// Whether its attributes say the size of a work-group.
    pub is_sized: bool,
    /// Whether there are barriers.
    pub has_barriers: bool,
    /// The table in constant memory.
    pub table: (Scalar, [u64; 8]),
    /// The fields of its struct.
    pub fields: Vec<Scalar>,
    /// The type of its vectors.
    pub vector: (Scalar, usize),
    /// The type of cells in local memory.
    pub cell: Scalar,
    /// Whether these are an argument.
    pub is_cell_argument: bool,
    /// The functions that it calls.
    pub callees: Vec<Function>,
    /// The kernel.
    pub body: Function,
}

impl Kernel {
    /// How many work-items a work-group has.
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

    /// The expressions that it evaluates itself, to change them; not the targets of assignments and pointers.
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
