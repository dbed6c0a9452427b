//! Values as nodes: a value is uniform if its operands are, and the control flow that computes it. Source: WGSL, section 15.2.8.

use super::body::{Body, Storage, variable};
use super::graph::Node;
use super::sources::is_handle;
use super::summary::Subject;
use crate::source::UniformityRule;
use crate::syntax::{Binary, Expr, LocalId, Shape};

impl Body<'_> {
    /// The node of a value that is computed in this control flow.
    pub(super) fn value(&mut self, expr: Expr, flow: Node) -> Node {
        let node = self.own_value(expr, flow);
        if !self.plan.has(expr) {
            return node;
        }
        let message = "a value that goes through workgroup memory needs uniform control flow".to_owned();
        self.require(UniformityRule::Barrier, flow, (expr, Subject::Flow), message);
        flow
    }

    /// The same before it goes through memory.
    fn own_value(&mut self, expr: Expr, flow: Node) -> Node {
        let text = self.text;
        match &text.expressions[expr].shape {
            Shape::Literal(_) => flow,
            Shape::Local(local) => match self.storage(*local) {
                Storage::Value => self.graph.node([self.values[local.0 as usize], flow]),
                Storage::Variable => {
                    let value = self.environment.value(variable(*local));
                    self.graph.node([value, flow])
                }
                Storage::Memory => {
                    let name = self.function[*local].name.as_deref().unwrap_or_default();
                    self.source(format!("reading from `{name}` may differ between invocations"))
                }
            },
            Shape::Global(global) => {
                let global = text.global(*global);
                match global.is_written && !is_handle(text, global.ty) {
                    true => self.source(format!("reading from `{}` may differ between invocations", global.name)),
                    false => flow,
                }
            }
            Shape::Binary { operator: Binary::And | Binary::Or, left, right } => {
                let chosen = self.chosen(*left, flow);
                let mark = self.environment.mark();
                let value = self.value(*right, chosen);
                let way = self.environment.changes_since(mark);
                self.environment.undo(mark);
                self.environment.join(&mut self.graph, &[way, super::environment::Changes::new()]);
                self.graph.node([value, chosen])
            }
            Shape::Call { callee, arguments } => self.call(expr, callee, arguments, flow),
            shape => {
                let parts: Vec<Node> = shape.parts().into_iter().map(|part| self.value(part, flow)).collect();
                self.graph.node(parts.into_iter().chain([flow]))
            }
        }
    }

    /// The variable of the function that a place is in, and the nodes of the indices on the way.
    pub(super) fn place(&mut self, place: Expr, flow: Node) -> (Option<LocalId>, Vec<Node>) {
        let text = self.text;
        let mut indices = Vec::new();
        let mut base = place;
        loop {
            match text.expressions[base].shape {
                Shape::Index { base: next, index } => {
                    indices.push(self.value(index, flow));
                    base = next;
                }
                Shape::Member { base: next, .. } | Shape::Swizzle { base: next, .. } => base = next,
                Shape::Local(local) if self.storage(local) == Storage::Variable => return (Some(local), indices),
                _ => return (None, indices),
            }
        }
    }
}
