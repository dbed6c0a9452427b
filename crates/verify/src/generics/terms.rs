//! Normal forms of type-level code: two instructions are equal after substitution exactly if their terms are equal.
//!
//! ```text
//! term of %x in scope s, where s gives the parameters of one generic or interface their arguments
//!   generic_parameter            its argument in s; itself without a scope
//!   requirement, in an interface the lookup of it in the witness of s
//!   lookup_witness %w, %r        the entry for %r, if the term of %w is a witness table; else that lookup
//!   specialize %g, %a …          the term of what %g returns, in the scope of %g with the terms of %a …
//!   another hoistable            its op with the terms of its operands
//!   what has a place of its own  itself; in a scope: itself for the arguments of s
//! ```
//!
//! Terms are numbered so that equal ones have one number. An instruction is evaluated once in each scope, with an explicit stack. What
//! depends on itself, and everything after [`STEP_LIMIT`] steps, has no term: rules then accept it. Only a generic that requests itself for
//! new arguments each time takes this number, and specialization rejects that.

use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps of evaluation for a module, beyond 16 for each of its instructions.
const STEP_LIMIT: usize = 1 << 16;

/// The number of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Term(u32);

/// The number of a scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Scope(u32);

/// The form of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    /// An instruction.
    Atom(Inst),
    /// An instruction with a place of its own in a generic, for arguments.
    Copy(Inst, Scope),
    /// A hoistable instruction: op, type and operands, and the decorations that are part of its identity.
    Compound(Op, Option<Term>, Vec<Term>, Vec<Inst>),
    /// A requirement in a witness that is not known.
    Lookup(Term, Inst),
    /// A request for a generic that is only declared, which is in a scope if it is in another generic.
    Request(Inst, Option<Scope>, Vec<Term>),
}

/// The arguments for the parameters of a generic or interface.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Arguments {
    /// The generic or interface.
    holder: Inst,
    terms: Vec<Term>,
    /// For an interface: the witness that has the requirements.
    witness: Option<Term>,
    /// The scope of the generic around it.
    parent: Option<Scope>,
}

/// An instruction in a scope.
type Key = (Inst, Option<Scope>);

/// The state of a key's evaluation.
#[derive(Clone, Copy)]
enum State {
    Open,
    Done(Option<Term>),
}

/// The keys that have to be evaluated first.
struct Missing(Vec<Key>);

/// The terms of a module.
pub(crate) struct Terms<'m> {
    module: &'m Module,
    forms: Vec<Form>,
    known: FxHashMap<Form, Term>,
    scopes: Vec<Arguments>,
    known_scopes: FxHashMap<Arguments, Scope>,
    states: FxHashMap<Key, State>,
    /// The generics and interfaces with scopes.
    holders: FxHashSet<Inst>,
    /// The numbers of their parameters.
    places: FxHashMap<Inst, u32>,
    /// The entries of the witness tables that were looked up, by table and requirement.
    entries: FxHashMap<(Inst, Inst), Inst>,
    tables: FxHashSet<Inst>,
    steps: usize,
}

impl<'m> Terms<'m> {
    pub(crate) fn new(module: &'m Module) -> Terms<'m> {
        Terms {
            module,
            forms: Vec::new(),
            known: FxHashMap::default(),
            scopes: Vec::new(),
            known_scopes: FxHashMap::default(),
            states: FxHashMap::default(),
            holders: FxHashSet::default(),
            places: FxHashMap::default(),
            entries: FxHashMap::default(),
            tables: FxHashSet::default(),
            steps: STEP_LIMIT + 16 * module.capacity(),
        }
    }

    pub(crate) fn module(&self) -> &'m Module {
        self.module
    }

    /// The form of a term.
    pub(crate) fn form(&self, term: Term) -> &Form {
        &self.forms[term.0 as usize]
    }

    /// The number of a term.
    pub(crate) fn number(&mut self, form: Form) -> Term {
        let next = Term(self.forms.len() as u32);
        *self.known.entry(form).or_insert_with_key(|form| {
            self.forms.push(form.clone());
            next
        })
    }

    fn arguments(&self, scope: Scope) -> &Arguments {
        &self.scopes[scope.0 as usize]
    }

    fn number_scope(&mut self, arguments: Arguments) -> Scope {
        if self.holders.insert(arguments.holder) {
            let parameters = parameters(self.module, arguments.holder);
            self.places.extend(parameters.into_iter().zip(0..));
        }
        let next = Scope(self.scopes.len() as u32);
        *self.known_scopes.entry(arguments).or_insert_with_key(|arguments| {
            self.scopes.push(arguments.clone());
            next
        })
    }

    /// The scope of a generic that is requested in a scope with these arguments.
    pub(crate) fn scope_of_request(&mut self, generic: Inst, within: Option<Scope>, terms: Vec<Term>) -> Scope {
        let parent = self.relevant(generic, within);
        self.number_scope(Arguments { holder: generic, terms, witness: None, parent })
    }

    /// The scope of an interface for a subject, with the witness that the subject fulfils it.
    pub(crate) fn scope_of_interface(&mut self, interface: Inst, subject: Term, witness: Term) -> Scope {
        self.number_scope(Arguments { holder: interface, terms: vec![subject], witness: Some(witness), parent: None })
    }

    /// The term of an instruction; none if it depends on itself or takes too many steps.
    pub(crate) fn term(&mut self, inst: Inst, scope: Option<Scope>) -> Option<Term> {
        let mut stack = vec![(inst, self.relevant(inst, scope))];
        let wanted = stack[0];
        while let Some(&key) = stack.last() {
            if let Some(State::Done(_)) = self.states.get(&key) {
                stack.pop();
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            match self.evaluate(key) {
                Ok(term) => {
                    self.states.insert(key, State::Done(term));
                }
                Err(Missing(keys)) if keys.iter().any(|key| self.states.contains_key(key)) => {
                    self.states.insert(key, State::Done(None));
                }
                Err(Missing(keys)) => {
                    self.states.insert(key, State::Open);
                    stack.extend(keys);
                }
            }
        }
        match self.states.get(&wanted) {
            Some(&State::Done(term)) => term,
            _ => None,
        }
    }

    /// The scope as far as it concerns an instruction: that of the generic or interface that the instruction is in.
    fn relevant(&self, inst: Inst, scope: Option<Scope>) -> Option<Scope> {
        let mut current = scope;
        while let Some(scope) = current {
            let arguments = self.arguments(scope);
            let mut outer = std::iter::successors(self.module.parent(inst), |&inst| self.module.parent(inst));
            if outer.any(|outer| outer == arguments.holder) {
                return current;
            }
            current = arguments.parent;
        }
        None
    }

    /// The terms of some instructions, or those that are missing; none if one has no term.
    fn all(&self, insts: impl Iterator<Item = Inst>, scope: Option<Scope>) -> Result<Option<Vec<Term>>, Missing> {
        let (mut terms, mut missing, mut is_known) = (Vec::new(), Vec::new(), true);
        for inst in insts {
            let key = (inst, self.relevant(inst, scope));
            match self.states.get(&key) {
                Some(State::Done(Some(term))) => terms.push(*term),
                Some(State::Done(None)) => is_known = false,
                Some(State::Open) | None => missing.push(key),
            }
        }
        match missing.is_empty() {
            true => Ok(is_known.then_some(terms)),
            false => Err(Missing(missing)),
        }
    }

    fn one(&self, inst: Inst, scope: Option<Scope>) -> Result<Option<Term>, Missing> {
        Ok(self.all(std::iter::once(inst), scope)?.and_then(|terms| terms.first().copied()))
    }

    fn evaluate(&mut self, (inst, scope): Key) -> Result<Option<Term>, Missing> {
        let (module, op) = (self.module, self.module.op(inst));
        if let Some(scope) = scope.filter(|scope| module.parent(inst) == Some(self.arguments(*scope).holder)) {
            let arguments = self.arguments(scope);
            match (op, arguments.witness) {
                (Op::GenericParameter, _) => {
                    let place = self.places.get(&inst).map(|&place| place as usize);
                    return Ok(place.and_then(|place| arguments.terms.get(place).copied()));
                }
                (Op::Requirement, Some(witness)) => return self.lookup(witness, inst),
                _ => {}
            }
        }
        match op {
            Op::LookupWitness => {
                let Some(lookup) = view::LookupWitness::of(module, inst) else { return Ok(None) };
                match self.one(lookup.witness, scope)? {
                    Some(witness) => self.lookup(witness, lookup.requirement),
                    None => Ok(None),
                }
            }
            Op::Specialize => {
                let Some(request) = view::Specialize::of(module, inst) else { return Ok(None) };
                match self.all(request.arguments.iter(), scope)? {
                    Some(terms) => self.request(request.generic, scope, terms),
                    None => Ok(None),
                }
            }
            _ if op.is_literal() || !op.is_hoistable() => {
                let form = scope.map_or(Form::Atom(inst), |scope| Form::Copy(inst, scope));
                Ok(Some(self.number(form)))
            }
            _ => {
                let parts = module.ty(inst).into_iter().chain(module.operands(inst));
                let Some(mut terms) = self.all(parts, scope)? else { return Ok(None) };
                let ty = module.ty(inst).map(|_| terms.remove(0));
                let is_name = |decoration: &Inst| matches!(module.op(*decoration), Op::Name | Op::MemberName);
                let decorations = module.decorations(inst).iter().copied().filter(|note| !is_name(note)).collect();
                Ok(Some(self.number(Form::Compound(op, ty, terms, decorations))))
            }
        }
    }

    /// A requirement in a witness.
    fn lookup(&mut self, witness: Term, requirement: Inst) -> Result<Option<Term>, Missing> {
        let (table, scope) = match *self.form(witness) {
            Form::Atom(table) => (table, None),
            Form::Copy(table, scope) => (table, Some(scope)),
            _ => return Ok(Some(self.number(Form::Lookup(witness, requirement)))),
        };
        match self.entry(table, requirement) {
            Some(value) => self.one(value, scope),
            None => Ok(Some(self.number(Form::Lookup(witness, requirement)))),
        }
    }

    /// The entry of a witness table for a requirement.
    fn entry(&mut self, table: Inst, requirement: Inst) -> Option<Inst> {
        if self.module.op(table) != Op::WitnessTable {
            return None;
        }
        if self.tables.insert(table) {
            let operands: Vec<Inst> = self.module.operands(table).collect();
            self.entries.extend(operands.chunks_exact(2).map(|entry| ((table, entry[0]), entry[1])));
        }
        self.entries.get(&(table, requirement)).copied()
    }

    fn request(&mut self, generic: Inst, scope: Option<Scope>, terms: Vec<Term>) -> Result<Option<Term>, Missing> {
        match returned(self.module, generic) {
            Some(value) => {
                let scope = self.scope_of_request(generic, scope, terms);
                self.one(value, Some(scope))
            }
            None => {
                let parent = self.relevant(generic, scope);
                Ok(Some(self.number(Form::Request(generic, parent, terms))))
            }
        }
    }
}

/// The parameters of a generic or interface, in order.
pub(crate) fn parameters(module: &Module, holder: Inst) -> Vec<Inst> {
    module.children(holder).filter(|&child| module.op(child) == Op::GenericParameter).collect()
}

/// The instruction that a generic returns; `None` if it is only declared.
pub(crate) fn returned(module: &Module, generic: Inst) -> Option<Inst> {
    view::ReturnValue::of(module, module.last_child(generic)?).map(|end| end.value)
}
