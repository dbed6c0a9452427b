//! The kinds of type-level instructions, and the types of those that are values, functions or witnesses.

use reconverge_ir::{Inst, Module, Op, view};

use super::terms::{Form, Scope, Term, Terms, returned};

/// The meaning of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Type,
    Witness,
    Function,
    Value,
    /// It depends on itself, or on a generic that is only declared.
    Unknown,
    /// Nothing that can be an argument or be looked up.
    Nothing,
}

impl Kind {
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Kind::Type => "a type",
            Kind::Witness => "a witness",
            Kind::Function => "a function",
            Kind::Value => "a value",
            Kind::Unknown => "anything",
            Kind::Nothing => "something else",
        }
    }

    /// Returns whether it may be of a kind.
    pub(crate) fn may_be(self, wanted: Kind) -> bool {
        self == wanted || self == Kind::Unknown
    }
}

/// The longest chain of requests, each for a generic that returns the next one, and of lookups, each in the witness that the next one finds.
const CHAIN_LIMIT: usize = 512;

/// The meaning of an instruction. Linear in the chain of requests.
pub(crate) fn kind(module: &Module, inst: Inst) -> Kind {
    let mut current = inst;
    for _ in 0..CHAIN_LIMIT {
        let op = module.op(current);
        return match op {
            Op::Specialize => {
                let generic = view::Specialize::of(module, current).map(|request| request.generic);
                match generic.filter(|&generic| module.op(generic) == Op::Generic) {
                    None => Kind::Nothing,
                    Some(generic) => match returned(module, generic) {
                        None => Kind::Unknown,
                        Some(value) => {
                            current = value;
                            continue;
                        }
                    },
                }
            }
            Op::LookupWitness => {
                let requirement = view::LookupWitness::of(module, current).map(|lookup| lookup.requirement);
                requirement.map_or(Kind::Nothing, |requirement| of_typed(module, requirement))
            }
            Op::GenericParameter | Op::Requirement => of_typed(module, current),
            Op::ExtractType => Kind::Type,
            Op::ExtractWitness | Op::WitnessTable => Kind::Witness,
            Op::Function => Kind::Function,
            _ if op.is_type() || op == Op::OpaqueResult => Kind::Type,
            _ if op.has_type() => Kind::Value,
            _ => Kind::Nothing,
        };
    }
    Kind::Unknown
}

/// The kind of a parameter or requirement, by its type.
fn of_typed(module: &Module, inst: Inst) -> Kind {
    match module.ty(inst).map(|ty| module.op(ty)) {
        Some(Op::TypeKind) => Kind::Type,
        Some(Op::TypeWitness) => Kind::Witness,
        Some(Op::TypeFunction) => Kind::Function,
        Some(_) if module.op(inst) == Op::GenericParameter => Kind::Value,
        _ => Kind::Nothing,
    }
}

/// A proof that a type fulfils an interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Proof {
    pub(crate) subject: Term,
    pub(crate) interface: Inst,
}

impl Terms<'_> {
    /// The type of a value or witness, or the function type of a function, as a term; none if it is not known.
    pub(crate) fn type_of(&mut self, inst: Inst, scope: Option<Scope>) -> Option<Term> {
        let module = self.module();
        let (mut current, mut scope) = (inst, scope);
        for _ in 0..CHAIN_LIMIT {
            match module.op(current) {
                Op::Specialize => {
                    let request = view::Specialize::of(module, current)?;
                    let arguments: Vec<Inst> = request.arguments.iter().collect();
                    let terms = arguments.into_iter().map(|argument| self.term(argument, scope));
                    let terms: Vec<Term> = terms.collect::<Option<_>>()?;
                    scope = Some(self.scope_of_request(request.generic, scope, terms));
                    current = returned(module, request.generic)?;
                }
                Op::LookupWitness => return self.type_of_lookup(current, scope),
                Op::Function => {
                    let ty = view::Function::of(module, current)?.function_type;
                    return self.term(ty, scope);
                }
                _ => return self.term(module.ty(current)?, scope),
            }
        }
        None
    }

    /// The type of a lookup: that of the requirement, for the subject and the witness. A witness may be looked up itself: the innermost
    /// comes first.
    fn type_of_lookup(&mut self, inst: Inst, scope: Option<Scope>) -> Option<Term> {
        let module = self.module();
        let mut lookups = vec![view::LookupWitness::of(module, inst)?];
        while let Some(inner) = lookups.last().and_then(|lookup| view::LookupWitness::of(module, lookup.witness)) {
            if lookups.len() >= CHAIN_LIMIT {
                return None;
            }
            lookups.push(inner);
        }
        let innermost = lookups.last()?.witness;
        let mut ty = self.type_of(innermost, scope)?;
        while let Some(lookup) = lookups.pop() {
            let Proof { subject, interface } = self.proof(ty)?;
            let witness = self.term(lookup.witness, scope)?;
            let within = self.scope_of_interface(interface, subject, witness);
            ty = self.term(module.ty(lookup.requirement)?, Some(within))?;
        }
        Some(ty)
    }

    /// The proposition that the witnesses of a type prove, if it is a type of witnesses.
    pub(crate) fn proof(&self, ty: Term) -> Option<Proof> {
        let Form::Compound(Op::TypeWitness, _, parts, _) = self.form(ty) else { return None };
        let &[subject, interface] = &parts[..] else { return None };
        match *self.form(interface) {
            Form::Atom(interface) => Some(Proof { subject, interface }),
            _ => None,
        }
    }

    /// The proposition that a witness proves; `None` if it is no witness, or not known.
    pub(crate) fn proof_of(&mut self, witness: Inst) -> Option<Proof> {
        let ty = self.type_of(witness, None)?;
        self.proof(ty)
    }

    /// Returns whether two terms certainly differ.
    pub(crate) fn differ(one: Option<Term>, other: Option<Term>) -> bool {
        matches!((one, other), (Some(one), Some(other)) if one != other)
    }
}
