//! Arrays of NumPy in launches: inputs, expected outputs, written outputs; and files of bytes of another size.

use crate::common::{Scratch, content};

/// `out[i] = in[i]`, for any words.
const COPY: &str = "\
spirv_header 66560, 0, 0
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %copy, \"copy\", %id
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%ids = type_vector %u64, 3
%input = type_pointer Input, %ids
%words = type_pointer CrossWorkgroup, %u32
%id: %input = variable Input {decorate BuiltIn 28}
func %copy: %void (%in: %words, %out: %words) {
block ^entry:
  %at: %ids = load %id, 2, 32
  %x: %u64 = composite_extract %at, 0
  %from: %words = in_bounds_ptr_access_chain %in, %x
  %to: %words = in_bounds_ptr_access_chain %out, %x
  %word: %u32 = load %from, 2, 4
  store %to, %word, 2, 4
  return
}
";

/// An array as NumPy writes it.
fn array(dtype: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let length = u16::try_from(text.len()).expect("the header is short").to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), data].concat()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("copy.ir", COPY);
    scratch.file("six.npy", array("<u4", "False", "(2, 3)", &words(&[1, 2, 3, 4, 5, 6])));
    scratch.file("columns.npy", array("<u4", "True", "(2, 3)", &words(&[1, 4, 2, 5, 3, 6])));
    let big: Vec<u8> = [1_u32, 2, 3, 4, 5, 6].into_iter().flat_map(u32::to_be_bytes).collect();
    scratch.file("big.npy", array(">u4", "False", "(6,)", &big));
    scratch
}

fn run<'a>(input: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "copy.ir", "--global", "6", "--arg", input, "--arg", "out:u32[6]=zero"], more].concat()
}

#[test]
fn an_array_is_its_elements() {
    let scratch = scratch();
    for input in ["in:u32[6]=@six.npy", "in:u32[]=@six.npy", "in:u32[]=@columns.npy", "in:u32[6]=@big.npy"] {
        let ran = scratch.run(&run(input, &[])).ended(0);
        assert_eq!(ran.stdout(), "argument 1 (out), u32[6]: 1 2 3 4 5 6\n", "{input}");
        assert!(ran.stderr().is_empty(), "{}", ran.stderr());
    }
    let launch = r#"{ "kernel": "copy", "global": [6], "args": [
        { "kind": "buffer", "type": "u32", "count": 6, "init": { "rule": "file", "path": "six.npy" } },
        { "kind": "buffer", "type": "u32", "count": 6, "output": true } ], "expected": "columns.npy" }"#;
    scratch.file("launch.json", launch);
    scratch.run(&["run", "copy.ir", "--launch", "launch.json"]).ended(0);
}

#[test]
fn an_array_fits_its_buffer_or_is_refused() {
    let scratch = scratch();
    scratch.file("floats.npy", array("<f4", "False", "(6,)", &words(&[0; 6])));
    scratch.file("text.npy", array("<U4", "False", "(6,)", &[0; 96]));
    scratch.file("short.npy", array("<u4", "False", "(6,)", &[0; 20]));
    scratch.file("huge.npy", array("<u4", "False", "(4294967296, 4294967296, 4294967296)", &[0; 4]));
    scratch.file("deep.npy", array("<u4", "False", &"(".repeat(50_000), &[0; 4]));
    scratch.file("newer.npy", b"\x93NUMPY\x09\x00\x76\x00{");
    scratch.file("order.npy", array("<u4", "0", "(6,)", &[0; 24]));
    scratch.file("size.npy", array("<u4", "False", "(99999999999999999999999,)", &[0; 24]));
    scratch.file("flat.npy", array("<u4", "False", &format!("({})", "1,".repeat(65)), &[0; 4]));
    scratch.file("bytes.npy", [1, 2, 3, 4]);
    scratch.file("cut.npy", b"\x93NUMPY\x01");
    for (input, message) in [
        ("in:u32[6]=@floats.npy", "floats.npy: the array is of f32, and the buffer of u32: write f32[...]"),
        ("in:i32[6]=@six.npy", "six.npy: the array is of u32, and the buffer of i32"),
        ("in:u32[8]=@six.npy", "six.npy: the array of shape (2, 3) has 6 elements, and the buffer 8"),
        ("in:u32[6]=@text.npy", "text.npy: the array is of <U4, which no argument is"),
        ("in:u32[6]=@short.npy", "short.npy: the array of shape (6,) is cut off"),
        ("in:u32[6]=@huge.npy", "huge.npy: the array of shape (4294967296, 4294967296, 4294967296) is cut off"),
        ("in:u32[6]=@deep.npy", "deep.npy: the header of the array"),
        ("in:u32[6]=@bytes.npy", "bytes.npy is named .npy, but it is no array of NumPy"),
        ("in:u32[6]=@cut.npy", "cut.npy: the header of the array is cut off"),
        ("in:u32[6]=@newer.npy", "newer.npy: the array is in version 9 of the format, and versions 1 to 3 are known"),
        (
            "in:u32[6]=@order.npy",
            "order.npy: the header of the array is not that of numbers in a shape: expected True or False, found `0, 'shape'",
        ),
        ("in:u32[6]=@size.npy", "expected a size, found `99999999999999999999"),
        ("in:u32[6]=@flat.npy", "flat.npy: the array has more than 64 dimensions"),
    ] {
        let said = scratch.run(&run(input, &[])).ended(2).stderr();
        assert!(said.starts_with("error[run-launch]: ") && said.contains(message), "{input}: {said}");
    }
}

#[test]
fn the_only_output_is_written_and_compared_as_an_array() {
    let scratch = scratch();
    scratch.run(&run("in:u32[6]=@six.npy", &["--dump", "out.npy"])).ended(0);
    let expected = array("<u4", "False", "(6,)", &words(&[1, 2, 3, 4, 5, 6]));
    let written = content(&scratch.path("out.npy"));
    assert_eq!((&written[..8], &written[written.len() - 24..]), (&expected[..8], &expected[expected.len() - 24..]));
    scratch.run(&run("in:u32[]=@out.npy", &["--expect", "out.npy"])).ended(0);
    scratch.run(&run("in:u32[6]=@six.npy", &["--expect", "columns.npy"])).ended(0);
    scratch.file("floats.npy", array("<f4", "False", "(6,)", &words(&[0; 6])));
    let said = scratch.run(&run("in:u32[6]=@six.npy", &["--expect", "floats.npy"])).ended(1).stderr();
    assert!(said.contains("error[run-launch]: the array is of f32, and the buffer of u32"), "{said}");
    scratch.file("bytes.npy", words(&[1, 2, 3, 4, 5, 6]));
    let said = scratch.run(&run("in:u32[6]=@six.npy", &["--expect", "bytes.npy"])).ended(1).stderr();
    let message = "error[run-launch]: bytes.npy is named .npy, but it is no array of NumPy: numpy.save writes one";
    assert!(said.contains(message), "{said}");
    let said = scratch.run(&run("out:u32[6]=@six.npy", &["--dump", "two.npy"])).ended(2).stderr();
    assert!(said.contains("a file .npy has one array, and the launch has 2 outputs"), "{said}");
    assert!(!scratch.path("two.npy").exists());
}

#[test]
fn a_file_of_another_size_is_noted() {
    let scratch = scratch();
    scratch.file("words.bin", words(&[1, 2, 3, 4, 5, 6]));
    let said = |input: &str| scratch.run(&run(input, &[])).ended(0).stderr();
    assert_eq!(said("in:u32[6]=@words.bin"), "");
    assert_eq!(said("in:u32[]=@words.bin"), "");
    let small = said("in:u32[8]=@words.bin");
    let message = "note[run-file-size]: words.bin has 24 bytes, and its buffer, argument 0, has 32: the rest of the buffer is zero";
    assert!(small.starts_with(message), "{small}");
    scratch.file("more.bin", words(&[1, 2, 3, 4, 5, 6, 7]));
    let large = said("in:u32[6]=@more.bin");
    assert!(
        large.contains("has 28 bytes, and its buffer, argument 0, has 24: the rest of the file is not used"),
        "{large}"
    );
    scratch.file("odd.bin", [&words(&[1, 2, 3, 4, 5, 6])[..], &[7]].concat());
    assert!(said("in:u32[]=@odd.bin").contains("has 25 bytes, and its buffer, argument 0, has 28"), "{large}");
}

#[test]
fn a_name_in_capitals_is_one_of_an_array() {
    let scratch = scratch();
    scratch.run(&run("in:u32[6]=@six.npy", &["--dump", "OUT.NPY"])).ended(0);
    assert!(content(&scratch.path("OUT.NPY")).starts_with(b"\x93NUMPY"));
    scratch.run(&run("in:u32[]=@OUT.NPY", &["--expect", "OUT.NPY"])).ended(0);
    scratch.file("BYTES.NPY", words(&[1, 2, 3, 4, 5, 6]));
    let expected = run("in:u32[6]=@six.npy", &["--expect", "BYTES.NPY"]);
    for (flags, exit) in [(run("in:u32[6]=@BYTES.NPY", &[]), 2), (expected, 1)] {
        let said = scratch.run(&flags).ended(exit).stderr();
        assert!(said.contains("BYTES.NPY is named .npy, but it is no array of NumPy"), "{said}");
    }
}
