//! A module as text.
//!
//! Everything prints, including what the verifier rejects: an instruction whose operands do not fit its own spelling is printed as
//! `op(operand, …)`, and what cannot be named is printed as `<…>`, which the parser rejects. `docs/ir.md` describes every spelling. Linear;
//! no recursion.

use super::enumerants;
use super::float;
use super::names::Names;
use crate::literal::{text_bytes, text_words};
use crate::{Inst, Line, Location, Module, Op, OperandKind, Stage, function, terminator};

/// Prints a module, or single instructions of it.
///
/// Creating a printer names every instruction, which is linear in the module; each line is then linear in its contents. So create one
/// printer for many diagnostics.
#[derive(Debug)]
pub struct Printer<'m> {
    module: &'m Module,
    globals: Vec<Inst>,
    names: Names,
}

impl<'m> Printer<'m> {
    /// A printer for the current state of a module.
    pub fn new(module: &'m Module) -> Printer<'m> {
        let globals = module.ordered_globals();
        let names = Names::new(module, &globals);
        Printer { module, globals, names }
    }

    /// A printer whose numbers are the indices of handles: an instruction that passes keep has the same name after each of them, unless its
    /// source name has become ambiguous.
    pub fn by_handle(module: &'m Module) -> Printer<'m> {
        let mut printer = Printer::new(module);
        printer.names.number_by_handle();
        printer
    }

    /// The whole module.
    pub fn module(&self) -> String {
        let mut out = String::new();
        let root = self.module.root();
        if !self.module.decorations(root).is_empty() || self.module.explicit_location(root).is_some() {
            out.push_str("module");
            self.tail(&mut out, root);
            out.push('\n');
        }
        for &global in &self.globals {
            self.item(&mut out, global);
        }
        let first_function = self.module.functions().next().map(Inst::from);
        let mut rest = first_function;
        while let Some(inst) = rest {
            self.item(&mut out, inst);
            rest = self.module.next(inst);
        }
        out
    }

    /// One line for one instruction: a block or function shows its head, a literal its value. No line end.
    pub fn line(&self, inst: Inst) -> String {
        let mut out = String::new();
        match self.module.op(inst) {
            Op::Function => self.function_head(&mut out, inst),
            Op::Block | Op::EdgeBlock => self.block_head(&mut out, inst),
            op @ (Op::Generic | Op::Interface) => {
                out.push_str(op.name());
                out.push(' ');
                self.reference(&mut out, inst);
                self.tail(&mut out, inst);
            }
            Op::LiteralWords | Op::LiteralText => self.operand(&mut out, inst, None),
            op if op.class() == crate::Class::Decoration => self.decoration(&mut out, inst),
            op if op.class() == crate::Class::Position => self.position(&mut out, inst),
            Op::Dead | Op::Merged | Op::Module => self.reference(&mut out, inst),
            _ => self.instruction(&mut out, inst),
        }
        out
    }

    /// As [`Printer::line`], without the location: for messages that show the source location separately.
    pub fn statement(&self, inst: Inst) -> String {
        let mut line = self.line(inst);
        if let Some(location) = self.module.explicit_location(inst) {
            let mut tail = String::new();
            self.location(&mut tail, location);
            if line.ends_with(&tail) {
                line.truncate(line.len() - tail.len());
            }
        }
        line
    }

    /// The name of an instruction in a use: `%name`, `^name`, `%17`, or a literal's value.
    pub fn operand_text(&self, inst: Inst) -> String {
        let mut out = String::new();
        self.operand(&mut out, inst, None);
        out
    }

    /// A child of the module, with its contents.
    fn item(&self, out: &mut String, top: Inst) {
        let (mut inst, mut level) = (top, 0);
        loop {
            let mut child = None;
            match self.module.op(inst) {
                Op::Function => self.function(out, inst, level),
                Op::Generic | Op::Interface => {
                    self.open(out, inst, level);
                    child = self.module.first_child(inst);
                    if child.is_none() {
                        self.close(out, level);
                    }
                }
                _ => self.indented(out, inst, level),
            }
            if let Some(child) = child {
                (inst, level) = (child, level + 1);
                continue;
            }
            while inst != top && self.module.next(inst).is_none() {
                inst = self.module.parent(inst).expect("invariant: what is in a container has a parent");
                level -= 1;
                self.close(out, level);
            }
            match self.module.next(inst).filter(|_| inst != top) {
                Some(next) => inst = next,
                None => return,
            }
        }
    }

    /// The head of a generic or interface.
    fn open(&self, out: &mut String, inst: Inst, level: usize) {
        out.push('\n');
        indent(out, level);
        out.push_str(&self.line(inst));
        out.push_str(" {\n");
    }

    fn close(&self, out: &mut String, level: usize) {
        indent(out, level);
        out.push_str("}\n");
    }

    fn function(&self, out: &mut String, inst: Inst, level: usize) {
        out.push('\n');
        indent(out, level);
        self.function_head(out, inst);
        let body = self.after_parameters(inst);
        if !body.is_empty() {
            out.push_str(" {\n");
            for child in body {
                match self.module.op(child) {
                    Op::Block | Op::EdgeBlock => self.block(out, child, level),
                    _ => self.indented(out, child, level + 1),
                }
            }
            indent(out, level);
            out.push('}');
        }
        out.push('\n');
    }

    fn function_head(&self, out: &mut String, inst: Inst) {
        out.push_str("func ");
        self.reference(out, inst);
        self.type_of(out, inst);
        out.push(' ');
        self.parameter_list(out, inst);
        let operands: Vec<Inst> = self.module.operands(inst).collect();
        let stage = operands.get(function::STAGE).and_then(|&stage| self.stage(stage));
        match (operands.as_slice(), stage) {
            (&[ty, control, _], Some(stage)) => {
                out.push_str(" type ");
                self.operand(out, ty, None);
                out.push_str(" control ");
                self.operand(out, control, None);
                out.push_str(" stage ");
                out.push_str(stage.name());
            }
            _ => self.list(out, Op::Function, &operands, Delimiters { open: " (", close: ")", first: 0 }),
        }
        self.tail(out, inst);
    }

    fn stage(&self, operand: Inst) -> Option<Stage> {
        match self.module.literal_words(operand) {
            &[word] if self.module.op(operand) == Op::LiteralWords => Stage::from_word(word),
            _ => None,
        }
    }

    fn block(&self, out: &mut String, inst: Inst, level: usize) {
        indent(out, level);
        self.block_head(out, inst);
        out.push_str(":\n");
        self.after_parameters(inst).into_iter().for_each(|child| self.indented(out, child, level + 1));
    }

    fn block_head(&self, out: &mut String, inst: Inst) {
        out.push_str(self.module.op(inst).name());
        out.push(' ');
        self.reference(out, inst);
        if self.module.parameters(inst).next().is_some() {
            self.parameter_list(out, inst);
        }
        self.tail(out, inst);
    }

    fn parameter_list(&self, out: &mut String, container: Inst) {
        out.push('(');
        for (index, parameter) in self.module.parameters(container).enumerate() {
            separate(out, index);
            self.reference(out, parameter.into());
            self.type_of(out, parameter.into());
            self.tail(out, parameter.into());
        }
        out.push(')');
    }

    /// The children that are not in the parameter list.
    fn after_parameters(&self, container: Inst) -> Vec<Inst> {
        let count = self.module.parameters(container).count();
        self.module.children(container).skip(count).collect()
    }

    fn indented(&self, out: &mut String, inst: Inst, level: usize) {
        indent(out, level);
        self.instruction(out, inst);
        out.push('\n');
    }

    fn instruction(&self, out: &mut String, inst: Inst) {
        let op = self.module.op(inst);
        if op.has_result() {
            self.reference(out, inst);
            if op.has_type() {
                self.type_of(out, inst);
            }
            out.push_str(" = ");
        }
        out.push_str(op.name());
        self.operands(out, inst);
        self.tail(out, inst);
    }

    /// The literal of a floating-point constant as a number, if it is one.
    fn float(&self, constant: Inst, literal: Inst) -> Option<String> {
        let ty = self.module.ty(constant).filter(|&ty| self.module.op(ty) == Op::TypeFloat)?;
        // The width is followed by an encoding, if it is not that of IEEE 754.
        let [width] = self.module.operands(ty).collect::<Vec<_>>()[..] else { return None };
        let is_words = self.module.op(literal) == Op::LiteralWords;
        is_words
            .then(|| float::spelling(self.module.literal_word(width)?, self.module.literal_words(literal)))
            .flatten()
    }

    fn type_of(&self, out: &mut String, inst: Inst) {
        out.push_str(": ");
        match self.module.ty(inst) {
            Some(ty) => self.reference(out, ty),
            None => out.push_str("none"),
        }
    }

    fn operands(&self, out: &mut String, inst: Inst) {
        let op = self.module.op(inst);
        let operands: Vec<Inst> = self.module.operands(inst).collect();
        if operands.is_empty()
            && !matches!(op, Op::Branch | Op::BranchIf | Op::Switch | Op::If | Op::StructuredSwitch | Op::Loop)
        {
            return;
        }
        match (op, operands.as_slice()) {
            (Op::Constant | Op::SpecConstant, &[literal]) if let Some(number) = self.float(inst, literal) => {
                out.push(' ');
                out.push_str(&number);
            }
            (Op::Branch, [target, arguments @ ..]) => self.jump(out, *target, arguments),
            (Op::Loop, &[header, merge, next, control, ref arguments @ ..]) => {
                self.jump(out, header, arguments);
                self.keyed(out, " break ", merge);
                self.keyed(out, " continue ", next);
                self.keyed(out, " control ", control);
            }
            (Op::BranchIf, &[condition, yes, no, ref weights @ ..]) => {
                [condition, yes, no].into_iter().for_each(|operand| self.keyed(out, " ", operand));
                self.weights(out, weights);
            }
            (Op::If, &[condition, yes, no, merge, control, ref weights @ ..]) => {
                [condition, yes, no].into_iter().for_each(|operand| self.keyed(out, " ", operand));
                self.keyed(out, " merge ", merge);
                self.keyed(out, " control ", control);
                self.weights(out, weights);
            }
            (Op::Switch, &[selector, default, ref cases @ ..]) if cases.len() % 2 == 0 => {
                self.keyed(out, " ", selector);
                self.keyed(out, " default ", default);
                self.cases(out, cases);
            }
            (Op::StructuredSwitch, &[selector, default, merge, control, ref cases @ ..]) if cases.len() % 2 == 0 => {
                self.keyed(out, " ", selector);
                self.keyed(out, " default ", default);
                self.keyed(out, " merge ", merge);
                self.keyed(out, " control ", control);
                self.cases(out, cases);
            }
            (Op::Branch | Op::BranchIf | Op::Switch | Op::If | Op::StructuredSwitch | Op::Loop, _) => {
                self.list(out, op, &operands, Delimiters { open: "(", close: ")", first: 0 });
            }
            _ => self.list(out, op, &operands, Delimiters { open: " ", close: "", first: 0 }),
        }
    }

    fn jump(&self, out: &mut String, target: Inst, arguments: &[Inst]) {
        self.keyed(out, " ", target);
        if !arguments.is_empty() {
            self.list(
                out,
                Op::Branch,
                arguments,
                Delimiters { open: "(", close: ")", first: terminator::operand::BRANCH_ARGUMENTS },
            );
        }
    }

    fn keyed(&self, out: &mut String, key: &str, operand: Inst) {
        out.push_str(key);
        self.operand(out, operand, None);
    }

    fn weights(&self, out: &mut String, weights: &[Inst]) {
        for (index, &weight) in weights.iter().enumerate() {
            self.keyed(out, if index == 0 { " weights " } else { " " }, weight);
        }
    }

    fn cases(&self, out: &mut String, cases: &[Inst]) {
        for case in cases.chunks_exact(2) {
            self.keyed(out, " [", case[0]);
            self.keyed(out, " ", case[1]);
            out.push(']');
        }
    }

    fn list(&self, out: &mut String, op: Op, operands: &[Inst], delimiters: Delimiters) {
        out.push_str(delimiters.open);
        for (index, &operand) in operands.iter().enumerate() {
            separate(out, index);
            self.operand(out, operand, op.operand_kind(delimiters.first + index));
        }
        out.push_str(delimiters.close);
    }

    /// Prints decorations and location, which follow the operands.
    fn tail(&self, out: &mut String, inst: Inst) {
        let decorations = self.module.decorations(inst);
        let shown = if self.is_name_implied(inst) { &decorations[1..] } else { decorations };
        if !shown.is_empty() {
            out.push_str(" {");
            for (index, &decoration) in shown.iter().enumerate() {
                separate(out, index);
                self.decoration(out, decoration);
            }
            out.push('}');
        }
        if let Some(location) = self.module.explicit_location(inst) {
            self.location(out, location);
        }
    }

    fn location(&self, out: &mut String, location: Location) {
        out.push_str(" at");
        if location == Location::NONE {
            out.push_str(" none");
        }
        if let Some(Line { file, line, column }) = location.line {
            out.push(' ');
            self.reference(out, file);
            out.push_str(&format!(" {line}:{column}"));
        }
        for position in location.range.into_iter().chain(location.scope) {
            out.push(' ');
            self.position(out, position);
        }
    }

    fn position(&self, out: &mut String, inst: Inst) {
        out.push_str(self.module.op(inst).name());
        out.push('(');
        for (index, operand) in self.module.operands(inst).enumerate() {
            separate(out, index);
            self.operand(out, operand, None);
        }
        out.push(')');
    }

    /// Returns whether the printed name of an instruction covers all its names: it has one, before its other decorations.
    fn is_name_implied(&self, inst: Inst) -> bool {
        let names =
            self.module.decorations(inst).iter().filter(|&&decoration| self.module.op(decoration) == Op::Name).count();
        let leads = self.module.decorations(inst).first().is_some_and(|&first| self.module.op(first) == Op::Name);
        names == 1 && leads && self.names.given(inst).is_some()
    }

    fn decoration(&self, out: &mut String, inst: Inst) {
        let op = self.module.op(inst);
        out.push_str(op.name());
        for (index, operand) in self.module.operands(inst).enumerate() {
            out.push(' ');
            self.operand(out, operand, op.operand_kind(index));
        }
    }

    fn operand(&self, out: &mut String, inst: Inst, kind: Option<OperandKind>) {
        match (self.module.op(inst), self.module.literal_words(inst)) {
            (Op::LiteralText, words) => {
                let bytes = text_bytes(words);
                match text_words(&bytes) == words {
                    true => quote(out, &bytes),
                    false => word_list(out, "text", words),
                }
            }
            (Op::LiteralWords, &[word]) => match kind.and_then(|kind| enumerants::name(kind, word)) {
                Some(name) => out.push_str(&name),
                None => out.push_str(&word.to_string()),
            },
            (Op::LiteralWords, words) => word_list(out, "words", words),
            _ => self.reference(out, inst),
        }
    }

    fn reference(&self, out: &mut String, inst: Inst) {
        let op = self.module.op(inst);
        let sign = if op.is_block() { '^' } else { '%' };
        if let Some(name) = self.names.given(inst) {
            out.push(sign);
            out.push_str(name);
        } else if let Some(number) = self.names.number_of(inst) {
            out.push(sign);
            out.push_str(&number.to_string());
        } else {
            let what = if self.module.is_live(inst) && op.has_result() { "unplaced" } else { op.name() };
            out.push_str(&format!("<{what} {}>", inst.index()));
        }
    }
}

fn indent(out: &mut String, level: usize) {
    (0..level).for_each(|_| out.push_str("  "));
}

/// The brackets around a list of operands, and the number of its first one.
struct Delimiters {
    open: &'static str,
    close: &'static str,
    first: usize,
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push_str(", ");
    }
}

fn word_list(out: &mut String, name: &str, words: &[u32]) {
    out.push_str(name);
    out.push('(');
    for (index, word) in words.iter().enumerate() {
        separate(out, index);
        out.push_str(&word.to_string());
    }
    out.push(')');
}

fn quote(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                _ if character.is_control() => {
                    character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
                }
                _ => out.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out.push('"');
}
