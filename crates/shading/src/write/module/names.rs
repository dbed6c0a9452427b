//! Names of the source in a form that the languages accept. naga's writers make them unique and avoid the keywords of each language.

use reconverge_ir::Inst;

use super::Converter;
pub(super) use crate::lower::readable;

impl Converter<'_> {
    /// The name of an instruction: letters, digits and underscores of the name in the source, up to the types of parameters that compilers
    /// of GLSL append. `None` if it has none.
    pub(crate) fn name(&self, inst: Inst) -> Option<String> {
        self.source.name(inst).and_then(|name| readable(&name))
    }
}
