//! The JSON form, on a command line and in a file.

use reconverge_run::launch::{
    Argument, Buffer, Element, Launch, Mismatch, Role, Rule, Tolerance, Value, ValueType, compare,
};

const LAUNCH: &str = r#"{
    "kernel": "k", "global": [8, 2], "local": [4, 1, 1], "offset": [1],
    "args": [
        { "kind": "buffer", "type": "u32", "count": 4, "init": { "rule": "lcg", "seed": 7, "mod": 10, "add": -3 } },
        { "kind": "buffer", "type": "f32", "count": 3, "init": { "rule": "list", "values": [1, 2.5] }, "output": true },
        { "kind": "scalar", "type": "u64", "value": 18446744073709551615 },
        { "kind": "vector", "type": "i16", "values": [-1, 2, 3] },
        { "kind": "struct", "bytes": "01 02 ff" },
        { "kind": "local", "bytes": 64 }
    ],
    "expected": "k.expected", "tolerance": { "abs": 0.25, "rel": 0 }
}"#;

#[test]
fn every_kind_of_argument_is_read() {
    let launch = Launch::from_json(LAUNCH).unwrap();
    assert_eq!((launch.global, launch.local, launch.offset), ([8, 2, 1], Some([4, 1, 1]), [1, 0, 0]));
    assert_eq!(launch.expected.as_deref(), Some("k.expected"));
    let value = |bytes: &[u8], ty: Option<(Element, usize)>| {
        let ty = ty.map(|(element, components)| ValueType { element, components });
        Argument::Value(Value { bytes: bytes.to_vec(), ty })
    };
    assert_eq!(launch.arguments[2], value(&[0xff; 8], Some((Element::U64, 1))));
    assert_eq!(launch.arguments[3], value(&[0xff, 0xff, 2, 0, 3, 0, 0, 0], Some((Element::I16, 3))));
    assert_eq!(launch.arguments[4], value(&[1, 2, 0xff], None));
    assert_eq!(launch.arguments[5], Argument::Local(64));
    let buffers = launch.buffers().unwrap();
    // 7 * 1664525 + 1013904223 = 1025555898, whose upper 24 bits are 4006077: 7 - 3; the next by the same rule.
    assert_eq!(buffers[0][..4], 4u32.to_le_bytes());
    let floats: Vec<u8> = [1.0f32, 2.5, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(buffers[1], floats);
}

#[test]
fn a_mistake_is_named_with_the_way_to_it() {
    let cases = [
        (r#"{ "args": [] }"#, "\"global\" is missing"),
        (r#"{ "global": [], "args": [] }"#, "global: expected one to three sizes"),
        (r#"{ "global": [1], "args": [{ "kind": "pipe" }] }"#, "args[0].kind: unknown kind pipe"),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u9", "value": 1 }] }"#,
            "args[0].type: unknown type u9",
        ),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u8", "value": 256 }] }"#,
            "args[0].value: expected an integer that fits u8, found 256",
        ),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u8", "value": 1.5 }] }"#,
            "args[0].value: expected an integer that fits u8, found 1.5",
        ),
        (r#"{ "global": [1], "args": [{ "kind": "struct", "bytes": "abc" }] }"#, "args[0].bytes: expected pairs"),
        (
            r#"{ "global": [1], "args": [{ "kind": "local", "bytes": 0 }] }"#,
            "args[0].bytes: an argument in local memory needs at least 1 byte",
        ),
        (
            r#"{ "global": [1], "args": [{ "kind": "buffer", "type": "f64", "count": 99999999999 }] }"#,
            "args[0].count: a buffer has at most",
        ),
        ("{", "the launch is not JSON: EOF while parsing an object at line 1"),
        (r#"{ "globl": [1], "args": [] }"#, "unknown key \"globl\"; did you mean \"global\"?"),
        (r#"{ "global": [1], "args": [], "colour": 1 }"#, "unknown key \"colour\"; the keys are kernel, global"),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u8", "val": 1 }] }"#,
            "args[0]: unknown key \"val\"; did you mean \"value\"?",
        ),
        (
            r#"{ "global": [1], "args": [{ "kind": "buffer", "type": "u8", "count": 1, "init": { "rule": "fill", "values": [1] } }] }"#,
            "args[0].init: unknown key \"values\"; did you mean \"value\"?",
        ),
        (r#"{ "global": [1], "args": [], "tolerance": { "absolute": 1 } }"#, "tolerance: unknown key \"absolute\""),
    ];
    for (text, message) in cases {
        let error = Launch::from_json(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}\n{error}");
    }
}

#[test]
fn flags_say_the_same_as_json() {
    let json = Launch::from_json(LAUNCH).unwrap().arguments;
    let flags = [
        "in:u32[4]=lcg(7,10,-3)",
        "out:f32[3]=list(1,2.5)",
        "u64=0xffffffffffffffff",
        "i16x3=-1,2,3",
        "hex=0102ff",
        "local=64",
    ];
    for (flag, argument) in flags.iter().zip(json) {
        assert_eq!(Argument::from_flag(flag).unwrap(), argument, "{flag}");
    }
}

#[test]
fn flags_that_mean_nothing_are_refused() {
    let flags = [
        "",
        "u32",
        "u32=",
        "u32=x",
        "u32x2=1",
        "in:u32=zero",
        "in:u32[x]=zero",
        "in:u32[4]=fill(1,2)",
        "in:u32[4]=sine",
        "local=many",
        "local=0",
        "hex=0",
        "i8=200x",
    ];
    for flag in flags {
        assert!(Argument::from_flag(flag).is_err(), "{flag}");
    }
}

#[test]
fn a_file_gives_its_size_to_a_buffer_without_one() {
    let mut launch = Launch::from_json(r#"{ "global": [1], "args": [] }"#).unwrap();
    launch.arguments.push(Argument::from_flag("in:u16[]=@numbers.bin").unwrap());
    assert!(launch.buffers().is_err(), "nobody has read the file");
    launch.resolve_files(|path| Ok(path.as_bytes().to_vec())).unwrap();
    assert_eq!(launch.buffers().unwrap(), [b"numbers.bin\0".to_vec()]);
    let mut launch = Launch { arguments: vec![Argument::from_flag("in:u8[4]=@missing").unwrap()], ..launch };
    let error = launch.resolve_files(|_| Err("no such file".to_owned())).unwrap_err();
    assert_eq!(error.message, "args[0]: no such file");
}

#[test]
fn outputs_are_compared_within_the_tolerance() {
    let float =
        |element, count| Argument::Buffer(Buffer { name: None, element, count, rule: Rule::Zero, role: Role::Output });
    let launch = Launch {
        arguments: vec![float(Element::U8, 1), float(Element::F32, 2)],
        tolerance: Tolerance { absolute: 0.5, relative: 0.0 },
        ..Launch::default()
    };
    let expected: Vec<u8> = [vec![9], 1.0f32.to_le_bytes().to_vec(), f32::NAN.to_le_bytes().to_vec()].concat();
    let outputs =
        |byte, first: f32, second: f32| vec![vec![byte], [first.to_le_bytes(), second.to_le_bytes()].concat()];
    assert_eq!(compare(&launch, &expected, &outputs(9, 1.5, -f32::NAN)), Ok(()));
    let wrong = Mismatch::Element {
        output: "argument 1".to_owned(),
        element: 0,
        expected: "1.0".to_owned(),
        found: "1.6".to_owned(),
    };
    assert_eq!(
        compare(&launch, &expected, &outputs(9, 1.6, f32::NAN))
            .map_err(|error| error.to_string().replace("1.600000023841858", "1.6")),
        Err(wrong.to_string())
    );
    assert!(matches!(
        compare(&launch, &expected, &outputs(8, 1.0, f32::NAN)),
        Err(Mismatch::Element { output, .. }) if output == "argument 0"
    ));
    assert!(matches!(compare(&launch, &expected, &outputs(9, 1.0, 0.0)), Err(Mismatch::Element { element: 1, .. })));
    assert!(matches!(
        compare(&launch, &expected[1..], &outputs(9, 1.0, 0.0)),
        Err(Mismatch::Size { expected: 8, found: 9 })
    ));
}

#[test]
fn keys_that_are_notes_are_ignored() {
    let text = r#"{ "global": [1], "_author": "x", "source": "k.cl", "args": [
        { "kind": "buffer", "name": "y", "type": "f16", "count": 1, "output": true }
    ] }"#;
    let launch = Launch::from_json(text).unwrap();
    let names: Vec<String> = launch.outputs().map(|output| output.to_string()).collect();
    assert_eq!(names, ["argument 0 (y)"]);
}

#[test]
fn floats_print_as_their_type() {
    let text = |element: Element, bytes: &[u8]| element.text(bytes);
    assert_eq!(text(Element::F32, &0.1f32.to_le_bytes()), "0.1");
    assert_eq!(text(Element::F64, &0.1f64.to_le_bytes()), "0.1");
    assert_eq!(text(Element::F16, &[0x66, 0x2e]), "0.1");
    assert_eq!(text(Element::F16, &[0xff, 0x7b]), "65500.0");
    assert_eq!(text(Element::F16, &[0x00, 0x7e]), "NaN");
    assert_eq!(text(Element::F16, &[0x00, 0xfc]), "-inf");
    assert_eq!(text(Element::F16, &[0x01, 0x00]), "6e-8");
    for bits in 0..=u16::MAX {
        let shown = text(Element::F16, &bits.to_le_bytes());
        let Argument::Value(again) = Argument::from_flag(&format!("f16={shown}")).unwrap() else { panic!("{shown}") };
        assert!(again.bytes == bits.to_le_bytes() || shown == "NaN", "{bits:#x} {shown}");
    }
}

#[test]
fn contents_that_are_none_get_a_suggestion() {
    let error = |flag: &str| Argument::from_flag(flag).expect_err(flag).message;
    assert!(error("out:f32[4]=fill:0").ends_with("did you mean fill(0)?"), "{}", error("out:f32[4]=fill:0"));
    assert!(error("out:f32[4]=zeros").ends_with("did you mean zero?"));
    assert!(error("out:f32[4]=0").contains("did you mean fill(0)?"));
    assert!(error("out:f32[4]=random").contains("the contents are zero, fill(7)"));
}
