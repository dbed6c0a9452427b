//! Programs for lanes, as plain data.
//!
//! A small language of statements on 32-bit words. Everything that a compiler of structured control flow must keep is in it: where
//! lanes split, where they come together, who takes part in an operation on the subgroup. Every loop counts its trips, so every
//! program ends.
//!
//! Lists nest as deep as the generator lets them, which is a handful; walks over a program are recursive.

/// Statements, one after the other.
pub type List = Vec<Statement>;

/// How many values a program gets that are the same in all lanes. The first one is the number of lanes.
pub const UNIFORMS: usize = 4;
/// How many values a program gets that each lane has its own of.
pub const PER_LANE: usize = 4;
/// How many trips a loop makes at most.
pub const TRIPS: u32 = 4;

/// How many words the array has; the first ones hold the later ones' numbers, backwards.
pub const ELEMENTS: u32 = 4;

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The procedures; each calls only earlier ones, the last one is where the program starts. It has no parameters.
    pub procedures: Vec<Procedure>,
    /// How many words of private memory all procedures share.
    pub globals: usize,
    /// Whether they share an array of [`ELEMENTS`] words in private memory as well.
    pub table: bool,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// How many of its variables the caller gives. These come first.
    pub parameters: usize,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// What it does.
    pub body: List,
    /// What it returns at the end of its body.
    pub result: Expression,
}

/// A variable of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Where it lives. A parameter is a value.
    pub storage: Storage,
    /// What it holds at first, unless it is a parameter. Reads no variable.
    pub initial: Expression,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In values: block parameters carry it where control comes together.
    Value,
    /// In a variable of the function.
    Function,
    /// In a private variable of the module.
    Private,
    /// In shared memory, a word for each lane.
    Shared,
}

/// What can be assigned to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assignable {
    /// A variable of the procedure.
    Local(usize),
    /// A word that all procedures share.
    Global(usize),
    /// The element of the shared array whose number a variable of the procedure holds, modulo [`ELEMENTS`].
    Element(usize),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Puts a value into a place.
    Assign {
        /// The place.
        place: Assignable,
        /// The value.
        value: Expression,
    },
    /// Writes down the point, the lanes that are there together, and a value.
    Record {
        /// Which record of the program it is.
        point: u32,
        /// The value.
        value: Expression,
    },
    /// Calls an earlier procedure.
    Call {
        /// Its number.
        procedure: usize,
        /// What it gets: one a parameter.
        arguments: Vec<Expression>,
        /// Where its result goes.
        result: Assignable,
    },
    /// A selection.
    If(If),
    /// A switch.
    Switch(Switch),
    /// A loop.
    Loop(Box<Loop>),
    /// Leaves what is around.
    Leave(Leave),
    /// Hands a variable on to the next lane through shared memory, between barriers. All lanes must come together.
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
    /// On with the next trip of the innermost loop.
    Continue,
    /// Back to the caller.
    Return(Expression),
    /// The lane ends.
    Kill,
}

/// `if (condition) { then } else { otherwise }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct If {
    /// The condition.
    pub condition: Condition,
    /// Where it holds.
    pub then: List,
    /// Where it does not.
    pub otherwise: Option<List>,
    /// As what it is written.
    pub form: Form,
    /// What its merge block carries.
    pub carry: Carry,
}

/// As what a selection is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// With a merge block.
    Merge,
    /// As a conditional exit, if its arms do nothing but leave.
    Exit,
    /// The same with the condition turned around.
    InvertedExit,
}

/// Which variables a join has parameters for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// Those whose values differ between the ways in.
    Needed,
    /// All that live in values.
    All,
}

/// `switch (selector) { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// The selector.
    pub selector: Expression,
    /// The cases in order. At most one is the default.
    pub cases: Vec<Case>,
    /// Where the values go that no case has, unless a case is the default.
    pub rest: Rest,
    /// What its merge block carries.
    pub carry: Carry,
}

/// How many values the selector of a switch has whose cases are all there are.
pub const COMPLETE: u32 = 4;

/// Where the values go that no case of a switch has.
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
    /// Whether it is the default.
    pub is_default: bool,
    /// What it does.
    pub body: List,
    /// Whether it goes on in the next case, if there is one.
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
    /// How many trips it makes at most: this modulo [`TRIPS`].
    pub trips: Expression,
    /// What each trip begins with; straight-line.
    pub head: List,
    /// The exit at the front. A loop without one has one at the latch.
    pub guard: Option<Guard>,
    /// What each trip does.
    pub body: List,
    /// What is in the continue construct.
    pub continue_list: List,
    /// How each trip ends.
    pub latch: Latch,
    /// Whether all of it is one block, if it is straight-line and has no guard.
    pub is_single_block: bool,
    /// How it wants to be transformed.
    pub hint: Hint,
    /// What its header and its break block carry.
    pub carry: Carry,
}

/// How a loop wants to be transformed. What it does is the same with any hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// It does not say.
    Silent,
    /// Written out, iteration by iteration.
    Unroll,
    /// As it is.
    DontUnroll,
    /// So many iterations before it.
    Peel(u32),
}

/// The exit at the front of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// What the lanes that leave do first.
    pub code: List,
    /// A conditional exit, if there is no code, or a selection.
    pub form: Form,
}

/// How a trip ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Latch {
    /// With the next one.
    Always,
    /// With the next one while there is one, else the loop is left: the true way goes back.
    While,
    /// The same, the true way leaves.
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
    /// What a place holds.
    Read(Assignable),
    /// An operation on two words.
    Binary(Binary, Box<(Expression, Expression)>),
    /// One of two words.
    Select(Box<(Condition, Expression, Expression)>),
    /// An operation on the words of the lanes that are here together.
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

/// An operation on the words of the lanes that are here together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subgroup {
    /// The word of the first lane.
    BroadcastFirst,
    /// The word of the last lane, by a shuffle.
    ShuffleLast,
    /// The word of the lane whose number differs in one bit, if it is here; else the own one.
    ShuffleXor(u32),
    /// All words together.
    Reduce(Reduction),
    /// The words of the lanes up to this one.
    Inclusive(Reduction),
    /// The words of the lanes before this one.
    Exclusive(Reduction),
    /// How many words are odd.
    BallotCount,
    /// How many words are odd in the lanes before this one.
    BallotRank,
    /// The lanes whose words are odd, as far as 32 lanes go.
    Ballot,
}

/// How words are taken together.
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
    /// Always this.
    Constant(bool),
    /// A comparison of unsigned words.
    Compare(Comparison, Box<(Expression, Expression)>),
    /// The opposite.
    Not(Box<Condition>),
    /// Whether this is the first of the lanes that are here.
    Elect,
    /// Whether it holds in some lane that is here.
    Any(Box<Condition>),
    /// Whether it holds in every lane that is here.
    All(Box<Condition>),
    /// Whether all lanes that are here have the same word.
    AllEqual(Box<Expression>),
    /// The condition, by way of a ballot and back.
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
    /// Where the program starts.
    pub fn start(&self) -> &Procedure {
        self.procedures.last().expect("invariant: a program has a procedure")
    }

    /// How many statements there are, guards of loops among them.
    pub fn size(&self) -> usize {
        self.procedures.iter().map(|procedure| 1 + size_of(&procedure.body)).sum()
    }
}

/// How many statements a list holds at any depth.
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

    /// Whether it is written without any branch.
    pub fn is_straight(&self) -> bool {
        matches!(self, Statement::Assign { .. } | Statement::Record { .. } | Statement::Call { .. })
    }
}
