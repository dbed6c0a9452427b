//! Scopes: the two ways of an `if` meet before its merge block.

use reconverge_control_tree::{
    ConstructKind, ControlTree, Cursor, EditFault, Jump, JumpKind, Node, Role, TreeBuilder, TreeEditor,
};
use reconverge_ir::text::print;
use reconverge_ir::{Block, Copies, Inst, Op};

use super::support::{Sample, block, drawn, hold, reinsert};

/// A scope in a loop. One way may leave it early, and what stands from the join on holds a selection.
const SCOPE: &str = "
block ^entry:
  loop ^header(%n) break ^done continue ^next
block ^header(%i: %u32):
  branch_if %c ^body ^exit
edge ^exit:
  branch ^done(%i)
block ^body:
  if %c ^then ^else merge ^end
block ^then:
  %t: %u32 = i_add %i, %one
  branch_if %c ^leave ^stay
edge ^leave:
  branch ^end(%t)
edge ^stay:
  branch ^join(%t)
block ^else:
  %e: %u32 = i_mul %i, %i
  branch ^join(%e)
block ^join(%j: %u32):
  %k: %u32 = i_add %j, %one
  if %c ^yes_way ^no_way merge ^after
edge ^yes_way:
  branch ^after
edge ^no_way:
  branch ^after
block ^after:
  %l: %u32 = i_add %k, %one
  branch ^end(%l)
block ^end(%m: %u32):
  branch ^next(%m)
block ^next(%o: %u32):
  branch ^header(%o)
block ^done(%r: %u32):
  return_value %r
";

fn sample() -> Sample {
    Sample::new(SCOPE)
}

fn scopes(tree: &ControlTree) -> usize {
    tree.constructs().filter(|construct| construct.kind == ConstructKind::Scope).count()
}

fn drawn_now(editor: &TreeEditor<'_>) -> String {
    drawn(editor.module(), &editor.tree().unwrap())
}

#[test]
fn a_scope_has_two_ways_and_what_both_lead_to() {
    let sample = sample();
    let tree = sample.tree();
    assert_eq!(
        drawn(&sample.module, &tree),
        "entry {header {exit} body {then {leave | stay} | else | join {yes_way | no_way} after} end | next} done"
    );
    let scope = sample.construct("body");
    let data = tree.construct(scope);
    assert_eq!((data.kind, data.merge, tree.needs_pad()), (ConstructKind::Scope, Some(sample.block("end")), false));
    let roles = [Role::Then, Role::Else, Role::Join].map(|role| tree.list(scope, role).unwrap());
    assert_eq!(data.lists.as_slice(), roles);
    let jump = |name: &str| {
        let edge = sample.module.out_edges(sample.block(name)).next().unwrap();
        tree.jump(edge).unwrap()
    };
    assert_eq!([jump("stay"), jump("else")], [Jump::Join(roles[2]); 2]);
    assert_eq!([jump("leave"), jump("after")], [Jump::Merge(scope); 2]);
    // The scope stands between its opener and its merge block like every construct.
    assert_eq!(
        (tree.next(sample.block("body")), tree.closed_by(sample.block("end"))),
        (Some(sample.block("end")), Some(scope))
    );
    assert_eq!(Cursor::before(Node::Construct(scope)), Cursor::AfterBlock(sample.block("body")));
    assert_eq!(Cursor::after(&sample.module, &tree, Node::Construct(scope)), Cursor::BeforeBlock(sample.block("end")));
    assert_eq!(tree.innermost(sample.block("join")), Some(scope));
}

#[test]
fn a_tree_changes_nothing_and_the_text_reads_back() {
    let mut sample = sample();
    let before = print(&sample.module);
    sample.tree();
    hold(&sample.editor());
    assert_eq!(print(&sample.module), before);
}

#[test]
fn ways_that_meet_in_all_kinds_of_places() {
    let shapes = [
        // Both ways go straight to the join; its block is what the merge block leads on to.
        (
            "block ^entry:\n  if %c ^t ^e merge ^m\nedge ^t:\n  branch ^j\nedge ^e:\n  branch ^j\nblock ^j:\n  branch ^m\n\
             block ^m:\n  return_value %n\n",
            "entry {t | e | j} m",
        ),
        // Nothing comes to the merge block: what both ways lead to ends the function.
        (
            "block ^entry:\n  if %c ^t ^e merge ^m\nblock ^t:\n  branch ^j\nblock ^e:\n  branch ^j\nblock ^j:\n  return_value %n\n\
             block ^m:\n  unreachable\n",
            "entry {t | e | j} m",
        ),
        // A merge block that nothing comes to leads to the join.
        (
            "block ^entry:\n  if %c ^t ^e merge ^m\nblock ^t:\n  if %c ^a ^b merge ^k\nblock ^a:\n  return_value %n\nblock ^b:\n  \
             return_value %n\nblock ^k:\n  branch ^j\nblock ^e:\n  branch ^j\nblock ^j:\n  branch ^m\nblock ^m:\n  return_value %n\n",
            "entry {t {a | b} k | e | j} m",
        ),
        // In a continue list, and in the list Join of another scope.
        (
            "block ^entry:\n  loop ^h break ^d continue ^k\nblock ^h:\n  branch ^k\nblock ^k:\n  if %c ^t ^e merge ^m\nblock ^t:\n  \
             branch ^j\nblock ^e:\n  branch ^j\nblock ^j:\n  if %c ^u ^f merge ^o\nblock ^u:\n  branch ^p\nblock ^f:\n  branch ^p\n\
             block ^p:\n  branch ^o\nblock ^o:\n  branch ^m\nblock ^m:\n  branch_if %c ^back ^gone\nedge ^back:\n  branch ^h\n\
             edge ^gone:\n  branch ^d\nblock ^d:\n  return_value %n\n",
            "entry {h | k {t | e | j {u | f | p} o} m {back | gone}} d",
        ),
        // In a case that falls through, and left for the merge block of the switch from all of its lists.
        (
            "block ^entry:\n  structured_switch %n default ^d merge ^s [1 ^one] [2 ^two]\nblock ^one:\n  if %c ^t ^e merge ^m\n\
             block ^t:\n  branch_if %c ^out ^on\nedge ^out:\n  branch ^s\nedge ^on:\n  branch ^j\nblock ^e:\n  branch ^j\nblock ^j:\n  \
             branch_if %c ^gone ^rest\nedge ^gone:\n  branch ^s\nblock ^rest:\n  branch ^m\nblock ^m:\n  branch ^entry_two\nedge ^two:\n  \
             branch ^entry_two\nblock ^entry_two:\n  branch ^s\nedge ^d:\n  branch ^s\nblock ^s:\n  return_value %n\n",
            "entry {d | one {t {out | on} | e | j {gone} rest} m | two entry_two} s",
        ),
        // The join is the preheader of a loop, or a switch opens there.
        (
            "block ^entry:\n  if %c ^t ^e merge ^m\nblock ^t:\n  branch ^j\nblock ^e:\n  branch ^j\nblock ^j:\n  loop ^h break ^b \
             continue ^k\nblock ^h:\n  branch_if %c ^k ^x\nedge ^x:\n  branch ^b\nblock ^k:\n  branch ^h\nblock ^b:\n  branch ^m\n\
             block ^m:\n  return_value %n\n",
            "entry {t | e | j {h {x} | k} b} m",
        ),
        // An edge block with parameters that others use is no edge.
        (
            "block ^entry:\n  if %c ^t ^e merge ^m\nblock ^t:\n  branch ^j(%n)\nblock ^e:\n  branch ^j(%one)\nedge ^j(%p: %u32):\n  \
             branch ^m\nblock ^m:\n  return_value %p\n",
            "entry {t | e | j} m",
        ),
    ];
    for (body, expected) in shapes {
        let mut sample = Sample::new(body);
        assert_eq!(drawn(&sample.module, &sample.tree()), expected);
        hold(&sample.editor());
    }
}

#[test]
fn lists_of_a_scope_end_at_the_join_by_nature() {
    let mut sample = sample();
    let [then, otherwise, join, after] = ["then", "else", "join", "after"].map(|name| sample.block(name));
    let mut editor = sample.editor();
    for at in [then, otherwise, join] {
        let (first, last) = (Cursor::BeforeBlock(at), end_of(&editor, at));
        reinsert(&mut editor, first, last);
    }
    let rest = editor.extract(Cursor::BeforeBlock(otherwise), end_of(&editor, otherwise)).unwrap();
    assert!(editor.module().successors(otherwise).eq([join]));
    hold(&editor);
    editor.insert(rest.origin().unwrap(), rest).unwrap();
    let rest = editor.extract(Cursor::BeforeBlock(join), end_of(&editor, join)).unwrap();
    assert!(editor.module().successors(join).eq([block(editor.module(), "end")]));
    hold(&editor);
    editor.insert(rest.origin().unwrap(), rest).unwrap();
    // A jump that a list ends in by nature stays.
    let before = print(editor.module());
    editor.remove_jump(otherwise).unwrap();
    editor.remove_jump(after).unwrap();
    assert_eq!(print(editor.module()), before);
}

/// The place behind the jump that ends the list of a block.
fn end_of(editor: &TreeEditor<'_>, at: Block) -> Cursor {
    let tree = editor.tree().unwrap();
    Cursor::end(editor.module(), &tree, tree.list_of(at).unwrap())
}

#[test]
fn a_scope_is_left_by_a_jump_and_comes_back_without_it() {
    let mut sample = sample();
    let otherwise = sample.block("else");
    let e = sample.inst("e");
    let mut editor = sample.editor();
    let (shape, text) = (drawn_now(&editor), print(editor.module()));
    let jump: Inst = editor.module().terminator(otherwise).unwrap().into();
    let rest = editor.add_jump(Cursor::Before(jump), JumpKind::LeaveScope, &[e]).unwrap();
    // One way alone leads to what was the join: it is an ordinary `if`, and that stands behind the way.
    assert_eq!(
        drawn_now(&editor),
        "entry {header {exit} body {then {leave} stay join {yes_way | no_way} after | else} end | next} done"
    );
    assert_eq!(scopes(&editor.tree().unwrap()), 0);
    hold(&editor);
    editor.insert(Cursor::AfterBlock(otherwise), rest).unwrap();
    assert_eq!((drawn_now(&editor), print(editor.module())), (shape, text));
    hold(&editor);
    // Without the jump to the join, the way leaves for the merge block, and other jumps may stand there too.
    for kind in [JumpKind::Continue, JumpKind::Break] {
        let jump: Inst = editor.module().terminator(otherwise).unwrap().into();
        let rest = editor.add_jump(Cursor::Before(jump), kind, &[e]).unwrap();
        hold(&editor);
        editor.insert(Cursor::AfterBlock(otherwise), rest).unwrap();
        hold(&editor);
        assert_eq!(scopes(&editor.tree().unwrap()), 1);
    }
    // Where no scope is around, there is none to leave; in a further construct neither.
    for name in ["end", "header", "yes_way"] {
        let at = Cursor::AfterBlock(block(editor.module(), name));
        assert_eq!(editor.add_jump(at, JumpKind::LeaveScope, &[e]).unwrap_err().fault, EditFault::NothingToLeave);
    }
}

#[test]
fn conditional_exits_leave_a_scope() {
    let mut sample = sample();
    let [otherwise, join, end] = ["else", "join", "end"].map(|name| sample.block(name));
    let [e, j, yes] = ["e", "j", "yes"].map(|name| sample.inst(name));
    let mut editor = sample.editor();
    for (at, value) in [(Cursor::AfterBlock(otherwise), e), (Cursor::BeforeBlock(join), j)] {
        let exit = editor.insert_exit(at, yes, JumpKind::LeaveScope, &[value]).unwrap();
        assert!(editor.module().successors(exit.way).eq([end]));
        hold(&editor);
    }
    assert_eq!(scopes(&editor.tree().unwrap()), 1);
    // The way of the exit to the join holds code once it is a block of the list; the way that leaves must stay an edge, as the other
    // one goes to no block that a branch without merge block may go to.
    let (leave, stay) = (block(editor.module(), "leave"), block(editor.module(), "stay"));
    let ty = editor.module().ty(yes);
    editor.insert_inst(Cursor::BeforeBlock(stay), Op::LogicalNot, ty, &[yes]).unwrap();
    hold(&editor);
    let refused = editor.insert_inst(Cursor::BeforeBlock(leave), Op::LogicalNot, ty, &[yes]).unwrap_err();
    assert_eq!(refused.fault, EditFault::EdgeOnly);
}

#[test]
fn scopes_move_copy_and_go_as_other_constructs_do() {
    let mut sample = sample();
    let (scope, body, end, next) =
        (sample.construct("body"), sample.block("body"), sample.block("end"), sample.block("next"));
    let mut editor = sample.editor();
    reinsert(&mut editor, Cursor::AfterBlock(body), Cursor::BeforeBlock(end));
    let copy = editor.copy(Cursor::AfterBlock(body), Cursor::BeforeBlock(end), &mut Copies::new()).unwrap();
    editor.insert(Cursor::AfterBlock(end), copy).unwrap();
    hold(&editor);
    assert_eq!(scopes(&editor.tree().unwrap()), 2);
    let moved = editor.extract(Cursor::AfterBlock(body), Cursor::BeforeBlock(end)).unwrap();
    hold(&editor);
    editor.insert(Cursor::BeforeBlock(next), moved).unwrap();
    hold(&editor);
    let tree = editor.tree().unwrap();
    let last = tree.constructs().rfind(|construct| construct.kind == ConstructKind::Scope).unwrap().name();
    editor.remove_construct(last).unwrap();
    hold(&editor);
    assert_eq!(scopes(&editor.tree().unwrap()), 1);
    assert!(editor.remove_construct(scope).is_err(), "it went to another opener");
}

#[test]
fn a_kept_way_of_a_scope_brings_the_join_along() {
    let mut sample = sample();
    let scope = sample.construct("body");
    let mut editor = sample.editor();
    assert_eq!(editor.keep_list(scope, Role::Join).unwrap_err().fault, EditFault::Kind);
    // The true way leaves in its middle, which it could not without the scope.
    let before = print(editor.module());
    assert!(matches!(editor.keep_list(scope, Role::Then).unwrap_err().fault, EditFault::Jump(_)));
    assert_eq!(print(editor.module()), before);
    let rest = editor.keep_list(scope, Role::Else).unwrap();
    editor.delete(rest);
    hold(&editor);
    assert_eq!(drawn_now(&editor), "entry {header {exit} body {yes_way | no_way} after | next} done");
}

#[test]
fn what_cannot_go_to_a_join_is_refused() {
    let mut sample = sample();
    let [otherwise, yes_way, end] = ["else", "yes_way", "end"].map(|name| sample.block(name));
    let mut editor = sample.editor();
    let before = print(editor.module());
    let jump: Inst = editor.module().terminator(otherwise).unwrap().into();
    // The jump to the join, from a further construct, from the join's own list, and from outside of the scope.
    for at in [yes_way, block(editor.module(), "after"), end] {
        let copy = editor.copy(Cursor::Before(jump), Cursor::After(jump), &mut Copies::new()).unwrap();
        let refused = editor.insert(Cursor::AfterBlock(at), copy).unwrap_err();
        assert!(matches!(refused.error.fault, EditFault::Jump(_)), "{}", refused.error);
        editor.delete(refused.fragment);
        assert_eq!(print(editor.module()), before);
    }
    hold(&editor);
}

#[test]
fn the_builder_leaves_a_scope_that_it_writes_in() {
    let mut sample = sample();
    let (otherwise, e, yes) = (sample.block("else"), sample.inst("e"), sample.inst("yes"));
    let at = Cursor::AfterBlock(otherwise);
    let mut build = TreeBuilder::at(&mut sample.module, sample.function, at).unwrap();
    build.exit_if(JumpKind::LeaveScope, yes, &[e]).unwrap();
    build.push_if(yes);
    assert!(build.jump(JumpKind::LeaveScope, &[e]).is_err());
    build.pop_if().unwrap();
    build.finish().unwrap();
    hold(&sample.editor());
    assert_eq!(scopes(&sample.tree()), 1);
}
