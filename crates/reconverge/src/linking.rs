//! Links modules that were compiled apart, in any formats.

use reconverge_ir::Module;
use reconverge_link::{LinkError, LinkOptions, ModuleInput, Undefined};

/// Links modules, each with a name for messages. Unless the options say otherwise, imports of built-in functions of OpenCL stay open: the
/// passes for kernels replace them.
///
/// ```
/// use reconverge::link_modules;
/// use reconverge::link::LinkOptions;
/// use reconverge::ir::text;
///
/// let one = text::parse("%u32 = type_int 32, 0\nfunc %f: %u32 () {decorate LinkageAttributes \"f\" 0} {\nblock ^b:\n  unreachable\n}")?;
/// let two = text::parse("%u32 = type_int 32, 0\nfunc %f: %u32 () {decorate LinkageAttributes \"f\" 1}")?;
/// let linked = link_modules(vec![("one.ir".into(), one), ("two.ir".into(), two)], LinkOptions::default()).unwrap();
/// assert_eq!(linked.functions().count(), 1);
/// # Ok::<(), reconverge::ir::text::ParseError>(())
/// ```
///
/// # Errors
/// Those of [`reconverge_link::link`].
pub fn link_modules(modules: Vec<(String, Module)>, options: LinkOptions<'_>) -> Result<Module, Vec<LinkError>> {
    let mut inputs: Vec<ModuleInput> =
        modules.into_iter().map(|(name, module)| ModuleInput::new(name, module)).collect();
    let undefined = match options.undefined {
        Undefined::Refused => Undefined::RefusedUnless(&reconverge_opencl::is_library_name),
        other => other,
    };
    reconverge_link::link(&mut inputs, &LinkOptions { undefined, ..options })
}
