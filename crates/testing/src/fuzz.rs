//! The entry points of the fuzz targets, and the smoke tests.
//!
//! Each function accepts any bytes and panics only for a bug in the crates, never because of the bytes.

use reconverge_diagnostic::Place;
use reconverge_ir::{Function, Module, Op, binary, text};
use reconverge_link::{LinkOptions, ModuleInput, Roots, Undefined, link};
use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{Merges, ReadOptions, WriteOptions, read, write};
use reconverge_structurize::json::Document;
use reconverge_structurize::{Listing, NamedGraph, dot, text as graph_form};
use reconverge_verify::{verify, verify_whole};

use crate::plain_graph::PlainGraph;
use crate::trial::trial;

/// The maximal number of blocks: larger inputs are slow and find no more bugs.
const BLOCKS: usize = 24;

/// The maximal number of parts of a file that are read.
const PARTS: u32 = 64;

/// Reads bytes as SPIR-V, with and without merge instructions; an accepted module is passed to [`accepted`].
pub fn spirv_reader(bytes: &[u8]) {
    for merges in [Merges::Keep, Merges::Strip] {
        match read(bytes, &ReadOptions { merges }) {
            Ok(module) => {
                let limit = 1_000 + 16 * bytes.len();
                assert!(module.capacity() <= limit, "{} instructions from {} bytes", module.capacity(), bytes.len());
                accepted(module);
            }
            Err(error) => {
                let Place::Word(word) = error.place else { panic!("{error}") };
                assert!(word <= bytes.len() / 4 + 1, "an error at word {word} of {} bytes", bytes.len());
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// Reads bytes as text; an accepted module is printed, read again, and passed to [`accepted`].
pub fn text_parser(bytes: &[u8]) {
    let input = String::from_utf8_lossy(bytes);
    match text::parse(&input) {
        Ok(module) => {
            let printed = text::print(&module);
            let again = text::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(text::print(&again), printed);
            accepted(module);
        }
        Err(error) => {
            let Place::Line(line, column) = error.place else { panic!("{error}") };
            assert!(line >= 1 && column >= 1 && line <= input.lines().count() + 1, "{error}");
        }
    }
}

/// Reads bytes in the binary form; an accepted module is written, read again, and passed to [`accepted`]. Every part of the file is read too.
pub fn binary_reader(bytes: &[u8]) {
    if let Ok(archive) = binary::Archive::open(bytes) {
        for global in 0..archive.global_count().min(PARTS) {
            let mut reach = archive.reach();
            if reach.include(global).is_ok() {
                drop(reach.read());
            }
        }
    }
    match binary::read(bytes) {
        Ok(module) => {
            let written = binary::write(&module);
            let again = binary::read(&written).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(binary::write(&again), written);
            assert!(!text::print(&module).contains('\0'));
            accepted(module);
        }
        Err(error) => {
            let Place::Byte(byte) = error.place else { panic!("{error}") };
            assert!(byte <= bytes.len() && error.message.starts_with("expected "), "{error}");
        }
    }
}

/// Reads bytes as DXIL; an accepted module is small beside its file, is printed, and has its views computed.
pub fn dxil_reader(bytes: &[u8]) {
    let module = match reconverge_dxil::read(bytes) {
        Ok(module) => module,
        Err(error) => {
            let Place::Byte(byte) = error.place.in_bytes() else { panic!("{error}") };
            return assert!(byte <= bytes.len() && error.message.starts_with("expected "), "{error}");
        }
    };
    let values = module.functions.iter().map(|function| function.values.len() + function.instructions.len());
    let count = values.sum::<usize>() + module.values.len() + module.metadata.len() + module.types.len();
    assert!(count <= 8 * bytes.len(), "{count} parts from {} bytes", bytes.len());
    assert!(!reconverge_dxil::text::print(&module).contains('\0'));
    let _ = (module.shader_model(), module.resources());
    for entry in module.entry_points().into_iter().flatten() {
        let _ = (entry.signatures(&module), entry.resources(&module), entry.properties(&module));
    }
}

/// The bytes for [`linker`] of two files.
pub fn linked_pair(first: &[u8], second: &[u8]) -> Vec<u8> {
    [&(first.len() as u32).to_le_bytes()[..], first, second].concat()
}

/// Reads two modules, SPIR-V or text, and links them: the length of the first, then both. Valid modules give a valid module. Returns whether
/// they were linked.
pub fn linker(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let (first, second) = rest.split_at((u32::from_le_bytes(*length) as usize).min(rest.len()));
    let module = |bytes: &[u8]| match read(bytes, &ReadOptions::default()) {
        Ok(module) => Some(module),
        Err(_) => text::parse(&String::from_utf8_lossy(bytes)).ok(),
    };
    match (module(first), module(second)) {
        (Some(first), Some(second)) => linked(&first, &second),
        _ => false,
    }
}

/// Links two modules, which may break any rule. Valid modules give a valid module. Returns whether they were linked.
pub fn linked(first: &Module, second: &Module) -> bool {
    // Fewer rules are checked in a module that has no memory model.
    let is_whole = |module: &Module| module.globals().any(|global| module.op(global) == Op::MemoryModel);
    let are_valid = [first, second].into_iter().all(|module| is_whole(module) && verify_whole(module).is_empty());
    let mut is_linked = false;
    for (roots, undefined) in [(Roots::Program, Undefined::Refused), (Roots::Library, Undefined::Allowed)] {
        let mut inputs = [ModuleInput::new("first", first.clone()), ModuleInput::new("second", second.clone())];
        match link(&mut inputs, &LinkOptions::new().roots(roots).undefined(undefined)) {
            Ok(linked) => {
                let printed = text::print(&linked);
                let findings = if are_valid { verify_whole(&linked) } else { Vec::new() };
                assert!(findings.is_empty(), "{findings:?}\n{printed}");
                is_linked = true;
            }
            Err(errors) => assert!(errors.iter().all(|error| !error.message.is_empty()) && !errors.is_empty()),
        }
    }
    is_linked
}

/// Reads bytes as a graph, as text and as JSON; an accepted graph is printed, read again and structurized, and graph and plan are written
/// to JSON and read again.
pub fn graph_text(bytes: &[u8]) {
    let input = String::from_utf8_lossy(bytes);
    if let Ok(document) = Document::from_json(&input) {
        document.graph.as_ref().into_iter().for_each(accepted_graph);
    }
    match graph_form::parse(&input) {
        Ok(graph) => accepted_graph(&graph),
        Err(error) => {
            let Place::Line(line, column) = error.place else { panic!("{error}") };
            assert!(line >= 1 && column >= 1 && line <= input.lines().count() + 1, "{error}");
        }
    }
}

/// Checks an accepted graph.
fn accepted_graph(graph: &NamedGraph) {
    let printed = graph.to_string();
    let again = graph_form::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(&again, graph);
    let plan =
        reconverge_structurize::structurize(graph, &Options::default()).expect("a short text is within the limits");
    assert_eq!(plan.check(), Ok(()), "{printed}");
    assert_eq!(Listing::new(&plan, graph).to_string().lines().count(), plan.blocks.len(), "{printed}");
    assert!(dot::plan(&plan, graph).ends_with("}\n"));
    let document = Document { graph: Some(graph.clone()), plan: Some(plan) };
    let json = document.to_json();
    assert_eq!(Document::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}")), document);
}

/// Decodes a graph from bytes and tests the structurizer on it.
pub fn structurizer(bytes: &[u8]) {
    let graph = graph(bytes);
    if let Err(message) = trial(std::slice::from_ref(&graph), bytes.len() as u64, &Options::default(), None) {
        panic!("{graph}\n{message}");
    }
}

/// Checks an accepted module: if the verifier has no finding, the module is structurized and written, and must be valid again.
pub fn accepted(mut module: Module) {
    if !verify(&module).is_empty() {
        return;
    }
    let functions: Vec<Function> = module.functions().collect();
    for function in functions {
        if structurize(&mut module, function, &Options::default()).is_err() {
            return;
        }
    }
    let findings = verify(&module);
    assert!(findings.is_empty(), "{findings:?}\n{}", text::print(&module));
    if let Ok(bytes) = write(&module, &WriteOptions::default()) {
        let again = read(&bytes, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let findings = verify(&again);
        assert!(findings.is_empty(), "{findings:?}\n{}", text::print(&again));
    }
}

/// Decodes a graph from bytes: the number of blocks, then for each the number of successors and the successors.
pub fn graph(bytes: &[u8]) -> PlainGraph {
    let mut bytes = bytes.iter().map(|&byte| byte as usize);
    let count = 1 + bytes.next().unwrap_or(0) % BLOCKS;
    let mut lists = vec![Vec::new(); count];
    let mut switches = Vec::new();
    for (block, list) in lists.iter_mut().enumerate() {
        let kind = bytes.next().unwrap_or(0);
        let wanted = [0, 1, 1, 2, 2, 2, 2, 3, 4, 5][kind % 10];
        list.extend(bytes.by_ref().take(wanted).map(|byte| byte % count));
        if kind >= 200 && !list.is_empty() {
            switches.push(block);
        }
    }
    let mut graph = PlainGraph::from_successors(&lists);
    switches.into_iter().for_each(|block| graph.set_switch(block));
    graph
}
