//! The count of the bits of a number of another width, which SPIR-V allows: `%n: %u32 = bit_count %long`.

use reconverge_ir::{Inst, Module, Op, Position, view};
use reconverge_run::{CpuKernel, CpuOptions};

use super::bounds::{FORMS, compiled, launch};

/// The kernel `contiguous` stores the count of the bits of its input, sign-extended to 64 bits.
fn counting() -> (Module, reconverge_opencl::Reflection) {
    let (mut module, reflection) = compiled();
    let stores = |module: &Module| -> Vec<Inst> {
        let functions =
            module.functions().filter(|&function| module.name(function).is_some_and(|name| name == "contiguous"));
        let blocks = functions.flat_map(|function| module.blocks(function));
        blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == Op::Store).collect()
    };
    let [store] = stores(&module)[..] else { panic!("the kernel has one store") };
    let long = module.globals().find(|&ty| module.op(ty) == Op::TypeInt && module.width(ty) == Some(64));
    let long = long.expect("addresses are 64-bit integers");
    let object = view::Store::of(&module, store).expect("a store has an object").object;
    let word = module.ty(object).expect("a value has a type");
    let wide = module.edit().insert(Position::Before(store), Op::SConvert, Some(long), &[object]);
    let count = module.edit().insert(Position::Before(store), Op::BitCount, Some(word), &[wide]);
    let operands = module.operands(store).map(|operand| if operand == object { count } else { operand });
    let operands: Vec<Inst> = operands.collect();
    module.edit().set_operands(store, &operands);
    (module, reflection)
}

#[test]
fn the_count_of_the_bits_of_a_number_may_be_narrower() {
    let (module, reflection) = counting();
    // −1 has 64 bits, and the kernel adds one to what it reads.
    let launch = launch("contiguous", &["out:i32[128]", "in:i32[128]=fill(-2)", "i32=0"]);
    let mut forms = 0;
    for (width, vectors) in FORMS {
        let options = CpuOptions { width: Some(width), vectors: Some(vectors), ..CpuOptions::default() };
        // This CPU may not have vectors of this width.
        let Ok(kernel) = CpuKernel::compile(&module, &reflection, &launch, options) else { continue };
        let measured = kernel.launch(&reflection, &launch, 1).expect("nothing is outside");
        assert_eq!(measured.buffers[0], [64, 0, 0, 0].repeat(128), "{width}×{vectors}");
        forms += 1;
    }
    assert!(forms > 0, "one lane is always possible");
}
