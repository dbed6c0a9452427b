//! The sections of a module, in the order of SPIR-V section 2.4.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, Module, Op};

use super::contract::Contracted;
use super::emit::Emitter;
use super::{equal_types, function, globals};
use crate::sections::Section;

/// The number of sections before the functions. Names and decorations are not instructions at module level.
const SECTION_COUNT: usize = Section::Declaration as usize + 1;

/// Writes the whole module.
pub(super) fn emit(emitter: &mut Emitter<'_>, functions: &[Contracted]) -> Result<(), Diagnostic> {
    let module = emitter.module;
    let mut sections = sections(module);
    let declarations = &mut sections[Section::Declaration as usize];
    *declarations = globals::in_order(module, declarations);
    emitter.same = equal_types::declare_once(module, declarations);
    let (names, decorations) = notes(module, &sections, functions);
    for (number, section) in sections.iter().enumerate() {
        if number == Section::Name as usize {
            emit_notes(emitter, &names)?;
        }
        if number == Section::Annotation as usize {
            emit_notes(emitter, &decorations)?;
        }
        for &inst in section {
            emitter.global(inst)?;
        }
    }
    let (declared, defined): (Vec<_>, Vec<_>) = functions.iter().partition(|contracted| contracted.is_empty());
    for contracted in declared.into_iter().chain(defined) {
        function::emit(emitter, contracted)?;
    }
    for inst in module.trailing() {
        emitter.global(inst)?;
    }
    Ok(())
}

fn sections(module: &Module) -> [Vec<Inst>; SECTION_COUNT] {
    let mut sections = [const { Vec::new() }; SECTION_COUNT];
    let mut last = Section::Capability;
    for inst in module.globals().filter(|&inst| module.op(inst) != Op::SpirvHeader) {
        last = section(module, inst, last);
        sections[last as usize].push(inst);
    }
    sections
}

/// The section of an instruction. An instruction without a section of its own belongs to that of the previous one.
fn section(module: &Module, inst: Inst, before: Section) -> Section {
    match module.op(inst) {
        Op::Nop => before,
        Op::OpaquePlain => {
            let opcode = module.operands(inst).next().and_then(|opcode| module.literal_word(opcode));
            let known = opcode.and_then(|opcode| u16::try_from(opcode).ok()).and_then(Section::of);
            known.filter(|&section| section < Section::Declaration).unwrap_or(before)
        }
        op => op.opcode().and_then(Section::of).unwrap_or(Section::Declaration),
    }
}

/// A name or a decoration, and its target.
#[derive(Clone, Copy)]
struct Note {
    target: Inst,
    decoration: Inst,
}

/// The names and the other decorations of everything that is written, with their targets.
fn notes(module: &Module, sections: &[Vec<Inst>], functions: &[Contracted]) -> (Vec<Note>, Vec<Note>) {
    let mut all = Vec::new();
    let mut note = |target: Inst| {
        all.extend(module.decorations(target).iter().map(|&decoration| Note { target, decoration }));
    };
    sections.iter().flatten().for_each(|&inst| note(inst));
    for contracted in functions {
        note(contracted.function.into());
        module.parameters(contracted.function).for_each(|parameter| note(parameter.into()));
        for &block in contracted.blocks() {
            note(block.into());
            module.children(block).for_each(&mut note);
        }
    }
    module.trailing().for_each(note);
    all.into_iter().partition(|note| matches!(module.op(note.decoration), Op::Name | Op::MemberName))
}

fn emit_notes(emitter: &mut Emitter<'_>, notes: &[Note]) -> Result<(), Diagnostic> {
    let module = emitter.module;
    for &Note { target, decoration } in notes {
        let op = module.op(decoration);
        let opcode =
            op.opcode().filter(|_| op.class() == Class::Decoration).expect("invariant: a note is a decoration");
        let start = emitter.begin(opcode);
        let id = emitter.id(target);
        emitter.word(id);
        for operand in module.operands(decoration) {
            emitter.operand(decoration, operand)?;
        }
        emitter.end(start, target)?;
    }
    Ok(())
}
