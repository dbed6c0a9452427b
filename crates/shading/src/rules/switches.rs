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

use super::{Context, jump_on};
use crate::syntax::{Block, LocalId, Statement, StatementKind, has_continue};

/// Converts the `switch` statements in a list, inner ones first.
pub(super) fn lower_continues(list: &mut Block, context: &mut Context<'_>) {
    for mut statement in take(list) {
        for inner in statement.blocks_mut() {
            lower_continues(inner, context);
        }
        let mut again = None;
        if let StatementKind::Switch { cases, .. } = &mut statement.kind
            && cases.iter().any(|case| has_continue(&case.body))
        {
            let value = context.boolean(false);
            let flag = context.add_flag("again", value, list);
            for case in cases {
                break_instead(&mut case.body, flag, context);
            }
            again = Some(jump_on(context.name(flag), StatementKind::Continue));
        }
        list.push(statement);
        list.extend(again);
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
