//! The containers of `tests/dxil`, and a writer of bitstreams.

pub(crate) mod bits;
pub(crate) mod decode;

use std::path::PathBuf;

use reconverge_dxil::TranslateOptions;
use reconverge_dxil::module::view::ResourceClass;

/// A file of `tests/dxil`.
pub(crate) fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of all containers, without `.dxil`, in order.
pub(crate) fn containers() -> Vec<String> {
    let entries = folder().read_dir().expect("the folder is part of the repository");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".dxil")?.to_owned())).collect();
    names.sort();
    names
}

/// Options that give each class of registers bindings of its own.
pub(crate) fn options() -> TranslateOptions {
    let mut options = TranslateOptions::default();
    let classes = [ResourceClass::ShaderResource, ResourceClass::UnorderedAccess, ResourceClass::Sampler];
    for (class, by) in classes.into_iter().zip([100, 200, 300]) {
        options.bindings.shift(class, by);
    }
    options.bindings.shift_counters(400);
    options
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/dxil")
}

/// The bitcode of a container that has one program.
pub(crate) fn bitcode(container: &[u8]) -> &[u8] {
    let start = container.windows(4).position(|bytes| bytes == b"BC\xc0\xde").expect("a container has bitcode");
    &container[start..]
}
