//! Integers of odd widths in LLVM IR, such as `i3`: those that no machine has.
//!
//! ```text
//! %n = add i3 %m, -1        clang's SPIR-V back end computes in i8 and forgets `& 7`:
//! %r = zext i3 %n to i32    %r is 255 or 8 where it must be 7 or 0
//! ```
//!
//! The optimizer makes them of masked values and of the counters of unrolled loops. SPIR-V does not tell such an `i8` from one of the source,
//! so they are looked for in the IR. Linear in the text.

use std::fs;
use std::path::Path;

use crate::debug_text;

/// The number of LLVM's SPIR-V back end in the list of generators of SPIR-V.
const LLVM_BACK_END: u32 = 43;
/// The widths that SPIR-V and the back end have; `i1` is a boolean.
const EVEN: [u32; 5] = [1, 8, 16, 32, 64];

/// Returns whether LLVM's back end wrote the module in a file.
pub(crate) fn may_be_in(module: &Path) -> bool {
    let module = fs::read(module).unwrap_or_default();
    let generator = module.get(8..12).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    debug_text::is_spirv(&module) && generator.is_some_and(|word| word >> 16 == LLVM_BACK_END)
}

/// Returns whether the IR in a file has such integers.
pub(crate) fn are_in(ir: &Path) -> bool {
    has_some(&fs::read(ir).unwrap_or_default())
}

/// Returns whether the text of a module in LLVM IR has a type of such integers. Names, strings and comments do not count.
fn has_some(ir: &[u8]) -> bool {
    String::from_utf8_lossy(ir).lines().any(|line| {
        // Quotes are around names and strings; in them, quotes are written as numbers.
        let mut plain = line.split('"').step_by(2);
        plain.any(|part| part.split(';').next().unwrap_or_default().split(ends_word).any(is_odd))
    })
}

/// Returns whether a letter cannot belong to a name. The first letter of names and the last one of labels, which tell them from types, can.
fn ends_word(letter: char) -> bool {
    !letter.is_ascii_alphanumeric() && !matches!(letter, '%' | '@' | '!' | '#' | '$' | '_' | '.' | '-' | ':')
}

fn is_odd(word: &str) -> bool {
    let bits = word.strip_prefix('i').and_then(|bits| bits.parse().ok());
    bits.is_some_and(|bits| !EVEN.contains(&bits))
}

#[cfg(test)]
mod tests {
    use super::has_some;

    #[test]
    fn types_count_and_names_do_not() {
        for odd in
            ["  %n = add i3 %m, -1", "define void @f(<4 x i24> %x) {", "%x = alloca [4 x i5], align 1", "{ i8, i33 }"]
        {
            assert!(has_some(odd.as_bytes()), "{odd}");
        }
        for even in [
            "  %i3 = add i32 %i33, -1",
            "@.str = private constant [4 x i8] c\"an i3\\00\"",
            "i3:                    ; preds = i5",
            "declare i8 @llvm.umax.i8(i8, i8)",
            "br i1 %c, label %i7, label %i9",
        ] {
            assert!(!has_some(even.as_bytes()), "{even}");
        }
    }
}
