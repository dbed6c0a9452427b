//! What edits do: N13 to N24.

use reconverge_control_tree::{ConstructKind, Cursor, EditFault, Jump, JumpKind, Node, Role};
use reconverge_ir::text::print;
use reconverge_ir::{Copies, Inst, Op};

use crate::support::{Sample, block, copied, drawn, hold, inst, reinsert};

#[test]
fn n13_four_positions_and_equal_cursors() {
    let sample = Sample::with_loop();
    let (body, after, construct) = (sample.block("body"), sample.block("after"), sample.construct("body"));
    let [y, v, w] = ["y", "v", "w"].map(|name| sample.inst(name));
    let (module, tree) = (&sample.module, sample.tree());
    let end: Inst = module.terminator(body).unwrap().into();
    let normal = |cursor: Cursor| cursor.normalize(module).unwrap();
    // Before and after a block, before and after an instruction.
    assert_eq!(normal(Cursor::BeforeBlock(body)), normal(Cursor::Before(y)));
    assert_eq!(normal(Cursor::After(y)), normal(Cursor::AfterBlock(body)));
    assert_eq!(normal(Cursor::AfterBlock(body)), normal(Cursor::Before(end)));
    // Before a block is behind its parameters: they are of the construct that feeds them.
    assert_eq!(normal(Cursor::BeforeBlock(after)), normal(Cursor::Before(w)));
    assert_eq!(normal(Cursor::BeforeBlock(after)), normal(Cursor::After(v)));
    assert_eq!(Cursor::Before(v).normalize(module), None);
    // Around nodes and lists.
    assert_eq!(normal(Cursor::before(Node::Construct(construct))), normal(Cursor::AfterBlock(body)));
    assert_eq!(normal(Cursor::after(module, &tree, Node::Construct(construct))), normal(Cursor::BeforeBlock(after)));
    assert_eq!(normal(Cursor::before(Node::Block(after))), normal(Cursor::BeforeBlock(after)));
    assert_eq!(normal(Cursor::after(module, &tree, Node::Block(after))), normal(Cursor::AfterBlock(after)));
    let list = tree.list_of(body).unwrap();
    assert_eq!(Cursor::begin(&tree, list), Cursor::BeforeBlock(sample.block("header")));
    let jump: Inst = module.terminator(after).unwrap().into();
    assert_eq!(normal(Cursor::end(module, &tree, list)), Cursor::After(jump));
}

#[test]
fn n14_insertion_splits_and_stitches_and_leaves_nothing_behind() {
    let mut sample = Sample::with_loop();
    let (then, body) = (sample.block("then"), sample.block("body"));
    let mut editor = sample.editor();
    let ty = editor.module().ty(inst(editor.module(), "one"));
    let one = inst(editor.module(), "one");
    // Instructions alone split no block.
    let blocks = editor.module().blocks(editor.function()).count();
    let fragment = editor.empty_fragment();
    editor.editor().append(fragment.first_block(), Op::IAdd, ty, &[one, one]);
    editor.insert(Cursor::BeforeBlock(then), fragment).unwrap();
    assert_eq!(editor.module().blocks(editor.function()).count(), blocks);
    assert_eq!(editor.module().children(then).count(), 3);
    // An empty fragment leaves nothing.
    let before = print(editor.module());
    let fragment = editor.empty_fragment();
    editor.insert(Cursor::AfterBlock(body), fragment).unwrap();
    assert_eq!(print(editor.module()), before);
    // A construct in the middle: the block at the cursor keeps its head, the merge block gets its tail.
    let condition = inst(editor.module(), "yes");
    let y = inst(editor.module(), "y");
    let made = editor.insert_if(Cursor::After(y), condition).unwrap();
    assert_eq!(made.construct.opener(), body);
    assert_eq!(editor.next(body), Some(made.merge));
    hold(&editor);
    editor.remove_construct(made.construct).unwrap();
    assert_eq!(print(editor.module()), before);
}

#[test]
fn n15_extract_and_reinsert_is_nothing() {
    let mut sample = Sample::with_loop();
    let [x, w, s] = ["x", "w", "s"].map(|name| sample.inst(name));
    let [entry, header, body, after, done] =
        ["entry", "header", "body", "after", "done"].map(|name| sample.block(name));
    let mut editor = sample.editor();
    let end: Inst = editor.module().terminator(done).unwrap().into();
    let jump: Inst = editor.module().terminator(after).unwrap().into();
    reinsert(&mut editor, Cursor::Before(x), Cursor::After(x));
    reinsert(&mut editor, Cursor::After(x), Cursor::BeforeBlock(done));
    reinsert(&mut editor, Cursor::Before(x), Cursor::After(s));
    reinsert(&mut editor, Cursor::BeforeBlock(entry), Cursor::After(end));
    reinsert(&mut editor, Cursor::AfterBlock(body), Cursor::After(w));
    reinsert(&mut editor, Cursor::AfterBlock(body), Cursor::After(jump));
    reinsert(&mut editor, Cursor::AfterBlock(header), Cursor::AfterBlock(after));
    reinsert(&mut editor, Cursor::AfterBlock(body), Cursor::AfterBlock(body));
    hold(&editor);
}

#[test]
fn n15_clones_are_remapped_and_removal_is_extraction_and_deletion() {
    let mut sample = Sample::with_loop();
    let (body, after, done) = (sample.block("body"), sample.block("after"), sample.block("done"));
    let (y, t) = (sample.inst("y"), sample.inst("t"));
    let mut editor = sample.editor();
    let before = print(editor.module());
    // What is inside is turned to the copy, what is outside stays.
    let (copy, copies) = copied(&mut editor, Cursor::AfterBlock(body), Cursor::BeforeBlock(after));
    assert_eq!(print(editor.module()), before);
    let image = copies.image(t);
    assert_ne!(image, t);
    assert_eq!(editor.module().operands(image).collect::<Vec<_>>(), [y, y]);
    // Unless the table says otherwise; the same table gives a new copy each time.
    let one = inst(editor.module(), "one");
    let mut copies = Copies::new();
    copies.set(y, one);
    let second = editor.clone_fragment(&copy, &mut copies).unwrap();
    let turned = copies.image(image);
    assert_eq!(editor.module().operands(turned).collect::<Vec<_>>(), [one, one]);
    let third = editor.clone_fragment(&copy, &mut copies).unwrap();
    assert_ne!(copies.image(image), turned);
    for fragment in [copy, second] {
        editor.delete(fragment);
    }
    assert_eq!(print(editor.module()), before);
    editor.insert(Cursor::AfterBlock(done), third).unwrap();
    hold(&editor);
    let tree = editor.tree().unwrap();
    assert_eq!(
        drawn(editor.module(), &tree),
        "entry {header {exit} body {then | else} after | next} done {then | else} after"
    );
    // Removal leaves what extraction and deletion would.
    let construct = tree.opened_by(done).unwrap();
    editor.remove_construct(construct).unwrap();
    assert_eq!(print(editor.module()), before);
}

#[test]
fn n16_parameters_belong_to_the_construct_that_feeds_them() {
    let mut sample = Sample::with_loop();
    let (body, after, v, w) = (sample.block("body"), sample.block("after"), sample.inst("v"), sample.inst("w"));
    let mut editor = sample.editor();
    let before = print(editor.module());
    // No cursor stands before a parameter, so no range parts it from its construct.
    for (from, to) in [(Cursor::Before(v), Cursor::After(w)), (Cursor::AfterBlock(body), Cursor::Before(v))] {
        let error = editor.extract(from, to).unwrap_err();
        assert_eq!(error.fault, EditFault::Place);
    }
    assert_eq!(print(editor.module()), before);
    // A range from the start of a block begins behind them; one that ends there takes them along with the construct.
    let fragment = editor.extract(Cursor::BeforeBlock(after), Cursor::After(w)).unwrap();
    assert_eq!(editor.module().parameters(after).count(), 1);
    let at = fragment.origin().unwrap();
    editor.insert(at, fragment).unwrap();
    let fragment = editor.extract(Cursor::AfterBlock(body), Cursor::BeforeBlock(after)).unwrap();
    assert!(fragment.contains(after) && fragment.last_block() == after);
    assert_eq!(editor.module().block_of(v), Some(after));
    assert_eq!(editor.module().block_of(w), Some(body));
    editor.delete(fragment);
    hold(&editor);
}

#[test]
fn n17_edits_keep_arguments_and_not_dominance() {
    // Repair is for the caller: `crates/testing/tests/control_tree` shows it with the verifier.
    let mut sample = Sample::with_loop();
    let (body, then, y, t) = (sample.block("body"), sample.block("then"), sample.inst("y"), sample.inst("t"));
    let mut editor = sample.editor();
    let fragment = editor.extract(Cursor::Before(y), Cursor::After(y)).unwrap();
    editor.insert(Cursor::BeforeBlock(then), fragment).unwrap();
    hold(&editor);
    assert_eq!(editor.module().block_of(y), Some(then));
    assert_eq!(editor.module().next(y), Some(t));
    // The other arm still passes it, though it is not there any more.
    let otherwise = editor.ends(body, Role::Else).unwrap().0;
    let jump = editor.module().terminator(otherwise).unwrap();
    assert_eq!(editor.module().arguments(jump).collect::<Vec<_>>(), [y]);
}

#[test]
fn n18_jumps_stay_in_what_they_leave() {
    let mut sample = Sample::with_loop();
    let (header, after, done) = (sample.block("header"), sample.block("after"), sample.block("done"));
    let exit = sample.inst("exit");
    let mut editor = sample.editor();
    let before = print(editor.module());
    // A conditional break cannot stand behind its loop.
    let fragment =
        editor.extract(Cursor::AfterBlock(header), Cursor::BeforeBlock(block(editor.module(), "body"))).unwrap();
    let origin = fragment.origin().unwrap();
    let refused = editor.insert(Cursor::AfterBlock(done), fragment).unwrap_err();
    assert_eq!(refused.error.fault, EditFault::Jump(done));
    assert_eq!(refused.error.inst, exit);
    // It comes back unchanged, and goes where it was.
    editor.insert(origin, refused.fragment).unwrap();
    assert_eq!(print(editor.module()), before);
    // Nor can a break be added where there is no loop, or the wrong values passed.
    let error = editor.add_jump(Cursor::BeforeBlock(done), JumpKind::Break, &[]).unwrap_err();
    assert_eq!(error.fault, EditFault::NothingToLeave);
    let error = editor.add_jump(Cursor::AfterBlock(after), JumpKind::Break, &[]).unwrap_err();
    assert_eq!(error.fault, EditFault::Arguments);
    let yes = inst(editor.module(), "yes");
    let error = editor.add_jump(Cursor::AfterBlock(after), JumpKind::Break, &[yes]).unwrap_err();
    assert_eq!(error.fault, EditFault::Arguments);
    let error = editor.add_jump(Cursor::AfterBlock(after), JumpKind::Return(None), &[]).unwrap_err();
    assert_eq!(error.fault, EditFault::Arguments);
    assert_eq!(print(editor.module()), before);
}

#[test]
fn n19_a_jump_added_and_removed_leaves_undefined_arguments() {
    let mut sample = Sample::with_loop();
    let (then, after, done, t) = (sample.block("then"), sample.block("after"), sample.block("done"), sample.inst("t"));
    let looped = sample.construct("entry");
    let mut editor = sample.editor();
    let before = print(editor.module());
    let rest = editor.add_jump(Cursor::AfterBlock(then), JumpKind::Break, &[t]).unwrap();
    let tree = editor.tree().unwrap();
    let edge = editor.module().out_edges(then).next().unwrap();
    assert_eq!((editor.module().target(edge), tree.jump(edge)), (Some(done), Some(Jump::Break(looped))));
    hold(&editor);
    editor.delete(rest);
    editor.remove_jump(then).unwrap();
    hold(&editor);
    let jump = editor.module().terminator(then).unwrap();
    let passed: Vec<Inst> = editor.module().arguments(jump).collect();
    assert!(editor.module().successors(then).eq([after]));
    assert_eq!(editor.module().op(passed[0]), Op::Undef);
    // But for the undefined value all is as before.
    editor.editor().replace_all_uses(passed[0], t);
    editor.editor().delete(passed[0]);
    assert_eq!(print(editor.module()), before);
    // A natural end is no jump that could go.
    editor.remove_jump(then).unwrap();
    assert_eq!(print(editor.module()), before);
}

#[test]
fn n20_code_behind_a_jump_is_in_no_list() {
    let mut sample = Sample::with_loop();
    let (then, t) = (sample.block("then"), sample.inst("t"));
    let mut editor = sample.editor();
    let rest = editor.add_jump(Cursor::AfterBlock(then), JumpKind::Break, &[t]).unwrap();
    editor.delete(rest);
    let condition = inst(editor.module(), "yes");
    let jump: Inst = editor.module().terminator(then).unwrap().into();
    let made = editor.insert_if(Cursor::After(jump), condition).unwrap();
    hold(&editor);
    let tree = editor.tree().unwrap();
    // It stands in the function, goes on where the list would, and nothing goes there.
    assert_eq!(tree.list_of(made.merge), None);
    assert_eq!(tree.outside().len(), 4);
    let after = block(editor.module(), "after");
    assert!(editor.module().successors(made.merge).eq([after]));
    assert_eq!(
        editor.extract(Cursor::BeforeBlock(made.then), Cursor::AfterBlock(made.then)).unwrap_err().fault,
        EditFault::Outside
    );
}

#[test]
fn n21_uses_of_what_is_deleted_become_undefined() {
    let mut sample = Sample::with_loop();
    let (body, then) = (sample.block("body"), sample.block("then"));
    let (y, t) = (sample.inst("y"), sample.inst("t"));
    let mut editor = sample.editor();
    let undefined = editor.remove(Cursor::Before(y), Cursor::After(y)).unwrap();
    // They come back: two in `t`, one that the other arm passes.
    assert_eq!(undefined.len(), 3);
    assert!(!editor.module().is_live(y));
    let operands: Vec<Inst> = editor.module().operands(t).collect();
    assert!(operands.iter().all(|&operand| editor.module().op(operand) == Op::Undef));
    assert_eq!(editor.module().block_of(t), Some(then));
    assert_eq!(editor.module().children(body).count(), 1);
    hold(&editor);
}

#[test]
fn n22_a_condition_is_an_operand_like_others() {
    let mut sample = Sample::with_loop();
    let [c, yes] = ["c", "yes"].map(|name| sample.inst(name));
    let mut editor = sample.editor();
    let count = editor.module().uses(c).count();
    assert_eq!(count, 2);
    editor.editor().replace_all_uses(c, yes);
    hold(&editor);
    let body = block(editor.module(), "body");
    let open = editor.module().terminator(body).unwrap();
    assert!(editor.module().operands(open).any(|operand| operand == yes));
    assert_eq!(editor.module().uses(yes).count(), count);
}

#[test]
fn n23_a_continue_list_is_kept_and_can_hold_no_early_end() {
    let mut sample = Sample::with_loop();
    let (entry, next, l) = (sample.block("entry"), sample.block("next"), sample.inst("l"));
    let mut editor = sample.editor();
    assert_eq!(editor.ends(entry, Role::Continue), Some((next, next)));
    let faults = [
        (JumpKind::Break, EditFault::NothingToLeave),
        (JumpKind::Continue, EditFault::NothingToLeave),
        (JumpKind::Return(Some(l)), EditFault::EndsInContinue),
        (JumpKind::Kill, EditFault::EndsInContinue),
    ];
    for (kind, fault) in faults {
        let passed = if matches!(kind, JumpKind::Break | JumpKind::Continue) { vec![l] } else { Vec::new() };
        assert_eq!(editor.add_jump(Cursor::BeforeBlock(next), kind, &passed).unwrap_err().fault, fault);
    }
    // Constructs can stand there.
    let condition = inst(editor.module(), "yes");
    let made = editor.insert_if(Cursor::BeforeBlock(next), condition).unwrap();
    hold(&editor);
    assert_eq!(editor.ends(entry, Role::Continue), Some((next, made.merge)));
    // Without one, a loop is of one block; it gets one when its body becomes more.
    let mut sample = Sample::new(
        "block ^entry:\n  loop ^h(%n) break ^m continue ^h\nblock ^h(%i: %u32):\n  %j: %u32 = i_add %i, %one\n  \
         branch_if %c ^back ^out\nedge ^back:\n  branch ^h(%j)\nedge ^out:\n  branch ^m(%j)\n\
         block ^m(%k: %u32):\n  return_value %k\n",
    );
    let (entry, header) = (sample.block("entry"), sample.block("h"));
    let mut editor = sample.editor();
    assert_eq!(editor.ends(entry, Role::Continue), None);
    editor.insert_if(Cursor::BeforeBlock(header), condition).unwrap();
    assert!(editor.ends(entry, Role::Continue).is_some());
    hold(&editor);
}

#[test]
fn n24_behind_an_endless_loop_stands_a_block_that_nothing_reaches() {
    let mut sample = Sample::new(
        "block ^entry:\n  loop ^h break ^m continue ^k\nblock ^h:\n  branch ^k\nblock ^k:\n  branch ^h\n\
         block ^m:\n  return_value %n\n",
    );
    let (tree, merge) = (sample.tree(), sample.block("m"));
    // No fake edge; the block stands in its list all the same, and is a place for code.
    assert_eq!(sample.module.predecessors(merge).count(), 0);
    assert_eq!(tree.list_of(merge), Some(tree.root()));
    assert_eq!(tree.closed_by(merge).map(|construct| tree.construct(construct).kind), Some(ConstructKind::Loop));
    let (header, yes) = (sample.block("h"), sample.inst("yes"));
    let mut editor = sample.editor();
    editor.insert_if(Cursor::BeforeBlock(merge), yes).unwrap();
    hold(&editor);
    // The only break taken away: the body falls to the continue target, the block behind loses its way in.
    let rest = editor.add_jump(Cursor::AfterBlock(header), JumpKind::Break, &[]).unwrap();
    editor.delete(rest);
    assert_eq!(editor.module().predecessors(merge).count(), 1);
    editor.remove_jump(header).unwrap();
    assert_eq!(editor.module().predecessors(merge).count(), 0);
    hold(&editor);
}

#[test]
fn what_stands_among_no_others_is_not_inserted() {
    let mut sample = Sample::with_loop();
    let (then, one) = (sample.block("then"), sample.inst("t"));
    let ty = sample.module.ty(one);
    let before = print(&sample.module);
    let mut editor = sample.editor();
    let at = Cursor::BeforeBlock(then);
    let wrong = [
        (Op::Return, None),
        (Op::Block, None),
        (Op::BlockParameter, ty),
        (Op::Variable, ty),
        (Op::Constant, ty),
        (Op::IAdd, None),
        (Op::Store, ty),
    ];
    for (op, ty) in wrong {
        let error = editor.insert_inst(at, op, ty, &[one, one]).unwrap_err();
        assert_eq!(error.fault, EditFault::Instruction(op));
    }
    drop(editor);
    assert_eq!(print(&sample.module), before);
}
