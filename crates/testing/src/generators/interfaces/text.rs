//! A program as text, in one of its forms.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::body::{Body, type_name};
use super::calls::On;
use super::{Field, Form, Interface, Program};

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
pub(super) enum Receiver {
    /// A struct, in so many of the generic structs.
    Struct { index: usize, depth: usize },
    /// The type parameter of the generic around the code.
    Parameter,
    /// A value of interface type.
    Any,
}

/// The function that is called on a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Callee {
    Method(usize),
    MakeElement,
    TakeElement,
}

impl Callee {
    pub(super) fn suffix(self) -> String {
        match self {
            Callee::Method(index) => format!("m{index}"),
            Callee::MakeElement => "make".to_owned(),
            Callee::TakeElement => "take".to_owned(),
        }
    }
}

/// A function that the plain form needs for a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Request {
    Function(usize, Receiver),
    Method(usize, Callee, Receiver),
}

pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    pub(super) form: Form,
    pub(super) constants: BTreeSet<u32>,
    pub(super) globals: String,
    pub(super) functions: String,
    pub(super) asked: BTreeSet<Request>,
    pub(super) open: VecDeque<Request>,
    pub(super) boxes: BTreeSet<Receiver>,
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

    pub(super) fn global(&mut self, line: &str) {
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
                let types = Types {
                    name: name.clone(),
                    this: "%box".to_owned(),
                    inner: "%T".to_owned(),
                    element: "%element".to_owned(),
                };
                text += &self.method_of_box(number, callee, &types, Receiver::Parameter);
                entries.push(format!("%I{number}.{}, {name}", callee.suffix()));
            }
            text += &format!("  %table: %box_is = witness_table {}\n  return_value %table\n}}", entries.join(", "));
            self.global(&text);
        }
    }

    /// A method of the generic struct: that of the value in it, and something with the number in it.
    fn method_of_box(&mut self, number: usize, callee: Callee, types: &Types, inner: Receiver) -> String {
        let mut body = Body::default();
        let arguments = self.arguments_of(number, callee, &types.element);
        let names: Vec<String> = (0..arguments.len()).map(|index| format!("%p{index}")).collect();
        body.block("^entry", "");
        let value = body.value(&types.inner, "composite_extract %self, 0");
        let extra = body.value("%u32", "composite_extract %self, 1");
        let on = On { interface: number, receiver: inner, value: &value };
        let result = self.call_method(&mut body, on, callee, &names);
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
        let own = [(types.this.as_str(), "%self")];
        self.function(&body, &Head { name: &types.name, ty: &ty, own: &own, more: &arguments })
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

    /// A function with its lines.
    pub(super) fn function(&mut self, body: &Body, head: &Head<'_>) -> String {
        let &Head { name, ty, own, more } = head;
        self.constants.extend(&body.constants);
        let own = own.iter().map(|(ty, name)| format!("{name}: {ty}"));
        let more = more.iter().enumerate().map(|(index, ty)| format!("%p{index}: {ty}"));
        let parameters: Vec<String> = own.chain(more).collect();
        let stage = if self.form == Form::Plain { "graph" } else { "generic" };
        format!("\nfunc {name}: {ty} ({}) stage {stage} {{\n{}}}\n", parameters.join(", "), body.lines)
    }

    pub(super) fn struct_name(&mut self, receiver: Receiver) -> String {
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

    pub(super) fn element(&self, number: usize, receiver: Receiver) -> Field {
        let Receiver::Struct { index, .. } = receiver else { unreachable!("only a struct has a known element") };
        self.program.structs[index].implementations[number].element
    }

    /// The name of a function of the plain form, which is written later.
    pub(super) fn request(&mut self, request: Request) -> String {
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
                    let own = [(ty.as_str(), "%x"), ("%u32", "%n")];
                    self.function(&body, &Head { name: &name, ty: "%u32", own: &own, more: &[] })
                }
                Request::Method(number, callee, Receiver::Struct { index, depth: 0 }) => {
                    self.method_of_struct(number, callee, &name, index)
                }
                Request::Method(number, callee, receiver @ Receiver::Struct { index, depth }) => {
                    let inner = Receiver::Struct { index, depth: depth - 1 };
                    let types = Types {
                        name: name.clone(),
                        this: self.struct_name(receiver),
                        inner: self.struct_name(inner),
                        element: type_name(self.element(number, receiver)).to_owned(),
                    };
                    self.method_of_box(number, callee, &types, inner)
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
        self.function(&body, &Head { name, ty: &ty, own: &[(&this, "%self")], more: &arguments })
    }
}

/// A function: its name, its result, its parameters by type and name, and the types of more, which are named `%p0` and so on.
pub(super) struct Head<'h> {
    pub(super) name: &'h str,
    pub(super) ty: &'h str,
    pub(super) own: &'h [(&'h str, &'h str)],
    pub(super) more: &'h [String],
}

/// The types that a method of the generic struct handles.
struct Types {
    name: String,
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
pub(super) fn parameters(number: usize) -> String {
    format!("  %T: %kind = generic_parameter\n  %T_is = type_witness %T, %I{number}\n  %w: %T_is = generic_parameter\n")
}
