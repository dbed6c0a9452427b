//! The layout of a module as one table.
//!
//! ```text
//! lines    root │ globals … │ contents of generics … │ function  parameters …  block  parameters …  instructions …  terminator  block … │ …
//! places   by instruction: its line
//! spans    by block: the lines of what it holds
//! ```
//!
//! The functions in generics come before those at module level. A traversal of a body reads adjacent lines and looks up each op only once. Linear in the module; no recursion.
//!
//! Invariant: functions, their blocks and their contents have lines if they are in valid containers. Only in an invalid module a container
//! may be elsewhere: it has a line, but its contents have none; [`Layout::everything`] includes them anyway.

use std::borrow::Cow;
use std::ops::Range;

use reconverge_ir::{Block, Function, Inst, Module, Op};

/// An instruction that is in the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) inst: Inst,
    pub(crate) op: Op,
    /// In a function: the number of its block.
    pub(crate) block: u32,
}

/// The lines of the contents of a block. The line of the block itself is before them.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The number of its parameters.
    pub(crate) parameters: u32,
}

/// The position of a function.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) function: Function,
    /// The line of the function itself.
    pub(crate) start: u32,
    /// One past the line of its last instruction.
    pub(crate) end: u32,
    first_block: u32,
    end_block: u32,
}

/// The positions of all instructions.
pub(crate) struct Layout {
    lines: Vec<Line>,
    places: Vec<u32>,
    globals_end: u32,
    /// One past the line of the last instruction that is in a generic or interface and not in a function.
    contents_end: u32,
    functions: Vec<Extent>,
    /// The blocks of all functions.
    blocks: Vec<Block>,
    spans: Vec<Span>,
    /// True if every instruction in the module has a line.
    is_regular: bool,
    /// True if the module has type-level code.
    is_generic: bool,
}

impl Layout {
    /// The layout of a module.
    pub(crate) fn compute(module: &Module) -> Layout {
        let root = module.root();
        let mut layout = Layout {
            lines: Vec::with_capacity(module.capacity()),
            places: vec![0; module.capacity()],
            globals_end: 0,
            contents_end: 0,
            functions: Vec::new(),
            blocks: Vec::with_capacity(module.capacity() / 4),
            spans: Vec::with_capacity(module.capacity() / 4),
            is_regular: true,
            is_generic: false,
        };
        layout.lines.push(Line { inst: root, op: Op::Module, block: 0 });
        for global in module.globals() {
            layout.add_leaf(module, global, 0);
        }
        layout.globals_end = layout.lines.len() as u32;
        let last = layout.lines[layout.lines.len() - 1].inst;
        let first = if last == root { module.first_child(root) } else { module.next(last) };
        let behind = || std::iter::successors(first, |&inst| module.next(inst));
        let nested = layout.add_contents(module, behind().filter(|&inst| is_holder(module.op(inst))));
        layout.contents_end = layout.lines.len() as u32;
        nested.into_iter().for_each(|function| layout.add_function(module, function));
        for inst in behind() {
            match module.cast::<Function>(inst) {
                Some(function) => layout.add_function(module, function),
                None => layout.add_leaf(module, inst, 0),
            }
        }
        layout
    }

    /// Adds what is in the generics and interfaces among the globals and in these; returns the functions in them, which have no lines yet.
    fn add_contents(&mut self, module: &Module, behind: impl Iterator<Item = Inst>) -> Vec<Function> {
        let globals = self.lines.iter().filter(|line| is_holder(line.op)).map(|line| line.inst);
        let mut holders: Vec<Inst> = globals.chain(behind).collect();
        let (mut next, mut functions) = (0, Vec::new());
        while let Some(&holder) = holders.get(next) {
            next += 1;
            for child in module.children(holder) {
                match module.cast::<Function>(child) {
                    Some(function) => functions.push(function),
                    None => self.add_leaf(module, child, 0),
                }
                holders.extend(Some(child).filter(|&child| is_holder(module.op(child))));
            }
        }
        functions
    }

    fn add(&mut self, line: Line) {
        self.is_generic |= line.op.is_generic();
        self.places[line.inst.index()] = self.lines.len() as u32;
        self.lines.push(line);
    }

    /// Adds an instruction that should have no contents. If it has contents, these get no lines.
    fn add_leaf(&mut self, module: &Module, inst: Inst, block: u32) {
        let op = module.op(inst);
        self.is_regular &= !op.is_container() || is_holder(op);
        self.add(Line { inst, op, block });
    }

    fn add_function(&mut self, module: &Module, function: Function) {
        let (start, first_block) = (self.lines.len() as u32, self.blocks.len() as u32);
        self.add(Line { inst: function.inst(), op: Op::Function, block: 0 });
        for child in module.children(function) {
            match module.cast::<Block>(child) {
                Some(block) => self.add_block(module, block, self.blocks.len() as u32 - first_block),
                None => self.add_leaf(module, child, 0),
            }
        }
        let (end, end_block) = (self.lines.len() as u32, self.blocks.len() as u32);
        self.functions.push(Extent { function, start, end, first_block, end_block });
    }

    fn add_block(&mut self, module: &Module, block: Block, number: u32) {
        self.add(Line { inst: block.inst(), op: module.op(block), block: number });
        let start = self.lines.len();
        for child in module.children(block) {
            self.add_leaf(module, child, number);
        }
        let is_parameter = |line: &&Line| matches!(line.op, Op::BlockParameter | Op::FunctionParameter);
        let parameters = self.lines[start..].iter().take_while(is_parameter).count() as u32;
        self.blocks.push(block);
        self.spans.push(Span { start: start as u32, end: self.lines.len() as u32, parameters });
    }
}

impl Layout {
    /// Everything in the module, containers before their contents, in program order.
    pub(crate) fn everything(&self, module: &Module) -> Cow<'_, [Line]> {
        if self.is_regular { Cow::Borrowed(&self.lines[1..]) } else { Cow::Owned(walk(module)) }
    }

    /// The instructions at module level before the functions.
    pub(crate) fn globals(&self) -> &[Line] {
        &self.lines[1..self.globals_end as usize]
    }

    /// The instructions that are in no function: at module level before the functions, and in generics and interfaces.
    pub(crate) fn declarations(&self) -> &[Line] {
        &self.lines[1..self.contents_end as usize]
    }

    /// Returns whether the module has type-level code.
    pub(crate) fn is_generic(&self) -> bool {
        self.is_generic
    }

    /// The functions, in order.
    pub(crate) fn functions(&self) -> &[Extent] {
        &self.functions
    }

    /// A function, if it is in the module.
    pub(crate) fn function(&self, function: Function) -> Option<&Extent> {
        let place = *self.places.get(function.index())?;
        let number = self.functions.binary_search_by_key(&place, |extent| extent.start).ok()?;
        Some(&self.functions[number])
    }

    /// A function and its contents.
    pub(crate) fn lines(&self, extent: &Extent) -> &[Line] {
        &self.lines[extent.start as usize..extent.end as usize]
    }

    /// The blocks of a function, and the lines of each.
    pub(crate) fn blocks(&self, extent: &Extent) -> (&[Block], &[Span]) {
        let range = extent.first_block as usize..extent.end_block as usize;
        (&self.blocks[range.clone()], &self.spans[range])
    }

    /// The contents of a block.
    pub(crate) fn held(&self, span: Span) -> &[Line] {
        &self.lines[span.start as usize..span.end as usize]
    }

    /// The line of an instruction; that of the module if it has none.
    pub(crate) fn line(&self, inst: Inst) -> &Line {
        &self.lines[self.place(inst) as usize]
    }

    /// The number of an instruction's line; 0 if it has none.
    pub(crate) fn place(&self, inst: Inst) -> u32 {
        self.places[inst.index()]
    }

    /// The lines of the instructions at module level before the functions.
    pub(crate) fn globals_range(&self) -> Range<u32> {
        1..self.globals_end
    }
}

/// Returns whether an op holds type-level code.
fn is_holder(op: Op) -> bool {
    matches!(op, Op::Generic | Op::Interface)
}

/// Everything in a module, in any container.
fn walk(module: &Module) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut stack: Vec<Inst> = module.children(module.root()).collect();
    stack.reverse();
    while let Some(inst) = stack.pop() {
        lines.push(Line { inst, op: module.op(inst), block: 0 });
        let first = stack.len();
        stack.extend(module.children(inst));
        stack[first..].reverse();
    }
    lines
}
