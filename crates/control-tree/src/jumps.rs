//! Adding and removing jumps, and the natural end of a list.
//!
//! | list | its natural end |
//! |---|---|
//! | of the function | `return`, with an undefined value if it returns one |
//! | then, else, case | to the merge block |
//! | then, else of a scope | to the join |
//! | join of a scope | to the merge block |
//! | body of a loop | to the continue target |
//! | continue list | to the header |

use rustc_hash::FxHashMap;

use crate::{Cursor, EditError, EditFault, Fragment, Role, TreeEditor};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Op};

/// A jump that can be added.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JumpKind {
    /// Out of the innermost loop.
    Break,
    /// To the next iteration of the innermost loop.
    Continue,
    /// Out of the innermost switch, which no loop separates from here.
    LeaveSwitch,
    /// Out of the innermost scope, in no further construct but conditional exits, to its merge block.
    LeaveScope,
    /// Out of the function, with a value if it returns one.
    Return(Option<Inst>),
    /// `kill`: ends the invocation.
    Kill,
    /// `terminate_invocation`: ends the invocation.
    TerminateInvocation,
    /// `unreachable`: control never reaches this.
    Unreachable,
}

/// The natural end of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Natural {
    To(Block),
    Return,
}

impl TreeEditor<'_> {
    /// Ends a list at a cursor with a jump. Returns the code after the cursor in the list as a fragment, with at least its old jump;
    /// [`TreeEditor::delete`] it, or insert it elsewhere.
    ///
    /// ```text
    /// ^a: x │ y; if … merge ^m              ^a: x; branch ^exit          fragment: y; if … merge ^m
    ///         [then] [else]           ⇒                                              [then] [else]
    /// ^m: branch ^merge                                                            ^m: branch ^merge
    /// ```
    ///
    /// O(code after the cursor).
    ///
    /// # Errors
    /// There is nothing to leave, the arguments do not fit the target's parameters, or the place is in a continue construct that would end
    /// early. Nothing is changed.
    pub fn add_jump(&mut self, at: Cursor, kind: JumpKind, arguments: &[Inst]) -> Result<Fragment, EditError> {
        let opened = self.open_place(at);
        let result = self.cut_by_jump(at, kind, arguments);
        self.close_place(opened);
        result
    }

    fn cut_by_jump(&mut self, at: Cursor, kind: JumpKind, arguments: &[Inst]) -> Result<Fragment, EditError> {
        let (block, inst) = self.place(at)?;
        let inst = inst.ok_or(EditFault::Place.at(block))?;
        let list = self.nest.list(block);
        let (op, mut operands) = self.jump(list, kind).ok_or(EditFault::NothingToLeave.at(inst))?;
        if op != Op::Branch && self.is_in_continue(list) {
            return Err(EditFault::EndsInContinue.at(inst));
        }
        if self.continue_list(list) {
            return Err(EditFault::BackEdge.at(inst));
        }
        self.check_arguments(op, &operands, arguments).map_err(|fault| fault.at(inst))?;
        let last = self.nest.last(list).ok_or(EditFault::Outside.at(block))?;
        let end = self.module.terminator(last).ok_or(EditFault::Outside.at(last))?;
        let range = self.range(Cursor::Before(inst), Cursor::After(end.into()))?;
        if let Some(preheader) = self.single_block_loop(list) {
            self.add_continue(preheader);
            operands = self.jump(list, kind).map_or(operands, |(_, operands)| operands);
        }
        let fragment = self.cut(range);
        operands.extend_from_slice(arguments);
        self.module.edit().append(block, op, None, &operands);
        self.split_header(block);
        self.settle_edge(block);
        self.settle_scope(list);
        Ok(fragment)
    }

    /// Returns whether the list is a continue list itself, conditional exits apart.
    pub(crate) fn continue_list(&self, list: u32) -> bool {
        let mut around = self.nest.around(list).filter(|&(opener, _)| self.terminator_op(opener) != Some(Op::BranchIf));
        around.next().is_some_and(|(_, role)| role == Role::Continue)
    }

    /// The terminator of a jump from a list, without arguments.
    pub(crate) fn jump(&self, list: u32, kind: JumpKind) -> Option<(Op, Vec<Inst>)> {
        let mut around = self.nest.around(list);
        let target = match kind {
            JumpKind::Break | JumpKind::Continue => {
                let (opener, role) = around.find(|(_, role)| matches!(role, Role::Body | Role::Continue))?;
                let open = self.module.terminator(opener).filter(|_| role == Role::Body)?;
                match kind {
                    JumpKind::Break => self.module.merge_block(open)?,
                    _ => self.module.continue_block(open)?,
                }
            }
            JumpKind::LeaveSwitch => {
                let mut around = around.take_while(|(_, role)| !matches!(role, Role::Body | Role::Continue));
                let (opener, _) = around.find(|(_, role)| matches!(role, Role::Case(_)))?;
                self.module.merge_block(self.module.terminator(opener)?)?
            }
            JumpKind::LeaveScope => {
                let (opener, _) = around.find(|&(opener, _)| self.terminator_op(opener) != Some(Op::BranchIf))?;
                self.join_of(opener)?;
                self.module.merge_block(self.module.terminator(opener)?)?
            }
            JumpKind::Return(None) => return Some((Op::Return, Vec::new())),
            JumpKind::Return(Some(value)) => return Some((Op::ReturnValue, vec![value])),
            JumpKind::Kill => return Some((Op::Kill, Vec::new())),
            JumpKind::TerminateInvocation => return Some((Op::TerminateInvocation, Vec::new())),
            JumpKind::Unreachable => return Some((Op::Unreachable, Vec::new())),
        };
        Some((Op::Branch, vec![target.into()]))
    }

    /// Checks that values have the types that a jump passes or the function returns.
    pub(crate) fn check_arguments(&self, op: Op, operands: &[Inst], arguments: &[Inst]) -> Result<(), EditFault> {
        let module = &*self.module;
        let result = module.ty(self.function).filter(|&ty| module.op(ty) != Op::TypeVoid);
        let types = |values: &[Inst]| values.iter().map(|&value| module.ty(value)).collect::<Vec<_>>();
        let fits = match op {
            Op::Branch => {
                let target: Option<Block> = operands.first().and_then(|&target| module.cast(target));
                target.is_some_and(|target| {
                    let expected: Vec<_> = module.parameters(target).map(|parameter| module.ty(parameter)).collect();
                    expected == types(arguments)
                })
            }
            Op::Return => result.is_none() && arguments.is_empty(),
            Op::ReturnValue => result.is_some() && types(operands) == [result] && arguments.is_empty(),
            _ => arguments.is_empty(),
        };
        if fits { Ok(()) } else { Err(EditFault::Arguments) }
    }

    /// Removes the jump that ends a block: its list continues to its natural end, whose parameters get undefined values. The old target
    /// loses an edge with its arguments. A jump that is already the natural end stays.
    ///
    /// ```text
    /// ^a: branch ^exit(%x)      ⇒      ^a: branch ^merge(undef)
    /// ```
    ///
    /// O(1) for each parameter.
    ///
    /// # Errors
    /// The block opens a construct or jumps to the next block of its list, or is in the list of a conditional exit.
    pub fn remove_jump(&mut self, block: Block) -> Result<(), EditError> {
        let spot = self.nest.spot(block).ok_or(EditFault::Outside.at(block))?;
        if self.is_exit_list(spot.list) {
            return Err(EditFault::EdgeOnly.at(block));
        }
        let jump = self.module.terminator(block).filter(|_| spot.next.is_none() && !self.nest.is_opener(block));
        let jump = jump.ok_or(EditFault::NoJump.at(block))?;
        let natural = self.natural(spot.list);
        let is_natural = match natural {
            Natural::To(target) => self.module.op(jump) == Op::Branch && self.module.successors(block).eq([target]),
            Natural::Return => matches!(self.module.op(jump), Op::Return | Op::ReturnValue),
        };
        if !is_natural {
            self.change();
            self.module.edit().delete(jump);
            self.end_as(block, natural);
            self.split_header(block);
            self.settle_edge(block);
            self.settle_scope(spot.list);
        }
        Ok(())
    }

    /// Terminates a block that is last in its list and has no terminator.
    pub(crate) fn end_naturally(&mut self, block: Block) {
        self.end_as(block, self.natural(self.nest.list(block)));
    }

    pub(crate) fn natural(&self, list: u32) -> Natural {
        let mut around = self.nest.around(list).filter(|&(opener, _)| self.terminator_op(opener) != Some(Op::BranchIf));
        let Some((opener, role)) = around.next() else { return Natural::Return };
        let open = self.module.terminator(opener).expect("invariant: a construct has a terminator that opens it");
        let target = match role {
            Role::Then | Role::Else => self.join_of(opener).or_else(|| self.module.merge_block(open)),
            Role::Case(_) | Role::Join => self.module.merge_block(open),
            Role::Body => self.module.continue_block(open),
            Role::Continue => self.module.cast(self.module.operand(open, operand::TARGET)),
        };
        Natural::To(target.expect("invariant: a construct names its blocks"))
    }

    pub(crate) fn end_as(&mut self, block: Block, natural: Natural) {
        match natural {
            Natural::To(target) => {
                let module = &*self.module;
                let types: Vec<Inst> = module.parameters(target).filter_map(|parameter| module.ty(parameter)).collect();
                let mut undefs: FxHashMap<Inst, Inst> = FxHashMap::default();
                let mut operands = vec![target.into()];
                for ty in types {
                    // Requested once: a second request before the first use would treat the value as one that was there unused.
                    operands.push(*undefs.entry(ty).or_insert_with(|| self.undef(ty)));
                }
                self.module.edit().append(block, Op::Branch, None, &operands);
            }
            Natural::Return => {
                let result = self.module.ty(self.function).filter(|&ty| self.module.op(ty) != Op::TypeVoid);
                match result {
                    Some(ty) => {
                        let undef = self.undef(ty);
                        self.module.edit().append(block, Op::ReturnValue, None, &[undef]);
                    }
                    None => {
                        self.module.edit().append(block, Op::Return, None, &[]);
                    }
                }
            }
        }
    }
}
