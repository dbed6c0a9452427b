//! Functions to start from, and names for what is in them.

use reconverge_control_tree::{Construct, ControlTree, Cursor, Node, TreeEditor};
use reconverge_ir::text::{parse, print};
use reconverge_ir::{Block, Copies, Function, Inst, Module, Stage};

const HEAD: &str = "
capability Shader
capability Linkage
memory_model Logical, GLSL450
%u32 = type_int 32, 0
%bool = type_bool
%void = type_void
%fn = type_function %u32, %u32, %bool
%zero: %u32 = constant 0
%one: %u32 = constant 1
%yes: %bool = constant_true
";

/// A loop with a conditional exit, an `if` in its body, and a value through all of them.
const LOOP: &str = "
block ^entry:
  %x: %u32 = i_add %n, %one
  loop ^header(%x) break ^done continue ^next
block ^header(%i: %u32):
  branch_if %c ^body ^exit
edge ^exit:
  branch ^done(%i)
block ^body:
  %y: %u32 = i_add %i, %one
  if %c ^then ^else merge ^after
block ^then:
  %t: %u32 = i_mul %y, %y
  branch ^after(%t)
edge ^else:
  branch ^after(%y)
block ^after(%v: %u32):
  %w: %u32 = i_add %v, %one
  branch ^next(%w)
block ^next(%l: %u32):
  branch ^header(%l)
block ^done(%r: %u32):
  %s: %u32 = i_add %r, %one
  return_value %s
";

/// A switch in which case 1 falls through to case 2.
const SWITCH: &str = "
block ^entry:
  structured_switch %n default ^d merge ^m [1 ^p] [2 ^e]
block ^p:
  %a: %u32 = i_add %n, %one
  branch ^q
edge ^e:
  branch ^q
block ^q:
  %b: %u32 = i_add %n, %n
  branch ^m
edge ^d:
  branch ^m
block ^m:
  return_value %n
";

/// One function in a module.
pub(crate) struct Sample {
    pub(crate) module: Module,
    pub(crate) function: Function,
}

impl Sample {
    /// `func %f: %u32 (%n: %u32, %c: %bool)` with this body.
    pub(crate) fn new(body: &str) -> Sample {
        let head = "func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {";
        let text: String = body.lines().map(with_control).collect();
        let module = parse(&format!("{HEAD}{head}\n{text}}}\n")).unwrap_or_else(|error| panic!("{error}"));
        let function = module.functions().find(|&function| module.stage(function) == Stage::Structured).unwrap();
        Sample { module, function }
    }

    pub(crate) fn with_loop() -> Sample {
        Sample::new(LOOP)
    }

    pub(crate) fn with_switch() -> Sample {
        Sample::new(SWITCH)
    }

    /// An empty function `%g: %void ()`.
    pub(crate) fn without_body() -> Sample {
        let text =
            format!("{HEAD}%g_type = type_function %void\nfunc %g: %void () type %g_type control 0 stage graph\n");
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let function = module.functions().next().unwrap();
        Sample { module, function }
    }

    pub(crate) fn tree(&self) -> ControlTree {
        ControlTree::compute(&self.module, self.function).unwrap()
    }

    pub(crate) fn editor(&mut self) -> TreeEditor<'_> {
        TreeEditor::new(&mut self.module, self.function).unwrap()
    }

    pub(crate) fn inst(&self, name: &str) -> Inst {
        inst(&self.module, name)
    }

    pub(crate) fn block(&self, name: &str) -> Block {
        block(&self.module, name)
    }

    pub(crate) fn construct(&self, opener: &str) -> Construct {
        Construct::at(&self.module, self.block(opener)).unwrap()
    }
}

/// Constructs may be written without their control literal.
fn with_control(line: &str) -> String {
    let opens = [" loop ^", "  if ", "structured_switch "].iter().any(|word| line.contains(word));
    if !opens || line.contains("control") {
        return format!("{line}\n");
    }
    match line.split_once(" [") {
        Some((head, cases)) => format!("{head} control 0 [{cases}\n"),
        None => format!("{line} control 0\n"),
    }
}

pub(crate) fn inst(module: &Module, name: &str) -> Inst {
    let mut all = module.descendants(module.root());
    all.find(|&inst| module.name(inst).as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

pub(crate) fn block(module: &Module, name: &str) -> Block {
    module.cast(inst(module, name)).unwrap()
}

/// The tree in words: blocks by name (numbers if they have none), constructs as `{…}` with a list each.
pub(crate) fn drawn(module: &Module, tree: &ControlTree) -> String {
    draw(module, tree, tree.nodes(tree.root()))
}

fn draw(module: &Module, tree: &ControlTree, nodes: &[Node]) -> String {
    let words = nodes.iter().map(|&node| match node {
        Node::Block(block) => module.name(block).unwrap_or_else(|| "_".into()),
        Node::Construct(construct) => {
            let lists = tree.construct(construct).lists.iter();
            let lists: Vec<String> = lists.map(|&list| draw(module, tree, tree.nodes(list))).collect();
            format!("{{{}}}", lists.join(" | "))
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Holds the function of an editor: its tree is the editor's own, no edge is critical, uses say who the predecessors are, lists
/// alternate.
pub(crate) fn hold(editor: &TreeEditor<'_>) {
    let (module, function) = (editor.module(), editor.function());
    let tree = editor.tree().unwrap();
    for list in tree.lists() {
        let nodes = tree.nodes(list);
        let is_construct = |node: &Node| matches!(node, Node::Construct(_));
        assert!(!nodes.is_empty() && !is_construct(&nodes[0]), "{}", print(module));
        assert!(nodes.windows(2).all(|pair| !pair.iter().all(is_construct)), "{}", print(module));
        let blocks: Vec<Block> = tree.nodes(list).iter().filter_map(|&node| block_of(node)).collect();
        for pair in blocks.windows(2) {
            assert_eq!(editor.next(pair[0]), Some(pair[1]), "{}", print(module));
        }
    }
    for source in module.blocks(function) {
        for target in module.successors(source) {
            assert!(module.predecessors(target).any(|found| found == source));
        }
    }
    assert_eq!(critical_edges(module, function), 0, "{}", print(module));
}

fn block_of(node: Node) -> Option<Block> {
    match node {
        Node::Block(block) => Some(block),
        Node::Construct(_) => None,
    }
}

/// Edges from a block with several successors to one with several predecessors, by the definition.
pub(crate) fn critical_edges(module: &Module, function: Function) -> usize {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let distinct = |source: Block| {
        let mut targets: Vec<Block> = module.successors(source).collect();
        targets.sort();
        targets.dedup();
        targets
    };
    let predecessors = |target: Block| blocks.iter().filter(|&&source| distinct(source).contains(&target)).count();
    let sources = blocks.iter().map(|&source| distinct(source)).filter(|targets| targets.len() > 1);
    sources.flatten().filter(|&target| predecessors(target) > 1).count()
}

/// Takes out what stands between two cursors, puts it back where it was, and holds that the text is as before.
pub(crate) fn reinsert(editor: &mut TreeEditor<'_>, from: Cursor, to: Cursor) {
    let before = print(editor.module());
    let fragment = editor.extract(from, to).unwrap();
    let at = fragment.origin().unwrap();
    editor.insert(at, fragment).unwrap();
    assert_eq!(print(editor.module()), before);
}

/// A copy of what stands between two cursors.
pub(crate) fn copied(
    editor: &mut TreeEditor<'_>,
    from: Cursor,
    to: Cursor,
) -> (reconverge_control_tree::Fragment, Copies) {
    let mut copies = Copies::new();
    let fragment = editor.copy(from, to, &mut copies).unwrap();
    (fragment, copies)
}
