//! Edits of block parameters together with their arguments, and replacement of terminators.
//!
//! A parameter has an argument at the same index in every edge to its block; these edits change both at once.

use crate::{Block, Edge, Editor, Inst, Op, Parameter, Position, Terminator, terminator};

impl Editor<'_> {
    /// Adds a parameter after the parameters of a block, and to every edge that enters the block the argument that `argument` returns.
    ///
    /// ```text
    /// p: branch ^b(%x)        p: branch ^b(%x, %new)
    /// ^b(%a):            ⇒    ^b(%a, %parameter):
    /// ```
    ///
    /// Panics if an edge comes from a terminator without arguments: split it first.
    pub fn append_parameter(
        &mut self,
        block: Block,
        ty: Inst,
        mut argument: impl FnMut(&mut Self, Edge) -> Inst,
    ) -> Parameter {
        let position = match self.module.parameters(block).last() {
            Some(last) => Position::After(last.into()),
            None => Position::AtStart(block.into()),
        };
        let parameter = self.insert(position, Op::BlockParameter, Some(ty), &[]);
        let edges: Vec<Edge> = self.module.in_edges(block).collect();
        for edge in edges {
            let first = terminator::first_argument(self.module.op(edge.terminator));
            assert!(first.is_some(), "the edge carries no arguments");
            let value = argument(self, edge);
            let operands: Vec<Inst> = self.module.operands(edge.terminator).chain([value]).collect();
            self.set_operands(edge.terminator, &operands);
        }
        self.module.cast(parameter).expect("a parameter is a parameter")
    }

    /// Deletes a block parameter and, in every edge that enters its block, its argument. The caller must replace its uses before.
    pub fn remove_parameter(&mut self, parameter: Parameter) {
        let block = self.module.block_of(parameter).expect("a block parameter stands in a block");
        let place =
            self.module.parameters(block).position(|other| other == parameter).expect("a block lists its parameters");
        let edges: Vec<Edge> = self.module.in_edges(block).collect();
        for edge in edges {
            let Some(first) = terminator::first_argument(self.module.op(edge.terminator)) else { continue };
            let mut operands: Vec<Inst> = self.module.operands(edge.terminator).collect();
            if first + place < operands.len() {
                operands.remove(first + place);
                self.set_operands(edge.terminator, &operands);
            }
        }
        self.delete(parameter);
    }

    /// Replaces the terminator of a block, or adds one. The new one keeps the location of the old one.
    pub fn replace_terminator(&mut self, block: Block, op: Op, operands: &[Inst]) -> Terminator {
        let old = self.module.terminator(block);
        let location = old.and_then(|old| self.module.explicit_location(old));
        let inst = self.append(block, op, None, operands);
        if let Some(old) = old {
            self.delete(old);
        }
        self.set_location(inst, location);
        self.module.cast(inst).expect("the op is a terminator's")
    }
}
