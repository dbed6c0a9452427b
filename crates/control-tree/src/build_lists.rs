//! Lists of the builder, and the jumps that end them.

use crate::builder::{ConstructKind, Lists, OpenConstruct, TreeBuilder};
use crate::nest::ROOT;
use crate::{EditError, EditFault, Fragment, JumpKind, Role};
use reconverge_ir::{Block, Function, Inst, Op, Position, Stage, Terminator};

impl TreeBuilder<'_> {
    /// Ends the list with a jump. Code written after it is unreachable.
    ///
    /// # Errors
    /// There is nothing to leave, the arguments do not fit, or the function would end in a continue construct.
    pub fn jump(&mut self, kind: JumpKind, arguments: &[Inst]) -> Result<(), EditError> {
        let (op, mut operands) = self.jump_to(kind, arguments)?;
        operands.extend_from_slice(arguments);
        self.end(op, &operands);
        let list = self.current_lists();
        let dead = list.dead.unwrap_or_else(|| self.fragment.nest.add_loose_list());
        self.set_dead(Some(dead));
        let block = self.editor.create_block(Op::Block);
        self.put(dead, block);
        Ok(())
    }

    /// Leaves the innermost loop if a condition holds, and continues otherwise.
    ///
    /// # Errors
    /// Does for a `break` what [`TreeBuilder::exit_if`] does for an exit.
    pub fn break_if(&mut self, condition: Inst, arguments: &[Inst]) -> Result<(), EditError> {
        self.exit_if(JumpKind::Break, condition, arguments)
    }

    /// Leaves a construct if a condition holds, by a conditional exit, and continues otherwise.
    ///
    /// # Errors
    /// The jump leaves no construct, or is in none, or the arguments do not fit.
    pub fn exit_if(&mut self, kind: JumpKind, condition: Inst, arguments: &[Inst]) -> Result<(), EditError> {
        self.exit(kind, condition, Role::Then, arguments)
    }

    pub(crate) fn leave_unless(&mut self, condition: Inst) -> Result<(), EditError> {
        self.exit(JumpKind::Break, condition, Role::Else, &[])
    }

    fn exit(&mut self, kind: JumpKind, condition: Inst, role: Role, arguments: &[Inst]) -> Result<(), EditError> {
        let (op, mut operands) = self.jump_to(kind, arguments)?;
        if op != Op::Branch {
            return Err(EditFault::NothingToLeave.at(self.current));
        }
        operands.extend_from_slice(arguments);
        let (way, next) = (self.editor.create_block(Op::EdgeBlock), self.editor.create_block(Op::Block));
        self.editor.editor().append(way, Op::Branch, None, &operands);
        let (on_true, on_false) = if role == Role::Then { (way, next) } else { (next, way) };
        let opener = self.end(Op::BranchIf, &[condition, on_true.into(), on_false.into()]);
        self.fragment.nest.add_list(opener, role, &[way]);
        let list = self.live_list();
        self.put(list, next);
        Ok(())
    }

    /// Sets what the current list passes at its natural end: to the parameters of the merge block, or as the next values of the loop.
    pub fn yields(&mut self, values: &[Inst]) {
        self.yielded = Some(values.to_vec());
    }

    /// A parameter of the merge block of the current construct: its result. Every jump there passes a value for it, so it must be created
    /// before any jump.
    ///
    /// # Errors
    /// No construct is open, or a jump to the merge block exists already.
    pub fn merge_parameter(&mut self, ty: Inst) -> Result<Inst, EditError> {
        let merge = self.frames.last().map(|frame| frame.merge).ok_or_else(|| self.unbalanced("a construct"))?;
        if self.module().in_edges(merge).next().is_some() {
            return Err(EditFault::OtherWaysIn.at(merge));
        }
        Ok(self.editor.editor().append_parameter(merge, ty, |_, _| ty).into())
    }

    /// Finishes the builder: the function gets its body, or the code is inserted at the cursor.
    ///
    /// # Errors
    /// A construct is open, or the code cannot be inserted at the cursor. Nothing is built then.
    pub fn finish(mut self) -> Result<Function, EditError> {
        if !self.frames.is_empty() {
            return Err(self.unbalanced("nothing"));
        }
        let function = self.editor.function();
        self.delete_dead();
        let (first, last) = self.fragment.nest.chain(ROOT).ends.unwrap_or((self.current, self.current));
        (self.fragment.first, self.fragment.last) = (first, last);
        self.thin_arms();
        let TreeBuilder { mut editor, at, mut fragment, .. } = self;
        for block in fragment.blocks() {
            editor.split_header_of(&mut fragment.nest, block);
        }
        match at {
            Some(at) => {
                if let Err(refused) = editor.insert(at, fragment) {
                    editor.delete(refused.fragment);
                    return Err(refused.error);
                }
            }
            None => {
                for block in fragment.blocks() {
                    editor.editor().move_to(block, Position::AtEnd(function.into()));
                }
                editor.adopt(fragment);
                if editor.module().terminator(last).is_none() {
                    editor.end_naturally(last);
                }
                editor.editor().set_stage(function, Stage::Structured);
            }
        }
        Ok(function)
    }

    /// The terminator of a jump, without arguments, which are checked against the target.
    fn jump_to(&self, kind: JumpKind, arguments: &[Inst]) -> Result<(Op, Vec<Inst>), EditError> {
        let fault = |fault: EditFault| fault.at(self.current);
        let list = self.at.and_then(|at| at.block(self.module())).and_then(|block| self.editor.nest.spot(block));
        let around = list.map(|spot| spot.list);
        let target = match kind {
            JumpKind::Break | JumpKind::Continue => {
                let frame = self.frames.iter().rev().find(|frame| frame.is_loop());
                frame.map(|frame| frame.leave(kind))
            }
            JumpKind::LeaveSwitch => {
                let mut frames = self.frames.iter().rev().take_while(|frame| !frame.is_loop());
                let found = frames.find(|frame| matches!(frame.kind, ConstructKind::Switch { .. }));
                let is_stopped = self.frames.iter().any(OpenConstruct::is_loop);
                found.map(|frame| Some(frame.merge)).or(is_stopped.then_some(None))
            }
            // The builder opens no scopes.
            JumpKind::LeaveScope => self.frames.last().map(|_| None),
            _ => None,
        };
        let (op, operands) = match (target, kind) {
            (Some(target), _) => (Op::Branch, vec![Inst::from(target.ok_or(fault(EditFault::NothingToLeave))?)]),
            (None, JumpKind::Break | JumpKind::Continue | JumpKind::LeaveSwitch | JumpKind::LeaveScope) => {
                around.and_then(|list| self.editor.jump(list, kind)).ok_or(fault(EditFault::NothingToLeave))?
            }
            _ => self.editor.jump(around.unwrap_or(ROOT), kind).ok_or(fault(EditFault::NothingToLeave))?,
        };
        let mut frames = self.frames.iter();
        if op != Op::Branch && frames.any(|frame| matches!(frame.kind, ConstructKind::Continue { .. })) {
            return Err(fault(EditFault::EndsInContinue));
        }
        self.editor.check_arguments(op, &operands, arguments).map_err(fault)?;
        Ok((op, operands))
    }

    /// Ends the current block with a terminator; returns the block.
    pub(crate) fn end(&mut self, op: Op, operands: &[Inst]) -> Block {
        self.editor.editor().append(self.current, op, None, operands);
        self.current
    }

    /// Opens a construct with its first list.
    pub(crate) fn open(&mut self, frame: OpenConstruct, role: Role, first: Block) {
        let opener = frame.opener;
        self.frames.push(frame);
        self.open_list(opener, role, first);
    }

    pub(crate) fn open_list(&mut self, opener: Block, role: Role, first: Block) {
        let live = self.fragment.nest.add_list(opener, role, &[]);
        self.lists.push(Lists { live, dead: None });
        self.put(live, first);
        self.yielded = None;
    }

    /// Appends a block to a list, and continues there.
    fn put(&mut self, list: u32, block: Block) {
        let last = self.fragment.nest.last(list);
        self.fragment.nest.put_after(list, last, block);
        self.current = block;
    }

    pub(crate) fn current_lists(&self) -> Lists {
        *self.lists.last().expect("invariant: the list of the function is never closed")
    }

    fn set_dead(&mut self, dead: Option<u32>) {
        self.lists.last_mut().expect("invariant: the list of the function is never closed").dead = dead;
    }

    /// The current list.
    pub(crate) fn live_list(&self) -> u32 {
        let lists = self.current_lists();
        lists.dead.unwrap_or(lists.live)
    }

    /// Closes the current list, with a jump to `target` if control reaches its end. Returns the jump.
    pub(crate) fn close_list(&mut self, target: Block) -> Result<Option<Terminator>, EditError> {
        let values = self.yielded.clone().unwrap_or_default();
        let is_live = self.current_lists().dead.is_none();
        let mut jump = None;
        if is_live {
            let mut operands = vec![target.into()];
            self.editor
                .check_arguments(Op::Branch, &operands, &values)
                .map_err(|fault| EditError { inst: self.current.into(), fault })?;
            operands.extend(values);
            self.end(Op::Branch, &operands);
            jump = self.module().terminator(self.current);
        }
        self.yielded = None;
        self.delete_dead();
        self.lists.pop();
        Ok(jump)
    }

    /// Deletes the code after a jump in the current list.
    fn delete_dead(&mut self) {
        let Some(dead) = self.current_lists().dead else { return };
        self.set_dead(None);
        let Some((first, last)) = self.fragment.nest.chain(dead).ends else { return };
        let tops: Vec<Block> = self.fragment.nest.blocks(dead).collect();
        let mut nest = crate::nest::Nest::new();
        self.fragment.nest.move_into(&tops, &mut nest, ROOT, None);
        let owner = self.editor.number;
        self.editor.delete(Fragment { owner, nest, first, last, origin: None });
    }

    /// Continues after the construct that was open.
    pub(crate) fn go_on(&mut self) {
        let frame = self.frames.pop().expect("invariant: a construct was open");
        let list = self.live_list();
        self.put(list, frame.merge);
        self.yielded = None;
    }

    /// Makes edge blocks of arms that contain only a jump.
    fn thin_arms(&mut self) {
        for block in self.fragment.blocks() {
            let Some(spot) = self.fragment.nest.spot(block).filter(|spot| spot.previous.is_none()) else { continue };
            let owner = self.fragment.nest.chain(spot.list).owner;
            let is_arm = matches!(owner, Some((_, Role::Then | Role::Else | Role::Case(_))));
            let module = self.editor.module();
            let only = module.first_child(block).filter(|&only| module.op(only) == Op::Branch);
            let is_thin = spot.next.is_none() && module.op(block) == Op::Block;
            let Some(jump) = only.filter(|_| is_arm && is_thin) else { continue };
            let edge = self.editor.create_block(Op::EdgeBlock);
            let mut edit = self.editor.editor();
            edit.move_to(jump, Position::AtEnd(edge.into()));
            edit.replace_all_uses(block, edge);
            edit.delete(block);
            self.fragment.nest.take(block);
            self.fragment.nest.put_after(spot.list, None, edge);
        }
    }
}

impl OpenConstruct {
    fn is_loop(&self) -> bool {
        matches!(self.kind, ConstructKind::Body { .. } | ConstructKind::Continue { .. })
    }

    /// The target of a jump out of a loop; `None` from its continue list, which has only its natural end.
    fn leave(&self, kind: JumpKind) -> Option<Block> {
        match (&self.kind, kind) {
            (ConstructKind::Body { .. }, JumpKind::Break) => Some(self.merge),
            (ConstructKind::Body { continue_target, .. }, JumpKind::Continue) => Some(*continue_target),
            _ => None,
        }
    }
}
