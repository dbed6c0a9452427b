//! Graphs for the verifier: blocks by number, edges in arrays.

use reconverge_ir::{Block, Class, Function, Inst, Module, Op, terminator, view};
use spirv::{AddressingModel, Capability};

use crate::layout::{Extent, Layout, Line, Span};

/// A function with its blocks by number.
pub(crate) struct Body<'m> {
    pub(crate) module: &'m Module,
    pub(crate) function: Function,
    pub(crate) blocks: &'m [Block],
    pub(crate) layout: &'m Layout,
    extent: Extent,
    spans: &'m [Span],
}

impl<'m> Body<'m> {
    /// The body of a function, if the function is in the module.
    pub(crate) fn new(module: &'m Module, layout: &'m Layout, function: Function) -> Option<Body<'m>> {
        let extent = *layout.function(function)?;
        Some(Self::of_extent(module, layout, &extent))
    }

    /// The body of an existing function.
    pub(crate) fn of_extent(module: &'m Module, layout: &'m Layout, extent: &Extent) -> Body<'m> {
        let (blocks, spans) = layout.blocks(extent);
        Body { module, function: extent.function, blocks, layout, extent: *extent, spans }
    }

    /// The number of a block of this function.
    pub(crate) fn number(&self, block: impl Into<Inst>) -> usize {
        self.layout.line(block.into()).block as usize
    }

    /// The positions of all instructions of the module.
    pub(crate) fn place(&self, inst: Inst) -> u32 {
        self.layout.place(inst)
    }

    /// Returns whether an instruction is in the function, or is the function.
    pub(crate) fn holds(&self, inst: Inst) -> bool {
        (self.extent.start..self.extent.end).contains(&self.layout.place(inst))
    }

    /// The lines of a block.
    pub(crate) fn span(&self, block: usize) -> Span {
        self.spans[block]
    }

    /// The contents of a block.
    pub(crate) fn lines(&self, block: usize) -> &'m [Line] {
        self.layout.held(self.spans[block])
    }

    /// The parameters of a block.
    pub(crate) fn parameters(&self, block: usize) -> &'m [Line] {
        &self.lines(block)[..self.spans[block].parameters as usize]
    }

    /// The terminator of a block. The block must have one.
    pub(crate) fn terminator(&self, block: usize) -> Option<&'m Line> {
        self.lines(block).last().filter(|last| last.op.is_terminator())
    }

    /// The terminators, each with the number of its block.
    pub(crate) fn terminators(&self) -> impl Iterator<Item = (usize, &'m Line)> + Clone {
        (0..self.blocks.len()).filter_map(|block| Some((block, self.terminator(block)?)))
    }

    /// The control-flow graph: edges grouped by source, in operand order, with parallel edges. Linear.
    pub(crate) fn flow_graph(&self) -> Graph {
        let mut edges = Vec::with_capacity(2 * self.blocks.len());
        for (source, last) in self.terminators() {
            for (index, target) in self.module.operands(last.inst).enumerate() {
                if terminator::is_successor(last.op, index) {
                    let target = self.layout.line(target);
                    edges.extend(target.op.is_block().then_some((source as u32, target.block)));
                }
            }
        }
        Graph::new(self.blocks.len(), edges)
    }
}

/// Facts about the module that all functions share: its version, and which types a block parameter, an OpPhi in SPIR-V, can have.
pub(crate) struct Features {
    is_shader: bool,
    is_logical: bool,
    has_variable_pointers: bool,
    has_bindless_textures: bool,
    version: u32,
}

impl Features {
    /// The facts about a module.
    pub(crate) fn of(module: &Module, layout: &Layout) -> Features {
        let mut features = Features {
            is_shader: false,
            is_logical: false,
            has_variable_pointers: false,
            has_bindless_textures: false,
            version: version(module, layout),
        };
        for global in layout.globals() {
            use Capability::{BindlessTextureNV, Shader, VariablePointers, VariablePointersStorageBuffer};
            match view::Capability::of(module, global.inst).and_then(|declared| declared.capability) {
                Some(Shader) => features.is_shader = true,
                Some(VariablePointersStorageBuffer | VariablePointers) => features.has_variable_pointers = true,
                Some(BindlessTextureNV) => features.has_bindless_textures = true,
                _ => {}
            }
            let model = view::MemoryModel::of(module, global.inst);
            features.is_logical |= model.is_some_and(|model| model.addressing_model == Some(AddressingModel::Logical));
        }
        features
    }

    /// The SPIR-V version as a word of the header (section 2.3); 0 if the module has no header.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// The reason why a block parameter cannot have a type; `None` if it can.
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

/// The version in the header of a module.
fn version(module: &Module, layout: &Layout) -> u32 {
    let mut descriptions = layout.globals().iter().take_while(|global| global.op.class() == Class::ModuleInstruction);
    let header = descriptions.find(|global| global.op == Op::SpirvHeader);
    header.and_then(|header| view::SpirvHeader::of(module, header.inst)).map_or(0, |header| header.version)
}

/// A directed graph. Edges are numbered by their positions in the list that the graph was created from.
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

    /// The edges, source and target of each, in the order of the list.
    pub(crate) fn edges(&self) -> &[(u32, u32)] {
        &self.edges
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

/// Counting sort: for each of `count` keys the start of its items, and the item numbers by key.
pub(crate) fn group(
    count: usize,
    keys: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    keys.clone().for_each(|key| starts[key as usize] += 1);
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    // From the last item to the first, the start of each key moves down from its end.
    let mut items = vec![0; keys.len()];
    for (item, key) in keys.enumerate().rev() {
        let start = &mut starts[key as usize];
        *start -= 1;
        items[*start as usize] = item as u32;
    }
    (starts, items)
}
