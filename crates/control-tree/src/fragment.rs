//! Fragments: parts of a tree that are not inserted anywhere.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::{Nest, ROOT};
use crate::{Cursor, EditError, EditFault, TreeEditor};
use reconverge_ir::{Block, Copies, Inst, Module, Op};

/// A part of a tree that was removed or newly created: a list without a place. [`TreeEditor::insert`] puts it into the tree,
/// [`TreeEditor::delete`] deletes it. A fragment that is dropped stays in the arena, and its jumps count as predecessors.
#[derive(Debug)]
#[must_use = "insert it or delete it"]
pub struct Fragment {
    /// The number of its editor.
    pub(crate) owner: u64,
    pub(crate) nest: Nest,
    pub(crate) first: Block,
    pub(crate) last: Block,
    /// The place where it was removed.
    pub(crate) origin: Option<Origin>,
}

/// The place where a fragment was removed.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Its old place.
    pub(crate) cursor: Cursor,
    /// The block before each of its blocks in the function, in the order of removal.
    pub(crate) places: Vec<(Block, Option<Inst>)>,
    /// The state of the tree before and after.
    pub(crate) before: u64,
    pub(crate) after: u64,
}

impl Fragment {
    /// The block that it begins with. It has only instructions, no parameters; it is merged away when the fragment is inserted.
    pub fn first_block(&self) -> Block {
        self.first
    }

    /// The block that it ends with.
    pub fn last_block(&self) -> Block {
        self.last
    }

    /// All its blocks, in source order. Linear.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = self.nest.source_order(self.first, self.last).expect("invariant: the list has these ends");
        self.nest.extend_with_construct(self.last, &mut blocks);
        blocks
    }

    /// The place that it was removed from, for reinserting it. None for copies and new ones.
    pub fn origin(&self) -> Option<Cursor> {
        self.origin.as_ref().map(|origin| origin.cursor)
    }

    /// Returns whether a block is part of it.
    pub fn contains(&self, block: Block) -> bool {
        self.nest.spot(block).is_some()
    }

    /// Returns whether control reaches its end: its last block has no terminator. Otherwise the last block ends in a jump.
    pub fn is_open(&self, tree: &TreeEditor<'_>) -> bool {
        tree.module().terminator(self.last).is_none()
    }
}

impl TreeEditor<'_> {
    /// An empty fragment: one block, to which instructions can be appended. It is open.
    pub fn empty_fragment(&mut self) -> Fragment {
        let block = self.create_block(Op::Block);
        let mut nest = Nest::new();
        nest.put_after(ROOT, None, block);
        Fragment { owner: self.number, nest, first: block, last: block, origin: None }
    }

    /// A copy of a fragment with its contents. Uses of its own values are replaced by their copies; other operands are unchanged, jump
    /// targets too, unless `copies` maps them beforehand. Afterwards `copies` maps originals to copies. Linear.
    ///
    /// ```text
    /// ^a: if … merge ^m      ⇒      ^a': if … merge ^m'
    /// ^m: branch ^out               ^m': branch ^out
    /// ```
    ///
    /// # Errors
    /// The fragment is of another editor.
    pub fn clone_fragment(&mut self, fragment: &Fragment, copies: &mut Copies) -> Result<Fragment, EditError> {
        if fragment.owner != self.number {
            return Err(EditFault::OtherEditor.at(fragment.first));
        }
        let roots: Vec<Inst> = fragment.blocks().into_iter().map(Inst::from).collect();
        let inside: Vec<Inst> = roots.iter().flat_map(|&root| self.module.descendants(root)).collect();
        let mut own = images_of_outside(self.module, &inside, copies);
        let images = self.module.edit().copy(&roots, &mut own);
        for original in inside {
            copies.set(original, own.image(original));
        }
        let module = &*self.module;
        let blocks =
            roots.iter().zip(images).filter_map(|(&root, image)| Some((module.cast(root)?, module.cast(image)?)));
        let blocks: FxHashMap<Block, Block> = blocks.collect();
        let image = |block: Block| blocks.get(&block).copied().unwrap_or(block);
        Ok(Fragment {
            owner: self.number,
            nest: fragment.nest.map(image),
            first: image(fragment.first),
            last: image(fragment.last),
            origin: None,
        })
    }
}

/// The entries of `copies` for operands outside the fragment. The fragment's own values are copied again, however often they were copied
/// before.
fn images_of_outside(module: &Module, inside: &[Inst], copies: &Copies) -> Copies {
    let all: FxHashSet<Inst> = inside.iter().copied().collect();
    let mut outside = Copies::new();
    for &inst in inside {
        let decorations = module.decorations(inst).iter().flat_map(|&decoration| module.operands(decoration));
        for used in module.operands(inst).chain(module.ty(inst)).chain(decorations) {
            let image = copies.image(used);
            if image != used && !all.contains(&used) {
                outside.set(used, image);
            }
        }
    }
    outside
}
