//! Promotes variables of a function to values.
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
//! | file | step |
//! |---|---|
//! | `accesses.rs` | who reads and writes where |
//! | `placement.rs`, `pruning.rs` | where parameters are due |
//! | `walk.rs` | the walk, and what is known on it |
//! | `renaming.rs` | values for loads, arguments for parameters |
//!
//! Linear in the function, in the arguments added, in the dominance frontiers, and for each variable in its live range or the
//! frontiers of its stores, whichever is smaller. Variables that would need a parameter of a type that none can have, or one
//! parameter more than a terminator can pass, stay in memory; and, if so asked ([`Promotion::InMeasure`]), those that would need
//! many parameters for few uses, or for which both live range and frontiers are large: linear in the function alone then, for numbers.

mod accesses;
mod placement;
mod pruning;
mod renaming;
mod walk;

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Inst, Module, Op, Slot, Use, terminator, view};

use accesses::Accesses;
use placement::{Walk, compute_sites};
use reconverge_analysis::effects::{self, is_local_variable};
use reconverge_rewrite::module_facts::ModuleFacts;
use renaming::Renaming;

/// How many parameters a variable may need for each of its uses, and besides, to be in measure.
const PARAMETERS_OF_USE: usize = 4;
const PARAMETERS_OF_VARIABLE: usize = 16;

/// Which variables become values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promotion {
    /// All that can.
    #[default]
    All,
    /// Those that can without a crowd of block parameters: numbers that would need more than four for each of their loads and stores,
    /// and sixteen more, stay in memory. A variable of a deep nest of loops needs one in every loop around, however seldom it is
    /// touched; of as many variables as loops the parameters are the square. Nor those that would have to be searched for too far.
    InMeasure,
}

impl Promotion {
    /// How many parameters a variable of a type may need that is used so often. Pointers go whatever they need: who reads a pointer from
    /// memory knows nothing of where it points to.
    fn parameter_limit(self, ty: Op, uses: usize) -> usize {
        let is_number = matches!(ty, Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeVector);
        match self {
            Promotion::InMeasure if is_number => PARAMETERS_OF_USE * uses + PARAMETERS_OF_VARIABLE,
            _ => usize::MAX,
        }
    }
}

/// Turns variables into values; `facts` are those of the module. How many went.
pub fn mem2reg(module: &mut Module, function: Function, facts: &ModuleFacts, promotion: Promotion) -> usize {
    let mut gone = 0;
    // A variable whose address another one held can go once that one went.
    loop {
        match promote_once(module, function, facts, promotion) {
            0 => return gone,
            count => gone += count,
        }
    }
}

fn promote_once(module: &mut Module, function: Function, facts: &ModuleFacts, promotion: Promotion) -> usize {
    let Some(entry) = module.entry(function) else { return 0 };
    let variables = promotable(module, entry, facts, promotion);
    if variables.is_empty() {
        return 0;
    }
    straighten(module, function);
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let accesses = Accesses::gather(module, &flow, &variables);
    let steps = walk::steps(&flow, &dominators);
    let walk = Walk { flow: &flow, dominators: &dominators, steps: &steps };
    let sites = compute_sites(module, &walk, &variables, &accesses);
    let mut renaming = Renaming::new(module, &flow, variables, accesses);
    renaming.add_parameters(&sites);
    renaming.walk(&steps);
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
    /// How many it may need.
    parameter_limit: usize,
}

/// The variables of a function that can go.
fn promotable(module: &Module, entry: Block, facts: &ModuleFacts, promotion: Promotion) -> Vec<Variable> {
    let variables = module.children(entry).filter(|&inst| is_local_variable(module, inst));
    let promotable = variables.filter_map(|variable| {
        let (ty, initial) = (module.pointee(variable)?, view::Variable::of(module, variable)?.initializer);
        let carries = |value: Inst| module.op(value) != Op::Load || facts.carriable(module).is_carriable(module, value);
        let uses = module.uses(variable);
        let goes = is_simple(module.op(ty)) && uses.clone().all(|used| is_whole(module, used, ty));
        goes.then(|| Variable {
            inst: variable,
            ty,
            initial,
            is_carriable: uses.clone().all(|used| carries(used.user)),
            parameter_limit: promotion.parameter_limit(module.op(ty), uses.count()),
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
    // The pointer is the first operand of all of these.
    let is_pointer = used.slot == Slot::Operand(view::Load::SLOT.pointer);
    if !is_pointer || module.block_of(user).is_none() || effects::is_volatile(module, user) {
        return false;
    }
    match module.op(user) {
        Op::Load => module.ty(user) == Some(ty),
        Op::Store => view::Store::of(module, user).and_then(|store| module.ty(store.object)) == Some(ty),
        Op::LifetimeStart | Op::LifetimeStop => true,
        _ => false,
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

/// Where all paths of a branch lead that is not a jump, if other blocks lead there too.
fn only_target(module: &Module, block: Block) -> Option<Block> {
    let op = module.op(module.terminator(block)?);
    let mut targets = module.successors(block);
    let target = targets.next().filter(|_| terminator::first_argument(op).is_none())?;
    let is_shared = || module.predecessors(target).any(|source| source != block);
    (targets.all(|other| other == target) && is_shared()).then_some(target)
}
