//! What declarations at module level say for sure, asked by several analyses and checks.

use reconverge_ir::{Function, Inst, Module, Op};

/// The decoration that names a function for other modules (SPIR-V section 3.20).
const LINKAGE_ATTRIBUTES: u32 = 41;

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
