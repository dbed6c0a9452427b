//! Selections, switches and exits.

use reconverge_ir::{Block, Inst, Position};
use spirv::SelectionControl;

use super::super::program::{COMPLETE, Form, If, Leave, List, Rest, Statement, Switch};
use super::joins::{Join, JoinKind, Scope};
use super::procedure::ProcedureWriter;

impl ProcedureWriter<'_, '_> {
    pub(super) fn selection(&mut self, selection: &If) {
        let condition = self.values().condition(&selection.condition);
        match selection.form {
            Form::Merge => self.selection_with_merge(selection, condition),
            Form::Exit => self.conditional_exit(selection, condition),
            Form::InvertedExit => {
                let inverted = self.build.logical_not(self.shared.words.bool_type, &[condition]);
                self.conditional_exit(selection, inverted);
            }
        }
    }

    /// ```text
    /// if %c ^then ^otherwise merge ^m
    /// ```
    /// An arm without statements is an edge.
    pub(super) fn selection_with_merge(&mut self, selection: &If, condition: Inst) {
        let header = self.branching_block();
        let merge = self.join();
        self.scopes.push(Scope { kind: JoinKind::Selection, merge, next: None });
        let before = self.locals.clone();
        let then = self.open_arm(Some(&selection.then));
        if let Some(block) = then.1 {
            self.enter(block);
            self.list(&selection.then);
            self.end_arm();
        }
        self.locals.clone_from(&before);
        let otherwise = self.open_arm(selection.otherwise.as_ref());
        if let (Some(block), Some(list)) = (otherwise.1, &selection.otherwise) {
            self.enter(block);
            self.list(list);
            self.end_arm();
        }
        let scope = self.scopes.pop().expect("invariant: the scope was pushed");
        self.build.at_end(header);
        let control = self.build.enumerant(SelectionControl::NONE);
        self.build.r#if(&[condition, then.0, otherwise.0, scope.merge.block.into(), control]);
        self.locals = before;
        self.place(scope.merge, selection.carry);
    }

    /// The block for a terminator that a loop header cannot have: the current one, or a new one after it if it is a loop header.
    fn branching_block(&mut self) -> Block {
        if self.is_header {
            let header = self.current.expect("invariant: control is here");
            let block = self.start_block();
            self.build.at_end(header);
            self.build.branch(&[block.into()]);
            self.build.at_end(block);
        }
        self.current.expect("invariant: control is here")
    }

    /// The target for an arm: a new current block, or an edge to the merge block of the innermost scope.
    fn open_arm(&mut self, list: Option<&List>) -> (Inst, Option<Block>) {
        match list {
            Some(list) if !list.is_empty() => {
                let block = self.build.add_block(self.function);
                (block.into(), Some(block))
            }
            _ => {
                let mut scope = self.scopes.pop().expect("invariant: an arm has a scope");
                let edge = self.edge_to(&mut scope.merge);
                self.scopes.push(scope);
                (edge.into(), None)
            }
        }
    }

    /// Ends an arm with a jump to the merge block of the innermost scope.
    fn end_arm(&mut self) {
        let mut scope = self.scopes.pop().expect("invariant: an arm has a scope");
        self.go_to(&mut scope.merge);
        self.scopes.push(scope);
    }

    /// ```text
    /// branch_if %c ^edge ^next        edge ^edge: branch ^merge block or continue target
    /// ```
    pub(super) fn conditional_exit(&mut self, selection: &If, condition: Inst) {
        let header = self.current.expect("invariant: control is here");
        let leave = only_leave(&selection.then).expect("invariant: a repaired exit only leaves");
        let out = self.edge_out(leave);
        let other = match &selection.otherwise {
            Some(otherwise) => {
                let leave = only_leave(otherwise).expect("invariant: a repaired exit only leaves");
                self.current = None;
                self.edge_out(leave)
            }
            None => self.start_block(),
        };
        let mut targets = [out.into(), other.into()];
        if selection.form == Form::InvertedExit {
            targets.reverse();
        }
        self.build.at_end(header);
        self.build.branch_if(&[condition, targets[0], targets[1]]);
        if let Some(current) = self.current {
            self.build.at_end(current);
        }
    }

    /// Cases with fall-through are joins of an edge from the header and the end of the case before.
    pub(super) fn switch(&mut self, switch: &Switch) {
        let selector = self.selector(switch);
        let header = self.branching_block();
        let merge = self.join();
        self.scopes.push(Scope { kind: JoinKind::Switch, merge, next: None });
        let before = self.locals.clone();
        let mut default = None;
        let mut operands = Vec::new();
        let mut fallen: Option<Join> = None;
        for case in &switch.cases {
            self.locals.clone_from(&before);
            let target = match fallen.take() {
                Some(mut join) => {
                    let edge = self.edge_to(&mut join);
                    self.place(join, switch.carry);
                    edge.into()
                }
                None if case.falls => self.start_block().into(),
                None => {
                    let (target, block) = self.open_arm(Some(&case.body));
                    self.current = None;
                    if let Some(block) = block {
                        self.enter(block);
                    }
                    target
                }
            };
            for &label in &case.labels {
                operands.extend([self.build.editor().word(label), target]);
            }
            default = if case.is_default { Some(target) } else { default };
            self.list(&case.body);
            if case.falls {
                let locals = std::mem::replace(&mut self.locals, before.clone());
                let mut join = self.join();
                self.locals = locals;
                self.go_to(&mut join);
                fallen = Some(join);
            } else {
                self.end_arm();
            }
        }
        self.locals.clone_from(&before);
        let default = match default {
            Some(default) => default,
            None if switch.rest == Rest::Nowhere => self.dead_end().into(),
            None => self.open_arm(None).0,
        };
        self.finish_switch(header, selector, default, &operands);
        self.locals = before;
        let scope = self.scopes.pop().expect("invariant: the scope was pushed");
        self.place(scope.merge, switch.carry);
    }

    fn selector(&mut self, switch: &Switch) -> Inst {
        let selector = self.expression(&switch.selector);
        if switch.rest == Rest::End {
            return selector;
        }
        let u32_type = self.shared.words.u32_type;
        let mask = self.build.constant_word(u32_type, COMPLETE - 1);
        self.build.bitwise_and(u32_type, &[selector, mask])
    }

    /// An unreachable block.
    fn dead_end(&mut self) -> Block {
        let block = self.build.add_block(self.function);
        self.build.at_end(block);
        self.build.unreachable(&[]);
        block
    }

    fn finish_switch(&mut self, header: Block, selector: Inst, default: Inst, cases: &[Inst]) {
        let merge = &self.scopes.last().expect("invariant: the switch is open").merge;
        let mut operands = vec![selector, default, merge.block.into()];
        self.build.at_end(header);
        operands.push(self.build.enumerant(SelectionControl::NONE));
        operands.extend(cases);
        self.build.structured_switch(&operands);
    }

    pub(super) fn leave(&mut self, leave: &Leave) {
        match leave {
            Leave::Return(value) => {
                self.branching_block();
                let value = self.expression(value);
                self.build.return_value(&[value]);
            }
            Leave::Kill => {
                self.branching_block();
                self.build.kill(&[]);
            }
            _ => {
                let block = self.current.expect("invariant: control is here");
                self.way_out(leave, block);
            }
        }
        self.current = None;
    }

    /// Moves a block to the end of the function.
    pub(super) fn place_block(&mut self, block: Block) {
        self.build.editor().move_to(block, Position::AtEnd(self.function.into()));
    }
}

fn only_leave(list: &List) -> Option<&Leave> {
    match &list[..] {
        [Statement::Leave(leave)] => Some(leave),
        _ => None,
    }
}
