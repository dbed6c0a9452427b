//! Names: every struct, member, global, function and local of a text gets the name that is printed.
//!
//! A name is what the source has, or what [`describe`] makes of the value, as close to it as the language allows. Two things in one scope that
//! ask for the same name are kept apart by `_1`, `_2`, counted for each name. There are three kinds of scope: the module, with the members of open blocks;
//! the members of a struct; and a function, whose locals differ from one another wherever they are declared, and from all names of the module, so that
//! no declaration hides another one.
//!
//! Nothing at module level has the name of a function of the language. A local may have it, unless the text calls that function: `distance` is
//! a good name where nothing calls `distance()`. A member may have it always. Linear in the text.

mod clean;
mod describe;
mod nouns;
mod scope;
mod survey;
#[cfg(test)]
mod tests;
mod words;

use rustc_hash::FxHashSet;

use crate::Language;
use crate::syntax::{FunctionId, GlobalKind, LocalId, StructId, Text, TypeShape};
use clean::clean;
use describe::by_type;
pub(crate) use describe::describe;
use scope::Scope;
use survey::Survey;
use words::Words;

/// Gives everything its final name. Behind it every local has one.
pub(crate) fn assign(text: &mut Text, language: Language) {
    let words = Words::new(language);
    let is_taken = |name: &str| words.is_keyword(name) || words.is_function(name);
    let mut module = Scope::default();
    for global in text.globals.iter().filter(|global| matches!(global.kind, GlobalKind::BuiltIn)) {
        module.reserve(&global.name);
    }
    // The environment calls entries by name, so they choose first.
    let (entries, others) = (0..text.functions.len() as u32).map(FunctionId).partition(|id| is_entry(text, *id));
    entry_names(text, language, entries, &mut module);
    struct_names(text, &mut module, &is_taken);
    member_names(text, &words, &mut module);
    global_names(text, &mut module, &is_taken);
    function_names(text, others, &mut module, &is_taken);

    let functions = 0..text.functions.len();
    let surveys: Vec<Survey> = functions.map(|number| Survey::new(text, &text.functions[number])).collect();
    let called: FxHashSet<&'static str> = surveys.iter().flat_map(|survey| survey.called.iter().copied()).collect();
    let is_taken = |name: &str| words.is_keyword(name) || called.contains(name);
    for (number, survey) in surveys.iter().enumerate() {
        local_names(text, number, survey, (Scope::within(&module), &is_taken));
    }
}

fn is_entry(text: &Text, id: FunctionId) -> bool {
    text.functions[id.0 as usize].is_entry
}

/// GLSL has one name for an entry, and MSL has every name but that one.
fn entry_names(text: &mut Text, language: Language, entries: Vec<FunctionId>, module: &mut Scope<'_>) {
    let words = Words::new(language);
    for id in entries {
        let entry = &mut text.functions[id.0 as usize];
        let wish = clean(&entry.name).unwrap_or_else(|| "entry".to_owned());
        entry.name = match (language, wish.as_str()) {
            (Language::Glsl, _) => "main".to_owned(),
            (Language::Msl, "main") => "main0".to_owned(),
            _ => module.add(&wish, &|name| words.is_keyword(name) || words.is_function(name)),
        };
        module.reserve(&entry.name);
    }
}

fn function_names(
    text: &mut Text,
    functions: Vec<FunctionId>,
    module: &mut Scope<'_>,
    is_taken: &dyn Fn(&str) -> bool,
) {
    for id in functions {
        let function = &mut text.functions[id.0 as usize];
        let wish = clean(&function.name).unwrap_or_else(|| "helper".to_owned());
        function.name = module.add(&wish, is_taken);
    }
}

fn struct_names(text: &mut Text, module: &mut Scope<'_>, is_taken: &dyn Fn(&str) -> bool) {
    for found in text.structs.iter_mut().filter(|found| !is_of_language(&found.name)) {
        let default = if found.is_block { "Block" } else { "Data" };
        let wish = clean(&found.name).unwrap_or_else(|| default.to_owned());
        found.name = module.add(&wish, is_taken);
    }
}

/// Returns whether the language declares a struct: no other begins so.
fn is_of_language(name: &str) -> bool {
    name.starts_with("gl_")
}

/// Members, each unique in its struct. Those of an open block are names of the module.
fn member_names(text: &mut Text, words: &Words, module: &mut Scope<'_>) {
    let mut is_open = vec![false; text.structs.len()];
    for global in text.globals.iter().filter(|global| matches!(global.kind, GlobalKind::OpenBlock)) {
        if let TypeShape::Struct(StructId(number)) = text.types[global.ty] {
            is_open[number as usize] = true;
        }
    }
    for (number, is_open) in is_open.into_iter().enumerate() {
        if is_of_language(&text.structs[number].name) {
            continue;
        }
        let mut own = Scope::default();
        for member in 0..text.structs[number].members.len() {
            let found = &text.structs[number].members[member];
            let wish = clean(&found.name).unwrap_or_else(|| by_type(text, found.ty));
            text.structs[number].members[member].name = if is_open {
                module.add(&wish, &|name| words.is_keyword(name) || words.is_function(name))
            } else {
                own.add(&wish, &|name| words.is_keyword(name))
            };
        }
    }
}

fn global_names(text: &mut Text, module: &mut Scope<'_>, is_taken: &dyn Fn(&str) -> bool) {
    for number in 0..text.globals.len() {
        let global = &text.globals[number];
        // An open block has no name in the text, and what entry points declare has one for each function.
        if !matches!(global.kind, GlobalKind::BuiltIn | GlobalKind::OpenBlock | GlobalKind::OfEntry(_)) {
            let wish = clean(&global.name).unwrap_or_else(|| by_type(text, global.ty));
            text.globals[number].name = module.add(&wish, is_taken);
        }
    }
}

/// The locals of a function: parameters, those that are declared, in the order of the text, and the others.
fn local_names(
    text: &mut Text,
    number: usize,
    survey: &Survey,
    (mut scope, is_taken): (Scope<'_>, &dyn Fn(&str) -> bool),
) {
    for &local in &survey.order {
        let function = &text.functions[number];
        let wish = function[local].name.as_deref().and_then(clean);
        let name = match wish {
            Some(wish) => scope.add(&wish, is_taken),
            None if survey.is_counter(local) => scope.add_counter(is_taken),
            None => scope.add(&derived(text, number, survey, local), is_taken),
        };
        text.functions[number][local].name = Some(name);
    }
}

/// The name of a local that has none in the source.
fn derived(text: &Text, number: usize, survey: &Survey, local: LocalId) -> String {
    let function = &text.functions[number];
    let name = match survey.value(local) {
        Some(value) => describe(text, function, value),
        None => survey.noun(local).map_or_else(|| by_type(text, function[local].ty), str::to_owned),
    };
    if survey.is_computed_index(text, local) { "index".to_owned() } else { name }
}
