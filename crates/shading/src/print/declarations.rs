//! Lines at the top, structs and globals.
//!
//! Structs come behind the constants that may be lengths of arrays, and before everything else. Resources stand in the order of their sets and
//! bindings. Globals of one kind stand without blank lines between them, except those that need several lines.

use std::collections::BTreeMap;

use super::lines::{BREAK, COLUMNS};
use super::{Printer, joined, uses};
use crate::Language;
use crate::interface::Slot;
use crate::syntax::{
    Expr, Global, GlobalId, GlobalKind, Member, Named, Shape, Struct, StructId, Text, Type, TypeShape,
};

/// The values in a line of a table.
const VALUES: usize = 8;

impl Printer<'_> {
    pub(super) fn declarations(&mut self) {
        let text = self.text;
        text.head.iter().for_each(|line| self.line(line));
        self.blank_line();
        text.layouts.iter().for_each(|line| self.line(line));
        let globals = in_order(text);
        let is_first = |global: &&Global| is_number(text, global);
        self.globals(globals.iter().copied().filter(is_first));
        for id in uses::structs(text) {
            self.blank_line();
            self.structure(id);
        }
        self.globals(globals.into_iter().filter(|global| !is_first(global)));
    }

    fn structure(&mut self, id: StructId) {
        let found = self.text.structure(id);
        let attribute = if self.text.aliased.contains(&id) { "__attribute__((may_alias)) " } else { "" };
        self.line(&format!("struct {attribute}{} {{", found.name));
        self.members(found);
        self.line(if self.is_wgsl() { "}" } else { "};" });
    }

    fn members(&mut self, found: &Struct) {
        self.indent += 1;
        for member in &found.members {
            let text = self.member_line(member);
            self.line(&text);
        }
        self.indent -= 1;
    }

    fn member_line(&self, member: &Member) -> String {
        let end = if self.is_wgsl() { "," } else { ";" };
        let declared = match self.points_to_memory(member) {
            true => self.pointer(member.ty, &member.name),
            false => self.declared(member.ty, &member.name),
        };
        format!("{}{end}", joined(&[&member.prefix, &declared, &member.suffix]))
    }

    fn globals<'g>(&mut self, globals: impl Iterator<Item = &'g Global>) {
        let mut last = None;
        for global in globals.filter(|global| !matches!(global.kind, GlobalKind::BuiltIn | GlobalKind::OfEntry(_))) {
            let lines = self.global_lines(global);
            let group = (lines.len() == 1).then(|| group(global));
            if group.is_none() || last != Some(group.clone()) {
                self.blank_line();
            }
            for (level, line) in lines {
                self.indent = level;
                self.line(&line);
            }
            self.indent = 0;
            last = Some(group);
        }
    }

    /// The lines of a global, each with its level.
    fn global_lines(&self, global: &Global) -> Vec<(usize, String)> {
        let (innermost, lengths) = self.dimensions(global.ty);
        if let TypeShape::Struct(id) = self.text.types[innermost]
            && self.text.structure(id).is_block
        {
            return self.block_lines(global, self.text.structure(id), &lengths);
        }
        let declared = self.declared_global(global);
        let head = joined(&[&self.storage(global), &declared, &global.suffix]).replace("Buffer <", "Buffer<");
        match global.kind {
            GlobalKind::Constant(value) | GlobalKind::Variable(Some(value)) => {
                let brackets = self.brackets(&global.prefix, global.ty);
                self.with_value(&head, value, brackets)
            }
            _ => vec![(0, format!("{head};"))],
        }
    }

    /// A block with its members. HLSL has its suffix behind its own name, and no name for all of it.
    fn block_lines(&self, global: &Global, block: &Struct, lengths: &str) -> Vec<(usize, String)> {
        let is_buffer = self.language == Language::Hlsl && matches!(global.kind, GlobalKind::OpenBlock);
        let suffix = if is_buffer { global.suffix.as_str() } else { "" };
        let mut lines = vec![(0, format!("{} {{", joined(&[&global.prefix, &block.name, suffix])))];
        lines.extend(block.members.iter().map(|member| (1, self.member_line(member))));
        let end = match global.kind {
            GlobalKind::OpenBlock if is_buffer => "}".to_owned(),
            GlobalKind::OpenBlock | GlobalKind::Reference => "};".to_owned(),
            _ => format!("{};", joined(&["}", &format!("{}{lengths}", global.name), &global.suffix])),
        };
        lines.push((0, end));
        lines
    }

    /// A declaration with its value. A table that is too long for a line has eight values in each.
    fn with_value(&self, head: &str, value: Expr, (open, close): (String, &str)) -> Vec<(usize, String)> {
        let expression = &self.text.expressions[value];
        // HLSL takes no empty braces: zeros are a cast.
        let is_cast = |values: &crate::syntax::Arguments| self.language == Language::Hlsl && values.is_empty();
        let line = match &expression.shape {
            Shape::Construct(values) if open == "{" && !is_cast(values) => {
                format!("{head} = {{{}}};", self.arguments(values))
            }
            _ => format!("{head} ={BREAK}{};", self.expression(value)),
        };
        match (&expression.shape, self.text.types[expression.ty]) {
            (Shape::Construct(values), TypeShape::Array { .. })
                if line.chars().count() > COLUMNS && !is_cast(values) =>
            {
                let values = self.each_argument(values);
                let rows = values.chunks(VALUES).map(|row| row.join(",\u{b}"));
                let last = values.chunks(VALUES).count() - 1;
                let end = |position: usize| if position < last { "," } else { "" };
                let rows = rows.enumerate().map(|(position, row)| (1, format!("{row}{}", end(position))));
                let first = (0, format!("{head} = {open}"));
                std::iter::once(first).chain(rows).chain([(0, format!("{close};"))]).collect()
            }
            _ => vec![(0, line)],
        }
    }

    /// What is before and behind the values of an array.
    fn brackets(&self, memory: &str, ty: Type) -> (String, &'static str) {
        match self.language {
            _ if !matches!(self.text.types[ty], TypeShape::Array { .. }) => (String::new(), ""),
            Language::Msl if memory == "constant" => ("{".to_owned(), "}"),
            Language::Hlsl => ("{".to_owned(), "}"),
            Language::Msl => (format!("{}{{", self.type_name(ty)), "}"),
            Language::Glsl | Language::Wgsl => (format!("{}(", self.type_name(ty)), ")"),
        }
    }

    /// The name of a global with its type. In WGSL a composite has its type in its value.
    fn declared_global(&self, global: &Global) -> String {
        match global.kind {
            GlobalKind::Constant(value) | GlobalKind::Variable(Some(value))
                if self.is_wgsl() && matches!(self.text.expressions[value].shape, Shape::Construct(_)) =>
            {
                global.name.clone()
            }
            _ if self.language == Language::Hlsl => self.declared_of_hlsl(global),
            _ => self.declared_in(&global.prefix, global.ty, &global.name),
        }
    }

    /// A global of HLSL. A structured buffer is an array of its elements, and a raw buffer has elements of no type.
    fn declared_of_hlsl(&self, global: &Global) -> String {
        let (innermost, lengths) = self.dimensions(global.ty);
        match (self.text.types[global.ty], global.prefix.rsplit(' ').next()) {
            (TypeShape::Array { element, .. }, Some(word)) if word.ends_with("StructuredBuffer") => {
                format!("<{}> {}", self.type_name(element), global.name)
            }
            (_, Some("ConstantBuffer")) => format!("<{}> {}{lengths}", self.type_name(innermost), global.name),
            (_, Some(word)) if word.ends_with("ByteAddressBuffer") => format!("{}{lengths}", global.name),
            _ => self.declared(global.ty, &global.name),
        }
    }

    /// What a declaration begins with: its prefix, and the words of the language for a constant or a variable that it lacks.
    fn storage(&self, global: &Global) -> String {
        let has = |word: &str| global.prefix.split([' ', '<']).any(|found| found == word);
        let is_constant = matches!(global.kind, GlobalKind::Constant(_));
        let added = match self.language {
            Language::Glsl if is_constant && !has("const") => "const",
            Language::Hlsl if is_constant && !has("const") => "static const",
            Language::Msl if is_constant && !has("constant") => "constant",
            Language::Wgsl if is_constant && !has("const") && !has("override") => "const",
            Language::Wgsl if !is_constant && !has("var") && !has("override") => "var<private>",
            _ => "",
        };
        joined(&[&global.prefix, added])
    }
}

/// Returns whether a global is a constant that a length of an array may name, or what such a constant is computed from.
fn is_number(text: &Text, global: &Global) -> bool {
    let is_given = global.suffix.starts_with("[[function_constant");
    let is_plain = !matches!(text.types[global.ty], TypeShape::Array { .. } | TypeShape::Struct(_));
    (matches!(global.kind, GlobalKind::Constant(_)) || is_given) && is_plain
}

/// What globals that stand together have in common: their kind, and the last word before their type.
fn group(global: &Global) -> (std::mem::Discriminant<GlobalKind>, String) {
    let word = global.prefix.rsplit(' ').next().unwrap_or_default();
    let storage = word.split('<').next().unwrap_or_default();
    (std::mem::discriminant(&global.kind), storage.to_owned())
}

/// The globals, with the resources among them in the order of their sets and bindings. References may name each other, and stay where they are.
fn in_order(text: &Text) -> Vec<&Global> {
    let mut globals: Vec<&Global> = text.globals.iter().collect();
    if globals.iter().any(|global| matches!(global.kind, GlobalKind::Reference)) {
        return globals;
    }
    let mut slots: BTreeMap<usize, Slot> = BTreeMap::new();
    for note in &text.notes.resources {
        if let (Named::Global(GlobalId(number)), Some(slot)) = (&note.named, note.resource.slot) {
            slots.entry(*number as usize).or_insert(slot);
        }
    }
    let places: Vec<usize> = slots.keys().copied().collect();
    let mut sorted = places.clone();
    sorted.sort_by_key(|place| slots[place]);
    for (place, found) in places.into_iter().zip(sorted) {
        globals[place] = &text.globals[found];
    }
    globals
}
