//! What declarations at module level say for sure, asked by several analyses and checks.

use reconverge_ir::{Function, Inst, Module, Op};

/// The decoration that names a function for other modules (SPIR-V section 3.20).
const LINKAGE_ATTRIBUTES: u32 = 41;
/// The decoration of what nobody writes.
pub(crate) const NON_WRITABLE: u32 = 24;

/// The first word of a constant. A specialization constant has none, unlike for [`Module::literal_word`]: what it says is a default that
/// can become anything.
pub fn constant_word(module: &Module, constant: Inst) -> Option<u32> {
    (module.op(constant) == Op::Constant).then(|| module.literal_word(constant)).flatten()
}

/// Whether a function has a name for other modules, so that nobody knows who calls it.
pub fn is_exported(module: &Module, function: Function) -> bool {
    module.decorations(function).iter().any(|&note| {
        matches!(module.op(note), Op::Decorate | Op::DecorateString)
            && module.literal_word(module.operand(note, 0)) == Some(LINKAGE_ATTRIBUTES)
    })
}

/// The decorations of a kind on an instruction.
pub(crate) fn decorations(module: &Module, inst: Inst, kind: u32) -> impl Iterator<Item = Inst> + '_ {
    let notes = module.decorations(inst).iter().copied();
    notes.filter(move |&note| {
        matches!(module.op(note), Op::Decorate | Op::DecorateId)
            && module.literal_word(module.operand(note, 0)) == Some(kind)
    })
}

/// Whether an instruction has a decoration of a kind.
pub(crate) fn has_decoration(module: &Module, inst: Inst, kind: u32) -> bool {
    decorations(module, inst, kind).next().is_some()
}

/// The decorations of the members of a struct: which member, and which kind.
pub(crate) fn member_decorations(module: &Module, ty: Inst) -> impl Iterator<Item = (u32, u32)> + '_ {
    let notes = module.decorations(ty).iter().filter(|&&note| module.op(note) == Op::MemberDecorate);
    notes.filter_map(|&note| {
        let word = |index| module.literal_word(module.operand(note, index));
        Some((word(0)?, word(1)?))
    })
}

/// The struct that is the interface of a buffer, past arrays of buffers.
pub(crate) fn block_type(module: &Module, variable: Inst) -> Option<Inst> {
    let mut ty = pointee(module, variable)?;
    while matches!(module.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
        ty = module.operand(ty, 0);
    }
    (module.op(ty) == Op::TypeStruct).then_some(ty)
}

/// Whether a buffer or all of its members are declared as not writable.
pub(crate) fn is_read_only_buffer(module: &Module, variable: Inst) -> bool {
    has_decoration(module, variable, NON_WRITABLE)
        || block_type(module, variable).is_some_and(|block| {
            let marked = member_decorations(module, block).filter(|&(_, kind)| kind == NON_WRITABLE);
            let mut marked: Vec<u32> = marked.map(|(member, _)| member).collect();
            marked.sort_unstable();
            marked.dedup();
            !marked.is_empty() && marked.len() == module.operand_count(block)
        })
}

/// The type of what a value points to, if it is a pointer.
pub fn pointee(module: &Module, pointer: Inst) -> Option<Inst> {
    let ty = module.ty(pointer).filter(|&ty| module.op(ty) == Op::TypePointer)?;
    module.operands(ty).nth(1)
}

/// Whether an import is a set of instructions that mean nothing to execution: debug information.
pub fn is_debug_set(module: &Module, import: Inst) -> bool {
    let begins = |start: &str| start.bytes().eq(set_name(module, import).take(start.len()));
    module.op(import) == Op::ExtInstImport
        && (begins("NonSemantic.") || begins("OpenCL.DebugInfo") || is_set(module, import, "DebugInfo"))
}

/// Whether this is the import of the set of instructions of this name.
pub fn is_set(module: &Module, import: Inst, name: &str) -> bool {
    module.op(import) == Op::ExtInstImport && set_name(module, import).eq(name.bytes())
}

/// The name of an imported set, byte by byte: it is asked for with each instruction of the set, and need not be put together for that.
fn set_name(module: &Module, import: Inst) -> impl Iterator<Item = u8> + '_ {
    let words = module.literal_words(module.operand(import, 0)).iter();
    words.flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0)
}
