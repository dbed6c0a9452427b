//! Rewrites the statements of the lowering into those that a person would write.
//!
//! ```text
//! var i: u32 = 0u;                       for (var i = 0u; i < n; i++) {
//! loop {                                     sum += data[i];
//!     let a = i;                     ⇒   }
//!     let b = a < n;
//!     if (b) { } else { break; }
//!     let c = data[a]; …
//! ```
//!
//! Each rule rewrites the tree of a function into one with the same meaning:
//!
//! | file | before | after |
//! |---|---|---|
//! | `branches.rs` | an arm without code; a block in a block; an arm after a jump; a jump that changes nothing | none of them |
//! | `nesting.rs` | `do { … break; … } while (false)`; a switch with one case | nested selections |
//! | `nesting.rs` | in WGSL, `continue` in a function that needs all lanes together | `else` |
//! | `repetition.rs` | a name for a literal, another name or a part of one | what it names |
//! | `copies.rs` | a name for a variable that does not change while it is used | the variable |
//! | `inlining.rs` | a name for a value that is used once | the value there |
//! | `casts.rs` | `uint(int(u))` | `u` |
//! | `swizzles.rs` | `vec3(v.x, v.y, v.z)`, `vec2(1.0, 1.0)`, `v[1]` | `v.xyz`, `vec2(1.0)`, `v.y` |
//! | `scalars.rs` | `v * vec3(2.0)` | `v * 2.0` |
//! | `choices.rs` | a selection that assigns one of two cheap values | `?:` |
//! | `short_circuits.rs` | a selection that computes the second operand | `&&`, `\|\|` |
//! | `values.rs` | a variable that is assigned once, before its uses | a value |
//! | `stores.rs` | a name for a value that a variable gets, and nothing else | the value there |
//! | `exits.rs` | a variable that gets a value where a loop ends by itself | the value before the loop |
//! | `loops.rs` | `loop { if (!c) { break; } … }`, code between iterations | `while`, `do` |
//! | `declarations.rs` | variables at the top, with a value that nothing reads | at the first assignment |
//! | `counters.rs`, `steps.rs` | a counter before a loop and at the end of its iterations | `for` |
//! | `continuing.rs` | in C, code between iterations that `continue` leads to | a flag |
//! | `comparisons.rs` | `!(i >= n)` for integers, `!(a \|\| b)`, `a ? true : b` | `i < n`, `!a && !b`, `a \|\| b` |
//! | `bounds.rs` | `v[7]` of four components | `v[3]` |
//! | `guards.rs` | selections nested eight deep at the ends of their arms | guard clauses in a `switch` of one case |
//! | `switches.rs` | in HLSL before 6.0, `continue` in a `switch` | a flag |
//! | `assignments.rs` | `x = x + 1` | `x += 1`, `x++` |
//!
//! `effects.rs`, `uses.rs` and `places.rs` answer questions about statements. After the rules a loop has one of these forms:
//!
//! | form | condition | continuing | break if |
//! |---|---|---|---|
//! | endless | no | no | no |
//! | `while` | yes | no | no |
//! | `for` (`is_for`) | yes; in C any | as many as the language takes | no |
//! | `do` of C | no | no | yes |
//! | `loop` of WGSL | no | any | any |
//!
//! The rules take time proportional to the function and to the depth of its lists.

mod assignments;
mod bounds;
mod branches;
mod casts;
mod choices;
mod comparisons;
mod continuing;
mod copies;
mod counters;
mod declarations;
mod effects;
mod exits;
mod guards;
mod inlining;
mod loops;
mod nesting;
mod places;
mod repetition;
mod scalars;
mod short_circuits;
mod steps;
mod stores;
mod switches;
mod swizzles;
mod uses;
mod values;

use crate::Language;
use crate::lower::Target;
use crate::syntax::{
    Block, Effects, Expr, Expressions, Function, Global, Literal, Local, LocalId, LocalKind, Parameter, Scalar, Shape,
    Statement, StatementKind, Text, Type, TypeShape, Types,
};

/// The differences between the statements of the languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dialect {
    /// WGSL: `loop` has `continuing { … break if c; }`; there is no `do`.
    pub(crate) has_continuing: bool,
    /// The statements that the last part of a `for` can have: 1 in WGSL, 2 in the others, where a comma joins them.
    pub(crate) steps: usize,
    /// WGSL: `continue` becomes `else` in functions with operations that are [`Effects::CONVERGENT`].
    pub(crate) nests_continues: bool,
    /// Operators with `=` take matrices in memory of any kind. MSL declares them for variables of functions alone.
    pub(crate) assigns_matrices: bool,
    /// `&&` and `||` compute both operands. HLSL does so up to its version 2018.
    pub(crate) computes_both: bool,
    /// A `switch` may have a `continue` for the loop around it. HLSL has that from 6.0 on.
    pub(crate) continues_in_switch: bool,
}

impl Dialect {
    /// That of a language and version.
    pub(crate) fn of(target: Target) -> Self {
        let language = target.language();
        let is_wgsl = language == Language::Wgsl;
        Dialect {
            has_continuing: is_wgsl,
            steps: if is_wgsl { 1 } else { 2 },
            nests_continues: is_wgsl,
            assigns_matrices: language != Language::Msl,
            computes_both: language == Language::Hlsl,
            continues_in_switch: !matches!(target, Target::Hlsl(hlsl) if !hlsl.has(6, 0)),
        }
    }
}

/// The maximum length of an expression that a rule creates, in characters.
const LONGEST: usize = 100;

/// The parts of a text that the rules of a function need.
struct Context<'a> {
    expressions: &'a mut Expressions,
    types: &'a mut Types,
    globals: &'a [Global],
    locals: &'a mut Vec<Local>,
    parameters: &'a [Parameter],
    /// For each function of the text and each parameter, whether a call writes it.
    written: &'a [Vec<bool>],
    dialect: &'a Dialect,
}

/// Rewrites the body of each function.
pub(crate) fn rearrange(text: &mut Text, dialect: &Dialect) {
    let of_parameters = |function: &Function| function.parameters.iter().map(|found| found.is_written).collect();
    let written: Vec<Vec<bool>> = text.functions.iter().map(of_parameters).collect();
    for function in &mut text.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut context = Context {
            expressions: &mut text.expressions,
            types: &mut text.types,
            globals: &text.globals,
            locals: &mut function.locals,
            parameters: &function.parameters,
            written: &written,
            dialect,
        };
        context.rearrange(&mut body);
        function.body = body;
    }
}

/// `if (condition) { jump }`
fn jump_on(condition: Expr, jump: StatementKind) -> Statement {
    StatementKind::If { condition, accept: vec![jump.into()], reject: Block::new() }.into()
}

/// A rule of expressions: it rewrites one, and its parts first.
type ExpressionRule = fn(&mut Expr, &mut Context<'_>);

/// Applies a rule to the expressions of all lists, each list after those before it.
fn rewrite_expressions(list: &mut Block, context: &mut Context<'_>, rule: ExpressionRule) {
    for statement in list {
        for expr in statement.expressions_mut() {
            rule(expr, context);
        }
        for inner in statement.blocks_mut() {
            rewrite_expressions(inner, context, rule);
        }
    }
}

impl Context<'_> {
    fn rearrange(&mut self, body: &mut Block) {
        branches::simplify(body, self);
        loops::join_ends(body, self);
        nesting::nest_breaks(body, self);
        branches::simplify(body, self);
        repetition::repeat(body, self);
        rewrite_expressions(body, self, swizzles::fold);
        copies::propagate(body, self);
        inlining::inline(body, self);
        short_circuits::join(body, self);
        choices::choose(body, self);
        values::convert(body, self);
        inlining::inline(body, self);
        rewrite_expressions(body, self, casts::simplify);
        rewrite_expressions(body, self, swizzles::fold);
        rewrite_expressions(body, self, scalars::shorten);
        stores::assign_early(body, self);
        exits::assign_before(body, self);
        loops::conditions(body, self);
        branches::simplify(body, self);
        declarations::sink(body, self);
        counters::convert(body, self);
        continuing::lower(body, self);
        rewrite_expressions(body, self, comparisons::simplify);
        rewrite_expressions(body, self, bounds::keep);
        // In WGSL, jumps end uniform control flow for operations that need all lanes.
        let is_nested = self.dialect.nests_continues && self.needs_all_lanes(body);
        if !is_nested {
            guards::flatten(body, self);
        }
        assignments::shorten(body, self);
        if !self.dialect.continues_in_switch {
            switches::lower_continues(body, self);
        }
        if is_nested {
            nesting::nest_continues(body, self);
        }
        nesting::remove_last_jumps(body, self);
    }

    fn local(&self, local: LocalId) -> &Local {
        &self.locals[local.0 as usize]
    }

    fn shape(&self, expr: Expr) -> &Shape {
        &self.expressions[expr].shape
    }

    fn ty(&self, expr: Expr) -> Type {
        self.expressions[expr].ty
    }

    fn type_shape(&self, expr: Expr) -> TypeShape {
        self.types[self.ty(expr)]
    }

    /// Returns whether the value of a local can change after it is declared.
    fn changes(&self, local: LocalId) -> bool {
        match self.local(local).kind {
            LocalKind::Value => false,
            LocalKind::Variable => true,
            LocalKind::Parameter => self.parameters.iter().any(|found| found.local == local && found.is_written),
        }
    }

    /// Returns whether an expression is a variable of the function, and nothing else.
    fn is_variable(&self, expr: Expr) -> bool {
        matches!(*self.shape(expr), Shape::Local(local) if self.local(local).kind == LocalKind::Variable)
    }

    /// Returns whether it is a value that the source does not name, and whose declaration says nothing else.
    fn is_unnamed(&self, local: LocalId) -> bool {
        let found = self.local(local);
        found.kind == LocalKind::Value && found.name.is_none() && found.prefix.is_empty()
    }

    /// The expression that names a local.
    fn name(&mut self, local: LocalId) -> Expr {
        let ty = self.local(local).ty;
        self.expressions.add(Shape::Local(local), ty, Effects::PURE)
    }

    /// The literal `true` or `false`.
    fn boolean(&mut self, value: bool) -> Expr {
        let ty = self.types.numbers(Scalar::BOOL, 1);
        self.expressions.add(Shape::Literal(Literal::Bool(value)), ty, Effects::PURE)
    }

    /// Adds a variable for a condition, which a list declares with a value.
    fn add_flag(&mut self, name: &str, value: Expr, list: &mut Block) -> LocalId {
        let ty = self.types.numbers(Scalar::BOOL, 1);
        self.locals.push(Local { name: Some(name.to_owned()), ty, kind: LocalKind::Variable, prefix: "" });
        let local = LocalId(self.locals.len() as u32 - 1);
        list.push(StatementKind::Declare { local, value: Some(value) }.into());
        local
    }

    /// Returns whether an expression names a local.
    fn mentions(&self, expr: Expr, local: LocalId) -> bool {
        let mut is_found = false;
        self.expressions.walk(expr, &mut |part| is_found |= *self.shape(part) == Shape::Local(local));
        is_found
    }

    /// The estimated length of the text of an expression.
    fn length(&self, expr: Expr) -> usize {
        let mut length = 0;
        self.expressions.walk(expr, &mut |part| {
            length += match self.shape(part) {
                Shape::Local(_) | Shape::Global(_) | Shape::Member { .. } => 8,
                Shape::Literal(_) | Shape::Binary { .. } | Shape::Swizzle { .. } => 3,
                Shape::Index { .. } => 2,
                Shape::Unary { .. } => 1,
                Shape::Choice { .. } => 6,
                Shape::Construct(arguments) => 6 + 2 * arguments.len(),
                Shape::Call { arguments, .. } | Shape::Method { arguments, .. } => 10 + 2 * arguments.len(),
            };
        });
        length
    }
}

#[cfg(test)]
mod tests;
