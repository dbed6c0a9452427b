//! The control flow of real functions, in the form that the example `measure` reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reconverge::ir::{Block, Function, Module, Op};
use reconverge::{Format, Merges, Source};

use xtask_setup::workspace;

/// Writes the graphs of all functions of all `.spv` files below the folders, merges forgotten, into one file. `None` without folders.
pub(super) fn write_graphs(folders: &[PathBuf]) -> Result<Option<PathBuf>, String> {
    if folders.is_empty() {
        return Ok(None);
    }
    let mut files = Vec::new();
    for folder in folders {
        collect(folder, &mut files)?;
    }
    files.sort();
    let mut text = String::new();
    for file in &files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let source = Source::new(&bytes).merges(Merges::Strip);
        let read = reconverge::read_source(Format::SPIRV, source);
        let module = read.map_err(|error| format!("{}: {error}", file.display()))?.module;
        for function in module.functions() {
            push_graph(&mut text, &module, function);
        }
    }
    let path = workspace::root().join("target/instructions");
    std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let path = path.join("modules.txt");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Some(path))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "spv") {
            files.push(path);
        }
    }
    Ok(())
}

/// One block a line, then an empty line; nothing for a function without blocks. Edge blocks are seen through.
fn push_graph(text: &mut String, module: &Module, function: Function) {
    let blocks: Vec<Block> = module.blocks(function).filter(|&block| module.op(block) != Op::EdgeBlock).collect();
    let mut numbered: Vec<(Block, usize)> = blocks.iter().copied().zip(0..).collect();
    numbered.sort_unstable();
    for &block in &blocks {
        let terminator = module.terminator(block).map(|terminator| module.op(terminator));
        *text += match terminator {
            Some(Op::Branch) => "jump",
            Some(Op::BranchIf) => "if",
            Some(Op::Switch) => "switch",
            _ => "exit",
        };
        for target in targets(module, block) {
            let place = numbered.binary_search_by_key(&target, |&(block, _)| block);
            let (_, number) = numbered[place.expect("invariant: an edge leads to a block of the function")];
            write!(text, " {number}").expect("a string takes all");
        }
        *text += "\n";
    }
    if !blocks.is_empty() {
        *text += "\n";
    }
}

fn targets(module: &Module, block: Block) -> Vec<Block> {
    let target = |edge| module.target(edge);
    let through = |mut block: Block| {
        while module.op(block) == Op::EdgeBlock {
            block = module.out_edges(block).find_map(target).expect("invariant: an edge block goes on");
        }
        block
    };
    module.out_edges(block).filter_map(target).map(through).collect()
}
