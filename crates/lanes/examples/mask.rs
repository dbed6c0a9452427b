//! Prints the masked form of the functions of a module in text form.
use reconverge_lanes::{Facts, InputFact, Shape, Shapes, mask_function, scalarize, specialize};
use spirv::BuiltIn;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let mut module = reconverge_ir::text::parse(&text).expect("the text is valid");
    specialize(&mut module, &[(0, 64)]).expect("specialized");
    let mut facts = Facts { is_full: true, ..Facts::default() };
    for built_in in [BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId] {
        for component in 0..3 {
            let shape = if component == 0 { Shape::Affine(1) } else { Shape::Uniform };
            facts.inputs.insert((built_in, component), InputFact { shape, range: (0, 1 << 20) });
        }
    }
    for component in 0..3 {
        facts
            .inputs
            .insert((BuiltIn::WorkgroupId, component), InputFact { shape: Shape::Uniform, range: (0, 1 << 20) });
    }
    let functions: Vec<_> = module.functions().collect();
    for function in functions {
        scalarize(&mut module, function).expect("scalars");
        mask_function(&mut module, function, &facts).expect("lanes can be made explicit");
        let shapes = Shapes::compute(&module, function, &facts);
        println!("{}", reconverge_ir::text::print(&module));
        for block in module.blocks(function) {
            for inst in module.children(block) {
                if module.ty(inst).is_some() {
                    println!(
                        "{} {:?} {:?}",
                        module.name(inst).unwrap_or(format!("{inst:?}")),
                        shapes.of(inst),
                        shapes.range(inst)
                    );
                }
            }
        }
    }
    for finding in reconverge_verify::verify(&module) {
        println!("{finding:?}");
    }
}
