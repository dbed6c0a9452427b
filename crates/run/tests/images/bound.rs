//! Images and samplers bound to reflections that are made by hand.

use reconverge_opencl::{
    Access, AddressSpace, Argument as Parameter, ArgumentKind, Arguments, FormatSource, ImageAccess, ImageArgument,
    ImageKind, Kernel, LocalSize, Reflection, SamplerSource, TexelPlace,
};
use reconverge_run::launch::format_named;
use reconverge_run::{Address, Binding, Descriptor, DescriptorKind, Launch, bind};

use super::argument;

pub(super) fn reflection(arguments: Vec<ArgumentKind>, arguments_in: Arguments) -> Reflection {
    let named = |(index, kind)| Parameter { name: Some(format!("p{index}")), kind };
    let kernel = Kernel {
        name: "k".to_owned(),
        local_size: LocalSize::Fixed([1, 1, 1]),
        push_constant_size: if arguments_in == Arguments::PushConstants { 64 } else { 0 },
        arguments_in,
        arguments: arguments.into_iter().enumerate().map(named).collect(),
        global_offset: None,
        program_data: None,
        program_data_binding: None,
        subgroup_size: None,
        required_local_size: None,
        work_dim: None,
    };
    Reflection { kernels: vec![kernel], ..Reflection::default() }
}

fn bound(kinds: Vec<ArgumentKind>, place: Arguments, flags: &[&str]) -> Result<Binding, String> {
    let launch = Launch { arguments: flags.iter().map(|flag| argument(flag)).collect(), ..Launch::default() };
    let binding = bind(&launch, &reflection(kinds, place)).map_err(|error| error.to_string())?;
    binding.check().map_err(|error| error.to_string())?;
    Ok(binding)
}

const IMAGE: ImageArgument = ImageArgument {
    kind: ImageKind::D2,
    access: ImageAccess::Read,
    texels: TexelPlace::Address { offset: 8 },
    shape: 16,
    format: FormatSource::Specialized { order: 11, data_type: 12 },
};

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes"))).collect()
}

#[test]
fn an_image_is_an_address_five_words_and_two_constants() {
    let kinds = vec![
        ArgumentKind::Pointer { address_space: AddressSpace::Global, offset: 0 },
        ArgumentKind::Image(IMAGE),
        ArgumentKind::Sampler(SamplerSource::Specialized(13)),
        ArgumentKind::Value { offset: 36, size: 4, alignment: 4 },
    ];
    let flags = ["out:u32[3]", "image:rg16f[5,3]=fill(1)", "sampler=mirrored_repeat,linear", "u32=7"];
    let binding = bound(kinds, Arguments::PushConstants, &flags).expect("it fits");
    assert_eq!(words(&binding.push_constants.bytes)[4..10], [5, 3, 1, 20, 60, 7]);
    let at = |at, buffer| Address { at, buffer, target: 0 };
    assert_eq!(binding.push_constants.addresses, [at(0, 0), at(8, 1)]);
    assert_eq!(binding.specialization, [(11, 0x10b2), (12, 0x10dd), (13, 0x29)]);
    assert_eq!(binding.buffers[1].bytes.len(), 60);
    assert_eq!(binding.descriptors, []);
}

#[test]
fn the_sizes_are_where_each_kind_has_them() {
    let cases = [
        (ImageKind::D1, "image:r8[6]", [6, 1, 1, 6, 6]),
        (ImageKind::D1Buffer, "image:rgba32f[6]", [6, 1, 1, 96, 96]),
        (ImageKind::D1Array, "image:r8[6,2]", [6, 2, 1, 6, 12]),
        (ImageKind::D2, "image:rgba8[6,2]", [6, 2, 1, 24, 48]),
        (ImageKind::D2Depth, "image:depth32f[6,2]", [6, 2, 1, 24, 48]),
        (ImageKind::D2Array, "image:r8[6,2,5]", [6, 2, 5, 6, 12]),
        (ImageKind::D2ArrayDepth, "image:depth16[6,2,5]", [6, 2, 5, 12, 24]),
        (ImageKind::D3, "image:r8[6,2,5]", [6, 2, 5, 6, 12]),
    ];
    for (kind, flag, shape) in cases {
        let kinds = vec![ArgumentKind::Image(ImageArgument { kind, ..IMAGE })];
        let binding = bound(kinds, Arguments::PushConstants, &[flag]).expect(flag);
        assert_eq!(words(&binding.push_constants.bytes)[4..9], shape, "{flag}");
    }
}

#[test]
fn an_image_may_be_a_binding() {
    let texels = TexelPlace::Binding { binding: 4, offset: Some(40), access: Access::ReadWrite };
    let kinds = vec![
        ArgumentKind::Binding { address_space: AddressSpace::Global, binding: 3, offset: None, access: Access::Read },
        ArgumentKind::Image(ImageArgument { texels, ..IMAGE }),
    ];
    let place = Arguments::Uniform { binding: 9, size: 48 };
    let binding = bound(kinds, place, &["in:u8[1]", "out:image:r8[3,3]=fill(1)"]).expect("it fits");
    let described = |kind, binding, buffer| Descriptor { kind, set: 0, binding, buffer };
    let expected = [
        described(DescriptorKind::Storage, 3, 0),
        described(DescriptorKind::Storage, 4, 1),
        described(DescriptorKind::Uniform, 9, 2),
    ];
    assert_eq!(binding.descriptors, expected);
    // Bindings are whole words.
    assert_eq!(binding.buffers[1].bytes, [[1; 9].to_vec(), vec![0; 3]].concat());
    assert_eq!(words(&binding.buffers[2].bytes)[4..11], [3, 3, 1, 3, 9, 0, 0]);
}

#[test]
fn an_image_may_be_in_a_buffer_of_arguments() {
    let place = Arguments::Buffer { address_offset: 0, size: 36 };
    let mut reflection = reflection(vec![ArgumentKind::Image(IMAGE)], place);
    reflection.kernels[0].push_constant_size = 8;
    let launch = Launch { arguments: vec![argument("image:r8[3,3]")], ..Launch::default() };
    let binding = bind(&launch, &reflection).expect("it fits");
    assert_eq!(binding.push_constants.addresses, [Address { at: 0, buffer: 1, target: 0 }]);
    assert_eq!(binding.buffers[1].addresses, [Address { at: 8, buffer: 0, target: 0 }]);
}

#[test]
fn code_for_one_format_and_sampler_takes_no_other() {
    let format = FormatSource::Fixed(format_named("rgba8").expect("a format"));
    let kinds = || {
        vec![ArgumentKind::Image(ImageArgument { format, ..IMAGE }), ArgumentKind::Sampler(SamplerSource::Fixed(0x27))]
    };
    let with = |image: &str, sampler: &str| bound(kinds(), Arguments::PushConstants, &[image, sampler]);
    let binding = with("image:rgba8[4,4]", "sampler=repeat,linear").expect("it fits");
    assert_eq!(binding.specialization, []);
    let error = with("image:rgba32f[4,4]", "sampler=repeat,linear").expect_err("another format");
    let message = "argument 0 (p0) of k is compiled for an image of rgba8, but the launch gives one of rgba32f";
    assert!(error.starts_with(message), "{error}");
    let error = with("image:rgba8[4,4]", "sampler=clamp").expect_err("another sampler");
    let message = "argument 1 (p1) of k is compiled for the sampler normalized,repeat,linear, but the launch gives normalized,clamp,nearest";
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn arguments_of_another_kind_are_refused() {
    let image = ArgumentKind::Image(IMAGE);
    let depth = ArgumentKind::Image(ImageArgument { kind: ImageKind::D2Depth, ..IMAGE });
    let sampler = ArgumentKind::Sampler(SamplerSource::Specialized(1));
    let pointer = ArgumentKind::Pointer { address_space: AddressSpace::Global, offset: 0 };
    let outside = ArgumentKind::Image(ImageArgument { shape: 48, ..IMAGE });
    let cases = [
        (
            image,
            "image:rgba8[4]",
            "is an image2d_t, but the launch gives image:rgba8[4]; write image:rgba8[WIDTH,HEIGHT]=CONTENTS",
        ),
        (image, "image:depth32f[4,4]", "; write image:r32f[WIDTH,HEIGHT]=CONTENTS"),
        (
            depth,
            "image:r32f[4,4]",
            "is an image2d_depth_t, but the launch gives image:r32f[4,4]; write image:depth32f[WIDTH,HEIGHT]",
        ),
        (image, "in:u8[64]", "is an image: write image:FORMAT[SIZES]=CONTENTS"),
        (image, "sampler", "is an image: write"),
        (sampler, "u32=1", "is a sampler: write sampler=WORDS"),
        (pointer, "image:rgba8[4,4]", "is a pointer and needs a buffer"),
        (pointer, "sampler", "is a pointer and needs a buffer"),
        (outside, "image:rgba8[4,4]", "the reflection is invalid: an argument lies outside its block"),
    ];
    for (kind, flag, message) in cases {
        let error = bound(vec![kind], Arguments::PushConstants, &[flag]).expect_err(flag);
        assert!(error.contains(message), "{flag}: {error}");
    }
}

/// Images that are made by hand are checked, too.
#[test]
fn an_image_that_contradicts_itself_is_refused() {
    let right = super::image("image:rgba8[4,4]");
    let mut small = right.clone();
    small.buffer.count = 63;
    let wrong = [
        small,
        reconverge_run::Image { size: vec![4, 0], ..right.clone() },
        reconverge_run::Image { size: Vec::new(), ..right.clone() },
        reconverge_run::Image { format: format_named("rgba8s").expect("a format"), ..right },
    ];
    for image in wrong {
        let launch = Launch { arguments: vec![reconverge_run::Argument::Image(image)], ..Launch::default() };
        let reflection = reflection(vec![ArgumentKind::Image(IMAGE)], Arguments::PushConstants);
        let error = bind(&launch, &reflection).expect_err("it is refused");
        assert!(error.to_string().contains("is refused"), "{error}");
    }
}
