//! Variables of a function to values.
//!
//! ```text
//! %v: %pointer = variable Function
//! ^a: store %v, %one       ^b: store %v, %two           ^a: branch ^m(%one)       ^b: branch ^m(%two)
//!     branch ^m                branch ^m           ⇒
//! ^m: %x = load %v                                      ^m(%x): … %x …
//!     … %x …
//! ```
//!
//! *Requires* a control flow graph without critical edges. *Preserves* what the function does; a variable that was not written
//! reads as `undef`. *Breaks* nothing.
//!
//! A variable goes if it is a scalar, vector or pointer whose uses are whole loads and stores, not volatile, and lifetime
//! markers, which make it undefined. It needs block parameters in the iterated dominance frontier of its stores, as far as it
//! is live there (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991, sections 4 and 5; pruned as in Choi, Cytron, Ferrante 1991).
//! Then one walk down the dominator tree knows for each variable what it holds (Cytron et al., section 5.2), and undoes its
//! knowledge on the way back. Blocks that control never reaches begin with nothing known.
//!
//! Invariant of the walk: what the loads of dominating blocks gave is replaced already, so a stored value is no load that will
//! go.
//!
//! Linear in the function, in the live ranges of the variables, in the dominance frontiers and in the arguments added.
//! Variables that would need a parameter of a type that none can have, or one parameter more than a terminator can pass, stay
//! in memory.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominanceFrontiers, DominatorTree, Node};
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Slot, Use, terminator};
use rustc_hash::FxHashMap;

use crate::capabilities::Carriable;
use crate::jumps::{ARGUMENT_LIMIT, PARAMETER_LIMIT, replace_operands};
use crate::undef::Undefs;
use reconverge_analysis::effects::{self, is_local_variable};

/// Turns variables into values. How many went.
pub fn mem2reg(module: &mut Module, function: Function) -> usize {
    let mut gone = 0;
    // A variable whose address another one held can go once that one went.
    loop {
        match promote_once(module, function) {
            0 => return gone,
            count => gone += count,
        }
    }
}

fn promote_once(module: &mut Module, function: Function) -> usize {
    let Some(entry) = module.entry(function) else { return 0 };
    let variables = promotable(module, entry);
    if variables.is_empty() {
        return 0;
    }
    straighten(module, function);
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let accesses = Accesses::gather(module, &flow, &variables);
    let sites = Placement::compute(module, (&flow, &dominators), (&variables, &accesses));
    let mut renaming = Renaming::new(module, &flow, variables, accesses);
    renaming.add_parameters(&sites);
    renaming.walk(&dominators);
    renaming.finish()
}

/// A variable that is to go.
struct Variable {
    inst: Inst,
    ty: Inst,
    /// What it holds before the first store, if anything.
    initial: Option<Inst>,
    /// Whether a block parameter can carry it.
    is_carriable: bool,
}

/// The variables of a function that can go.
fn promotable(module: &Module, entry: Block) -> Vec<Variable> {
    let carriable = Carriable::compute(module);
    let variables = module.children(entry).filter(|&inst| is_local_variable(module, inst));
    let promotable = variables.filter_map(|variable| {
        let ty = module.operand(module.ty(variable)?, 1);
        let carries = |value: Inst| module.op(value) != Op::Load || carriable.is_carriable(module, value);
        let mut uses = module.uses(variable);
        let goes = is_simple(module.op(ty)) && uses.clone().all(|used| is_whole(module, used, ty));
        goes.then(|| Variable {
            inst: variable,
            ty,
            initial: module.operands(variable).nth(1),
            is_carriable: uses.all(|used| carries(used.user)),
        })
    });
    promotable.collect()
}

/// Whether values of a type are carried whole.
fn is_simple(ty: Op) -> bool {
    matches!(
        ty,
        Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypePointer
            | Op::TypeEvent
            | Op::TypeDeviceEvent
            | Op::TypeReserveId
            | Op::TypeQueue
    )
}

/// Whether a use reads or writes the whole variable, or says how long it lives.
fn is_whole(module: &Module, used: Use, ty: Inst) -> bool {
    let user = used.user;
    if used.slot != Slot::Operand(0) || module.block_of(user).is_none() || effects::is_volatile(module, user) {
        return false;
    }
    match module.op(user) {
        Op::Load => module.ty(user) == Some(ty),
        Op::Store => module.ty(module.operand(user, 1)) == Some(ty),
        Op::LifetimeStart | Op::LifetimeStop => true,
        _ => false,
    }
}

/// A load, store or marker of a variable.
#[derive(Clone, Copy)]
struct Access {
    inst: Inst,
    variable: usize,
}

/// Who reads and writes where.
struct Accesses {
    /// By block, in order.
    in_block: Vec<Vec<Access>>,
    /// For each variable the blocks that write it.
    written: Vec<Vec<Node>>,
    /// For each variable the blocks that read it before they write it.
    exposed: Vec<Vec<Node>>,
}

impl Accesses {
    fn gather(module: &Module, flow: &FlowGraph, variables: &[Variable]) -> Accesses {
        let numbers: FxHashMap<Inst, usize> =
            variables.iter().enumerate().map(|(number, variable)| (variable.inst, number)).collect();
        let (mut written, mut exposed) = (vec![Vec::new(); variables.len()], vec![Vec::new(); variables.len()]);
        let in_block = flow.graph().nodes().map(|node| {
            let mut inside = Vec::new();
            for inst in module.children(flow.block(node)) {
                let is_access = matches!(module.op(inst), Op::Load | Op::Store | Op::LifetimeStart | Op::LifetimeStop);
                let first = is_access.then(|| module.operand(inst, 0));
                let Some(&variable) = first.and_then(|first| numbers.get(&first)) else { continue };
                inside.push(Access { inst, variable });
                let (reads, writes) = (&mut exposed[variable], &mut written[variable]);
                match module.op(inst) {
                    Op::Load if writes.last() != Some(&node) && reads.last() != Some(&node) => reads.push(node),
                    Op::Load => {}
                    _ if writes.last() != Some(&node) => writes.push(node),
                    _ => {}
                }
            }
            inside
        });
        Accesses { in_block: in_block.collect(), written, exposed }
    }
}

/// Where block parameters are due.
struct Placement<'a> {
    module: &'a Module,
    flow: &'a FlowGraph,
    /// For each block the variable for which it was last found to be live, to be written, to be a site.
    live: Vec<usize>,
    written: Vec<usize>,
    placed: Vec<usize>,
    /// For each block how many parameters it has.
    counts: FxHashMap<Node, usize>,
    arguments: usize,
}

/// For each variable the blocks that get a parameter for it; `None` if it stays in memory.
type Sites = Vec<Option<Vec<Node>>>;

impl<'a> Placement<'a> {
    fn compute(
        module: &'a Module,
        (flow, dominators): (&'a FlowGraph, &DominatorTree),
        (variables, accesses): (&[Variable], &Accesses),
    ) -> Sites {
        let nowhere = vec![usize::MAX; flow.graph().len()];
        let mut placement = Placement {
            module,
            flow,
            live: nowhere.clone(),
            written: nowhere.clone(),
            placed: nowhere,
            counts: FxHashMap::default(),
            arguments: 0,
        };
        let mut frontiers = None;
        let all = accesses.written.iter().zip(&accesses.exposed).enumerate();
        let sites = all.map(|(variable, (written, exposed))| {
            if is_obvious(dominators, written, exposed) {
                return Some(Vec::new());
            }
            placement.find_live(variable, written, exposed);
            let frontiers = frontiers.get_or_insert_with(|| DominanceFrontiers::compute(flow.graph(), dominators));
            let sites = placement.sites(variable, written, frontiers);
            let is_possible = sites.is_empty() || variables[variable].is_carriable;
            (is_possible && placement.reserve(&sites)).then_some(sites)
        });
        sites.collect()
    }

    /// Finds the blocks where a variable is live at the start, and notes those that write it. Linear in the edges that enter
    /// them.
    fn find_live(&mut self, variable: usize, written: &[Node], exposed: &[Node]) {
        written.iter().for_each(|node| self.written[node.index()] = variable);
        let mut pending: Vec<Node> = exposed.to_vec();
        exposed.iter().for_each(|node| self.live[node.index()] = variable);
        while let Some(node) = pending.pop() {
            for &source in self.flow.graph().predecessors(node) {
                let index = source.index();
                if self.written[index] != variable && self.live[index] != variable {
                    self.live[index] = variable;
                    pending.push(source);
                }
            }
        }
    }

    /// The blocks of the iterated frontier where the variable is live.
    fn sites(&mut self, variable: usize, written: &[Node], frontiers: &DominanceFrontiers) -> Vec<Node> {
        let mut sites = Vec::new();
        let mut pending: Vec<Node> = written.to_vec();
        while let Some(node) = pending.pop() {
            for &join in frontiers.frontier(node) {
                if self.live[join.index()] == variable && self.placed[join.index()] != variable {
                    self.placed[join.index()] = variable;
                    sites.push(join);
                    pending.push(join);
                }
            }
        }
        sites
    }

    /// Counts the parameters and arguments of a variable, if the limits allow for them.
    fn reserve(&mut self, sites: &[Node]) -> bool {
        let (module, flow) = (self.module, self.flow);
        let mut arguments = self.arguments;
        for &site in sites {
            let count = self.counts.entry(site).or_insert_with(|| module.parameters(flow.block(site)).count());
            arguments += flow.graph().predecessors(site).len();
            if *count == PARAMETER_LIMIT || arguments > ARGUMENT_LIMIT {
                return false;
            }
        }
        self.arguments = arguments;
        sites.iter().for_each(|site| *self.counts.entry(*site).or_default() += 1);
        true
    }
}

/// Whether it is plain that a variable needs no parameters: nobody asks what other blocks wrote, or one block writes before all
/// that ask.
fn is_obvious(dominators: &DominatorTree, written: &[Node], exposed: &[Node]) -> bool {
    match *written {
        [] => true,
        [only] => exposed.iter().all(|&node| dominators.strictly_dominates(only, node)),
        _ => exposed.is_empty(),
    }
}

/// What is still to be done on the walk.
enum Step {
    Enter(Node),
    /// Back to what was known when so many things were noted as undone.
    Leave(usize),
}

/// The walk that knows what each variable holds.
struct Renaming<'a> {
    module: &'a mut Module,
    flow: &'a FlowGraph,
    variables: Vec<Variable>,
    accesses: Accesses,
    /// New parameters by block, each with its variable.
    parameters: FxHashMap<Node, Vec<(Inst, usize)>>,
    goes: Vec<bool>,
    /// What each variable holds; `None` for what is undefined.
    current: Vec<Option<Inst>>,
    /// What variables held before, to go back to.
    before: Vec<(usize, Option<Inst>)>,
    undefs: Undefs,
}

impl<'a> Renaming<'a> {
    fn new(module: &'a mut Module, flow: &'a FlowGraph, variables: Vec<Variable>, accesses: Accesses) -> Renaming<'a> {
        let current = variables.iter().map(|variable| variable.initial).collect();
        let goes = vec![false; variables.len()];
        let (parameters, before, undefs) = (FxHashMap::default(), Vec::new(), Undefs::default());
        Renaming { module, flow, variables, accesses, parameters, goes, current, before, undefs }
    }

    fn add_parameters(&mut self, sites: &Sites) {
        for (variable, sites) in sites.iter().enumerate() {
            let Some(sites) = sites else { continue };
            self.goes[variable] = true;
            let (inst, ty) = (self.variables[variable].inst, self.variables[variable].ty);
            let mut notes = self.module.decorations(inst).iter().copied();
            let name = notes.find(|&note| self.module.op(note) == Op::Name);
            for &site in sites {
                let block = self.flow.block(site);
                let list = self.parameters.entry(site).or_default();
                let last = list.last().map(|&(last, _)| last);
                let last = last.or_else(|| self.module.parameters(block).last().map(Inst::from));
                let position = last.map_or(Position::AtStart(block.into()), Position::After);
                let mut editor = self.module.edit();
                let parameter = editor.insert(position, Op::BlockParameter, Some(ty), &[]);
                name.into_iter().for_each(|name| editor.decorate(parameter, name));
                list.push((parameter, variable));
            }
        }
    }

    fn walk(&mut self, dominators: &DominatorTree) {
        let mut steps = vec![Step::Enter(self.flow.graph().entry())];
        steps.extend(self.flow.graph().nodes().filter(|&node| !dominators.is_reachable(node)).map(Step::Enter));
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(node) => {
                    steps.push(Step::Leave(self.before.len()));
                    self.enter(node);
                    steps.extend(dominators.children(node).iter().rev().copied().map(Step::Enter));
                }
                Step::Leave(mark) => {
                    for (variable, held) in self.before.drain(mark..).rev() {
                        self.current[variable] = held;
                    }
                }
            }
        }
    }

    fn hold(&mut self, variable: usize, value: Option<Inst>) {
        let held = std::mem::replace(&mut self.current[variable], value);
        self.before.push((variable, held));
    }

    fn enter(&mut self, node: Node) {
        for (parameter, variable) in self.parameters.get(&node).cloned().unwrap_or_default() {
            self.hold(variable, Some(parameter));
        }
        for Access { inst, variable } in std::mem::take(&mut self.accesses.in_block[node.index()]) {
            if !self.goes[variable] {
                continue;
            }
            match self.module.op(inst) {
                Op::Load => {
                    let value = self.value(variable);
                    self.module.edit().replace_all_uses(inst, value);
                }
                Op::Store => self.hold(variable, Some(self.module.operand(inst, 1))),
                _ => self.hold(variable, None),
            }
            crate::removal::remove(self.module, inst);
        }
        self.pass_arguments(self.flow.block(node));
    }

    /// What a variable holds here.
    fn value(&mut self, variable: usize) -> Inst {
        let ty = self.variables[variable].ty;
        self.current[variable].unwrap_or_else(|| self.undefs.undef(self.module, ty))
    }

    /// Passes what the variables hold at the end of a block to the parameters that its target got.
    fn pass_arguments(&mut self, block: Block) {
        let Some(jump) = self.module.terminator(block) else { return };
        if terminator::first_argument(self.module.op(jump)).is_none() {
            return;
        }
        let target = self.module.successors(block).next().and_then(|target| self.flow.find(target));
        let Some(wanted) = target.and_then(|target| self.parameters.get(&target)) else { return };
        let wanted: Vec<usize> = wanted.iter().map(|&(_, variable)| variable).collect();
        let mut operands: Vec<Inst> = self.module.operands(jump).collect();
        operands.extend(wanted.into_iter().map(|variable| self.value(variable)));
        replace_operands(self.module, jump, &operands);
    }

    fn finish(self) -> usize {
        let gone = self.variables.iter().zip(&self.goes).filter(|&(_, &goes)| goes);
        gone.map(|(variable, _)| self.module.edit().delete(variable.inst)).count()
    }
}

/// Turns branches whose ways all lead to one block into jumps, which can pass arguments.
///
/// ```text
/// branch_if %c ^m ^m     ⇒     branch ^m
/// ```
fn straighten(module: &mut Module, function: Function) {
    let blocks: Vec<Block> = module.blocks(function).collect();
    for block in blocks {
        if let Some(target) = only_target(module, block) {
            module.edit().replace_terminator(block, Op::Branch, &[target.into()]);
        }
    }
}

/// Where all ways of a branch lead that is no jump, if other blocks lead there too.
fn only_target(module: &Module, block: Block) -> Option<Block> {
    let op = module.op(module.terminator(block)?);
    let mut targets = module.successors(block);
    let target = targets.next().filter(|_| terminator::first_argument(op).is_none())?;
    let is_shared = || module.predecessors(target).any(|source| source != block);
    (targets.all(|other| other == target) && is_shared()).then_some(target)
}
