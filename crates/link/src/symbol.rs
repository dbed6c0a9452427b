//! Symbols: instructions at module level that have a name for other modules.
//!
//! The name is that of the decoration `LinkageAttributes` (SPIR-V section 3.20), in the mangling of the front end; this crate only compares
//! names. Built-in variables that the front end imports are not symbols: the environment defines them.

use std::fmt;

use reconverge_ir::decoration::{LinkageAttributes, Note};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op, literal};
use spirv::{Decoration, LinkageType};

use crate::contract;

/// A symbol of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The mangled name.
    pub name: Vec<u8>,
    /// Imported, exported, or exported as one of several equal definitions.
    pub linkage: LinkageType,
    /// The instruction with the name.
    pub inst: Inst,
}

/// The kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A variable.
    Variable,
    /// A constant.
    Constant,
    /// A type.
    Type,
    /// A generic.
    Generic,
    /// An interface.
    Interface,
    /// A witness table.
    WitnessTable,
    /// Any other instruction at module level.
    Other,
}

impl SymbolKind {
    /// The kind of an instruction.
    pub fn of(module: &Module, inst: Inst) -> SymbolKind {
        match module.op(inst) {
            Op::Function => SymbolKind::Function,
            Op::Variable => SymbolKind::Variable,
            Op::Generic => SymbolKind::Generic,
            Op::Interface => SymbolKind::Interface,
            Op::WitnessTable => SymbolKind::WitnessTable,
            op if op.is_constant() => SymbolKind::Constant,
            op if op.is_type() => SymbolKind::Type,
            _ => SymbolKind::Other,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Variable => "variable",
            SymbolKind::Constant => "constant",
            SymbolKind::Type => "type",
            SymbolKind::Generic => "generic",
            SymbolKind::Interface => "interface",
            SymbolKind::WitnessTable => "witness table",
            SymbolKind::Other => "instruction",
        }
    }

    /// The word with its article.
    pub(crate) fn with_article(self) -> String {
        let article = if matches!(self, SymbolKind::Interface | SymbolKind::Other) { "an" } else { "a" };
        format!("{article} {self}")
    }

    /// Returns whether modules may define a symbol of this kind again, if the definitions agree. Such a symbol has no body, so that a
    /// declaration is complete as well.
    pub(crate) fn is_declared_again(self) -> bool {
        matches!(self, SymbolKind::Type | SymbolKind::Interface)
    }

    /// Returns whether all imports of a symbol of this kind become one if no input defines it.
    pub(crate) fn is_one_import(self) -> bool {
        matches!(self, SymbolKind::Generic | SymbolKind::Interface | SymbolKind::WitnessTable)
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Symbol {
    /// The symbols of an instruction, in the order of its decorations. Usually one or none.
    pub fn of(module: &Module, inst: Inst) -> impl Iterator<Item = Symbol> + '_ {
        let notes = module.decorations(inst).iter().filter_map(|&note| Note::of(module, note));
        let linkages = notes.filter_map(Note::read::<LinkageAttributes>);
        let linkages = linkages.filter(move |_| !module.decorated(inst).has(Decoration::BuiltIn));
        linkages.map(move |LinkageAttributes { name, linkage }| Symbol {
            name: literal::text_bytes(module.literal_words(name)),
            linkage,
            inst,
        })
    }

    /// Returns whether another module has to define it.
    pub fn is_import(&self) -> bool {
        self.linkage == LinkageType::Import
    }

    /// The name as text. Bytes that are not UTF-8 are shown as the replacement character.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// Returns whether an exported instruction defines its symbol: a function has a body, a type is not opaque, a witness table has entries,
/// and a generic returns something that is defined in it or in the module.
pub(crate) fn has_definition(module: &Module, inst: Inst) -> bool {
    let defined = match module.op(inst) {
        Op::Generic => match contract::returned_at_last(module, inst) {
            Some(returned) if module.parent(returned) == Some(module.root()) => return true,
            Some(returned) => returned,
            None => return false,
        },
        _ => inst,
    };
    match module.op(defined) {
        Op::TypeOpaque | Op::ImportedConstant => false,
        Op::Function => module.children(defined).any(|child| module.op(child).is_block()),
        Op::WitnessTable => module.operand_count(defined) > 0 || !has_requirements(module, defined),
        op if op.is_container() => module.first_child(defined).is_some(),
        _ => true,
    }
}

/// Returns whether the interface of a witness table requires anything.
fn has_requirements(module: &Module, table: Inst) -> bool {
    let interface = module.ty(table).and_then(|ty| view::TypeWitness::of(module, ty)).map(|witness| witness.interface);
    interface.is_some_and(|interface| module.children(interface).any(|part| module.op(part) == Op::Requirement))
}

/// The type in which modules must agree, if the instruction is well-formed: the function type of a function, a type, a generic or an
/// interface itself, and the type of any other instruction.
pub fn symbol_type(module: &Module, inst: Inst) -> Option<Inst> {
    match SymbolKind::of(module, inst) {
        SymbolKind::Function => view::Function::of(module, inst).map(|function| function.function_type),
        SymbolKind::Type | SymbolKind::Generic | SymbolKind::Interface => Some(inst),
        _ => module.ty(inst),
    }
}

/// The maximum depth of a printed type. Deeper parts are printed as the name of a struct or as three dots.
const DEPTH: usize = 4;

/// A type in a short notation for people: `u32(u32, CrossWorkgroup f32*)`, `<T: type, T is Shape> f32(T)`. Its depth is bounded.
pub fn type_text(module: &Module, ty: Inst) -> String {
    match module.op(ty) {
        Op::Generic => spelled_generic(module, ty, DEPTH),
        Op::Interface => {
            let requirements = contract::parts(module, ty).filter(|&part| module.op(part) == Op::Requirement);
            format!("{{{}}}", requirements.map(|part| spelled_part(module, part, DEPTH)).collect::<Vec<_>>().join(", "))
        }
        _ => spelled(module, ty, DEPTH),
    }
}

/// A generic by its parameters and the type of what it returns.
fn spelled_generic(module: &Module, generic: Inst, depth: usize) -> String {
    let parameters: Vec<String> =
        contract::parts(module, generic).map(|part| spelled_part(module, part, depth)).collect();
    let result = contract::returned(module, generic).and_then(|result| symbol_type(module, result));
    let result = result.map_or_else(
        || "...".to_owned(),
        |result| match module.op(result) {
            Op::Generic if depth > 1 => spelled_generic(module, result, depth - 1),
            _ => spelled(module, result, depth),
        },
    );
    format!("<{}> {result}", parameters.join(", "))
}

/// A parameter or requirement: its name, if it has one, and its type.
fn spelled_part(module: &Module, part: Inst, depth: usize) -> String {
    let ty = module.ty(part).map_or_else(|| "...".to_owned(), |ty| spelled(module, ty, depth));
    module.name(part).map_or_else(|| ty.clone(), |name| format!("{name}: {ty}"))
}

fn spelled(module: &Module, ty: Inst, depth: usize) -> String {
    let name = module.name(ty);
    if depth == 0 {
        return name.unwrap_or_else(|| "...".to_owned());
    }
    let part = |part: Inst| spelled(module, part, depth - 1);
    let parts = |parts: view::Operands<'_>| parts.iter().map(part).collect::<Vec<_>>().join(", ");
    match module.type_view(ty) {
        Some(TypeView::Void) => "void".to_owned(),
        Some(TypeView::Bool) => "bool".to_owned(),
        Some(TypeView::Int { width, is_signed }) => format!("{}{width}", if is_signed { "i" } else { "u" }),
        Some(TypeView::Float { width, is_ieee: true }) => format!("f{width}"),
        Some(TypeView::Vector { component, count }) => format!("{}x{count}", part(component)),
        Some(TypeView::Matrix { column, count }) => format!("{}x{count}", part(column)),
        Some(TypeView::Array { element, length }) => {
            let length = module.constant_bits(length).map_or_else(|| "?".to_owned(), |length| length.to_string());
            format!("{}[{length}]", part(element))
        }
        Some(TypeView::RuntimeArray { element }) => format!("{}[]", part(element)),
        Some(TypeView::Struct { members }) => {
            format!("struct {}{{{}}}", name.map_or_else(String::new, |name| format!("{name} ")), parts(members))
        }
        Some(TypeView::Pointer { storage_class, pointee }) => {
            let class = storage_class.map_or_else(|| "?".to_owned(), |class| format!("{class:?}"));
            format!("{class} {}*", part(pointee))
        }
        Some(TypeView::Function { result, parameters }) => format!("{}({})", part(result), parts(parameters)),
        _ => spelled_type_level(module, ty, depth),
    }
}

/// A type that only modules with generics have.
fn spelled_type_level(module: &Module, ty: Inst, depth: usize) -> String {
    let part = |part: Inst| spelled(module, part, depth - 1);
    let name = module.name(ty);
    let mut operands = module.operands(ty);
    match (module.op(ty), operands.next()) {
        (Op::TypeKind, _) => "type".to_owned(),
        (Op::TypeExistential, Some(interface)) => format!("any {}", part(interface)),
        (Op::TypeWitness, Some(subject)) => {
            let interface = operands.next().map_or_else(|| "...".to_owned(), part);
            format!("{} is {interface}", part(subject))
        }
        (Op::LookupWitness, Some(witness)) => {
            let requirement = operands.next().map_or_else(|| "...".to_owned(), part);
            format!("({}).{requirement}", part(witness))
        }
        (Op::Specialize, Some(generic)) => {
            format!("{}<{}>", part(generic), operands.map(part).collect::<Vec<_>>().join(", "))
        }
        _ => name.unwrap_or_else(|| module.op(ty).name().to_owned()),
    }
}
