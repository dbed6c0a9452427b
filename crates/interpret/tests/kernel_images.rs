//! Images and samplers as arguments of kernels: how values go through a program, samplers of the module, image operands, queries.

use crate::common::image::{
    BUFFER, CLAMP, CLAMP_TO_EDGE, DEPTH, FLOAT, HALF, Kind, LINEAR, NEAREST, ONE, ONE_ARRAY, R, RGBA, SAMPLE, SINT32,
    THREE, TWO, TWO_ARRAY, TWO_DEPTH, TWO_DEPTH_ARRAY, UINT32, float_bytes, globals, image, kernel, launch, on_row,
    result, row,
};
use crate::common::kernel::{Kernel, behaviour, words};
use reconverge_interpret::{Cause, KernelArgument, KernelLaunch, MemoryObject, Races, UndefinedBehaviour};
use reconverge_ir::Op;
use spirv::AccessQualifier;

#[test]
fn images_and_samplers_go_through_variables() {
    let body = format!(
        "  %i0: %image_pointer = variable Function
  %s0: %sampler_pointer = variable Function
  store %i0, %image
  store %s0, %sampler
  %it: %image_type = load %i0
  %with: %sampler_type = load %s0
{SAMPLE}"
    );
    assert_eq!(result(&kernel(ONE, AccessQualifier::ReadOnly, &body), &on_row()), 30.0);
    // A copy from variable to variable.
    let copied = body
        .replace("load %i0", "load %i1")
        .replace("  %it:", "  %i1: %image_pointer = variable Function\n  copy_memory %i1, %i0\n  %it:");
    assert_eq!(result(&kernel(ONE, AccessQualifier::ReadOnly, &copied), &on_row()), 30.0);
    // Without the store there is no image.
    let kernel = kernel(ONE, AccessQualifier::ReadOnly, &body.replace("  store %i0, %image\n", ""));
    let failure = kernel.failure(&on_row());
    assert_eq!(behaviour(&failure), UndefinedBehaviour::UndefinedAddress);
    let origin = failure.origin.expect("it is known");
    assert_eq!((origin.cause, kernel.module.op(origin.place.inst)), (Cause::NeverWritten, Op::Load));
    assert!(matches!(origin.object, Some(MemoryObject::Variable(_))));
}

#[test]
fn bytes_do_not_become_an_image() {
    let body = "  %v: %private = variable Function
  %p: %image_pointer = bitcast %v
  %v64: %pointer64 = bitcast %p
  store %v64, %n2
  %it: %image_type = load %p
  %texel: %f32x4 = image_read %it, %c2";
    let globals = format!("{}%pointer64 = type_pointer Function, %u64\n", globals(ONE, AccessQualifier::ReadOnly));
    let body = body.replace(
        "%v: %private = variable Function\n  %p: %image_pointer = bitcast %v",
        "%p: %image_pointer = variable Function",
    );
    let parameters = "%image: %image_type, %sampler: %sampler_type, %out: %globalf";
    let kernel = Kernel::with(&globals, parameters, &format!("{body}\n  return"));
    let text = kernel.failure(&on_row()).to_string();
    assert!(text.contains("bytes that are no image and no sampler"), "{text}");
}

#[test]
fn images_and_samplers_are_arguments_of_calls() {
    let globals = globals(ONE, AccessQualifier::ReadOnly);
    let text = format!(
        "{globals}%two = type_function %f32, %image_type, %sampler_type, %u32
%type = type_function %void, %image_type, %sampler_type, %globalf
func %read: %f32 (%it: %image_type, %with: %sampler_type, %at: %u32) type %two {{
block ^in:
  %both: %sampled_type = sampled_image %it, %with
  %texel: %f32x4 = image_sample_explicit_lod %both, %at, 2, %level
  %red: %f32 = composite_extract %texel, 0
  return_value %red
}}
func %k: %void (%image: %image_type, %sampler: %sampler_type, %out: %globalf) type %type {{
block ^entry:
  %here: %f32 = function_call %read, %image, %sampler, %c1
  %there: %f32 = function_call %read, %image, %sampler, %c3
  %sum: %f32 = f_add %here, %there
  store %out, %sum
  return
}}
"
    );
    assert_eq!(result(&Kernel::new(&text), &on_row()), 60.0);
}

/// Two images: a block parameter has one or the other, and so has a selection.
#[test]
fn images_go_through_block_parameters_and_selections() {
    let choose = |body: &str| {
        let globals = globals(ONE, AccessQualifier::ReadOnly);
        let parameters = "%first: %image_type, %second: %image_type, %out: %globalf, %which: %u32";
        let read = "  %texel: %f32x4 = image_read %it, %c1
  %red: %f32 = composite_extract %texel, 0
  store %out, %red
  return";
        let kernel = Kernel::with(&globals, parameters, &format!("  %is: %bool = i_equal %which, %c0\n{body}\n{read}"));
        [0, 1].map(|which: u32| {
            let (layout, texels) = row();
            let other = float_bytes(&[1.0, 2.0, 3.0, 4.0]);
            let launch = KernelLaunch {
                arguments: vec![
                    KernelArgument::Image { buffer: 0, image: layout },
                    KernelArgument::Image { buffer: 2, image: layout },
                    KernelArgument::Buffer { index: 1, offset: 0 },
                    KernelArgument::Bytes(which.to_le_bytes().to_vec()),
                ],
                buffers: vec![texels, vec![0; 4], other],
                ..KernelLaunch::default()
            };
            result(&kernel, &launch)
        })
    };
    assert_eq!(choose("  %it: %image_type = select %is, %first, %second"), [20.0, 2.0]);
    let blocks = "  branch_if %is ^a ^b
block ^a:
  branch ^m(%first)
block ^b:
  branch ^m(%second)
block ^m(%it: %image_type):";
    assert_eq!(choose(blocks), [20.0, 2.0]);
}

#[test]
fn constant_samplers_have_the_numbers_of_spirv() {
    // The texel at -1, and between the first two.
    let rows = [
        ("0, 0, 0", 0.5, Some(10.0)),
        ("1, 0, 0", -1.0, Some(10.0)),
        ("2, 0, 0", -1.0, Some(0.0)),
        ("2, 0, 1", 1.0, Some(15.0)),
        ("3, 1, 0", -0.125, Some(40.0)),
        ("4, 1, 0", -0.125, Some(10.0)),
        ("4, 1, 1", 0.25, Some(15.0)),
        ("3, 0, 0", 0.5, None),
    ];
    for (text, at, expected) in rows {
        let globals = format!(
            "{}%with: %sampler_type = constant_sampler {text}\n%at: %f32 = constant {}\n",
            globals(ONE, AccessQualifier::ReadOnly),
            f32::to_bits(at)
        );
        let body = SAMPLE.replace("%it", "%image").replace("%c2", "%at");
        let kernel = Kernel::with(&globals, "%image: %image_type, %out: %globalf", &format!("{body}\n  return"));
        let (layout, texels) = row();
        let outcome = kernel.outcome(&launch(1, layout, None, vec![texels, vec![0; 4]]));
        assert_eq!(outcome.failure, None);
        let defined = outcome.buffers[1].defined.iter().all(|&defined| defined);
        let found = f32::from_le_bytes(outcome.buffers[1].bytes[..4].try_into().expect("four bytes"));
        assert_eq!(defined.then_some(found), expected, "{text}");
        assert_eq!(outcome.undefined.len(), usize::from(!defined));
    }
}

/// A sampler at program scope of older front ends: a variable whose initializer is the sampler.
#[test]
fn a_variable_contains_its_constant_sampler() {
    let globals = format!(
        "{}%constant_pointer = type_pointer UniformConstant, %sampler_type
%constant: %sampler_type = constant_sampler 1, 0, 0
%variable: %constant_pointer = variable UniformConstant %constant
",
        globals(ONE, AccessQualifier::ReadOnly)
    );
    let body = format!("  %with: %sampler_type = load %variable\n{}\n  return", SAMPLE.replace("%it", "%image"));
    let kernel = Kernel::with(&globals, "%image: %image_type, %out: %globalf", &body);
    let (layout, texels) = row();
    assert_eq!(result(&kernel, &launch(1, layout, None, vec![texels, vec![0; 4]])), 30.0);
}

#[test]
fn depths_are_scalars() {
    let body = "  %at: %u32x2 = composite_construct %c1, %c0
  %both: %sampled_type = sampled_image %image, %sampler
  %texel: %f32x4 = image_sample_explicit_lod %both, %at, 2, %level
  %sampled: %f32 = composite_extract %texel, 0
  %read: %f32 = image_read %image, %at
  %sum: %f32 = f_add %sampled, %read
  store %out, %sum";
    let kernel = kernel(TWO_DEPTH, AccessQualifier::ReadOnly, body);
    let float =
        launch(1, image(DEPTH, FLOAT, [2, 1, 1], 4), Some(CLAMP | NEAREST), vec![float_bytes(&[3.0, 4.0]), vec![0; 4]]);
    assert_eq!(result(&kernel, &float), 8.0);
    let unorm =
        launch(1, image(DEPTH, 0x10d3, [2, 1, 1], 2), Some(CLAMP | NEAREST), vec![vec![0, 0, 255, 255], vec![0; 4]]);
    assert_eq!(result(&kernel, &unorm), 2.0);
    // A depth is written as a float.
    let globals = globals(TWO_DEPTH_ARRAY, AccessQualifier::WriteOnly);
    let body = "  %at: %u32x4 = composite_construct %c1, %c0, %c1, %c0
  %depth: %f32 = load %out
  image_write %image, %at, %depth
  return";
    let writer = Kernel::with(&globals, "%image: %image_type, %out: %globalf", body);
    let layers = launch(1, image(DEPTH, FLOAT, [2, 1, 2], 4), None, vec![vec![0; 16], float_bytes(&[0.25])]);
    let outcome = writer.outcome(&layers);
    assert_eq!(outcome.failure, None);
    assert_eq!(outcome.buffers[0].bytes, float_bytes(&[0.0, 0.0, 0.0, 0.25]));
}

#[test]
fn a_sampler_and_an_image_of_level_zero_alone() {
    let at_level = |operand: &str, text: &str| {
        let body = SAMPLE.replace("%it", "%image").replace("%with", "%sampler").replace(operand, text);
        let outcome = kernel(ONE, AccessQualifier::ReadOnly, &body).outcome(&on_row());
        (outcome.failure.map(|failure| failure.to_string()), outcome.undefined.len(), outcome.buffers[1].bytes.clone())
    };
    let thirty = float_bytes(&[30.0]);
    assert_eq!(at_level("", ""), (None, 0, thirty.clone()));
    assert_eq!(at_level("2, %level", "2, %level1").1, 1, "there is no level 1");
    // A gradient selects a level, of which there is one.
    assert_eq!(at_level("2, %level", "4, %level1, %level1"), (None, 0, thirty.clone()));
    // Other operands: NonPrivateTexel, VolatileTexel and Nontemporal change nothing.
    for mask in ["1026, %level", "2050, %level", "16386, %level"] {
        assert_eq!(at_level("2, %level", mask), (None, 0, thirty.clone()), "{mask}");
    }
    let (failure, ..) = at_level("2, %level", "10, %level, %c1");
    assert!(failure.is_some_and(|text| text.contains("image operands")), "ConstOffset");
}

#[test]
fn the_sign_of_an_operation_is_that_of_the_format() {
    let read = |data_type: u32, mask: &str| {
        let body = format!(
            "  %texel: %u32x4 = image_read %image, %c0{mask}
  %red: %u32 = composite_extract %texel, 0
  %float: %f32 = bitcast %red
  store %out, %float"
        );
        let launch = launch(1, image(R, data_type, [1; 3], 1), Some(CLAMP | NEAREST), vec![vec![0xfe], vec![0; 4]]);
        let outcome = kernel(ONE, AccessQualifier::ReadOnly, &body).outcome(&launch);
        assert_eq!(outcome.failure, None);
        let bytes = outcome.buffers[1].bytes[..4].try_into().expect("four bytes");
        outcome.undefined.is_empty().then(|| u32::from_le_bytes(bytes))
    };
    let (sint8, uint8) = (0x10d7, 0x10da);
    assert_eq!([read(sint8, ""), read(uint8, "")], [Some(0xffff_fffe), Some(0xfe)]);
    assert_eq!([read(sint8, ", 4096"), read(uint8, ", 8192")], [Some(0xffff_fffe), Some(0xfe)]);
    assert_eq!([read(sint8, ", 8192"), read(uint8, ", 4096")], [None, None]);
}

#[test]
fn queries_have_the_numbers_of_spirv() {
    let rows: [(Kind, [u32; 3], &str, Vec<u32>); 8] = [
        (ONE, [5, 1, 1], "u32", vec![5]),
        (BUFFER, [5, 1, 1], "u32", vec![5]),
        (ONE_ARRAY, [5, 3, 1], "u32x2", vec![5, 3]),
        (TWO, [5, 3, 1], "u32x2", vec![5, 3]),
        (TWO_ARRAY, [5, 3, 2], "u32x3", vec![5, 3, 2]),
        (THREE, [5, 3, 2], "u32x3", vec![5, 3, 2]),
        (TWO_DEPTH, [5, 3, 1], "u32x2", vec![5, 3]),
        (TWO_DEPTH_ARRAY, [5, 3, 2], "u32x3", vec![5, 3, 2]),
    ];
    for (kind, size, ty, expected) in rows {
        for query in ["image_query_size_lod %image, %c0", "image_query_size %image"] {
            let stores = match expected.len() {
                1 => "  store %out, %size\n".to_owned(),
                count => (0..count)
                    .map(|index| {
                        format!(
                            "  %part{index}: %u32 = composite_extract %size, {index}
  %place{index}: %global = ptr_access_chain %out, %c{index}
  store %place{index}, %part{index}\n"
                        )
                    })
                    .collect(),
            };
            let body = format!(
                "  %size: %{ty} = {query}\n{stores}  %order: %u32 = image_query_order %image
  %format: %u32 = image_query_format %image
  %levels: %u32 = image_query_levels %image
  %place_order: %global = ptr_access_chain %out, %c3
  %place_format: %global = ptr_access_chain %out, %c4
  %place_levels: %global = ptr_access_chain %out, %c5
  store %place_order, %order
  store %place_format, %format
  store %place_levels, %levels
  return"
            );
            for access in [AccessQualifier::ReadOnly, AccessQualifier::WriteOnly] {
                let kernel = Kernel::with(&globals(kind, access), "%image: %image_type, %out: %global", &body);
                let order = if kind.depth == 1 { DEPTH } else { RGBA };
                let launch = launch(1, image(order, FLOAT, size, 16), None, vec![vec![0; 512], vec![0; 24]]);
                let outcome = kernel.outcome(&launch);
                assert_eq!(outcome.failure, None);
                let found = words(&outcome.buffers[1]);
                assert_eq!(&found[..expected.len()], &expected[..]);
                // Depth is enumerant 13 of the orders, RGBA 5; Float is 14 of the types; there is one level.
                assert_eq!(found[3..], [if kind.depth == 1 { 13 } else { 5 }, 14, 1]);
            }
        }
    }
    // In 64 bits, as LLVM asks for the layers of an array; at a level that does not exist.
    let body = "  %size: %u64x2 = image_query_size_lod %image, %c0
  %layers: %u64 = composite_extract %size, 1
  %word: %u32 = u_convert %layers
  %none: %u32x2 = image_query_size_lod %image, %c1
  %width: %u32 = composite_extract %none, 0
  store %out, %width
  %place: %global = ptr_access_chain %out, %c1
  store %place, %word
  return";
    let kernel =
        Kernel::with(&globals(ONE_ARRAY, AccessQualifier::ReadOnly), "%image: %image_type, %out: %global", body);
    let outcome = kernel.outcome(&launch(1, image(R, FLOAT, [5, 3, 1], 4), None, vec![vec![0; 60], vec![0; 8]]));
    assert_eq!((outcome.failure, outcome.undefined.len()), (None, 1));
    assert_eq!(outcome.buffers[1].defined, [[false; 4], [true; 4]].concat());
    assert_eq!(outcome.buffers[1].bytes[4..], [3, 0, 0, 0]);
}

/// Functions that LLVM's SPIR-V back end (22) leaves as imports: they return what OpenCL C says.
#[test]
fn imported_functions_have_the_numbers_of_opencl_c() {
    let globals = format!(
        "{}%query = type_function %u32, %image_type
%half_read = type_function %f16x4, %image_type, %u32
%half_sample = type_function %f16x4, %image_type, %sampler_type, %f32
%type = type_function %void, %image_type, %sampler_type, %global, %global_h4
func %order: %u32 (%a: %image_type) type %query {{decorate LinkageAttributes \"_Z23get_image_channel_order14ocl_image1d_ro\" 1}}
func %kind: %u32 (%b: %image_type) type %query {{decorate LinkageAttributes \"_Z27get_image_channel_data_type14ocl_image1d_ro\" 1}}
func %read: %f16x4 (%c: %image_type, %d: %u32) type %half_read {{decorate LinkageAttributes \"_Z11read_imageh14ocl_image1d_roi\" 1}}
func %sample: %f16x4 (%e: %image_type, %f: %sampler_type, %g: %f32) type %half_sample {{decorate LinkageAttributes \"_Z11read_imageh14ocl_image1d_ro11ocl_samplerf\" 1}}
func %k: %void (%image: %image_type, %sampler: %sampler_type, %out: %global, %halves: %global_h4) type %type {{
block ^entry:
  %o: %u32 = function_call %order, %image
  %t: %u32 = function_call %kind, %image
  %h: %f16x4 = function_call %read, %image, %at
  %l: %f16x4 = function_call %sample, %image, %sampler, %level1
  %next: %global = ptr_access_chain %out, %c1
  %after: %global_h4 = ptr_access_chain %halves, %c1
  store %out, %o
  store %next, %t
  store %halves, %h
  store %after, %l
  return
}}
",
        globals(ONE, AccessQualifier::ReadOnly)
    );
    let at = |texel: u32| Kernel::new(&globals.replace("%at", ["%c0", "%c1", "%c2"][texel as usize]));
    let texels: Vec<u8> =
        [0x3c00u16, 0, 0, 0x3c00, 0x4000, 0, 0, 0x3c00].iter().flat_map(|half| half.to_le_bytes()).collect();
    let layout = image(RGBA, HALF, [2, 1, 1], 8);
    let launch = launch(1, layout, Some(CLAMP | LINEAR), vec![texels.clone(), vec![0; 8], vec![0; 16]]);
    let outcome = at(1).outcome(&launch);
    assert_eq!((outcome.failure, outcome.undefined), (None, vec![]));
    assert_eq!(words(&outcome.buffers[1]), [RGBA, HALF]);
    assert_eq!(outcome.buffers[2].bytes[..8], texels[8..]);
    // Half of 1 and half of 2.
    assert_eq!(outcome.buffers[2].bytes[8..], [0x00, 0x3e, 0, 0, 0, 0, 0x00, 0x3c]);
    let failure = at(2).failure(&launch);
    assert_eq!(behaviour(&failure), UndefinedBehaviour::OutOfBounds);
    assert_eq!(failure.texel.map(|texel| texel.texel), Some([2, 0, 0]));
}

/// Many lanes: a blur, as an image program is.
#[test]
fn a_program_reads_one_image_and_writes_another() {
    let globals = format!(
        "{}%write_type = type_image %void, Dim2D, 0, 0, 0, 0, Unknown, 1\n",
        globals(TWO, AccessQualifier::ReadOnly)
    );
    let parameters = "%image: %image_type, %sampler: %sampler_type, %target: %write_type";
    let body = "  %x: %u32 = u_mod %i, %c4
  %y: %u32 = u_div %i, %c4
  %right: %u32 = i_add %x, %c1
  %at: %u32x2 = composite_construct %x, %y
  %next: %u32x2 = composite_construct %right, %y
  %both: %sampled_type = sampled_image %image, %sampler
  %one: %u32x4 = image_sample_explicit_lod %both, %at, 2, %level
  %two: %u32x4 = image_sample_explicit_lod %both, %next, 2, %level
  %sum: %u32x4 = i_add %one, %two
  image_write %target, %at, %sum
  return";
    let kernel = Kernel::with(&globals, parameters, body);
    let layout = image(R, UINT32, [4, 2, 1], 4);
    let source: Vec<u8> = [1u32, 2, 3, 4, 5, 6, 7, 8].iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut launch = launch(8, layout, Some(CLAMP_TO_EDGE | NEAREST), vec![source, vec![0; 32]]);
    launch.arguments[2] = KernelArgument::Image { buffer: 1, image: layout };
    launch.races = Races::Report;
    let outcome = kernel.outcome(&launch);
    assert_eq!((&outcome.failure, &outcome.races, &outcome.undefined), (&None, &vec![], &vec![]));
    assert_eq!(words(&outcome.buffers[1]), [3, 5, 7, 8, 11, 13, 15, 16]);
    // The same image as source and target: the lanes race.
    launch.arguments[2] = KernelArgument::Image { buffer: 0, image: layout };
    assert!(!kernel.outcome(&launch).races.is_empty());
    // As integers with a sign it is another format.
    let signed = image(R, SINT32, [4, 2, 1], 4);
    launch.arguments[2] = KernelArgument::Image { buffer: 1, image: signed };
    assert_eq!(kernel.outcome(&launch).failure, None);
}
