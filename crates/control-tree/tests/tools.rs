//! Building, walking, printing, copying: N30 to N34.

use reconverge_control_tree::{ConstructKind, Cursor, EditError, EditFault, JumpKind, Node, TreeBuilder, pad};
use reconverge_ir::text::{parse, print};
use reconverge_ir::{Block, Copies, Inst, Op};

use crate::support::{Sample, drawn, hold, inst};

#[test]
fn n30_the_builder_is_balanced() {
    let mut sample = Sample::without_body();
    let (yes, one) = (sample.inst("yes"), sample.inst("one"));
    let ty = sample.module.ty(one);
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    build.push_if(yes);
    let then = build.emit(Op::IAdd, ty, &[one, one]);
    build.push_else().unwrap();
    let otherwise = build.emit(Op::IMul, ty, &[one, one]);
    build.pop_if().unwrap();
    let value = build.if_value(then, otherwise).unwrap();
    let parameters = build.push_loop(&[value]).unwrap();
    build.break_if(yes, &[]).unwrap();
    build.push_switch(parameters[0]);
    let literal = build.editor().word(1);
    build.push_case(&[literal]).unwrap();
    build.jump(JumpKind::Continue, &[parameters[0]]).unwrap();
    build.emit(Op::IAdd, ty, &[one, one]);
    build.pop_switch().unwrap();
    let next = build.emit(Op::IAdd, ty, &[parameters[0], one]);
    build.yields(&[next]);
    build.push_continue().unwrap();
    build.pop_loop().unwrap();
    build.finish().unwrap();
    let (module, tree) = (&sample.module, sample.tree());
    assert_eq!(drawn(module, &tree), "_ {_ | _} _ {_ {_} _ {_ | _} _ | _} _");
    let looped = tree.constructs().find(|construct| construct.kind == ConstructKind::Loop).unwrap();
    let merge = tree.construct(tree.constructs().next().unwrap().name()).merge.unwrap();
    assert_eq!(looped.opener, merge);
    // The value of the `if` is a parameter of its merge block; what stood behind the jump is gone.
    let jumps = module.in_edges(merge).map(|edge| module.arguments(edge.terminator).next().unwrap());
    let mut passed: Vec<Inst> = jumps.collect();
    passed.sort();
    assert_eq!(passed, [then, otherwise]);
    assert_eq!(module.uses(one).count(), 5);
    hold(&sample.editor());
}

#[test]
fn n30_what_is_not_balanced_is_refused() {
    let mut sample = Sample::without_body();
    let (yes, one) = (sample.inst("yes"), sample.inst("one"));
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    let is_unbalanced =
        |result: Result<(), EditError>| result.is_err_and(|error| matches!(error.fault, EditFault::Balance { .. }));
    assert!(is_unbalanced(build.push_else()));
    assert!(is_unbalanced(build.pop_if()));
    assert!(is_unbalanced(build.pop_loop()));
    assert!(is_unbalanced(build.pop_switch()));
    assert!(is_unbalanced(build.push_case(&[])));
    assert!(is_unbalanced(build.push_continue().map(drop)));
    assert!(build.break_if(yes, &[]).is_err());
    assert!(build.if_value(one, one).is_err());
    build.push_if(yes);
    build.push_else().unwrap();
    assert!(is_unbalanced(build.push_else()));
    assert!(is_unbalanced(build.pop_loop()));
    build.push_loop(&[]).unwrap();
    assert!(is_unbalanced(build.pop_if()));
    build.push_continue().unwrap();
    assert!(build.jump(JumpKind::Return(None), &[]).is_err());
    assert!(build.jump(JumpKind::Continue, &[]).is_err());
    build.pop_loop().unwrap();
    assert!(is_unbalanced(build.finish().map(drop)));
    let error = TreeBuilder::new(&mut Sample::with_loop().module, Sample::with_loop().function).err();
    assert!(matches!(error, Some(EditError { fault: EditFault::CodeBehind, .. })));
}

#[test]
fn n30_the_builder_writes_at_a_cursor_too() {
    let mut sample = Sample::with_loop();
    let (then, yes) = (sample.block("then"), sample.inst("yes"));
    let t = sample.inst("t");
    let mut build = TreeBuilder::at(&mut sample.module, sample.function, Cursor::AfterBlock(then)).unwrap();
    // The loop around the cursor can be left from there.
    build.push_if(yes);
    build.jump(JumpKind::Break, &[t]).unwrap();
    build.pop_if().unwrap();
    build.finish().unwrap();
    hold(&sample.editor());
    let tree = sample.tree();
    assert_eq!(drawn(&sample.module, &tree), "entry {header {exit} body {then {_ | _} _ | else} after | next} done");
}

#[test]
fn n31_walks_go_in_source_order_and_survive_edits() {
    let mut sample = Sample::with_loop();
    let tree = sample.tree();
    let names = |blocks: &[Block]| blocks.iter().map(|&block| sample.module.name(block).unwrap()).collect::<Vec<_>>();
    let order = ["entry", "header", "exit", "body", "then", "else", "after", "next", "done"];
    assert_eq!(names(tree.blocks()), order);
    let backwards: Vec<Block> = tree.blocks().iter().rev().copied().collect();
    assert_eq!(names(&backwards), order.iter().rev().copied().collect::<Vec<_>>());
    let looped = sample.construct("entry");
    assert_eq!(names(tree.blocks_of(Node::Construct(looped))), order[1..8]);
    assert_eq!(names(tree.blocks_of(Node::Block(looped.opener()))), ["entry"]);
    assert_eq!(names(tree.blocks_of_list(tree.root())), order);
    assert_eq!(tree.next(sample.block("body")), Some(sample.block("after")));
    assert_eq!(tree.previous(sample.block("body")), Some(sample.block("header")));
    // A walk over the tree as it was goes on while the function is edited; the editor's own steps are those of the new one.
    let (blocks, yes) = (tree.blocks().to_vec(), sample.inst("yes"));
    let mut editor = sample.editor();
    let mut made = Vec::new();
    for block in blocks {
        if editor.next(block).is_some() {
            made.push(editor.insert_if(Cursor::BeforeBlock(block), yes).unwrap());
        }
    }
    assert_eq!(made.len(), 3);
    for made in made {
        assert!(editor.next(made.construct.opener()).is_some());
    }
    hold(&editor);
}

#[test]
fn n32_what_is_printed_reads_back() {
    for mut sample in [Sample::with_loop(), Sample::with_switch()] {
        pad(&mut sample.module, sample.function).unwrap();
        let text = print(&sample.module);
        let again = parse(&text).unwrap();
        assert_eq!(print(&again), text);
        assert_eq!(print(&sample.module), text);
    }
}

#[test]
fn n33_one_pass_reads_a_function_whose_uses_come_first() {
    // Blocks name later blocks, and arguments are operands of jumps: nothing is to be fixed up behind the blocks.
    let sample = Sample::with_loop();
    let again = parse(&print(&sample.module)).unwrap();
    let function = again.functions().next().unwrap();
    let tree = reconverge_control_tree::ControlTree::compute(&again, function).unwrap();
    assert_eq!(drawn(&again, &tree), drawn(&sample.module, &sample.tree()));
    let entry = again.entry(function).unwrap();
    let header = crate::support::block(&again, "header");
    assert!(again.successors(entry).eq([header]));
}

#[test]
fn n34_clones_print_alike() {
    let mut sample = Sample::with_loop();
    let copy = sample.module.clone();
    assert_eq!(print(&copy), print(&sample.module));
    let (entry, done) = (sample.block("entry"), sample.block("done"));
    let mut editor = sample.editor();
    let mut copies = Copies::new();
    let copy = editor.copy(Cursor::AfterBlock(entry), Cursor::BeforeBlock(done), &mut copies).unwrap();
    editor.insert(Cursor::BeforeBlock(done), copy).unwrap();
    let tree = editor.tree().unwrap();
    let text = drawn(editor.module(), &tree);
    let (first, second) = text.split_once("} done").unwrap();
    assert_eq!(second.trim().strip_suffix("} done").unwrap(), first.strip_prefix("entry ").unwrap());
    // A deleted clone leaves nothing alive.
    let construct = tree.opened_by(done).unwrap();
    let live = |module: &reconverge_ir::Module| module.descendants(module.root()).count();
    let full = live(editor.module());
    editor.remove_construct(construct).unwrap();
    assert!(live(editor.module()) < full);
    assert!(!editor.module().is_live(copies.image(inst(editor.module(), "w"))));
}
