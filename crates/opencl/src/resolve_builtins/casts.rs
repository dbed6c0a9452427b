//! `to_global`, `to_local` and `to_private`, which clang declares as `__to_global` and so on, without mangling.
//!
//! The result is the pointer if it points to that address space, and null otherwise (OpenCL C 3.0, section 6.15.14): SPIR-V's explicit
//! cast.

use reconverge_ir::{Inst, view};
use spirv::StorageClass;

use super::Site;
use super::mangling::{Element, Mangled, ParameterType};

const NAMES: [(&str, StorageClass); 3] = [
    ("__to_global", StorageClass::CrossWorkgroup),
    ("__to_local", StorageClass::Workgroup),
    ("__to_private", StorageClass::Function),
];

/// Returns whether a function is one of these.
pub(super) fn is_name(name: &str) -> bool {
    NAMES.iter().any(|&(known, _)| known == name)
}

/// The function of a name that is not mangled.
pub(super) fn unmangled(symbol: &str) -> Option<Mangled> {
    let pointer = ParameterType { pointers: 1, element: Element::Void, components: 1 };
    is_name(symbol).then(|| Mangled { name: symbol.to_owned(), parameters: vec![pointer] })
}

/// Emits the cast; `None` for every other function.
pub(super) fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    let &(_, class) = NAMES.iter().find(|&&(name, _)| name == site.mangled.name)?;
    let module = site.build.module();
    let is_from_generic = module.storage_class(site.arguments[0]) == Some(StorageClass::Generic);
    let is_to_class = view::TypePointer::of(module, site.result)?.storage_class == Some(class);
    if !is_from_generic || !is_to_class {
        return None;
    }
    let class = site.build.enumerant(class);
    Some(Some(site.build.generic_cast_to_ptr_explicit(site.result, &[site.arguments[0], class])))
}
