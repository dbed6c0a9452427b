//! Prints `docs/opencl-std.md`, what becomes of OpenCL.std and how exact it is:
//! `cargo run -p reconverge-opencl --example opencl_std > docs/opencl-std.md`.

use std::fmt::Write as _;

use reconverge_opencl::{OpenClInstruction, open_cl_instructions};

fn main() {
    print!("{}", markdown());
}

const HEAD: &str = "\
# OpenCL.std

Generated from the table in `crates/opencl/src/extended_instructions/table.rs` by
`cargo run -p reconverge-opencl --example opencl_std > docs/opencl-std.md`.

What each instruction of OpenCL.std becomes on the way to Vulkan, and how exact that is. A *formula* is written where the instruction
stands, a *function* once for each type, and called for each component. Names are those of GLSL.std.450.

*Required* is what OpenCL asks for in 32 bits (OpenCL C 3.0, section 7.4; full profile); none means that it leaves it to the
implementation. *Given* for a formula or function is the largest error that was measured, in 32 and in 64 bits, among some ten thousand
operands, against arithmetic of 160 bits. It holds on every device that rounds sums, differences and products to the nearest float, as
Vulkan has it for those; division and square roots are made exact where they matter. Given for an instruction of GLSL.std.450 is what
Vulkan promises for it. An ulp is a unit in the last place.

Halves that are computed in 32 bits are rounded once more, to at most 0.51 ulp. Subnormal numbers count as they do for the device:
OpenCL lets 32-bit ones be taken for zero, and what is done by the bits here keeps them.
";

/// Where a part of the table starts, and what it is about.
const PARTS: [(u32, &str); 6] = [
    (0, "Mathematics"),
    (67, "Mathematics: less exact and faster"),
    (95, "Common and geometric functions"),
    (141, "Integers"),
    (171, "Memory, shuffles and the rest"),
    (201, "Integers, continued"),
];

/// The whole page.
pub(crate) fn markdown() -> String {
    let mut page = String::from(HEAD);
    for row in open_cl_instructions() {
        if let Some((_, title)) = PARTS.iter().find(|(first, _)| *first == row.number) {
            write!(
                page,
                "\n## {title}\n\n| number | name | becomes | types | required | given |\n|---|---|---|---|---|---|\n"
            )
            .expect("a string takes everything");
        }
        page.push_str(&line(&row));
    }
    page
}

fn line(row: &OpenClInstruction) -> String {
    let cells = [row.becomes.as_str(), row.types, row.required, row.given].map(|cell| cell.replace('|', "\\|"));
    format!("| {} | `{}` | {} |\n", row.number, row.name, cells.join(" | "))
}
