//! Images and samplers among the arguments of `run`: pictures as contents, what is refused, pictures as outputs.

use reconverge_run::{Argument, Image};

use crate::common::{Scratch, content};

/// A kernel with a buffer; its launches fail where they have an image.
const KERNEL: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%u32 = type_int 32, 0
%words = type_pointer CrossWorkgroup, %u32
func %k: %void (%out: %words) {
block ^entry:
  return
}
";

/// A kernel with an image and a sampler.
const OF_IMAGE: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Int64
capability ImageBasic
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%image = type_image %void, Dim2D, 0, 0, 0, 0, Unknown, 0
%sampler = type_sampler
func %k: %void (%photo: %image, %smp: %sampler) {
block ^entry:
  return
}
";

fn image(flag: &str) -> Image {
    match Argument::from_flag(flag) {
        Ok(Argument::Image(image)) => image,
        other => panic!("{flag}: {other:?}"),
    }
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNEL);
    scratch.file("image.ir", OF_IMAGE);
    let picture = image("image:rgba8[2,1]").write_png(&[1, 2, 3, 4, 5, 6, 7, 8]).expect("it is a picture");
    scratch.file("glass.png", &picture);
    scratch.file("cut.png", &picture[..picture.len() / 2]);
    scratch.file("text.png", "no picture");
    scratch.file("texels.bin", [1, 2, 3]);
    scratch
}

/// The message of a run that is refused.
fn refused(scratch: &Scratch, kernel: &str, more: &[&str], code: i32) -> String {
    scratch.run(&[&["run", kernel, "--global", "1"], more].concat()).ended(code).stderr()
}

#[test]
fn images_of_the_wrong_kind_are_refused_by_name() {
    let scratch = scratch();
    let cases = [
        ("image:rgba8[]=@glass.png", "sampler", None),
        (
            "image:rgba8[4]",
            "sampler",
            Some(
                "argument 0 (photo) of k is a read_only image2d_t, the launch gives image:rgba8[4]; write image:rgba8[WIDTH,HEIGHT]=CONTENTS",
            ),
        ),
        ("in:u8[64]", "sampler", Some("argument 0 (photo) of k is a read_only image2d_t, the launch gives a buffer")),
        (
            "image:rgba8[4,4]",
            "f32=1",
            Some("argument 1 (smp) of k is a sampler, the launch gives f32; write sampler=WORDS"),
        ),
        ("image:rgba8[]=@text.png", "sampler", Some("text.png is named .png, but it does not begin as PNG")),
        ("image:rgba8[]=@cut.png", "sampler", Some("cut.png: the file PNG is ")),
        ("image:rgba8[3,3]=@glass.png", "sampler", Some("write image:rgba8[2,1], or image:rgba8[]")),
        ("image:rgb565[]=@glass.png", "sampler", Some("the picture is transparent in places, and rgb565 has no alpha")),
        ("image:rgba8[]=@texels.bin", "sampler", Some("texels.bin is texels without a size")),
        ("image:rgba8[]", "sampler", Some("--arg image:rgba8[]: the sizes are missing")),
        (
            "image:rgba8[4,4]",
            "sampler=unnormalized,repeat",
            Some("repeat and mirrored_repeat need normalized coordinates"),
        ),
    ];
    for (image, sampler, message) in cases {
        let flags = ["--arg", image, "--arg", sampler];
        match message {
            Some(message) => {
                let said = refused(&scratch, "image.ir", &flags, 2);
                assert!(said.contains(message), "{image}, {sampler}: {said}");
            }
            // Which engines have images is a matter of their tests; here, the launch fits its kernel.
            None => {
                let said = scratch.run(&[&["run", "image.ir", "--global", "1"], &flags[..]].concat()).stderr();
                assert!(!said.contains("the launch gives"), "{said}");
            }
        }
    }
    let said = refused(&scratch, "k.ir", &["--arg", "image:rgba8[4,4]"], 2);
    let message = "argument 0 (out) of k is a buffer, the launch gives image:rgba8[4,4]; write in:TYPE[COUNT]=CONTENTS";
    assert!(said.contains(message), "{said}");
    let said = refused(&scratch, "image.ir", &["--arg", "image:rgba8[]=@absent.png", "--arg", "sampler"], 75);
    assert!(said.contains("cannot read the contents of an argument"), "{said}");
}

#[test]
fn texels_of_another_size_are_noted() {
    let scratch = scratch();
    let flags = ["run", "image.ir", "--global", "1", "--arg", "image:rgba8[1,1]=@texels.bin", "--arg", "sampler"];
    let said = scratch.run(&flags).stderr();
    let message =
        "note[run-file-size]: texels.bin has 3 bytes, and its image, argument 0, has 4: the rest of the image is zero";
    assert!(
        said.starts_with(message) && said.contains("help: a file of texels has as many bytes as its image"),
        "{said}"
    );
}

#[test]
fn a_picture_is_the_only_output_and_an_image_of_its_kind() {
    let scratch = scratch();
    let cases: [(&str, &[&str], &str); 4] = [
        (
            "k.ir",
            &["out:u32[4]"],
            "a file .png has a picture, and the output is a buffer: --dump writes an array to a file .npy",
        ),
        (
            "k.ir",
            &["out:image:rg8[2,2]"],
            "no picture has red and green alone, as rg8 has: --dump writes an array to a file .npy",
        ),
        ("k.ir", &["out:image:rgba8[2]"], "a picture has two dimensions, and image:rgba8[2] has 1: --dump"),
        (
            "k.ir",
            &["out:image:r8[2,2]", "out:image:r8[2,2]"],
            "a file .png has one picture, and the launch has 2 outputs: --dump writes the bytes of all to a file of another name",
        ),
    ];
    for (kernel, arguments, message) in cases {
        let arguments: Vec<&str> = arguments.iter().flat_map(|argument| ["--arg", argument]).collect();
        let said = refused(&scratch, kernel, &[&arguments[..], &["--dump", "out.png"]].concat(), 2);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    assert!(!scratch.path("out.png").exists());
    assert!(content(&scratch.path("glass.png")).starts_with(b"\x89PNG"));
}

#[test]
fn a_format_or_a_sampler_of_another_argument_is_refused() {
    let scratch = scratch();
    for (flags, accepted) in [
        (&["--image-format", "0=rgba8", "--sampler", "1=linear"][..], true),
        (&["--image-format", "1=rgba8"], false),
        (&["--image-format", "7=rgba8"], false),
        (&["--sampler", "0=linear"], false),
        (&["--image-format", "0=rgba8", "--image-format", "0=r8"], false),
    ] {
        let arguments = [&["compile", "image.ir", "-o", "out.spv"], flags].concat();
        let ran = scratch.run(&arguments).ended(if accepted { 0 } else { 2 });
        assert_eq!(ran.stderr().contains("has no effect: argument"), !accepted, "{flags:?}");
    }
}
