//! What one iteration of a loop makes of the loop's parameters, as far as it is computed from them and constants alone.
//!
//! ```text
//! ^header(%i, %j): …            terms:  0 parameter %i   1 constant 4   2 i_add 0 1   3 constant 40   4 u_less_than 0 3
//!     branch ^header(%i + 4, …)  ⇒      next of %i: term 2;  the condition: term 4
//! ```
//!
//! Terms are gathered from the condition and from the arguments of the parameters that it turns out to need; each term stands
//! after its operands. At most [`TERM_LIMIT`] of them.

use reconverge_ir::{Block, Inst, Module, Op, Terminator};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::scalar::{Kind, Scalar, evaluate};

/// Most terms of a recurrence.
const TERM_LIMIT: usize = 256;

/// How a value is computed.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Constant(Scalar),
    /// A parameter of the header: its number among [`Recurrence::parameters`].
    Parameter(usize),
    Apply(Op, Kind, SmallVec<[usize; 3]>),
}

/// A loop as its header's parameters see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycle {
    pub(super) header: Block,
    /// The `loop` instruction.
    pub(super) entry: Terminator,
    /// The jump back to the header.
    pub(super) back: Terminator,
}

/// A condition, and everything that decides what it will be in the next iteration.
#[derive(Debug)]
pub(super) struct Recurrence {
    pub(super) terms: Vec<Term>,
    pub(super) condition: usize,
    /// The header's parameters that matter.
    pub(super) parameters: Vec<Inst>,
    /// By parameter: the value in the first iteration.
    pub(super) first: Vec<Scalar>,
    /// By parameter: the term that is its value in the next iteration, if that is known.
    pub(super) next: Vec<Option<usize>>,
}

impl Recurrence {
    /// Gathers the terms of a condition. `replaced` is a value that another one stands for.
    pub(super) fn compute(
        module: &Module,
        cycle: Cycle,
        condition: Inst,
        replaced: Option<(Inst, Inst)>,
    ) -> Option<Recurrence> {
        let mut gather =
            Gather { module, cycle, replaced, terms: Vec::new(), places: FxHashMap::default(), parameters: Vec::new() };
        let condition = gather.term(condition)?;
        let (mut first, mut next) = (Vec::new(), Vec::new());
        while let Some(&parameter) = gather.parameters.get(first.len()) {
            let number = module.parameters(cycle.header).position(|other| Inst::from(other) == parameter)?;
            let init = module.arguments(cycle.entry).nth(number)?;
            first.push(gather.constant(init)?);
            let argument = module.arguments(cycle.back).nth(number)?;
            next.push(gather.term(argument));
        }
        Some(Recurrence { terms: gather.terms, condition, parameters: gather.parameters, first, next })
    }

    /// Runs the terms for given parameters.
    pub(super) fn evaluate(&self, parameters: &[Option<Scalar>]) -> Vec<Option<Scalar>> {
        let mut values: Vec<Option<Scalar>> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let value = match term {
                Term::Constant(scalar) => Some(*scalar),
                Term::Parameter(number) => parameters[*number],
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
}

struct Gather<'a> {
    module: &'a Module,
    cycle: Cycle,
    replaced: Option<(Inst, Inst)>,
    terms: Vec<Term>,
    places: FxHashMap<Inst, usize>,
    parameters: Vec<Inst>,
}

impl Gather<'_> {
    /// The term of a value. An explicit stack holds values whose operands come first.
    fn term(&mut self, root: Inst) -> Option<usize> {
        let root = self.resolve(root);
        let mut pending = vec![root];
        while let Some(&value) = pending.last() {
            if self.places.contains_key(&value) {
                pending.pop();
                continue;
            }
            if self.terms.len() >= TERM_LIMIT || pending.len() > TERM_LIMIT {
                return None;
            }
            if let Some(leaf) = self.leaf(value) {
                self.push(value, leaf);
                continue;
            }
            let operands = self.operands(value)?;
            let missing: SmallVec<[Inst; 3]> =
                operands.iter().copied().filter(|operand| !self.places.contains_key(operand)).collect();
            if missing.is_empty() {
                let kind = Kind::of(self.module, self.module.ty(value)?)?;
                let places = operands.iter().map(|operand| self.places[operand]).collect();
                self.push(value, Term::Apply(self.module.op(value), kind, places));
            }
            pending.extend(missing);
        }
        self.places.get(&root).copied()
    }

    fn push(&mut self, value: Inst, term: Term) {
        self.places.insert(value, self.terms.len());
        self.terms.push(term);
    }

    fn leaf(&mut self, value: Inst) -> Option<Term> {
        if let Some(scalar) = Scalar::of_constant(self.module, value) {
            return Some(Term::Constant(scalar));
        }
        let is_parameter = self.module.op(value) == Op::BlockParameter
            && self.module.block_of(value) == Some(self.cycle.header)
            && Kind::of(self.module, self.module.ty(value)?).is_some();
        is_parameter.then(|| {
            self.parameters.push(value);
            Term::Parameter(self.parameters.len() - 1)
        })
    }

    /// The operands of a value that depends on nothing else. An op with flags that allow other results has none.
    fn operands(&self, value: Inst) -> Option<SmallVec<[Inst; 3]>> {
        let op = self.module.op(value);
        let is_free = |&note: &Inst| {
            let word = self.module.operands(note).next().and_then(|operand| self.module.literal_word(operand));
            self.module.op(note) == Op::Name
                || (self.module.op(note) == Op::Decorate && matches!(word, Some(42 | 4469 | 4470)))
        };
        let is_exact = self.module.decorations(value).iter().all(is_free);
        let is_known = !matches!(op, Op::BlockParameter | Op::FunctionParameter | Op::Undef) && is_value_op(op);
        if !is_exact || !is_known {
            return None;
        }
        Some(self.module.operands(value).map(|operand| self.resolve(operand)).collect())
    }

    /// Looks through what stands for something else: a replaced value, and a parameter that is always passed the same value.
    fn resolve(&self, value: Inst) -> Inst {
        let mut current = value;
        for _ in 0..TERM_LIMIT {
            if let Some((_, by)) = self.replaced.filter(|&(old, _)| old == current) {
                return by;
            }
            match self.only_argument(current) {
                Some(argument) => current = argument,
                None => return current,
            }
        }
        current
    }

    fn only_argument(&self, value: Inst) -> Option<Inst> {
        let block = self.module.block_of(value).filter(|_| self.module.op(value) == Op::BlockParameter)?;
        if block == self.cycle.header {
            return None;
        }
        let number = self.module.parameters(block).position(|other| Inst::from(other) == value)?;
        let mut arguments = self.module.in_edges(block).map(|edge| self.module.arguments(edge.terminator).nth(number));
        let first = arguments.next()??;
        arguments.all(|other| other == Some(first)).then_some(first)
    }

    /// The value of a tree of constants.
    fn constant(&mut self, value: Inst) -> Option<Scalar> {
        let known = self.parameters.len();
        let place = self.term(value)?;
        let is_closed = self.parameters.len() == known && !self.depends_on_parameter(place);
        if !is_closed {
            return None;
        }
        let probe = Recurrence {
            terms: std::mem::take(&mut self.terms),
            condition: place,
            parameters: Vec::new(),
            first: Vec::new(),
            next: Vec::new(),
        };
        let scalar = probe.evaluate(&vec![None; known])[place];
        self.terms = probe.terms;
        scalar
    }

    fn depends_on_parameter(&self, place: usize) -> bool {
        let mut pending = vec![place];
        let mut seen = vec![false; self.terms.len()];
        while let Some(place) = pending.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            match &self.terms[place] {
                Term::Parameter(_) => return true,
                Term::Constant(_) => {}
                Term::Apply(_, _, operands) => pending.extend(operands.iter().copied()),
            }
        }
        false
    }
}

/// Whether [`evaluate`] knows the op: the other pure ones are left out early.
fn is_value_op(op: Op) -> bool {
    use reconverge_ir::Class;
    matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit | Class::Conversion) || op == Op::CopyObject
}
