//! The control tree under random edits of random structured functions, against brute force after each edit.

use reconverge_ir::control_tree::{
    ConstructKind, ControlTree, Cursor, EditError, Fragment, JumpKind, List, Node, Owner, Role, TreeEditor, pad,
};
use reconverge_ir::{Block, Copies, Function, Inst, Module, Op, text};
use reconverge_passes::Options;
use reconverge_testing::flesh;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::is_deep;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::random::Random;
use reconverge_testing::trial::structurized;
use reconverge_verify::{Code, verify};

fn graph(seed: u64) -> PlainGraph {
    let size = 3 + seed as usize % 23;
    match seed % 4 {
        0 => structured(seed, size, Form::Optimized),
        1 => structured(seed, size, Form::Plain),
        2 => random(seed, size, Cycles::Reducible),
        _ => random(seed, size, Cycles::Irreducible),
    }
}

fn structured_function(seed: u64) -> (Module, Function) {
    let graphs = [graph(seed)];
    let after = structurized(&flesh::with_calls(&graphs, seed), &Options::default(), &graphs).unwrap();
    (after.module, after.functions[0])
}

#[test]
fn structurized_functions_are_trees() {
    for seed in 0..400 {
        let (mut module, function) = structured_function(seed);
        let tree = ControlTree::compute(&module, function).unwrap();
        assert!(tree.outside().is_empty());
        hold_tree(&module, function, &tree).unwrap();
        pad(&mut module, function).unwrap();
        assert!(!pad(&mut module, function).unwrap(), "seed {seed}: padding twice");
        assert_eq!(verify(&module).len(), 0, "seed {seed}");
    }
}

/// Holds a tree against the definition of its parts.
fn hold_tree(module: &Module, function: Function, tree: &ControlTree) -> Result<(), String> {
    let mut seen: Vec<Block> = tree.lists().flat_map(|list| tree.nodes(list).to_vec()).filter_map(block).collect();
    let mut all: Vec<Block> = module.blocks(function).collect();
    seen.extend(tree.outside());
    seen.sort();
    all.sort();
    if seen != all {
        return Err("the lists do not hold each block once".into());
    }
    let (reached, mut outside) = (structurally_reached(module, function), tree.outside().to_vec());
    let mut expected: Vec<Block> = all.iter().copied().filter(|block| !reached.contains(block)).collect();
    (outside.sort(), expected.sort());
    if outside != expected {
        return Err(format!("outside {outside:?}, expected {expected:?}"));
    }
    for list in tree.lists() {
        let nodes = tree.nodes(list);
        for (place, &node) in nodes.iter().enumerate() {
            if let Node::Construct(construct) = node {
                if place == 0 || nodes[place - 1] != Node::Block(construct.opener()) {
                    return Err(format!("a construct does not stand behind its opener: {construct:?}"));
                }
                let data = tree.construct(construct);
                if data.merge.is_some() && nodes.get(place + 1).copied().and_then(block) != data.merge {
                    return Err(format!("a construct does not stand before its merge block: {construct:?}"));
                }
            }
        }
    }
    for construct in tree.constructs() {
        let mut inside = tree.blocks_of(Node::Construct(construct.name())).to_vec();
        inside.sort();
        let expected = contents(module, function, construct.opener, construct.merge);
        if construct.kind != ConstructKind::Exit && inside != expected {
            return Err(format!("{:?} holds {inside:?}, expected {expected:?}", construct.opener));
        }
    }
    Ok(())
}

fn block(node: Node) -> Option<Block> {
    match node {
        Node::Block(block) => Some(block),
        Node::Construct(_) => None,
    }
}

fn structural_successors(module: &Module, block: Block) -> Vec<Block> {
    let terminator = module.terminator(block).unwrap();
    let mut successors: Vec<Block> = module.successors(block).collect();
    successors.extend(module.merge_block(terminator));
    successors.extend(module.continue_block(terminator));
    successors
}

fn reached_without(module: &Module, from: Block, without: Option<Block>) -> Vec<Block> {
    let mut reached = vec![from];
    let mut next = 0;
    while next < reached.len() {
        for successor in structural_successors(module, reached[next]) {
            if Some(successor) != without && !reached.contains(&successor) {
                reached.push(successor);
            }
        }
        next += 1;
    }
    reached
}

fn structurally_reached(module: &Module, function: Function) -> Vec<Block> {
    reached_without(module, module.entry(function).unwrap(), None)
}

/// SPIR-V's definition: what the opener strictly dominates over structural edges, and the merge block does not.
fn contents(module: &Module, function: Function, opener: Block, merge: Option<Block>) -> Vec<Block> {
    let entry = module.entry(function).unwrap();
    let all = structurally_reached(module, function);
    let behind = |without: Option<Block>| -> Vec<Block> {
        let Some(without) = without else { return Vec::new() };
        if without == entry {
            return all.clone();
        }
        let reached = reached_without(module, entry, Some(without));
        all.iter().copied().filter(|block| !reached.contains(block)).collect()
    };
    let (inside, after) = (behind(Some(opener)), behind(merge));
    let mut inside: Vec<Block> =
        inside.into_iter().filter(|block| *block != opener && !after.contains(block)).collect();
    inside.sort();
    inside
}

/// Holds the editor's own view against the tree.
fn hold_editor(editor: &TreeEditor<'_>, tree: &ControlTree) -> Result<(), String> {
    for list in tree.lists() {
        let blocks: Vec<Block> = tree.nodes(list).iter().copied().filter_map(block).collect();
        for (place, &block) in blocks.iter().enumerate() {
            if editor.next(block) != blocks.get(place + 1).copied()
                || editor.previous(block) != place.checked_sub(1).map(|before| blocks[before])
            {
                return Err(format!("the editor is wrong about the neighbours of {block:?}"));
            }
            let around: Vec<(Block, Role)> = editor.around(block).collect();
            let expected: Vec<(Block, Role)> = tree
                .outwards(block)
                .filter_map(|list| match tree.owner(list) {
                    Owner::Function => None,
                    Owner::Construct(construct, role) => Some((construct.opener(), role)),
                })
                .collect();
            if around.iter().map(|(opener, _)| opener).ne(expected.iter().map(|(opener, _)| opener)) {
                return Err(format!("the editor has {around:?} around {block:?}, expected {expected:?}"));
            }
        }
    }
    Ok(())
}

/// Predecessors by the definition: every terminator of every block looked at.
fn hold_predecessors(module: &Module, function: Function) -> Result<(), String> {
    for block in module.blocks(function) {
        let mut expected: Vec<Block> = Vec::new();
        for source in module.blocks(function) {
            expected.extend(module.successors(source).filter(|&target| target == block).map(|_| source));
        }
        let mut found: Vec<Block> = module.predecessors(block).collect();
        (expected.sort(), found.sort());
        if expected != found {
            return Err(format!("{block:?} has predecessors {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

fn hold(editor: &TreeEditor<'_>) -> Result<(), String> {
    let (module, function) = (editor.module(), editor.function());
    hold_predecessors(module, function)?;
    let tree = editor.tree().map_err(|error| error.to_string())?;
    hold_tree(module, function, &tree)?;
    hold_editor(editor, &tree)?;
    // Values may be used where they no longer reach: that is repaired elsewhere.
    match verify(module).into_iter().find(|finding| finding.code != Code::R4) {
        Some(finding) => Err(format!("{} {} {}", finding.code, finding.message, finding.context)),
        None => Ok(()),
    }
}

struct Trial<'m, 'r> {
    editor: TreeEditor<'m>,
    random: &'r mut Random,
    log: Vec<String>,
    counts: [usize; 2],
}

impl Trial<'_, '_> {
    fn block(&mut self) -> Block {
        let blocks: Vec<Block> = self.editor.module().blocks(self.editor.function()).collect();
        *self.random.choose(&blocks)
    }

    fn cursor(&mut self) -> Cursor {
        let block = self.block();
        self.cursor_in(block)
    }

    fn cursor_in(&mut self, block: Block) -> Cursor {
        let insts: Vec<Inst> = self.editor.module().children(block).collect();
        match self.random.below(8) {
            0 | 1 => Cursor::BeforeBlock(block),
            2 | 3 => Cursor::AfterBlock(block),
            4 | 5 => Cursor::Before(*self.random.choose(&insts)),
            _ => Cursor::After(*self.random.choose(&insts)),
        }
    }

    /// Two cursors, more often than not of one list.
    fn range(&mut self) -> (Cursor, Cursor) {
        let first = self.block();
        let mut last = first;
        while self.random.chance(60) {
            last = self.editor.next(last).unwrap_or(last);
        }
        let from = self.cursor_in(first);
        let to = if self.random.chance(5) { self.cursor() } else { self.cursor_in(last) };
        (from, to)
    }

    fn condition(&mut self) -> Inst {
        let bool_type = self.editor.editor().unique(Op::TypeBool, None, &[]);
        self.editor.editor().unique(Op::ConstantTrue, Some(bool_type), &[])
    }

    fn arguments(&mut self, at: Cursor, kind: JumpKind) -> Vec<Inst> {
        let target = at.block(self.editor.module()).and_then(|block| {
            let module = self.editor.module();
            let mut around = self.editor.around(block);
            let (opener, _) = match kind {
                JumpKind::LeaveSwitch => around.find(|(_, role)| matches!(role, Role::Case(_)))?,
                _ => around.find(|(_, role)| matches!(role, Role::Body | Role::Continue))?,
            };
            let open = module.terminator(opener)?;
            match kind {
                JumpKind::Continue => module.continue_block(open),
                _ => module.merge_block(open),
            }
        });
        let Some(target) = target else { return Vec::new() };
        let types: Vec<Inst> =
            self.editor.module().parameters(target).filter_map(|it| self.editor.module().ty(it)).collect();
        types.into_iter().map(|ty| self.editor.editor().append_global(Op::Undef, Some(ty), &[])).collect()
    }

    fn put(&mut self, at: Cursor, fragment: Fragment) -> Result<(), EditError> {
        match self.editor.insert(at, fragment) {
            Ok(()) => Ok(()),
            Err(refused) => {
                self.log.push(format!("refused: {}", refused.error));
                self.editor.delete(refused.fragment);
                Ok(())
            }
        }
    }

    fn extract_and_reinsert(&mut self) -> Result<(), EditError> {
        let (from, to) = self.range();
        self.log.push(format!("extract and reinsert {from:?} {to:?}"));
        let before = text::print(self.editor.module());
        let fragment = self.editor.extract(from, to)?;
        // The hole is where the first cursor's block goes on.
        let at = fragment.origin().unwrap();
        self.editor.insert(at, fragment)?;
        let after = text::print(self.editor.module());
        assert!(before == after, "{:?}\n{before}\n{after}", self.log);
        Ok(())
    }

    fn step(&mut self) -> Result<(), EditError> {
        let choice = self.random.below(16);
        match choice {
            0 | 1 => self.extract_and_reinsert(),
            2 | 3 => {
                let ((from, to), at) = (self.range(), self.cursor());
                self.log.push(format!("move {from:?} {to:?} to {at:?}"));
                let fragment = self.editor.extract(from, to)?;
                self.put(at, fragment)
            }
            4 => {
                let (from, to) = self.range();
                self.log.push(format!("remove {from:?} {to:?}"));
                self.editor.remove(from, to).map(|_| ())
            }
            5 => {
                let ((from, to), at) = (self.range(), self.cursor());
                self.log.push(format!("copy {from:?} {to:?} to {at:?}"));
                let before = text::print(self.editor.module());
                let copy = self.editor.copy(from, to, &mut Copies::new())?;
                let _ = before;
                if self.editor.module().capacity() > 4_000 {
                    self.editor.delete(copy);
                    return Ok(());
                }
                self.put(at, copy)
            }
            6 | 7 => {
                let at = self.cursor();
                let kinds = [
                    JumpKind::Break,
                    JumpKind::Continue,
                    JumpKind::LeaveSwitch,
                    JumpKind::Unreachable,
                    JumpKind::Return(None),
                ];
                let kind = *self.random.choose(&kinds);
                let arguments = match kind {
                    JumpKind::Unreachable | JumpKind::Return(_) => Vec::new(),
                    _ => self.arguments(at, kind),
                };
                self.log.push(format!("{kind:?} at {at:?}"));
                if self.random.chance(40) {
                    let condition = self.condition();
                    return self.editor.insert_exit(at, condition, kind, &arguments).map(|_| ());
                }
                let rest = self.editor.add_jump(at, kind, &arguments)?;
                let place = self.cursor();
                if self.random.chance(50) { self.put(place, rest) } else { Ok(drop(self.editor.delete(rest))) }
            }
            8 | 9 => {
                let block = self.block();
                self.log.push(format!("remove jump {block:?}"));
                self.editor.remove_jump(block)
            }
            10 => {
                let (at, condition) = (self.cursor(), self.condition());
                self.log.push(format!("if at {at:?}"));
                self.editor.insert_if(at, condition).map(|_| ())
            }
            11 => {
                let at = self.cursor();
                self.log.push(format!("loop at {at:?}"));
                self.editor.insert_loop(at, &[]).map(|_| ())
            }
            12 => {
                let at = self.cursor();
                self.log.push(format!("switch at {at:?}"));
                let mut edit = self.editor.editor();
                let words = [edit.word(32), edit.word(0)];
                let int = edit.unique(Op::TypeInt, None, &words);
                let selector = edit.unique(Op::Constant, Some(int), &[words[1]]);
                let literals = [vec![edit.word(1), edit.word(2)], vec![edit.word(7)]];
                self.editor.insert_switch(at, selector, &literals).map(|_| ())
            }
            13 => {
                let at = self.cursor();
                self.log.push(format!("split {at:?}"));
                self.editor.split(at).map(|_| ())
            }
            14 => {
                let block = self.block();
                let next = self.editor.next(block).unwrap_or(block);
                self.log.push(format!("stitch {block:?} {next:?}"));
                self.editor.stitch(block, next)
            }
            _ => {
                let tree = self.editor.tree().unwrap();
                let constructs: Vec<_> = tree.constructs().collect();
                if constructs.is_empty() {
                    return Ok(());
                }
                let construct = self.random.choose(&constructs);
                let lists: Vec<List> = construct.lists.to_vec();
                if lists.is_empty() || self.random.chance(30) {
                    self.log.push(format!("remove construct {:?}", construct.opener));
                    return self.editor.remove_construct(construct.name()).map(|_| ());
                }
                let Owner::Construct(_, role) = tree.owner(*self.random.choose(&lists)) else { return Ok(()) };
                self.log.push(format!("keep list {role:?} of {:?}", construct.opener));
                let name = construct.name();
                let rest = self.editor.keep_list(name, role)?;
                self.editor.delete(rest);
                Ok(())
            }
        }
    }

    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            let before = text::print(self.editor.module());
            match self.step() {
                Ok(()) => self.counts[0] += 1,
                Err(error) => {
                    self.counts[1] += 1;
                    self.log.push(format!("{error}"));
                }
            }
            if let Err(message) = hold(&self.editor) {
                let after = text::print(self.editor.module());
                panic!("{message}\n{before}\n;;;; {:?}\n{after}", &self.log[self.log.len().saturating_sub(4)..]);
            }
        }
    }
}

#[test]
fn random_edits_keep_the_function_a_tree() {
    let functions = if is_deep() { 5_000 } else { 300 };
    let mut counts = [0; 2];
    for seed in 0..functions {
        let (mut module, function) = structured_function(seed);
        let mut random = Random::new(seed);
        let editor = TreeEditor::new(&mut module, function).unwrap();
        let mut trial = Trial { editor, random: &mut random, log: vec![format!("seed {seed}")], counts: [0; 2] };
        trial.run(20);
        counts = [counts[0] + trial.counts[0], counts[1] + trial.counts[1]];
    }
    println!("{counts:?}");
    assert!(counts[0] > counts[1], "too many edits are refused: {counts:?}");
}
