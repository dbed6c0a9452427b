//! Programs for lanes, as plain data.
//!
//! A small language of statements on 32-bit words. It contains everything that a compiler of structured control flow must preserve:
//! divergence, reconvergence, and the participants of subgroup operations. Every loop counts its iterations, so every program terminates.
//!
//! The generator bounds the nesting of lists, so traversals of a program are recursive.

/// Statements, one after the other.
pub type List = Vec<Statement>;

/// The number of inputs that are the same in all lanes. The first one is the number of lanes.
pub const UNIFORMS: usize = 4;
/// The number of inputs that each lane has.
pub const PER_LANE: usize = 4;
/// The maximal number of iterations of a loop.
pub const TRIPS: u32 = 4;

/// The number of words of the array; initially they are descending numbers.
pub const ELEMENTS: u32 = 4;

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The procedures; each calls only earlier ones, the last one is where the program starts. It has no parameters.
    pub procedures: Vec<Procedure>,
    /// The number of words of private memory that all procedures share.
    pub globals: usize,
    /// True if they share an array of [`ELEMENTS`] words in private memory as well.
    pub table: bool,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// The number of its variables that are parameters. These come first.
    pub parameters: usize,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// The statements of the body.
    pub body: List,
    /// Its return value.
    pub result: Expression,
}

/// A variable of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its storage. A parameter is a value.
    pub storage: Storage,
    /// Its initializer, unless it is a parameter. Reads no variable.
    pub initial: Expression,
}

/// The storage of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// SSA values: block parameters at joins.
    Value,
    /// In a variable of the function.
    Function,
    /// In a private variable of the module.
    Private,
    /// In shared memory, a word for each lane.
    Shared,
}

/// A target of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assignable {
    /// A variable of the procedure.
    Local(usize),
    /// A word that all procedures share.
    Global(usize),
    /// The element of the shared array whose index is in a variable of the procedure, modulo [`ELEMENTS`].
    Element(usize),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// An assignment.
    Assign {
        /// The place.
        place: Assignable,
        /// The value.
        value: Expression,
    },
    /// Records the point, the lanes that are converged there, and a value.
    Record {
        /// The number of the record.
        point: u32,
        /// The value.
        value: Expression,
    },
    /// Calls an earlier procedure.
    Call {
        /// Its number.
        procedure: usize,
        /// The arguments.
        arguments: Vec<Expression>,
        /// The target of the result.
        result: Assignable,
    },
    /// A selection.
    If(If),
    /// A switch.
    Switch(Switch),
    /// A loop.
    Loop(Box<Loop>),
    /// An exit.
    Leave(Leave),
    /// Passes a variable to the next lane through shared memory, between barriers. All lanes must be converged.
    Exchange {
        /// The place.
        place: Assignable,
    },
}

/// An exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leave {
    /// To the end of the arm of the selection directly around, from a conditional exit.
    Selection,
    /// Out of the innermost switch.
    Switch,
    /// Out of the innermost loop.
    Loop,
    /// The next iteration of the innermost loop.
    Continue,
    /// Return to the caller.
    Return(Expression),
    /// The lane ends.
    Kill,
}

/// `if (condition) { then } else { otherwise }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct If {
    /// The condition.
    pub condition: Condition,
    /// The statements of the lanes for which it holds.
    pub then: List,
    /// The statements of the lanes for which it does not hold.
    pub otherwise: Option<List>,
    /// Its form.
    pub form: Form,
    /// The parameters of its merge block.
    pub carry: Carry,
}

/// The form of a selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// With a merge block.
    Merge,
    /// As a conditional exit, if its arms only leave.
    Exit,
    /// The same with the condition negated.
    InvertedExit,
}

/// The variables for which a join has parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// Those whose values differ between the incoming edges.
    Needed,
    /// All that are SSA values.
    All,
}

/// `switch (selector) { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// The selector.
    pub selector: Expression,
    /// The cases in order. At most one is the default.
    pub cases: Vec<Case>,
    /// The target of the default, unless a case is the default.
    pub rest: Rest,
    /// The parameters of its merge block.
    pub carry: Carry,
}

/// The number of values of the selector of a complete switch.
pub const COMPLETE: u32 = 4;

/// The target of values without a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// To the end.
    End,
    /// Nowhere: the selector is taken modulo [`COMPLETE`], and the cases have all of these. What is after is `unreachable`.
    Nowhere,
}

/// A case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Its selectors, none of which another case has.
    pub labels: Vec<u32>,
    /// True if it is the default.
    pub is_default: bool,
    /// The statements of the body.
    pub body: List,
    /// True if it falls through to the next case, if there is one.
    pub falls: bool,
}

/// A loop.
///
/// ```text
/// counter = 0; limit = trips & 3
/// for (;;) {
///     head
///     if (counter >= limit) { guard.code; break }      if there is a guard
///     body                                             break, continue, return
///   continue:
///     continue_list
///     counter += 1
///     if (counter >= limit) break                      if the latch says so
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The maximal number of iterations: this modulo [`TRIPS`].
    pub trips: Expression,
    /// The beginning of each iteration; straight-line.
    pub head: List,
    /// The exit at the top. A loop without one has one at the latch.
    pub guard: Option<Guard>,
    /// The body.
    pub body: List,
    /// The continue construct.
    pub continue_list: List,
    /// The end of each iteration.
    pub latch: Latch,
    /// True if it is one block, if it is straight-line and has no guard.
    pub is_single_block: bool,
    /// Its loop control.
    pub hint: Hint,
    /// The parameters of its header and its break block.
    pub carry: Carry,
}

/// The loop control. It does not change the behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// None.
    Silent,
    /// Unroll.
    Unroll,
    /// DontUnroll.
    DontUnroll,
    /// PeelCount.
    Peel(u32),
}

/// The exit at the top of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The code that leaving lanes execute first.
    pub code: List,
    /// A conditional exit, if there is no code, or a selection.
    pub form: Form,
}

/// The end of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Latch {
    /// The next one.
    Always,
    /// The next one if there is one, otherwise the loop is left: the true edge is the back edge.
    While,
    /// The same; the true edge leaves.
    Until,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A constant.
    Constant(u32),
    /// The number of the lane.
    Lane,
    /// An input that is the same in all lanes; below [`UNIFORMS`].
    Uniform(usize),
    /// An input of the lane; below [`PER_LANE`].
    PerLane(usize),
    /// The counter of the innermost loop of the procedure; 0 outside loops.
    Trip,
    /// The contents of a place.
    Read(Assignable),
    /// An operation on two words.
    Binary(Binary, Box<(Expression, Expression)>),
    /// One of two words.
    Select(Box<(Condition, Expression, Expression)>),
    /// An operation on the words of the converged lanes.
    Subgroup(Subgroup, Box<Expression>),
}

/// An operation on two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "arithmetic modulo 2^32")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Xor,
    And,
    Or,
}

/// An operation on the words of the converged lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subgroup {
    /// The word of the first lane.
    BroadcastFirst,
    /// The word of the last lane, by a shuffle.
    ShuffleLast,
    /// The word of the lane whose number differs in one bit, if it is active; otherwise the own one.
    ShuffleXor(u32),
    /// The combination of all words.
    Reduce(Reduction),
    /// The words of the lanes up to this one.
    Inclusive(Reduction),
    /// The words of the lanes before this one.
    Exclusive(Reduction),
    /// The number of words that are odd.
    BallotCount,
    /// The number of words that are odd in the lanes before this one.
    BallotRank,
    /// The lanes whose words are odd, as far as 32 lanes go.
    Ballot,
}

/// An associative operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the operation of the same name on 32-bit words")]
pub enum Reduction {
    Add,
    UnsignedMin,
    UnsignedMax,
    And,
    Or,
    Xor,
}

/// True or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A constant.
    Constant(bool),
    /// A comparison of unsigned words.
    Compare(Comparison, Box<(Expression, Expression)>),
    /// The opposite.
    Not(Box<Condition>),
    /// True in the first converged lane.
    Elect,
    /// True if it holds in some converged lane.
    Any(Box<Condition>),
    /// True if it holds in every converged lane.
    All(Box<Condition>),
    /// True if all converged lanes have the same word.
    AllEqual(Box<Expression>),
    /// The condition, through a ballot and back.
    InverseBallot(Box<Condition>),
}

/// A comparison of unsigned words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is what it says")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    GreaterEqual,
}

impl Program {
    /// The procedure where the program starts.
    pub fn start(&self) -> &Procedure {
        self.procedures.last().expect("invariant: a program has a procedure")
    }

    /// The number of statements, guards of loops included.
    pub fn size(&self) -> usize {
        self.procedures.iter().map(|procedure| 1 + size_of(&procedure.body)).sum()
    }
}

/// The number of statements in a list at any depth.
pub fn size_of(list: &[Statement]) -> usize {
    list.iter().map(|statement| 1 + statement.lists().map(|list| size_of(list)).sum::<usize>()).sum()
}

impl Statement {
    /// The lists directly in it.
    pub fn lists(&self) -> impl Iterator<Item = &List> {
        let mut lists: Vec<&List> = Vec::new();
        match self {
            Statement::If(selection) => lists.extend(std::iter::once(&selection.then).chain(&selection.otherwise)),
            Statement::Switch(switch) => lists.extend(switch.cases.iter().map(|case| &case.body)),
            Statement::Loop(repeated) => {
                lists.push(&repeated.head);
                lists.extend(repeated.guard.iter().map(|guard| &guard.code));
                lists.extend([&repeated.body, &repeated.continue_list]);
            }
            _ => {}
        }
        lists.into_iter()
    }

    /// The lists directly in it.
    pub fn lists_mut(&mut self) -> impl Iterator<Item = &mut List> {
        let mut lists: Vec<&mut List> = Vec::new();
        match self {
            Statement::If(selection) => {
                lists.extend(std::iter::once(&mut selection.then).chain(&mut selection.otherwise));
            }
            Statement::Switch(switch) => lists.extend(switch.cases.iter_mut().map(|case| &mut case.body)),
            Statement::Loop(repeated) => {
                lists.push(&mut repeated.head);
                lists.extend(repeated.guard.iter_mut().map(|guard| &mut guard.code));
                lists.extend([&mut repeated.body, &mut repeated.continue_list]);
            }
            _ => {}
        }
        lists.into_iter()
    }

    /// Returns whether its code has no branch.
    pub fn is_straight(&self) -> bool {
        matches!(self, Statement::Assign { .. } | Statement::Record { .. } | Statement::Call { .. })
    }
}
