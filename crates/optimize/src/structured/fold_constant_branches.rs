//! Replaces branches on constants by the taken edge.
//!
//! ```text
//! %x; if %true ^a ^b merge ^m               %x
//! ^a: y; branch ^m(%v)              ⇒       y
//! ^b: …; branch ^m(%w)                      (what stood in ^m, with %v)
//! ^m(%p): …
//! ```
//!
//! *Requires* a structured function. *Preserves* stage Structured, every value and every effect. *Breaks* nothing: all lanes took the same
//! edge, so convergence is unchanged. Specialization constants are not constants here: their values are set when a pipeline is created.
//!
//! The taken arm is spliced into the enclosing list, and code that becomes unreachable is removed (`prune.rs`). If lanes leave the arm
//! before its end, the edges must be changed too:
//!
//! ```text
//! if %true ^a ^b merge ^m                   branch ^a
//! ^a: branch_if %c ^e ^rest         ⇒       ^a: if %c ^e ^rest merge ^m       the first exit opens the selection that
//! edge ^e: branch ^m                        edge ^e: branch ^m                is left of it (M6: the same lanes meet)
//! ```
//!
//! For a scope of the control tree, the taken edge continues at the join, so the list of the join is spliced after the arm.
//!
//! A switch that is left from inside another selection keeps its taken case as its default and no other case. The condition of a switch
//! without cases counts as constant too. A conditional exit with a constant condition becomes a jump, unless this would leave a loop
//! without a back edge (R19): loop unrolling handles loops with one iteration.
//!
//! Constructs are folded from the inside out. After a selection is folded, a switch that was left from inside it may have no such exits any
//! more, so rounds follow until nothing changes. The measure is the number of constant conditions, then that of switches; each round
//! reduces it. Each round is linear; there are at most as many rounds as nested switches.

use reconverge_analysis::constant_folding::Constant;
use reconverge_control_tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::SelectionControl;

use reconverge_rewrite::constants;

use super::order::put_dominators_first;
use super::prune::prune;
use super::view::{make_tree_shaped, tree_of};
use crate::merge_blocks::join_following;

/// Folds every branch with a constant condition. Returns whether there was one.
///
/// # Errors
/// [`TreeCode::NotStructured`](reconverge_control_tree::TreeCode::NotStructured).
pub fn fold_constant_branches(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if !has_constant_branch(module, function) {
        return Ok(false);
    }
    let (mut tree, mut changed) = make_tree_shaped(module, function)?;
    while fold_once(module, function, &tree)? {
        changed = true;
        if !has_constant_branch(module, function) {
            break;
        }
        tree = tree_of(module, function)?;
    }
    if changed {
        put_dominators_first(module, function);
    }
    Ok(changed)
}

/// One round. Returns whether anything changed.
fn fold_once(module: &mut Module, function: Function, tree: &ControlTree) -> Result<bool, Diagnostic> {
    let places = tree.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let (gone, dead) = (FxHashSet::default(), FxHashSet::default());
    let falls = gather_falls(module, tree);
    let mut folding = Folding { module, tree, falls, gone, dead, joints: Vec::new(), places, changed: false };
    for construct in tree.constructs().rev() {
        if let Some(target) = folding.module.terminator(construct.opener).and_then(|last| taken(folding.module, last)) {
            folding.fold(construct, target);
        }
    }
    let (changed, mut joints) = (folding.changed, folding.joints);
    if changed {
        prune(module, function)?;
        let places: FxHashMap<Block, usize> =
            module.blocks(function).enumerate().map(|(place, block)| (block, place)).collect();
        joints.retain(|block| places.contains_key(block));
        joints.sort_unstable_by_key(|block| places[block]);
        joints.dedup();
        for block in joints {
            if module.is_live(block) {
                join_following(module, block);
            }
        }
    }
    Ok(changed)
}

/// For each list that another case falls through to, and each join, the blocks that lead there. Computed once for all: a wide switch has
/// long chains.
fn gather_falls(module: &Module, tree: &ControlTree) -> FxHashMap<List, Vec<Block>> {
    let mut falls: FxHashMap<List, Vec<Block>> = FxHashMap::default();
    for &block in tree.blocks() {
        for edge in module.out_edges(block) {
            if let Some(Jump::FallThrough(into) | Jump::Join(into)) = tree.jump(edge) {
                falls.entry(into).or_default().push(block);
            }
        }
    }
    falls
}

fn has_constant_branch(module: &Module, function: Function) -> bool {
    let mut terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    terminators.any(|terminator| taken(module, terminator).is_some())
}

/// The block that a two-way or multi-way terminator always goes to.
fn taken(module: &Module, terminator: Terminator) -> Option<Block> {
    if !matches!(module.op(terminator), Op::If | Op::BranchIf | Op::StructuredSwitch) {
        return None;
    }
    let condition = Constant::of(module, module.operand(terminator, operand::CONDITION));
    let index = constants::taken(module, terminator, condition.and_then(|condition| condition.as_scalar()))?;
    module.cast(module.operand(terminator, index))
}

struct Folding<'a> {
    module: &'a mut Module,
    tree: &'a ControlTree,
    /// For each list, the blocks that fell through to it, and for each join the blocks that led to it, before folding.
    falls: FxHashMap<List, Vec<Block>>,
    /// Folded constructs: their lists are part of the enclosing lists.
    gone: FxHashSet<Construct>,
    /// Lists without predecessors.
    dead: FxHashSet<List>,
    /// Blocks that may be merged with their successors now.
    joints: Vec<Block>,
    /// The place of each block in source order.
    places: FxHashMap<Block, usize>,
    changed: bool,
}

/// The way in which a list is left for the merge block of its construct.
enum Left {
    /// Only at its end, if at all.
    AtItsEnd,
    /// Also by a conditional exit; this is the first one.
    By(Block),
    /// From inside another construct.
    FromInside,
}

impl Folding<'_> {
    fn fold(&mut self, construct: &ConstructData, target: Block) {
        let done = match construct.kind {
            ConstructKind::Exit => self.fold_exit(construct, target),
            ConstructKind::If | ConstructKind::Scope | ConstructKind::Switch => self.fold_selection(construct, target),
            ConstructKind::Loop => false,
        };
        self.changed |= done;
    }

    /// Replaces a conditional exit by a jump, unless the removed edge is the back edge of a loop.
    fn fold_exit(&mut self, construct: &ConstructData, target: Block) -> bool {
        let opener = construct.opener;
        let dropped = self.module.out_edges(opener).filter(|&edge| self.module.target(edge) != Some(target));
        let mut dropped = dropped.collect::<SmallVec<[Edge; 1]>>().into_iter();
        let is_back = |edge: Edge| matches!(self.tree.jump(edge), Some(Jump::Back(_)));
        let goes_back = dropped.any(|edge| match self.tree.jump(edge) {
            Some(Jump::Enter(list)) => {
                let last = self.tree.last_block(list);
                self.module.out_edges(last).any(is_back)
            }
            _ => is_back(edge),
        });
        if goes_back {
            return false;
        }
        self.dead.extend(construct.lists.iter().filter(|&&list| self.tree.first_block(list) != target));
        self.replace(opener, target);
        self.gone.insert(construct.name());
        true
    }

    fn fold_selection(&mut self, construct: &ConstructData, target: Block) -> bool {
        let Some(merge) = construct.merge else { return false };
        if target == merge {
            self.dead.extend(&construct.lists);
            self.replace(construct.opener, target);
            self.gone.insert(construct.name());
            return true;
        }
        let lists = self.lists_from(construct, target);
        self.dead.extend(construct.lists.iter().filter(|list| !lists.contains_key(list)));
        match self.left(merge, &lists) {
            Left::FromInside => return self.keep_default(construct, target),
            Left::By(first) => self.open_at(first, merge),
            Left::AtItsEnd => {
                self.gone.insert(construct.name());
            }
        }
        self.replace(construct.opener, target);
        self.joints.extend(self.module.predecessors(merge));
        if let Some(join) = self.tree.list(construct.name(), Role::Join) {
            self.joints.extend(self.module.predecessors(self.tree.first_block(join)));
        }
        true
    }

    fn replace(&mut self, opener: Block, target: Block) {
        self.module.edit().replace_terminator(opener, Op::Branch, &[target.into()]);
        self.joints.push(opener);
    }

    /// The list that begins at a target, and those that it falls through to or joins, in order, by number.
    fn lists_from(&self, construct: &ConstructData, target: Block) -> FxHashMap<List, usize> {
        let begins = |&list: &List| self.tree.first_block(list) == target;
        let mut next = construct.lists.iter().copied().find(begins);
        let mut falls: FxHashMap<List, List> = FxHashMap::default();
        let is_entered = |list: &List| self.falls.contains_key(list);
        for &into in construct.lists.iter().filter(|list| is_entered(list)) {
            // A list that others fall through to comes after the edge block of the switch's own edge to it.
            let first = self.tree.first_block(into);
            let second = self.module.successors(first).next().filter(|&second| self.tree.list_of(second) == Some(into));
            let is_way = construct.kind == ConstructKind::Switch && self.module.is_bare_edge(first);
            let entry = second.filter(|_| is_way).unwrap_or(first);
            let fell = self.falls.get(&into).into_iter().flatten().copied();
            let still = fell.filter(|&source| self.module.successors(source).any(|target| target == entry));
            let sources = still.filter_map(|source| self.list_around(construct, source));
            falls.extend(sources.filter(|&from| from != into).map(|from| (from, into)));
        }
        let mut lists = FxHashMap::default();
        while let Some(list) = next.filter(|list| !lists.contains_key(list)) {
            lists.insert(list, lists.len());
            next = falls.get(&list).copied();
        }
        lists
    }

    /// The list of a construct that contains a block, at any depth; `None` if the block was removed.
    fn list_around(&self, construct: &ConstructData, block: Block) -> Option<List> {
        let mut around = self.tree.outwards(block).take_while(|list| !self.dead.contains(list));
        around.find(|&list| matches!(self.tree.owner(list), Owner::Construct(owner, _) if owner == construct.name()))
    }

    /// The way in which these lists are left for the merge block of their construct.
    fn left(&self, merge: Block, lists: &FxHashMap<List, usize>) -> Left {
        let mut exits: Vec<((usize, usize), Block)> = Vec::new();
        for source in self.module.predecessors(merge) {
            let mut exit = self.is_exit(source).then_some(source);
            let mut is_inside = false;
            for list in self.tree.outwards(source).take_while(|list| !self.dead.contains(list)) {
                if let Some(&number) = lists.get(&list) {
                    match exit {
                        _ if is_inside => return Left::FromInside,
                        Some(exit) => exits.push(((number, self.places[&exit]), exit)),
                        None => {}
                    }
                    break;
                }
                let Owner::Construct(around, _) = self.tree.owner(list) else { break };
                let opener = around.opener();
                match self.tree.construct(around).kind {
                    ConstructKind::Exit if self.is_exit(opener) => exit = Some(opener),
                    _ => is_inside |= !self.gone.contains(&around),
                }
            }
        }
        exits.into_iter().min().map_or(Left::AtItsEnd, |(_, exit)| Left::By(exit))
    }

    fn is_exit(&self, block: Block) -> bool {
        self.module.terminator(block).is_some_and(|last| self.module.op(last) == Op::BranchIf)
    }

    /// Turns the first conditional exit to a merge block into a selection with this merge block.
    fn open_at(&mut self, block: Block, merge: Block) {
        let exit = self.module.terminator(block).expect("invariant: an exit has a terminator");
        let mut editor = self.module.edit();
        let control = editor.enumerant(SelectionControl::NONE);
        let mut operands: Vec<Inst> = editor.module().operands(exit).collect();
        operands.splice(operand::BRANCH_IF_WEIGHTS..operand::BRANCH_IF_WEIGHTS, [merge.into(), control]);
        editor.replace_terminator(block, Op::If, &operands);
    }

    /// Removes the cases of a switch except the taken one. Returns whether there were others.
    fn keep_default(&mut self, construct: &ConstructData, target: Block) -> bool {
        let switch = self.module.terminator(construct.opener);
        let Some(switch) = switch.filter(|_| construct.kind == ConstructKind::Switch) else { return false };
        let mut operands: Vec<Inst> = self.module.operands(switch).take(operand::STRUCTURED_SWITCH_CASES).collect();
        let is_done = self.module.cases(switch).next().is_none();
        operands[operand::DEFAULT] = target.into();
        if !is_done {
            self.module.edit().replace_terminator(construct.opener, Op::StructuredSwitch, &operands);
        }
        !is_done
    }
}
