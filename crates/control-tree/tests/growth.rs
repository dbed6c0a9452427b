//! Large functions and deep nesting. Nothing here is timed; a quadratic way or recursion would not come to its end.

use reconverge_control_tree::{ControlTree, Cursor, JumpKind, TreeBuilder, pad};
use reconverge_ir::{Inst, Module};

use crate::support::Sample;

const SMALL_STACK: usize = 1 << 20;

/// Constructs one after the other: `if`s, and loops with a conditional break.
fn build_row(sample: &mut Sample, count: usize) {
    let yes = sample.inst("yes");
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    for number in 0..count {
        if number % 2 == 0 {
            build.push_if(yes);
            build.pop_if().unwrap();
        } else {
            build.push_while(&[], |_, _| yes).unwrap();
            build.pop_loop().unwrap();
        }
    }
    build.finish().unwrap();
}

/// Constructs in each other.
fn build_nest(sample: &mut Sample, depth: usize) {
    let yes = sample.inst("yes");
    let mut build = TreeBuilder::new(&mut sample.module, sample.function).unwrap();
    for number in 0..depth {
        if number % 2 == 0 {
            build.push_if(yes);
        } else {
            build.push_loop(&[]).unwrap();
            build.break_if(yes, &[]).unwrap();
        }
    }
    for number in (0..depth).rev() {
        if number % 2 == 0 { build.pop_if().unwrap() } else { build.pop_loop().unwrap() }
    }
    build.finish().unwrap();
}

fn on_a_small_stack(work: fn()) {
    std::thread::Builder::new().stack_size(SMALL_STACK).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_hundred_thousand_blocks_in_a_row() {
    on_a_small_stack(|| {
        let mut sample = Sample::without_body();
        build_row(&mut sample, 25_000);
        let tree = sample.tree();
        assert!(tree.blocks().len() > 100_000, "{}", tree.blocks().len());
        assert!(!pad(&mut sample.module, sample.function).unwrap());
        assert_eq!(tree.nodes(tree.root()).len(), 50_001);
    });
}

#[test]
fn ten_thousand_constructs_in_each_other() {
    on_a_small_stack(|| {
        let mut sample = Sample::without_body();
        build_nest(&mut sample, 10_000);
        let tree = sample.tree();
        assert_eq!(tree.lists().map(|list| tree.depth(list)).max(), Some(10_001));
        // Edits at the bottom and at the top, the whole nest moved, copied and deleted.
        let deepest = tree.lists().max_by_key(|&list| tree.depth(list)).unwrap();
        let bottom = tree.first_block(deepest);
        let entry = sample.module.entry(sample.function).unwrap();
        let (end, yes) = (Cursor::end(&sample.module, &tree, tree.root()), sample.inst("yes"));
        let mut editor = sample.editor();
        editor.split(Cursor::BeforeBlock(bottom)).unwrap_err();
        let all = editor.extract(Cursor::BeforeBlock(entry), end).unwrap();
        let copy = editor.clone_fragment(&all, &mut reconverge_ir::Copies::new()).unwrap();
        editor
            .insert(Cursor::BeforeBlock(entry), copy)
            .unwrap_or_else(|refused| editor.delete(refused.fragment).clear());
        let at = all.origin().unwrap();
        editor.insert(at, all).unwrap_or_else(|refused| editor.delete(refused.fragment).clear());
        editor.insert_if(Cursor::BeforeBlock(entry), yes).unwrap();
        editor.tree().unwrap();
    });
}

#[test]
fn many_edits_of_a_long_function() {
    // Each edit costs what it touches, so 20,000 of them in a function of 20,000 blocks are no more than one pass over 20,000.
    on_a_small_stack(|| {
        let mut sample = Sample::without_body();
        build_row(&mut sample, 4_500);
        let (module, function) = (&mut sample.module, sample.function);
        let yes: Inst = crate::support::inst(module, "yes");
        let blocks = openers(module, &ControlTree::compute(module, function).unwrap());
        let mut editor = reconverge_control_tree::TreeEditor::new(module, function).unwrap();
        for &block in &blocks {
            let made = editor.insert_if(Cursor::AfterBlock(block), yes).unwrap();
            let rest = editor.add_jump(Cursor::AfterBlock(made.then), JumpKind::Unreachable, &[]).unwrap();
            editor.delete(rest);
            editor.remove_jump(made.then).unwrap();
            let fragment = editor.extract(Cursor::AfterBlock(block), Cursor::BeforeBlock(made.merge)).unwrap();
            let at = fragment.origin().unwrap();
            editor.insert(at, fragment).unwrap();
            editor.remove_construct(made.construct).unwrap();
        }
        assert_eq!(openers(editor.module(), &editor.tree().unwrap()), blocks);
    });
}

fn openers(module: &Module, tree: &ControlTree) -> Vec<reconverge_ir::Block> {
    let opens = |&&block: &&reconverge_ir::Block| tree.opened_by(block).is_some() && module.terminator(block).is_some();
    tree.blocks_of_list(tree.root())
        .iter()
        .filter(opens)
        .copied()
        .filter(|&block| tree.depth(tree.list_of(block).unwrap()) == 0)
        .collect()
}

/// Selections in each other whose ways meet before the merge block.
fn early_meetings(depth: usize) -> Sample {
    let mut body = String::new();
    for at in 0..depth {
        let name = if at == 0 { "entry".to_owned() } else { format!("h{at}") };
        body += &format!(
            "block ^{name}:\n  if %c ^t{at} ^e{at} merge ^m{at}\nblock ^t{at}:\n  branch ^j{at}\nblock ^e{at}:\n  branch ^{}\n",
            if at + 1 < depth { format!("h{}", at + 1) } else { format!("j{at}") }
        );
    }
    for at in (0..depth).rev() {
        let end = if at == 0 { "return_value %n".to_owned() } else { format!("branch ^j{}", at - 1) };
        body += &format!("block ^j{at}:\n  branch ^m{at}\nblock ^m{at}:\n  {end}\n");
    }
    Sample::new(&body)
}

#[test]
fn ten_thousand_early_meetings_in_each_other() {
    on_a_small_stack(|| {
        let mut sample = early_meetings(10_000);
        let tree = sample.tree();
        assert_eq!(tree.lists().map(|list| tree.depth(list)).max(), Some(10_000));
        let (entry, bottom) = (sample.module.entry(sample.function).unwrap(), sample.block("t9999"));
        let mut editor = sample.editor();
        let jump: Inst = editor.module().terminator(bottom).unwrap().into();
        let rest = editor.add_jump(Cursor::Before(jump), JumpKind::LeaveScope, &[]).unwrap();
        editor.insert(Cursor::AfterBlock(bottom), rest).unwrap();
        let tree = editor.tree().unwrap();
        let end = Cursor::end(editor.module(), &tree, tree.root());
        let all = editor.extract(Cursor::BeforeBlock(entry), end).unwrap();
        let copy = editor.clone_fragment(&all, &mut reconverge_ir::Copies::new()).unwrap();
        let at = all.origin().unwrap();
        editor.delete(all);
        editor.insert(at, copy).unwrap();
        assert_eq!(editor.tree().unwrap().constructs().len(), 10_000);
    });
}
