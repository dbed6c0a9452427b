//! Merges the descriptions of modules, and orders the head of the result.
//!
//! | instruction | rule |
//! |---|---|
//! | header | the greatest version; the generator if all inputs have the same one |
//! | capabilities, extensions, sources, `module_processed` | each once, in the order of the inputs; `Linkage` only as long as a symbol is left |
//! | memory model | must agree |
//!
//! Linear, except for comparisons of the sources.

use reconverge_ir::view;
use reconverge_ir::{Inst, Module, Op, Position};
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration};

use crate::copy::Copied;
use crate::error::Site;
use crate::{Code, Input, LinkError};

/// The order of the head of a module; all other instructions stay after it in their own order.
const SECTIONS: [&[Op]; 9] = [
    &[Op::SpirvHeader],
    &[Op::Capability],
    &[Op::Extension],
    &[Op::ExtInstImport],
    &[Op::MemoryModel],
    &[Op::EntryPoint],
    &[Op::ExecutionMode, Op::ExecutionModeId],
    &[Op::String, Op::Source, Op::SourceContinued, Op::SourceExtension],
    &[Op::ModuleProcessed],
];

/// An instruction of an input that describes it, in the terms of the result.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Description {
    op: Op,
    operands: Vec<Inst>,
}

/// Merges the descriptions of all inputs into the result.
///
/// # Errors
/// Memory models that differ.
pub(super) fn merge<I: Input>(inputs: &[I], copied: &mut Copied) -> Result<(), Vec<LinkError>> {
    let mut met: FxHashSet<Vec<Description>> = FxHashSet::default();
    let mut header: Option<[u32; 2]> = None;
    let mut model: Option<(Description, Site)> = None;
    let mut merged = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let descriptions = input.descriptions();
        for group in groups(input.module(), &descriptions) {
            let site = Site { input: number, inst: group[0] };
            if let Some(own) = view::SpirvHeader::of(input.module(), site.inst) {
                header = Some(match header {
                    None => [own.version, own.generator],
                    Some([version, generator]) => {
                        [version.max(own.version), if generator == own.generator { generator } else { 0 }]
                    }
                });
                continue;
            }
            let described: Vec<Description> =
                group.iter().map(|&inst| described(input.module(), inst, number, copied)).collect();
            if described[0].op == Op::MemoryModel {
                match &model {
                    Some((other, first)) if *other != described[0] => {
                        let message = "two inputs have different addressing or memory models".to_owned();
                        let error = LinkError::new(Code::MemoryModel, message);
                        return Err(vec![error.at("the first", inputs, *first).at("the second", inputs, site)]);
                    }
                    _ => model = Some((described[0].clone(), site)),
                }
            }
            if met.insert(described.clone()) {
                merged.extend(described);
            }
        }
    }
    write(&mut copied.module, header, merged);
    Ok(())
}

/// A source with its continuations, or a single instruction.
fn groups<'a>(module: &'a Module, all: &'a [Inst]) -> impl Iterator<Item = &'a [Inst]> {
    all.chunk_by(|_, &next| module.op(next) == Op::SourceContinued)
}

fn described(module: &Module, inst: Inst, input: usize, copied: &mut Copied) -> Description {
    let operands = module.operands(inst).map(|operand| match module.op(operand) {
        Op::LiteralText => copied.module.edit().text_from_words(module.literal_words(operand)),
        Op::LiteralWords => copied.module.edit().literal(module.literal_words(operand)),
        _ => copied.image(Site { input, inst: operand }).unwrap_or_else(|| copied.module.root()),
    });
    Description { op: module.op(inst), operands: operands.collect() }
}

fn write(module: &mut Module, header: Option<[u32; 2]>, merged: Vec<Description>) {
    let mut edit = module.edit();
    if let Some([version, generator]) = header {
        let operands = [version, generator, 0].map(|word| edit.word(word));
        edit.append_global(Op::SpirvHeader, None, &operands);
    }
    for Description { op, operands } in merged {
        edit.append_global(op, None, &operands);
    }
    remove_linkage(module);
    let mut last: Option<Inst> = None;
    for section in SECTIONS {
        let members: Vec<Inst> = module.globals().filter(|&global| section.contains(&module.op(global))).collect();
        for inst in members {
            let position = match last {
                Some(last) => Position::After(last),
                None => Position::AtStart(module.root()),
            };
            if module.parent(inst).is_some() && last != Some(inst) {
                module.edit().move_to(inst, position);
            }
            last = Some(inst);
        }
    }
}

/// Removes the capability for symbols from a program that has none.
fn remove_linkage(module: &mut Module) {
    let is_linked = |inst: Inst| module.decorated(inst).has(Decoration::LinkageAttributes);
    let is_program = module.globals().any(|global| module.op(global) == Op::EntryPoint);
    if !is_program || module.descendants(module.root()).any(is_linked) {
        return;
    }
    let is_linkage = |global: Inst| {
        view::Capability::of(module, global).is_some_and(|it| it.capability == Some(Capability::Linkage))
    };
    let all: Vec<Inst> = module.globals().filter(|&global| is_linkage(global)).collect();
    all.into_iter().for_each(|capability| module.edit().delete(capability));
}
