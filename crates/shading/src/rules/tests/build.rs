//! Trees of statements.

use crate::syntax::{
    Binary, Block, Callee, Effects, Expr, Function, Global, GlobalId, GlobalKind, Literal, Local, LocalId, LocalKind,
    Loop, Scalar, Shape, Statement, StatementKind, Swizzle, Text, Type, TypeShape, Unary,
};

/// A text with one function, whose statements a test builds.
pub(super) struct Build {
    pub(super) text: Text,
    pub(super) int: Type,
    pub(super) boolean: Type,
    pub(super) float: Type,
}

/// Names of calls with their effects.
pub(super) const CALLS: [(&str, Effects); 8] = [
    ("load", Effects::READS),
    ("store", Effects::WRITES),
    ("write", Effects::WRITES),
    ("bump", Effects::WRITES),
    ("pass", Effects::WRITES),
    ("pure", Effects::PURE),
    ("lanes", Effects::CONVERGENT),
    ("pinned", Effects::PINNED),
];

impl Build {
    pub(super) fn new() -> Build {
        let mut text = Text::default();
        let int = text.types.numbers(Scalar::INT, 1);
        let boolean = text.types.numbers(Scalar::BOOL, 1);
        let float = text.types.numbers(Scalar::FLOAT, 1);
        let void = text.types.of(TypeShape::Void);
        text.functions.push(Function {
            name: "f".to_owned(),
            origin: None,
            attributes: Vec::new(),
            workgroup_size: Vec::new(),
            prefix: String::new(),
            suffix: String::new(),
            parameters: Vec::new(),
            result: void,
            locals: Vec::new(),
            body: Block::new(),
            is_entry: true,
        });
        Build { text, int, boolean, float }
    }

    /// A variable of a type; it has a name.
    pub(super) fn variable(&mut self, name: &str, ty: Type) -> LocalId {
        self.local(Some(name), ty, LocalKind::Variable)
    }

    /// A value without a name.
    pub(super) fn value(&mut self, ty: Type) -> LocalId {
        self.local(None, ty, LocalKind::Value)
    }

    pub(super) fn local(&mut self, name: Option<&str>, ty: Type, kind: LocalKind) -> LocalId {
        self.text.functions[0].add(Local { name: name.map(str::to_owned), ty, kind, prefix: "" })
    }

    /// A variable at module level that something writes.
    pub(super) fn global(&mut self, name: &str) -> GlobalId {
        let global = Global {
            name: name.to_owned(),
            ty: self.int,
            kind: GlobalKind::Variable(None),
            prefix: String::new(),
            suffix: String::new(),
            is_written: true,
        };
        self.text.add_global(global)
    }

    pub(super) fn name(&mut self, local: LocalId) -> Expr {
        let ty = self.text.functions[0][local].ty;
        self.add(Shape::Local(local), ty)
    }

    pub(super) fn of_global(&mut self, global: GlobalId) -> Expr {
        self.text.expressions.add(Shape::Global(global), self.int, Effects::READS)
    }

    pub(super) fn add(&mut self, shape: Shape, ty: Type) -> Expr {
        self.text.expressions.add(shape, ty, Effects::PURE)
    }

    pub(super) fn number(&mut self, number: i64) -> Expr {
        self.add(Shape::Literal(Literal::Int(number)), self.int)
    }

    pub(super) fn bool(&mut self, value: bool) -> Expr {
        self.add(Shape::Literal(Literal::Bool(value)), self.boolean)
    }

    pub(super) fn binary(&mut self, left: Expr, operator: Binary, right: Expr) -> Expr {
        let ty = if operator.is_compound() { self.text.expressions[left].ty } else { self.boolean };
        self.add(Shape::Binary { operator, left, right }, ty)
    }

    pub(super) fn not(&mut self, operand: Expr) -> Expr {
        self.add(Shape::Unary { operator: Unary::Not, operand }, self.boolean)
    }

    pub(super) fn swizzle(&mut self, base: Expr, numbers: &[u8]) -> Expr {
        let ty = self.text.types.numbers(Scalar::FLOAT, numbers.len() as u8);
        self.add(Shape::Swizzle { base, swizzle: Swizzle::new(numbers) }, ty)
    }

    pub(super) fn vector(&mut self, arguments: &[Expr], size: u8) -> Expr {
        let ty = self.text.types.numbers(Scalar::FLOAT, size);
        self.add(Shape::Construct(arguments.iter().copied().collect()), ty)
    }

    /// A call of one of [`CALLS`].
    pub(super) fn call(&mut self, name: &'static str, arguments: &[Expr]) -> Expr {
        let (_, effects) = CALLS.into_iter().find(|(known, _)| *known == name).unwrap();
        let callee = Callee::Intrinsic(name);
        let shape = Shape::Call { callee, arguments: arguments.iter().copied().collect() };
        self.text.expressions.add(shape, self.int, effects)
    }

    /// `write(value);`
    pub(super) fn write(&mut self, value: Expr) -> Statement {
        StatementKind::Expression(self.call("write", &[value])).into()
    }

    pub(super) fn assign(&mut self, local: LocalId, value: Expr) -> Statement {
        let target = self.name(local);
        StatementKind::Assign { target, operator: None, value }.into()
    }
}

pub(super) fn declare(local: LocalId, value: Option<Expr>) -> Statement {
    StatementKind::Declare { local, value }.into()
}

pub(super) fn choose(condition: Expr, accept: Block, reject: Block) -> Statement {
    StatementKind::If { condition, accept, reject }.into()
}

pub(super) fn repeat(body: Block, continuing: Block, break_if: Option<Expr>) -> Statement {
    StatementKind::Loop(Box::new(Loop { body, continuing, break_if, ..Loop::default() })).into()
}
