//! Edits that cannot be: always an error that names the place, never a panic, and nothing changed.

use reconverge_control_tree::{ControlTree, Cursor, EditFault, JumpKind, Role, TreeBuilder, TreeEditor};
use reconverge_ir::text::print;
use reconverge_ir::{Block, Copies, Function, Inst, Module, Op, Position};

use crate::support::{Sample, hold, inst};

/// Every edit that takes a cursor, at one cursor; whether any was made.
fn try_all(editor: &mut TreeEditor<'_>, at: Cursor) -> bool {
    let yes = inst(editor.module(), "yes");
    let ty = editor.module().ty(yes);
    let fragment = editor.empty_fragment();
    let mut made = match editor.insert(at, fragment) {
        Ok(()) => true,
        Err(refused) => {
            editor.delete(refused.fragment);
            false
        }
    };
    made |= editor.insert_inst(at, Op::LogicalNot, ty, &[yes]).is_ok();
    made |= editor.insert_if(at, yes).is_ok();
    made |= editor.insert_loop(at, &[yes]).is_ok();
    made |= editor.insert_switch(at, yes, &[]).is_ok();
    made |= editor.insert_exit(at, yes, JumpKind::Break, &[]).is_ok();
    made |= editor.split(at).is_ok();
    made |= editor.extract(at, at).map(|fragment| editor.delete(fragment)).is_ok();
    made |= editor.copy(at, at, &mut Copies::new()).map(|fragment| editor.delete(fragment)).is_ok();
    let kinds = [JumpKind::Break, JumpKind::Continue, JumpKind::LeaveSwitch, JumpKind::Return(None), JumpKind::Kill];
    for kind in kinds {
        made |= editor.add_jump(at, kind, &[]).map(|fragment| editor.delete(fragment)).is_ok();
    }
    made
}

#[test]
fn cursors_at_what_is_no_place_are_refused() {
    let mut sample = Sample::with_loop();
    let [one, f, x, then, n, fn_type] = ["one", "f", "x", "then", "n", "fn"].map(|name| sample.inst(name));
    let (entry, then_block) = (sample.block("entry"), sample.block("then"));
    let loose = sample.module.edit().create(Op::Block, None, &[]);
    let loose: Block = sample.module.cast(loose).unwrap();
    let dead = sample.module.edit().append(entry, Op::Undef, Some(one), &[]);
    sample.module.edit().delete(dead);
    let removed = sample.construct("body");
    let mut editor = sample.editor();
    editor.remove_construct(removed).unwrap();
    let before = print(editor.module());
    let cursors = [
        Cursor::Before(one),
        Cursor::After(one),
        Cursor::Before(f),
        Cursor::After(f),
        Cursor::Before(then),
        Cursor::After(then),
        Cursor::Before(n),
        Cursor::After(fn_type),
        Cursor::Before(dead),
        Cursor::After(dead),
        Cursor::BeforeBlock(loose),
        Cursor::AfterBlock(loose),
        Cursor::BeforeBlock(then_block),
        Cursor::AfterBlock(then_block),
        Cursor::After(entry.into()),
    ];
    for at in cursors {
        assert!(!try_all(&mut editor, at), "{at:?}");
        assert!(editor.extract(Cursor::Before(x), at).is_err() && editor.extract(at, Cursor::After(x)).is_err());
        assert_eq!(print(editor.module()), before, "{at:?}");
    }
    assert_eq!(editor.remove_jump(then_block).unwrap_err().fault, EditFault::Outside);
    assert!(editor.remove_jump(loose).is_err() && editor.stitch(loose, then_block).is_err());
    assert!(editor.remove_construct(removed).is_err() && editor.keep_list(removed, Role::Then).is_err());
    hold(&editor);
}

/// A second function with the body of the first.
fn second_function(module: &mut Module, function: Function) -> Function {
    let copies = module.edit().copy(&[function.into()], &mut Copies::new());
    module.edit().move_to(copies[0], Position::After(function.into()));
    module.cast(copies[0]).unwrap()
}

#[test]
fn other_functions_are_left_alone() {
    let mut sample = Sample::with_loop();
    let other = second_function(&mut sample.module, sample.function);
    let blocks: Vec<Block> = sample.module.blocks(other).collect();
    let mut editor = sample.editor();
    let before = print(editor.module());
    for block in blocks {
        for at in [Cursor::BeforeBlock(block), Cursor::AfterBlock(block)] {
            assert!(!try_all(&mut editor, at));
        }
        assert_eq!(editor.remove_jump(block).unwrap_err().fault, EditFault::Outside);
    }
    assert_eq!(print(editor.module()), before);
}

#[test]
fn fragments_are_of_one_editor() {
    let mut sample = Sample::with_loop();
    let (then, after, t) = (sample.block("then"), sample.block("after"), sample.inst("t"));
    let mut other = Sample::with_loop();
    let mut stranger = other.editor();
    let foreign = stranger.extract(Cursor::Before(t), Cursor::After(t)).unwrap();
    let mut editor = sample.editor();
    let before = print(editor.module());
    assert_eq!(editor.clone_fragment(&foreign, &mut Copies::new()).unwrap_err().fault, EditFault::OtherEditor);
    let refused = editor.insert(Cursor::BeforeBlock(after), foreign).unwrap_err();
    assert_eq!(refused.error.fault, EditFault::OtherEditor);
    assert!(editor.delete(refused.fragment).is_empty());
    assert_eq!(print(editor.module()), before);
    // Nor of an editor that is gone, though of the same function.
    let late = editor.extract(Cursor::Before(t), Cursor::After(t)).unwrap();
    let mut editor = sample.editor();
    assert_eq!(editor.insert(Cursor::BeforeBlock(then), late).unwrap_err().error.fault, EditFault::OtherEditor);
}

#[test]
fn nothing_moves_into_itself() {
    let mut sample = Sample::with_loop();
    let (entry, then, done) = (sample.block("entry"), sample.block("then"), sample.block("done"));
    let mut editor = sample.editor();
    let before = print(editor.module());
    let fragment = editor.extract(Cursor::AfterBlock(entry), Cursor::BeforeBlock(done)).unwrap();
    let origin = fragment.origin().unwrap();
    let refused = editor.insert(Cursor::BeforeBlock(then), fragment).unwrap_err();
    assert_eq!(refused.error.fault, EditFault::Outside);
    editor.insert(origin, refused.fragment).unwrap();
    assert_eq!(print(editor.module()), before);
}

#[test]
fn ranges_run_forward_in_one_list() {
    let mut sample = Sample::with_loop();
    let [entry, body, then, after, done] = ["entry", "body", "then", "after", "done"].map(|name| sample.block(name));
    let (x, y) = (sample.inst("x"), sample.inst("y"));
    let mut editor = sample.editor();
    let before = print(editor.module());
    let bad = [
        (Cursor::After(x), Cursor::Before(x)),
        (Cursor::BeforeBlock(done), Cursor::BeforeBlock(entry)),
        (Cursor::BeforeBlock(after), Cursor::AfterBlock(body)),
        (Cursor::BeforeBlock(body), Cursor::AfterBlock(then)),
        (Cursor::BeforeBlock(then), Cursor::AfterBlock(after)),
        (Cursor::Before(x), Cursor::After(y)),
    ];
    for (from, to) in bad {
        assert_eq!(editor.extract(from, to).unwrap_err().fault, EditFault::Range, "{from:?} {to:?}");
        assert!(editor.remove(from, to).is_err() && editor.copy(from, to, &mut Copies::new()).is_err());
    }
    assert_eq!(print(editor.module()), before);
}

#[test]
fn cases_that_fall_through_keep_their_order() {
    let mut sample = Sample::with_switch();
    let [p, e, q] = ["p", "e", "q"].map(|name| sample.block(name));
    let construct = sample.construct("entry");
    let mut editor = sample.editor();
    // A case that falls through is not kept alone, and its edge beside holds no code: a second case would fall to the same.
    assert_eq!(editor.keep_list(construct, Role::Case(1)).unwrap_err().fault, EditFault::Jump(q));
    assert!(editor.insert_if(Cursor::BeforeBlock(e), inst(editor.module(), "yes")).is_err());
    assert_eq!(editor.remove_jump(e).unwrap_err().inst, e.into());
    hold(&editor);
    // A case does not fall through to itself.
    let jump: Inst = editor.module().terminator(p).unwrap().into();
    let fragment = editor.extract(Cursor::AfterBlock(p), Cursor::After(jump)).unwrap();
    hold(&editor);
    let merge = editor.insert(Cursor::BeforeBlock(q), fragment).unwrap_err();
    assert!(matches!(merge.error.fault, EditFault::Jump(_) | EditFault::CodeBehind), "{}", merge.error);
    let origin = merge.fragment.origin().unwrap();
    editor.insert(origin, merge.fragment).unwrap();
    assert!(editor.module().successors(p).eq([q]));
    hold(&editor);
}

#[test]
fn jumps_with_remapped_targets_are_held_anew() {
    let mut sample = Sample::with_loop();
    let (then, done, next) = (sample.block("then"), sample.block("done"), sample.block("next"));
    let (after, one, yes) = (sample.block("after"), sample.inst("one"), sample.inst("yes"));
    let mut editor = sample.editor();
    let jump: Inst = editor.module().terminator(then).unwrap().into();
    let mut before = print(editor.module());
    // A value of the wrong type; the jump to the merge block turned to a break, a continue, no block at all, back to itself.
    let turns: [(Inst, Inst, bool); 5] = [
        (editor.module().operand(jump, 1), yes, false),
        (after.into(), done.into(), true),
        (after.into(), next.into(), true),
        (after.into(), one, false),
        (after.into(), then.into(), false),
    ];
    for (from, to, is_good) in turns {
        let mut copies = Copies::new();
        copies.set(from, to);
        let jump: Inst = editor.module().terminator(then).unwrap().into();
        let copy = editor.copy(Cursor::Before(jump), Cursor::After(jump), &mut copies).unwrap();
        match editor.insert(Cursor::Before(jump), copy) {
            Ok(()) => {
                assert!(is_good, "{from:?} to {to:?}");
                hold(&editor);
                return_to(&mut editor, then, after);
                before = print(editor.module());
            }
            Err(refused) => {
                assert!(!is_good, "{}", refused.error);
                editor.delete(refused.fragment);
            }
        }
        if !is_good {
            assert_eq!(print(editor.module()), before);
        }
    }
}

fn return_to(editor: &mut TreeEditor<'_>, block: Block, target: Block) {
    editor.remove_jump(block).unwrap();
    assert!(editor.module().successors(block).eq([target]));
}

type Damage = fn(&mut Sample);

#[test]
fn damaged_functions_have_no_tree() {
    let broken: [(&str, Damage); 4] = [
        ("a block without end", |sample| {
            let end = sample.module.terminator(sample.block("done")).unwrap();
            sample.module.edit().delete(end);
        }),
        ("a merge block that is none", |sample| {
            let open = sample.module.terminator(sample.block("body")).unwrap();
            let (merge, one) = (sample.block("after"), sample.inst("one"));
            let index = sample.module.operands(open).position(|operand| operand == merge.into()).unwrap();
            sample.module.edit().set_operand(open, index, one);
        }),
        ("too few operands", |sample| {
            let block = sample.block("after");
            sample.module.edit().replace_terminator(block, Op::Branch, &[]);
        }),
        ("a merge block of two", |sample| {
            let open = sample.module.terminator(sample.block("body")).unwrap();
            let (merge, done) = (sample.block("after"), sample.block("done"));
            let index = sample.module.operands(open).position(|operand| operand == merge.into()).unwrap();
            sample.module.edit().set_operand(open, index, done);
        }),
    ];
    for (what, damage) in broken {
        let mut sample = Sample::with_loop();
        damage(&mut sample);
        assert!(ControlTree::compute(&sample.module, sample.function).is_err(), "{what}");
        assert!(TreeEditor::new(&mut sample.module, sample.function).is_err(), "{what}");
        let at = Cursor::BeforeBlock(sample.block("entry"));
        assert!(TreeBuilder::at(&mut sample.module, sample.function, at).is_err(), "{what}");
    }
    let mut declared = Sample::without_body();
    assert!(ControlTree::compute(&declared.module, declared.function).is_err());
    assert!(TreeEditor::new(&mut declared.module, declared.function).is_err());
}

#[test]
fn the_entry_stays_the_entry() {
    let mut sample = Sample::with_loop();
    let (entry, done, yes) = (sample.block("entry"), sample.block("done"), sample.inst("yes"));
    let mut editor = sample.editor();
    editor.insert_loop(Cursor::BeforeBlock(entry), &[yes]).unwrap();
    hold(&editor);
    assert_eq!(editor.module().entry(editor.function()), Some(entry));
    let last = editor.tree().unwrap();
    let end = Cursor::end(editor.module(), &last, last.root());
    let all = editor.extract(Cursor::BeforeBlock(entry), end).unwrap();
    assert_eq!(editor.module().blocks(editor.function()).collect::<Vec<_>>(), [entry]);
    hold(&editor);
    assert!(all.contains(done));
    editor.delete(all);
    hold(&editor);
}
