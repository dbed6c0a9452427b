//! Names: every struct, member, global, function and local of a text gets the name that is printed.
//!
//! A name is what the source has, or what [`Describer`] makes of the value, as close to it as the language allows. Two things in one scope that
//! ask for the same name are kept apart by `_1`, `_2`, counted for each name. There are three kinds of scope: the module, with the members of open blocks;
//! the members of a struct; and a function, whose locals differ from all names of the module and from the locals that are declared around them, so that
//! no declaration hides another one. Blocks side by side use one name for two locals; loops side by side, too, except in HLSL.
//!
//! A value without a name in the source has several: what it is (`product`), that with what it is made of (`amplitude_product`), what it is for
//! (`is_done` if a loop ends by it). The first that is free is taken; a number is only added if none is.
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
use crate::print::declared_structs;
use crate::syntax::{FunctionId, GlobalKind, LocalId, Struct, StructId, Text, TypeShape};
use clean::clean;
use describe::{Describer, by_type};
use scope::Scope;
use survey::{Event, Survey};
use words::Words;

/// Gives everything its final name. Behind it every local has one.
pub(crate) fn assign(text: &mut Text, language: Language) {
    let words = Words::new(language);
    let surveys: Vec<Survey> = text.functions.iter().map(|function| Survey::new(text, function)).collect();
    let mut called: FxHashSet<&'static str> = surveys.iter().flat_map(|survey| survey.called.iter().copied()).collect();
    if language == Language::Wgsl && surveys.iter().any(|survey| survey.has_choice) {
        called.insert("select");
    }
    let is_called = |name: &str| words.is_keyword(name) || called.contains(name);
    let is_taken = |name: &str| is_called(name) || words.is_function(name);
    let mut module = Scope::default();
    for global in text.globals.iter().filter(|global| matches!(global.kind, GlobalKind::BuiltIn)) {
        module.reserve(&global.name);
    }
    let is_built_in = built_in_structs(text, language);
    // The environment calls entries by name, so they choose first.
    let (entries, others) = (0..text.functions.len() as u32).map(FunctionId).partition(|id| is_entry(text, *id));
    entry_names(text, language, entries, (&mut module, &is_taken));
    struct_names(text, &is_built_in, (&mut module, &is_taken));
    member_names(text, &is_built_in, &words, (&mut module, &is_taken));
    global_names(text, (&mut module, &is_taken));
    function_names(text, others, (&mut module, &is_taken));
    for (number, survey) in surveys.iter().enumerate() {
        local_names(text, (number, language), survey, (&mut Scope::within(&module), &is_called));
    }
}

fn is_entry(text: &Text, id: FunctionId) -> bool {
    text.functions[id.0 as usize].is_entry
}

/// A scope, and the names that nothing in it can have.
type Names<'a, 'b> = (&'a mut Scope<'b>, &'a dyn Fn(&str) -> bool);

/// GLSL has one name for an entry, and MSL has every name but that one.
fn entry_names(text: &mut Text, language: Language, entries: Vec<FunctionId>, (module, is_taken): Names<'_, '_>) {
    for id in entries {
        let entry = &mut text.functions[id.0 as usize];
        let wish = clean(&entry.name).unwrap_or_else(|| "entry".to_owned());
        entry.name = match (language, wish.as_str()) {
            (Language::Glsl, _) => "main".to_owned(),
            (Language::Msl, "main") => "main0".to_owned(),
            _ => module.add(&wish, is_taken),
        };
        module.reserve(&entry.name);
    }
}

fn function_names(text: &mut Text, functions: Vec<FunctionId>, (module, is_taken): Names<'_, '_>) {
    for id in functions {
        let function = &mut text.functions[id.0 as usize];
        let wish = clean(&function.name).unwrap_or_else(|| "helper".to_owned());
        function.name = module.add(&wish, is_taken);
    }
}

/// The structs that the language declares, by their numbers: those of its variables, and the blocks of GLSL that are declared again.
fn built_in_structs(text: &Text, language: Language) -> Vec<bool> {
    let is_of_glsl = |name: &str| language == Language::Glsl && name.starts_with("gl_");
    // WGSL has no blocks: a struct that is not declared is the result of one of its functions.
    let is_result = |found: &Struct| language == Language::Wgsl && found.is_block;
    let mut is_built_in: Vec<bool> =
        text.structs.iter().map(|found| is_of_glsl(&found.name) || is_result(found)).collect();
    for global in text.globals.iter().filter(|global| matches!(global.kind, GlobalKind::BuiltIn)) {
        let mut ty = global.ty;
        while let TypeShape::Array { element, .. } = text.types[ty] {
            ty = element;
        }
        if let TypeShape::Struct(StructId(number)) = text.types[ty] {
            is_built_in[number as usize] = true;
        }
    }
    is_built_in
}

fn struct_names(text: &mut Text, is_built_in: &[bool], (module, is_taken): Names<'_, '_>) {
    // Those that the text declares choose first.
    let declared = declared_structs(text);
    let rest = (0..text.structs.len()).filter(|number| !declared.contains(&StructId(*number as u32)));
    let order: Vec<usize> = declared.iter().map(|id| id.0 as usize).chain(rest).collect();
    for number in order.into_iter().filter(|&number| !is_built_in[number]) {
        let found = &mut text.structs[number];
        let default = if found.is_block { "Block" } else { "Data" };
        let wish = clean(&found.name).unwrap_or_else(|| default.to_owned());
        found.name = module.add(&wish, is_taken);
    }
}

/// Members, each unique in its struct. Those of an open block are names of the module.
fn member_names(text: &mut Text, is_built_in: &[bool], words: &Words, (module, is_taken): Names<'_, '_>) {
    let mut is_open = vec![false; text.structs.len()];
    for global in text.globals.iter().filter(|global| matches!(global.kind, GlobalKind::OpenBlock)) {
        if let TypeShape::Struct(StructId(number)) = text.types[global.ty] {
            is_open[number as usize] = true;
        }
    }
    let is_declared = |number: &usize| !is_built_in[*number];
    for number in (0..text.structs.len()).filter(is_declared) {
        let mut own = Scope::default();
        for member in 0..text.structs[number].members.len() {
            let found = &text.structs[number].members[member];
            let wish = clean(&found.name).unwrap_or_else(|| by_type(text, found.ty));
            text.structs[number].members[member].name = if is_open[number] {
                module.add(&wish, is_taken)
            } else {
                own.add(&wish, &|name| words.is_keyword(name))
            };
        }
    }
}

fn global_names(text: &mut Text, (module, is_taken): Names<'_, '_>) {
    for number in 0..text.globals.len() {
        let global = &text.globals[number];
        // An open block and one of references have no name in the text, and what entry points declare has one for each function.
        if !matches!(
            global.kind,
            GlobalKind::BuiltIn | GlobalKind::OpenBlock | GlobalKind::Reference | GlobalKind::OfEntry(_)
        ) {
            let wish = clean(&global.name).unwrap_or_else(|| by_type(text, global.ty));
            text.globals[number].name = module.add(&wish, is_taken);
        }
    }
}

/// The locals of a function: parameters, those that are declared, in the order of the text, and the others.
fn local_names(
    text: &mut Text,
    (number, language): (usize, Language),
    survey: &Survey,
    (scope, is_taken): Names<'_, '_>,
) {
    // Up to its version 2018, what the first part of a `for` declares in HLSL stays declared behind the loop.
    let ends_with_loop = language != Language::Hlsl;
    for event in &survey.events {
        match *event {
            Event::EnterLoop | Event::LeaveLoop if !ends_with_loop => {}
            Event::Enter | Event::EnterLoop => scope.enter(),
            Event::Leave | Event::LeaveLoop => scope.leave(),
            Event::Declare(local) => {
                let name = local_name(text, number, (survey, local), (scope, is_taken));
                text.functions[number][local].name = Some(name);
            }
        }
    }
}

fn local_name(
    text: &Text,
    number: usize,
    (survey, local): (&Survey, LocalId),
    (scope, is_taken): Names<'_, '_>,
) -> String {
    let function = &text.functions[number];
    if let Some(wish) = function[local].name.as_deref().and_then(clean) {
        return scope.add(&wish, is_taken);
    }
    if survey.is_counter(local) {
        return scope.add_counter(is_taken);
    }
    let wishes = Describer { text, function, survey }.wishes(local);
    let free = wishes.iter().find(|wish| scope.is_free(wish, is_taken));
    scope.add(free.unwrap_or(&wishes[0]), is_taken)
}
