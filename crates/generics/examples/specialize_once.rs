//! One specialization of a module with as many requests as the first argument says, for counting machine instructions:
//! `cargo xtask instructions --compile`.

use std::hint::black_box;

use reconverge_generics::{Specialized, specialize};
use reconverge_ir::{Module, text};

#[path = "../tests/common/many.rs"]
mod many;

/// The instructions of the generic.
const SIZE: usize = 200;

fn main() {
    let requests = std::env::args().nth(1).and_then(|number| number.parse().ok());
    let requests = requests.expect("the first argument is the number of requests");
    let mut module = text::parse(&many::many(requests, SIZE)).expect("the module is well-formed");
    println!("{}", measured(&mut module).instructions);
    black_box(module);
}

/// What is counted.
#[inline(never)]
fn measured(module: &mut Module) -> Specialized {
    specialize(module).expect("the requests have an end")
}
