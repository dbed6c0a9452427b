//! In HLSL before 6.0, `continue` in a `switch` as a flag: its compiler refuses that (error X3708).
//!
//! ```text
//! for (…) {                              for (…) {
//!     switch (x) {                           bool again = false;
//!         case 0:                            switch (x) {
//!             a; continue;                       case 0:
//!     }                          ⇒                   a; again = true; break;
//!     b                                      }
//! }                                          if (again) { continue; }
//!                                            b
//!                                        }
//! ```
//!
//! Takes time proportional to the function and to the depth of its lists.

use std::mem::take;

use super::Context;
use crate::syntax::{Block, Expr, Local, LocalId, LocalKind, Scalar, Statement, StatementKind, has_continue};

/// Converts the `switch` statements in a list, inner ones first.
pub(super) fn lower_continues(list: &mut Block, context: &mut Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            lower_continues(inner, context);
        }
        let StatementKind::Switch { cases, .. } = &mut statement.kind else {
            list.push(statement);
            continue;
        };
        if !cases.iter().any(|case| has_continue(&case.body)) {
            list.push(statement);
            continue;
        }
        let ty = context.types.numbers(Scalar::BOOL, 1);
        context.locals.push(Local { name: Some("again".to_owned()), ty, kind: LocalKind::Variable, prefix: "" });
        let flag = LocalId(context.locals.len() as u32 - 1);
        let value = Some(context.boolean(false));
        for case in cases {
            break_instead(&mut case.body, flag, context);
        }
        list.push(StatementKind::Declare { local: flag, value }.into());
        list.push(statement);
        let condition: Expr = context.name(flag);
        let accept = vec![StatementKind::Continue.into()];
        list.push(StatementKind::If { condition, accept, reject: Block::new() }.into());
    }
}

/// Sets the flag and leaves the `switch` in place of each `continue` for the loop around it.
fn break_instead(list: &mut Block, flag: LocalId, context: &mut Context<'_>) {
    for mut statement in take(list) {
        match statement.kind {
            StatementKind::Continue => {
                let (target, value) = (context.name(flag), context.boolean(true));
                list.push(StatementKind::Assign { target, operator: None, value }.into());
                list.push(Statement { kind: StatementKind::Break, ..statement });
                continue;
            }
            StatementKind::Loop(_) => {}
            _ => {
                for inner in statement.blocks_mut() {
                    break_instead(inner, flag, context);
                }
            }
        }
        list.push(statement);
    }
}
