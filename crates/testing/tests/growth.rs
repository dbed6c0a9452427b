//! The shapes that grow (`generators/growth`): each is what it says it is, compiles in every way to what is valid, and makes the module grow
//! no more than in proportion. How the machine instructions of compiling grow, `cargo xtask instructions --compile` counts.

use reconverge::{CompileOptions, Format, Output, compile};
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::generators::growth::{GROWTH_SHAPES, GrowthShape, way};
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::torture::scaling::exponent;
use reconverge_verify::verify;

/// The steepest growth, as an exponent of the bytes of the input.
const GREATEST_EXPONENT: f64 = 1.2;

fn spirv(shape: &GrowthShape, parts: usize) -> Vec<u8> {
    write(&shape.module(parts), &WriteOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", shape.name))
}

fn compiled(shape: &GrowthShape, parts: usize, options: &CompileOptions) -> (f64, Output) {
    let bytes = spirv(shape, parts);
    let output = compile(&bytes, Format::SPIRV, Format::SPIRV, options);
    (bytes.len() as f64, output.unwrap_or_else(|error| panic!("{}, {parts} parts: {error}", shape.name)))
}

#[test]
fn shapes_are_valid_and_grow_in_proportion() {
    for shape in GROWTH_SHAPES {
        let findings = verify(&shape.module(40));
        assert!(findings.is_empty(), "{}: {}", shape.name, findings[0]);
        let sizes = [100, 400].map(|parts| (parts as f64, spirv(shape, parts).len() as f64));
        let exponent = exponent(&sizes);
        assert!((0.8..1.1).contains(&exponent), "{}: the input grows with exponent {exponent:.2}", shape.name);
    }
}

#[test]
fn shapes_compile_in_every_way_to_what_is_valid() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    for shape in GROWTH_SHAPES {
        for name in shape.ways() {
            let options = way(name).expect("it is one").verify_each(true);
            let (_, output) = compiled(shape, 20, &options);
            if let Err(message) = validator.validate(&output.bytes, Environment::Vulkan1_2) {
                panic!("{}, {name}: {message}", shape.name);
            }
        }
    }
}

/// Numbers of instructions are never given twice, so the greatest tells how many were made on the way.
#[test]
fn instructions_that_are_made_and_written_grow_in_proportion() {
    for shape in GROWTH_SHAPES {
        for name in ["O1", "split"].into_iter().filter(|&name| shape.ways().any(|way| way == name)) {
            let options = way(name).expect("it is one");
            let points = [50, 200].map(|parts| {
                let (bytes, output) = compiled(shape, parts, &options);
                [(bytes, output.bytes.len() as f64), (bytes, output.module.capacity() as f64)]
            });
            for (index, what) in ["the output", "what was made"].into_iter().enumerate() {
                let exponent = exponent(&points.map(|point| point[index]));
                assert!(exponent <= GREATEST_EXPONENT, "{}, {name}: {what} grows with {exponent:.2}", shape.name);
            }
        }
    }
}
