//! The work that the invocations of a mesh function share: to set the numbers of vertices and primitives, and to make all of them in the end.
//!
//! ```text
//! threadgroup_barrier(mem_flags::mem_threadgroup);
//! if (local_index == 0u) {
//!     output.set_primitive_count(output_counts.y);
//! }
//! for (uint i = local_index; i < output_counts.x; i += 32u) {
//!     output.set_vertex(i, MeshVertex{position[i], uv[i]});
//! }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::{BuiltIn, ExecutionMode as Mode, ExecutionModel as Model};

use super::super::function::Body;
use super::super::{Entry, Lowering};
use super::members::Members;
use super::meshes::{Meshes, Output};
use crate::syntax::{
    Arguments, Binary, Block, Callee, Effects, Expr, Function, FunctionId, Length, Local, LocalKind, Loop, Scalar,
    ScalarKind, Shape, Statement, StatementKind, Swizzle, Type, TypeShape,
};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// Adds to a mesh function what makes its vertices and primitives.
    pub(in crate::lower) fn finish_mesh(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        let Some(meshes) = self.msl.meshes.clone().filter(|_| entry.model == Model::MeshEXT) else { return Ok(()) };
        let Some(mut function) = self.text.functions.pop() else { return Ok(()) };
        let sets_counts = self.sets_counts_first(&function.body, &meshes);
        if function.body.iter().any(returns) {
            function = self.called_body(function, entry);
        }
        if !sets_counts {
            let (zeros, pair) = (std::iter::once(self.word(0)).collect(), self.text.types.numbers(Scalar::UINT, 2));
            let zero = self.text.expressions.add(Shape::Construct(zeros), pair, Effects::PURE);
            let target = self.global(meshes.counts);
            let statement = self.for_first(entry.inst, assignment(target, zero))?;
            function.body.insert(0, statement);
        }
        self.make_elements(entry, &meshes, &mut function)?;
        let id = FunctionId(self.text.functions.len() as u32);
        self.text.functions.push(function);
        self.functions.insert(entry.function, id);
        Ok(())
    }

    /// The entry point that calls a function, which is what the entry point was.
    fn called_body(&mut self, mut body: Function, entry: &Entry) -> Function {
        let caller = Function { locals: Vec::new(), body: Block::new(), ..body.clone() };
        body.is_entry = false;
        body.name = format!("{}_body", entry.name);
        let callee = Callee::Function(FunctionId(self.text.functions.len() as u32));
        self.text.functions.push(body);
        let void = self.text.types.of(TypeShape::Void);
        let shape = Shape::Call { callee, arguments: Arguments::new() };
        let call = self.text.expressions.add(shape, void, Effects::READS | Effects::WRITES | Effects::CONVERGENT);
        Function { body: vec![StatementKind::Expression(call).into()], ..caller }
    }

    /// Returns whether all invocations set the numbers before any of them may return.
    fn sets_counts_first(&self, body: &Block, meshes: &Meshes) -> bool {
        let is_set = |statement: &Statement| {
            let StatementKind::Assign { target, .. } = statement.kind else { return false };
            self.text.expressions[target].shape == Shape::Global(meshes.counts)
        };
        let before = body.iter().take_while(|statement| !returns(statement));
        before.into_iter().any(|statement| match &statement.kind {
            StatementKind::If { accept, .. } => accept.len() == 1 && is_set(&accept[0]),
            _ => is_set(statement),
        })
    }

    /// Makes the vertices and the primitives.
    fn make_elements(&mut self, entry: &Entry, meshes: &Meshes, function: &mut Function) -> Result<(), Diagnostic> {
        let threads = self.thread_count(entry);
        if threads != Some(1) {
            let flags = self.built_in("mem_flags::mem_threadgroup", meshes.structs[0].1);
            let arguments = std::iter::once(self.global(flags)).collect();
            let void = self.text.types.of(TypeShape::Void);
            let shape = Shape::Call { callee: Callee::Intrinsic("threadgroup_barrier"), arguments };
            let call = self.text.expressions.add(shape, void, Effects::READS | Effects::WRITES | Effects::CONVERGENT);
            function.body.push(StatementKind::Expression(call).into());
        }
        let primitives = self.count(meshes, 1);
        let object = self.global(meshes.object);
        let call = self.method_statement(object, "set_primitive_count", &[primitives]);
        let statement = self.for_first(entry.inst, call)?;
        function.body.push(statement);
        for (kind, method) in [(0, "set_vertex"), (1, "set_primitive")] {
            let outputs: Vec<&Output> = meshes.outputs.iter().filter(|output| output.group as usize == kind).collect();
            if !outputs.is_empty() && meshes.most[kind] > 0 {
                self.make_each(entry, (meshes, kind, method), &outputs, function)?;
            }
        }
        Ok(())
    }

    /// Makes each vertex or each primitive.
    fn make_each(
        &mut self,
        entry: &Entry,
        (meshes, kind, method): (&Meshes, usize, &'static str),
        outputs: &[&Output],
        function: &mut Function,
    ) -> Result<(), Diagnostic> {
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.text.types.numbers(Scalar::BOOL, 1);
        let first = self.input_built_in(BuiltIn::LocalInvocationIndex, entry.inst)?;
        let is_once = self.thread_count(entry).is_some_and(|threads| threads >= meshes.most[kind]);
        let mut statements = Block::new();
        let index = match is_once {
            true => self.global(first),
            false => {
                let local = Local { name: Some("i".to_owned()), ty: word, kind: LocalKind::Variable, prefix: "" };
                let local = function.add(local);
                let value = self.global(first);
                function.body.push(StatementKind::Declare { local, value: Some(value) }.into());
                self.text.expressions.add(Shape::Local(local), word, Effects::PURE)
            }
        };
        let mut values = Arguments::new();
        for output in outputs {
            let array = self.global(output.array);
            let element = self.indexed(array, index);
            self.flatten(element, &output.members, (meshes.structs[kind].1, &mut values));
        }
        let made = self.text.expressions.add(Shape::Construct(values), meshes.structs[kind].1, Effects::PURE);
        let (object, number) = (self.global(meshes.object), self.text.expressions.copy(index));
        let call = self.method_statement(object, method, &[number, made]);
        statements.push(call.into());
        let (read, limit) = (self.text.expressions.copy(index), self.count(meshes, kind as u8));
        let shape = Shape::Binary { operator: Binary::Less, left: read, right: limit };
        let condition = self.text.expressions.add(shape, boolean, Effects::PURE);
        if is_once {
            function.body.push(StatementKind::If { condition, accept: statements, reject: Block::new() }.into());
            return Ok(());
        }
        let step = self.stride(entry)?;
        let (target, read) = (self.text.expressions.copy(index), self.text.expressions.copy(index));
        let shape = Shape::Binary { operator: Binary::Add, left: read, right: step };
        let next = self.text.expressions.add(shape, word, Effects::PURE);
        let reject = vec![Statement::from(StatementKind::Break)];
        let body = vec![Statement::from(StatementKind::If { condition, accept: statements, reject })];
        let continuing = vec![assignment(target, next).into()];
        function.body.push(StatementKind::Loop(Box::new(Loop { body, continuing, ..Loop::default() })).into());
        Ok(())
    }

    /// The number of vertices or primitives.
    fn count(&mut self, meshes: &Meshes, component: u8) -> Expr {
        let base = self.global(meshes.counts);
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let shape = Shape::Swizzle { base, swizzle: Swizzle::new(&[component]) };
        self.text.expressions.add(shape, word, Effects::PURE)
    }

    fn indexed(&mut self, base: Expr, index: Expr) -> Expr {
        let from = self.text.expressions[base].ty;
        let ty = self.text.part(from, 0).unwrap_or(from);
        let index = self.text.expressions.copy(index);
        self.text.expressions.add(Shape::Index { base, index }, ty, Effects::PURE)
    }

    /// The values of members that are parts of a value. The depth is that of the type.
    fn flatten(&mut self, value: Expr, members: &Members, (made, values): (Type, &mut Arguments)) {
        let ty = self.text.expressions[value].ty;
        match (members, self.text.types[ty]) {
            // Distances are an array in the struct, too.
            (Members::One(_), TypeShape::Array { length: Length::Constant(count), .. }) => {
                for number in 0..count {
                    let (whole, index) = (self.text.expressions.copy(value), self.int(number as i32));
                    values.push(self.indexed(whole, index));
                }
            }
            (&Members::One(member), _) => {
                let wanted = self.text.part(made, member).unwrap_or(ty);
                values.push(match wanted == ty {
                    true => value,
                    false => {
                        let arguments = std::iter::once(value).collect();
                        self.text.expressions.add(Shape::Construct(arguments), wanted, Effects::PURE)
                    }
                });
            }
            (Members::Parts { parts, .. }, shape) => {
                for (number, part) in (0_u32..).zip(parts) {
                    let base = self.text.expressions.copy(value);
                    let value = match shape {
                        TypeShape::Struct(_) => {
                            let ty = self.text.part(ty, number).unwrap_or(ty);
                            self.text.expressions.add(Shape::Member { base, member: number }, ty, Effects::PURE)
                        }
                        _ => {
                            let index = self.int(number as i32);
                            self.indexed(base, index)
                        }
                    };
                    self.flatten(value, part, (made, values));
                }
            }
        }
    }

    /// The number of invocations of a group, if the module fixes it.
    fn thread_count(&self, entry: &Entry) -> Option<u32> {
        let (_, sizes) =
            self.modes(entry).into_iter().find(|(mode, _)| matches!(mode, Mode::LocalSize | Mode::LocalSizeId))?;
        let is_specialized =
            |&part: &Inst| self.source.op(part).is_constant() && self.source.op(part) != reconverge_ir::Op::Constant;
        let has_constant = self.workgroup_size_parts() != sizes;
        if sizes.iter().any(is_specialized) || has_constant {
            return None;
        }
        sizes.iter().try_fold(1_u32, |product, &part| {
            let words = self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part));
            product.checked_mul(*words.first()?)
        })
    }

    /// The number of invocations of a group.
    fn stride(&mut self, entry: &Entry) -> Result<Expr, Diagnostic> {
        if let Some(count) = self.thread_count(entry) {
            return Ok(self.word(count));
        }
        let size = self.input_built_in(BuiltIn::WorkgroupSize, entry.inst)?;
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let base = self.global(size);
            self.text.expressions.add(Shape::Swizzle { base, swizzle: Swizzle::new(&[axis]) }, word, Effects::PURE)
        });
        let plane = self.text.expressions.add(
            Shape::Binary { operator: Binary::Multiply, left: x, right: y },
            word,
            Effects::PURE,
        );
        let shape = Shape::Binary { operator: Binary::Multiply, left: plane, right: z };
        Ok(self.text.expressions.add(shape, word, Effects::PURE))
    }

    /// A statement that the first invocation of a group executes.
    fn for_first(&mut self, place: Inst, statement: StatementKind) -> Result<Statement, Diagnostic> {
        if self.entry_of(place).cloned().and_then(|entry| self.thread_count(&entry)) == Some(1) {
            return Ok(statement.into());
        }
        let index = self.input_built_in(BuiltIn::LocalInvocationIndex, place)?;
        let (left, right) = (self.global(index), self.word(0));
        let boolean = self.text.types.numbers(Scalar::BOOL, 1);
        let shape = Shape::Binary { operator: Binary::Equal, left, right };
        let condition = self.text.expressions.add(shape, boolean, Effects::PURE);
        let (accept, reject) = (vec![statement.into()], Block::new());
        Ok(StatementKind::If { condition, accept, reject }.into())
    }

    /// A call of a method that is a statement.
    pub(super) fn method_statement(&mut self, object: Expr, name: &'static str, arguments: &[Expr]) -> StatementKind {
        let void = self.text.types.of(TypeShape::Void);
        let shape = Shape::Method { object, name, arguments: arguments.iter().copied().collect() };
        StatementKind::Expression(self.text.expressions.add(shape, void, Effects::READS | Effects::WRITES))
    }
}

impl Body<'_, '_> {
    /// Adds a statement that the first invocation of a group executes.
    pub(super) fn by_first_invocation(&mut self, model: Model, statement: StatementKind) -> Result<(), Diagnostic> {
        let Some(entry) = self.cx.entries.iter().find(|entry| entry.model == model).map(|entry| entry.inst) else {
            return Ok(());
        };
        let statement = self.cx.for_first(entry, statement)?;
        self.statement(statement.kind);
        Ok(())
    }

    /// Sets the indices of a primitive, or one of them.
    pub(super) fn set_indices(&mut self, path: &[Inst], value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let (Some((&primitive, rest)), Some(meshes)) = (path.split_first(), self.cx.msl.meshes.clone()) else {
            return self.refuse(WriteCode::Interface, inst, "a store of the indices of all primitives in MSL");
        };
        let size = u32::from(meshes.topology.vertices());
        let parts = match (rest.first(), size) {
            (Some(&component), _) => vec![(Offset::Value(component), value)],
            (None, 1) => vec![(Offset::Number(0), value)],
            (None, _) => self.indices_of(value, size),
        };
        let fixed = self.word(primitive);
        let first = match fixed {
            Some(_) => None,
            None => {
                let primitive = self.value_as(primitive, ScalarKind::Uint)?;
                Some(self.repeated(primitive))
            }
        };
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        for (offset, part) in parts {
            let part = self.cast(part, ScalarKind::Uint);
            let start = fixed.unwrap_or(0).wrapping_mul(size);
            let index = match (first, offset) {
                (None, Offset::Number(number)) => self.cx.word(start.wrapping_add(number)),
                (first, offset) => {
                    let base = match first {
                        Some(first) if size == 1 => self.local(first),
                        Some(first) => {
                            let (first, size) = (self.local(first), self.cx.word(size));
                            self.binary(Binary::Multiply, first, size, word)
                        }
                        None => self.cx.word(start),
                    };
                    match offset {
                        Offset::Number(0) => base,
                        Offset::Number(number) => {
                            let number = self.cx.word(number);
                            self.binary(Binary::Add, base, number, word)
                        }
                        Offset::Value(component) => {
                            let component = self.value_as(component, ScalarKind::Uint)?;
                            self.binary(Binary::Add, base, component, word)
                        }
                    }
                }
            };
            let object = self.cx.global(meshes.object);
            let call = self.cx.method_statement(object, "set_index", &[index, part]);
            self.statement(call);
        }
        Ok(())
    }

    /// The indices of all vertices of a primitive.
    fn indices_of(&mut self, value: Expr, size: u32) -> Vec<(Offset, Expr)> {
        let parts = match &self.cx.text.expressions[value].shape {
            Shape::Construct(parts) if parts.len() == size as usize => parts.to_vec(),
            _ => {
                let whole = self.repeated(value);
                let part = |number: u32| {
                    let whole = self.local(whole);
                    self.swizzle(whole, &[number as u8])
                };
                (0..size).map(part).collect()
            }
        };
        (0..).map(Offset::Number).zip(parts).collect()
    }
}

/// The place of an index among those of its primitive.
#[derive(Clone, Copy)]
enum Offset {
    Number(u32),
    Value(Inst),
}

pub(super) fn assignment(target: Expr, value: Expr) -> StatementKind {
    StatementKind::Assign { target, operator: None, value }
}

/// Returns whether a statement may return.
fn returns(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Return(_)) || statement.blocks().into_iter().flatten().any(returns)
}
