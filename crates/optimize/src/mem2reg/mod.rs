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
//! A variable is promoted if it is a scalar, vector or pointer whose uses are non-volatile loads and stores of the whole variable, and
//! lifetime markers, which make it undefined. It needs block parameters in the iterated dominance frontier of its stores, where it is live
//! (Cytron, Ferrante, Rosen, Wegman, Zadeck 1991, sections 4 and 5; pruned as in Choi, Cytron, Ferrante 1991). Then one traversal of the
//! dominator tree tracks the value of each variable (Cytron et al., section 5.2) and restores the previous values when it leaves a subtree.
//! In unreachable blocks all variables begin undefined. A value without a name that is stored to a variable takes the name of the variable.
//!
//! | file | step |
//! |---|---|
//! | `accesses.rs` | who reads and writes where |
//! | `placement.rs`, `pruning.rs` | where parameters are due |
//! | `walk.rs` | the walk, and what is known on it |
//! | `renaming.rs` | values for loads, arguments for parameters |
//! | `declared.rs` | variables of the source: what they hold where |
//!
//! Linear in the function, in the added arguments, in the dominance frontiers, and for each variable in its live range or the frontiers of
//! its stores, whichever is smaller. A variable stays in memory if it would need a parameter of a type that parameters cannot have, or one
//! parameter more than a terminator can pass. With [`Promotion::InMeasure`] a variable also stays in memory if it would need many
//! parameters for few uses, or if both its live range and its frontiers are large; for numbers, promotion is then linear in the function
//! alone.

mod accesses;
mod declared;
mod placement;
mod pruning;
mod renaming;
mod walk;

use reconverge_analysis::FlowGraph;
use reconverge_ir::{Block, Function, Inst, Module, Op, Slot, Use, terminator, view};

use accesses::Accesses;
use declared::Declared;
use placement::{Walk, compute_sites, find_joins};
use reconverge_analysis::effects::{self, is_local_variable};
use reconverge_rewrite::module_facts::ModuleFacts;
use renaming::Renaming;
use rustc_hash::FxHashSet;

/// The maximal number of parameters of a variable for each of its uses, and in addition, with `InMeasure`.
const PARAMETERS_OF_USE: usize = 4;
const PARAMETERS_OF_VARIABLE: usize = 16;

/// The variables that are promoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promotion {
    /// All that can be promoted.
    #[default]
    All,
    /// All that can be promoted with few block parameters. Numbers that would need more than four for each of their loads and stores, and
    /// sixteen more, stay in memory. A variable of a deep nest of loops needs a parameter in every loop around it, even if it is rarely
    /// accessed; with as many variables as loops, the number of parameters is quadratic. A variable also stays if the search for its
    /// parameters takes too long.
    InMeasure,
}

impl Promotion {
    /// The maximal number of parameters for a variable of a type with this number of uses. Pointers have no maximum: if a pointer is loaded
    /// from memory, its target is unknown.
    fn parameter_limit(self, ty: Op, uses: usize) -> usize {
        let is_number = matches!(ty, Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeVector);
        match self {
            Promotion::InMeasure if is_number => PARAMETERS_OF_USE * uses + PARAMETERS_OF_VARIABLE,
            _ => usize::MAX,
        }
    }
}

/// Promotes variables to values; `facts` are those of the module. Returns the number of promoted variables.
pub fn mem2reg(module: &mut Module, function: Function, facts: &ModuleFacts, promotion: Promotion) -> usize {
    let mut gone = 0;
    // A variable whose address is stored in another variable can be promoted once the other one is promoted.
    loop {
        match promote_once(module, function, |module, entry| promotable(module, entry, facts, promotion)) {
            0 => return gone,
            count => gone += count,
        }
    }
}

/// As [`mem2reg`], for the variables of a set alone, of which none holds the address of another one.
pub fn promote_variables(
    module: &mut Module,
    function: Function,
    facts: &ModuleFacts,
    variables: &FxHashSet<Inst>,
) -> usize {
    promote_once(module, function, |module, entry| {
        let mut found = promotable(module, entry, facts, Promotion::All);
        found.retain(|variable| variables.contains(&variable.inst));
        found
    })
}

fn promote_once(module: &mut Module, function: Function, find: impl FnOnce(&Module, Block) -> Vec<Variable>) -> usize {
    let Some(entry) = module.entry(function) else { return 0 };
    let variables = find(module, entry);
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
    let mut declared = Declared::gather(module, &variables, &sites);
    let (joins, lost) = find_joins(&walk, &accesses, declared.numbers());
    declared.forget(module, &lost);
    let mut renaming = Renaming::new(module, &flow, variables, accesses);
    renaming.declared = declared;
    renaming.add_parameters(&sites);
    renaming.forget_at_joins(&joins);
    renaming.walk(&steps);
    renaming.finish()
}

/// A variable to promote.
struct Variable {
    inst: Inst,
    ty: Inst,
    /// Its value before the first store, if any.
    initial: Option<Inst>,
    /// True if a block parameter can have its type.
    is_carriable: bool,
    /// The maximal number of parameters for it.
    parameter_limit: usize,
}

/// The variables of a function that can be promoted.
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

/// Returns whether values of a type are promoted: scalars, vectors and pointers.
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

/// Returns whether a use reads or writes the whole variable, or marks its lifetime.
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

/// Replaces branches whose edges all lead to one block by jumps, which can pass arguments.
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

/// The common target of all edges of a branch, if it has other predecessors too.
fn only_target(module: &Module, block: Block) -> Option<Block> {
    let op = module.op(module.terminator(block)?);
    let mut targets = module.successors(block);
    let target = targets.next().filter(|_| terminator::first_argument(op).is_none())?;
    let is_shared = || module.predecessors(target).any(|source| source != block);
    (targets.all(|other| other == target) && is_shared()).then_some(target)
}
