//! The effect of one iteration of a loop on the loop's state, as far as it is computed only from the state and constants.
//!
//! ```text
//! ^header(%i, %j): …            terms:  0 slot %i   1 constant 4   2 i_add 0 1   3 constant 40   4 u_less_than 0 3
//!     branch ^header(%i + 4, …)  ⇒      next of %i: term 2;  the condition: term 4
//! ```
//!
//! The state is in *slots*: parameters of the header, and variables at the start of the header. Terms are collected from the condition and
//! from the next values of the slots that it needs; each term is after its operands. At the join of the two sides of a branch, a term
//! selects. The state of an enclosing loop that is unrolled as well is *free*: another number for each copy. A value that cannot be
//! computed is an unknown term. There are at most [`TERM_LIMIT`] terms.

use std::cell::RefCell;

use reconverge_ir::{Block, Inst, Op, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::facts::{Source, TripCountFacts};
use super::scalar::{Scalar, ScalarKind, evaluate, scalar_of};

/// The maximum number of terms of a recurrence.
const TERM_LIMIT: usize = 256;

/// The computation of a value.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Constant(Scalar),
    /// A slot, by its index in [`Recurrence::slots`].
    Slot(usize),
    /// A slot of an enclosing loop, by its index in [`Recurrence::free`].
    Free(usize),
    Apply(Op, ScalarKind, SmallVec<[usize; 3]>),
    Unknown,
}

/// The edges of a loop that determine its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    pub(super) header: Block,
    /// The `loop` instruction.
    pub(super) entry: Terminator,
    /// The jump back to the header.
    pub(super) back: Terminator,
}

/// A query about a test: the condition, its value when control stays, and the operand of it that is replaced, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) condition: Inst,
    pub(super) stays_if: bool,
    pub(super) replaced: Option<(usize, Inst)>,
}

/// A condition, and everything that determines it in the next iteration.
#[derive(Debug)]
pub(super) struct Recurrence {
    pub(super) terms: Vec<Term>,
    pub(super) condition: usize,
    /// The value of the condition with which control stays in the loop.
    pub(super) stays_if: bool,
    /// The relevant state.
    pub(super) slots: Vec<Source>,
    /// By slot, the term of its value in the first iteration. It depends on no slot.
    pub(super) first: Vec<usize>,
    /// By slot, the term of its value in the next iteration.
    pub(super) next: Vec<usize>,
    /// The state of enclosing loops.
    pub(super) free: Vec<Source>,
    /// Values of the loop that may be requested for each iteration, and their terms: parameters, and loads if they are requested.
    pub(super) shown: Vec<(Inst, usize)>,
}

/// The values that are requested besides the condition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// Nothing.
    Nothing,
    /// These slots.
    Slots(&'a [Source]),
    /// The loads of variables that determine the condition.
    Loads,
}

impl Recurrence {
    /// Collects the terms of a condition and of the other requested values, in a loop inside those with the headers `around`.
    pub(super) fn compute(
        facts: &TripCountFacts<'_>,
        cycle: Cycle,
        around: &FxHashSet<Block>,
        question: Question,
        asked: Asked<'_>,
    ) -> Option<Recurrence> {
        let mut gather = Gather {
            facts,
            cycle,
            around,
            terms: Vec::new(),
            places: FxHashMap::default(),
            slots: Vec::new(),
            free: Vec::new(),
            shown: Vec::new(),
            held: RefCell::default(),
        };
        if let Asked::Slots(sources) = asked {
            for &source in sources {
                gather.term(source)?;
            }
        }
        let condition = gather.condition(question)?;
        let (mut first, mut next) = (Vec::new(), Vec::new());
        while let Some(&slot) = gather.slots.get(first.len()) {
            first.push(gather.passed(slot, cycle.entry)?);
            next.push(gather.passed(slot, cycle.back)?);
        }
        if matches!(asked, Asked::Loads) {
            gather.show_loads();
        }
        let Gather { terms, slots, free, shown, .. } = gather;
        Some(Recurrence { terms, condition, stays_if: question.stays_if, slots, first, next, free, shown })
    }

    /// Evaluates the terms for a state.
    pub(super) fn evaluate(&self, slots: &[Option<Scalar>], free: &[Option<Scalar>]) -> Vec<Option<Scalar>> {
        let mut values: Vec<Option<Scalar>> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let value = match term {
                Term::Constant(scalar) => Some(*scalar),
                Term::Slot(number) => slots[*number],
                Term::Free(number) => free[*number],
                Term::Unknown => None,
                // The other operand may have any value.
                Term::Apply(Op::Select, _, operands) => values[operands[0]]
                    .and_then(Scalar::as_bool)
                    .and_then(|holds| values[if holds { operands[1] } else { operands[2] }]),
                Term::Apply(op, kind, operands) => {
                    let operands: Option<SmallVec<[Scalar; 3]>> =
                        operands.iter().map(|&operand| values[operand]).collect();
                    operands.and_then(|operands| evaluate(*op, *kind, &operands))
                }
            };
            values.push(value);
        }
        values
    }

    /// The state of the first iteration.
    pub(super) fn begin(&self, free: &[Option<Scalar>]) -> Vec<Option<Scalar>> {
        let terms = self.evaluate(&vec![None; self.slots.len()], free);
        self.first.iter().map(|&first| terms[first]).collect()
    }
}

struct Gather<'a, 'm> {
    facts: &'a TripCountFacts<'m>,
    cycle: Cycle,
    around: &'a FxHashSet<Block>,
    terms: Vec<Term>,
    places: FxHashMap<Source, usize>,
    slots: Vec<Source>,
    free: Vec<Source>,
    shown: Vec<(Inst, usize)>,
    /// By variable and block, the value of the variable at the start of the block.
    held: RefCell<FxHashMap<(Inst, Block), Source>>,
}

/// An operation and the sources of its operands.
type Operation = (Op, SmallVec<[Source; 3]>);

impl Gather<'_, '_> {
    /// The term of a condition. If one of its operands is replaced, the terms of the operands come first.
    fn condition(&mut self, question: Question) -> Option<usize> {
        let Some((replaced, by)) = question.replaced else { return self.term(Source::Value(question.condition)) };
        let module = self.facts.module;
        let operands: SmallVec<[Inst; 3]> = module.operands(question.condition).collect();
        let mut places: SmallVec<[usize; 3]> = SmallVec::new();
        for (index, &operand) in operands.iter().enumerate() {
            places.push(self.term(Source::Value(if index == replaced { by } else { operand }))?);
        }
        self.terms.push(Term::Apply(module.op(question.condition), ScalarKind::Bool, places));
        Some(self.terms.len() - 1)
    }

    /// The term of the argument of a jump to the header for a slot.
    fn passed(&mut self, slot: Source, jump: Terminator) -> Option<usize> {
        let passed = match slot {
            Source::Value(parameter) => {
                let module = self.facts.module;
                let number = module.parameters(self.cycle.header).position(|other| Inst::from(other) == parameter)?;
                Source::Value(module.arguments(jump).nth(number)?)
            }
            Source::Held { variable, .. } => self.held_before(jump.into(), variable),
            Source::Unknown => Source::Unknown,
        };
        self.term(passed)
    }

    /// The term of a source. An explicit stack holds sources whose operands come first.
    fn term(&mut self, root: Source) -> Option<usize> {
        let root = self.resolve(root);
        let mut pending = vec![root];
        while let Some(&source) = pending.last() {
            if self.places.contains_key(&source) {
                pending.pop();
                continue;
            }
            if self.terms.len() >= TERM_LIMIT || pending.len() > TERM_LIMIT {
                return None;
            }
            if let Some(leaf) = self.leaf(source) {
                self.push(source, leaf);
                continue;
            }
            let (Some((op, operands)), Some(kind)) = (self.operation(source), self.facts.kind(source)) else {
                self.push(source, Term::Unknown);
                continue;
            };
            let missing: SmallVec<[Source; 3]> =
                operands.iter().copied().filter(|operand| !self.places.contains_key(operand)).collect();
            if missing.is_empty() {
                let places = operands.iter().map(|operand| self.places[operand]).collect();
                self.push(source, Term::Apply(op, kind, places));
            }
            pending.extend(missing);
        }
        self.places.get(&root).copied()
    }

    fn push(&mut self, source: Source, term: Term) {
        let place = self.terms.len();
        self.places.insert(source, place);
        self.terms.push(term);
        if let Source::Value(value) = source
            && self.facts.module.op(value) == Op::BlockParameter
            && self.is_inside(value)
        {
            self.shown.push((value, place));
        }
    }

    fn is_inside(&self, value: Inst) -> bool {
        let block = self.facts.module.block_of(value);
        block.is_some_and(|block| self.facts.is_in_cycle(self.cycle.header, block))
    }

    /// Finds the terms of the loads of the relevant variables.
    fn show_loads(&mut self) {
        let variables: FxHashSet<Inst> = self.slots.iter().filter_map(|slot| slot.variable()).collect();
        let loads = self.facts.loads_inside(self.cycle.header);
        let pointer = |load| view::Load::of(self.facts.module, load).map(|load| load.pointer);
        let loads = loads.filter(|&load| pointer(load).is_some_and(|pointer| variables.contains(&pointer)));
        let place = |load: Inst| Some((load, *self.places.get(&self.resolve(Source::Value(load)))?));
        let shown: Vec<(Inst, usize)> = loads.filter_map(place).collect();
        self.shown.extend(shown);
    }

    fn leaf(&mut self, source: Source) -> Option<Term> {
        let at = match source {
            Source::Unknown => return Some(Term::Unknown),
            Source::Value(value) => {
                if let Some(scalar) = scalar_of(self.facts.module, value, self.facts.specialization) {
                    return Some(Term::Constant(scalar));
                }
                let is_parameter = self.facts.module.op(value) == Op::BlockParameter;
                self.facts.module.block_of(value).filter(|_| is_parameter)?
            }
            Source::Held { at, .. } => at,
        };
        if at != self.cycle.header && !self.around.contains(&at) {
            return None;
        }
        if self.facts.kind(source).is_none() {
            return Some(Term::Unknown);
        }
        let (list, term): (_, fn(usize) -> Term) = match at == self.cycle.header {
            true => (&mut self.slots, Term::Slot),
            false => (&mut self.free, Term::Free),
        };
        list.push(source);
        Some(term(list.len() - 1))
    }

    /// The operands of an operation that depends only on them. An op with flags that allow other results has none.
    fn operation(&self, source: Source) -> Option<Operation> {
        match source {
            Source::Value(value) if self.facts.module.op(value) == Op::BlockParameter => {
                let module = self.facts.module;
                let block = module.block_of(value)?;
                let number = module.parameters(block).position(|other| Inst::from(other) == value)?;
                self.meeting(block, |end| module.arguments(end).nth(number).map_or(Source::Unknown, Source::Value))
            }
            Source::Value(value) => self.applied(value),
            Source::Held { variable, at } => self.meeting(at, |end| self.held_before(end.into(), variable)),
            Source::Unknown => None,
        }
    }

    /// The selection at the join of the two sides of a branch.
    fn meeting(&self, block: Block, passed: impl Fn(Terminator) -> Source) -> Option<Operation> {
        let gate = self.facts.gate(block)?;
        let [yes, no] = gate.sides.map(|edge| self.resolve(passed(edge.terminator)));
        Some((Op::Select, smallvec![self.resolve(Source::Value(gate.condition)), yes, no]))
    }

    fn applied(&self, value: Inst) -> Option<Operation> {
        let module = self.facts.module;
        let is_free = |&note: &Inst| {
            use spirv::Decoration::{NoContraction, NoSignedWrap, NoUnsignedWrap};
            let kind = view::Decorate::of(module, note).and_then(|note| note.decoration);
            module.op(note) == Op::Name || matches!(kind, Some(NoContraction | NoSignedWrap | NoUnsignedWrap))
        };
        let is_exact = module.decorations(value).iter().all(is_free);
        let (op, skipped) = match module.op(value) {
            Op::SpecConstantOp => {
                let word = view::SpecConstantOp::of(module, value)?.opcode;
                (Op::from_opcode(u16::try_from(word).ok()?)?, view::SpecConstantOp::SLOT.operands)
            }
            op => (op, 0),
        };
        let is_float = matches!(self.facts.kind(Source::Value(value)), Some(ScalarKind::Float(_)));
        let is_exact = is_exact && !(is_float && self.facts.has_fast_math_default());
        let operands = module.operands(value).skip(skipped);
        (is_exact && is_value_op(op))
            .then(|| (op, operands.map(|operand| self.resolve(Source::Value(operand))).collect()))
    }

    /// Resolves copies: a load, a parameter that always gets the same value, and a variable that the loop does not change.
    fn resolve(&self, source: Source) -> Source {
        let mut current = source;
        for _ in 0..TERM_LIMIT {
            let other = match current {
                Source::Value(value) => match self.facts.loaded(value) {
                    Some(variable) => Some(self.held_before(value, variable)),
                    None => self.only_argument(value).map(Source::Value),
                },
                Source::Held { variable, at } if at == self.cycle.header => {
                    let is_kept = self.held_before(self.cycle.back.into(), variable) == current;
                    is_kept.then(|| self.held_before(self.cycle.entry.into(), variable))
                }
                Source::Held { .. } | Source::Unknown => None,
            };
            match other {
                Some(other) => current = other,
                None => return current,
            }
        }
        Source::Unknown
    }

    fn held_before(&self, inst: Inst, variable: Inst) -> Source {
        let block = match self.facts.held_before(inst, variable) {
            Ok(source) => return source,
            Err(block) => block,
        };
        if let Some(&known) = self.held.borrow().get(&(variable, block)) {
            return known;
        }
        let is_inside = |block| self.facts.is_in_cycle(self.cycle.header, block);
        let is_header = |at| at == self.cycle.header || self.around.contains(&at);
        let known = |at| {
            if is_header(at) && self.facts.is_in_cycle(at, block) {
                return Some(Source::Held { variable, at });
            }
            // A value that was found at one block of the loop holds for the others, unless paths join there.
            let found = self.held.borrow().get(&(variable, at)).copied().filter(|_| is_inside(at) && is_inside(block));
            found.filter(|found| match *found {
                Source::Value(_) => true,
                Source::Held { at, .. } => is_header(at),
                Source::Unknown => false,
            })
        };
        let source = self.facts.held_at(block, variable, known);
        self.held.borrow_mut().insert((variable, block), source);
        source
    }

    fn only_argument(&self, value: Inst) -> Option<Inst> {
        let module = self.facts.module;
        let block = module.block_of(value).filter(|_| module.op(value) == Op::BlockParameter)?;
        if block == self.cycle.header {
            return None;
        }
        let number = module.parameters(block).position(|other| Inst::from(other) == value)?;
        let mut arguments = module.in_edges(block).map(|edge| module.arguments(edge.terminator).nth(number));
        let first = arguments.next()??;
        arguments.all(|other| other == Some(first)).then_some(first)
    }
}

/// Returns whether [`evaluate`] may know the op. Other pure ops are excluded early.
fn is_value_op(op: Op) -> bool {
    use reconverge_ir::Class;
    matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion) || op == Op::CopyObject
}
