//! Random code by the balanced builder.

use reconverge_control_tree::{EditError, JumpKind, TreeBuilder};
use reconverge_ir::{Function, Inst, Op};
use reconverge_testing::random::Random;

/// What is open.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Then,
    Else,
    Switch(u32),
    Body,
    Continue,
}

/// Writes constructs, jumps and instructions at random, closes what is open, and finishes.
pub(crate) fn build_at_random(mut build: TreeBuilder<'_>, random: &mut Random) -> Result<Function, EditError> {
    let bool_type = build.editor().unique(Op::TypeBool, None, &[]);
    let value = build.editor().unique(Op::ConstantTrue, Some(bool_type), &[]);
    let mut open: Vec<Open> = Vec::new();
    for _ in 0..random.below(14) {
        write(&mut build, value, bool_type, &mut open, random)?;
    }
    while let Some(last) = open.last().copied() {
        close(&mut build, last, &mut open)?;
    }
    build.finish()
}

fn write(
    build: &mut TreeBuilder<'_>,
    value: Inst,
    bool_type: Inst,
    open: &mut Vec<Open>,
    random: &mut Random,
) -> Result<(), EditError> {
    let is_deep = open.len() > 4;
    match random.below(12) {
        0 | 1 => {
            build.emit(Op::LogicalNot, Some(bool_type), &[value]);
        }
        2 if !is_deep => {
            build.push_if(value);
            open.push(Open::Then);
        }
        3 if !is_deep => {
            build.push_loop(&[value, value][..random.below(3)])?;
            open.push(Open::Body);
        }
        4 if !is_deep => {
            build.push_while(&[value], |_, parameters| parameters[0])?;
            open.push(Open::Body);
        }
        5 if !is_deep => {
            let int = build.editor().word(32);
            let sign = build.editor().word(0);
            let int = build.editor().unique(Op::TypeInt, None, &[int, sign]);
            let selector = build.editor().unique(Op::Constant, Some(int), &[sign]);
            build.push_switch(selector);
            let literal = build.editor().word(0);
            build.push_case(&[literal])?;
            open.push(Open::Switch(0));
        }
        6 | 7 => {
            let kinds = [
                JumpKind::Break,
                JumpKind::Continue,
                JumpKind::LeaveSwitch,
                JumpKind::Unreachable,
                JumpKind::Return(None),
            ];
            let kind = *random.choose(&kinds);
            // What does not fit here is refused, and nothing is written.
            let _ = match random.chance(50) {
                true => build.jump(kind, &[]),
                false => build.exit_if(kind, value, &[]),
            };
        }
        _ => {
            if let Some(last) = open.last().copied() {
                close(build, last, open)?;
            }
        }
    }
    Ok(())
}

/// Goes on with the next list of what is open, or closes it.
fn close(build: &mut TreeBuilder<'_>, last: Open, open: &mut Vec<Open>) -> Result<(), EditError> {
    open.pop();
    match last {
        Open::Then => {
            build.push_else()?;
            open.push(Open::Else);
        }
        Open::Else => build.pop_if()?,
        Open::Switch(number @ 0..2) => {
            let literal = build.editor().word(number + 1);
            build.push_case(&[literal])?;
            open.push(Open::Switch(number + 1));
        }
        Open::Switch(_) => build.pop_switch()?,
        Open::Body => {
            build.push_continue()?;
            open.push(Open::Continue);
        }
        Open::Continue => build.pop_loop()?,
    }
    Ok(())
}
