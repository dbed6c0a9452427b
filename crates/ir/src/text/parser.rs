//! Text to a module.
//!
//! One pass over the tokens, statement by statement; a statement is a line, except that lists in brackets may span several lines. Two
//! things are known ahead: the largest number used as a name, since numbers are reserved, and, at the head of a function, the labels of its
//! blocks. Everything else may be used before its definition through placeholders (`scope.rs`). The spelling of operands is in
//! `operands.rs`. Only generics and interfaces nest, to a declared depth; limits are those of SPIR-V (65,535 operands, numbers below
//! 4,194,303). Linear, except that a name used early is replaced at its uses.

use reconverge_diagnostic::Diagnostic;

use super::error::{ErrorCode, Fault};
use super::lexer::{Label, Token, TokenKind, tokens};
use super::locations::{DebugLocation, TailLocation};
use super::scope::Scopes;
use crate::{Class, Inst, Module, Op, Position, Shape, Stage};

/// The maximal number of operands of an instruction, and of words of a literal.
pub(super) const GREATEST_COUNT: usize = 65_535;

/// The maximal length of a text: 1 GiB. An instruction takes several bytes, so the indices have spare room for passes that grow the module
/// within their limits.
const LONGEST_TEXT: usize = 1 << 30;

/// The maximal number of generics, interfaces and functions one in another. A name is looked up in each.
const DEEPEST_NEST: usize = 64;

/// Reads a module from its text form.
///
/// # Errors
///
/// The first error, with its place and what was expected there. A returned module is well formed as data; the verifier checks whether it is
/// valid.
pub fn parse(text: &str) -> Result<Module, Diagnostic> {
    parse_tokens(text).map_err(|fault| fault.placed_in(text))
}

fn check_length(length: usize) -> Result<(), Fault> {
    match length > LONGEST_TEXT {
        true => Err(Fault::new(0, ErrorCode::Limit, "expected a text of at most 1 GiB")),
        false => Ok(()),
    }
}

fn parse_tokens(text: &str) -> Result<Module, Fault> {
    check_length(text.len())?;
    let tokens = tokens(text)?;
    let numbers = tokens.iter().filter_map(|token| match token.kind {
        TokenKind::Name(Label::Number(number)) => Some(number + 1),
        _ => None,
    });
    let module = Module::with_numbers(numbers.max().unwrap_or(0));
    let container = module.root();
    let mut parser = Parser {
        tokens,
        cursor: 0,
        module,
        scopes: Scopes::default(),
        locations: Vec::new(),
        container,
        depth: 0,
        last_parameter: None,
    };
    parser.text()?;
    Ok(parser.module)
}

/// The state between two tokens.
pub(super) struct Parser<'t> {
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) cursor: usize,
    pub(super) module: Module,
    pub(super) scopes: Scopes<'t>,
    /// Locations whose file is not known yet.
    pub(super) locations: Vec<DebugLocation<'t>>,
    /// The place of the next instruction: the module, a function that has no block yet, or a block.
    container: Inst,
    /// The number of containers around the next instruction, not counting the module and blocks.
    depth: usize,
    /// The last parameter.
    last_parameter: Option<Inst>,
}

/// The part before the `=`: the name and its place, and the type, which may be `none`.
#[derive(Clone, Copy, Default)]
struct Head<'t> {
    label: Option<(Label<'t>, usize)>,
    ty: Option<TypeName>,
}

/// The type after a `:`; `None` for the word `none`.
type TypeName = Option<Inst>;

/// The part after the operands.
#[derive(Default)]
struct Tail<'t> {
    decorations: Vec<Inst>,
    location: Option<TailLocation<'t>>,
}

impl<'t> Parser<'t> {
    fn text(&mut self) -> Result<(), Fault> {
        self.version()?;
        while *self.kind() != TokenKind::End {
            match self.kind() {
                TokenKind::Word("module") => self.module_head()?,
                _ => self.item()?,
            }
            self.expect_line_end()?;
        }
        self.settle_locations();
        if let Some(place) = self.locations.first() {
            return Err(Fault::new(
                place.line.offset,
                ErrorCode::Undefined,
                "expected the name of a `string` in the text",
            ));
        }
        self.scopes.undefined()
    }

    /// Parses an item of a module, a generic or an interface: a container or an instruction.
    fn item(&mut self) -> Result<(), Fault> {
        match self.kind() {
            TokenKind::Word("func") => self.function(),
            TokenKind::Word("generic") => self.type_level(Op::Generic),
            TokenKind::Word("interface") => self.type_level(Op::Interface),
            _ => self.statement(),
        }
    }

    /// `generic %name {decorations} { … }`, and the same for an interface.
    fn type_level(&mut self, op: Op) -> Result<(), Fault> {
        self.advance();
        let around = self.container;
        let (label, offset) = self.label()?;
        let tail = self.tail()?;
        let head = Head { label: Some((label, offset)), ty: None };
        let inst = self.instruction(op, head, &[], tail)?;
        self.enter(inst)?;
        self.expect('{')?;
        while !self.accept('}') {
            if *self.kind() == TokenKind::End {
                return Err(self.fault("`}` to close the generic or interface"));
            }
            self.item()?;
            if *self.kind() != TokenKind::Sign('}') {
                self.expect_line_end()?;
            }
        }
        self.leave(op, around);
        Ok(())
    }

    /// Makes a container the place of the next instructions.
    fn enter(&mut self, container: Inst) -> Result<(), Fault> {
        if self.depth == DEEPEST_NEST {
            let message = format!("expected at most {DEEPEST_NEST} generics and interfaces one in another");
            return Err(Fault::new(self.offset(), ErrorCode::Limit, message));
        }
        self.depth += 1;
        self.container = container;
        if self.module.op(container).opens_scope() {
            self.scopes.enter();
        }
        Ok(())
    }

    /// Makes the container around one the place of the next instructions again.
    fn leave(&mut self, op: Op, around: Inst) {
        if op.opens_scope() {
            self.scopes.leave(&mut self.module);
        }
        self.depth -= 1;
        self.container = around;
    }

    /// The first line may say the version of the form.
    fn version(&mut self) -> Result<(), Fault> {
        if !self.accept_word(super::VERSION_WORD) {
            return Ok(());
        }
        let offset = self.offset();
        let version = self.number("a version")?;
        if !super::VERSIONS.contains(&version) {
            let (first, last) = super::VERSIONS.into_inner();
            let message = format!("expected a version of the text form from {first} to {last}, found {version}");
            return Err(Fault::new(offset, ErrorCode::Version, message));
        }
        self.expect_line_end()
    }

    fn module_head(&mut self) -> Result<(), Fault> {
        self.advance();
        let tail = self.tail()?;
        let root = self.module.root();
        for &decoration in &tail.decorations {
            self.module.edit().decorate(root, decoration);
        }
        self.locate(root, tail.location);
        Ok(())
    }

    /// One instruction: `%name: %type = op operands {decorations} at location`.
    fn statement(&mut self) -> Result<(), Fault> {
        let head = self.head()?;
        let offset = self.offset();
        let op = self.op()?;
        self.check_head(op, &head, offset)?;
        let operands = self.operands(op)?;
        if operands.len() > GREATEST_COUNT {
            return Err(Fault::new(offset, ErrorCode::Limit, "expected at most 65,535 operands"));
        }
        let blocks = operands.iter().any(|&operand| self.module.op(operand).is_block());
        if op.is_hoistable() && blocks {
            return Err(Fault::new(offset, ErrorCode::Op, "expected no block as operand of a type or constant"));
        }
        let tail = self.tail()?;
        self.instruction(op, head, &operands, tail)?;
        Ok(())
    }

    fn head(&mut self) -> Result<Head<'t>, Fault> {
        let TokenKind::Name(label) = *self.kind() else { return Ok(Head::default()) };
        let offset = self.offset();
        if matches!(label, Label::Block(_)) {
            return Err(self.fault("`%` before the name of a result"));
        }
        self.advance();
        let ty = if self.accept(':') { Some(self.type_reference()?) } else { None };
        self.expect('=')?;
        Ok(Head { label: Some((label, offset)), ty })
    }

    fn op(&mut self) -> Result<Op, Fault> {
        let TokenKind::Word(word) = *self.kind() else { return Err(self.fault("an op")) };
        let op = Op::from_name(word).filter(|op| {
            let has_statement =
                matches!(op, Op::FunctionParameter | Op::BlockParameter | Op::GenericParameter | Op::Requirement);
            has_statement
                || !matches!(
                    op.class(),
                    Class::Removed | Class::Structure | Class::Literal | Class::Decoration | Class::Position
                )
        });
        let op =
            op.ok_or_else(|| Fault::new(self.offset(), ErrorCode::Op, format!("expected an op, found `{word}`")))?;
        self.advance();
        Ok(op)
    }

    fn check_head(&self, op: Op, head: &Head<'t>, offset: usize) -> Result<(), Fault> {
        let expected = match (op.shape(), head.label, head.ty) {
            (Shape::Plain, None, None) | (Shape::Result, Some(_), None) | (Shape::Typed, Some(_), Some(_)) => {
                return Ok(());
            }
            (Shape::Plain, ..) => "no result, since it has none",
            (Shape::Result, ..) => "`%name = ` before it and no type",
            (Shape::Typed, ..) => "`%name: %type = ` before it",
        };
        let message = format!("expected {expected}: `{}`", op.name());
        Err(Fault::new(offset, ErrorCode::Result, message))
    }

    fn function(&mut self) -> Result<(), Fault> {
        self.advance();
        let (label, offset) = self.label()?;
        self.expect(':')?;
        let result = self.type_reference()?;
        let parameters = self.parameter_list()?;
        let operands = self.function_operands(result, &parameters)?;
        let tail = self.tail()?;
        let head = Head { label: Some((label, offset)), ty: Some(result) };
        let around = self.container;
        let function = self.instruction(Op::Function, head, &operands, tail)?;
        self.enter(function)?;
        for (head, tail) in parameters {
            self.parameter(Op::FunctionParameter, head, tail)?;
        }
        if *self.kind() == TokenKind::Sign('{') {
            self.body(function)?;
        }
        self.settle_locations();
        self.leave(Op::Function, around);
        Ok(())
    }

    fn parameter_list(&mut self) -> Result<Vec<(Head<'t>, Tail<'t>)>, Fault> {
        let mut parameters = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            if !parameters.is_empty() {
                self.expect(',')?;
            }
            let (label, offset) = self.label()?;
            self.expect(':')?;
            let ty = self.type_reference()?;
            parameters.push((Head { label: Some((label, offset)), ty: Some(ty) }, self.tail()?));
        }
        Ok(parameters)
    }

    /// `type %t control 0 stage graph`, each of which may be left out, or the operands in parentheses.
    fn function_operands(&mut self, result: TypeName, parameters: &[(Head<'t>, Tail<'t>)]) -> Result<Vec<Inst>, Fault> {
        if *self.kind() == TokenKind::Sign('(') {
            return self.parenthesized(Op::Function, 0);
        }
        let ty = if self.accept_word("type") { Some(self.operand(None)?) } else { None };
        let control = self.control()?;
        let stage = match self.accept_word("stage") {
            true => self.stage()?,
            false => Stage::Graph,
        };
        let ty = match ty {
            Some(ty) => ty,
            None => {
                let types: Vec<Inst> =
                    result.into_iter().chain(parameters.iter().filter_map(|(head, _)| head.ty?)).collect();
                self.module.edit().unique(Op::TypeFunction, None, &types)
            }
        };
        let stage = self.module.edit().word(stage as u32);
        Ok(vec![ty, control, stage])
    }

    /// `control 0`, or nothing, which means the same.
    pub(super) fn control(&mut self) -> Result<Inst, Fault> {
        match self.accept_word("control") {
            true => self.operand(None),
            false => Ok(self.module.edit().word(0)),
        }
    }

    fn stage(&mut self) -> Result<Stage, Fault> {
        let TokenKind::Word(word) = *self.kind() else { return Err(self.fault("a stage")) };
        let stage = Stage::from_name(word).ok_or_else(|| self.fault("one of the stages generic, graph, structured"))?;
        self.advance();
        Ok(stage)
    }

    fn body(&mut self, function: Inst) -> Result<(), Fault> {
        self.advance();
        self.create_blocks()?;
        while !self.accept('}') {
            match *self.kind() {
                TokenKind::Word("block" | "edge") => self.block(function)?,
                TokenKind::End => return Err(self.fault("`}` to close the function")),
                _ => self.statement()?,
            }
            if *self.kind() != TokenKind::Sign('}') {
                self.expect_line_end()?;
            }
        }
        Ok(())
    }

    /// Creates the blocks of a function, so that they can be named before their definition.
    fn create_blocks(&mut self) -> Result<(), Fault> {
        let mut depth = 1;
        let mut index = self.cursor;
        while depth > 0 && self.tokens[index].kind != TokenKind::End {
            match self.tokens[index].kind {
                TokenKind::Sign('{') => depth += 1,
                TokenKind::Sign('}') => depth -= 1,
                TokenKind::Word(word @ ("block" | "edge")) if self.tokens[index].opens_line => {
                    let op = if word == "block" { Op::Block } else { Op::EdgeBlock };
                    let next = &self.tokens[index + 1];
                    if let TokenKind::Name(label @ (Label::Block(_) | Label::Number(_))) = next.kind {
                        let head = Head { label: Some((label, next.offset)), ty: None };
                        self.create(op, head, &[], &[])?;
                    }
                }
                _ => {}
            }
            index += 1;
        }
        Ok(())
    }

    fn block(&mut self, function: Inst) -> Result<(), Fault> {
        self.advance();
        let TokenKind::Name(label) = *self.kind() else { return Err(self.fault("a block's name")) };
        let block = self.refer(label);
        self.advance();
        if !self.module.op(block).is_block() || self.module.parent(block).is_some() {
            return Err(self.fault("a line of its own for the block"));
        }
        self.module.edit().move_to(block, Position::AtEnd(function));
        self.container = block;
        if *self.kind() == TokenKind::Sign('(') {
            for (head, tail) in self.parameter_list()? {
                self.parameter(Op::BlockParameter, head, tail)?;
            }
        }
        let mut tail = self.tail()?;
        imply_name(&mut self.module, label, &mut tail.decorations);
        for &decoration in &tail.decorations {
            self.module.edit().decorate(block, decoration);
        }
        self.locate(block, tail.location);
        self.expect(':')
    }

    /// Creates a parameter after those of the container. Types that depend on one, used before, may already come after them.
    fn parameter(&mut self, op: Op, head: Head<'t>, tail: Tail<'t>) -> Result<(), Fault> {
        let last = self.last_parameter.filter(|&last| self.module.parent(last) == Some(self.container));
        let parameter = self.instruction(op, head, &[], tail)?;
        if self.module.previous(parameter) != last {
            let position = last.map_or(Position::AtStart(self.container), Position::After);
            self.module.edit().move_to(parameter, position);
        }
        self.last_parameter = Some(parameter);
        Ok(())
    }

    /// Creates an instruction and appends it to the container, or, if it is hoistable, places it where it belongs.
    fn instruction(&mut self, op: Op, head: Head<'t>, operands: &[Inst], mut tail: Tail<'t>) -> Result<Inst, Fault> {
        let fresh_from = self.module.capacity();
        if let Some((label, _)) = head.label {
            imply_name(&mut self.module, label, &mut tail.decorations);
        }
        let inst = self.create(op, head, operands, &tail.decorations)?;
        let numbered = matches!(head.label, Some((Label::Number(number), _)) if number as usize == inst.index());
        if numbered || inst.index() >= fresh_from {
            self.locate(inst, tail.location);
        }
        Ok(inst)
    }

    fn create(&mut self, op: Op, head: Head<'t>, operands: &[Inst], decorations: &[Inst]) -> Result<Inst, Fault> {
        if let Some((label, offset)) = head.label {
            self.scopes.check_new(label, offset)?;
        }
        let (fresh_from, ty) = (self.module.capacity(), head.ty.flatten());
        let mut edit = self.module.edit();
        let inst = match head.label {
            Some((Label::Number(number), _)) => edit.create_numbered(number, op, ty, operands, decorations),
            _ if op.is_hoistable() => edit.unique_decorated(op, ty, operands, decorations),
            _ => {
                let inst = edit.create(op, ty, operands);
                decorations.iter().for_each(|&decoration| edit.decorate(inst, decoration));
                inst
            }
        };
        let fresh = inst.index() >= fresh_from
            || matches!(head.label, Some((Label::Number(number), _)) if number as usize == inst.index());
        match fresh {
            true => self.place_new(op, inst),
            false => self.place(op, inst),
        }
        if let Some((label, _)) = head.label {
            self.scopes.define(&mut self.module, label, inst);
        }
        Ok(inst)
    }

    /// Places a new instruction: a hoistable one that is already in the container moves to its end.
    fn place_new(&mut self, op: Op, inst: Inst) {
        let at_module_level = self.container == self.module.root();
        if op.is_hoistable() && !op.is_block() && self.module.parent(inst) == Some(self.container) && !at_module_level {
            self.module.edit().move_to(inst, Position::AtEnd(self.container));
        } else {
            self.place(op, inst);
        }
    }

    /// Places an instruction that is not hoistable.
    fn place(&mut self, op: Op, inst: Inst) {
        let at_module_level = self.container == self.module.root();
        if op.is_block() || op.is_hoistable() {
            return;
        }
        match at_module_level {
            true if trails(op) && self.module.functions().next().is_some() => {
                self.module.edit().move_to(inst, Position::AtEnd(self.container));
            }
            true => self.module.edit().place_global(inst),
            false => self.module.edit().move_to(inst, Position::AtEnd(self.container)),
        }
    }

    /// Decorations in braces, then a location.
    fn tail(&mut self) -> Result<Tail<'t>, Fault> {
        let mut tail = Tail::default();
        let braces = *self.kind() == TokenKind::Sign('{');
        let decorates = matches!(self.tokens.get(self.cursor + 1).map(|token| &token.kind),
            Some(TokenKind::Word(word)) if Op::from_name(word).is_some_and(|op| op.class() == Class::Decoration));
        if braces && decorates {
            self.advance();
            while !self.accept('}') {
                if !tail.decorations.is_empty() {
                    self.expect(',')?;
                }
                let decoration = self.decoration()?;
                tail.decorations.push(decoration);
            }
        }
        if self.accept_word("at") {
            tail.location = Some(self.location()?);
        }
        Ok(tail)
    }

    /// `none`, or the name of a type.
    fn type_reference(&mut self) -> Result<TypeName, Fault> {
        if self.accept_word("none") {
            return Ok(None);
        }
        match *self.kind() {
            TokenKind::Name(label) => {
                let inst = self.refer(label);
                self.advance();
                Ok(Some(inst))
            }
            _ => Err(self.fault("the name of a type")),
        }
    }

    pub(super) fn label(&mut self) -> Result<(Label<'t>, usize), Fault> {
        match *self.kind() {
            TokenKind::Name(label @ (Label::Value(_) | Label::Number(_))) => {
                let offset = self.offset();
                self.advance();
                Ok((label, offset))
            }
            _ => Err(self.fault("a name with `%`")),
        }
    }

    pub(super) fn refer(&mut self, label: Label<'t>) -> Inst {
        let offset = self.offset();
        self.scopes.refer(&mut self.module, label, offset)
    }
}

/// Inserts the name that a label implies before the decorations, unless they contain one.
fn imply_name(module: &mut Module, label: Label<'_>, decorations: &mut Vec<Inst>) {
    let (Label::Value(name) | Label::Block(name)) = label else { return };
    if decorations.iter().all(|&decoration| module.op(decoration) != Op::Name) {
        let mut edit = module.edit();
        let text = edit.text(name);
        decorations.insert(0, edit.unique(Op::Name, None, &[text]));
    }
}

/// Returns whether an instruction after the functions stays there: it describes them.
fn trails(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::OpaquePlain | Op::OpaqueResult | Op::OpaqueTyped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_greatest_length() {
        assert!(check_length(LONGEST_TEXT).is_ok());
        assert_eq!(check_length(LONGEST_TEXT + 1).map_err(|fault| fault.code), Err(ErrorCode::Limit));
    }
}
