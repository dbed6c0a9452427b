//! Texts that are shown instead of numbers: a type and a constant as what it is, and a name of the source that cannot be written as a name
//! of the text form, or is not alone in its scope.
//!
//! ```text
//! %46: %2 = i_add %45, %27     ⇒   %46: u32 = i_add %sum.45, 7
//! ```
//!
//! Where a type or a constant is defined, it keeps its number. Types and constants stand in the module after what they consist of, so each text is made of texts that are there. Linear; no recursion.

use std::borrow::Cow;
use std::collections::BTreeMap;

use reconverge_ir::text::Printer;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

/// The longest text of a type or a constant. A longer one keeps its number.
const LONGEST: usize = 28;

/// The texts, by the index of the handle, which is the number in the text form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) texts: BTreeMap<u32, String>,
}

impl Names {
    /// The texts for a module whose printer numbers by handle.
    pub(crate) fn of(module: &Module, printer: &Printer<'_>) -> Names {
        let mut names = Names::default();
        names.add_source_names(module, printer);
        for global in module.ordered_globals() {
            let place = global.index() as u32;
            if names.texts.contains_key(&place) || number(module, printer, global).is_none() {
                continue;
            }
            let text = names.of_type(module, printer, global).or_else(|| names.of_constant(module, printer, global));
            names.texts.extend(text.filter(|text| text.chars().count() <= LONGEST).map(|text| (place, text)));
        }
        names
    }

    /// What changed since other texts: new ones, and an empty one for each that is not there any more.
    pub(crate) fn since(&self, before: &Names) -> BTreeMap<u32, String> {
        let is_new = |(number, text): &(&u32, &String)| before.texts.get(number) != Some(text);
        let mut changes: BTreeMap<u32, String> =
            self.texts.iter().filter(is_new).map(|(&number, text)| (number, text.clone())).collect();
        let lost = before.texts.keys().filter(|&number| !self.texts.contains_key(number));
        changes.extend(lost.map(|&number| (number, String::new())));
        changes
    }

    /// A line of the text form as it is shown. What is in quotes stays as it is, and so does the number of a type or a constant that the line
    /// defines.
    pub(crate) fn shown<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let (mut result, mut copied, mut is_quoted, mut is_escaped) = (String::new(), 0, false, false);
        for (at, byte) in line.bytes().enumerate() {
            if is_escaped || is_quoted {
                is_quoted = is_escaped || byte != b'"';
                is_escaped = !is_escaped && byte == b'\\';
                continue;
            }
            is_quoted = byte == b'"';
            if !matches!(byte, b'%' | b'^') {
                continue;
            }
            let length = line[at + 1..].bytes().take_while(|&byte| is_name_byte(byte)).count();
            let end = at + 1 + length;
            let text = line[at + 1..end].parse::<u32>().ok().and_then(|number| self.texts.get(&number));
            if let Some(text) = text.filter(|text| at > 0 || text.starts_with(['%', '^'])) {
                result.push_str(&line[copied..at]);
                result.push_str(text);
                copied = end;
            }
        }
        if copied == 0 {
            return Cow::Borrowed(line);
        }
        result.push_str(&line[copied..]);
        Cow::Owned(result)
    }

    /// What stands for a part of a type or a constant.
    fn part(&self, printer: &Printer<'_>, inst: Inst) -> String {
        self.texts.get(&(inst.index() as u32)).cloned().unwrap_or_else(|| printer.operand_text(inst))
    }

    fn of_type(&self, module: &Module, printer: &Printer<'_>, inst: Inst) -> Option<String> {
        let part = |inst: Inst| self.part(printer, inst);
        Some(match module.type_view(inst)? {
            TypeView::Void => "void".to_owned(),
            TypeView::Bool => "bool".to_owned(),
            TypeView::Int { width, is_signed } => format!("{}{width}", if is_signed { "i" } else { "u" }),
            TypeView::Float { width, is_ieee: true } => format!("f{width}"),
            TypeView::Vector { component, count } => format!("{}x{count}", part(component)),
            TypeView::Matrix { column, count } => format!("{}x{count}", part(column)),
            TypeView::Array { element, length } => format!("{}[{}]", part(element), part(length)),
            TypeView::RuntimeArray { element } => format!("{}[]", part(element)),
            TypeView::Pointer { storage_class: Some(class), pointee } => format!("{class:?} {}*", part(pointee)),
            _ => return None,
        })
    }

    fn of_constant(&self, module: &Module, printer: &Printer<'_>, inst: Inst) -> Option<String> {
        match module.op(inst) {
            Op::ConstantTrue => Some("true".to_owned()),
            Op::ConstantFalse => Some("false".to_owned()),
            Op::ConstantNull => Some("null".to_owned()),
            Op::ConstantComposite => {
                let parts: Vec<String> =
                    module.operands(inst).take(LONGEST).map(|inst| self.part(printer, inst)).collect();
                Some(format!("({})", parts.join(", ")))
            }
            Op::Constant => match module.type_view(module.ty(inst)?)? {
                TypeView::Int { width, is_signed } if width <= 64 => {
                    let bits = module.constant_bits(inst)? << (64 - width);
                    Some(match is_signed {
                        true => (bits.cast_signed() >> (64 - width)).to_string(),
                        false => (bits >> (64 - width)).to_string(),
                    })
                }
                TypeView::Float { .. } => {
                    let literal = printer.operand_text(module.operands(inst).next()?);
                    let line = printer.statement(inst);
                    let number = line.split_once(" = constant f").and_then(|(_, rest)| rest.split_once('('));
                    Some(number.and_then(|(_, rest)| rest.split_once(')')).map_or(literal, |(text, _)| text.to_owned()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The names of the source of what has a number. Of two with the same name, each has its number too.
    fn add_source_names(&mut self, module: &Module, printer: &Printer<'_>) {
        let entries: FxHashMap<Inst, String> = module
            .children(module.root())
            .filter_map(|inst| view::EntryPoint::of(module, inst))
            .map(|entry| (entry.function, entry.name.to_string()))
            .collect();
        let mut counts: FxHashMap<(Option<Function>, String), u32> = FxHashMap::default();
        let mut found = Vec::new();
        for inst in module.descendants(module.root()).skip(1).filter(|&inst| module.op(inst).has_result()) {
            let name = module.name(inst).or_else(|| entries.get(&inst).cloned());
            let Some(name) = name.and_then(|name| written(&name)) else { continue };
            let scope = module.function_of(inst).filter(|&function| Inst::from(function) != inst);
            *counts.entry((scope, name.clone())).or_default() += 1;
            if number(module, printer, inst).is_some() {
                found.push((inst, scope, name));
            }
        }
        for (inst, scope, name) in found {
            let sign = if module.op(inst).is_block() { '^' } else { '%' };
            let key = (scope, name);
            let is_alone =
                counts.get(&key) == Some(&1) && (scope.is_none() || !counts.contains_key(&(None, key.1.clone())));
            let suffix = if is_alone { String::new() } else { format!(".{}", inst.index()) };
            self.texts.insert(inst.index() as u32, format!("{sign}{}{suffix}", key.1));
        }
    }
}

/// The number of an instruction that the text form gives no name.
fn number(module: &Module, printer: &Printer<'_>, inst: Inst) -> Option<u32> {
    let text = if module.op(inst).has_result() { printer.operand_text(inst) } else { String::new() };
    text.get(1..)?.parse().ok()
}

/// A name of the source in the letters of names: without the parameters that compilers write after names of functions.
fn written(name: &str) -> Option<String> {
    let name = name.split('(').next().unwrap_or_default();
    let starts = name.starts_with(|first: char| !first.is_ascii_digit());
    let letter = |letter: char| if letter.is_ascii_alphanumeric() || "_.".contains(letter) { letter } else { '_' };
    starts.then(|| name.chars().map(letter).collect())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'@')
}
