//! Graphs as the verifier needs them: blocks by number, edges in arrays.

use reconverge_ir::{Block, Class, Function, Inst, Module, Op};

/// What is the same for all functions of a module.
pub(crate) struct Positions {
    /// For every block its number in its function, for every other instruction its place in its block.
    numbers: Vec<u32>,
    features: Features,
}

impl Positions {
    /// Linear in the module.
    pub(crate) fn compute(module: &Module) -> Positions {
        let mut positions = vec![u32::MAX; module.capacity()];
        for function in module.functions() {
            for (number, block) in module.blocks(function).enumerate() {
                positions[block.index()] = number as u32;
                for (place, inst) in module.children(block).enumerate() {
                    positions[inst.index()] = place as u32;
                }
            }
        }
        Positions { numbers: positions, features: Features::of(module) }
    }
}

/// A function with its blocks by number.
pub(crate) struct Body<'m> {
    pub(crate) module: &'m Module,
    pub(crate) function: Function,
    pub(crate) blocks: Vec<Block>,
    positions: &'m Positions,
}

impl<'m> Body<'m> {
    pub(crate) fn new(module: &'m Module, positions: &'m Positions, function: Function) -> Body<'m> {
        Body { module, function, blocks: module.blocks(function).collect(), positions }
    }

    /// The number of a block of this function.
    pub(crate) fn number(&self, block: Block) -> usize {
        self.positions.numbers[block.index()] as usize
    }

    /// Where an instruction stands in its block.
    pub(crate) fn place(&self, inst: Inst) -> u32 {
        self.positions.numbers[inst.index()]
    }

    pub(crate) fn features(&self) -> &Features {
        &self.positions.features
    }

    /// The control flow graph. Linear.
    pub(crate) fn flow_graph(&self) -> Graph {
        let sources = self.blocks.iter().enumerate();
        let edges = sources.flat_map(|(source, &block)| {
            self.module.successors(block).map(move |target| (source as u32, self.number(target) as u32))
        });
        Graph::new(self.blocks.len(), edges.collect())
    }
}

/// What a module says about all its functions: its version, and what its capabilities and memory model make of block parameters, which
/// are OpPhi in SPIR-V.
pub(crate) struct Features {
    is_shader: bool,
    is_logical: bool,
    has_variable_pointers: bool,
    has_bindless_textures: bool,
    version: u32,
}

impl Features {
    /// Capabilities are those of SPIR-V section 3.31, by number.
    fn of(module: &Module) -> Features {
        let first_words = |op: Op| {
            let globals = module.globals().filter(move |&global| module.op(global) == op);
            globals.filter_map(|global| module.literal_word(module.operand(global, 0)))
        };
        let has = |capability: u32| first_words(Op::Capability).any(|word| word == capability);
        Features {
            is_shader: has(1),
            is_logical: first_words(Op::MemoryModel).any(|addressing| addressing == 0),
            has_variable_pointers: has(4441) || has(4442),
            has_bindless_textures: has(5390),
            version: version(module),
        }
    }

    /// The SPIR-V version as the header's word has it (section 2.3), 0 if the module names none.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Why a block parameter cannot be of a type, if so.
    pub(crate) fn bars_from_parameters(&self, module: &Module, ty: Inst) -> Option<&'static str> {
        match module.op(ty) {
            Op::TypeVoid => Some("void"),
            Op::TypePointer if self.is_logical && !self.has_variable_pointers => {
                Some("a pointer under Logical addressing")
            }
            Op::TypeSampledImage if !self.has_bindless_textures => Some("a sampled image"),
            Op::TypeImage if self.is_shader && !self.has_bindless_textures => Some("an image"),
            Op::TypeSampler if self.is_shader && !self.has_bindless_textures => Some("a sampler"),
            _ => None,
        }
    }
}

/// The version that a module names among the instructions that describe it.
fn version(module: &Module) -> u32 {
    let mut descriptions = module.globals().take_while(|&global| module.op(global).class() == Class::ModuleInstruction);
    let header = descriptions.find(|&global| module.op(global) == Op::SpirvHeader);
    header.and_then(|header| module.literal_word(module.operand(header, 0))).unwrap_or(0)
}

/// A directed graph. Edges have numbers: their places in the list that the graph was made from.
pub(crate) struct Graph {
    edges: Vec<(u32, u32)>,
    out_starts: Vec<u32>,
    out_edges: Vec<u32>,
    in_starts: Vec<u32>,
    in_edges: Vec<u32>,
}

impl Graph {
    /// The graph of `count` nodes with these edges. Linear.
    pub(crate) fn new(count: usize, edges: Vec<(u32, u32)>) -> Graph {
        let (out_starts, out_edges) = group(count, edges.iter().map(|edge| edge.0));
        let (in_starts, in_edges) = group(count, edges.iter().map(|edge| edge.1));
        Graph { edges, out_starts, out_edges, in_starts, in_edges }
    }

    pub(crate) fn count(&self) -> usize {
        self.out_starts.len() - 1
    }

    /// Source and target of an edge.
    pub(crate) fn edge(&self, number: u32) -> (u32, u32) {
        self.edges[number as usize]
    }

    /// Numbers of the edges that leave a node, in the order of the list.
    pub(crate) fn out_edges(&self, node: u32) -> &[u32] {
        &self.out_edges[self.out_starts[node as usize] as usize..self.out_starts[node as usize + 1] as usize]
    }

    /// Numbers of the edges that enter a node, in the order of the list.
    pub(crate) fn in_edges(&self, node: u32) -> &[u32] {
        &self.in_edges[self.in_starts[node as usize] as usize..self.in_starts[node as usize + 1] as usize]
    }

    /// The targets of the edges that leave a node.
    pub(crate) fn successors(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.out_edges(node).iter().map(|&edge| self.edges[edge as usize].1)
    }

    /// The sources of the edges that enter a node.
    pub(crate) fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.in_edges(node).iter().map(|&edge| self.edges[edge as usize].0)
    }
}

/// Counting sort: for each of `count` keys where its items start, and the item numbers by key.
fn group(count: usize, keys: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    keys.clone().for_each(|key| starts[key as usize + 1] += 1);
    (0..count).for_each(|key| starts[key + 1] += starts[key]);
    let mut cursors = starts.clone();
    let mut items = vec![0; starts[count] as usize];
    for (item, key) in keys.enumerate() {
        items[cursors[key as usize] as usize] = item as u32;
        cursors[key as usize] += 1;
    }
    (starts, items)
}
