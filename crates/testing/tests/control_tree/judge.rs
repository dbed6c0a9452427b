//! What a tree must be, by brute force: by SPIR-V's definitions over all paths, and by looking at every terminator.

use reconverge_control_tree::{Construct, ConstructKind, ControlTree, Jump, List, Node, Owner, Role, TreeEditor};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use reconverge_verify::verify;

/// Holds everything that must hold after an edit.
pub(crate) fn hold(editor: &TreeEditor<'_>) -> Result<(), String> {
    let (module, function) = (editor.module(), editor.function());
    check_predecessors(module, function)?;
    let tree = editor.tree().map_err(|error| error.to_string())?;
    check_tree(module, function, &tree)?;
    check_padding(module, &tree)?;
    check_editor(editor, &tree)?;
    match verify(&without_uses(module, function)).first() {
        Some(finding) => Err(format!("{} {} {}", finding.code, finding.message, finding.context)),
        None => Ok(()),
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
        let number = |block: Block| position(&blocks, block);
        let successors = |&block: &Block| {
            let terminator = module.terminator(block).unwrap();
            let named = module.merge_block(terminator).into_iter().chain(module.continue_block(terminator));
            module.successors(block).chain(named).map(number).collect()
        };
        let successors = blocks.iter().map(successors).collect();
        Structure { blocks, successors }
    }

    fn number(&self, block: Block) -> usize {
        position(&self.blocks, block)
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

fn position(blocks: &[Block], block: Block) -> usize {
    blocks.iter().position(|&other| other == block).unwrap()
}

/// Whether the two ways of an `if` come together before its merge block: a block in the construct that neither of them dominates.
pub(crate) fn has_join(module: &Module, function: Function) -> bool {
    let structure = Structure::of(module, function);
    let reached = structure.reached_without(None);
    structure.blocks.iter().any(|&opener| {
        let open = module.terminator(opener).filter(|&open| module.op(open) == Op::If);
        let Some(open) = open.filter(|_| reached[structure.number(opener)]) else { return false };
        let beside: Vec<Vec<bool>> =
            module.successors(opener).map(|way| structure.reached_without(Some(way))).collect();
        let inside = structure.contents(&reached, opener, module.merge_block(open));
        inside.into_iter().any(|block| beside.iter().all(|beside| beside[structure.number(block)]))
    })
}

/// Checks a tree against the definition of its parts.
pub(crate) fn check_tree(module: &Module, function: Function, tree: &ControlTree) -> Result<(), String> {
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
        check_list(tree, list)?;
    }
    for construct in tree.constructs().filter(|construct| construct.kind != ConstructKind::Exit) {
        let mut inside = tree.blocks_of(Node::Construct(construct.name())).to_vec();
        inside.sort();
        let expected = structure.contents(&reached, construct.opener, construct.merge);
        if inside != expected {
            return Err(format!("{:?} holds {inside:?}, expected {expected:?}", construct.opener));
        }
        for &list in &construct.lists {
            check_contents(&structure, &reached, tree, list, &inside)?;
        }
    }
    check_jumps(module, tree)
}

/// Checks that a list has what its first block dominates in the construct; a case may be entered by others too.
fn check_contents(
    structure: &Structure,
    reached: &[bool],
    tree: &ControlTree,
    list: List,
    inside: &[Block],
) -> Result<(), String> {
    let Owner::Construct(_, role) = tree.owner(list) else { return Err("a construct's list is not its own".into()) };
    if matches!(role, Role::Case(_)) {
        return Ok(());
    }
    let without = structure.reached_without(Some(tree.first_block(list)));
    let dominated =
        |number: &usize| reached[*number] && !without[*number] && inside.contains(&structure.blocks[*number]);
    let mut expected: Vec<Block> =
        (0..structure.blocks.len()).filter(dominated).map(|it| structure.blocks[it]).collect();
    let mut found = tree.blocks_of_list(list).to_vec();
    expected.sort();
    found.sort();
    if expected == found { Ok(()) } else { Err(format!("{role:?} holds {found:?}, expected {expected:?}")) }
}

/// Checks that constructs stand between their opener and their merge block.
fn check_list(tree: &ControlTree, list: List) -> Result<(), String> {
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

/// Checks what edges are said to do against where they lead.
fn check_jumps(module: &Module, tree: &ControlTree) -> Result<(), String> {
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
                Jump::Join(list) => tree.first_block(list) == target && tree.list_of(source) != Some(list),
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

/// Checks the editor's own view against the tree.
fn check_editor(editor: &TreeEditor<'_>, tree: &ControlTree) -> Result<(), String> {
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

/// The same while something is taken out, unless code that nothing reaches jumps into it.
pub(crate) fn check_meanwhile(editor: &TreeEditor<'_>) -> Result<(), String> {
    let module = editor.module();
    let is_placed = |block: Block| module.parent(block) == Some(editor.function().into());
    let is_whole = module.blocks(editor.function()).all(|block| module.successors(block).all(is_placed));
    if is_whole { hold(editor) } else { editor.tree().map(|_| ()).map_err(|error| error.to_string()) }
}

/// Predecessors by the definition: every terminator of every block looked at. Those in what was taken out are none of the function.
fn check_predecessors(module: &Module, function: Function) -> Result<(), String> {
    for block in module.blocks(function) {
        let mut expected: Vec<Block> = Vec::new();
        for source in module.blocks(function) {
            expected.extend(module.successors(source).filter(|&target| target == block).map(|_| source));
        }
        let is_placed = |source: &Block| module.parent(*source) == Some(function.into());
        let mut found: Vec<Block> = module.predecessors(block).filter(is_placed).collect();
        expected.sort();
        found.sort();
        if expected != found {
            return Err(format!("{block:?} has predecessors {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// Checks that every way of a multi-way branch has a block of its own: no edge is critical, no way out is bare, no arm is missing.
fn check_padding(module: &Module, tree: &ControlTree) -> Result<(), String> {
    for &source in tree.blocks() {
        let terminator = module.terminator(source).ok_or("a block has no end")?;
        let targets: Vec<Block> = module.successors(source).collect();
        let is_split = targets.iter().any(|target| *target != targets[0]);
        for target in targets {
            if is_split && module.predecessors(target).any(|other| other != source && tree.list_of(other).is_some()) {
                return Err(format!("the edge from {source:?} to {target:?} is critical"));
            }
        }
        let construct = tree.opened_by(source).map(|construct| tree.construct(construct));
        let expected: &[Role] = match module.op(terminator) {
            Op::If => &[Role::Then, Role::Else],
            Op::StructuredSwitch => &[Role::Case(0)],
            Op::Loop => &[Role::Body],
            _ => continue,
        };
        let construct = construct.ok_or("an opener opens nothing")?;
        if let Some(role) = expected.iter().find(|&&role| tree.list(construct.name(), role).is_none()) {
            // Both ways of an `if` may lead to one block.
            if *role != Role::Else || is_split {
                return Err(format!("{source:?} has no {role:?}"));
            }
        }
    }
    Ok(())
}

/// The module with undefined values for everything that the function computes: values may be used where they no longer reach, which
/// is repaired elsewhere, and the verifier looks at the structure only where values are right.
fn without_uses(module: &Module, function: Function) -> Module {
    let mut module = module.clone();
    let blocks: Vec<Block> = module.blocks(function).collect();
    let insts: Vec<Inst> = blocks.iter().flat_map(|&block| module.children(block).collect::<Vec<_>>()).collect();
    let operands: Vec<Inst> = insts.iter().flat_map(|&inst| module.operands(inst).collect::<Vec<_>>()).collect();
    for inst in operands {
        let Some(ty) = module.ty(inst).filter(|_| module.block_of(inst).is_some()) else { continue };
        if !module.is_used(inst) || module.op(inst) == Op::Variable {
            continue;
        }
        let undef = module.edit().append_global(Op::Undef, Some(ty), &[]);
        module.edit().replace_all_uses(inst, undef);
    }
    module
}

/// Blocks and terminators by their handles, for a failure.
pub(crate) fn shape(editor: &TreeEditor<'_>) -> String {
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
