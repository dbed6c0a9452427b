//! The parts of machine code: each line of the assembly is in one of them, and they belong to the blocks that have effects.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use reconverge::codegen::{CodeBlock, CodeRole, MachineCode, Request};
use reconverge::ir::{Block, Function, Module, OpGroup};
use reconverge::opencl::{Kernel, LocalSize};
use reconverge::{CompileOptions, Format, Level, Lowering, Target, lower};

/// A kernel, and what was assembled of it.
struct Assembled {
    module: Module,
    function: Function,
    code: Box<dyn MachineCode>,
}

/// The modules of the project that are OpenCL kernels.
fn modules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let entries = std::fs::read_dir(folder).expect("the kernels are there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut modules: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "spv")).collect();
    modules.sort();
    modules
}

fn request(kernel: &Kernel) -> Request {
    let (local, ids) = match kernel.local_size {
        LocalSize::Fixed(size) => (size, None),
        LocalSize::Specialized(ids) => (kernel.required_local_size.unwrap_or([16, 1, 1]), Some(ids)),
    };
    let sizes = ids.into_iter().flatten().zip(local);
    let constants = sizes.chain(kernel.work_dim.map(|id| (id, 3))).collect();
    Request { constants, ..Request::new(kernel.name.as_str(), local) }
}

/// The code of the first kernel of a module; none if the machine does not have something.
fn assembled(path: &Path, target: Target) -> Option<Assembled> {
    let back_end = target.back_end()?;
    let bytes = std::fs::read(path).expect("a module is readable");
    let mut module = reconverge::read(&bytes, Format::SPIRV).expect("a module is valid");
    let options = CompileOptions::new().target(target).kernel(back_end.kernel_options()).level(Level::None);
    let mut run = reconverge::run(&mut module, &options, &mut |_, _| ()).expect("a kernel compiles");
    let request = request(&run.reflection.as_ref()?.kernels[0]);
    let function = request.function(&module).expect("the kernel is an entry point");
    let lowering = Lowering { back_end, function, facts: back_end.facts(&request).expect("the machine is here") };
    lower(&mut module, &lowering, &options, &mut run, &mut |_, _| ()).ok()?;
    let code = back_end.assemble(&module, function, &request).ok()?;
    Some(Assembled { module, function, code })
}

/// Checks the parts of a code, and gives their roles.
fn check(path: &Path, Assembled { module, function, code }: &Assembled) -> BTreeSet<&'static str> {
    let name = path.display();
    let text = code.assembly();
    let parts = code.blocks();
    let mut next = 0;
    for CodeBlock { block, lines, .. } in &parts {
        assert_eq!(lines.start, next, "{name}: a line is in no part, or in two");
        assert!(!lines.is_empty(), "{name}: a part without lines");
        next = lines.end;
        let of_function = |block: Block| module.function_of(block) == Some(*function);
        assert!(block.is_none_or(of_function), "{name}: {block:?}");
    }
    assert_eq!(next, text.lines().count(), "{name}: lines after the last part");
    let bodies: BTreeSet<Block> =
        parts.iter().filter(|part| part.role == CodeRole::Body).filter_map(|part| part.block).collect();
    for block in module.blocks(*function) {
        let stores = module.children(block).any(|inst| module.op(inst).group() == OpGroup::Store);
        assert!(!stores || bodies.contains(&block), "{name}: {block:?} stores, and has no code");
    }
    parts.iter().map(|part| part.role.name()).collect()
}

/// Checks all kernels that a target supports. All together their parts have these roles, and perhaps others.
fn check_all(target: Target, least: usize, roles: &[CodeRole]) {
    let codes: Vec<(PathBuf, Assembled)> =
        modules().into_iter().filter_map(|path| assembled(&path, target).map(|code| (path, code))).collect();
    assert!(codes.len() >= least, "{} kernels", codes.len());
    let found: BTreeSet<&str> = codes.iter().flat_map(|(path, code)| check(path, code)).collect();
    let expected: BTreeSet<&str> = roles.iter().map(|role| role.name()).collect();
    assert!(expected.is_subset(&found), "{found:?}");
}

#[test]
fn each_line_of_cpu_code_is_in_one_part() {
    use CodeRole::{Body, Check, Epilogue, Failure, LaneLoop, Prologue};
    check_all(Target::CPU, 150, &[Prologue, Body, Check, Failure, LaneLoop, Epilogue]);
}

#[test]
fn each_line_of_vc4_code_is_in_one_part() {
    use CodeRole::{Body, Entrance, Epilogue, LaneLoop, Prologue};
    check_all(Target::VC4, 100, &[Prologue, Body, Entrance, LaneLoop, Epilogue]);
}

/// The ends of the code are named as such.
#[test]
fn the_ends_of_the_code_are_parts_of_the_function() {
    let path = modules().into_iter().find(|path| path.ends_with("ranges.spv")).expect("the kernel is there");
    for (target, first, last) in [(Target::CPU, "push rbx", "ret"), (Target::VC4, "unif", "thrend")] {
        let Assembled { code, .. } = assembled(&path, target).expect("the kernel is simple");
        let (text, parts) = (code.assembly(), code.blocks());
        let lines: Vec<&str> = text.lines().collect();
        let has = |part: &CodeBlock, word: &str| lines[part.lines.clone()].iter().any(|line| line.contains(word));
        let [begin, .., end] = parts.as_slice() else { panic!("{parts:?}") };
        assert!(begin.role == CodeRole::Prologue && begin.block.is_none() && has(begin, first), "{text}");
        assert!(end.role == CodeRole::Epilogue && end.block.is_none() && has(end, last), "{text}");
    }
}
