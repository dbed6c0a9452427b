//! The tree editor: the basis of all edits.
//!
//! Each edit preserves a padded tree: every arm has a block, every leaving edge has one of its own, so no edge is critical; and each block
//! comes after the opener of its construct, before that construct's merge block, and in a loop before the continue target. SSA dominance is
//! not preserved: values may be used where they are no longer defined.
//!
//! A loop header ends in `branch`, `branch_if` or `loop` (SPIR-V has no place for a second merge instruction, and R11 allows nothing else),
//! so any other terminator is in a block of its own:
//!
//! ```text
//! ^header: … if …      ⇔      ^header: … branch ^next
//!                             ^next: if …
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::Nest;
use crate::pad::keep_location;
use crate::{ControlTree, Cursor, EditError, EditFault, Role, TreeError, TreeFault, pad};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Editor, Function, Inst, Location, Module, Op, Position};

/// The number of editors so far. Only equality of numbers matters, so the order of creation has no effect.
static EDITORS: AtomicU64 = AtomicU64::new(0);

/// Edits the control tree of a function. The head of this file says what every edit preserves.
#[derive(Debug)]
pub struct TreeEditor<'m> {
    pub(crate) module: &'m mut Module,
    pub(crate) function: Function,
    /// A unique number: identifies the editor of a fragment.
    pub(crate) number: u64,
    pub(crate) nest: Nest,
    /// Instructions that got an explicit copy of the location that they had inherited, because they moved.
    pub(crate) pinned: FxHashSet<Inst>,
    /// Blocks that took over the terminator of a loop header, or of an edge that cannot be merged with another.
    pub(crate) splits: FxHashSet<Block>,
    /// By type: the undefined value, and whether it was created here.
    undefs: FxHashMap<Inst, (Inst, Made)>,
    /// The number of the current state of the tree, and the next free one. Reinserting what was removed restores the old state.
    state: u64,
    next_state: u64,
}

/// The creator of an undefined value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    Before,
    Here,
}

impl<'m> TreeEditor<'m> {
    /// An editor for a structured function, which is padded first ([`pad()`]). O(blocks).
    ///
    /// # Errors
    /// The function has no control tree, or breaks the rules of stage Structured so that padding does not help.
    pub fn new(module: &'m mut Module, function: Function) -> Result<TreeEditor<'m>, TreeError> {
        pad(module, function)?;
        let tree = ControlTree::compute(module, function)?;
        if let Some(shared) = tree.bypassed {
            return Err(TreeError { inst: shared.into(), fault: TreeFault::Join });
        }
        let mut editor = TreeEditor::of_nothing(module, function);
        editor.nest = Nest::from_tree(&tree);
        Ok(editor)
    }

    /// An editor for a function without body.
    pub(crate) fn of_nothing(module: &'m mut Module, function: Function) -> TreeEditor<'m> {
        TreeEditor {
            module,
            function,
            number: EDITORS.fetch_add(1, Ordering::Relaxed),
            nest: Nest::new(),
            pinned: FxHashSet::default(),
            splits: FxHashSet::default(),
            undefs: FxHashMap::default(),
            state: 0,
            next_state: 1,
        }
    }

    /// Treats a fragment, whose blocks are in the function, as the whole of it.
    pub(crate) fn adopt(&mut self, fragment: crate::Fragment) {
        self.nest = fragment.nest;
    }

    /// The module, to read.
    pub fn module(&self) -> &Module {
        self.module
    }

    /// The function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The editor for everything that leaves terminators and blocks alone.
    pub fn editor(&mut self) -> Editor<'_> {
        self.module.edit()
    }

    /// The current tree. O(blocks).
    ///
    /// # Errors
    /// None, unless blocks or terminators were changed outside this editor.
    pub fn tree(&self) -> Result<ControlTree, TreeError> {
        ControlTree::compute(self.module, self.function)
    }

    /// The block before a block in its list, past the construct that it closes. O(1).
    pub fn previous(&self, block: Block) -> Option<Block> {
        self.nest.previous(block)
    }

    /// The block after a block in its list, past the construct that it opens. O(1).
    pub fn next(&self, block: Block) -> Option<Block> {
        self.nest.next(block)
    }

    /// The openers of the constructs around a block with its role in each, innermost first; none if it is in no list.
    pub fn around(&self, block: Block) -> impl Iterator<Item = (Block, Role)> + '_ {
        self.nest.spot(block).into_iter().flat_map(|spot| self.nest.around(spot.list))
    }

    /// The first and last block of a list of the construct that a block opens.
    pub fn ends(&self, opener: Block, role: Role) -> Option<(Block, Block)> {
        self.nest.list_of(opener, role).and_then(|list| self.nest.chain(list).ends)
    }

    /// The place of a cursor: a block in a list, and the instruction before which the cursor is; none at the end.
    pub(crate) fn place(&self, cursor: Cursor) -> Result<(Block, Option<Inst>), EditError> {
        let named = match cursor {
            Cursor::BeforeBlock(block) | Cursor::AfterBlock(block) => block.into(),
            Cursor::Before(inst) | Cursor::After(inst) => inst,
        };
        let place = match cursor.normalize(self.module).ok_or(EditFault::Place.at(named))? {
            Cursor::Before(inst) => (self.module.block_of(inst), Some(inst)),
            Cursor::After(inst) => (self.module.block_of(inst), None),
            Cursor::BeforeBlock(block) | Cursor::AfterBlock(block) => (Some(block), None),
        };
        let block = place.0.ok_or(EditFault::Place.at(named))?;
        let spot = self.nest.spot(block).ok_or(EditFault::Outside.at(block))?;
        let is_inside_list = place.1.is_none() && spot.next.is_some();
        if is_inside_list {
            return Err(EditFault::Place.at(named));
        }
        if self.is_exit_list(spot.list) || self.is_bound_edge(block) {
            return Err(EditFault::EdgeOnly.at(block));
        }
        Ok((block, place.1))
    }

    /// Records a change of the tree: the numbers of its state before and after.
    pub(crate) fn change(&mut self) -> (u64, u64) {
        let before = self.state;
        self.state = self.next_state;
        self.next_state += 1;
        (before, self.state)
    }

    /// Returns to an earlier state if the tree is in the state that followed it.
    pub(crate) fn change_back(&mut self, before: u64, after: u64) -> bool {
        let is_same = self.state == after;
        if is_same {
            self.state = before;
        } else {
            self.change();
        }
        is_same
    }

    pub(crate) fn is_exit_list(&self, list: u32) -> bool {
        self.nest.chain(list).owner.is_some_and(|(opener, _)| self.terminator_op(opener) == Some(Op::BranchIf))
    }

    pub(crate) fn terminator_op(&self, block: Block) -> Option<Op> {
        self.module.terminator(block).map(|terminator| self.module.op(terminator))
    }

    /// The undefined value of a type, at module level. One that was there unused stays when its new use is removed.
    pub(crate) fn undef(&mut self, ty: Inst) -> Inst {
        if let Some(&(undef, _)) = self.undefs.get(&ty).filter(|(undef, _)| self.module.is_live(*undef)) {
            if !self.module.is_used(undef) {
                self.undefs.insert(ty, (undef, Made::Before));
            }
            return undef;
        }
        let module = &mut *self.module;
        let existing = module.globals().find(|&global| module.op(global) == Op::Undef && module.ty(global) == Some(ty));
        let made = if existing.is_some() { Made::Before } else { Made::Here };
        let undef = existing.unwrap_or_else(|| module.edit().append_global(Op::Undef, Some(ty), &[]));
        self.undefs.insert(ty, (undef, made));
        undef
    }

    /// Deletes a jump, and the undefined values that were created for it and are now unused.
    pub(crate) fn delete_jump(&mut self, jump: Inst) {
        let operands: Vec<Inst> = self.module.operands(jump).collect();
        self.module.edit().delete(jump);
        for operand in operands {
            let is_undef = self.module.op(operand) == Op::Undef && !self.module.is_used(operand);
            let Some(ty) = self.module.ty(operand).filter(|_| is_undef) else { continue };
            if self.undefs.get(&ty) == Some(&(operand, Made::Here)) {
                self.undefs.remove(&ty);
                self.module.edit().delete(operand);
            }
        }
    }

    /// A block that is not placed yet.
    pub(crate) fn create_block(&mut self, op: Op) -> Block {
        let block = self.module.edit().create(op, None, &[]);
        self.module.cast(block).expect("invariant: a block is a block")
    }

    /// Preserves the location of an instruction that moved, or after which others moved. An explicit location is removed again where the
    /// same one is inherited.
    fn keep_location(&mut self, inst: Inst, location: Option<Location>) {
        if self.pinned.contains(&inst) {
            let from_above = self.module.previous(inst).and_then(|above| self.module.location(above));
            if from_above == location {
                self.module.edit().set_location(inst, None);
                self.pinned.remove(&inst);
            }
        } else if keep_location(self.module, inst, location) {
            self.pinned.insert(inst);
        }
    }

    /// Moves instructions, from one to the end of its block, to the end of another block.
    pub(crate) fn move_tail(&mut self, from: Inst, to: Block) {
        self.move_range(from, None, Position::AtEnd(to.into()));
    }

    /// Moves instructions, from one up to another that stays, in order. Locations are preserved.
    pub(crate) fn move_range(&mut self, from: Inst, until: Option<Inst>, position: Position) {
        if Some(from) == until {
            return;
        }
        let behind = match position {
            Position::Before(inst) => Some(inst),
            Position::After(inst) => self.module.next(inst),
            Position::AtStart(container) => self.module.first_child(container),
            Position::AtEnd(_) => None,
        };
        let located = [Some(from), until, behind];
        let located = located.map(|inst| inst.map(|inst| (inst, self.module.location(inst))));
        let (mut current, mut position) = (Some(from), position);
        while let Some(inst) = current {
            current = self.module.next(inst).filter(|&next| Some(next) != until);
            self.module.edit().move_to(inst, position);
            position = Position::After(inst);
        }
        for (inst, location) in located.into_iter().flatten() {
            self.keep_location(inst, location);
        }
    }

    /// Returns whether a block is the header of a loop.
    pub(crate) fn is_loop_header(&self, block: Block) -> bool {
        is_loop_header(&self.nest, block)
    }

    /// Moves the terminator of a loop header into a block of its own if the header cannot end in it. See the head of this file.
    pub(crate) fn split_header(&mut self, block: Block) {
        let mut nest = std::mem::replace(&mut self.nest, Nest::new());
        let next = self.split_header_of(&mut nest, block);
        self.nest = nest;
        if let Some(next) = next {
            self.module.edit().move_to(next, Position::After(block.into()));
        }
    }

    /// The same for a block of a fragment: the new block, which is not placed.
    pub(crate) fn split_header_of(&mut self, nest: &mut Nest, block: Block) -> Option<Block> {
        let terminator = self.module.terminator(block)?;
        if !is_loop_header(nest, block) || may_end_header(self.module.op(terminator)) {
            return None;
        }
        let next = self.create_block(Op::Block);
        self.move_tail(terminator.into(), next);
        self.module.edit().append(block, Op::Branch, None, &[next.into()]);
        nest.put_after(nest.list(block), Some(block), next);
        nest.pass_construct(block, next);
        self.splits.insert(next);
        Some(next)
    }

    /// Merges a block in [`TreeEditor::splits`] with its predecessor, if they need not be separate any more.
    pub(crate) fn join_split(&mut self, block: Block) {
        let Some(before) = self.nest.previous(block).filter(|_| self.splits.contains(&block)) else { return };
        let can_end = !self.is_loop_header(before) || self.terminator_op(block).is_some_and(may_end_header);
        if can_end && self.goes_on_alone(before, block) {
            self.splits.remove(&block);
            self.join(before, block);
        }
    }

    /// Returns whether one block ends in a plain branch to another one that has no other predecessor.
    pub(crate) fn goes_on_alone(&self, first: Block, second: Block) -> bool {
        let Some(branch) = self.module.terminator(first).filter(|&last| self.module.op(last) == Op::Branch) else {
            return false;
        };
        let mut uses = self.module.uses(second);
        uses.next().is_some_and(|used| used.user == branch.inst()) && uses.next().is_none()
    }

    /// Merges a block with its only successor; the first keeps its name.
    pub(crate) fn join(&mut self, first: Block, second: Block) {
        let branch = self.module.terminator(first).expect("invariant: the first block ends in a branch");
        substitute_parameters(self.module, branch, second);
        self.module.edit().delete(branch);
        if let Some(start) = self.module.first_child(second) {
            self.move_tail(start, first);
        }
        self.nest.take(second);
        self.nest.pass_construct(second, first);
        self.module.edit().delete(second);
    }

    /// Gives a loop of one block a continue block, the source of its back edge.
    ///
    /// ```text
    /// loop ^h … continue ^h           loop ^h … continue ^c
    /// ^h: … branch ^h(%x)       ⇒     ^h: … branch ^c(%x)
    ///                                 edge ^c(%p): branch ^h(%p)
    /// ```
    pub(crate) fn add_continue(&mut self, preheader: Block) {
        let Some(open) = self.module.terminator(preheader).filter(|&open| self.module.op(open) == Op::Loop) else {
            return;
        };
        let header = self.module.operand(open, operand::TARGET);
        let Some(header) = self.module.cast::<Block>(header) else { return };
        let is_in_tree = |block: Block| self.nest.spot(block).is_some();
        let back = self
            .module
            .in_edges(header)
            .find(|edge| edge.terminator != open && self.module.block_of(edge.terminator).is_some_and(is_in_tree));
        let (Some(back), Some(merge)) = (back, self.module.merge_block(open)) else { return };
        let block = self.create_block(Op::EdgeBlock);
        let types: Vec<Inst> =
            self.module.parameters(header).filter_map(|parameter| self.module.ty(parameter)).collect();
        let mut edit = self.module.edit();
        edit.move_to(block, Position::Before(merge.into()));
        let mut operands = vec![Inst::from(header)];
        operands.extend(types.into_iter().map(|ty| edit.append(block, Op::BlockParameter, Some(ty), &[])));
        edit.append(block, Op::Branch, None, &operands);
        edit.set_operand(back.terminator, operand::TARGET, block);
        edit.set_operand(open, operand::CONTINUE, block);
        self.nest.add_list(preheader, Role::Continue, &[block]);
    }
}

fn is_loop_header(nest: &Nest, block: Block) -> bool {
    let Some(spot) = nest.spot(block).filter(|spot| spot.previous.is_none()) else { return false };
    matches!(nest.chain(spot.list).owner, Some((_, Role::Body)))
}

/// Returns whether a loop header may end in such a terminator.
pub(crate) fn may_end_header(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchIf | Op::Loop)
}

/// Replaces the parameters of a block by what the only branch to it passes, and deletes them.
pub(crate) fn substitute_parameters(module: &mut Module, branch: reconverge_ir::Terminator, block: Block) {
    let arguments: Vec<Inst> = module.arguments(branch).collect();
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    for (&parameter, &argument) in parameters.iter().zip(&arguments) {
        module.edit().replace_all_uses(parameter, argument);
    }
    for parameter in parameters {
        module.edit().delete(parameter);
    }
}
