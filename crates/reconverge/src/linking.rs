//! Links modules that were compiled separately, in any formats.

use reconverge_ir::Module;
use reconverge_ir::binary::Archive;
use reconverge_link::{ArchiveInput, Code, Input, LinkError, LinkOptions, ModuleInput, Undefined};

use crate::Error;

/// A module to link.
#[derive(Debug)]
pub enum LinkInput<'b> {
    /// A module in memory.
    Module(Module),
    /// A file in the binary form, of which only the reached parts are read.
    Archive(Archive<'b>),
}

impl<'b> LinkInput<'b> {
    /// A file in the binary form. Only its tables are read at first.
    ///
    /// # Errors
    /// [`Error::Read`] if the tables cannot be read.
    pub fn from_binary(bytes: &'b [u8]) -> Result<LinkInput<'b>, Error> {
        match Archive::open(bytes) {
            Ok(archive) => Ok(LinkInput::Archive(archive)),
            Err(error) => Err(Error::Read(error)),
        }
    }

    /// The input for the linker. A module in memory is moved to it.
    ///
    /// # Errors
    /// The instructions that describe the module cannot be read.
    pub fn input(&mut self, name: &str) -> Result<Box<dyn Input + '_>, LinkError> {
        match self {
            LinkInput::Module(module) => Ok(Box::new(ModuleInput::new(name, std::mem::take(module)))),
            LinkInput::Archive(archive) => match ArchiveInput::new(name, archive) {
                Ok(input) => Ok(Box::new(input)),
                Err(message) => Err(LinkError::new(Code::Read, format!("{name}: {message}"))),
            },
        }
    }
}

impl From<Module> for LinkInput<'_> {
    fn from(module: Module) -> Self {
        LinkInput::Module(module)
    }
}

/// Links modules, each with a name for messages. Unless the options say otherwise, imports of built-in functions of OpenCL stay open: the
/// passes for kernels replace them.
///
/// ```
/// use reconverge::link_modules;
/// use reconverge::LinkOptions;
/// use reconverge::ir::text;
///
/// let one = text::parse("%u32 = type_int 32, 0\nfunc %f: %u32 () {decorate LinkageAttributes \"f\" 0} {\nblock ^b:\n  unreachable\n}")?;
/// let two = text::parse("%u32 = type_int 32, 0\nfunc %f: %u32 () {decorate LinkageAttributes \"f\" 1}")?;
/// let linked = link_modules(vec![("one.ir".into(), one), ("two.ir".into(), two)], LinkOptions::default()).unwrap();
/// assert_eq!(linked.functions().count(), 1);
/// # Ok::<(), reconverge::Diagnostic>(())
/// ```
///
/// # Errors
/// Those of [`reconverge_link::link`].
pub fn link_modules<'b>(
    modules: Vec<(String, impl Into<LinkInput<'b>>)>,
    options: LinkOptions<'_>,
) -> Result<Module, Vec<LinkError>> {
    let mut modules: Vec<(String, LinkInput<'b>)> =
        modules.into_iter().map(|(name, input)| (name, input.into())).collect();
    let undefined = match options.undefined {
        Undefined::Refused => Undefined::RefusedUnless(&reconverge_opencl::is_library_name),
        other => other,
    };
    let inputs = modules.iter_mut().map(|(name, module)| module.input(name));
    let mut inputs: Vec<Box<dyn Input + '_>> = inputs.collect::<Result<_, _>>().map_err(|error| vec![error])?;
    reconverge_link::link(&mut inputs, &options.undefined(undefined))
}
