//! Generic functions and what they call.

use super::body::{Body, type_name};
use super::text::{Callee, Head, Receiver, Request, Writer, parameters};
use super::{Form, Generic, Statement};

/// A value that code works on, for an interface.
#[derive(Clone, Copy)]
pub(super) struct On<'v> {
    pub(super) interface: usize,
    pub(super) receiver: Receiver,
    pub(super) value: &'v str,
}

/// Methods for the numbers that have a bit, and for the others.
#[derive(Clone, Copy)]
struct Choice {
    bit: u32,
    yes: usize,
    no: usize,
}

/// A value with its type and, unless the program is plain, the witness of that.
struct Opened {
    ty: String,
    witness: Option<String>,
    value: String,
}

impl Writer<'_> {
    pub(super) fn generics(&mut self) {
        for index in 0..self.program.functions.len() {
            let number = self.program.functions[index].interface;
            let own = [("%T", "%x"), ("%u32", "%n")];
            let body = self.body_of(index, Receiver::Parameter);
            let function = self.function(&body, &Head { name: "%body", ty: "%u32", own: &own, more: &[] });
            let generic = format!("generic %f{index} {{\n{}{function}  return_value %body\n}}", parameters(number));
            self.global(&generic);

            let mut body = Body::default();
            body.block("^entry", "");
            let result = self.call_wrapped(
                &mut body,
                index,
                On { interface: number, receiver: Receiver::Parameter, value: "%x" },
                "%n",
            );
            body.line(&format!("return_value {result}"));
            let function = self.function(&body, &Head { name: "%body", ty: "%u32", own: &own, more: &[] });
            let generic =
                format!("generic %wrapped{index} {{\n{}{function}  return_value %body\n}}", parameters(number));
            self.global(&generic);

            if self.form == Form::Dynamic {
                let any = format!("%any{number}");
                let own = [(any.as_str(), "%x"), ("%u32", "%n")];
                let body = self.body_of(index, Receiver::Any);
                let name = format!("%h{index}");
                let function = self.function(&body, &Head { name: &name, ty: "%u32", own: &own, more: &[] });
                self.functions += &function;
            }
        }
    }

    /// The body of a generic function for a type of values.
    pub(super) fn body_of(&mut self, index: usize, receiver: Receiver) -> Body {
        let program = self.program;
        let Generic { interface, statements } = &program.functions[index];
        let mut body = Body::default();
        body.block("^entry", "");
        let (mut value, mut number) = ("%x".to_owned(), "%n".to_owned());
        for statement in statements {
            let before = value.clone();
            let on = On { interface: *interface, receiver, value: &before };
            match *statement {
                Statement::Number { method } => {
                    number = self.number_method(&mut body, on, method, &number);
                }
                Statement::Value { method } => {
                    let arguments = vec![number.clone(); program.interfaces[*interface].methods[method].parameters];
                    let callee = Callee::Method(method);
                    value = self.call_method(&mut body, on, callee, &arguments);
                }
                Statement::Element => {
                    let made = [number.clone()];
                    let element = self.call_method(&mut body, on, Callee::MakeElement, &made);
                    let taken = [element];
                    let more = self.call_method(&mut body, on, Callee::TakeElement, &taken);
                    number = body.number("i_add", &number, &more);
                }
                Statement::Call { function } => {
                    number = self.call_function(&mut body, function, on, &number);
                }
                Statement::Wrapped { function } => {
                    number = self.call_wrapped(&mut body, function, on, &number);
                }
                Statement::Choice { bit, yes, no } => {
                    number = self.choice(&mut body, on, Choice { bit, yes, no }, &number);
                }
                Statement::Repeat { method } => {
                    number = self.repeat(&mut body, on, method, &number);
                }
            }
        }
        body.line(&format!("return_value {number}"));
        body
    }

    fn number_method(&mut self, body: &mut Body, on: On<'_>, method: usize, n: &str) -> String {
        let arguments = vec![n.to_owned(); self.program.interfaces[on.interface].methods[method].parameters];
        let result = self.call_method(body, on, Callee::Method(method), &arguments);
        body.number("i_add", n, &result)
    }

    fn choice(&mut self, body: &mut Body, on: On<'_>, choice: Choice, n: &str) -> String {
        let [bit, zero] = [choice.bit, 0].map(|constant| body.constant(constant));
        let [yes_block, no_block, join] = std::array::from_fn(|_| body.fresh("^b"));
        let masked = body.number("bitwise_and", n, &bit);
        let is_set = body.value("%bool", &format!("i_not_equal {masked}, {zero}"));
        body.line(&format!("branch_if {is_set} {yes_block} {no_block}"));
        for (block, method) in [(&yes_block, choice.yes), (&no_block, choice.no)] {
            body.block(block, "");
            let result = self.number_method(body, on, method, n);
            body.line(&format!("branch {join}({result})"));
        }
        let result = body.fresh("%v");
        body.block(&join, &format!("({result}: %u32)"));
        result
    }

    fn repeat(&mut self, body: &mut Body, on: On<'_>, method: usize, n: &str) -> String {
        let [zero, one, three] = [0, 1, 3].map(|constant| body.constant(constant));
        let [header, inside, exit] = std::array::from_fn(|_| body.fresh("^b"));
        let [index, result] = std::array::from_fn(|_| body.fresh("%v"));
        let count = body.number("bitwise_and", n, &three);
        body.line(&format!("branch {header}({zero}, {n})"));
        body.block(&header, &format!("({index}: %u32, {result}: %u32)"));
        let more = body.value("%bool", &format!("u_less_than {index}, {count}"));
        body.line(&format!("branch_if {more} {inside} {exit}"));
        body.block(&inside, "");
        let next = self.number_method(body, on, method, &result);
        let index = body.number("i_add", &index, &one);
        body.line(&format!("branch {header}({index}, {next})"));
        body.block(&exit, "");
        result
    }

    /// Calls a method on a value. The result of a value of interface type is one of interface type, unless it is a number or an element.
    pub(super) fn call_method(
        &mut self,
        body: &mut Body,
        target: On<'_>,
        callee: Callee,
        arguments: &[String],
    ) -> String {
        let On { interface: number, receiver, .. } = target;
        let returns_this = match callee {
            Callee::Method(index) => self.program.interfaces[number].methods[index].returns_this,
            _ => false,
        };
        let on = self.open(body, target);
        let function = match &on.witness {
            Some(witness) => body.code(&format!("lookup_witness {witness}, %I{number}.{}", callee.suffix())),
            None => self.request(Request::Method(number, callee, receiver)),
        };
        let ty = match (callee, &on.witness) {
            (Callee::MakeElement, Some(witness)) => body.code(&format!("lookup_witness {witness}, %I{number}.Element")),
            (Callee::MakeElement, None) => type_name(self.element(number, receiver)).to_owned(),
            _ if returns_this => on.ty.clone(),
            _ => "%u32".to_owned(),
        };
        let operands: Vec<&str> =
            [function.as_str(), &on.value].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let result = body.value(&ty, &format!("function_call {}", operands.join(", ")));
        match (returns_this, receiver, on.witness) {
            (true, Receiver::Any, Some(witness)) => {
                body.value(&format!("%any{number}"), &format!("make_existential {result}, {witness}"))
            }
            _ => result,
        }
    }

    /// A function with a value, or the same in the form of values of interface type for every second one.
    pub(super) fn call_function(&mut self, body: &mut Body, index: usize, target: On<'_>, n: &str) -> String {
        let On { receiver, value, .. } = target;
        if receiver == Receiver::Any && index.is_multiple_of(2) {
            return body.value("%u32", &format!("function_call %h{index}, {value}, {n}"));
        }
        let on = self.open(body, target);
        let function = match &on.witness {
            Some(witness) => body.code(&format!("specialize %f{index}, {}, {witness}", on.ty)),
            None => self.request(Request::Function(index, receiver)),
        };
        body.value("%u32", &format!("function_call {function}, {}, {n}", on.value))
    }

    /// A function with a value in the generic struct.
    fn call_wrapped(&mut self, body: &mut Body, index: usize, target: On<'_>, n: &str) -> String {
        let On { interface: number, receiver, .. } = target;
        let on = self.open(body, target);
        let (ty, function) = match (receiver, &on.witness) {
            (Receiver::Any, Some(witness)) => {
                let function = body.code(&format!("specialize %wrapped{index}, {}, {witness}", on.ty));
                return body.value("%u32", &format!("function_call {function}, {}, {n}", on.value));
            }
            (_, Some(witness)) => {
                let ty = body.code(&format!("specialize %Box, {}", on.ty));
                let witness = body.code(&format!("specialize %Box.I{number}, {}, {witness}", on.ty));
                let function = body.code(&format!("specialize %f{index}, {ty}, {witness}"));
                (ty, function)
            }
            (Receiver::Struct { index: inner, depth }, None) => {
                let wrapped = Receiver::Struct { index: inner, depth: depth + 1 };
                (self.struct_name(wrapped), self.request(Request::Function(index, wrapped)))
            }
            _ => unreachable!("only a struct has no witness"),
        };
        let boxed = body.value(&ty, &format!("composite_construct {}, {n}", on.value));
        body.value("%u32", &format!("function_call {function}, {boxed}, {n}"))
    }

    /// The type and the witness of a value, which is opened if it is one of interface type.
    fn open(&mut self, body: &mut Body, target: On<'_>) -> Opened {
        let On { interface: number, receiver, value } = target;
        match receiver {
            Receiver::Struct { index, depth: 0 } if self.form != Form::Plain => Opened {
                ty: format!("%S{index}"),
                witness: Some(format!("%S{index}.I{number}")),
                value: value.to_owned(),
            },
            Receiver::Struct { .. } => {
                Opened { ty: self.struct_name(receiver), witness: None, value: value.to_owned() }
            }
            Receiver::Parameter => {
                Opened { ty: "%T".to_owned(), witness: Some("%w".to_owned()), value: value.to_owned() }
            }
            Receiver::Any => {
                let ty = body.code(&format!("extract_type {value}"));
                let witness_type = body.code(&format!("type_witness {ty}, %I{number}"));
                let witness = body.value(&witness_type, &format!("extract_witness {value}"));
                let value = body.value(&ty, &format!("extract_value {value}"));
                Opened { ty, witness: Some(witness), value }
            }
        }
    }
}
