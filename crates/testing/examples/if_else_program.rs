//! Writes a compute shader of so many if/else in a row, as text: how long compiling it takes as a whole is measured from outside.
//!
//! ```text
//! cargo run -p reconverge-testing --example if_else_program 1000 > program.ir
//! reconverge compile -O0 program.ir -o program.spv
//! time reconverge compile -O1 --strip-merges program.spv -o out.spv
//! ```

use reconverge_testing::generators::motion_shapes::if_else_program;

fn main() {
    let count = std::env::args().nth(1).map_or(1_000, |count| count.parse().expect("a number of ifs"));
    print!("{}", if_else_program(count));
}
