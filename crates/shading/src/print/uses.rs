//! The structs that a text names: those of its globals, parameters, results, declared locals and constructed values, and those of their members.
//!
//! A struct comes behind those of its members, which the order of the numbers of structs has already. Linear in the text.

use crate::syntax::{
    Block, Expr, Function, GlobalKind, Shape, Statement, StatementKind, StructId, Text, Type, TypeShape,
};

/// The structs that are declared, in order.
pub(crate) fn structs(text: &Text) -> Vec<StructId> {
    let mut uses = Uses { text, is_used: vec![false; text.structs.len()] };
    for global in text.globals.iter().filter(|global| !matches!(global.kind, GlobalKind::OfEntry(_))) {
        uses.ty(global.ty);
        if let GlobalKind::Constant(value) | GlobalKind::Variable(Some(value)) = global.kind {
            uses.expression(value);
        }
    }
    for function in &text.functions {
        uses.ty(function.result);
        function.parameters.iter().for_each(|parameter| uses.ty(function[parameter.local].ty));
        uses.block(function, &function.body);
    }
    let numbers = 0..text.structs.len() as u32;
    let is_declared = |id: &StructId| uses.is_used[id.0 as usize] && !text.structure(*id).is_block;
    numbers.map(StructId).filter(is_declared).collect()
}

struct Uses<'a> {
    text: &'a Text,
    is_used: Vec<bool>,
}

impl Uses<'_> {
    fn ty(&mut self, ty: Type) {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            match self.text.types[ty] {
                TypeShape::Array { element: part, .. }
                | TypeShape::ControlPoints { point: part }
                | TypeShape::Pointer { to: part, .. } => work.push(part),
                TypeShape::Mesh(mesh) => work.extend(std::iter::once(mesh.vertex).chain(mesh.primitive)),
                TypeShape::Struct(id) if !self.is_used[id.0 as usize] => {
                    self.is_used[id.0 as usize] = true;
                    work.extend(self.text.structure(id).members.iter().map(|member| member.ty));
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, expr: Expr) {
        let mut constructed = Vec::new();
        let expressions = &self.text.expressions;
        expressions.walk(expr, &mut |part| {
            if matches!(expressions[part].shape, Shape::Construct(_)) {
                constructed.push(expressions[part].ty);
            }
        });
        constructed.into_iter().for_each(|ty| self.ty(ty));
    }

    fn block(&mut self, function: &Function, block: &Block) {
        block.iter().for_each(|statement| self.statement(function, statement));
    }

    fn statement(&mut self, function: &Function, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare { local, .. } => self.ty(function[*local].ty),
            StatementKind::Loop(found) => found.init.iter().for_each(|init| self.statement(function, init)),
            _ => {}
        }
        statement.expressions().into_iter().for_each(|expr| self.expression(expr));
        statement.blocks().into_iter().for_each(|block| self.block(function, block));
    }
}
