//! Repair: removes statements that are invalid at their place.
//!
//! Generating and shrinking may create a `break` outside a loop, a statement after one that never continues, or a return in a continue
//! construct. After the repair every program can be lowered to valid structured control flow, and terminates.

use super::program::{COMPLETE, Form, Latch, Leave, List, Loop, Program, Rest, Statement, Switch};

/// The context of a list.
#[derive(Clone, Copy)]
struct Around {
    /// The body of a loop.
    in_loop: bool,
    /// A switch, with no loop in between.
    in_switch: bool,
    /// The arm of a selection, directly.
    in_arm: bool,
    /// A continue construct: it has no exits, and every merge block in it is reachable, since the latch post-dominates it.
    in_continue: bool,
}

const NOTHING: Around = Around { in_loop: false, in_switch: false, in_arm: false, in_continue: false };

/// Repairs a program and numbers its records in order. Linear.
pub fn repair(program: &mut Program) {
    let mut point = 0;
    for procedure in &mut program.procedures {
        repair_list(&mut procedure.body, NOTHING);
        number(&mut procedure.body, &mut point);
    }
}

fn number(list: &mut List, point: &mut u32) {
    for statement in list {
        if let Statement::Record { point: own, .. } = statement {
            *own = *point;
            *point += 1;
        }
        statement.lists_mut().for_each(|list| number(list, point));
    }
}

/// Repairs a list. Returns whether control reaches its end.
fn repair_list(list: &mut List, around: Around) -> bool {
    list.retain(|statement| match statement {
        Statement::Leave(leave) => is_meant(leave, around),
        _ => true,
    });
    for index in 0..list.len() {
        if !repair_statement(&mut list[index], around) {
            list.truncate(index + 1);
            return false;
        }
    }
    true
}

fn is_meant(leave: &Leave, around: Around) -> bool {
    match leave {
        // Only a conditional exit can do that; it is checked with its selection.
        Leave::Selection => false,
        Leave::Switch => around.in_switch,
        Leave::Loop | Leave::Continue => around.in_loop,
        Leave::Return(_) | Leave::Kill => !around.in_continue,
    }
}

/// Repairs a statement. Returns whether control continues after it.
fn repair_statement(statement: &mut Statement, around: Around) -> bool {
    match statement {
        Statement::Leave(_) => false,
        Statement::If(selection) => {
            if selection.form != Form::Merge && is_selection_exit(&selection.then, &selection.otherwise) {
                if around.in_arm {
                    return true;
                }
                selection.then.clear();
            }
            let arm = Around { in_arm: true, ..around };
            let then_goes_on = repair_list(&mut selection.then, arm);
            let otherwise_goes_on = selection.otherwise.as_mut().is_none_or(|otherwise| repair_list(otherwise, arm));
            let goes_on = then_goes_on || otherwise_goes_on;
            if !goes_on && around.in_continue {
                selection.otherwise = None;
            }
            if !is_exit(&selection.then, &selection.otherwise) {
                selection.form = Form::Merge;
            }
            goes_on || around.in_continue
        }
        Statement::Switch(switch) => repair_switch(switch, around),
        Statement::Loop(repeated) => repair_loop(repeated, around),
        _ => true,
    }
}

fn is_selection_exit(then: &List, otherwise: &Option<List>) -> bool {
    otherwise.is_none() && matches!(then[..], [Statement::Leave(Leave::Selection)])
}

/// Returns whether a selection can be a conditional exit: its arms only leave, to different places.
fn is_exit(then: &List, otherwise: &Option<List>) -> bool {
    let target = |list: &List| match &list[..] {
        [Statement::Leave(leave @ (Leave::Selection | Leave::Switch | Leave::Loop | Leave::Continue))] => {
            Some(leave.clone())
        }
        _ => None,
    };
    match (target(then), otherwise) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(leave), Some(otherwise)) => target(otherwise).is_some_and(|other| other != leave),
    }
}

fn repair_switch(switch: &mut Switch, around: Around) -> bool {
    let mut labels = Vec::new();
    let mut has_default = false;
    for case in &mut switch.cases {
        case.is_default &= !has_default;
        has_default |= case.is_default;
        case.labels.retain(|label| !labels.contains(label));
        labels.extend(&case.labels);
    }
    switch.cases.retain(|case| case.is_default || !case.labels.is_empty());
    let inside = Around { in_switch: true, in_arm: false, ..around };
    // In a continue construct every path reaches the latch.
    if has_default || around.in_continue || !(0..COMPLETE).all(|label| labels.contains(&label)) {
        switch.rest = Rest::End;
    }
    let mut goes_on = !has_default && switch.rest == Rest::End;
    let last = switch.cases.len().saturating_sub(1);
    for (index, case) in switch.cases.iter_mut().enumerate() {
        let ends = repair_list(&mut case.body, inside);
        case.falls &= index < last && ends;
        goes_on |= (ends && !case.falls) || leaves(&case.body, &Leave::Switch);
    }
    if !goes_on && around.in_continue {
        switch.cases.iter_mut().for_each(|case| case.is_default = false);
        switch.cases.retain(|case| !case.labels.is_empty());
        if let Some(last) = switch.cases.last_mut() {
            last.falls = false;
        }
        return true;
    }
    goes_on
}

fn repair_loop(repeated: &mut Loop, around: Around) -> bool {
    if repeated.guard.is_none() && repeated.latch == Latch::Always {
        repeated.latch = Latch::While;
    }
    repeated.head.retain(Statement::is_straight);
    let body = Around { in_loop: true, in_switch: false, in_arm: false, in_continue: around.in_continue };
    if let Some(guard) = &mut repeated.guard {
        guard.code.retain(|statement| !matches!(statement, Statement::Leave(_)));
        if !repair_list(&mut guard.code, Around { in_loop: false, ..body }) {
            guard.code.clear();
        }
        if !guard.code.is_empty() {
            guard.form = Form::Merge;
        }
    }
    let reaches_latch = repair_list(&mut repeated.body, body) || leaves(&repeated.body, &Leave::Continue);
    repair_list(&mut repeated.continue_list, Around { in_continue: true, ..NOTHING });
    repeated.is_single_block &=
        repeated.guard.is_none() && repeated.continue_list.iter().chain(&repeated.body).all(Statement::is_straight);
    let leaves_at_latch = reaches_latch && repeated.latch != Latch::Always;
    repeated.guard.is_some() || leaves_at_latch || leaves(&repeated.body, &Leave::Loop)
}

/// Returns whether a list contains an exit of the enclosing construct, without the exits of inner constructs.
fn leaves(list: &List, way: &Leave) -> bool {
    list.iter().any(|statement| match statement {
        Statement::Leave(leave) => leave == way,
        Statement::Loop(_) => false,
        Statement::Switch(_) if *way == Leave::Switch => false,
        _ => statement.lists().any(|list| leaves(list, way)),
    })
}
