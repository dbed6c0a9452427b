//! Images and samplers on a command line and in JSON.

use reconverge_run::launch::{Argument, Element, Launch, Mismatch, Role, Rule, compare};

use super::{argument, image, refused};

#[test]
fn flags_say_the_same_as_json() {
    let json = r#"{ "global": [1], "args": [
        { "kind": "image", "format": "rgba8", "size": [4, 2] },
        { "kind": "image", "format": "r32f", "size": [3], "init": { "rule": "fill", "value": 0.5 }, "output": true },
        { "kind": "image", "format": "rg16i", "size": [1, 2, 3], "init": { "rule": "list", "values": [-1, 2] } },
        { "kind": "image", "format": "rgba8", "init": { "rule": "file", "path": "photo.png" } },
        { "kind": "sampler", "coordinates": "normalized", "address": "repeat", "filter": "linear" },
        { "kind": "sampler" }
    ] }"#;
    let flags = [
        "image:rgba8[4,2]=zero",
        "out:image:r32f[3]=fill(0.5)",
        "in:image:rg16i[1,2,3]=list(-1,2)",
        "image:rgba8[]=@photo.png",
        "sampler=linear,repeat",
        "sampler=",
    ];
    let launch = Launch::from_json(json).expect("the launch is valid");
    assert_eq!(launch.arguments, flags.map(argument));
    assert_eq!(argument("sampler"), argument("sampler=normalized,clamp_to_edge,nearest"));
}

#[test]
fn an_image_is_a_buffer_of_its_channels() {
    let image = image("out:image:rgb565[4,2]=list(1,2)");
    assert_eq!((image.buffer.element, image.buffer.count, image.buffer.role), (Element::U16, 8, Role::Output));
    let arguments = ["u32=1", "image:rg8[2,2]=fill(3)", "sampler", "out:u32[1]", "out:image:r8s[2]=list(-1,5)"];
    let mut launch = Launch { arguments: arguments.map(argument).to_vec(), ..Launch::default() };
    launch.name_buffers(["n", "in", "smp", "sum", "out"].map(|name| Some(name.to_owned())).to_vec());
    assert_eq!(launch.buffers().expect("contents"), [vec![3; 8], vec![0; 4], vec![0xff, 5]]);
    let outputs: Vec<(usize, usize, String, String)> = launch
        .outputs()
        .map(|output| (output.argument, output.index, output.to_string(), output.type_text()))
        .collect();
    let expected = [(3, 1, "argument 3 (sum)", "u32[1]"), (4, 2, "argument 4 (out)", "image:r8s[2]")];
    let expected = expected.map(|(at, index, name, ty)| (at, index, name.to_owned(), ty.to_owned()));
    assert_eq!(outputs, expected);
}

#[test]
fn a_mismatch_names_the_texel() {
    let launch = Launch { arguments: vec![argument("out:image:rg8[2,2]")], ..Launch::default() };
    let outputs = [vec![0, 1, 2, 3, 4, 5, 6, 7]];
    assert_eq!(compare(&launch, &outputs[0], &outputs), Ok(()));
    let Err(mismatch) = compare(&launch, &[0, 1, 2, 3, 4, 5, 6, 8], &outputs) else { panic!("they differ") };
    assert!(matches!(mismatch, Mismatch::Element { element: 7, .. }));
    assert_eq!(mismatch.to_string(), "argument 0, texel [1,1], element 7: expected 8, found 7");
}

#[test]
fn flags_that_mean_nothing_get_advice() {
    let cases = [
        ("image:rgba8", "expected a format and sizes, like image:rgba8[512,512]"),
        ("image:rgba8[]=zero", "only image:rgba8[]=@FILE has a size of its own"),
        ("image:rgba8[4,x]", "[4,x] is no size of an image"),
        ("image:rgba8[4,0]", "each size of an image is at least 1, not [4,0]"),
        ("image:rgba8[1,2,3,4]", "an image has one to three sizes, not 4"),
        ("image:rgba8[65536,65536]", "an image has fewer than 2 GiB, and image:rgba8[65536,65536] has more"),
        ("image:rgba8[4294967295,4294967295,4294967295]", "an image has fewer than 2 GiB"),
        ("image:rgba9[4,4]", "did you mean rgba8"),
        ("image:rgb8[4,4]", "with these channels it has rgb565, rgb555, rgb101010"),
        ("image:r8[2]=list(1,2,3)", "the contents have 3 numbers, and image:r8[2] 2"),
        ("image:r8[2]=fill(256)", "expected an integer that fits u8, found 256"),
        ("rgba8[4,4]=zero", "an image begins with image: or out:image:, like image:rgba8[4,4]=zero"),
        ("i8[4]=zero", "a buffer begins with in: or out:"),
        ("in:rgba8[4,4]=zero", "rgba8 is a format of images: write image:rgba8[4,4]"),
        ("sampler=unnormalized,repeat", "need normalized coordinates"),
        ("sampler=clamp-to-edge", "did you mean clamp_to_edge?"),
        ("sampler=repeat,clamp", "clamp is the second word for the same property"),
    ];
    for (flag, message) in cases {
        let error = refused(flag);
        assert!(error.contains(message), "{flag}: {error}");
    }
    assert!(matches!(&image("image:rgba8[]=@x").buffer.rule, Rule::File(path) if path == "x"));
}

#[test]
fn mistakes_in_json_are_named_with_the_way_to_them() {
    let cases = [
        (r#"{ "kind": "image", "format": "rgba8" }"#, "args[0]: \"size\" is missing"),
        (r#"{ "kind": "image", "size": [1] }"#, "args[0]: \"format\" is missing"),
        (r#"{ "kind": "image", "format": "rgba", "size": [1] }"#, "args[0].format: unknown format rgba"),
        (r#"{ "kind": "image", "format": "r8", "size": [] }"#, "args[0].size: expected one to three sizes"),
        (r#"{ "kind": "image", "format": "r8", "size": [0] }"#, "args[0].size: each size of an image is at least 1"),
        (r#"{ "kind": "image", "format": "r8", "size": [4294967296] }"#, "args[0].size: a size of an image is at most"),
        (r#"{ "kind": "image", "format": "r8", "size": [1], "type": "u8" }"#, "args[0]: unknown key \"type\""),
        (
            r#"{ "kind": "image", "format": "r8", "size": [1], "output": 1 }"#,
            "args[0]: \"output\" must be true or false",
        ),
        (r#"{ "kind": "sampler", "address": "wrap" }"#, "args[0].address: unknown word wrap; the words are none,"),
        (r#"{ "kind": "sampler", "coordinates": "unnormalized", "address": "repeat" }"#, "args[0]: the sampler"),
        (r#"{ "kind": "texture" }"#, "args[0].kind: unknown kind texture; the kinds are"),
    ];
    for (argument, message) in cases {
        let text = format!(r#"{{ "global": [1], "args": [{argument}] }}"#);
        let error = Launch::from_json(&text).expect_err(argument).message;
        assert!(error.starts_with(message), "{argument}\n{error}");
    }
    let named = r#"{ "global": [1], "args": [{ "kind": "image", "name": "photo", "format": "r8", "size": [1] }] }"#;
    let launch = Launch::from_json(named).expect("the launch is valid");
    assert!(matches!(&launch.arguments[0], Argument::Image(image) if image.buffer.name.as_deref() == Some("photo")));
}
