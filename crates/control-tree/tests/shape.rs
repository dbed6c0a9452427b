//! What a tree is: N1 to N11.

use reconverge_control_tree::{ConstructKind, ControlTree, Jump, Node, Owner, Role, TreeBuilder, TreeFault, pad};
use reconverge_ir::{Block, Edge, Op};

use crate::support::{Sample, critical_edges, drawn, hold};

fn kinds(nodes: &[Node]) -> String {
    nodes.iter().map(|node| if matches!(node, Node::Block(_)) { 'b' } else { 'c' }).collect()
}

/// The jump of each edge of a block.
fn jumps(sample: &Sample, tree: &ControlTree, name: &str) -> Vec<Jump> {
    let edges: Vec<Edge> = sample.module.out_edges(sample.block(name)).collect();
    edges.into_iter().map(|edge| tree.jump(edge).unwrap()).collect()
}

#[test]
fn n01_a_list_is_of_blocks_and_constructs() {
    let sample = Sample::with_loop();
    let tree = sample.tree();
    assert_eq!(drawn(&sample.module, &tree), "entry {header {exit} body {then | else} after | next} done");
    let found: Vec<ConstructKind> = tree.constructs().map(|construct| construct.kind).collect();
    assert_eq!(found, [ConstructKind::Loop, ConstructKind::Exit, ConstructKind::If]);
    assert_eq!(tree.owner(tree.root()), Owner::Function);
    // Handles, not pointers: a construct is its opener, and its name stays good over edits elsewhere.
    let construct = sample.construct("body");
    assert_eq!(construct.opener(), sample.block("body"));
    let sample = Sample::with_switch();
    assert_eq!(sample.tree().construct(sample.construct("entry")).kind, ConstructKind::Switch);
}

#[test]
fn n02_lists_alternate_and_are_never_empty() {
    for mut sample in [Sample::with_loop(), Sample::with_switch()] {
        pad(&mut sample.module, sample.function).unwrap();
        let tree = sample.tree();
        for list in tree.lists() {
            let kinds = kinds(tree.nodes(list));
            assert!(kinds.starts_with('b') && !kinds.contains("cc"), "{kinds}");
        }
        // Only a conditional exit that leaves on both ways stands at the end of a list; after all others comes a block.
        for construct in tree.constructs().filter(|construct| construct.kind != ConstructKind::Exit) {
            let nodes = tree.nodes(construct.parent);
            let place = nodes.iter().position(|&node| node == Node::Construct(construct.name())).unwrap();
            assert_eq!(nodes[place - 1], Node::Block(construct.opener));
            assert_eq!(nodes[place + 1], Node::Block(construct.merge.unwrap()));
        }
    }
    // Two blocks side by side are joined, but for a loop header before what may not end it.
    let mut sample = Sample::new(
        "block ^entry:\n  branch ^second\nblock ^second:\n  loop ^h break ^m continue ^k\nblock ^h:\n  branch ^i\n\
         block ^i:\n  if %c ^t ^e merge ^j\nblock ^t:\n  branch ^m\nblock ^e:\n  branch ^j\nblock ^j:\n  branch ^k\n\
         block ^k:\n  branch ^h\nblock ^m:\n  return_value %n\n",
    );
    assert!(pad(&mut sample.module, sample.function).unwrap());
    assert_eq!(drawn(&sample.module, &sample.tree()), "entry {h i {t | e} j | k} m");
    assert!(!pad(&mut sample.module, sample.function).unwrap());
}

#[test]
fn n03_an_if_has_both_lists() {
    let mut sample = Sample::new(
        "block ^entry:\n  if %c ^then ^m merge ^m\nblock ^then:\n  branch ^m\nblock ^m:\n  return_value %n\n",
    );
    // In SPIR-V a way may go straight to the merge block; padding gives it the block.
    assert!(pad(&mut sample.module, sample.function).unwrap());
    let (tree, construct) = (sample.tree(), sample.construct("entry"));
    for role in [Role::Then, Role::Else] {
        assert_eq!(tree.nodes(tree.list(construct, role).unwrap()).len(), 1);
    }
    // So does the builder where no `else` is pushed, and the editor.
    let mut sample = Sample::without_body();
    let yes = sample.inst("yes");
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    build.push_if(yes);
    build.pop_if().unwrap();
    build.finish().unwrap();
    assert_eq!(drawn(&sample.module, &sample.tree()), "_ {_ | _} _");
}

#[test]
fn n04_a_loop_is_endless_but_for_breaks_and_has_one_preheader() {
    let mut sample = Sample::without_body();
    let yes = sample.inst("yes");
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    build.push_while(&[], |_, _| yes).unwrap();
    build.pop_loop().unwrap();
    build.finish().unwrap();
    let tree = sample.tree();
    // `while` is a loop, a conditional exit and a break.
    assert_eq!(drawn(&sample.module, &tree), "_ {_ {_} _ | _} _");
    let looped = tree.constructs().next().unwrap();
    let header = looped.loop_header.unwrap();
    let entering: Vec<Jump> = sample.module.in_edges(header).map(|edge| tree.jump(edge).unwrap()).collect();
    assert_eq!(entering.len(), 2);
    assert!(entering.contains(&Jump::Back(looped.name())));
    assert!(entering.contains(&Jump::Enter(tree.list(looped.name(), Role::Body).unwrap())));
    // All ways out are breaks.
    let merge = looped.merge.unwrap();
    assert!(sample.module.in_edges(merge).all(|edge| tree.jump(edge) == Some(Jump::Break(looped.name()))));
}

#[test]
fn n05_nothing_goes_to_the_entry_and_a_return_goes_nowhere() {
    let sample = Sample::with_loop();
    let entry = sample.block("entry");
    assert_eq!(sample.module.predecessors(entry).count(), 0);
    assert_eq!(sample.tree().first_block(sample.tree().root()), entry);
    // There is no fake end block: a return is an end without successors.
    assert_eq!(sample.module.successors(sample.block("done")).count(), 0);
    let sample = Sample::new("block ^entry:\n  branch ^second\nblock ^second:\n  branch ^entry\n");
    let error = ControlTree::compute(&sample.module, sample.function).unwrap_err();
    assert_eq!((error.inst, error.fault), (sample.inst("second"), TreeFault::Jump(sample.block("entry"))));
}

#[test]
fn n06_breaks_and_continues_are_of_the_innermost_loop() {
    let nest = |target: &str| {
        format!(
            "block ^entry:\n  loop ^h break ^m continue ^k\nblock ^h:\n  loop ^h2 break ^m2 continue ^k2\n\
             block ^h2:\n  branch ^{target}\nblock ^k2:\n  branch ^h2\nblock ^m2:\n  branch ^k\nblock ^k:\n  branch ^h\n\
             block ^m:\n  return_value %n\n"
        )
    };
    for (target, is_break) in [("m2", true), ("k2", false)] {
        let sample = Sample::new(&nest(target));
        let (tree, inner) = (sample.tree(), sample.construct("h"));
        let expected = if is_break { Jump::Break(inner) } else { Jump::Continue(inner) };
        assert_eq!(jumps(&sample, &tree, "h2"), [expected]);
    }
    for target in ["m", "k", "h"] {
        let sample = Sample::new(&nest(target));
        let error = ControlTree::compute(&sample.module, sample.function).unwrap_err();
        assert_eq!((error.inst, error.fault), (sample.inst("h2"), TreeFault::Jump(sample.block(target))));
    }
}

#[test]
fn n07_predecessors_are_read_from_uses_and_are_right_after_edits() {
    // They are stored nowhere, so what is to be compared is the editor's view, and uses against operands.
    let mut sample = Sample::with_loop();
    let construct = sample.construct("body");
    let mut editor = sample.editor();
    hold(&editor);
    editor.remove_construct(construct).unwrap();
    hold(&editor);
    // Two ways of one `if` to one block are two edges and one predecessor's ways.
    let sample =
        Sample::new("block ^entry:\n  if %c ^t ^t merge ^m\nblock ^t:\n  branch ^m\nblock ^m:\n  return_value %n\n");
    let tree = sample.tree();
    let found = jumps(&sample, &tree, "entry");
    assert!(found[0] == found[1] && matches!(found[0], Jump::Enter(_)));
}

#[test]
fn n08_terminators_go_where_the_tree_implies() {
    // Our terminators are explicit; the tree says of each edge what it does, and that must be what the position implies.
    let sample = Sample::with_loop();
    let tree = sample.tree();
    let (looped, inner, branch) = (sample.construct("entry"), sample.construct("header"), sample.construct("body"));
    let list = |construct, role| tree.list(construct, role).unwrap();
    assert_eq!(jumps(&sample, &tree, "entry"), [Jump::Enter(list(looped, Role::Body))]);
    assert_eq!(jumps(&sample, &tree, "header"), [Jump::Next, Jump::Enter(list(inner, Role::Else))]);
    assert_eq!(jumps(&sample, &tree, "exit"), [Jump::Break(looped)]);
    let arms = [Role::Then, Role::Else].map(|role| Jump::Enter(list(branch, role)));
    assert_eq!(jumps(&sample, &tree, "body"), arms);
    assert_eq!(jumps(&sample, &tree, "then"), [Jump::Merge(branch)]);
    assert_eq!(jumps(&sample, &tree, "after"), [Jump::Continue(looped)]);
    assert_eq!(jumps(&sample, &tree, "next"), [Jump::Back(looped)]);
    let sample = Sample::with_switch();
    let tree = sample.tree();
    let second = tree.list_of(sample.block("q")).unwrap();
    assert_eq!(jumps(&sample, &tree, "p"), [Jump::FallThrough(second)]);
    // A jump that no position implies is an error at its block: out of two selections, and a way round without a loop.
    let sample = Sample::new(
        "block ^entry:\n  if %c ^t ^e merge ^m\nblock ^t:\n  if %c ^a ^b merge ^k\nblock ^a:\n  branch ^j\nblock ^b:\n  branch ^k\n\
         block ^k:\n  branch ^m\nblock ^e:\n  branch ^j\nblock ^j:\n  branch ^m\nblock ^m:\n  return_value %n\n",
    );
    let error = ControlTree::compute(&sample.module, sample.function).unwrap_err();
    assert_eq!((error.inst, error.fault), (sample.inst("j"), TreeFault::Join));
    let sample = Sample::new("block ^entry:\n  branch ^a\nblock ^a:\n  branch ^b\nblock ^b:\n  branch ^a\n");
    let error = ControlTree::compute(&sample.module, sample.function).unwrap_err();
    assert_eq!((error.inst, error.fault), (sample.inst("a"), TreeFault::Join));
}

#[test]
fn n09_no_edge_is_critical() {
    for mut sample in [Sample::with_loop(), Sample::with_switch()] {
        assert_eq!(critical_edges(&sample.module, sample.function), 0);
        pad(&mut sample.module, sample.function).unwrap();
        assert_eq!(critical_edges(&sample.module, sample.function), 0);
    }
    // An `if` without else, whose merge block has one way in, gets no critical edge when another comes.
    let mut sample = Sample::new(
        "block ^entry:\n  if %c ^t ^m merge ^m\nblock ^t:\n  return_value %n\nblock ^m:\n  return_value %n\n",
    );
    let then = sample.block("t");
    let mut editor = sample.editor();
    editor.remove_jump(then).unwrap();
    hold(&editor);
}

#[test]
fn n10_loops_have_landing_places_around_them() {
    let sample = Sample::with_loop();
    let tree = sample.tree();
    for looped in tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop) {
        let merge = looped.merge.unwrap();
        assert_eq!(tree.next(looped.opener), Some(merge));
        assert_eq!(tree.previous(merge), Some(looped.opener));
    }
    // A merge block that is the header of a loop is no landing place; padding gives it one.
    let mut sample = Sample::new(
        "block ^entry:\n  if %c ^t ^e merge ^h\nblock ^t:\n  branch ^p\nblock ^e:\n  branch ^p\nedge ^p:\n  \
         loop ^h break ^m continue ^k\nblock ^h:\n  branch ^k\nblock ^k:\n  branch ^h\nblock ^m:\n  return_value %n\n",
    );
    // Before that the loop stands where its header is named, and its preheader makes the jump there.
    let tree = sample.tree();
    assert_eq!((drawn(&sample.module, &tree), tree.needs_pad()), ("entry {t | e p} {h | k} m".to_owned(), true));
    let looped = tree.opened_by(sample.block("p")).unwrap();
    assert_eq!(tree.parent(looped), tree.root());
    assert_eq!(
        (tree.closed_by(sample.block("h")), tree.closed_by(sample.block("m"))),
        (Some(sample.construct("entry")), Some(looped))
    );
    assert_eq!(jumps(&sample, &tree, "p"), [Jump::Merge(sample.construct("entry"))]);
    assert!(pad(&mut sample.module, sample.function).unwrap());
    assert_eq!(drawn(&sample.module, &sample.tree()), "entry {t | e} p {h | k} m");
    assert!(!sample.tree().needs_pad());
    let mut editor = sample.editor();
    let landing = editor.tree().unwrap().constructs().find(|it| it.kind == ConstructKind::Loop).unwrap().opener;
    let one = crate::support::inst(editor.module(), "one");
    let ty = editor.module().ty(one);
    let at = reconverge_control_tree::Cursor::AfterBlock(landing);
    editor.insert_inst(at, Op::IAdd, ty, &[one, one]).unwrap();
    hold(&editor);
}

#[test]
fn n10_a_continue_target_that_is_a_loop_header_gets_a_landing_place() {
    let mut sample = Sample::new(
        "block ^entry:\n  loop ^h break ^m continue ^g\nblock ^h:\n  branch_if %c ^b ^m\n\
         block ^b:\n  %a: %u32 = i_add %n, %one\n  loop ^g(%a) break ^k continue ^j\n\
         block ^g(%i: %u32):\n  branch_if %c ^j ^k\nblock ^j:\n  branch ^g(%i)\nblock ^k:\n  branch ^h\n\
         block ^m:\n  return_value %n\n",
    );
    let tree = sample.tree();
    assert_eq!((drawn(&sample.module, &tree), tree.needs_pad()), ("entry {h {} b | {g {} | j} k} m".to_owned(), true));
    assert_eq!(jumps(&sample, &tree, "b"), [Jump::Continue(sample.construct("entry"))]);
    let continued = tree.list(sample.construct("entry"), Role::Continue).unwrap();
    assert_eq!(tree.first_block(continued), sample.block("g"));
    assert!(pad(&mut sample.module, sample.function).unwrap());
    assert_eq!(drawn(&sample.module, &sample.tree()), "entry {h {_} b | _ {g {_ | _} | j} k} m");
    assert!(!pad(&mut sample.module, sample.function).unwrap());
    hold(&sample.editor());
}

#[test]
fn n10_a_back_edge_through_the_preheader_goes_to_the_header() {
    let mut sample = Sample::new(
        "block ^entry:\n  branch ^p\nedge ^p:\n  loop ^h(%n) break ^m continue ^k\nblock ^h(%i: %u32):\n  branch ^k\n\
         block ^k:\n  branch_if %c ^b ^m\nedge ^b:\n  branch ^p\nblock ^m:\n  return_value %i\n",
    );
    let tree = sample.tree();
    assert_eq!((drawn(&sample.module, &tree), tree.needs_pad()), ("entry p {h | k {b}} m".to_owned(), true));
    assert_eq!(jumps(&sample, &tree, "b"), [Jump::Back(sample.construct("p"))]);
    assert!(pad(&mut sample.module, sample.function).unwrap());
    assert_eq!(drawn(&sample.module, &sample.tree()), "entry {h | k {b | _}} m");
    assert!(!pad(&mut sample.module, sample.function).unwrap());
    let back = sample.module.terminator(sample.block("b")).unwrap();
    assert_eq!(sample.module.operands(back).collect::<Vec<_>>(), [sample.inst("h"), sample.inst("n")]);
    hold(&sample.editor());
}

#[test]
fn n11_parameters_stand_where_ways_come_together_and_every_edge_feeds_them() {
    // Block parameters instead of phis: one argument an edge by construction. Allowed wherever a plain branch or a loop goes.
    let mut sample = Sample::with_loop();
    let (looped, branch) = (sample.construct("entry"), sample.construct("body"));
    let then = sample.block("then");
    let mut editor = sample.editor();
    let fed = |editor: &reconverge_control_tree::TreeEditor<'_>| {
        let module = editor.module();
        module.blocks(editor.function()).all(|block: Block| {
            let count = module.parameters(block).count();
            module.in_edges(block).all(|edge| module.arguments(edge.terminator).count() == count)
        })
    };
    assert!(fed(&editor));
    editor.remove_jump(then).unwrap();
    let condition = crate::support::inst(editor.module(), "yes");
    let value = crate::support::inst(editor.module(), "y");
    let at = reconverge_control_tree::Cursor::BeforeBlock(then);
    editor.insert_exit(at, condition, reconverge_control_tree::JumpKind::Break, &[value]).unwrap();
    assert!(fed(&editor));
    editor.remove_construct(branch).unwrap();
    assert!(fed(&editor));
    editor.remove_construct(looped).unwrap();
    assert!(fed(&editor));
    hold(&editor);
}
