//! Images and samplers: what the caller is asked, what comes of its answers, and what the program writes.

use crate::lanes_common;
use std::sync::{Arc, Mutex};

use crate::lanes_common::{Program, floats, lanes, returned, vector, with_images, word_vector, words};
use reconverge_interpret::{
    End, Images, Interpreter, KernelArgument, KernelLaunch, Launch, Resource, Texel, UndefinedBehaviour, Value,
};
use reconverge_ir::Op;

const GLOBALS: &str = "%image = type_image %f32, 1, 0, 0, 0, 1, 0
%sampler = type_sampler
%sampled = type_sampled_image %image
%images = type_array %sampled, %c3
%many = type_runtime_array %image
%sampled_pointer = type_pointer UniformConstant, %sampled
%image_pointer = type_pointer UniformConstant, %image
%sampler_pointer = type_pointer UniformConstant, %sampler
%images_pointer = type_pointer UniformConstant, %images
%many_pointer = type_pointer UniformConstant, %many
%texture: %sampled_pointer = variable UniformConstant {decorate DescriptorSet 1, decorate Binding 7}
%plain: %image_pointer = variable UniformConstant
%state: %sampler_pointer = variable UniformConstant
%textures: %images_pointer = variable UniformConstant
%bindless: %many_pointer = variable UniformConstant
%storage = type_image %f32, 1, 0, 0, 0, 2, 3
%storage_pointer = type_pointer UniformConstant, %storage
%target: %storage_pointer = variable UniformConstant
%wide = type_image %f32, 1, 0, 0, 0, 2, 1
%wide_pointer = type_pointer UniformConstant, %wide
%canvas: %wide_pointer = variable UniformConstant
%counts = type_image %u32, 1, 0, 0, 0, 2, 33
%counts_pointer = type_pointer UniformConstant, %counts
%counters: %counts_pointer = variable UniformConstant
%texel_pointer = type_pointer Image, %u32
%nothing: %u32 = undef
%nowhere: %f32x2 = undef
%fx: %f32 = undef
";

/// A call as the images saw it.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    op: Op,
    image: Resource,
    sampler: Option<Resource>,
    operands: Vec<Value>,
    mask: u32,
    image_operands: Vec<Value>,
    gradients: Option<[Value; 2]>,
    binding: Option<(u32, u32)>,
}

/// Images that answer each scalar with 7 or 7.5 and write down what they are asked.
fn notebook() -> (Images, Arc<Mutex<Vec<Seen>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let images = Images::new(move |call| {
        notes.lock().expect("nobody panics").push(Seen {
            op: call.op,
            image: call.image,
            sampler: call.sampler,
            operands: call.operands.to_vec(),
            mask: call.mask,
            image_operands: call.image_operands.to_vec(),
            gradients: call.gradients.map(|gradients| gradients.map(Value::clone)),
            binding: call.binding(call.image),
        });
        Ok(call.fill(|_| (7, 7.5)))
    });
    (images, seen)
}

/// What a body returns in one lane, and what the images were asked.
fn ask(ty: &str, body: &str) -> (Program, Value, Vec<Seen>) {
    let program = Program::of(GLOBALS, ("%i: %u32, %x: %f32x4", ty), body);
    let (images, seen) = notebook();
    let launch = lanes(vec![words(&[1]), vec![vector(&[0.25, 0.5, 0.75, 2.0])]]);
    let value = program.values(&with_images(launch, images)).remove(0);
    let seen = seen.lock().expect("nobody panics").clone();
    (program, value, seen)
}

#[test]
fn the_images_get_the_operation_and_give_the_result() {
    let body = "  %t: %sampled = load %texture
  %uv: %f32x2 = vector_shuffle %x, %x, 0, 1
  %level: %f32 = composite_extract %x, 3
  %result: %f32x4 = image_sample_explicit_lod %t, %uv, 2, %level";
    let (program, value, seen) = ask("%f32x4", body);
    assert_eq!(value, vector(&[7.5; 4]));
    let texture = Resource { variable: program.global("texture"), index: 0 };
    let expected = Seen {
        op: Op::ImageSampleExplicitLod,
        image: texture,
        sampler: Some(texture),
        operands: vec![vector(&[0.25, 0.5])],
        mask: 2,
        image_operands: floats(&[2.0]),
        gradients: None,
        binding: Some((1, 7)),
    };
    assert_eq!(seen, [expected]);
}

#[test]
fn an_image_and_a_sampler_are_combined_and_parted() {
    let body = "  %p: %image = load %plain
  %s: %sampler = load %state
  %t: %sampled = sampled_image %p, %s
  %sample: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0
  %back: %image = image %t
  %at: %u32x2 = composite_construct %i, %c5
  %texel: %f32x4 = image_fetch %back, %at, 2, %c0
  %result: %f32x4 = f_add %sample, %texel";
    let (program, value, seen) = ask("%f32x4", body);
    assert_eq!(value, vector(&[15.0; 4]));
    let resource = |name| Resource { variable: program.global(name), index: 0 };
    assert_eq!((seen[0].image, seen[0].sampler), (resource("plain"), Some(resource("state"))));
    assert_eq!((seen[1].image, seen[1].sampler), (resource("plain"), None));
    assert_eq!(seen[1].operands, [word_vector(&[1, 5])]);
    assert_eq!(seen[1].binding, None);
}

#[test]
fn arrays_of_images_are_told_apart_by_index() {
    let body = "  %first: %sampled_pointer = access_chain %textures, %i
  %t: %sampled = load %first
  %sample: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0
  %second: %image_pointer = access_chain %bindless, %c16
  %p: %image = load %second
  %size: %u32x2 = image_query_size_lod %p, %c0
  %levels: %u32 = image_query_levels %p
  %result: %u32x2 = composite_insert %levels, %size, 0";
    let (program, value, seen) = ask("%u32x2", body);
    assert_eq!(value, word_vector(&[7, 7]));
    let places: Vec<(Resource, Op)> = seen.iter().map(|seen| (seen.image, seen.op)).collect();
    let many = Resource { variable: program.global("bindless"), index: 16 };
    let one = Resource { variable: program.global("textures"), index: 1 };
    let expected = [(one, Op::ImageSampleExplicitLod), (many, Op::ImageQuerySizeLod), (many, Op::ImageQueryLevels)];
    assert_eq!(places, expected);
}

#[test]
fn an_index_outside_of_its_array_is_an_access_outside() {
    let body = "  %first: %sampled_pointer = access_chain %textures, %i
  %t: %sampled = load %first
  %result: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0";
    let program = Program::of(GLOBALS, ("%i: %u32, %x: %f32x4", "%f32x4"), body);
    let run = |index| {
        let launch = lanes(vec![words(&[index]), vec![vector(&[0.0; 4])]]);
        program.run(&with_images(launch, Images::arbitrary(1))).lanes.remove(0).end
    };
    assert!(matches!(run(2), End::Returned(_)));
    assert!(matches!(run(3), End::Undefined { behaviour: UndefinedBehaviour::OutOfBounds, .. }));
}

#[test]
fn what_a_coordinate_has_too_much_does_not_count() {
    // The image has two dimensions; the third component is undefined, and for a projection the third is the divisor.
    let coordinate = "  %t: %sampled = load %texture
  %c: %f32x4 = composite_insert %fx, %x, 3";
    let sample = format!("{coordinate}\n  %result: %f32x4 = image_sample_explicit_lod %t, %c, 2, %f0");
    let (_, value, seen) = ask("%f32x4", &sample);
    assert_eq!((value, seen[0].operands.clone()), (vector(&[7.5; 4]), vec![vector(&[0.25, 0.5])]));
    let projected = sample.replace("image_sample_explicit", "image_sample_proj_explicit");
    let (_, _, seen) = ask("%f32x4", &projected);
    assert_eq!(seen[0].operands, [vector(&[0.25, 0.5, 0.75])]);
    let gathered = format!("{coordinate}\n  %result: %f32x4 = image_gather %t, %c, %c1");
    let (_, _, seen) = ask("%f32x4", &gathered);
    assert_eq!(seen[0].operands, [vector(&[0.25, 0.5]), Value::u32(1)]);
}

#[test]
fn an_undefined_coordinate_has_no_defined_result_and_nobody_is_asked() {
    let body = "  %t: %sampled = load %texture
  %result: %f32x4 = image_sample_explicit_lod %t, %nowhere, 2, %f0";
    let (_, value, seen) = ask("%f32x4", body);
    assert_eq!((value, seen), (Value::Undefined, vec![]));
}

/// Samples with an implicit level at coordinates that are the first argument.
fn implicit(op: &str) -> String {
    format!("  %t: %sampled = load %texture\n  %result: {op}")
}

#[test]
fn an_implicit_level_follows_from_the_quad() {
    let body = implicit("%f32x4 = image_sample_implicit_lod %t, %x");
    let program = Program::of(GLOBALS, ("%x: %f32x2", "%f32x4"), &body);
    let (images, seen) = notebook();
    let places = [[0.0, 0.0], [0.5, 0.25], [0.0, 1.0], [4.0, 1.0], [9.0, 9.0]].map(|place| vector(&place)).to_vec();
    let values = program.values(&with_images(lanes(vec![places.clone()]), images));
    assert_eq!(values[..4], vec![vector(&[7.5; 4]); 4]);
    assert_eq!(values[4], Value::Undefined);
    let gradients =
        [[[0.5, 0.25], [0.0, 1.0]], [[0.5, 0.25], [3.5, 0.75]], [[4.0, 0.0], [0.0, 1.0]], [[4.0, 0.0], [3.5, 0.75]]];
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 4);
    for lane in 0..4 {
        assert_eq!(seen[lane].operands, places[lane..=lane]);
        assert_eq!(seen[lane].gradients, Some(gradients[lane].map(|gradient| vector(&gradient))));
    }
}

#[test]
fn a_sample_in_a_quad_that_has_parted_is_undefined() {
    for op in ["%f32x4 = image_sample_implicit_lod %t, %x", "%f32x2 = image_query_lod %t, %x"] {
        let ty = op.split(' ').next().unwrap();
        let program = Program::of_some(GLOBALS, ("%x: %f32x2", ty), &implicit(op));
        let places = vec![vector(&[0.5, 0.5]); 8];
        let there = lanes_common::flags(&[true, true, true, true, true, true, false, true]);
        let values = program.values(&with_images(lanes(vec![there, places]), Images::arbitrary(5)));
        assert!(values[..4].iter().all(|value| !value.is_undefined()));
        assert_eq!(values[4..], vec![Value::Undefined; 4]);
    }
}

#[test]
fn a_sparse_operation_gives_a_residency_code_too() {
    let globals = format!("{GLOBALS}\n%pair = type_struct %u32, %f32x4");
    let body = "  %t: %sampled = load %texture
  %w: %wide = load %canvas
  %here: %u32x2 = composite_construct %c1, %c1
  %there: %u32x2 = composite_construct %c2, %c1
  image_write %w, %here, %x
  %a: %pair = image_sparse_read %w, %here
  %b: %pair = image_sparse_read %w, %there
  %c: %pair = image_sparse_sample_implicit_lod %t, %x
  %ta: %f32x4 = composite_extract %a, 1
  %tb: %f32x4 = composite_extract %b, 1
  %tc: %f32x4 = composite_extract %c, 1
  %code_a: %u32 = composite_extract %a, 0
  %code_b: %u32 = composite_extract %b, 0
  %resident: %bool = image_sparse_texels_resident %code_a
  %missing: %bool = image_sparse_texels_resident %code_b
  %all: %bool = logical_not_equal %resident, %missing
  %ab: %f32x4 = f_add %ta, %tb
  %abc: %f32x4 = f_add %ab, %tc
  %result: %f32x4 = select %all, %abc, %x";
    let program = Program::of(&globals, ("%x: %f32x4", "%f32x4"), body);
    let launch = with_images(lanes(vec![vec![vector(&[0.5, 1.0, 2.0, 4.0]); 4]]), notebook().0);
    assert_eq!(program.values(&launch), vec![vector(&[15.5, 16.0, 17.0, 19.0]); 4]);
}

#[test]
fn kernels_have_images_too() {
    let program = Program::new(&format!(
        "{GLOBALS}
%out_pointer = type_pointer CrossWorkgroup, %f32x4
func %f: %void (%out: %out_pointer) stage structured {{
block ^entry:
  %p: %image = load %plain
  %at: %u32x2 = composite_construct %c1, %c2
  %texel: %f32x4 = image_fetch %p, %at
  store %out, %texel
  return
}}
"
    ));
    let launch = |images| KernelLaunch {
        arguments: vec![KernelArgument::Buffer { index: 0, offset: 0 }],
        buffers: vec![vec![0; 16]],
        images,
        ..KernelLaunch::default()
    };
    let interpreter = Interpreter::new(&program.module);
    let run = |images| interpreter.launch_kernel(program.function, &launch(images)).expect("it fits");
    let outcome = run(Some(notebook().0));
    assert_eq!((outcome.failure, &outcome.buffers[0].bytes[..]), (None, &[7.5f32.to_le_bytes(); 4].concat()[..]));
    let failure = run(None).failure.expect("there are no images");
    assert!(matches!(failure.end, End::Unsupported { what, .. } if what == "op image_fetch"));
}

#[test]
fn depth_is_compared_by_the_images() {
    let globals = GLOBALS.replace("type_image %f32, 1, 0, 0, 0, 1, 0", "type_image %f32, 1, 1, 1, 0, 1, 0");
    let body = implicit("%f32 = image_sample_dref_implicit_lod %t, %x, %depth");
    let program = Program::of(&globals, ("%x: %f32x4, %depth: %f32", "%f32"), &body);
    let (images, seen) = notebook();
    let launch = lanes(vec![vec![vector(&[0.5, 0.25, 2.0, 9.0]); 4], floats(&[0.0, 0.1, 0.2, 0.3])]);
    assert_eq!(program.values(&with_images(launch, images)), floats(&[7.5; 4]));
    // The image is an array: its layer is the third coordinate.
    assert_eq!(seen.lock().unwrap()[3].operands, [vector(&[0.5, 0.25, 2.0]), Value::f32(0.3)]);
}

#[test]
fn what_was_written_is_read_again() {
    let body = "  %t: %storage = load %target
  %w: %wide = load %canvas
  %here: %u32x2 = composite_construct %i, %c1
  %before: %f32x4 = image_read %w, %here
  image_write %t, %here, %x
  image_write %w, %here, %x
  %narrow: %f32x4 = image_read %t, %here
  %whole: %f32x4 = image_read %w, %here
  %elsewhere: %u32x2 = composite_construct %c8, %i
  %other: %f32x4 = image_read %w, %elsewhere
  %a: %f32x4 = f_add %narrow, %whole
  %b: %f32x4 = f_add %before, %other
  %result: %f32x4 = f_add %a, %b";
    let program = Program::of(GLOBALS, ("%i: %u32, %x: %f32x4", "%f32x4"), body);
    let (images, seen) = notebook();
    let launch = with_images(lanes(vec![words(&[3, 2]), vec![vector(&[0.5, 1.0, 2.0, 4.0]); 2]]), images);
    let outcome = program.run(&launch);
    // R32f keeps the first component; what it lacks reads as 0, 0, 1.
    assert_eq!(returned(outcome.lanes[0].end.clone()), vector(&[16.0, 16.0, 17.0, 20.0]));
    let canvas = Resource { variable: program.global("canvas"), index: 0 };
    assert!(seen.lock().unwrap().iter().all(|seen| seen.image == canvas && seen.op == Op::ImageRead));
    assert_eq!(seen.lock().unwrap().len(), 4);
    let texel = |name: &str, x: i64, components: &[f32]| Texel {
        image: Resource { variable: program.global(name), index: 0 },
        coordinates: vec![x, 1],
        sample: 0,
        components: floats(components),
    };
    let narrow = [texel("target", 2, &[0.5]), texel("target", 3, &[0.5])];
    let whole = [2, 3].map(|x| texel("canvas", x, &[0.5, 1.0, 2.0, 4.0]));
    assert_eq!(outcome.images, [narrow, whole].concat());
}

#[test]
fn a_write_to_nowhere_is_undefined_behaviour_and_one_of_a_helper_is_lost() {
    let body = |x: &str| {
        format!(
            "  %t: %storage = load %target
  %here: %u32x2 = composite_construct {x}, %c1
  image_write %t, %here, %x
  %result: %f32x4 = copy_object %x"
        )
    };
    let program = |x: &str| Program::of(GLOBALS, ("%i: %u32, %x: %f32x4", "%f32x4"), &body(x));
    let launch = || with_images(lanes(vec![words(&[0, 1]), vec![vector(&[1.0; 4]); 2]]), Images::arbitrary(0));
    let outcome = program("%nothing").run(&launch());
    assert!(matches!(outcome.lanes[0].end, End::Undefined { behaviour: UndefinedBehaviour::UndefinedAddress, .. }));
    let outcome = program("%i").run(&Launch { demoted: vec![0], ..launch() });
    assert_eq!(outcome.images.iter().map(|texel| texel.coordinates[0]).collect::<Vec<i64>>(), [1]);
}

#[test]
fn atomic_operations_find_texels_and_writes_find_what_they_left() {
    let body = "  %here: %u32x2 = composite_construct %i, %c0
  %p: %texel_pointer = image_texel_pointer %counters, %here, %c0
  %old: %u32 = atomic_i_add %p, %c1, %c0, %c5
  %t: %counts = load %counters
  %now: %u32x4 = image_read %t, %here
  %n: %u32 = composite_extract %now, 0
  %result: %u32x2 = composite_construct %old, %n";
    let program = Program::of(GLOBALS, ("%i: %u32", "%u32x2"), body);
    let (images, seen) = notebook();
    let outcome = program.run(&with_images(lanes(vec![words(&[4, 4, 6])]), images.clone()));
    let counts: Vec<(i64, Value)> =
        outcome.images.iter().map(|texel| (texel.coordinates[0], texel.components[0].clone())).collect();
    assert_eq!(counts, [(4, Value::u32(17)), (6, Value::u32(12))]);
    assert_eq!(seen.lock().unwrap().len(), 2);
    assert_eq!(returned(outcome.lanes[2].end.clone()), word_vector(&[7, 12]));

    let looks = "  %here: %u32x2 = composite_construct %i, %c0
  %p: %texel_pointer = image_texel_pointer %counters, %here, %c0
  %result: %u32 = atomic_load %p, %c1, %c0";
    let outcome = Program::of(GLOBALS, ("%i: %u32", "%u32"), looks).run(&with_images(lanes(vec![words(&[4])]), images));
    assert_eq!((outcome.images, &outcome.lanes[0].end), (vec![], &End::Returned(Some(Value::u32(7)))));
}

#[test]
fn answers_must_fit_and_may_be_refused() {
    let body = "  %t: %sampled = load %texture
  %result: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0";
    let program = Program::of(GLOBALS, ("%x: %f32x4", "%f32x4"), body);
    let end = |images: Option<Images>| {
        let launch = Launch { images, ..lanes(vec![vec![vector(&[0.0; 4])]]) };
        program.run(&launch).lanes.remove(0).end
    };
    let refused = end(Some(Images::new(|call| Err(format!("no {}", call.op.name())))));
    assert!(matches!(refused, End::Refused { message, .. } if message == "no image_sample_explicit_lod"));
    assert!(matches!(end(Some(Images::new(|_| Ok(Value::u32(1))))), End::Refused { .. }));
    assert!(matches!(end(Some(Images::new(|_| Ok(Value::Undefined)))), End::Returned(Some(Value::Undefined))));
    assert!(matches!(end(None), End::Unsupported { what, .. } if what == "op image_sample_explicit_lod"));
}

#[test]
fn arbitrary_answers_depend_on_operation_and_seed_alone() {
    let body = "  %t: %sampled = load %texture
  %p: %image = load %plain
  %sample: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0
  %first: %u32x2 = image_query_size_lod %p, %c0
  %second: %u32x2 = image_query_size_lod %p, %c1
  %sizes: %u32x4 = composite_construct %first, %second
  %as_floats: %f32x4 = convert_u_to_f %sizes
  %result: %f32x4 = f_add %sample, %as_floats";
    let program = Program::of(GLOBALS, ("%x: %f32x4", "%f32x4"), body);
    let run = |seed, x| {
        let launch = with_images(lanes(vec![vec![vector(&[x, 0.5, 0.0, 0.0])]]), Images::arbitrary(seed));
        program.values(&launch).remove(0)
    };
    assert_eq!(run(1, 0.5), run(1, 0.5));
    assert_ne!(run(1, 0.5), run(1, 0.25));
    assert_ne!(run(1, 0.5), run(2, 0.5));
    let value = run(1, 0.5);
    let parts: Vec<f32> = value.elements().unwrap().iter().map(|part| part.as_f32().unwrap()).collect();
    assert!(parts.iter().all(|&part| (1.0..=65.0).contains(&part) && (part * 256.0).fract() == 0.0), "{parts:?}");
}

#[test]
fn handles_reach_functions_as_pointers_and_as_values() {
    let program = Program::new(&format!(
        "{GLOBALS}
func %f: %f32x4 (%x: %f32x4) stage structured {{
block ^entry:
  %t: %sampled = load %texture
  %a: %f32x4 = function_call %by_value, %t, %x
  %b: %f32x4 = function_call %by_pointer, %texture, %x
  %result: %f32x4 = f_sub %a, %b
  return_value %result
}}
func %by_value: %f32x4 (%t: %sampled, %x: %f32x4) stage structured {{
block ^start:
  %sample: %f32x4 = image_sample_explicit_lod %t, %x, 2, %f0
  return_value %sample
}}
func %by_pointer: %f32x4 (%p: %sampled_pointer, %y: %f32x4) stage structured {{
block ^begin:
  %q: %sampled = load %p
  %c: %f32x4 = function_call %by_value, %q, %y
  return_value %c
}}
"
    ));
    let launch = with_images(lanes(vec![vec![vector(&[0.25, 0.5, 0.75, 1.0])]]), Images::arbitrary(3));
    assert_eq!(program.values(&launch), [vector(&[0.0; 4])]);
}

#[test]
fn inputs_are_interpolated_where_the_run_knows_them() {
    let globals = "%glsl = ext_inst_import \"GLSL.std.450\"
%pointer = type_pointer Input, %f32x2
%uv: %pointer = variable Input";
    let program = |instruction: &str| {
        Program::of(
            globals,
            ("%i: %u32, %x: %f32x2", "%f32x2"),
            &format!("  %result: %f32x2 = ext_inst %glsl, {instruction}"),
        )
    };
    let run = |program: Program, sample: u32, offset: [f32; 2]| {
        let contents = vec![program.contents("uv", vector(&[0.5, 0.75]))];
        let launch = lanes(vec![words(&[sample]), vec![vector(&offset)]]);
        program.values(&Launch { contents, ..launch }).remove(0)
    };
    let known = vector(&[0.5, 0.75]);
    assert_eq!(run(program("76, %uv"), 0, [0.0; 2]), known);
    assert_eq!(run(program("77, %uv, %i"), 0, [0.0; 2]), known);
    assert_eq!(run(program("77, %uv, %i"), 1, [0.0; 2]), Value::Undefined);
    assert_eq!(run(program("78, %uv, %x"), 0, [0.0; 2]), known);
    assert_eq!(run(program("78, %uv, %x"), 0, [0.25, 0.0]), Value::Undefined);
}
