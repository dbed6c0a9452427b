//! Small trees for tests.

use crate::syntax::{
    Arguments, Binary, Callee, Depth, Effects, Expr, Function, FunctionId, Global, GlobalId, GlobalKind, Image,
    ImageDim, Length, Literal, Local, LocalId, LocalKind, Member, Parameter, Scalar, Shape, Statement, StatementKind,
    Struct, StructId, Swizzle, Text, Type, TypeShape, Unary,
};

/// A tree with a function that is built.
pub(crate) struct Builder {
    pub(crate) text: Text,
    pub(crate) function: Function,
}

impl Builder {
    /// A tree whose function is an entry without parameters.
    pub(crate) fn new() -> Builder {
        let mut text = Text::default();
        let result = text.types.of(TypeShape::Void);
        Builder { text, function: function("main", result) }
    }

    /// The tree, with the statements in its function.
    pub(crate) fn finish(mut self, body: Vec<StatementKind>) -> Text {
        self.function.is_entry = true;
        self.end_function(body, "");
        self.text
    }

    /// Ends the function, and begins another one with a name.
    pub(crate) fn end_function(&mut self, body: Vec<StatementKind>, next: &str) -> FunctionId {
        let result = self.text.types.of(TypeShape::Void);
        let mut ended = std::mem::replace(&mut self.function, function(next, result));
        ended.body = body.into_iter().map(Statement::from).collect();
        self.text.functions.push(ended);
        FunctionId(self.text.functions.len() as u32 - 1)
    }

    pub(crate) fn ty(&mut self, shape: TypeShape) -> Type {
        self.text.types.of(shape)
    }

    pub(crate) fn numbers(&mut self, scalar: Scalar, size: u8) -> Type {
        self.text.types.numbers(scalar, size)
    }

    pub(crate) fn array(&mut self, element: Type, length: u32) -> Type {
        self.ty(TypeShape::Array { element, length: Length::Constant(length) })
    }

    pub(crate) fn runtime_array(&mut self, element: Type) -> Type {
        self.ty(TypeShape::Array { element, length: Length::Runtime })
    }

    pub(crate) fn structure(&mut self, name: &str, members: &[(&str, Type)]) -> (StructId, Type) {
        let member = |(name, ty): &(&str, Type)| Member {
            name: (*name).to_owned(),
            ty: *ty,
            prefix: String::new(),
            suffix: String::new(),
        };
        let members = members.iter().map(member).collect();
        let id = self.text.add_struct(Struct { name: name.to_owned(), members, is_block: false });
        (id, self.ty(TypeShape::Struct(id)))
    }

    /// The type of a block.
    pub(crate) fn block(&mut self, name: &str, members: &[(&str, Type)]) -> Type {
        let (id, ty) = self.structure(name, members);
        self.text.structs[id.0 as usize].is_block = true;
        ty
    }

    pub(crate) fn global(&mut self, name: &str, ty: Type, prefix: &str, kind: GlobalKind) -> GlobalId {
        let (name, prefix) = (name.to_owned(), prefix.to_owned());
        self.text.add_global(Global { name, ty, kind, prefix, suffix: String::new(), is_written: false })
    }

    pub(crate) fn local(&mut self, name: Option<&str>, ty: Type, kind: LocalKind) -> LocalId {
        self.function.add(Local { name: name.map(str::to_owned), ty, kind, prefix: "" })
    }

    pub(crate) fn variable(&mut self, name: &str, ty: Type) -> LocalId {
        self.local(Some(name), ty, LocalKind::Variable)
    }

    pub(crate) fn parameter(&mut self, name: &str, ty: Type, prefix: &str) -> LocalId {
        let local = self.local(Some(name), ty, LocalKind::Parameter);
        let is_written = prefix == "inout";
        let (prefix, suffix) = (prefix.to_owned(), String::new());
        self.function.parameters.push(Parameter { local, is_written, prefix, suffix });
        local
    }

    pub(crate) fn add(&mut self, shape: Shape, ty: Type) -> Expr {
        self.text.expressions.add(shape, ty, Effects::PURE)
    }

    pub(crate) fn type_of(&self, expr: Expr) -> Type {
        self.text.expressions[expr].ty
    }

    pub(crate) fn literal(&mut self, literal: Literal, scalar: Scalar) -> Expr {
        let ty = self.numbers(scalar, 1);
        self.add(Shape::Literal(literal), ty)
    }

    pub(crate) fn uint(&mut self, value: u64) -> Expr {
        self.literal(Literal::Uint(value), Scalar::UINT)
    }

    pub(crate) fn float(&mut self, value: f64) -> Expr {
        self.literal(Literal::Float(value), Scalar::FLOAT)
    }

    pub(crate) fn read(&mut self, local: LocalId) -> Expr {
        let ty = self.function[local].ty;
        self.add(Shape::Local(local), ty)
    }

    pub(crate) fn read_global(&mut self, global: GlobalId) -> Expr {
        let ty = self.text.global(global).ty;
        self.add(Shape::Global(global), ty)
    }

    pub(crate) fn member(&mut self, base: Expr, member: u32) -> Expr {
        let ty = self.text.part(self.type_of(base), member).expect("a member");
        self.add(Shape::Member { base, member }, ty)
    }

    pub(crate) fn index(&mut self, base: Expr, index: Expr) -> Expr {
        let ty = self.text.part(self.type_of(base), 0).expect("an element");
        self.add(Shape::Index { base, index }, ty)
    }

    pub(crate) fn swizzle(&mut self, base: Expr, numbers: &[u8]) -> Expr {
        let scalar = self.text.types.scalar(self.type_of(base)).expect("a vector");
        let ty = self.numbers(scalar, numbers.len() as u8);
        self.add(Shape::Swizzle { base, swizzle: Swizzle::new(numbers) }, ty)
    }

    pub(crate) fn unary(&mut self, operator: Unary, operand: Expr) -> Expr {
        let ty = self.type_of(operand);
        self.add(Shape::Unary { operator, operand }, ty)
    }

    pub(crate) fn binary(&mut self, operator: Binary, left: Expr, right: Expr) -> Expr {
        let is_truth = operator.is_comparison() || matches!(operator, Binary::And | Binary::Or);
        let ty = if is_truth { self.numbers(Scalar::BOOL, 1) } else { self.type_of(left) };
        self.add(Shape::Binary { operator, left, right }, ty)
    }

    pub(crate) fn choice(&mut self, condition: Expr, accept: Expr, reject: Expr) -> Expr {
        let ty = self.type_of(accept);
        self.add(Shape::Choice { condition, accept, reject }, ty)
    }

    pub(crate) fn construct(&mut self, ty: Type, parts: &[Expr]) -> Expr {
        self.add(Shape::Construct(parts.iter().copied().collect()), ty)
    }

    pub(crate) fn intrinsic(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        let arguments: Arguments = arguments.iter().copied().collect();
        self.add(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty)
    }

    pub(crate) fn call(&mut self, id: FunctionId, arguments: &[Expr]) -> Expr {
        let ty = self.text.functions[id.0 as usize].result;
        let arguments: Arguments = arguments.iter().copied().collect();
        self.add(Shape::Call { callee: Callee::Function(id), arguments }, ty)
    }
}

/// A color image of two dimensions.
pub(crate) const IMAGE: Image = Image {
    dim: ImageDim::Two,
    is_array: false,
    is_multisampled: false,
    depth: Depth::Color,
    component: Scalar::FLOAT,
    is_storage: false,
    texel: crate::syntax::Texel::Numbers(4),
    is_ordered: false,
    access: crate::syntax::Access::ReadWrite,
    format: "rgba8unorm",
};

fn function(name: &str, result: Type) -> Function {
    Function {
        name: name.to_owned(),
        origin: None,
        attributes: Vec::new(),
        workgroup_size: Vec::new(),
        prefix: String::new(),
        suffix: String::new(),
        parameters: Vec::new(),
        result,
        locals: Vec::new(),
        body: Vec::new(),
        is_entry: false,
    }
}

pub(crate) fn declare(local: LocalId, value: Expr) -> StatementKind {
    StatementKind::Declare { local, value: Some(value) }
}

pub(crate) fn assign(target: Expr, value: Expr) -> StatementKind {
    StatementKind::Assign { target, operator: None, value }
}

pub(crate) fn compound(target: Expr, operator: Binary, value: Expr) -> StatementKind {
    StatementKind::Assign { target, operator: Some(operator), value }
}
