//! Prints the masked form of the functions of a module in text form.
use reconverge_lanes::{Facts, mask_function};

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let mut module = reconverge_ir::text::parse(&text).expect("the text is valid");
    let facts = Facts { is_full: true, ..Facts::default() };
    let functions: Vec<_> = module.functions().collect();
    for function in functions {
        mask_function(&mut module, function, &facts).expect("lanes can be made explicit");
    }
    println!("{}", reconverge_ir::text::print(&module));
    for finding in reconverge_verify::verify(&module) {
        println!("{finding:?}");
    }
}
