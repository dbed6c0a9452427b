//! Symbols: instructions at module level that have a name for other modules.
//!
//! The name is that of the decoration `LinkageAttributes` (SPIR-V section 3.20), in the mangling of the front end; this crate only compares
//! names. Built-in variables that the front end imports are not symbols: the environment defines them.

use std::fmt;

use reconverge_ir::decoration::{LinkageAttributes, Note};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Module, Op, literal};
use spirv::{Decoration, LinkageType};

/// A symbol of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The mangled name.
    pub name: Vec<u8>,
    /// Imported, exported, or exported as one of several equal definitions.
    pub linkage: LinkageType,
    /// What has the name.
    pub inst: Inst,
}

/// What a symbol is.
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
    /// Any other instruction at module level.
    Other,
}

impl SymbolKind {
    /// The kind of an instruction.
    pub fn of(module: &Module, inst: Inst) -> SymbolKind {
        match module.op(inst) {
            Op::Function => SymbolKind::Function,
            Op::Variable => SymbolKind::Variable,
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
            SymbolKind::Other => "instruction",
        }
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Symbol {
    /// The symbols that an instruction is, in the order of its decorations. Mostly one or none.
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

    /// Whether another module has to define it.
    pub fn is_import(&self) -> bool {
        self.linkage == LinkageType::Import
    }

    /// The name as text. Bytes that are not UTF-8 are shown as the replacement character.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// Whether an exported instruction defines what it exports: a function, or any other container, has contents; a type is not opaque.
pub(crate) fn has_definition(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::TypeOpaque => false,
        Op::Function => module.children(inst).any(|child| module.op(child).is_block()),
        op if op.is_container() => module.first_child(inst).is_some(),
        _ => true,
    }
}

/// The type that modules must agree about, if the instruction is well-formed: the function type of a function, a type itself, and the type of everything else.
pub fn symbol_type(module: &Module, inst: Inst) -> Option<Inst> {
    match SymbolKind::of(module, inst) {
        SymbolKind::Function => view::Function::of(module, inst).map(|function| function.function_type),
        SymbolKind::Type => Some(inst),
        _ => module.ty(inst),
    }
}

/// How deep a type is spelled; the name of a struct or three dots stand for the rest.
const DEPTH: usize = 4;

/// A type in a short notation for people: `u32(u32, CrossWorkgroup f32*)`. Its depth is bounded.
pub fn type_text(module: &Module, ty: Inst) -> String {
    spelled(module, ty, DEPTH)
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
        _ => name.unwrap_or_else(|| module.op(ty).name().to_owned()),
    }
}
