//! Random trees of WGSL with barriers at random places.
//!
//! A text has two functions with a parameter and a pointer to a variable, and an entry point. Sources of values are inputs, buffers, workgroup and
//! private memory, and results of calls.

use crate::print::tests::Builder;
use crate::syntax::{
    Binary, Block, Case, Effects, Expr, FunctionId, GlobalId, GlobalKind, Label, LocalId, LocalKind, Loop, Scalar,
    Shape, Statement, StatementKind, Swizzle, Text, Type, TypeShape,
};

struct Random {
    state: u64,
    builder: Builder,
    uint: Type,
    boolean: Type,
    globals: Vec<GlobalId>,
    workgroup: GlobalId,
    functions: Vec<FunctionId>,
    /// The variables in scope, and pointers.
    variables: Vec<LocalId>,
    /// The values in scope.
    values: Vec<LocalId>,
    inputs: Vec<LocalId>,
    has_result: bool,
    in_loop: u32,
    in_switch: u32,
    in_continuing: bool,
    statements: u32,
}

/// The text of a seed.
pub(super) fn text(seed: u64) -> Text {
    let mut builder = Builder::new();
    let (uint, boolean) = (builder.numbers(Scalar::UINT, 1), builder.numbers(Scalar::BOOL, 1));
    let vector = builder.numbers(Scalar::UINT, 3);
    let elements = builder.array(uint, 16);
    let mut global = |name, ty, prefix, is_written| {
        let global = builder.global(name, ty, prefix, GlobalKind::Variable(None));
        builder.text.globals[global.0 as usize].is_written = is_written;
        global
    };
    let globals = vec![
        global("data", elements, "@group(0) @binding(0) var<storage, read_write>", true),
        global("fixed", elements, "@group(0) @binding(1) var<storage, read>", false),
        global("size", uint, "@group(0) @binding(2) var<uniform>", false),
        global("own", uint, "var<private>", true),
    ];
    let workgroup = global("words", elements, "var<workgroup>", true);
    let mut random = Random {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        builder,
        uint,
        boolean,
        globals,
        workgroup,
        functions: Vec::new(),
        variables: Vec::new(),
        values: Vec::new(),
        inputs: Vec::new(),
        has_result: true,
        in_loop: 0,
        in_switch: 0,
        in_continuing: false,
        statements: 0,
    };
    for name in ["first", "second"] {
        random.function(name);
    }
    random.entry(vector)
}

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % limit
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn function(&mut self, name: &str) {
        self.builder.function.name = name.to_owned();
        self.builder.function.result = self.uint;
        let value = self.builder.parameter("given", self.uint, "");
        let pointer = self.builder.parameter("place", self.uint, "");
        self.builder.function.parameters[1].is_written = true;
        (self.values, self.variables, self.statements) = (vec![value], vec![pointer], 8);
        let (target, written) = (self.builder.read(pointer), self.number());
        let mut body = vec![StatementKind::Assign { target, operator: None, value: written }.into()];
        body.extend(self.list(2));
        if !body.last().is_some_and(Statement::is_jump) {
            let result = self.number();
            body.push(StatementKind::Return(Some(result)).into());
        }
        let kinds = body.into_iter().map(|statement| statement.kind).collect();
        let id = self.builder.end_function(kinds, "main");
        self.functions.push(id);
    }

    fn entry(mut self, vector: Type) -> Text {
        self.builder.function.workgroup_size = vec![self.builder.uint(64)];
        let group = self.builder.parameter("group", vector, "@builtin(workgroup_id)");
        let id = self.builder.parameter("id", vector, "@builtin(local_invocation_id)");
        (self.inputs, self.values, self.variables) = (vec![group, id], Vec::new(), Vec::new());
        (self.has_result, self.statements) = (false, 14);
        let mut body = Block::new();
        for name in ["a", "b"] {
            let variable = self.builder.variable(name, self.uint);
            let value = self.number();
            body.push(StatementKind::Declare { local: variable, value: Some(value) }.into());
            self.variables.push(variable);
        }
        body.extend(self.list(3));
        let kinds = body.into_iter().map(|statement| statement.kind).collect();
        self.builder.finish(kinds)
    }

    fn add(&mut self, shape: Shape, ty: Type) -> Expr {
        self.builder.text.expressions.add(shape, ty, Effects::PURE)
    }

    fn literal(&mut self) -> Expr {
        let value = self.below(4);
        self.builder.uint(value)
    }

    /// A number.
    fn number(&mut self) -> Expr {
        match self.below(12) {
            0 | 1 => self.literal(),
            2 | 3 if !self.values.is_empty() => {
                let value = self.pick(&self.values.clone());
                self.builder.read(value)
            }
            4..=6 if !self.variables.is_empty() => {
                let variable = self.pick(&self.variables.clone());
                self.builder.read(variable)
            }
            7 if !self.inputs.is_empty() => {
                let input = self.pick(&self.inputs.clone());
                let base = self.builder.read(input);
                self.add(Shape::Swizzle { base, swizzle: Swizzle::new(&[0]) }, self.uint)
            }
            8 | 9 => {
                let global = self.pick(&self.globals.clone());
                self.read(global)
            }
            10 => {
                let operator = self.pick(&[Binary::Add, Binary::Multiply, Binary::BitXor]);
                let (left, right) = (self.number(), self.number());
                self.add(Shape::Binary { operator, left, right }, self.uint)
            }
            11 if self.below(6) == 0 => {
                let value = self.number();
                self.builder.intrinsic("subgroupAdd", &[value], self.uint)
            }
            _ => self.literal(),
        }
    }

    /// A global, or an element of it.
    fn read(&mut self, global: GlobalId) -> Expr {
        let base = self.builder.read_global(global);
        if !matches!(self.builder.text.types[self.builder.type_of(base)], TypeShape::Array { .. }) {
            return base;
        }
        let index = self.literal();
        self.add(Shape::Index { base, index }, self.uint)
    }

    fn condition(&mut self) -> Expr {
        if self.below(5) == 0 {
            let operator = self.pick(&[Binary::And, Binary::Or]);
            let (left, right) = (self.condition(), self.condition());
            return self.add(Shape::Binary { operator, left, right }, self.boolean);
        }
        let operator = self.pick(&[Binary::Less, Binary::Equal]);
        let (left, right) = (self.number(), self.number());
        self.add(Shape::Binary { operator, left, right }, self.boolean)
    }

    /// Statements whose lists nest at most `depth` deep.
    fn list(&mut self, depth: u32) -> Block {
        let (values, variables) = (self.values.len(), self.variables.len());
        let mut list = Block::new();
        for _ in 0..self.below(4) + 1 {
            if self.statements == 0 {
                break;
            }
            self.statements -= 1;
            let statement = self.statement(depth);
            let is_jump = statement.is_jump();
            list.push(statement);
            if is_jump {
                break;
            }
        }
        self.values.truncate(values);
        self.variables.truncate(variables);
        list
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let kind = match self.below(if depth == 0 { 9 } else { 15 }) {
            0 => {
                let value = self.number();
                let kind = self.pick(&[LocalKind::Value, LocalKind::Variable]);
                let local = self.builder.local(Some("x"), self.uint, kind);
                if kind == LocalKind::Value { &mut self.values } else { &mut self.variables }.push(local);
                StatementKind::Declare { local, value: Some(value) }
            }
            1 | 2 if !self.variables.is_empty() => {
                let variable = self.pick(&self.variables.clone());
                let (target, value) = (self.builder.read(variable), self.number());
                let operator = (self.below(3) == 0).then_some(Binary::Add);
                StatementKind::Assign { target, operator, value }
            }
            3 => {
                let (target, value) = (self.read(self.globals[0]), self.number());
                StatementKind::Assign { target, operator: None, value }
            }
            4 => self.call(),
            5 => self.uniform_load(),
            6 if self.below(2) == 0 => self.jump(),
            9 | 10 => {
                let condition = self.condition();
                let accept = self.list(depth - 1);
                let reject = if self.below(2) == 0 { self.list(depth - 1) } else { Block::new() };
                StatementKind::If { condition, accept, reject }
            }
            11 => self.switch(depth - 1),
            12..=14 if !self.in_continuing => self.repetition(depth - 1),
            _ => {
                let void = self.builder.ty(TypeShape::Void);
                let name = self.pick(&["workgroupBarrier", "workgroupBarrier", "storageBarrier"]);
                StatementKind::Expression(self.builder.intrinsic(name, &[], void))
            }
        };
        kind.into()
    }

    /// A call whose result gets a name.
    fn call(&mut self) -> StatementKind {
        if self.functions.is_empty() || self.variables.is_empty() {
            let value = self.number();
            let local = self.builder.variable("y", self.uint);
            self.variables.push(local);
            return StatementKind::Declare { local, value: Some(value) };
        }
        let (function, variable) = (self.pick(&self.functions.clone()), self.pick(&self.variables.clone()));
        let (value, place) = (self.number(), self.builder.read(variable));
        let result = self.builder.call(function, &[value, place]);
        let local = self.builder.local(Some("result"), self.uint, LocalKind::Value);
        self.values.push(local);
        StatementKind::Declare { local, value: Some(result) }
    }

    fn uniform_load(&mut self) -> StatementKind {
        let base = self.builder.read_global(self.workgroup);
        let index = if self.below(3) == 0 { self.number() } else { self.literal() };
        let place = self.add(Shape::Index { base, index }, self.uint);
        let value = self.builder.intrinsic("workgroupUniformLoad", &[place], self.uint);
        let local = self.builder.local(Some("loaded"), self.uint, LocalKind::Value);
        self.values.push(local);
        StatementKind::Declare { local, value: Some(value) }
    }

    fn jump(&mut self) -> StatementKind {
        match self.below(3) {
            0 if self.in_loop > 0 && !self.in_continuing => StatementKind::Continue,
            1 if (self.in_loop > 0 && !self.in_continuing) || self.in_switch > 0 => StatementKind::Break,
            _ if self.in_continuing => self.uniform_load(),
            _ if self.has_result => {
                let value = self.number();
                StatementKind::Return(Some(value))
            }
            _ => StatementKind::Return(None),
        }
    }

    fn switch(&mut self, depth: u32) -> StatementKind {
        let selector = self.number();
        self.in_switch += 1;
        let mut cases = Vec::new();
        for number in 0..self.below(2) + 1 {
            let body = self.list(depth);
            cases.push(Case { labels: vec![Label::Value(number as i64)], body, falls: false });
        }
        if self.below(2) == 0 {
            cases.push(Case { labels: vec![Label::Default], body: self.list(depth), falls: false });
        }
        self.in_switch -= 1;
        StatementKind::Switch { selector, cases }
    }

    fn repetition(&mut self, depth: u32) -> StatementKind {
        let switches = std::mem::take(&mut self.in_switch);
        self.in_loop += 1;
        let body = self.list(depth);
        self.in_loop -= 1;
        let mut found = Loop { body, ..Loop::default() };
        match self.below(3) {
            0 => found.condition = Some(self.condition()),
            kind => {
                let was = std::mem::replace(&mut self.in_continuing, true);
                found.continuing = if kind == 1 { self.list(1) } else { Block::new() };
                self.in_continuing = was;
                found.break_if = Some(self.condition());
            }
        }
        self.in_switch = switches;
        StatementKind::Loop(Box::new(found))
    }
}
