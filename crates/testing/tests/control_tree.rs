//! The control tree under random edits of random structured functions, against brute force after each edit.

use reconverge_ir::control_tree::{
    Construct, ConstructKind, ControlTree, Cursor, EditError, Fragment, Jump, JumpKind, List, Node, Owner, Role,
    TreeEditor, pad,
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
use reconverge_verify::verify;

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

/// The blocks of a function with their structural edges: branches, and from each header to its merge and continue block.
struct Structure {
    blocks: Vec<Block>,
    successors: Vec<Vec<usize>>,
}

impl Structure {
    fn of(module: &Module, function: Function) -> Structure {
        let blocks: Vec<Block> = module.blocks(function).collect();
        let number = |block: Block| blocks.iter().position(|&other| other == block).unwrap();
        let successors = |&block: &Block| {
            let terminator = module.terminator(block).unwrap();
            let named = module.merge_block(terminator).into_iter().chain(module.continue_block(terminator));
            module.successors(block).chain(named).map(number).collect()
        };
        let successors = blocks.iter().map(successors).collect();
        Structure { blocks, successors }
    }

    /// What the entry reaches without passing a block.
    fn reached_without(&self, without: Option<Block>) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut pending = vec![0];
        while let Some(number) = pending.pop() {
            if Some(self.blocks[number]) != without && !std::mem::replace(&mut reached[number], true) {
                pending.extend(&self.successors[number]);
            }
        }
        reached
    }

    /// SPIR-V's definition: what the opener strictly dominates over structural edges, and the merge block does not.
    fn contents(&self, all: &[bool], opener: Block, merge: Option<Block>) -> Vec<Block> {
        let (before, beside) = (self.reached_without(Some(opener)), self.reached_without(merge));
        let inside = (0..self.blocks.len()).filter(|&number| all[number] && !before[number] && beside[number]);
        let mut inside: Vec<Block> = inside.map(|number| self.blocks[number]).collect();
        inside.retain(|&block| block != opener);
        inside.sort();
        inside
    }
}

/// Holds a tree against the definition of its parts.
fn hold_tree(module: &Module, function: Function, tree: &ControlTree) -> Result<(), String> {
    let structure = Structure::of(module, function);
    let reached = structure.reached_without(None);
    let mut seen: Vec<Block> = tree.lists().flat_map(|list| tree.nodes(list).to_vec()).filter_map(block).collect();
    seen.extend(tree.outside());
    seen.sort();
    let mut all = structure.blocks.clone();
    all.sort();
    if seen != all {
        return Err("the lists do not hold each block once".into());
    }
    for (number, block) in structure.blocks.iter().enumerate() {
        if tree.list_of(*block).is_some() != reached[number] {
            return Err(format!("{block:?} is in a list exactly if something reaches it"));
        }
    }
    for list in tree.lists() {
        hold_list(tree, list)?;
    }
    for construct in tree.constructs().filter(|construct| construct.kind != ConstructKind::Exit) {
        let mut inside = tree.blocks_of(Node::Construct(construct.name())).to_vec();
        inside.sort();
        let expected = structure.contents(&reached, construct.opener, construct.merge);
        if inside != expected {
            return Err(format!("{:?} holds {inside:?}, expected {expected:?}", construct.opener));
        }
    }
    hold_jumps(module, tree)
}

/// Holds that constructs stand between their opener and their merge block.
fn hold_list(tree: &ControlTree, list: List) -> Result<(), String> {
    let nodes = tree.nodes(list);
    for (place, &node) in nodes.iter().enumerate() {
        let Node::Construct(construct) = node else { continue };
        if place == 0 || nodes[place - 1] != Node::Block(construct.opener()) {
            return Err(format!("a construct does not stand behind its opener: {construct:?}"));
        }
        let merge = tree.construct(construct).merge;
        if merge.is_some() && nodes.get(place + 1).copied().and_then(block) != merge {
            return Err(format!("a construct does not stand before its merge block: {construct:?}"));
        }
    }
    Ok(())
}

/// Holds what edges are said to do against where they lead.
fn hold_jumps(module: &Module, tree: &ControlTree) -> Result<(), String> {
    for &source in tree.blocks() {
        for edge in module.out_edges(source) {
            let target = module.target(edge).unwrap();
            let around =
                |name: Construct| tree.outwards(source).any(|list| tree.owner(list) == owner_of(tree, list, name));
            let is_right = match tree.jump(edge).ok_or("an edge of the tree does nothing")? {
                Jump::Enter(list) => tree.first_block(list) == target,
                Jump::Next => tree.next(source) == Some(target) && tree.list_of(source) == tree.list_of(target),
                Jump::Merge(left) => {
                    tree.construct(left).merge == Some(target) && (around(left) || left.opener() == source)
                }
                Jump::Break(left) => tree.construct(left).merge == Some(target) && around(left),
                Jump::Continue(left) => tree.construct(left).continue_target == Some(target) && around(left),
                Jump::Back(left) => tree.construct(left).loop_header == Some(target) && around(left),
                Jump::FallThrough(list) => tree.list_of(target) == Some(list) && tree.list_of(source) != Some(list),
            };
            if !is_right {
                return Err(format!("the edge from {source:?} to {target:?} is no {:?}", tree.jump(edge)));
            }
        }
    }
    Ok(())
}

fn owner_of(tree: &ControlTree, list: List, name: Construct) -> Owner {
    match tree.owner(list) {
        Owner::Construct(_, role) => Owner::Construct(name, role),
        Owner::Function => Owner::Construct(name, Role::Then),
    }
}

fn block(node: Node) -> Option<Block> {
    match node {
        Node::Block(block) => Some(block),
        Node::Construct(_) => None,
    }
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
    match verify(&without_uses(module, function)).first() {
        Some(finding) => Err(format!("{} {} {}", finding.code, finding.message, finding.context)),
        None => Ok(()),
    }
}

/// The module with undefined values for everything that the function computes: values may be used where they no longer reach, which
/// is repaired elsewhere, and the verifier looks at the structure only where values are right.
fn without_uses(module: &Module, function: Function) -> Module {
    let mut module = module.clone();
    let blocks: Vec<Block> = module.blocks(function).collect();
    let insts: Vec<Inst> = blocks.iter().flat_map(|&block| module.children(block).collect::<Vec<_>>()).collect();
    for &inst in &insts {
        let Some(ty) = module.ty(inst) else { continue };
        if !module.is_used(inst) || module.op(inst) == Op::Variable {
            continue;
        }
        let undef = module.edit().append_global(Op::Undef, Some(ty), &[]);
        module.edit().replace_all_uses(inst, undef);
    }
    module
}

/// Blocks and terminators by their handles, for a failure.
fn shape(editor: &TreeEditor<'_>) -> String {
    let module = editor.module();
    let mut text = String::new();
    for block in module.blocks(editor.function()) {
        let terminator = module.terminator(block).unwrap();
        let operands: Vec<Inst> = module.operands(terminator).filter(|&it| module.op(it).is_block()).collect();
        let bare = if module.is_bare_edge(block) { "bare " } else { "" };
        let kind = module.op(block);
        text += &format!("{block:?}: {bare}{kind:?} {:?} {operands:?}\n", module.op(terminator));
    }
    text
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
                let copy = self.editor.copy(from, to, &mut Copies::new())?;
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
            match self.step() {
                Ok(()) => self.counts[0] += 1,
                Err(error) => {
                    self.counts[1] += 1;
                    self.log.push(format!("{error}"));
                }
            }
            if let Err(message) = hold(&self.editor) {
                let after = text::print(self.editor.module());
                panic!("{message}\n{after}\n{}{:#?}", shape(&self.editor), self.log);
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
