//! Values that became one, and copies: what a claim says is held by its consequences.

use reconverge_ir::{Block, Inst, Module, Position};
use reconverge_verify::{Claims, Code};

use super::{To, codes, find, move_to, program};

/// Replaces all uses of one value by another.
fn rename(module: &mut Module, gone: &str, standing: &str) -> (Inst, Inst) {
    let (gone, standing) = (find(module, gone), find(module, standing));
    module.edit().replace_all_uses(gone, standing);
    (gone, standing)
}

/// Replaces all uses of one value by another, and takes it out.
fn replace(module: &mut Module, gone: &str, standing: &str) -> (Inst, Inst) {
    let claim = rename(module, gone, standing);
    module.edit().delete(claim.0);
    claim
}

/// Checks what is found where one value takes the place of another, and a claim says so.
#[track_caller]
fn check_claims(before: &Module, rows: &[(&str, &str, &[Code])], merge: fn(&mut Module, &str, &str) -> (Inst, Inst)) {
    for &(gone, standing, expected) in rows {
        let mut after = before.clone();
        let claims = Claims { replaced: vec![merge(&mut after, gone, standing)], ..Claims::default() };
        assert_eq!(codes(before, &after, &claims), expected, "{gone} by {standing}");
    }
}

#[test]
fn values_that_became_one_are_held_by_their_claims() {
    let rows: [(&str, &str, &[Code]); 8] = [
        ("swapped", "sum", &[]),
        ("other", "sum", &[Code::C3]),
        ("more", "less", &[Code::C3]),
        ("n_again", "k", &[]),
        ("n_again", "n", &[Code::C3, Code::C5]),
        ("loaded", "sum", &[]),
        ("loaded", "n", &[Code::C5]),
        ("swapped", "one", &[Code::C3]),
    ];
    for (gone, standing, expected) in rows {
        let before = program("common");
        let mut after = before.clone();
        let claim = replace(&mut after, gone, standing);
        let claims = Claims { replaced: vec![claim], ..Claims::default() };
        assert_eq!(codes(&before, &after, &claims), expected, "{gone} by {standing}");
        let silent = codes(&before, &after, &Claims::default());
        assert!(!silent.is_empty(), "{gone} by {standing} without a claim");
    }
}

#[test]
fn parameters_of_a_loop_become_one() {
    let before = program("common");
    let rename_all = |after: &mut Module, pairs: &[(&str, &str)]| -> Vec<(Inst, Inst)> {
        pairs.iter().map(|(gone, standing)| rename(after, gone, standing)).collect()
    };
    let mut after = before.clone();
    let replaced = rename_all(&mut after, &[("j", "i"), ("r", "s")]);
    after.edit().delete(replaced[1].0);
    assert_eq!(codes(&before, &after, &Claims { replaced, ..Claims::default() }), []);

    // The sums that they are given next need no claim of their own.
    let mut after = before.clone();
    let replaced = rename_all(&mut after, &[("j", "i")]);
    assert_eq!(codes(&before, &after, &Claims { replaced, ..Claims::default() }), []);

    // A parameter that is always given one value.
    let mut after = before.clone();
    let replaced = rename_all(&mut after, &[("l", "k")]);
    assert_eq!(codes(&before, &after, &Claims { replaced, ..Claims::default() }), []);
    let mut after = before.clone();
    let replaced = rename_all(&mut after, &[("l", "n")]);
    assert_eq!(codes(&before, &after, &Claims { replaced, ..Claims::default() }), [Code::C3]);
}

#[test]
fn parameters_go_in_step_through_equal_operations() {
    let before = program("steps");
    let rows: [(&str, &str, &[Code]); 7] = [
        ("same", "i", &[]),
        ("swapped", "same", &[]),
        // The operands of a difference do not change places; another operation; two loads; undefined; a value and an operation.
        ("other", "i", &[Code::C3]),
        ("added", "i", &[Code::C3]),
        ("again_read", "read", &[Code::C3]),
        ("nothing_too", "nothing", &[Code::C3]),
        ("i", "n", &[Code::C3]),
    ];
    check_claims(&before, &rows, rename);
}

#[test]
fn a_parameter_stands_for_what_it_is_given_on_every_way() {
    let before = program("join");
    let rows: [(&str, &str, &[Code]); 8] = [
        // Of sums of their own that nothing says are one; a sum on one of the ways.
        ("squared", "square", &[]),
        ("squared", "double", &[Code::C3]),
        ("once_more", "given", &[]),
        ("once_more", "mixed", &[]),
        ("once_more", "around", &[]),
        // Given something else by the way back; another sum in each iteration; another operation.
        ("once_more", "other", &[Code::C3]),
        ("changing", "around", &[Code::C3]),
        ("d", "given", &[Code::C3]),
    ];
    check_claims(&before, &rows, replace);
}

#[test]
fn a_parameter_stands_for_what_was_read_on_every_way_while_nothing_is_written() {
    let before = program("read_twice");
    let rows: [(&str, &str, &[Code]); 6] = [
        ("twice_m", "twice", &[]),
        ("double_m", "double", &[Code::C3]),
        ("x_m", "given_x", &[]),
        ("x_m", "given_y", &[Code::C3]),
        ("y_m", "given_y", &[Code::C3]),
        ("p_m", "given_p", &[Code::C3]),
    ];
    check_claims(&before, &rows, replace);
}

#[test]
fn two_arms_may_become_one() {
    let before = program("common");
    let mut after = before.clone();
    let claim = replace(&mut after, "in_o", "in_t");
    let claims = Claims { replaced: vec![claim], ..Claims::default() };
    // The one that is left stands in an arm that the other was not in.
    move_to(&mut after, "in_t", &To::End("e"));
    assert_eq!(codes(&before, &after, &claims), []);
    move_to(&mut after, "in_t", &To::Start("h"));
    assert_eq!(codes(&before, &after, &claims), [Code::C4]);
}

#[test]
fn copies_are_held_like_what_they_were_copied_from() {
    let before = program("diamond");
    let copy = |after: &mut Module, name: &str, block: &str| {
        let source = find(after, name);
        let block: Block = after.cast(find(after, block)).unwrap();
        let before = Position::Before(after.terminator(block).unwrap().into());
        let operands: Vec<Inst> = after.operands(source).collect();
        let (op, ty) = (after.op(source), after.ty(source));
        (after.edit().insert(before, op, ty, &operands), source)
    };
    let rows: [(&str, &str, &[Code]); 4] =
        [("n", "o", &[]), ("n", "t", &[Code::C5]), ("sum", "e", &[]), ("by_n", "e", &[Code::C4])];
    for (name, block, expected) in rows {
        let mut after = before.clone();
        let copies = vec![copy(&mut after, name, block)];
        assert_eq!(codes(&before, &after, &Claims { copies, ..Claims::default() }), expected, "{name} in {block}");
        assert_eq!(codes(&before, &after, &Claims::default()), [Code::C3]);
    }
}
