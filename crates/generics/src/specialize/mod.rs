//! Specialization: each request for a generic becomes a copy of what the generic returns.
//!
//! ```text
//! reach   functions and variables of the module, then what is used by what was reached
//! settle  what a reached instruction uses, operands first:
//!           specialize %g, %a …     ⇒  the copy of what %g returns, with %a … for its parameters
//!           lookup_witness %t, %r   ⇒  the entry of the witness table %t for %r
//! sweep   generics, interfaces, witness tables and copies that nothing reached uses are deleted
//! ```
//!
//! A request is hoistable: equal requests are one instruction, in whatever order their arguments became known. So the memo maps the
//! instruction itself to its value. A request is closed, that is without parameters of generics in its arguments, exactly if it is at module
//! level; the copy of a generic replaces its parameters, and the editor hoists the requests in it. Requests and lookups that depend on a
//! value of interface type stay in their function: they are not closed.
//!
//! A generic that requests itself for the same arguments finds the request in the memo. One that requests itself for new arguments each time
//! exceeds the limit on the chain of requests; what was reached last is settled first, so that this takes no more than the limit.
//!
//! Linear in the module and in what is copied.

mod evaluate;
mod expand;
mod names;
mod sweep;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::GenericsCode;
use crate::dispatch;
use crate::error::in_chain;
use expand::Template;
use sweep::Needed;

/// Limits of [`specialize_within`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest chain of requests, each made by what the one before returned.
    pub depth: usize,
    /// The number of different requests.
    pub requests: usize,
    /// The number of instructions in all copies.
    pub instructions: usize,
}

impl Default for Limits {
    /// A chain of 512 as in Slang; a million requests; sixteen million instructions, which take about a gigabyte.
    fn default() -> Limits {
        Limits { depth: 512, requests: 1 << 20, instructions: 1 << 24 }
    }
}

/// The result of [`specialize`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Specialized {
    /// The number of different requests that became copies.
    pub requests: usize,
    /// The number of instructions that were copied.
    pub instructions: usize,
}

/// Replaces every request for a generic that a function or variable of the module needs, with the default limits. Functions without type-level
/// code are at stage Graph afterwards; a function that still has values of interface type keeps its stage.
///
/// # Errors
///
/// [`Diagnostic`]: a generic without contents, a chain of requests without end, a value defined by itself. The module must then be
/// discarded.
pub fn specialize(module: &mut Module) -> Result<Specialized, Diagnostic> {
    specialize_within(module, &Limits::default())
}

/// As [`specialize`], with limits.
///
/// # Errors
///
/// Does the same as [`specialize`], within limits.
pub fn specialize_within(module: &mut Module, limits: &Limits) -> Result<Specialized, Diagnostic> {
    let mut specializer = Specializer::new(module, limits);
    specializer.reserve();
    specializer.run()?;
    Ok(specializer.finish())
}

/// Replaces every request for a generic, and every value of interface type: no function is at stage Generic afterwards.
///
/// # Errors
///
/// As [`specialize`]; and a call through a value of interface type that no type reaches, or a value that has no representation as words. The
/// module must then be discarded.
pub fn lower_generics(module: &mut Module) -> Result<Specialized, Diagnostic> {
    let mut specializer = Specializer::new(module, &Limits::default());
    specializer.reserve();
    specializer.run()?;
    if dispatch::lower_dispatch(&mut specializer)? {
        specializer.needed = specializer.needed.without_type_level_code(specializer.module);
    }
    Ok(specializer.finish())
}

/// The number of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RequestId(u32);

/// A request that became a copy.
#[derive(Clone, Copy, Debug)]
struct Request {
    inst: Inst,
    /// The request whose copy made this one; none if a function of the module did.
    origin: Option<RequestId>,
    /// The length of the chain to this request.
    depth: usize,
}

/// Something reached whose contents are not settled yet.
#[derive(Clone, Copy, Debug)]
struct Unit {
    inst: Inst,
    origin: Option<RequestId>,
}

/// The state of the evaluation of an instruction at module level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Unseen,
    /// The instructions that it uses are being evaluated. Pointer types may be cyclic.
    Open,
    /// It is hoistable, and neither it nor what it uses is a request or lookup; or it has a place of its own and was reached.
    Settled,
}

/// The state of specialization between two requests.
pub(crate) struct Specializer<'m> {
    pub(crate) module: &'m mut Module,
    limits: Limits,
    templates: FxHashMap<Inst, Template>,
    requests: Vec<Request>,
    /// The value of each request and each lookup that was settled.
    values: FxHashMap<Inst, Inst>,
    /// By handle.
    states: Vec<State>,
    /// The reached instructions, and those that they use.
    needed: Needed,
    /// The reached containers whose contents are not evaluated yet.
    open: Vec<Unit>,
    copied: usize,
    /// Handles from here on are of copies.
    first_copy: usize,
}

impl<'m> Specializer<'m> {
    fn new(module: &'m mut Module, limits: &Limits) -> Specializer<'m> {
        let first_copy = module.capacity();
        Specializer {
            module,
            limits: *limits,
            templates: FxHashMap::default(),
            requests: Vec::new(),
            values: FxHashMap::default(),
            states: vec![State::Unseen; first_copy],
            needed: Needed::default(),
            open: Vec::new(),
            copied: 0,
            first_copy,
        }
    }

    /// Deletes what nothing needs any more.
    fn finish(self) -> Specialized {
        let has_generic_parts = sweep::sweep(self.module, self.needed, self.first_copy);
        let tainted = if has_generic_parts { sweep::with_generic_parts(self.module) } else { FxHashSet::default() };
        sweep::lower_stages(self.module, &tainted);
        Specialized { requests: self.requests.len(), instructions: self.copied }
    }

    /// The value of type-level code at module level, with everything that it needs: a type, a function or a witness table.
    pub(crate) fn resolve(&mut self, inst: Inst) -> Result<Inst, Diagnostic> {
        let value = self.settle(inst, None)?;
        self.needed.add(value);
        if self.module.op(value) == Op::WitnessTable {
            self.reach(Unit { inst: value, origin: None });
        }
        self.settle_open()?;
        Ok(value)
    }
}

impl Specializer<'_> {
    /// Reserves memory for the copies of the requests that the module has already: growth would copy everything several times.
    fn reserve(&mut self) {
        let requests =
            self.module.children(self.module.root()).filter_map(|inst| view::Specialize::of(self.module, inst));
        let mut counts: FxHashMap<Inst, usize> = FxHashMap::default();
        requests.for_each(|request| *counts.entry(request.generic).or_default() += 1);
        let mut left = self.limits.instructions;
        let generics: Vec<Inst> = self.module.globals().filter(|global| counts.contains_key(global)).collect();
        for generic in generics {
            let (count, size) = (counts[&generic], self.module.descendants(generic).count());
            if size * count <= left {
                left -= size * count;
                self.module.edit().reserve_copies(generic, count);
            }
        }
    }

    fn run(&mut self) -> Result<(), Diagnostic> {
        let roots: Vec<Inst> = self.module.children(self.module.root()).filter(|&child| self.is_root(child)).collect();
        for root in roots.into_iter().rev() {
            self.reach(Unit { inst: root, origin: None });
        }
        self.settle_open()
    }

    fn settle_open(&mut self) -> Result<(), Diagnostic> {
        while let Some(unit) = self.open.pop() {
            self.settle_contents(unit)?;
        }
        Ok(())
    }

    /// Returns whether an instruction of the module is needed by itself. Types, constants and type-level code are needed by users.
    fn is_root(&self, inst: Inst) -> bool {
        let op = self.module.op(inst);
        !op.is_hoistable() && !op.is_type() && !op.is_generic()
    }

    fn reach(&mut self, unit: Unit) {
        if self.state(unit.inst) != State::Settled {
            self.set_state(unit.inst, State::Settled);
            self.needed.add(unit.inst);
            self.open.push(unit);
        }
    }

    fn state(&self, inst: Inst) -> State {
        self.states.get(inst.index()).copied().unwrap_or(State::Unseen)
    }

    fn set_state(&mut self, inst: Inst, state: State) {
        if self.states.len() <= inst.index() {
            self.states.resize(self.module.capacity().max(inst.index() + 1), State::Unseen);
        }
        self.states[inst.index()] = state;
    }

    /// Settles everything at module level that an instruction and its contents use.
    fn settle_contents(&mut self, unit: Unit) -> Result<(), Diagnostic> {
        let mut parts = Vec::new();
        for inst in self.module.descendants(unit.inst) {
            self.needed.has_generic_parts |= self.module.op(inst).is_generic();
            let used = parts_of(self.module, inst).filter_map(|part| sweep::holder(self.module, part));
            parts.extend(used.filter(|&part| !self.needed.has(part)));
        }
        for part in parts {
            let value = self.settle(part, unit.origin)?;
            self.needed.add(value);
            if self.module.op(value) == Op::WitnessTable {
                self.reach(Unit { inst: value, origin: unit.origin });
            }
        }
        Ok(())
    }

    /// An error at the end of a chain of requests.
    fn error(&self, code: GenericsCode, at: Inst, origin: Option<RequestId>, message: String) -> Diagnostic {
        let requests = std::iter::successors(origin, |id| self.requests[id.0 as usize].origin);
        let mut chain: Vec<String> =
            requests.map(|id| names::request(self.module, self.requests[id.0 as usize].inst)).collect();
        chain.reverse();
        in_chain(code, at, message, &chain)
    }
}

/// The instructions that an instruction uses: its type, its operands, and those of its decorations.
fn parts_of(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    let decorations = module.decorations(inst).iter().flat_map(|&decoration| module.operands(decoration));
    module.ty(inst).into_iter().chain(module.operands(inst)).chain(decorations)
}
