//! What is reported of kernels with images: accesses outside, undefined texels and coordinates, races, and launches that do not fit.

use crate::common::image::{
    BUFFER, CLAMP, CLAMP_TO_EDGE, DEPTH, FLOAT, Kind, LINEAR, NEAREST, NONE, ONE, ONE_ARRAY, R, RGBA, SAMPLE, THREE,
    TWO, TWO_ARRAY, TWO_DEPTH, UNORM8, float_bytes, globals, image, kernel, launch, on_row, reading, result, row,
    writing,
};
use crate::common::kernel::{Kernel, behaviour};
use reconverge_interpret::{
    Access, Cause, FailedTexel, KernelArgument, KernelImage, KernelOutcome, MemoryObject, Race, RaceRule, Races,
    UndefinedBehaviour,
};
use reconverge_ir::Op;
use spirv::AccessQualifier;

#[test]
fn u08_a_texel_is_outside_of_the_image() {
    let rows: [(Kind, [u32; 3], [u32; 4], bool); 15] = [
        (ONE, [4, 1, 1], [3, 9, 9, 9], true),
        (ONE, [4, 1, 1], [4, 0, 0, 0], false),
        (ONE, [4, 1, 1], [u32::MAX, 0, 0, 0], false),
        (BUFFER, [4, 1, 1], [4, 0, 0, 0], false),
        (ONE_ARRAY, [4, 2, 1], [3, 1, 0, 0], true),
        (ONE_ARRAY, [4, 2, 1], [3, 2, 0, 0], false),
        (TWO, [2, 3, 1], [1, 2, 9, 9], true),
        (TWO, [2, 3, 1], [2, 0, 0, 0], false),
        (TWO, [2, 3, 1], [0, 3, 0, 0], false),
        (TWO_ARRAY, [2, 2, 2], [1, 1, 1, 9], true),
        (TWO_ARRAY, [2, 2, 2], [1, 1, 2, 0], false),
        (TWO_ARRAY, [2, 2, 2], [0, 0, u32::MAX, 0], false),
        (THREE, [2, 2, 2], [1, 1, 1, 9], true),
        (THREE, [2, 2, 2], [0, 0, 2, 0], false),
        (THREE, [2, 2, 2], [0, 2, 0, 0], false),
    ];
    for (kind, size, at, is_inside) in rows {
        // The buffer has more bytes than the image: the bounds are those of the image.
        let texels = vec![0; 4096];
        let coordinates: Vec<u8> = at.iter().flat_map(|word| word.to_le_bytes()).collect();
        let launch = launch(1, image(R, FLOAT, size, 4), None, vec![texels, vec![0; 16], coordinates]);
        for (kernel, op) in [(reading(kind, "f32"), Op::ImageRead), (writing(kind, "f32"), Op::ImageWrite)] {
            let outcome = kernel.outcome(&launch);
            let Some(failure) = outcome.failure else {
                assert!(is_inside, "{at:?} of {size:?}");
                continue;
            };
            assert!(!is_inside, "{at:?} of {size:?}: {failure}");
            assert_eq!((behaviour(&failure), kernel.op_at(&failure.end)), (UndefinedBehaviour::OutOfBounds, op));
            let used = kind.components.min(3);
            let texel = std::array::from_fn(|axis| if axis < used { i64::from(at[axis].cast_signed()) } else { 0 });
            assert_eq!(failure.texel, Some(FailedTexel { argument: 0, texel, size }));
            assert_eq!(failure.access, None);
            let [x, y, z] = texel;
            assert!(
                failure.to_string().contains(&format!("texel ({x}, {y}, {z}) of the image of argument 0, which has"))
            );
        }
    }
}

#[test]
fn u06_coordinates_are_undefined() {
    for access in ["  %texel: %f32x4 = image_read %image, %at", "  image_write %image, %at, %texel"] {
        let body = format!("  %at: %u32 = undef\n  %texel: %f32x4 = undef\n{access}")
            .replace("  %texel: %f32x4 = undef\n  %texel", "  %texel");
        let kernel = kernel(ONE, AccessQualifier::ReadWrite, &body);
        let failure = kernel.failure(&on_row());
        assert_eq!(behaviour(&failure), UndefinedBehaviour::UndefinedAddress);
        assert_eq!(kernel.module.op(failure.origin.expect("it is known").place.inst), Op::Undef);
    }
    // With a sampler nothing can be outside, and the result has no value.
    let body = format!("  %nowhere: %u32 = undef\n{}", SAMPLE.replace("%c2", "%nowhere"));
    let kernel = kernel(ONE, AccessQualifier::ReadOnly, &body.replace("%it", "%image").replace("%with", "%sampler"));
    let outcome = kernel.outcome(&on_row());
    let [write] = &outcome.undefined[..] else { panic!("{:?}", outcome.undefined) };
    assert_eq!(kernel.module.op(write.origin.expect("it is known").place.inst), Op::Undef);
}

/// What made a read undefined is the read, if the components that count are defined.
#[test]
fn unused_components_of_coordinates_do_not_matter() {
    let body = |at: &str| {
        format!(
            "  %x: %u32 = undef
  %at: %u32x4 = composite_construct {at}
  %both: %sampled_type = sampled_image %image, %sampler
  %texel: %f32x4 = image_sample_explicit_lod %both, %at, 2, %level
  %red: %f32 = composite_extract %texel, 0
  store %out, %red"
        )
    };
    let texels = float_bytes(&[1.0, 2.0, 3.0, 4.0]);
    let launch = |sampler| launch(1, image(R, FLOAT, [2, 1, 2], 4), Some(sampler), vec![texels.clone(), vec![0; 4]]);
    let kernel = |at: &str| kernel(TWO_ARRAY, AccessQualifier::ReadOnly, &body(at));
    assert_eq!(result(&kernel("%c1, %c0, %c1, %x"), &launch(CLAMP | NEAREST)), 4.0);
    for (at, sampler, op, cause) in [
        ("%c1, %x, %c1, %c1", CLAMP | NEAREST, Op::Undef, Cause::NoValue),
        ("%c1, %c0, %c1, %x", CLAMP | LINEAR, Op::ImageSampleExplicitLod, Cause::Operation),
        ("%c2, %c0, %c1, %x", NONE | NEAREST, Op::ImageSampleExplicitLod, Cause::Operation),
    ] {
        let kernel = kernel(at);
        let outcome = kernel.outcome(&launch(sampler));
        assert_eq!(outcome.failure, None);
        let [write] = &outcome.undefined[..] else { panic!("{:?}", outcome.undefined) };
        let origin = write.origin.expect("it is known");
        assert_eq!((kernel.module.op(origin.place.inst), origin.cause), (op, cause), "{at}");
    }
}

#[test]
fn undefined_components_are_undefined_bytes() {
    let write = |layout: KernelImage, bytes: usize, texel: &str| -> (KernelOutcome, Kernel) {
        let body = format!(
            "  %x: %f32 = undef
  %texel: %f32x4 = composite_construct {texel}
  image_write %image, %c0, %texel"
        );
        let kernel = kernel(ONE, AccessQualifier::WriteOnly, &body);
        let launch = launch(1, layout, Some(CLAMP | NEAREST), vec![vec![0; bytes], vec![0; 4]]);
        (kernel.outcome(&launch), kernel)
    };
    let (outcome, kernel) = write(image(RGBA, UNORM8, [1; 3], 4), 4, "%level1, %level1, %x, %level1");
    assert_eq!(outcome.buffers[0].defined, [true, true, false, true]);
    let [found] = &outcome.undefined[..] else { panic!("{:?}", outcome.undefined) };
    assert_eq!((found.object, found.offset), (MemoryObject::Buffer(0), 2));
    assert_eq!(kernel.module.op(found.place.inst), Op::ImageWrite);
    let origin = found.origin.expect("it is known");
    assert_eq!((kernel.module.op(origin.place.inst), origin.cause), (Op::Undef, Cause::NoValue));
    // Components that the format does not have may be undefined.
    let (outcome, _) = write(image(R, FLOAT, [1; 3], 4), 4, "%level1, %x, %x, %x");
    assert_eq!((outcome.undefined, outcome.buffers[0].defined.clone()), (vec![], vec![true; 4]));
    // Channels that share a number are undefined together.
    let (outcome, _) = write(image(0x10b4, 0x10d4, [1; 3], 2), 2, "%level1, %x, %level1, %level1");
    assert_eq!((outcome.undefined.len(), outcome.buffers[0].defined.clone()), (1, vec![false; 2]));
}

/// A filter needs all of its texels; a channel that it does not need may be undefined.
#[test]
fn undefined_texels_make_undefined_results() {
    let body = "  %x: %f32 = undef
  %texel: %f32x4 = composite_construct %level1, %x, %level1, %level1
  image_write %image, %c1, %texel
  %four: %f32x4 = image_read %image, %c1
  %part: %f32 = composite_extract %four, CHANNEL
  store %out, %part";
    for (channel, reports) in [("0", 1), ("1", 2), ("3", 1)] {
        let kernel = kernel(ONE, AccessQualifier::ReadWrite, &body.replace("CHANNEL", channel));
        let launch = launch(1, image(RGBA, FLOAT, [2, 1, 1], 16), Some(CLAMP | NEAREST), vec![vec![0; 32], vec![0; 4]]);
        assert_eq!(kernel.outcome(&launch).undefined.len(), reports, "channel {channel}");
    }
    let body = "  %x: %f32 = undef
  %place: %globalf = ptr_access_chain %out, %n1
  store %place, %x
  %here: %f32 = load %out
  %both: %sampled_type = sampled_image %image, %sampler
  %texel: %f32x4 = image_sample_explicit_lod %both, %here, 2, %level
  %red: %f32 = composite_extract %texel, 0
  store %out, %red";
    // The image is the second to fourth float of the buffer behind %out, by being the whole of it.
    let kernel = kernel(ONE, AccessQualifier::ReadOnly, body);
    for (at, is_defined) in [(2.5f32, true), (2.0, false), (1.0, false), (0.5, false), (3.0, true)] {
        let (layout, _) = row();
        let mut launch = launch(1, layout, Some(CLAMP_TO_EDGE | LINEAR), vec![float_bytes(&[at, 2.0, 3.0, 4.0])]);
        launch.arguments.push(KernelArgument::Buffer { index: 0, offset: 0 });
        let outcome = kernel.outcome(&launch);
        assert_eq!(outcome.failure, None);
        assert_eq!(outcome.buffers[0].defined[..4].iter().all(|&defined| defined), is_defined, "{at}");
    }
}

/// Two lanes; the first does the one, the second the other, with a barrier of these semantics between, if there is one.
fn races(layout: KernelImage, first: &str, barrier: Option<u32>, second: &str) -> (Kernel, Vec<Race>) {
    let text = barrier.map(|semantics| format!("%between: %u32 = constant {semantics}\n")).unwrap_or_default();
    let globals = format!("{}{text}", globals(ONE, AccessQualifier::ReadWrite));
    let wait = if barrier.is_some() { "  control_barrier %c2, %c2, %between\n" } else { "" };
    let body = format!(
        "  %below: %bool = u_less_than %i, %c1
  %two: %f32x4 = composite_construct %level1, %level1, %level1, %level1
  branch_if %below ^first ^middle
block ^first:
{first}  branch ^middle
block ^middle:
{wait}  branch_if %below ^end ^second
block ^second:
{second}  branch ^end
block ^end:
  return"
    );
    let kernel = Kernel::with(&globals, "%image: %image_type, %out: %globalf", &body);
    let mut launch = launch(2, layout, None, vec![vec![0; 16]]);
    launch.arguments.push(KernelArgument::Buffer { index: 0, offset: 0 });
    launch.races = Races::Report;
    let outcome = kernel.outcome(&launch);
    assert_eq!(outcome.failure, None);
    (kernel, outcome.races)
}

const WRITE1: &str = "  image_write %image, %c1, %two\n";

const READ1: &str = "  %seen: %f32x4 = image_read %image, %c1\n";

#[test]
fn two_lanes_that_write_one_texel_race() {
    let (layout, _) = row();
    let again = WRITE1.replace("%c1", "%c2");
    let (kernel, found) = races(layout, WRITE1, None, WRITE1);
    let [race] = &found[..] else { panic!("{found:?}") };
    assert_eq!((race.object, race.offset, race.rule), (MemoryObject::Buffer(0), 4, RaceRule::Plain));
    assert_eq!([race.first.access, race.second.access], [Access::Write; 2]);
    assert_eq!(kernel.module.op(race.second.place.inst), Op::ImageWrite);
    assert_eq!(races(layout, WRITE1, None, &again).1, [], "another texel");
    assert_eq!(races(layout, WRITE1, None, READ1).1.len(), 1);
    assert_eq!(races(layout, READ1, None, &READ1.replace("seen", "also")).1, []);
    // Texels of one byte are told apart.
    let bytes = image(R, UNORM8, [16, 1, 1], 1);
    assert_eq!(races(bytes, WRITE1, None, &again).1, []);
    assert_eq!(races(bytes, WRITE1, None, WRITE1).1[0].offset, 1);
    // A pointer to the bytes of the texel races too.
    let store = "  %place: %globalf = ptr_access_chain %out, %n1\n  store %place, %level1\n";
    assert_eq!(races(layout, WRITE1, None, store).1.len(), 1);
}

/// `CLK_IMAGE_MEM_FENCE` orders accesses to images, `CLK_GLOBAL_MEM_FENCE` accesses through pointers.
#[test]
fn a_barrier_orders_the_memory_that_it_names() {
    const SEQUENTIAL: u32 = 16;
    const BUFFERS: u32 = 512;
    const IMAGES: u32 = 2048;
    let (layout, _) = row();
    let store = "  %place: %globalf = ptr_access_chain %out, %n1\n  store %place, %level1\n";
    let store_again = "  %place2: %globalf = ptr_access_chain %out, %n1\n  store %place2, %level1\n";
    let count = |first: &str, semantics: u32, second: &str| races(layout, first, Some(semantics), second).1.len();
    assert_eq!(count(WRITE1, SEQUENTIAL | IMAGES, READ1), 0);
    assert_eq!(count(WRITE1, SEQUENTIAL | IMAGES | BUFFERS, READ1), 0);
    assert_eq!(count(WRITE1, SEQUENTIAL | BUFFERS, READ1), 1);
    assert_eq!(count(store, SEQUENTIAL | BUFFERS, store_again), 0);
    assert_eq!(count(store, SEQUENTIAL | IMAGES, store_again), 1);
}

#[test]
fn accesses_that_the_type_forbids_are_errors_of_the_module() {
    let rows = [
        (AccessQualifier::ReadOnly, "  image_write %image, %c0, %texel", "an image that is read_only is written"),
        (AccessQualifier::WriteOnly, "  %seen: %f32x4 = image_read %image, %c0", "an image that is write_only is read"),
    ];
    for (access, body, expected) in rows {
        let body = format!("  %texel: %f32x4 = composite_construct %level, %level, %level, %level\n{body}");
        let text = kernel(ONE, access, &body).failure(&on_row()).to_string();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    let kernel = kernel(TWO, AccessQualifier::ReadOnly, "");
    let fits = KernelImage { order: R, data_type: FLOAT, size: [4, 2, 1], row_pitch: 16, slice_pitch: 0 };
    let refused = |image: KernelImage, argument: usize, arguments: &[(usize, KernelArgument)]| {
        let mut launch = launch(1, image, Some(CLAMP | NEAREST), vec![vec![0; 32], vec![0; 4]]);
        for (index, argument) in arguments {
            launch.arguments[*index] = argument.clone();
        }
        let text = kernel.launch(&launch).map(|_| "it runs".to_owned()).unwrap_or_else(|error| error.to_string());
        let start = format!("argument {argument} does not fit its parameter: ");
        text.find(&start).map_or(text.clone(), |at| text[at + start.len()..].to_owned())
    };
    assert_eq!(refused(fits, 0, &[]), "it runs");
    let image = |change: fn(&mut KernelImage)| {
        let mut image = fits;
        change(&mut image);
        refused(image, 0, &[])
    };
    let rows = [
        (image(|it| it.order = 0x10be), "the channel order 0x10be with the channel type 0x10de is no format"),
        (image(|it| it.data_type = 0x10df), "the channel order 0x10b0 with the channel type 0x10df is no format"),
        (image(|it| it.size[0] = 0), "a 2D image cannot have 0 × 2 × 1 texels"),
        (image(|it| it.size[2] = 2), "a 2D image cannot have 4 × 2 × 2 texels"),
        (image(|it| it.row_pitch = 15), "a row has 16 bytes, more than the row pitch of 15"),
        (image(|it| it.row_pitch = 17), "the image has 33 bytes, and its buffer 32"),
        (image(|it| it.size[1] = 3), "the image has 48 bytes, and its buffer 32"),
        (image(|it| it.size = [u32::MAX, u32::MAX, 1]), "a row has 17179869180 bytes, more than the row pitch of 16"),
        (
            image(|it| it.order = DEPTH),
            "the channel order 0x10bd is one of depths, and the parameter an image of colours",
        ),
    ];
    for (found, expected) in rows {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let bytes = KernelArgument::Bytes(vec![0; 8]);
    let buffer = KernelArgument::Buffer { index: 1, offset: 0 };
    let sampler = KernelArgument::Sampler(CLAMP | NEAREST);
    let image = KernelArgument::Image { buffer: 0, image: fits };
    let rows = [
        (0, bytes.clone(), "the parameter is an image, the argument is not"),
        (0, buffer.clone(), "the parameter is an image, the argument is not"),
        (0, sampler.clone(), "the argument is a sampler, the parameter is not"),
        (0, KernelArgument::Image { buffer: 7, image: fits }, "there is no buffer 7"),
        (1, image.clone(), "the parameter is not an image"),
        (1, bytes, "the parameter is a sampler, the argument is not"),
        (1, buffer, "the parameter is a sampler, the argument is not"),
        (1, KernelArgument::Sampler(NEAREST | LINEAR), "0x30 is no sampler of OpenCL C"),
        (1, KernelArgument::Sampler(CLAMP), "0x4 is no sampler of OpenCL C"),
        (1, KernelArgument::Sampler(NEAREST | 3 << 1 | 8), "0x1e is no sampler of OpenCL C"),
        (2, image, "the parameter is not an image"),
        (2, sampler, "the argument is a sampler, the parameter is not"),
    ];
    for (index, argument, expected) in rows {
        let found = refused(fits, index, &[(index, argument)]);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

/// What the type of a parameter must be for an image of OpenCL.
#[test]
fn images_of_shaders_are_no_arguments() {
    let (layout, texels) = row();
    let rows = [
        ("%f32, Dim2D, 0, 0, 0, 1, Unknown", "its sampled type is not void"),
        ("%void, Dim2D, 0, 0, 1, 0, Unknown, 0", "a multisampled image, which is not supported"),
        ("%void, DimCube, 0, 0, 0, 0, Unknown, 0", "neither 1D, 2D nor 3D"),
        ("%void, Dim3D, 0, 1, 0, 0, Unknown, 0", "an array of 3D images"),
    ];
    for (ty, expected) in rows {
        let kernel = Kernel::with(&format!("%image_type = type_image {ty}\n"), "%image: %image_type", "  return");
        let error =
            kernel.launch(&launch(1, layout, None, vec![texels.clone()])).expect_err("it is refused").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let slices = KernelImage { order: R, data_type: FLOAT, size: [2, 2, 2], row_pitch: 8, slice_pitch: 15 };
    let kernel = Kernel::with(&globals(THREE, AccessQualifier::ReadOnly), "%image: %image_type", "  return");
    let error = kernel.launch(&launch(1, slices, None, vec![vec![0; 64]])).expect_err("slices overlap").to_string();
    assert!(error.contains("a slice has 16 bytes, more than the slice pitch of 15"), "{error}");
    // A depth image of colours.
    let kernel = Kernel::with(&globals(TWO_DEPTH, AccessQualifier::ReadOnly), "%image: %image_type", "  return");
    let error =
        kernel.launch(&launch(1, image(R, FLOAT, [2, 2, 1], 4), None, vec![vec![0; 64]])).expect_err("no depths");
    assert!(error.to_string().contains("an image of depths has the channel order 0x10bd"), "{error}");
}
