//! Random edits, one after the other. Half of the cursors are nonsense, which must be refused.

use std::collections::BTreeMap;

use reconverge_control_tree::{Construct, Cursor, EditError, Fragment, JumpKind, Owner, Role, TreeBuilder, TreeEditor};
use reconverge_ir::{Block, Copies, Function, Inst, Module, Op, text};
use reconverge_testing::random::Random;

use super::build::build_at_random;
use super::judge::{check_meanwhile, hold, shape};

/// What may grow no further.
const CAPACITY: usize = 4_000;

/// By kind: how many edits were made and how many refused.
pub(crate) type Counts = BTreeMap<&'static str, [usize; 2]>;

/// A function under edits.
pub(crate) struct Trial<'m> {
    editor: TreeEditor<'m>,
    random: Random,
    log: Vec<String>,
    counts: Counts,
}

type Step = fn(&mut Trial<'_>) -> Result<(), EditError>;

const STEPS: [(&str, Step); 20] = [
    ("extract and reinsert", |trial| trial.extract_and_reinsert()),
    ("extract and reinsert", |trial| trial.extract_and_reinsert()),
    ("move", |trial| trial.move_range()),
    ("move", |trial| trial.move_range()),
    ("move a construct", |trial| trial.move_construct()),
    ("remove", |trial| trial.remove()),
    ("copy", |trial| trial.copy()),
    ("clone", |trial| trial.clone_fragment()),
    ("insert instructions", |trial| trial.insert_insts()),
    ("add jump", |trial| trial.add_jump()),
    ("add jump", |trial| trial.add_jump()),
    ("insert exit", |trial| trial.insert_exit()),
    ("remove jump", |trial| trial.remove_jump()),
    ("remove jump", |trial| trial.remove_jump()),
    ("insert if", |trial| trial.insert_if()),
    ("insert loop", |trial| trial.insert_loop()),
    ("insert switch", |trial| trial.insert_switch()),
    ("split", |trial| trial.split()),
    ("stitch", |trial| trial.stitch()),
    ("keep list", |trial| trial.keep_list()),
];

/// Makes so many random edits of a function and holds everything against brute force after each.
pub(crate) fn make_edits(module: &mut Module, function: Function, seed: u64, edits: usize) -> Counts {
    let mut random = Random::new(seed);
    let mut counts = Counts::new();
    let mut log = vec![format!("seed {seed}")];
    let mut left = edits;
    while left > 0 {
        let count = left.min(random.between(1, 8));
        left -= count;
        let editor = TreeEditor::new(module, function).unwrap();
        let mut trial = Trial { editor, random: random.clone(), log, counts };
        trial.run(count);
        (random, log, counts) = (trial.random, trial.log, trial.counts);
        if left > 0 && module.capacity() < CAPACITY {
            left -= 1;
            build(module, function, &mut random, &mut log, &mut counts);
        }
    }
    counts
}

/// Puts something built by the balanced builder at a random cursor.
fn build(module: &mut Module, function: Function, random: &mut Random, log: &mut Vec<String>, counts: &mut Counts) {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let at = cursor_in(module, random, *random.clone().choose(&blocks));
    log.push(format!("build at {at:?}"));
    let builder = TreeBuilder::at(module, function, at).unwrap();
    let built: Result<Function, EditError> = build_at_random(builder, random);
    let index = usize::from(built.is_err());
    counts.entry("build").or_default()[index] += 1;
    if let Err(error) = built {
        log.push(format!("{error}"));
    }
    let editor = TreeEditor::new(module, function).unwrap();
    if let Err(message) = hold(&editor) {
        panic!("{message}\n{}\n{}{:#?}", text::print(editor.module()), shape(&editor), log);
    }
}

fn cursor_in(module: &Module, random: &mut Random, block: Block) -> Cursor {
    let insts: Vec<Inst> = module.children(block).collect();
    match random.below(8) {
        0 | 1 => Cursor::BeforeBlock(block),
        2 | 3 => Cursor::AfterBlock(block),
        4 | 5 => Cursor::Before(*random.choose(&insts)),
        _ => Cursor::After(*random.choose(&insts)),
    }
}

impl Trial<'_> {
    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            let (name, step) = *self.random.choose(&STEPS);
            let result = step(self);
            self.counts.entry(name).or_default()[usize::from(result.is_err())] += 1;
            if let Err(error) = result {
                self.log.push(format!("  {error}"));
            }
            if let Err(message) = hold(&self.editor) {
                let after = text::print(self.editor.module());
                panic!("{message}\n{after}\n{}{:#?}", shape(&self.editor), self.log);
            }
        }
    }

    fn check_meanwhile(&self) {
        check_meanwhile(&self.editor)
            .unwrap_or_else(|message| panic!("{message}\n{}{:#?}", shape(&self.editor), self.log));
    }

    fn note(&mut self, text: String) {
        self.log.push(text);
    }

    fn is_full(&self) -> bool {
        self.editor.module().capacity() > CAPACITY
    }

    fn block(&mut self) -> Block {
        let blocks: Vec<Block> = self.editor.module().blocks(self.editor.function()).collect();
        *self.random.choose(&blocks)
    }

    fn cursor(&mut self) -> Cursor {
        let block = self.block();
        if self.random.chance(20) {
            let tree = self.editor.tree().unwrap();
            let lists: Vec<_> = tree.lists().collect();
            let list = *self.random.choose(&lists);
            return match self.random.below(2) {
                0 => Cursor::begin(&tree, list),
                _ => Cursor::end(self.editor.module(), &tree, list),
            };
        }
        cursor_in(self.editor.module(), &mut self.random, block)
    }

    /// Two cursors, more often than not of one list.
    fn range(&mut self) -> (Cursor, Cursor) {
        let first = self.block();
        let mut last = first;
        while self.random.chance(60) {
            last = self.editor.next(last).unwrap_or(last);
        }
        let from = cursor_in(self.editor.module(), &mut self.random, first);
        let to = match self.random.chance(5) {
            true => self.cursor(),
            false => cursor_in(self.editor.module(), &mut self.random, last),
        };
        (from, to)
    }

    fn construct(&mut self) -> Option<Construct> {
        let tree = self.editor.tree().unwrap();
        let constructs: Vec<Construct> = tree.constructs().map(|construct| construct.name()).collect();
        (!constructs.is_empty()).then(|| *self.random.choose(&constructs))
    }

    fn condition(&mut self) -> Inst {
        let bool_type = self.editor.editor().unique(Op::TypeBool, None, &[]);
        self.editor.editor().unique(Op::ConstantTrue, Some(bool_type), &[])
    }

    fn jump_kind(&mut self) -> JumpKind {
        let kinds = [
            JumpKind::Break,
            JumpKind::Break,
            JumpKind::Continue,
            JumpKind::LeaveSwitch,
            JumpKind::LeaveScope,
            JumpKind::LeaveScope,
            JumpKind::Unreachable,
            JumpKind::Return(None),
        ];
        match *self.random.choose(&kinds) {
            JumpKind::Return(_) => {
                let module = self.editor.module();
                let ty = module.ty(self.editor.function()).filter(|&ty| module.op(ty) != Op::TypeVoid);
                let value = ty.map(|ty| self.editor.editor().append_global(Op::Undef, Some(ty), &[]));
                JumpKind::Return(value)
            }
            kind => kind,
        }
    }

    /// What a jump passes, where the place can be found by its block.
    fn arguments(&mut self, at: Cursor, kind: JumpKind) -> Vec<Inst> {
        let target = at.block(self.editor.module()).and_then(|block| {
            let module = self.editor.module();
            let mut around = self.editor.around(block);
            let (opener, _) = match kind {
                JumpKind::LeaveSwitch => around.find(|(_, role)| matches!(role, Role::Case(_)))?,
                JumpKind::LeaveScope => {
                    around.find(|(_, role)| matches!(role, Role::Then | Role::Else | Role::Join))?
                }
                JumpKind::Break | JumpKind::Continue => {
                    around.find(|(_, role)| matches!(role, Role::Body | Role::Continue))?
                }
                _ => return None,
            };
            let open = module.terminator(opener)?;
            match kind {
                JumpKind::Continue => module.continue_block(open),
                _ => module.merge_block(open),
            }
        });
        let Some(target) = target else { return Vec::new() };
        let module = self.editor.module();
        let types: Vec<Inst> = module.parameters(target).filter_map(|it| module.ty(it)).collect();
        types.into_iter().map(|ty| self.editor.editor().append_global(Op::Undef, Some(ty), &[])).collect()
    }

    /// Puts a fragment somewhere, or deletes it if that is refused.
    fn put(&mut self, at: Cursor, fragment: Fragment) {
        if let Err(refused) = self.editor.insert(at, fragment) {
            self.note(format!("  refused: {}", refused.error));
            self.check_meanwhile();
            self.editor.delete(refused.fragment);
        }
    }

    fn extract_and_reinsert(&mut self) -> Result<(), EditError> {
        let (from, to) = self.range();
        self.note(format!("extract and reinsert {from:?} {to:?}"));
        let before = text::print(self.editor.module());
        let fragment = self.editor.extract(from, to)?;
        self.check_meanwhile();
        let at = fragment.origin().unwrap();
        self.editor.insert(at, fragment)?;
        let after = text::print(self.editor.module());
        assert!(before == after, "{:#?}\n{before}\n{after}", self.log);
        Ok(())
    }

    fn move_range(&mut self) -> Result<(), EditError> {
        let ((from, to), at) = (self.range(), self.cursor());
        self.note(format!("move {from:?} {to:?} to {at:?}"));
        let fragment = self.editor.extract(from, to)?;
        self.put(at, fragment);
        Ok(())
    }

    /// Takes out a construct, and puts it anywhere, into itself too.
    fn move_construct(&mut self) -> Result<(), EditError> {
        let Some(construct) = self.construct() else { return Ok(()) };
        let at = self.cursor();
        let from = Cursor::AfterBlock(construct.opener());
        let tree = self.editor.tree().unwrap();
        let to = Cursor::after(self.editor.module(), &tree, reconverge_control_tree::Node::Construct(construct));
        self.note(format!("move construct {from:?} {to:?} to {at:?}"));
        let fragment = self.editor.extract(from, to)?;
        self.put(at, fragment);
        Ok(())
    }

    fn remove(&mut self) -> Result<(), EditError> {
        if self.random.chance(40)
            && let Some(construct) = self.construct()
        {
            self.note(format!("remove construct {construct:?}"));
            return self.editor.remove_construct(construct).map(|_| ());
        }
        let (from, to) = self.range();
        self.note(format!("remove {from:?} {to:?}"));
        self.editor.remove(from, to).map(|_| ())
    }

    fn copy(&mut self) -> Result<(), EditError> {
        let ((from, to), at) = (self.range(), self.cursor());
        self.note(format!("copy {from:?} {to:?} to {at:?}"));
        let before = text::print(self.editor.module());
        let copy = self.editor.copy(from, to, &mut Copies::new())?;
        let after = text::print(self.editor.module());
        assert!(before == after, "{:#?}\n{before}\n{after}", self.log);
        match self.is_full() {
            true => drop(self.editor.delete(copy)),
            false => self.put(at, copy),
        }
        Ok(())
    }

    /// Takes a range out, clones it twice with one table, and puts one of the three back.
    fn clone_fragment(&mut self) -> Result<(), EditError> {
        let ((from, to), at) = (self.range(), self.cursor());
        self.note(format!("clone {from:?} {to:?} to {at:?}"));
        let fragment = self.editor.extract(from, to)?;
        let mut copies = Copies::new();
        let first = self.editor.clone_fragment(&fragment, &mut copies)?;
        let second = self.editor.clone_fragment(&first, &mut copies)?;
        let third = self.editor.clone_fragment(&fragment, &mut copies)?;
        let mut all = vec![fragment, first, second, third];
        if !self.is_full() {
            let index = self.random.below(all.len());
            let chosen = all.swap_remove(index);
            self.put(at, chosen);
        }
        for rest in all {
            self.editor.delete(rest);
        }
        Ok(())
    }

    fn insert_insts(&mut self) -> Result<(), EditError> {
        let at = self.cursor();
        self.note(format!("insert instructions at {at:?}"));
        let condition = self.condition();
        let ty = self.editor.module().ty(condition);
        if self.random.chance(50) {
            return self.editor.insert_inst(at, Op::LogicalNot, ty, &[condition]).map(|_| ());
        }
        let fragment = self.editor.empty_fragment();
        for _ in 0..self.random.below(3) {
            self.editor.editor().append(fragment.first_block(), Op::LogicalNot, ty, &[condition]);
        }
        self.put(at, fragment);
        Ok(())
    }

    fn add_jump(&mut self) -> Result<(), EditError> {
        let (at, kind) = (self.cursor(), self.jump_kind());
        let arguments = self.arguments(at, kind);
        self.note(format!("{kind:?} at {at:?}"));
        let rest = self.editor.add_jump(at, kind, &arguments)?;
        self.check_meanwhile();
        let origin = rest.origin().filter(|_| self.random.chance(30));
        let place = origin.unwrap_or_else(|| self.cursor());
        self.note(format!("  the rest to {place:?}"));
        match self.random.chance(50) {
            true => self.put(place, rest),
            false => drop(self.editor.delete(rest)),
        }
        Ok(())
    }

    fn insert_exit(&mut self) -> Result<(), EditError> {
        let (at, kind, condition) = (self.cursor(), self.jump_kind(), self.condition());
        let arguments = self.arguments(at, kind);
        self.note(format!("exit {kind:?} at {at:?}"));
        self.editor.insert_exit(at, condition, kind, &arguments).map(|_| ())
    }

    fn remove_jump(&mut self) -> Result<(), EditError> {
        let block = self.block();
        self.note(format!("remove jump {block:?}"));
        self.editor.remove_jump(block)
    }

    fn insert_if(&mut self) -> Result<(), EditError> {
        let (at, condition) = (self.cursor(), self.condition());
        self.note(format!("if at {at:?}"));
        self.editor.insert_if(at, condition).map(|_| ())
    }

    fn insert_loop(&mut self) -> Result<(), EditError> {
        let at = self.cursor();
        self.note(format!("loop at {at:?}"));
        let initial = [self.condition()];
        let count = self.random.below(2);
        self.editor.insert_loop(at, &initial[..count]).map(|_| ())
    }

    fn insert_switch(&mut self) -> Result<(), EditError> {
        let at = self.cursor();
        self.note(format!("switch at {at:?}"));
        let mut edit = self.editor.editor();
        let words = [edit.word(32), edit.word(0)];
        let int = edit.unique(Op::TypeInt, None, &words);
        let selector = edit.unique(Op::Constant, Some(int), &[words[1]]);
        let literals = [vec![edit.word(1), edit.word(2)], vec![edit.word(7)]];
        self.editor.insert_switch(at, selector, &literals).map(|_| ())
    }

    /// Splits a block, and now and then joins the halves at once: the function is as before.
    fn split(&mut self) -> Result<(), EditError> {
        let at = self.cursor();
        self.note(format!("split {at:?}"));
        let second = self.editor.split(at)?;
        if self.random.chance(30)
            && let Some(first) = self.editor.previous(second)
        {
            self.check_meanwhile();
            self.note(format!("  and stitch {first:?} {second:?}"));
            return self.editor.stitch(first, second);
        }
        Ok(())
    }

    fn stitch(&mut self) -> Result<(), EditError> {
        let module = self.editor.module();
        let goes_on = |&block: &Block| {
            module.terminator(block).is_some_and(|end| module.op(end) == Op::Branch)
                && self.editor.next(block).is_some()
        };
        let candidates: Vec<Block> = module.blocks(self.editor.function()).filter(goes_on).collect();
        let block = if candidates.is_empty() { self.block() } else { *self.random.choose(&candidates) };
        let next = self.editor.next(block).unwrap_or(block);
        self.note(format!("stitch {block:?} {next:?}"));
        self.editor.stitch(block, next)
    }

    fn keep_list(&mut self) -> Result<(), EditError> {
        let Some(construct) = self.construct() else { return Ok(()) };
        let tree = self.editor.tree().unwrap();
        let lists = tree.construct(construct).lists.to_vec();
        let roles = lists.iter().filter_map(|&list| match tree.owner(list) {
            Owner::Construct(_, role) => Some(role),
            Owner::Function => None,
        });
        let roles: Vec<Role> = roles.chain([Role::Else]).collect();
        let role = *self.random.choose(&roles);
        self.note(format!("keep list {role:?} of {construct:?}"));
        let rest = self.editor.keep_list(construct, role)?;
        self.editor.delete(rest);
        Ok(())
    }
}
