//! A program as text, in one of its forms.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::body::{Body, type_name};
use super::{Carrier, Field, Form, Formula, Generic, Interface, Program, Statement, Use};

/// Writes a program.
pub(super) fn write(program: &Program, form: Form) -> String {
    let mut writer = Writer { program, form, globals: String::new(), functions: String::new(), ..Writer::new(program) };
    writer.types();
    if form != Form::Plain {
        writer.interfaces();
        writer.generics();
    }
    writer.total();
    writer.requested();
    writer.kernel();
    let mut text = String::from(HEAD);
    for constant in &writer.constants {
        writeln!(text, "%c{constant}: %u32 = constant {constant}").expect("a string takes everything");
    }
    text + &writer.globals + &writer.functions
}

const HEAD: &str = "\
capability Kernel
capability Addresses
capability Int64
capability Int16
capability Linkage
memory_model Physical64, OpenCL
entry_point Kernel, %main, \"main\", %id
%void = type_void
%bool = type_bool
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f32 = type_float 32
%pair = type_vector %u32, 2
%three: %u32 = constant 3
%two: %u32 = constant 2
%array = type_array %u32, %three
%twice: %u64 = constant words(1, 1)
%half: %u64 = constant words(32, 0)
%sizes = type_vector %u64, 3
%input_pointer = type_pointer Input, %sizes
%id: %input_pointer = variable Input {decorate BuiltIn 28}
%buffer = type_pointer CrossWorkgroup, %u32
";

/// The type of the value that code works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Receiver {
    /// A struct, in so many of the generic structs.
    Struct { index: usize, depth: usize },
    /// The type parameter of the generic around the code.
    Parameter,
    /// A value of interface type.
    Any,
}

/// What is called on a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Callee {
    Method(usize),
    MakeElement,
    TakeElement,
}

impl Callee {
    fn suffix(self) -> String {
        match self {
            Callee::Method(index) => format!("m{index}"),
            Callee::MakeElement => "make".to_owned(),
            Callee::TakeElement => "take".to_owned(),
        }
    }
}

/// A function that the plain form needs for a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Request {
    Function(usize, Receiver),
    Method(usize, Callee, Receiver),
}

struct Writer<'p> {
    program: &'p Program,
    form: Form,
    constants: BTreeSet<u32>,
    globals: String,
    functions: String,
    asked: BTreeSet<Request>,
    open: VecDeque<Request>,
    boxes: BTreeSet<Receiver>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program) -> Writer<'p> {
        Writer {
            program,
            form: Form::Plain,
            constants: BTreeSet::new(),
            globals: String::new(),
            functions: String::new(),
            asked: BTreeSet::new(),
            open: VecDeque::new(),
            boxes: BTreeSet::new(),
        }
    }

    fn global(&mut self, line: &str) {
        self.globals += line;
        self.globals.push('\n');
    }

    fn types(&mut self) {
        for (index, structure) in self.program.structs.iter().enumerate() {
            let fields: Vec<&str> = structure.fields.iter().map(|&field| type_name(field)).collect();
            self.global(&format!("%S{index} = type_struct {}", fields.join(", ")));
        }
    }

    fn interfaces(&mut self) {
        self.global("%kind = type_kind");
        for (number, interface) in self.program.interfaces.iter().enumerate() {
            let mut text = format!("interface %I{number} {{\n  %I{number}.This: %kind = generic_parameter\n");
            let this = format!("%I{number}.This");
            if interface.has_element {
                let element = format!("%I{number}.Element");
                text += &format!("  {element}: %kind = requirement\n");
                text += &requirement(number, Callee::MakeElement, &[&element, &this, "%u32"]);
                text += &requirement(number, Callee::TakeElement, &["%u32", &this, &element]);
            }
            for (index, method) in interface.methods.iter().enumerate() {
                let mut types = vec![if method.returns_this { this.as_str() } else { "%u32" }, &this];
                types.extend(vec!["%u32"; method.parameters]);
                text += &requirement(number, Callee::Method(index), &types);
            }
            self.global(&(text + "}"));
            self.global(&format!("%any{number} = type_existential %I{number}"));
            for index in 0..self.program.structs.len() {
                self.table(number, index);
            }
        }
        self.boxes_of_parameters();
    }

    /// The witness table of a struct, and its functions.
    fn table(&mut self, number: usize, index: usize) {
        let receiver = Receiver::Struct { index, depth: 0 };
        let mut entries = Vec::new();
        if self.program.interfaces[number].has_element {
            let element = self.program.structs[index].implementations[number].element;
            entries.push(format!("%I{number}.Element, {}", type_name(element)));
        }
        for callee in callees(&self.program.interfaces[number]) {
            let name = self.request(Request::Method(number, callee, receiver));
            entries.push(format!("%I{number}.{}, {name}", callee.suffix()));
        }
        self.global(&format!("%S{index}.I{number}.type = type_witness %S{index}, %I{number}"));
        let table = format!("%S{index}.I{number}: %S{index}.I{number}.type = witness_table {}", entries.join(", "));
        self.global(&table);
    }

    /// The generic struct, and how it implements each interface.
    fn boxes_of_parameters(&mut self) {
        self.global(
            "generic %Box {\n  %T: %kind = generic_parameter\n  %box = type_struct %T, %u32\n  return_value %box\n}",
        );
        for number in 0..self.program.interfaces.len() {
            let mut text = format!("generic %Box.I{number} {{\n");
            text += &parameters(number);
            text += &format!("  %box = specialize %Box, %T\n  %box_is = type_witness %box, %I{number}\n");
            let mut entries = Vec::new();
            if self.program.interfaces[number].has_element {
                text += &format!("  %element = lookup_witness %w, %I{number}.Element\n");
                entries.push(format!("%I{number}.Element, %element"));
            }
            for callee in callees(&self.program.interfaces[number]) {
                let name = format!("%{}", callee.suffix());
                let types = Types { this: "%box".to_owned(), inner: "%T".to_owned(), element: "%element".to_owned() };
                text += &self.method_of_box(number, callee, &name, &types, Receiver::Parameter);
                entries.push(format!("%I{number}.{}, {name}", callee.suffix()));
            }
            text += &format!("  %table: %box_is = witness_table {}\n  return_value %table\n}}", entries.join(", "));
            self.global(&text);
        }
    }

    /// A method of the generic struct: that of the value in it, and something with the number in it.
    fn method_of_box(&mut self, number: usize, callee: Callee, name: &str, types: &Types, inner: Receiver) -> String {
        let mut body = Body::default();
        let arguments = self.arguments_of(number, callee, &types.element);
        let names: Vec<String> = (0..arguments.len()).map(|index| format!("%p{index}")).collect();
        body.block("^entry", "");
        let value = body.value(&types.inner, "composite_extract %self, 0");
        let extra = body.value("%u32", "composite_extract %self, 1");
        let result = self.call_method(&mut body, number, callee, (inner, &value), &names);
        let (ty, result) = match callee {
            Callee::MakeElement => (types.element.clone(), result),
            Callee::Method(index) if self.program.interfaces[number].methods[index].returns_this => {
                let more = body.constant(1);
                let extra = body.number("i_add", &extra, &more);
                (types.this.clone(), body.value(&types.this, &format!("composite_construct {result}, {extra}")))
            }
            _ => ("%u32".to_owned(), body.number("bitwise_xor", &result, &extra)),
        };
        body.line(&format!("return_value {result}"));
        self.function(&body, name, &ty, &[(types.this.clone(), "%self".to_owned())], &arguments)
    }

    /// The types of the parameters after the first.
    fn arguments_of(&self, number: usize, callee: Callee, element: &str) -> Vec<String> {
        match callee {
            Callee::Method(index) => {
                vec!["%u32".to_owned(); self.program.interfaces[number].methods[index].parameters]
            }
            Callee::MakeElement => vec!["%u32".to_owned()],
            Callee::TakeElement => vec![element.to_owned()],
        }
    }

    /// A function with parameters by name, and more named `%p0` and so on.
    fn function(&mut self, body: &Body, name: &str, ty: &str, own: &[(String, String)], more: &[String]) -> String {
        self.constants.extend(&body.constants);
        let own = own.iter().map(|(ty, name)| format!("{name}: {ty}"));
        let more = more.iter().enumerate().map(|(index, ty)| format!("%p{index}: {ty}"));
        let parameters: Vec<String> = own.chain(more).collect();
        let stage = if self.form == Form::Plain { "graph" } else { "generic" };
        format!("\nfunc {name}: {ty} ({}) stage {stage} {{\n{}}}\n", parameters.join(", "), body.lines)
    }

    fn generics(&mut self) {
        for index in 0..self.program.functions.len() {
            let number = self.program.functions[index].interface;
            let types = [("%T".to_owned(), "%x".to_owned()), ("%u32".to_owned(), "%n".to_owned())];
            let body = self.body_of(index, Receiver::Parameter);
            let function = self.function(&body, "%body", "%u32", &types, &[]);
            let generic = format!("generic %f{index} {{\n{}{function}  return_value %body\n}}", parameters(number));
            self.global(&generic);

            let mut body = Body::default();
            body.block("^entry", "");
            let result = self.call_wrapped(&mut body, index, (Receiver::Parameter, "%x"), "%n");
            body.line(&format!("return_value {result}"));
            let function = self.function(&body, "%body", "%u32", &types, &[]);
            let generic =
                format!("generic %wrapped{index} {{\n{}{function}  return_value %body\n}}", parameters(number));
            self.global(&generic);

            if self.form == Form::Dynamic {
                let types = [(format!("%any{number}"), "%x".to_owned()), ("%u32".to_owned(), "%n".to_owned())];
                let body = self.body_of(index, Receiver::Any);
                let function = self.function(&body, &format!("%h{index}"), "%u32", &types, &[]);
                self.functions += &function;
            }
        }
    }

    /// The body of a generic function for a type of values.
    fn body_of(&mut self, index: usize, receiver: Receiver) -> Body {
        let program = self.program;
        let Generic { interface, statements } = &program.functions[index];
        let mut body = Body::default();
        body.block("^entry", "");
        let (mut value, mut number) = ("%x".to_owned(), "%n".to_owned());
        for statement in statements {
            match *statement {
                Statement::Number { method } => {
                    number = self.number_method(&mut body, *interface, method, (receiver, &value), &number);
                }
                Statement::Value { method } => {
                    let arguments = vec![number.clone(); program.interfaces[*interface].methods[method].parameters];
                    let callee = Callee::Method(method);
                    value = self.call_method(&mut body, *interface, callee, (receiver, &value), &arguments);
                }
                Statement::Element => {
                    let made = [number.clone()];
                    let element =
                        self.call_method(&mut body, *interface, Callee::MakeElement, (receiver, &value), &made);
                    let taken = [element];
                    let more = self.call_method(&mut body, *interface, Callee::TakeElement, (receiver, &value), &taken);
                    number = body.number("i_add", &number, &more);
                }
                Statement::Call { function } => {
                    number = self.call_function(&mut body, function, (receiver, &value), &number);
                }
                Statement::Wrapped { function } => {
                    number = self.call_wrapped(&mut body, function, (receiver, &value), &number);
                }
                Statement::Choice { bit, yes, no } => {
                    number = self.choice(&mut body, *interface, (bit, yes, no), (receiver, &value), &number);
                }
                Statement::Repeat { method } => {
                    number = self.repeat(&mut body, *interface, method, (receiver, &value), &number);
                }
            }
        }
        body.line(&format!("return_value {number}"));
        body
    }

    fn number_method(
        &mut self,
        body: &mut Body,
        number: usize,
        method: usize,
        on: (Receiver, &str),
        n: &str,
    ) -> String {
        let arguments = vec![n.to_owned(); self.program.interfaces[number].methods[method].parameters];
        let result = self.call_method(body, number, Callee::Method(method), on, &arguments);
        body.number("i_add", n, &result)
    }

    fn choice(
        &mut self,
        body: &mut Body,
        number: usize,
        (bit, yes, no): (u32, usize, usize),
        on: (Receiver, &str),
        n: &str,
    ) -> String {
        let [bit, zero] = [bit, 0].map(|constant| body.constant(constant));
        let [yes_block, no_block, join] = std::array::from_fn(|_| body.fresh("^b"));
        let masked = body.number("bitwise_and", n, &bit);
        let is_set = body.value("%bool", &format!("i_not_equal {masked}, {zero}"));
        body.line(&format!("branch_if {is_set} {yes_block} {no_block}"));
        for (block, method) in [(&yes_block, yes), (&no_block, no)] {
            body.block(block, "");
            let result = self.number_method(body, number, method, on, n);
            body.line(&format!("branch {join}({result})"));
        }
        let result = body.fresh("%v");
        body.block(&join, &format!("({result}: %u32)"));
        result
    }

    fn repeat(&mut self, body: &mut Body, number: usize, method: usize, on: (Receiver, &str), n: &str) -> String {
        let [zero, one, three] = [0, 1, 3].map(|constant| body.constant(constant));
        let [header, inside, exit] = std::array::from_fn(|_| body.fresh("^b"));
        let [index, result] = std::array::from_fn(|_| body.fresh("%v"));
        let count = body.number("bitwise_and", n, &three);
        body.line(&format!("branch {header}({zero}, {n})"));
        body.block(&header, &format!("({index}: %u32, {result}: %u32)"));
        let more = body.value("%bool", &format!("u_less_than {index}, {count}"));
        body.line(&format!("branch_if {more} {inside} {exit}"));
        body.block(&inside, "");
        let next = self.number_method(body, number, method, on, &result);
        let index = body.number("i_add", &index, &one);
        body.line(&format!("branch {header}({index}, {next})"));
        body.block(&exit, "");
        result
    }

    /// Calls a method on a value. The result of a value of interface type is one of interface type, unless it is a number or an element.
    fn call_method(
        &mut self,
        body: &mut Body,
        number: usize,
        callee: Callee,
        (receiver, value): (Receiver, &str),
        arguments: &[String],
    ) -> String {
        let returns_this = match callee {
            Callee::Method(index) => self.program.interfaces[number].methods[index].returns_this,
            _ => false,
        };
        let on = self.open(body, number, receiver, value);
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
    fn call_function(&mut self, body: &mut Body, index: usize, (receiver, value): (Receiver, &str), n: &str) -> String {
        let number = self.program.functions[index].interface;
        if receiver == Receiver::Any && index.is_multiple_of(2) {
            return body.value("%u32", &format!("function_call %h{index}, {value}, {n}"));
        }
        let on = self.open(body, number, receiver, value);
        let function = match &on.witness {
            Some(witness) => body.code(&format!("specialize %f{index}, {}, {witness}", on.ty)),
            None => self.request(Request::Function(index, receiver)),
        };
        body.value("%u32", &format!("function_call {function}, {}, {n}", on.value))
    }

    /// A function with a value in the generic struct.
    fn call_wrapped(&mut self, body: &mut Body, index: usize, (receiver, value): (Receiver, &str), n: &str) -> String {
        let number = self.program.functions[index].interface;
        let on = self.open(body, number, receiver, value);
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
    fn open(&mut self, body: &mut Body, number: usize, receiver: Receiver, value: &str) -> Opened {
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

    fn struct_name(&mut self, receiver: Receiver) -> String {
        let Receiver::Struct { index, depth } = receiver else { unreachable!("only a struct has a name") };
        if depth == 0 {
            return format!("%S{index}");
        }
        let name = format!("%S{index}.b{depth}");
        if self.boxes.insert(receiver) {
            let inner = self.struct_name(Receiver::Struct { index, depth: depth - 1 });
            self.global(&format!("{name} = type_struct {inner}, %u32"));
        }
        name
    }

    fn element(&self, number: usize, receiver: Receiver) -> Field {
        let Receiver::Struct { index, .. } = receiver else { unreachable!("only a struct has a known element") };
        self.program.structs[index].implementations[number].element
    }

    /// The name of a function of the plain form, which is written later.
    fn request(&mut self, request: Request) -> String {
        if self.asked.insert(request) {
            self.open.push_back(request);
        }
        match request {
            Request::Function(index, Receiver::Struct { index: inner, depth }) => {
                format!("%f{index}.S{inner}.b{depth}")
            }
            Request::Method(number, callee, Receiver::Struct { index, depth }) => {
                format!("%S{index}.b{depth}.I{number}.{}", callee.suffix())
            }
            _ => unreachable!("functions are requested for structs"),
        }
    }

    fn requested(&mut self) {
        while let Some(request) = self.open.pop_front() {
            let name = self.request(request);
            let text = match request {
                Request::Function(index, receiver) => {
                    let body = self.body_of(index, receiver);
                    let ty = self.struct_name(receiver);
                    let types = [(ty, "%x".to_owned()), ("%u32".to_owned(), "%n".to_owned())];
                    self.function(&body, &name, "%u32", &types, &[])
                }
                Request::Method(number, callee, Receiver::Struct { index, depth: 0 }) => {
                    self.method_of_struct(number, callee, &name, index)
                }
                Request::Method(number, callee, receiver @ Receiver::Struct { index, depth }) => {
                    let inner = Receiver::Struct { index, depth: depth - 1 };
                    let types = Types {
                        this: self.struct_name(receiver),
                        inner: self.struct_name(inner),
                        element: type_name(self.element(number, receiver)).to_owned(),
                    };
                    self.method_of_box(number, callee, &name, &types, inner)
                }
                Request::Method(..) => unreachable!("functions are requested for structs"),
            };
            self.functions += &text;
        }
    }

    fn method_of_struct(&mut self, number: usize, callee: Callee, name: &str, index: usize) -> String {
        let program = self.program;
        let structure = &program.structs[index];
        let implementation = &structure.implementations[number];
        let this = format!("%S{index}");
        let arguments = self.arguments_of(number, callee, type_name(implementation.element));
        let mut body = Body::default();
        body.block("^entry", "");
        let mut inputs = Vec::new();
        for (place, &field) in structure.fields.iter().enumerate() {
            let value = body.value(type_name(field), &format!("composite_extract %self, {place}"));
            inputs.push(body.number_of(field, &value));
        }
        let (ty, result) = match callee {
            Callee::MakeElement => {
                inputs.push("%p0".to_owned());
                let number = body.formula(&implementation.make_element, &inputs);
                (type_name(implementation.element).to_owned(), body.make(implementation.element, &number))
            }
            Callee::TakeElement => {
                inputs.push(body.number_of(implementation.element, "%p0"));
                ("%u32".to_owned(), body.formula(&implementation.take_element, &inputs))
            }
            Callee::Method(method) => {
                inputs.extend((0..arguments.len()).map(|place| format!("%p{place}")));
                let formulas = &implementation.methods[method];
                match program.interfaces[number].methods[method].returns_this {
                    true => (this.clone(), self.object(&mut body, index, formulas, &inputs)),
                    false => ("%u32".to_owned(), body.formula(&formulas[0], &inputs)),
                }
            }
        };
        body.line(&format!("return_value {result}"));
        self.function(&body, name, &ty, &[(this, "%self".to_owned())], &arguments)
    }

    /// A struct, made of formulas.
    fn object(&mut self, body: &mut Body, index: usize, formulas: &[Formula], inputs: &[String]) -> String {
        let mut fields = Vec::new();
        for (&field, formula) in self.program.structs[index].fields.iter().zip(formulas) {
            let number = body.formula(formula, inputs);
            fields.push(body.make(field, &number));
        }
        body.value(&format!("%S{index}"), &format!("composite_construct {}", fields.join(", ")))
    }

    /// The function that the kernel calls for each number.
    fn total(&mut self) {
        let program = self.program;
        let mut body = Body::default();
        body.block("^entry", "");
        let mut total = "%n".to_owned();
        for each in &program.uses {
            total = match self.form {
                Form::Dynamic => self.dynamic_use(&mut body, each, &total),
                Form::Plain | Form::Static => self.static_use(&mut body, each, &total),
            };
        }
        body.line(&format!("return_value {total}"));
        let types = [("%u32".to_owned(), "%n".to_owned())];
        let text = self.function(&body, "%total", "%u32", &types, &[]);
        self.functions += &text;
    }

    /// A block for each struct, chosen by a number, from each of which `one` makes a value for the block where they meet.
    fn choose(
        &mut self,
        body: &mut Body,
        each: &Use,
        total: &str,
        ty: &str,
        mut one: impl FnMut(&mut Self, &mut Body, usize, &str) -> String,
    ) -> String {
        let join = body.fresh("^b");
        let blocks: Vec<String> = each.structs.iter().map(|_| body.fresh("^b")).collect();
        let count = body.constant(each.structs.len() as u32);
        let selector = body.number("u_mod", total, &count);
        let cases: Vec<String> =
            blocks[1..].iter().zip(1..).map(|(block, case)| format!(" [{case} {block}]")).collect();
        body.line(&format!("switch {selector} default {}{}", blocks[0], cases.concat()));
        for ((&index, formulas), block) in each.structs.iter().zip(&each.formulas).zip(&blocks) {
            body.block(block, "");
            let object = self.object(body, index, formulas, &["%n".to_owned(), total.to_owned()]);
            let value = one(self, body, index, &object);
            body.line(&format!("branch {join}({value})"));
        }
        let result = body.fresh("%v");
        body.block(&join, &format!("({result}: {ty})"));
        result
    }

    fn static_use(&mut self, body: &mut Body, each: &Use, total: &str) -> String {
        self.choose(body, each, total, "%u32", |writer, body, index, object| {
            writer.call_function(body, each.function, (Receiver::Struct { index, depth: 0 }, object), total)
        })
    }

    fn dynamic_use(&mut self, body: &mut Body, each: &Use, total: &str) -> String {
        let number = self.program.functions[each.function].interface;
        let any = format!("%any{number}");
        let value = self.choose(body, each, total, &any, |_, body, index, object| {
            body.value(&any, &format!("make_existential {object}, %S{index}.I{number}"))
        });
        let carried = self.carry(body, each.carrier, number, &value, total);
        if each.carrier == Carrier::Argument {
            return body.value("%u32", &format!("function_call %h{}, {carried}, {total}", each.function));
        }
        self.call_function(body, each.function, (Receiver::Any, &carried), total)
    }

    fn carry(&mut self, body: &mut Body, carrier: Carrier, number: usize, value: &str, total: &str) -> String {
        let any = format!("%any{number}");
        match carrier {
            Carrier::Value | Carrier::Argument => value.to_owned(),
            Carrier::Variable => {
                let variable = self.variable(body, number, &any);
                body.line(&format!("store {variable}, {value}"));
                body.value(&any, &format!("load {variable}"))
            }
            Carrier::Array => {
                let array = self.variable(body, number, &format!("%anys{number}"));
                for place in [0, 1] {
                    let place = body.constant(place);
                    let part =
                        body.value(&format!("%pointer_to.any{number}"), &format!("access_chain {array}, {place}"));
                    body.line(&format!("store {part}, {value}"));
                }
                let one = body.constant(1);
                let place = body.number("bitwise_and", total, &one);
                let part = body.value(&format!("%pointer_to.any{number}"), &format!("access_chain {array}, {place}"));
                body.value(&any, &format!("load {part}"))
            }
        }
    }

    /// A variable of the function for values of interface type.
    fn variable(&mut self, body: &mut Body, number: usize, ty: &str) -> String {
        let pointer = format!("%pointer_to.{}", &ty[1..]);
        for line in [
            format!("%anys{number} = type_array %any{number}, %two"),
            format!("%pointer_to.any{number} = type_pointer Function, %any{number}"),
            format!("%pointer_to.anys{number} = type_pointer Function, %anys{number}"),
        ] {
            if !self.globals.contains(&line) {
                self.global(&line);
            }
        }
        let name = body.fresh("%variable");
        body.first_line("block ^entry:", &format!("{name}: {pointer} = variable Function"));
        name
    }

    fn kernel(&mut self) {
        self.functions += "
func %main: %void (%output: %buffer, %input: %buffer) stage STAGE {
block ^entry:
  %ids: %sizes = load %id
  %index: %u64 = composite_extract %ids, 0
  %to: %buffer = in_bounds_ptr_access_chain %output, %index
  %from: %buffer = in_bounds_ptr_access_chain %input, %index
  %number: %u32 = load %from {decorate Alignment 4}
  %result: %u32 = function_call %total, %number
  store %to, %result {decorate Alignment 4}
  return
}
"
        .replace("STAGE", if self.form == Form::Plain { "graph" } else { "generic" })
        .replace(" {decorate Alignment 4}", ", 2, 4")
        .as_str();
    }
}

/// A value with its type and, unless the program is plain, the witness of that.
struct Opened {
    ty: String,
    witness: Option<String>,
    value: String,
}

/// The types that a method of the generic struct handles.
struct Types {
    this: String,
    inner: String,
    element: String,
}

fn callees(interface: &Interface) -> Vec<Callee> {
    let element = interface.has_element.then_some([Callee::MakeElement, Callee::TakeElement]);
    element.into_iter().flatten().chain((0..interface.methods.len()).map(Callee::Method)).collect()
}

fn requirement(number: usize, callee: Callee, types: &[&str]) -> String {
    let suffix = callee.suffix();
    let ty = format!("%I{number}.{suffix}.type");
    format!("  {ty} = type_function {}\n  %I{number}.{suffix}: {ty} = requirement\n", types.join(", "))
}

/// The parameters of a generic: a type and its witness for an interface.
fn parameters(number: usize) -> String {
    format!("  %T: %kind = generic_parameter\n  %T_is = type_witness %T, %I{number}\n  %w: %T_is = generic_parameter\n")
}
