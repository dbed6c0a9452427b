//! Shading languages: WGSL and GLSL are read as modules. The parsers are those of naga.

mod read;
mod style;

pub use read::{GlslStage, MAX_DEPTH, ReadCode, ReadError, SourceLanguage, SourceOptions, read};
pub use style::{Dialect, restyle};
