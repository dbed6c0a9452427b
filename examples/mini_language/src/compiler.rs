//! Tokens to IR, in one pass: the parts of a file.
//!
//! What a file exports and imports carries its name as linkage attribute: functions, generics, structs, interfaces, and witness tables as
//! `Type.Interface`. An imported file is read for its declarations alone; its bodies come when the modules are linked.

use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Builder, Inst, Module, Op, Position, Stage};
use spirv::{AddressingModel, BuiltIn, Capability, ExecutionModel, LinkageType, MemoryModel, StorageClass};

use crate::lexer::{Kind, Token, tokens};

/// A type of the language.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Type {
    Float,
    /// Number of a struct.
    Struct(usize),
    /// `This` in an interface, or the type parameter of a function.
    Parameter,
    /// A value of which only this interface is known.
    Any(usize),
}

/// What a function takes and returns.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) result: Type,
}

/// An interface: the requirement of each method.
#[derive(Debug)]
pub(crate) struct Interface {
    pub(crate) name: String,
    pub(crate) inst: Inst,
    pub(crate) methods: Vec<(Signature, Inst)>,
}

/// A struct: its fields, and its witness table for each interface that it implements.
#[derive(Debug)]
pub(crate) struct Struct {
    name: String,
    pub(crate) inst: Inst,
    pub(crate) fields: Vec<(String, Type)>,
    pub(crate) tables: Vec<(usize, Inst)>,
}

/// A function, or a generic with the interface that its type parameter implements.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) signature: Signature,
    pub(crate) inst: Inst,
    pub(crate) interface: Option<usize>,
}

/// The witness that a type parameter implements an interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness {
    pub(crate) inst: Inst,
    pub(crate) interface: usize,
}

/// The state between two tokens.
pub(crate) struct Compiler<'m> {
    pub(crate) build: Builder<'m>,
    tokens: Vec<Token>,
    cursor: usize,
    /// Whether the current file is imported: only its declarations are read.
    is_import: bool,
    pub(crate) depth: u32,
    pub(crate) interfaces: Vec<Interface>,
    pub(crate) structs: Vec<Struct>,
    pub(crate) functions: Vec<Function>,
    /// What [`Type::Parameter`] is: the parameter of the interface or of the function that is compiled.
    pub(crate) parameter: Option<Inst>,
    /// The witness of the function's type parameter.
    pub(crate) witness: Option<Witness>,
    pub(crate) locals: Vec<(String, Inst, Type)>,
}

/// Compiles a file; `read` gives the text of the files that it imports.
pub(crate) fn compile(text: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<Module, String> {
    let mut module = Module::new();
    let mut compiler = Compiler {
        build: Builder::new(&mut module),
        tokens: tokens(text)?,
        cursor: 0,
        is_import: false,
        depth: 0,
        interfaces: Vec::new(),
        structs: Vec::new(),
        functions: Vec::new(),
        parameter: None,
        witness: None,
        locals: Vec::new(),
    };
    compiler.preamble();
    compiler.items(read)?;
    Ok(module)
}

impl Compiler<'_> {
    fn preamble(&mut self) {
        let edit = self.build.editor();
        for capability in [Capability::Kernel, Capability::Addresses, Capability::Int64, Capability::Linkage] {
            let capability = edit.enumerant(capability);
            edit.append_global(Op::Capability, None, &[capability]);
        }
        let models = [edit.enumerant(AddressingModel::Physical64), edit.enumerant(MemoryModel::OpenCL)];
        edit.append_global(Op::MemoryModel, None, &models);
    }

    fn items(&mut self, read: &dyn Fn(&str) -> Result<String, String>) -> Result<(), String> {
        while *self.kind() != Kind::End {
            match self.word()?.as_str() {
                "import" => {
                    let Kind::Text(file) = self.next() else { return self.error("the name of a file in quotes") };
                    let around = (std::mem::replace(&mut self.tokens, tokens(&read(&file)?)?), self.cursor);
                    (self.cursor, self.is_import) = (0, true);
                    self.items(&|file| Err(format!("an imported file imports `{file}`; import it first")))?;
                    ((self.tokens, self.cursor), self.is_import) = (around, false);
                }
                "interface" => self.interface()?,
                "struct" => self.structure()?,
                "impl" => self.implementation()?,
                "fn" => self.function()?,
                "kernel" => self.kernel()?,
                _ => return self.error("import, interface, struct, impl, fn or kernel before this"),
            }
        }
        Ok(())
    }

    fn interface(&mut self) -> Result<(), String> {
        let (name, index) = (self.word()?, self.interfaces.len());
        let inst = self.build.editor().append_global(Op::Interface, None, &[]);
        self.link(inst, &name);
        let this = self.type_parameter(inst, &format!("{name}.This"));
        self.interfaces.push(Interface { name: name.clone(), inst, methods: Vec::new() });
        self.parameter = Some(this);
        self.sign('{')?;
        while !self.accept('}') {
            let signature = self.signature()?;
            let ty = self.function_type(&signature, Some(Type::Parameter));
            let requirement = self.build.editor().append(inst, Op::Requirement, Some(ty), &[]);
            self.build.editor().set_name(requirement, &format!("{name}.{}", signature.name));
            self.interfaces[index].methods.push((signature, requirement));
        }
        self.parameter = None;
        Ok(())
    }

    fn structure(&mut self) -> Result<(), String> {
        let name = self.word()?;
        self.sign('{')?;
        let fields = self.fields('}')?;
        let types: Vec<Inst> = fields.iter().map(|&(_, ty)| self.lower(ty)).collect();
        let inst = self.build.editor().append_global(Op::TypeStruct, None, &types);
        self.link(inst, &name);
        self.structs.push(Struct { name, inst, fields, tables: Vec::new() });
        Ok(())
    }

    fn implementation(&mut self) -> Result<(), String> {
        let interface = self.interface_name()?;
        self.keyword("for")?;
        let Type::Struct(subject) = self.ty()? else { return self.error("a struct before this") };
        self.sign('{')?;
        let ty = self.witness_type(self.structs[subject].inst, interface);
        let table = self.build.editor().append_global(Op::WitnessTable, Some(ty), &[]);
        self.structs[subject].tables.push((interface, table));
        let name = format!("{}.{}", self.structs[subject].name, self.interfaces[interface].name);
        self.link(table, &name);
        if self.is_import {
            while !matches!(self.next(), Kind::Sign('}') | Kind::End) {}
            return Ok(());
        }
        let mut entries = Vec::new();
        while !self.accept('}') {
            let method = self.word()?;
            let found = self.interfaces[interface].methods.iter().find(|(required, _)| required.name == method);
            let Some((required, requirement)) = found.cloned() else { return self.error("methods of the interface") };
            // `This` is the struct here.
            let own = |ty| if ty == Type::Parameter { Type::Struct(subject) } else { ty };
            let mut parameters = vec![("self".to_owned(), Type::Struct(subject))];
            self.sign('(')?;
            for &(_, ty) in &required.parameters {
                parameters.push((self.word()?, own(ty)));
                self.accept(',');
            }
            self.sign(')')?;
            self.sign('=')?;
            let signature = Signature { name: format!("{name}.{method}"), parameters, result: own(required.result) };
            let root = self.build.module().root();
            entries.extend([requirement, self.body(root, &signature)?]);
        }
        self.build.editor().set_operands(table, &entries);
        Ok(())
    }

    fn function(&mut self) -> Result<(), String> {
        let name = self.word()?;
        let mut interface = None;
        if self.accept('<') {
            let parameter = self.word()?;
            self.sign(':')?;
            let implemented = self.interface_name()?;
            self.sign('>')?;
            let generic = self.build.editor().append_global(Op::Generic, None, &[]);
            let ty = self.type_parameter(generic, &parameter);
            let witness_type = self.witness_type(ty, implemented);
            let witness = self.build.editor().append(generic, Op::GenericParameter, Some(witness_type), &[]);
            self.parameter = Some(ty);
            self.witness = Some(Witness { inst: witness, interface: implemented });
            interface = Some((generic, implemented));
        }
        let signature = Signature { name, ..self.rest_of_signature()? };
        self.sign('=')?;
        let place = interface.map_or(self.build.module().root(), |(generic, _)| generic);
        let inst = self.body(place, &signature)?;
        let inst = match interface {
            Some((generic, _)) => {
                self.build.editor().append(generic, Op::ReturnValue, None, &[inst]);
                generic
            }
            None => inst,
        };
        self.link(inst, &signature.name);
        (self.parameter, self.witness) = (None, None);
        self.functions.push(Function { signature, inst, interface: interface.map(|(_, implemented)| implemented) });
        Ok(())
    }

    /// A function with a body, in the module or a generic; of an imported file the declaration.
    fn body(&mut self, place: Inst, signature: &Signature) -> Result<Inst, String> {
        let (function, entry) = self.declare(place, signature);
        if self.is_import {
            self.locals.clear();
            let starts_item = |kind: &Kind| matches!(kind, Kind::Word(word) if ITEMS.contains(&word.as_str()));
            while !starts_item(self.kind()) && *self.kind() != Kind::End {
                self.next();
            }
            return Ok(function);
        }
        self.build.editor().move_to(entry, Position::AtEnd(function));
        self.build.at_end(entry);
        let (value, ty) = self.expression()?;
        self.expect_type(ty, signature.result)?;
        self.build.return_value(&[value]);
        self.locals.clear();
        Ok(function)
    }

    /// A function without a body, whose parameters are the locals, and a block for the body.
    fn declare(&mut self, place: Inst, signature: &Signature) -> (Inst, Inst) {
        let ty = self.function_type(signature, None);
        let result = self.lower(signature.result);
        let edit = self.build.editor();
        let operands = [ty, edit.word(0), edit.word(Stage::Generic as u32)];
        let function = edit.append(place, Op::Function, Some(result), &operands);
        edit.set_name(function, &signature.name);
        for (name, ty) in &signature.parameters {
            let lowered = self.lower(*ty);
            let parameter = self.build.editor().append(function, Op::FunctionParameter, Some(lowered), &[]);
            self.build.editor().set_name(parameter, name);
            self.locals.push((name.clone(), parameter, *ty));
        }
        (function, self.build.editor().create(Op::Block, None, &[]))
    }

    /// `kernel name(element) = expression`: an OpenCL kernel over two buffers of floats, the output and the input.
    fn kernel(&mut self) -> Result<(), String> {
        let name = self.word()?;
        self.sign('(')?;
        let element = self.word()?;
        self.sign(')')?;
        self.sign('=')?;
        let (void, float, size) = (self.build.void_type(), self.build.float_type(32), self.build.int_type(64));
        let buffer = self.build.pointer_type(StorageClass::CrossWorkgroup, float);
        let function = self.build.add_function(void, &[buffer, buffer]);
        self.build.editor().set_stage(function, Stage::Generic);
        self.build.editor().set_name(function, &name);
        let [output, input] = [0, 1].map(|index| self.build.module().parameters(function).nth(index).map(Inst::from));
        let (Some(output), Some(input)) = (output, input) else { return self.error("two buffers") };
        let edit = self.build.editor();
        let three = edit.word(3);
        let sizes = edit.unique(Op::TypeVector, None, &[size, three]);
        let id = self.build.global_variable(StorageClass::Input, sizes);
        self.build.add_decoration(id, reconverge_ir::decoration::BuiltIn(BuiltIn::GlobalInvocationId));
        let edit = self.build.editor();
        let entry_point = [edit.enumerant(ExecutionModel::Kernel), function.into(), edit.text(&name), id];
        edit.append_global(Op::EntryPoint, None, &entry_point);
        let entry = self.build.add_block(function);
        self.build.at_end(entry);
        let ids = self.build.load(sizes, &[id]);
        let zero = self.build.editor().word(0);
        let index = self.build.composite_extract(size, &[ids, zero]);
        let [to, from] = [output, input].map(|base| self.build.in_bounds_ptr_access_chain(buffer, &[base, index]));
        let value = self.build.load(float, &[from]);
        self.locals.push((element, value, Type::Float));
        let (result, ty) = self.expression()?;
        self.expect_type(ty, Type::Float)?;
        self.build.store(&[to, result]);
        self.build.r#return(&[]);
        self.locals.clear();
        Ok(())
    }

    fn type_parameter(&mut self, place: Inst, name: &str) -> Inst {
        let edit = self.build.editor();
        let kind = edit.unique(Op::TypeKind, None, &[]);
        let parameter = edit.append(place, Op::GenericParameter, Some(kind), &[]);
        edit.set_name(parameter, name);
        parameter
    }

    /// The type of witnesses that a type implements an interface.
    pub(crate) fn witness_type(&mut self, ty: Inst, interface: usize) -> Inst {
        let interface = self.interfaces[interface].inst;
        self.build.editor().unique(Op::TypeWitness, None, &[ty, interface])
    }

    /// The type in the IR.
    pub(crate) fn lower(&mut self, ty: Type) -> Inst {
        match ty {
            Type::Float => self.build.float_type(32),
            Type::Struct(index) => self.structs[index].inst,
            Type::Any(index) => {
                let interface = self.interfaces[index].inst;
                self.build.editor().unique(Op::TypeExistential, None, &[interface])
            }
            Type::Parameter => self.parameter.expect("invariant: a parameter type is used where it is declared"),
        }
    }

    fn function_type(&mut self, signature: &Signature, receiver: Option<Type>) -> Inst {
        let parameters = signature.parameters.iter().map(|&(_, ty)| ty);
        let types: Vec<Type> = [signature.result].into_iter().chain(receiver).chain(parameters).collect();
        let types: Vec<Inst> = types.into_iter().map(|ty| self.lower(ty)).collect();
        self.build.editor().unique(Op::TypeFunction, None, &types)
    }

    /// Exports a part of this file, or imports one of another.
    fn link(&mut self, inst: Inst, name: &str) {
        let linkage = if self.is_import { LinkageType::Import } else { LinkageType::Export };
        let text = self.build.editor().text(name);
        self.build.editor().set_name(inst, name);
        self.build.add_decoration(inst, LinkageAttributes { name: text, linkage });
    }

    fn signature(&mut self) -> Result<Signature, String> {
        let name = self.word()?;
        Ok(Signature { name, ..self.rest_of_signature()? })
    }

    fn rest_of_signature(&mut self) -> Result<Signature, String> {
        self.sign('(')?;
        let parameters = self.fields(')')?;
        self.sign(':')?;
        Ok(Signature { name: String::new(), parameters, result: self.ty()? })
    }

    fn fields(&mut self, close: char) -> Result<Vec<(String, Type)>, String> {
        let mut fields = Vec::new();
        while !self.accept(close) {
            let name = self.word()?;
            self.sign(':')?;
            fields.push((name, self.ty()?));
            self.accept(',');
        }
        Ok(fields)
    }

    fn ty(&mut self) -> Result<Type, String> {
        let name = self.word()?;
        match name.as_str() {
            "float" => Ok(Type::Float),
            "any" => Ok(Type::Any(self.interface_name()?)),
            _ => match self.structs.iter().position(|known| known.name == name) {
                Some(index) => Ok(Type::Struct(index)),
                None if self.parameter.is_some() => Ok(Type::Parameter),
                None => self.error("a type before this"),
            },
        }
    }

    pub(crate) fn interface_name(&mut self) -> Result<usize, String> {
        let name = self.word()?;
        let index = self.interfaces.iter().position(|known| known.name == name);
        index.map_or_else(|| self.error("an interface before this"), Ok)
    }

    /// The struct of this name.
    pub(crate) fn struct_named(&self, name: &str) -> Option<usize> {
        self.structs.iter().position(|known| known.name == name)
    }

    pub(crate) fn expect_type(&self, found: Type, wanted: Type) -> Result<(), String> {
        if found == wanted {
            Ok(())
        } else {
            self.error(&format!("a value of type {wanted:?}, not {found:?}, before this"))
        }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.tokens[self.cursor].kind
    }

    pub(crate) fn next(&mut self) -> Kind {
        let kind = self.kind().clone();
        self.cursor = (self.cursor + 1).min(self.tokens.len() - 1);
        kind
    }

    pub(crate) fn error<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("line {}: expected {expected}, found {:?}", self.tokens[self.cursor].line, self.kind()))
    }

    pub(crate) fn accept(&mut self, sign: char) -> bool {
        let is_there = *self.kind() == Kind::Sign(sign);
        if is_there {
            self.next();
        }
        is_there
    }

    pub(crate) fn sign(&mut self, sign: char) -> Result<(), String> {
        if self.accept(sign) { Ok(()) } else { self.error(&format!("`{sign}`")) }
    }

    pub(crate) fn keyword(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            Kind::Word(found) if found == word => Ok(()),
            _ => self.error(&format!("`{word}` before this")),
        }
    }

    pub(crate) fn word(&mut self) -> Result<String, String> {
        match self.next() {
            Kind::Word(word) => Ok(word),
            _ => self.error("a name before this"),
        }
    }
}

/// The words that an item starts with.
const ITEMS: [&str; 6] = ["import", "interface", "struct", "impl", "fn", "kernel"];
