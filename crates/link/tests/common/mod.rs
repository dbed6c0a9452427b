//! Modules from text, and what linking them gives.

use reconverge_ir::{Module, text};
use reconverge_link::{LinkError, LinkOptions, ModuleInput, Roots, Undefined, link};

/// Types that most modules use.
pub(crate) const TYPES: &str = "%void = type_void\n%u32 = type_int 32, 0\n%f32 = type_float 32\n";

pub(crate) fn parsed(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

pub(crate) fn linked_with(sources: &[&str], options: &LinkOptions<'_>) -> Result<Module, Vec<LinkError>> {
    let modules = sources.iter().enumerate();
    let mut inputs: Vec<ModuleInput> =
        modules.map(|(number, source)| ModuleInput::new(format!("{number}.ir"), parsed(source))).collect();
    link(&mut inputs, options)
}

/// The text of what linking gives.
pub(crate) fn linked(sources: &[&str]) -> String {
    let module = linked_with(sources, &LinkOptions::default());
    text::print(&module.unwrap_or_else(|errors| panic!("{}", all(&errors))))
}

/// As a library whose imports may stay open.
pub(crate) fn library(sources: &[&str]) -> String {
    let options = LinkOptions::new().roots(Roots::Library).undefined(Undefined::Allowed);
    text::print(&linked_with(sources, &options).unwrap_or_else(|errors| panic!("{}", all(&errors))))
}

/// The errors of linking, as they are displayed.
pub(crate) fn errors(sources: &[&str]) -> String {
    match linked_with(sources, &LinkOptions::default()) {
        Ok(module) => panic!("no error, but\n{}", text::print(&module)),
        Err(errors) => all(&errors),
    }
}

fn all(errors: &[LinkError]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}
