//! Searches for a feasible path through blocks without a write, to a read.
//!
//! The graph alone has infeasible paths. A loop over constants runs at least once; a flag that is set together with a variable is tested
//! before the variable is read:
//!
//! ```text
//! found = false; for (…) if (…) { found = true; x = …; }        if (found) use(x);
//! ```
//!
//! So the search visits pairs of a block and the facts there ([`InitializationFacts`]), breadth first, and takes a branch only in the directions that the
//! facts allow. The outcome of a branch becomes a fact if it can matter later. The first path found is a shortest one. Facts grow, for
//! example with the counter of a loop, so the search has fuel, counted in instructions; if it is exhausted, the search has no result.
//!
//! A read whose value is only stored in another variable is not a use yet. Compilers that demote values to variables copy undefined ones
//! too, and set flags beside them that prevent their use:
//!
//! ```text
//! ^a: %x = load %v; store %w, %x          now %w is undefined as %v is; what counts is a read of one of them that is more than a copy
//! ```
//!
//! So the search tracks the variables that hold an undefined value, and ends if there are none. A copy by size counts as a copy, wherever
//! it goes: structures include padding.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use reconverge_graph::Node;
use reconverge_ir::{Block, Inst, Module, Op, Slot, Use, terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};

use super::accesses::AccessKind;
use super::exposure::{Event, Exposure};
use super::facts::{InitializationFacts, case_value, scalar_width, switch_target, width};
use crate::flow::{Flow, feasible_targets};
use crate::program::Program;

/// The slot of a stored value.
const STORED: Slot = Slot::Operand(view::Store::SLOT.object);

/// The limit on instructions that one search visits: a constant, plus a multiple of the function's.
const SEARCH_FUEL: usize = 40_000;
const FUEL_PER_INSTRUCTION: usize = 4;

/// The target of the search: a read of a variable or a part of it.
#[derive(Debug)]
pub(super) struct Goal {
    exposure: Exposure,
    reads: FxHashSet<Inst>,
    writes: FxHashSet<Inst>,
}

impl Goal {
    /// One of the reads among these events, before any of the writes.
    pub(super) fn new(exposure: Exposure, events: &[Event]) -> Goal {
        let of = |kind| events.iter().filter(move |event| event.kind == kind).map(|event| event.inst).collect();
        Goal { exposure, reads: of(AccessKind::Read), writes: of(AccessKind::Write) }
    }
}

/// A use of an undefined value.
#[derive(Debug)]
pub(super) struct UndefinedUse {
    /// The read of the variable.
    pub(super) read: Inst,
    /// The read whose value is used other than by copying: the same, unless it was copied first.
    pub(super) used: Inst,
    /// The blocks on the path.
    pub(super) way: Vec<Block>,
}

/// The shared data of the searches in one function.
pub(super) struct Walker<'p, 'm> {
    program: &'p Program<'m>,
    flow: &'p Flow,
    /// Variables: whether they hold one scalar, and then whether it is read in more than one place.
    contents: FxHashMap<Inst, Option<bool>>,
    /// By value, whether it is used outside its block.
    travels: FxHashMap<Inst, bool>,
    /// The remaining fuel of all searches.
    fuel: usize,
}

/// A holder of an undefined value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Undefined {
    /// True if the variable of the search still does.
    is_unwritten: bool,
    /// Other variables that do, and loads of such variables, sorted.
    copies: Vec<Inst>,
    /// The last read of the variable of the search.
    read: Option<Inst>,
}

impl Undefined {
    fn is_nowhere(&self) -> bool {
        !self.is_unwritten && self.copies.is_empty()
    }

    fn holds(&self, inst: Inst) -> bool {
        self.copies.binary_search(&inst).is_ok()
    }

    fn add(&mut self, inst: Inst) {
        if let Err(index) = self.copies.binary_search(&inst) {
            self.copies.insert(index, inst);
        }
    }

    fn remove(&mut self, inst: Inst) {
        if let Ok(index) = self.copies.binary_search(&inst) {
            self.copies.remove(index);
        }
    }

    /// A write of an undefined value through a pointer. Undefined parts of a variable are not tracked.
    fn write_undefined(&mut self, module: &Module, pointer: Inst) {
        let variable = root(module, pointer);
        if variable == pointer && is_variable(module, variable) && module.block_of(variable).is_some() {
            self.add(variable);
        }
    }

    /// A write of a defined value through a pointer.
    fn write_defined(&mut self, module: &Module, pointer: Inst) {
        if !self.copies.is_empty() {
            self.remove(root(module, pointer));
        }
    }

    /// Processes an instruction. Returns a read of an undefined value.
    fn follow(&mut self, module: &Module, inst: Inst, goal: &Goal) -> Option<Inst> {
        let mut read = None;
        if self.is_unwritten && goal.reads.contains(&inst) {
            self.read = Some(inst);
            read = Some(inst);
        }
        if goal.writes.contains(&inst) {
            self.is_unwritten = false;
        }
        match module.op(inst) {
            Op::Load => {
                let load = view::Load::of(module, inst)?;
                if !self.copies.is_empty() && self.holds(root(module, load.pointer)) {
                    read = Some(inst);
                }
                match read {
                    Some(_) => self.add(inst),
                    None => self.remove(inst),
                }
            }
            Op::Store => {
                let store = view::Store::of(module, inst)?;
                match self.holds(store.object) {
                    true => self.write_undefined(module, store.pointer),
                    false => self.write_defined(module, store.pointer),
                }
            }
            Op::CopyMemory | Op::CopyMemorySized => {
                let view::Copy { target, source } = view::Copy::of(module, inst)?;
                let is_undefined = read.is_some() || self.holds(root(module, source));
                match is_undefined {
                    true => self.write_undefined(module, target),
                    false => self.write_defined(module, target),
                }
                return is_undefined.then_some(inst);
            }
            Op::FunctionCall if !self.copies.is_empty() => {
                module.operands(inst).skip(1).for_each(|argument| self.remove(root(module, argument)));
            }
            _ => {}
        }
        read
    }
}

/// A state that the search has reached.
struct Visit {
    node: Node,
    facts: InitializationFacts,
    undefined: Undefined,
    from: Option<usize>,
}

impl<'p, 'm> Walker<'p, 'm> {
    /// For searches in one function, which share this limit on instructions.
    pub(super) fn new(program: &'p Program<'m>, flow: &'p Flow, fuel: usize) -> Walker<'p, 'm> {
        Walker { program, flow, contents: FxHashMap::default(), travels: FxHashMap::default(), fuel }
    }

    /// The remaining fuel.
    pub(super) fn fuel(&self) -> usize {
        self.fuel
    }

    /// Returns whether the fuel is exhausted, so that nothing more is found.
    pub(super) fn is_spent(&self) -> bool {
        self.fuel == 0
    }

    /// A use of an undefined value that control can reach.
    pub(super) fn find(&mut self, goal: &Goal) -> Option<UndefinedUse> {
        self.fuel = self.fuel.saturating_sub(goal.exposure.region.len());
        let mut fuel = (SEARCH_FUEL + FUEL_PER_INSTRUCTION * self.program.size(self.flow)).min(self.fuel);
        let undefined = Undefined { is_unwritten: true, copies: Vec::new(), read: None };
        let mut visits = vec![Visit {
            node: self.flow.feasible.entry(),
            facts: InitializationFacts::default(),
            undefined,
            from: None,
        }];
        let mut seen: FxHashSet<(Node, InitializationFacts, Undefined)> = FxHashSet::default();
        let mut queue = VecDeque::from([0]);
        while let Some(index) = queue.pop_front() {
            let visit = &visits[index];
            let (block, mut facts, mut undefined) =
                (self.flow.whole.block(visit.node), visit.facts.clone(), visit.undefined.clone());
            let (cost, used) = self.execute(block, &mut facts, &mut undefined, goal);
            if let (Some(used), Some(read)) = (used, undefined.read) {
                return Some(UndefinedUse { read, used, way: self.way(&visits, index) });
            }
            self.fuel = self.fuel.saturating_sub(cost);
            fuel = fuel.checked_sub(cost).filter(|_| self.fuel > 0)?;
            undefined.copies.retain(|&inst| is_variable(self.program.module, inst) || self.travels(inst));
            if undefined.is_nowhere() {
                continue;
            }
            for target in self.directions(block, &facts) {
                let Some(node) = self.flow.whole.find(target).filter(|node| is_of_interest(*node, &undefined, goal))
                else {
                    continue;
                };
                let (mut facts, undefined) = (facts.clone(), undefined.clone());
                self.arrive(block, target, &mut facts);
                if seen.insert((node, facts.clone(), undefined.clone())) {
                    queue.push_back(visits.len());
                    visits.push(Visit { node, facts, undefined, from: Some(index) });
                }
            }
        }
        None
    }

    fn way(&self, visits: &[Visit], last: usize) -> Vec<Block> {
        let mut way = Vec::new();
        let mut current = Some(last);
        while let Some(index) = current {
            way.push(self.flow.whole.block(visits[index].node));
            current = visits[index].from;
        }
        way.reverse();
        way
    }

    /// Processes the instructions of a block. Returns their number, and the first read of an undefined value that is not a copy.
    fn execute(
        &mut self,
        block: Block,
        facts: &mut InitializationFacts,
        undefined: &mut Undefined,
        goal: &Goal,
    ) -> (usize, Option<Inst>) {
        let module = self.program.module;
        let mut count = 1;
        for inst in module.children(block) {
            count += 1;
            let read = undefined.follow(module, inst, goal);
            if read.is_some_and(|read| !is_copy(self.program, read)) {
                return (count, read);
            }
            self.learn_from(inst, facts);
        }
        (count, None)
    }

    /// Records the facts of an instruction.
    fn learn_from(&mut self, inst: Inst, facts: &mut InitializationFacts) {
        let module = self.program.module;
        match module.op(inst) {
            Op::BlockParameter => {}
            Op::Variable => self.begin(inst, facts),
            Op::Load => {
                let pointer = view::Load::of(module, inst).map(|load| load.pointer);
                let value = pointer.and_then(|pointer| self.holds_scalar(pointer).and_then(|_| facts.stored(pointer)));
                facts.set(inst, value.filter(|_| width(module, inst).is_some()));
            }
            Op::Store => {
                let Some(view::Store { pointer, object, .. }) = view::Store::of(module, inst) else { return };
                if self.holds_scalar(pointer).is_some() {
                    facts.set(pointer, facts.value(module, object));
                }
            }
            Op::FunctionCall => {
                module.operands(inst).skip(1).for_each(|argument| facts.set(argument, None));
                facts.set(inst, None);
            }
            op if op.has_result() => facts.set(inst, facts.computed(module, inst)),
            _ => {}
        }
    }

    fn begin(&mut self, variable: Inst, facts: &mut InitializationFacts) {
        let module = self.program.module;
        if let Some(initial) = view::Variable::of(module, variable).and_then(|variable| variable.initializer)
            && self.holds_scalar(variable).is_some()
        {
            facts.set(variable, facts.value(module, initial));
        }
    }

    /// If a pointer is a variable of the function that holds one scalar, and all accesses are of it as a whole: whether it is read in more
    /// than one place. `None` otherwise.
    fn holds_scalar(&mut self, pointer: Inst) -> Option<bool> {
        let module = self.program.module;
        if module.op(pointer) != Op::Variable || module.block_of(pointer).is_none() {
            return None;
        }
        match self.contents.entry(pointer) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => *vacant.insert(scalar_reads(self.program, pointer).map(|reads| reads > 1)),
        }
    }

    /// The successors that control can reach from a block, according to the facts; each block once.
    fn directions(&self, block: Block, facts: &InitializationFacts) -> Vec<Block> {
        let module = self.program.module;
        let Some(end) = module.terminator(block) else { return Vec::new() };
        let condition = || facts.value(module, module.operand(end, terminator::operand::CONDITION));
        let chosen = match module.op(end) {
            Op::BranchIf | Op::If => condition().map(|value| match value {
                0 => module.operand(end, terminator::operand::FALSE),
                _ => module.operand(end, terminator::operand::TRUE),
            }),
            Op::Switch | Op::StructuredSwitch => condition().and_then(|value| switch_target(module, end.into(), value)),
            _ => None,
        };
        if let Some(chosen) = chosen.and_then(|chosen| module.cast(chosen)) {
            return vec![chosen];
        }
        let mut targets = feasible_targets(module, block);
        let mut seen = FxHashSet::default();
        targets.retain(|&target| seen.insert(target));
        targets
    }

    /// Follows an edge: arguments become parameters, outcomes become facts, facts that end with the block are removed.
    fn arrive(&mut self, source: Block, target: Block, facts: &mut InitializationFacts) {
        let module = self.program.module;
        let Some(end) = module.terminator(source) else { return };
        match module.op(end) {
            Op::BranchIf | Op::If => {
                let is_true = module.operand(end, terminator::operand::TRUE) == target.into();
                self.learn(module.operand(end, terminator::operand::CONDITION), u64::from(is_true), source, facts);
            }
            Op::Switch | Op::StructuredSwitch => {
                if let Some(value) = case_value(module, end.into(), target.into()) {
                    self.learn(module.operand(end, terminator::operand::CONDITION), value, source, facts);
                }
            }
            _ => {}
        }
        let arguments: Vec<Option<u64>> = module.arguments(end).map(|argument| facts.value(module, argument)).collect();
        facts.retain(|inst| module.block_of(inst) != Some(source) || self.travels(inst));
        for (parameter, value) in module.parameters(target).zip(arguments) {
            facts.set(parameter.into(), value.filter(|_| width(module, parameter.into()).is_some()));
        }
    }

    /// Records what an outcome says about the condition, and about its operands.
    fn learn(&mut self, condition: Inst, value: u64, block: Block, facts: &mut InitializationFacts) {
        let module = self.program.module;
        let (mut inst, mut value) = (condition, value);
        loop {
            if self.travels(inst) {
                facts.set(inst, Some(value));
            }
            match module.op(inst) {
                Op::LogicalNot => {
                    let Some(view::LogicalNot { operand }) = view::LogicalNot::of(module, inst) else { return };
                    (inst, value) = (operand, value ^ 1);
                }
                Op::IEqual | Op::INotEqual if (module.op(inst) == Op::IEqual) == (value == 1) => {
                    let Some(view::Binary { left, right }) = view::Binary::of(module, inst) else { return };
                    match (facts.value(module, left), facts.value(module, right)) {
                        (None, Some(known)) => (inst, value) = (left, known),
                        (Some(known), None) => (inst, value) = (right, known),
                        _ => return,
                    }
                }
                Op::Load => {
                    let Some(view::Load { pointer: variable, .. }) = view::Load::of(module, inst) else { return };
                    let matters = self.holds_scalar(variable) == Some(true);
                    if matters && module.block_of(inst) == Some(block) && is_untouched(module, inst, variable) {
                        facts.set(variable, Some(value));
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns whether a value is used outside its own block, so that it can matter there.
    fn travels(&mut self, inst: Inst) -> bool {
        let module = self.program.module;
        if module.op(inst) == Op::Variable {
            return true;
        }
        match self.travels.entry(inst) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let home = module.parent(inst);
                *vacant.insert(home.is_some() && module.uses(inst).any(|used| module.parent(used.user) != home))
            }
        }
    }
}

/// Returns whether a block can matter: while only the variable of the search is undefined, on a path to a read of it.
fn is_of_interest(node: Node, undefined: &Undefined, goal: &Goal) -> bool {
    !undefined.copies.is_empty() || goal.exposure.region.contains(&node)
}

fn is_variable(module: &Module, inst: Inst) -> bool {
    module.op(inst) == Op::Variable
}

/// Returns whether the read value is only stored in variables of the function, or copied by size.
pub(super) fn is_copy(program: &Program<'_>, read: Inst) -> bool {
    let module = program.module;
    let is_own = |target: Inst| is_variable(module, target) && module.block_of(target).is_some();
    let stores = |used: Use| {
        let store = view::Store::of(module, used.user).filter(|_| used.slot == STORED);
        store.is_some_and(|store| is_own(root(module, store.pointer)))
    };
    match module.op(read) {
        Op::Load => module.uses(read).filter(|used| !program.is_debug(used.user)).all(stores),
        Op::CopyMemory => view::CopyMemory::of(module, read).is_some_and(|copy| is_own(root(module, copy.target))),
        op => op == Op::CopyMemorySized,
    }
}

/// The variable or other instruction that a chain of access chains starts at.
fn root(module: &Module, pointer: Inst) -> Inst {
    let mut current = pointer;
    while matches!(module.op(current), Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject)
        && let Some(view::DerivedPointer { base }) = view::DerivedPointer::of(module, current)
    {
        current = base;
    }
    current
}

/// The number of times that a variable that holds one scalar is read; `None` for other variables and those not always accessed as a whole.
fn scalar_reads(program: &Program<'_>, variable: Inst) -> Option<usize> {
    let module = program.module;
    scalar_width(module, module.pointee(variable)?)?;
    let mut reads = 0;
    for used in module.uses(variable) {
        match (module.op(used.user), used.slot) {
            (Op::Load, Slot::Operand(view::Access::POINTER)) => reads += 1,
            (Op::Store, Slot::Operand(view::Access::POINTER))
            | (Op::FunctionCall | Op::LifetimeStart | Op::LifetimeStop, _) => {}
            _ if program.is_debug(used.user) => {}
            _ => return None,
        }
    }
    Some(reads)
}

/// Returns whether nothing after a load in its block may write to the variable.
fn is_untouched(module: &Module, load: Inst, variable: Inst) -> bool {
    let mut current = module.next(load);
    while let Some(inst) = current {
        let touches = matches!(module.op(inst), Op::Store | Op::FunctionCall)
            && module.operands(inst).any(|operand| operand == variable);
        if touches {
            return false;
        }
        current = module.next(inst);
    }
    true
}
