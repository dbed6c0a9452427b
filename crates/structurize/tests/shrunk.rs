//! Graphs on which the torture ladder once found a fault, made as small as they could be: each under ordinary and odd options.

use crate::common::{Lists, verify};
use reconverge_structurize::Options;

fn hold(lists: &[&[usize]]) {
    let lists: Vec<Vec<usize>> = lists.iter().map(|list| list.to_vec()).collect();
    for (nesting_limit, chain_limit) in [(64, 6), (0, 6), (3, 2), (7, 0), (64, 0)] {
        verify(&Lists::new(&lists), &Options::new().nesting_limit(nesting_limit).chain_limit(chain_limit));
    }
}

#[test]
fn a_join_of_arms_inside_the_arm_of_a_join() {
    hold(&[&[1, 3], &[2], &[3, 4], &[], &[6, 5], &[6, 7], &[7], &[]]);
    hold(&[&[1], &[4, 2], &[3], &[4, 5], &[], &[7, 6], &[7, 8], &[8], &[]]);
    hold(&[&[1], &[2, 4], &[3], &[5, 4], &[], &[6, 5], &[8, 7], &[8, 9], &[9], &[]]);
}

#[test]
fn a_join_of_arms_behind_one_that_leaves() {
    hold(&[&[1], &[3, 2], &[], &[4], &[2, 5], &[6, 9], &[8, 7], &[8, 9], &[], &[]]);
    hold(&[&[1], &[3, 2], &[], &[4], &[5, 2], &[7, 6], &[8], &[8, 6], &[]]);
    hold(&[&[1], &[2, 4], &[3], &[4, 5], &[1], &[6, 7], &[], &[9, 8], &[10, 9], &[10], &[1]]);
}
