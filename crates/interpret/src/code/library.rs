//! Functions of the OpenCL library that a front end leaves as imports, by their mangled names (Itanium C++ ABI, section 5.1).
//!
//! ```text
//! _Z 10 atomic_max PU3AS3V j j     atomic_max of pointers in address space 3 to volatile uint, and uint
//!    length  name   parameters
//! ```
//!
//! Only functions that front ends do not emit as instructions are here: the older atomic functions, fences, address space queries, some
//! functions on images.

use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Function, Module, Op};
use spirv::LinkageType;

/// A function of the OpenCL library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LibraryFunction {
    /// An atomic operation: pointer, then values, then order and scope.
    Atomic(Op),
    /// A fence.
    Fence,
    /// A barrier of a subgroup.
    SubgroupBarrier,
    /// No operation.
    Prefetch,
    /// The pointer itself if it points to that address space, null otherwise.
    Cast(Space),
    /// The fence flags for the address space of a pointer.
    FenceOf,
    /// A function on an image.
    Image(ImageFunction),
}

/// A function on an image that LLVM's SPIR-V back end (22) leaves as an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ImageFunction {
    /// A read of halves: image, sampler if there is one, coordinate.
    ReadHalf,
    /// The channel order, as a number of OpenCL C.
    ChannelOrder,
    /// The channel type, as a number of OpenCL C.
    ChannelType,
}

/// An address space of generic pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Global,
    Local,
    Private,
}

/// The library function for a function without a body.
pub(crate) fn imported(module: &Module, function: Function) -> Option<LibraryFunction> {
    let name = import_name(module, function)?;
    let (name, parameters) = demangled(&name)?;
    Some(match name {
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => LibraryFunction::Fence,
        "sub_group_barrier" => LibraryFunction::SubgroupBarrier,
        "prefetch" => LibraryFunction::Prefetch,
        "__to_global" => LibraryFunction::Cast(Space::Global),
        "__to_local" => LibraryFunction::Cast(Space::Local),
        "__to_private" => LibraryFunction::Cast(Space::Private),
        "get_fence" => LibraryFunction::FenceOf,
        "read_imageh" => LibraryFunction::Image(ImageFunction::ReadHalf),
        "get_image_channel_order" => LibraryFunction::Image(ImageFunction::ChannelOrder),
        "get_image_channel_data_type" => LibraryFunction::Image(ImageFunction::ChannelType),
        _ => LibraryFunction::Atomic(atomic_op(name, parameters)?),
    })
}

/// The import name of a function.
pub(crate) fn import_name(module: &Module, function: Function) -> Option<String> {
    let mut linkages = module.decorated(function).iter().filter_map(|note| note.read::<LinkageAttributes>());
    let import = linkages.find(|linkage| linkage.linkage == LinkageType::Import)?;
    Some(module.literal_text(import.name))
}

/// The name and the parameters of a mangled name; a name that is not mangled has no parameters.
fn demangled(name: &str) -> Option<(&str, &str)> {
    let Some(rest) = name.strip_prefix("_Z") else { return Some((name, "")) };
    let (length, rest) = number(rest)?;
    (rest.is_char_boundary(length) && length <= rest.len()).then(|| rest.split_at(length))
}

/// The number at the beginning of a text, and the rest.
fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

fn atomic_op(name: &str, parameters: &str) -> Option<Op> {
    let name = name.strip_prefix("atomic_").or(name.strip_prefix("atom_"))?;
    let name = name.strip_prefix("fetch_").unwrap_or(name);
    let name = name.strip_suffix("_explicit").unwrap_or(name);
    let is_signed = matches!(pointee(parameters), Some('i' | 'l'));
    let is_float = matches!(pointee(parameters), Some('f' | 'd' | 'D'));
    Some(match name {
        "add" if is_float => Op::AtomicFAddEXT,
        "min" if is_float => Op::AtomicFMinEXT,
        "max" if is_float => Op::AtomicFMaxEXT,
        "add" => Op::AtomicIAdd,
        "sub" => Op::AtomicISub,
        "xchg" | "exchange" => Op::AtomicExchange,
        "inc" => Op::AtomicIIncrement,
        "dec" => Op::AtomicIDecrement,
        "cmpxchg" => Op::AtomicCompareExchange,
        "min" if is_signed => Op::AtomicSMin,
        "max" if is_signed => Op::AtomicSMax,
        "min" => Op::AtomicUMin,
        "max" => Op::AtomicUMax,
        "and" => Op::AtomicAnd,
        "or" => Op::AtomicOr,
        "xor" => Op::AtomicXor,
        _ => return None,
    })
}

/// The pointee of the first parameter, a pointer.
fn pointee(parameters: &str) -> Option<char> {
    let mut rest = parameters.strip_prefix('P')?;
    loop {
        let next = rest.chars().next()?;
        rest = match next {
            'V' | 'K' | 'r' => &rest[1..],
            'U' => {
                let (length, after) = number(&rest[1..])?;
                after.get(length..)?
            }
            other => return Some(other),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{atomic_op, demangled};
    use reconverge_ir::Op;

    #[test]
    fn mangled_names_say_what_they_operate_on() {
        let op = |name: &str| {
            let (name, parameters) = demangled(name).unwrap();
            atomic_op(name, parameters)
        };
        assert_eq!(op("_Z10atomic_maxPU3AS3Vjj"), Some(Op::AtomicUMax));
        assert_eq!(op("_Z10atomic_maxPU3AS1Vii"), Some(Op::AtomicSMax));
        assert_eq!(op("_Z8atom_minPU3AS1Vmm"), Some(Op::AtomicUMin));
        assert_eq!(op("_Z16atomic_fetch_minPU3AS4VU7_Atomicii"), Some(Op::AtomicSMin));
        assert_eq!(op("_Z25atomic_fetch_max_explicitPU3AS4VU7_Atomicjj12memory_order"), Some(Op::AtomicUMax));
        assert_eq!(op("_Z11atomic_xchgPU3AS1Vff"), Some(Op::AtomicExchange));
        assert_eq!(op("_Z10atomic_powPU3AS1Vff"), None);
        assert_eq!(demangled("_Z99short"), None);
    }
}
