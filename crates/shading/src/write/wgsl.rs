//! WGSL by its specification, where naga writes something else or nothing.
//!
//! | construct | naga |
//! |---|---|
//! | `enable subgroups;` | omits it |
//! | types that WGSL does not have | writes its own extensions |
//! | overrides that are computed from others | panics |
//! | overrides as sizes of workgroups | writes the default values |
//! | overrides as lengths of arrays | omits the element |
//! | the name of an entry point that ends with a digit | adds `_` |

use naga::back::wgsl::{WriterFlags, write_string};
use naga::valid::ModuleInfo;
use naga::{Expression, Literal};
use reconverge_diagnostic::Diagnostic;

use super::print::refused;
use super::{WriteCode, of_module};

/// WGSL by its specification, in which subgroups are an extension that has to be enabled (section 4.1.1), without the extensions of naga.
pub(super) fn text(module: &naga::Module, info: &ModuleInfo) -> Result<String, Diagnostic> {
    // naga does not write computed overrides: they are written without a value, which is added.
    let mut plain = module.clone();
    let computed =
        |value: naga::Handle<Expression>| matches!(module.global_expressions[value], Expression::Binary { .. });
    plain.overrides.iter_mut().for_each(|(_, found)| found.init = found.init.filter(|&value| !computed(value)));
    refuse_wide_numbers(module)?;
    let text = write_string(&plain, info, WriterFlags::empty()).map_err(|error| refused(&error))?;
    if let Some(line) = text.lines().find(|line| line.starts_with("enable wgpu_")) {
        let extension = line.trim_start_matches("enable ").trim_end_matches(';');
        let message = format!("WGSL has no such type: naga writes it with its own extension {extension}");
        return Err(of_module(WriteCode::Type, message));
    }
    let names: Vec<String> = text.lines().filter_map(override_name).map(str::to_owned).collect();
    let text = with_computed_overrides(module, &names, text);
    let text = with_specialized_sizes(module, &names, text);
    let text = with_elements(module, &names, text)?;
    let text = module.entry_points.iter().fold(text, |text, entry| with_its_name(text, &entry.name));
    Ok(if has_subgroups(&text) { format!("enable subgroups;\n\n{text}") } else { text })
}

/// Rejects numbers of 64 bits, which are extensions of naga that its text does not always enable.
fn refuse_wide_numbers(module: &naga::Module) -> Result<(), Diagnostic> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    let is_wide = |expression: &Expression| match expression {
        Expression::As { convert: Some(8), .. } => true,
        Expression::Literal(literal) => matches!(literal, Literal::I64(_) | Literal::U64(_) | Literal::F64(_)),
        _ => false,
    };
    let has_wide =
        functions.into_iter().any(|function| function.expressions.iter().any(|(_, expression)| is_wide(expression)));
    match has_wide {
        true => Err(of_module(WriteCode::Type, "WGSL has no numbers of 64 bits".to_owned())),
        false => Ok(()),
    }
}

/// Returns whether the text uses functions or built-ins of the extension.
fn has_subgroups(text: &str) -> bool {
    let is_built_in = ["@builtin(subgroup", "@builtin(num_subgroups"].iter().any(|name| text.contains(name));
    let mut calls = text.match_indices('(').map(|(open, _)| &text[..open]);
    is_built_in
        || calls.any(|before| {
            let name = before
                .rsplit(|character: char| !character.is_alphanumeric() && character != '_')
                .next()
                .unwrap_or_default();
            let of_subgroup = name.strip_prefix("subgroup").is_some_and(|rest| rest.starts_with(char::is_uppercase));
            of_subgroup || name == "quadBroadcast" || name.starts_with("quadSwap")
        })
}

/// The sizes of workgroups with the names of overrides, where naga writes their default values: `@workgroup_size(size_x, 1, 1)`.
fn with_specialized_sizes(module: &naga::Module, names: &[String], text: String) -> String {
    const SIZE: &str = "@workgroup_size(";
    let sizes = module.entry_points.iter().filter(|entry| entry.workgroup_size != [0; 3]);
    let mut pieces = text.split(SIZE);
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for (piece, entry) in pieces.zip(sizes) {
        let axis = |axis: usize| {
            let specialized = entry.workgroup_size_overrides.and_then(|sizes| sizes[axis]);
            let name = specialized.and_then(|size| operand_of_override(module, names, size));
            name.unwrap_or_else(|| entry.workgroup_size[axis].to_string())
        };
        let (_, rest) = piece.split_once(')').unwrap_or_default();
        result += &format!("{SIZE}{}, {}, {}){rest}", axis(0), axis(1), axis(2));
    }
    result
}

/// The text with an entry point under its own name: naga adds `_` to names that end with a digit, and the host uses the original name.
fn with_its_name(text: String, name: &str) -> String {
    // Naga adds `_` to reserved words, too.
    if !name.ends_with(|last: char| last.is_ascii_digit()) {
        return text;
    }
    let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
    let is_used = text.match_indices(name).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + name.len()..]);
        !before.ends_with(is_of_name) && !after.starts_with(is_of_name)
    });
    let head = format!("fn {name}_(");
    if is_used { text } else { text.replacen(&head, &format!("fn {name}("), 1) }
}

/// The text with the values of overrides that are computed from others: `override length: u32 = size + 3u;`.
fn with_computed_overrides(module: &naga::Module, names: &[String], text: String) -> String {
    let overrides = module.overrides.iter().zip(names);
    overrides.fold(text, |text, ((_, found), name)| {
        let Some(Expression::Binary { op, left, right }) = found.init.map(|value| &module.global_expressions[value])
        else {
            return text;
        };
        let operands = [left, right].map(|&operand| operand_of_override(module, names, operand).unwrap_or_default());
        let operator = match op {
            naga::BinaryOperator::Add => "+",
            naga::BinaryOperator::Subtract => "-",
            naga::BinaryOperator::Multiply => "*",
            _ => "/",
        };
        let head = format!("override {name}: u32");
        text.replacen(&format!("{head};"), &format!("{head} = {} {operator} {};", operands[0], operands[1]), 1)
    })
}

/// The text with the elements of arrays whose length is an override, which naga omits: `array<length>` ⇒ `array<u32, length>`. Each of
/// these types has an override of its own.
fn with_elements(module: &naga::Module, names: &[String], mut text: String) -> Result<String, Diagnostic> {
    for (_, ty) in module.types.iter() {
        let naga::TypeInner::Array { base, size: naga::ArraySize::Pending(length), .. } = ty.inner else { continue };
        let name = names.get(length.index()).map_or("", String::as_str);
        let Some(element) = element_text(&module.types[base].inner) else {
            let message = "an array of structs or arrays whose length is a specialization constant".to_owned();
            return Err(of_module(WriteCode::Type, message));
        };
        text = text.replace(&format!("array<{name}>"), &format!("array<{element}, {name}>"));
    }
    Ok(text)
}

/// A type of numbers in WGSL.
fn element_text(ty: &naga::TypeInner) -> Option<String> {
    let scalar = |scalar: naga::Scalar| match (scalar.kind, scalar.width) {
        (naga::ScalarKind::Uint, 4) => Some("u32"),
        (naga::ScalarKind::Sint, 4) => Some("i32"),
        (naga::ScalarKind::Float, 4) => Some("f32"),
        (naga::ScalarKind::Float, 2) => Some("f16"),
        (naga::ScalarKind::Bool, _) => Some("bool"),
        _ => None,
    };
    match *ty {
        naga::TypeInner::Scalar(of) => scalar(of).map(str::to_owned),
        naga::TypeInner::Atomic(of) => scalar(of).map(|of| format!("atomic<{of}>")),
        naga::TypeInner::Vector { size, scalar: of } => scalar(of).map(|of| format!("vec{}<{of}>", size as u8)),
        _ => None,
    }
}

/// An operand of a computed override: a number, or the name of another.
fn operand_of_override(module: &naga::Module, names: &[String], operand: naga::Handle<Expression>) -> Option<String> {
    match module.global_expressions[operand] {
        Expression::Override(handle) => names.get(handle.index()).cloned(),
        Expression::Literal(naga::Literal::U32(value)) => Some(format!("{value}u")),
        _ => None,
    }
}

/// The name in the line of an override: `@id(0) override NAME: u32 = 1u;`. They are in the order of the module.
fn override_name(line: &str) -> Option<&str> {
    let line = if line.starts_with("@id(") { line.split_once(' ')?.1 } else { line };
    line.strip_prefix("override ")?.split_once(':').map(|(name, _)| name)
}
