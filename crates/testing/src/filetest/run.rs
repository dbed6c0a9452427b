//! `; test run`: what functions give for arguments.
//!
//! A line `; run %f(1, -2, true, 0.5) = 3` runs the function named `f`. Whole numbers, `true`, `false` and numbers with a point are
//! read as the parameter's type says. After `=` stands the value, or how else the run ended: `kill`, `U03` for undefined behaviour.

use reconverge_interpret::{End, Launch, Value, run as interpret};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Function, Inst, Module};

use super::case::Case;

const DIRECTIVE: &str = "; run %";

/// The file with what comes after `=` in each directive.
pub(super) fn run(case: &Case) -> Result<String, String> {
    let module = case.module()?;
    let mut out = String::new();
    let mut count = 0;
    for line in case.input.lines() {
        match line.strip_prefix(DIRECTIVE) {
            Some(directive) => {
                let (call, _) = directive.split_once('=').unwrap_or((directive, ""));
                out.push_str(&format!("{DIRECTIVE}{} = {}\n", call.trim(), result(&module, call.trim())?));
                count += 1;
            }
            None => out.extend([line, "\n"]),
        }
    }
    match count {
        0 => Err(format!("no line starts with `{DIRECTIVE}`")),
        _ => Ok(out),
    }
}

fn result(module: &Module, call: &str) -> Result<String, String> {
    let (function, arguments) = called(module, call)?;
    let mut outside = |_: usize, _: Function, _: &[Value]| Err("there is no outside".to_owned());
    let outcome =
        interpret(module, function, &Launch::new(arguments), &mut outside).map_err(|error| error.to_string())?;
    Ok(match &outcome.only().end {
        End::Returned(None) => "nothing".to_owned(),
        End::Returned(Some(value)) => show(value),
        End::Terminated(op) => op.name().to_owned(),
        End::Undefined { behaviour, .. } => behaviour.code().to_owned(),
        End::OutOfFuel(_) => "out of fuel".to_owned(),
        other => return Err(other.to_string()),
    })
}

/// The function and the arguments of a call like `name(1, 2)`.
pub(super) fn called(module: &Module, call: &str) -> Result<(Function, Vec<Value>), String> {
    let wrong = || format!("`{call}` does not read `name(arguments)`");
    let (name, rest) = call.split_once('(').ok_or_else(wrong)?;
    let words = rest.strip_suffix(')').ok_or_else(wrong)?.split(',').map(str::trim).filter(|word| !word.is_empty());
    let function = module.functions().find(|&function| module.name(function).as_deref() == Some(name));
    let function = function.ok_or_else(|| format!("no function is named {name}"))?;
    Ok((function, arguments(module, function, &words.collect::<Vec<_>>())?))
}

fn arguments(module: &Module, function: Function, words: &[&str]) -> Result<Vec<Value>, String> {
    let types: Vec<Inst> = module.parameters(function).filter_map(|parameter| module.ty(parameter)).collect();
    if types.len() != words.len() {
        return Err(format!("{} parameters, {} arguments", types.len(), words.len()));
    }
    types.into_iter().zip(words).map(|(ty, word)| argument(module, ty, word)).collect()
}

fn argument(module: &Module, ty: Inst, word: &str) -> Result<Value, String> {
    let wrong = || format!("`{word}` is no value of the parameter's type");
    match module.type_view(ty).ok_or_else(wrong)? {
        TypeView::Bool => word.parse().map(Value::Bool).map_err(|_| wrong()),
        TypeView::Int { width, .. } => Ok(Value::int(width as u8, word.parse::<i128>().map_err(|_| wrong())? as u64)),
        TypeView::Float { width, .. } => Ok(Value::float(width as u8, word.parse().map_err(|_| wrong())?)),
        _ => Err(wrong()),
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int { bits, .. } => bits.to_string(),
        Value::Float { .. } => format!("{:?}", value.as_f64().unwrap_or(f64::NAN)),
        other => format!("{other:?}"),
    }
}
