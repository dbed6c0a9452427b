//! Source order: a block, then the lists of the construct that it opens, then the next of its list.

use crate::compute::TreeWalk;
use crate::{List, Node};
use reconverge_ir::Block;

/// A list, and how many of its nodes are processed; or a construct, and how many of its lists are.
enum Open {
    List(List, usize),
    Construct(u32, usize),
}

impl TreeWalk<'_> {
    /// Puts the blocks in source order, and records the range of each list and construct.
    pub(crate) fn put_in_order(&mut self, blocks: &[Block]) {
        let mut stack = vec![Open::List(List(0), 0)];
        while let Some(open) = stack.pop() {
            let count = self.tree.blocks.len() as u32;
            match open {
                Open::List(list, done) => {
                    if done == 0 {
                        self.tree.lists[list.index()].blocks.start = count;
                    }
                    let data = &mut self.tree.lists[list.index()];
                    let node = data.nodes.start as usize + done;
                    if node == data.nodes.end as usize {
                        data.blocks.end = count;
                        continue;
                    }
                    stack.push(Open::List(list, done + 1));
                    let opened = match self.tree.nodes[node] {
                        Node::Block(block) => {
                            self.tree.blocks.push(block);
                            self.tree.places[node].order = count;
                            // The construct that it opens is the next node.
                            self.tree.places[node].opened
                        }
                        Node::Construct(construct) => self.tree.apart.get(&construct.opener()).copied(),
                    };
                    stack.extend(opened.map(|index| Open::Construct(index, 0)));
                }
                Open::Construct(index, done) => {
                    let construct = &mut self.tree.constructs[index as usize];
                    if done == 0 {
                        construct.blocks.start = count;
                    }
                    let Some(&list) = construct.lists.get(done) else {
                        construct.blocks.end = count;
                        continue;
                    };
                    stack.push(Open::Construct(index, done + 1));
                    stack.push(Open::List(list, 0));
                }
            }
        }
        let numbers = &self.tree.numbers;
        self.tree.outside = blocks.iter().copied().filter(|&block| !numbers.contains(block)).collect();
    }
}
