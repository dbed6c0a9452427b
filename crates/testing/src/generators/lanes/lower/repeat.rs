//! Loops.

use reconverge_ir::{Block, Inst};
use spirv::LoopControl;

use super::super::program::{
    Assignable, Binary, Carry, Condition, Expression, Form, Guard, Hint, If, Latch, Leave, List, Loop, Statement, TRIPS,
};
use super::super::value::Local;
use super::Outside;
use super::joins::{Join, JoinKind, Scope};
use super::procedure::ProcedureWriter;

/// The beginning of a loop.
struct Opening {
    /// The numbers of the locals for which the header has parameters.
    carried: Vec<usize>,
    is_single_block: bool,
    limit: Inst,
    hint: Hint,
}

/// A loop that is being written.
struct Open {
    header: Block,
    /// The parameters of the header: numbers of variables.
    carried: Vec<usize>,
    limit: Inst,
    /// The values of the variables at the header.
    locals: Vec<Local>,
}

impl ProcedureWriter<'_, '_> {
    /// ```text
    /// current:  loop ^header(…) break ^break continue ^next
    /// header:   head; guard; body              ──▶ next
    /// next:     its list; counter + 1; latch ──▶ header, break
    /// ```
    pub(super) fn repeat(&mut self, repeated: &Loop, statement: &Statement) {
        let mask = TRIPS - 1;
        let limit = match &repeated.trips {
            Expression::Constant(trips) => Expression::Constant(trips & mask),
            trips => Expression::Binary(Binary::And, Box::new((trips.clone(), Expression::Constant(mask)))),
        };
        let limit = self.expression(&limit);
        let exit = self.join();
        self.locals.push(Local::Value(self.shared.words.zero));
        let carried = self.carried(repeated);
        let never = self.lanes.filter(|_| assigns(statement)).map(|lanes| self.never(lanes));
        let is_single_block = repeated.is_single_block && never.is_none();
        let open = self.open_loop(Opening { carried, is_single_block, limit, hint: repeated.hint }, exit);
        if let Some(never) = never {
            self.exit_never(never);
        }
        if is_single_block {
            self.list(&repeated.head);
            self.list(&repeated.body);
            self.list(&repeated.continue_list);
            self.close_loop(&open, repeated.latch);
        } else {
            self.list(&repeated.head);
            if let Some(guard) = &repeated.guard {
                self.guard(guard, limit, &repeated.body);
            }
            self.list(&repeated.body);
            let mut next =
                self.scopes.last_mut().and_then(|scope| scope.next.take()).expect("invariant: a loop is open");
            self.go_to(&mut next);
            let is_reached = next.has_ways();
            self.place_next(next, repeated.carry, &open);
            self.list(&repeated.continue_list);
            self.close_loop(&open, if is_reached { repeated.latch } else { Latch::Always });
        }
        let scope = self.scopes.pop().expect("invariant: the scope was pushed");
        self.place(scope.merge, repeated.carry);
    }

    /// Writes the jump into a loop, and continues in its header.
    fn open_loop(&mut self, opening: Opening, exit: Join) -> Open {
        let Opening { carried, is_single_block, limit, hint } = opening;
        let preheader = self.current.expect("invariant: control is here");
        let header = self.start_block();
        let next = (!is_single_block).then(|| self.join());
        let next_block = next.as_ref().map_or(header, |next| next.block);
        self.build.at_end(preheader);
        let control = self.control(hint);
        let mut operands: Vec<Inst> = vec![header.into(), exit.block.into(), next_block.into(), control];
        for &index in &carried {
            let Local::Value(value) = self.locals[index] else {
                unreachable!("only values are carried");
            };
            operands.push(value);
            let parameter = self.build.add_parameter(header, self.shared.words.u32_type);
            self.locals[index] = Local::Value(parameter.into());
        }
        self.build.r#loop(&operands);
        self.enter(header);
        self.is_header = true;
        self.scopes.push(Scope { kind: JoinKind::Loop, merge: exit, next });
        Open { header, carried, limit, locals: self.locals.clone() }
    }

    /// A condition that is never true. It differs for each loop; otherwise an inner loop could use that of the outer loop.
    fn never(&mut self, lanes: Inst) -> Inst {
        self.loops += 1;
        let number = self.build.constant_word(self.shared.words.u32_type, self.loops);
        self.build.i_equal(self.shared.words.bool_type, &[lanes, number])
    }

    /// An exit of the header that is never taken. So values of the loop leave it through parameters of the break block: for other values
    /// from memory or from other lanes, lavapipe and SwiftShader give lanes that left earlier wrong results.
    fn exit_never(&mut self, never: Inst) {
        let selection = If {
            condition: Condition::Constant(false),
            then: vec![Statement::Leave(Leave::Loop)],
            otherwise: None,
            form: Form::Exit,
            carry: Carry::Needed,
        };
        self.conditional_exit(&selection, never);
    }

    /// The parameters of a loop's header: the variables that the loop assigns, the counter included, or all.
    fn carried(&self, repeated: &Loop) -> Vec<usize> {
        let mut is_assigned = vec![repeated.carry == Carry::All; self.locals.len()];
        *is_assigned.last_mut().expect("invariant: a loop has a counter") = true;
        for list in [&repeated.head, &repeated.body, &repeated.continue_list] {
            mark_assigned(list, &mut is_assigned);
        }
        if let Some(guard) = &repeated.guard {
            mark_assigned(&guard.code, &mut is_assigned);
        }
        let is_value = |&index: &usize| matches!(self.locals[index], Local::Value(_));
        (0..self.locals.len()).filter(|&index| is_assigned[index]).filter(is_value).collect()
    }

    fn is_done(&mut self, limit: Inst) -> Inst {
        let Some(Local::Value(counter)) = self.locals.last().copied() else {
            unreachable!("a loop has a counter");
        };
        self.build.u_greater_than_equal(self.shared.words.bool_type, &[counter, limit])
    }

    /// The exit at the top: a conditional exit, or a selection with code that leaving lanes execute first. Without a body, the other edge
    /// of a conditional exit leads directly to the next iteration.
    fn guard(&mut self, guard: &Guard, limit: Inst, body: &[Statement]) {
        let is_done = self.is_done(limit);
        let leave = |leave| vec![Statement::Leave(leave)];
        let mut then = guard.code.clone();
        then.push(Statement::Leave(Leave::Loop));
        let is_direct = guard.form != Form::Merge && body.is_empty();
        let selection = If {
            condition: Condition::Constant(true),
            then,
            otherwise: is_direct.then(|| leave(Leave::Continue)),
            form: guard.form,
            carry: Carry::Needed,
        };
        match guard.form {
            Form::Merge => self.selection_with_merge(&selection, is_done),
            Form::Exit => self.conditional_exit(&selection, is_done),
            Form::InvertedExit => {
                let goes_on = self.build.logical_not(self.shared.words.bool_type, &[is_done]);
                self.conditional_exit(&selection, goes_on);
            }
        }
    }

    /// The loop control. A shader has none: PeelCount requires SPIR-V 1.4.
    fn control(&mut self, hint: Hint) -> Inst {
        let is_shader = self.shared.outside != Outside::Calls;
        let editor = self.build.editor();
        match hint {
            _ if is_shader => editor.enumerant(LoopControl::NONE),
            Hint::Silent => editor.enumerant(LoopControl::NONE),
            Hint::Unroll => editor.enumerant(LoopControl::UNROLL),
            Hint::DontUnroll => editor.enumerant(LoopControl::DONT_UNROLL),
            Hint::Peel(count) => editor.literal(&[LoopControl::PEEL_COUNT.bits(), count]),
        }
    }

    /// Continues in the continue target. If it is unreachable, the variables have the values of the header.
    fn place_next(&mut self, next: Join, carry: Carry, open: &Open) {
        self.place_block(next.block);
        match next.has_ways() {
            true => self.fill(next, carry),
            false => {
                self.locals.clone_from(&open.locals);
                self.enter(next.block);
            }
        }
    }

    /// Emits the latch.
    fn close_loop(&mut self, open: &Open, latch: Latch) {
        let Some(Local::Value(counter)) = self.locals.last().copied() else {
            unreachable!("a loop has a counter");
        };
        let one = self.build.constant_word(self.shared.words.u32_type, 1);
        let next = self.build.i_add(self.shared.words.u32_type, &[counter, one]);
        *self.locals.last_mut().expect("invariant: a loop has a counter") = Local::Value(next);
        let mut arguments: Vec<Inst> = vec![open.header.into()];
        arguments.extend(open.carried.iter().map(|&index| match self.locals[index] {
            Local::Value(value) => value,
            Local::Pointer(_) => unreachable!("only values are carried"),
        }));
        if latch == Latch::Always {
            self.build.branch(&arguments);
            self.current = None;
            return;
        }
        let is_done = self.is_done(open.limit);
        let bool_type = self.shared.words.bool_type;
        let condition = if latch == Latch::While { self.build.logical_not(bool_type, &[is_done]) } else { is_done };
        let last = self.current.take().expect("invariant: control is here");
        let back = self.edge_block();
        self.build.at_end(back);
        self.build.branch(&arguments);
        let out = self.edge_out(&Leave::Loop);
        let targets = if latch == Latch::While { [back, out] } else { [out, back] };
        self.build.at_end(last);
        self.build.branch_if(&[condition, targets[0].into(), targets[1].into()]);
    }
}

/// Returns whether a statement contains an assignment.
fn assigns(statement: &Statement) -> bool {
    matches!(statement, Statement::Assign { .. } | Statement::Call { .. } | Statement::Exchange { .. })
        || statement.lists().flatten().any(assigns)
}

fn mark_assigned(list: &List, is_assigned: &mut [bool]) {
    for statement in list {
        match statement {
            Statement::Assign { place: Assignable::Local(index), .. }
            | Statement::Call { result: Assignable::Local(index), .. }
            | Statement::Exchange { place: Assignable::Local(index) } => is_assigned[*index] = true,
            _ => statement.lists().for_each(|list| mark_assigned(list, is_assigned)),
        }
    }
}
