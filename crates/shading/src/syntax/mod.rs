//! The syntax tree of a text: types, expressions, statements and declarations of a C-like language.
//!
//! A tree has everything that a text says and nothing about how it is spelled: the lowering (`lower/`) chooses operations and
//! functions of the language, the rules (`rules/`) rewrite statements, and the printers (`print/`) write them.
//!
//! | what | kept in | named by |
//! |---|---|---|
//! | types | [`Types`], each once | [`Type`] |
//! | expressions | [`Expressions`] | [`Expr`] |
//! | structs, globals, functions | [`Text`] | [`StructId`], [`GlobalId`], [`FunctionId`] |
//! | variables and parameters of a function | [`Function`] | [`LocalId`] |
//! | statements | the lists that contain them | their place |
//!
//! An expression is used once. So a rule may move it, and what it becomes in the text has the size of the tree. Lists nest at most
//! [`DEEPEST_BLOCK`] deep and operators at most [`DEEPEST_EXPRESSION`], so code over the tree may recurse.

mod declaration;
mod expression;
mod notes;
mod operator;
mod statement;
mod types;

pub(crate) use declaration::{
    Function, FunctionId, Global, GlobalId, GlobalKind, Local, LocalId, LocalKind, Member, Parameter, Role, Struct,
    StructId, Text,
};
pub(crate) use expression::{Arguments, Callee, Effects, Expr, Expression, Expressions, Literal, Shape, Swizzle};
pub(crate) use notes::{ConstantNote, Named, Notes, PlacedNote, ResourceNote, VariableNote};
pub(crate) use operator::{Binary, Level, Unary};
pub(crate) use statement::{Block, Case, Label, Loop, Statement, StatementKind, has_break, has_continue};
pub(crate) use types::{
    Access, Depth, Image, ImageDim, Length, Mesh, Scalar, ScalarKind, Storage, StoredMatrix, Texel, Topology, Type,
    TypeShape, Types,
};

/// The maximum number of braces around a statement, the nesting limit of WGSL.
pub(crate) const DEEPEST_BLOCK: u32 = 127;

/// The maximum number of operators inside one another.
pub(crate) const DEEPEST_EXPRESSION: u16 = 24;
