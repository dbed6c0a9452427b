mod builder;
mod glsl;
mod languages;
mod layout;
mod numbers;
mod precedence;
mod reader;
mod statements;
mod types;

pub(crate) use builder::{Builder, IMAGE, assign, compound, declare};

use super::*;
use crate::names;

/// The text of a tree with the names that the language allows.
fn printed(mut text: Text, language: Language) -> String {
    names::assign(&mut text, language);
    print(&text, language, &Spelling::default())
}
