//! Launches compared with the parameters of kernels, as modules declare them.

use reconverge::Format;
use reconverge_ir::Module;
use reconverge_run::{Launch, Sample, check_arguments};

use super::argument;

/// A kernel with one parameter of that type, and a sampler.
fn module(image: &str, body: &str) -> Module {
    let text = format!(
        "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Int64
capability ImageBasic
capability ImageReadWrite
capability LiteralSampler
capability Sampled1D
capability Image1D
capability ImageBuffer
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%f32 = type_float 32
%ints = type_vector %u32, 4
%floats = type_vector %f32, 4
%place = type_vector %u32, 2
%at: %place = constant_null
%zero: %f32 = constant 0
%sampler = type_sampler
%image = type_image %void, {image}
%both = type_sampled_image %image
%one: %ints = constant_null
func %k: %void (%photo: %image, %smp: %sampler) {{
block ^entry:
{body}
  return
}}
"
    );
    reconverge::read(text.as_bytes(), Format::TEXT).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn launch(flags: [&str; 2]) -> Launch {
    Launch { arguments: flags.map(argument).to_vec(), ..Launch::default() }
}

/// The error of a launch of the kernel, if there is one.
fn misfit(module: &Module, flags: [&str; 2]) -> Option<String> {
    check_arguments(module, &launch(flags)).err().map(|error| error.to_string())
}

#[test]
fn an_image_has_the_dimensions_of_its_parameter() {
    // Dimensions, depth, arrayed; what fits; how it is described.
    let cases = [
        ("0, 0, 0", "image:rgba8[4]", "image1d_t", "image:rgba8[WIDTH]=CONTENTS"),
        ("5, 0, 0", "image:rgba8[4]", "image1d_buffer_t", "image:rgba8[WIDTH]=CONTENTS"),
        ("0, 0, 1", "image:rgba8[4,2]", "image1d_array_t", "image:rgba8[WIDTH,LAYERS]=CONTENTS"),
        ("1, 0, 0", "image:rgba8[4,2]", "image2d_t", "image:rgba8[WIDTH,HEIGHT]=CONTENTS"),
        ("1, 1, 0", "image:depth16[4,2]", "image2d_depth_t", "image:depth32f[WIDTH,HEIGHT]=CONTENTS"),
        ("1, 0, 1", "image:rgba8[4,2,3]", "image2d_array_t", "image:rgba8[WIDTH,HEIGHT,LAYERS]=CONTENTS"),
        ("1, 1, 1", "image:depth32f[4,2,3]", "image2d_array_depth_t", "image:depth32f[WIDTH,HEIGHT,LAYERS]=CONTENTS"),
        ("2, 0, 0", "image:rgba8[4,2,3]", "image3d_t", "image:rgba8[WIDTH,HEIGHT,DEPTH]=CONTENTS"),
    ];
    let all =
        ["image:rgba8[4]", "image:rgba8[4,2]", "image:rgba8[4,2,3]", "image:depth16[4,2]", "image:depth32f[4,2,3]"];
    for (ty, fitting, name, flag) in cases {
        let module = module(&format!("{ty}, 0, 0, 0, 0"), "");
        assert_eq!(misfit(&module, [fitting, "sampler"]), None);
        for other in all.iter().filter(|other| **other != fitting) {
            let error = misfit(&module, [other, "sampler"]).expect("it does not fit");
            let expected = format!("of k is a read_only {name}, the launch gives {other}; write {flag}");
            assert!(error.contains(&expected), "{error}\n{expected}");
        }
    }
}

#[test]
fn arguments_of_another_kind_are_refused() {
    let module = module("1, 0, 0, 0, 0, 0, 1", "");
    let error = misfit(&module, ["in:u8[64]", "sampler"]).expect("it does not fit");
    assert!(
        error.contains("is a write_only image2d_t, the launch gives a buffer; write out:image:rgba8[WIDTH,HEIGHT]"),
        "{error}"
    );
    let error = misfit(&module, ["image:rgba8[4,4]", "u32=1"]).expect("it does not fit");
    assert!(error.contains("is a sampler, the launch gives u32; write sampler=WORDS"), "{error}");
    let error = misfit(&module, ["sampler", "sampler"]).expect("it does not fit");
    assert!(error.contains("the launch gives a sampler; write out:image:"), "{error}");
    // What a kernel writes may be an input: nothing of it is shown.
    assert_eq!(misfit(&module, ["image:rgba8[4,4]", "sampler"]), None);
    let error = check_arguments(&module, &Launch::default()).expect_err("there are no arguments").to_string();
    assert!(error.contains("(a write_only image2d_t, a sampler)"), "{error}");
}

#[test]
fn texels_are_the_numbers_that_the_kernel_reads() {
    const READS: &str = "  %texel: %ints = image_read %photo, %at";
    const SAMPLES: &str = "  %with: %both = sampled_image %photo, %smp
  %texel: %floats = image_sample_explicit_lod %with, %at, 2, %zero";
    const WRITES: &str = "  image_write %photo, %at, %one";
    const ASKS: &str = "  %order: %u32 = image_query_format %photo";
    let cases = [
        ("0", READS.to_owned(), "image:rgba8u[4,4]", Some("image:rgba8[4,4]")),
        ("0", SAMPLES.to_owned(), "image:rgba8[4,4]", Some("image:rgba8i[4,4]")),
        ("1", WRITES.to_owned(), "image:r32i[4,4]", Some("image:r32f[4,4]")),
        ("2", format!("{READS}\n{WRITES}"), "image:r32i[4,4]", Some("image:r32f[4,4]")),
        // A kernel that reads both, or asks, knows more than its launch is told.
        ("0", format!("{READS}\n{}", SAMPLES.replace("%texel", "%other")), "image:rgba8u[4,4]", None),
        ("0", format!("{READS}\n{ASKS}"), "image:rgba8u[4,4]", None),
        ("0", String::new(), "image:rgba8u[4,4]", None),
    ];
    for (access, body, right, wrong) in cases {
        let module = module(&format!("1, 0, 0, 0, 0, 0, {access}"), &body);
        assert_eq!(misfit(&module, [right, "sampler"]), None, "{body}");
        let found = misfit(&module, [wrong.unwrap_or("image:rgba8[4,4]"), "sampler"]);
        assert_eq!(found.is_some(), wrong.is_some(), "{body}: {found:?}");
        if let Some(error) = found {
            assert!(error.contains("texels are"), "{error}");
        }
    }
    let integers = module("1, 0, 0, 0, 0, 0, 0", READS);
    let error = misfit(&integers, ["image:rgba8[4,4]", "sampler"]).expect("it does not fit");
    let expected = "is a read_only image2d_t of integers, the launch gives image:rgba8[4,4], whose texels are no integers; write image:rgba8u[WIDTH,HEIGHT]=CONTENTS";
    assert!(error.ends_with(expected), "{error}");
}

/// A kernel that comes without a launch gets images that fit.
#[test]
fn a_sample_has_images() {
    for ty in ["0, 0, 0", "0, 0, 1", "1, 0, 0", "1, 1, 0", "2, 0, 0"] {
        let module = module(&format!("{ty}, 0, 0, 0, 0"), "");
        let sample = Sample::of_kernel(&module, "k").expect("there is a launch");
        assert_eq!(check_arguments(&module, &sample.launch), Ok(()));
        assert!(sample.flags.iter().any(|flag| flag.starts_with("--arg 'out:image:")), "{:?}", sample.flags);
    }
}
