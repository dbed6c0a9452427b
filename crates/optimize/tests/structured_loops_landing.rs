//! Constructs that the verifier accepts, and that have a control tree only once they are padded: every pass that asks for the tree
//! pads them.

use crate::structured_branches_support::{Pass, after};
use reconverge_optimize::structured::{
    fold_constant_branches, join_equal_jumps, loop_peel, loop_rotate_all, loop_unroll, lower_continue_constructs,
    lower_returns, remove_dead_control_flow,
};

const PASSES: [Pass; 8] = [
    fold_constant_branches,
    loop_rotate_all,
    join_equal_jumps,
    lower_continue_constructs,
    lower_returns,
    loop_peel,
    remove_dead_control_flow,
    loop_unroll,
];

#[test]
fn a_merge_block_may_be_a_loop_header() {
    let source = "func %f: %void (%a: %bool, %n: %u32) stage structured {
         block ^entry:
           if %a ^t ^e merge ^h
         edge ^e:
           branch ^p
         block ^t:
           RECORD %one
           branch ^p
         edge ^p:
           loop ^h(%zero) break ^done continue ^next
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^next ^done
         block ^next:
           RECORD %i
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^done:
           RECORD %ten
           return
         }";
    PASSES.into_iter().for_each(|pass| drop(after(source, pass)));
}

#[test]
fn a_continue_target_may_be_a_loop_header() {
    let source = "func %f: %void (%a: %bool, %n: %u32) stage structured {
         block ^entry:
           loop ^h(%zero) break ^done continue ^g
         block ^h(%i: %u32):
           %more: %bool = u_less_than %i, %three
           branch_if %more ^b ^done
         block ^b:
           RECORD %i
           loop ^g(%zero) break ^k continue ^c
         block ^g(%x: %u32):
           %again: %bool = u_less_than %x, %two
           branch_if %again ^c ^k
         block ^c:
           RECORD %x
           %y: %u32 = i_add %x, %one
           branch ^g(%y)
         block ^k:
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^done:
           RECORD %ten
           return
         }";
    PASSES.into_iter().for_each(|pass| drop(after(source, pass)));
}
