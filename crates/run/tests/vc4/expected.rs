//! What the VC4 refuses, and where it differs.

/// What is said of programs that need too many rows of the vertex pipe memory, for private variables and spilled registers. How many that are
/// depends on optimizations and on the allocation of registers: such a module may be compiled at some levels.
pub(super) const ROWS: &str = "rows of the vertex pipe memory are needed";

/// The modules that are refused, with a part of the message.
const REFUSED: &[(&str, &str)] = &[
    ("as_types", "64-bit floats"),
    ("atomics_wide", "an atomic operation on 64 bits"),
    ("break128", ROWS),
    ("double_numbers", "64-bit floats"),
    ("double_roots", "64-bit floats"),
    ("life", "a work-group with a barrier or local memory of more than 192 work-items"),
    ("nested_structs", ROWS),
    ("struct_by_value", ROWS),
    ("wide_arguments", "64-bit floats"),
];

/// The modules whose results differ, with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "float_classes",
        "the chip has no numbers that are not numbers and no denormals, of which the kernel counts classes",
    ),
    ("fused_error", "the error of a product is what a fused product and sum gives, and the chip has none"),
];

/// A part of the message with which a module is refused.
pub(super) fn refusal(module: &str) -> Option<&'static str> {
    find(REFUSED, module)
}

/// Why the result of a module differs.
pub(super) fn difference(module: &str) -> Option<&'static str> {
    find(DIFFERENT, module)
}

/// The entry of a module, at whatever level its SPIR-V was written.
fn find(table: &[(&str, &'static str)], module: &str) -> Option<&'static str> {
    let name = module.trim_end_matches(".spv").trim_end_matches(".O0");
    table.iter().find(|(entry, _)| *entry == name).map(|&(_, text)| text)
}
