//! The JSON form, on a command line and in a file.

use reconverge_launch::{Argument, Buffer, Element, Launch, Mismatch, Role, Rule, Tolerance, compare};

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
    assert_eq!(launch.arguments[2], Argument::Value(vec![0xff; 8]));
    assert_eq!(launch.arguments[3], Argument::Value(vec![0xff, 0xff, 2, 0, 3, 0, 0, 0]));
    assert_eq!(launch.arguments[4], Argument::Value(vec![1, 2, 0xff]));
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
        (r#"{ "global": [1], "args": [{ "kind": "pipe" }] }"#, "args[0].kind: no kind pipe"),
        (r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u9", "value": 1 }] }"#, "args[0].type: no type u9"),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u8", "value": 256 }] }"#,
            "args[0].value: a number here is no u8",
        ),
        (
            r#"{ "global": [1], "args": [{ "kind": "scalar", "type": "u8", "value": 1.5 }] }"#,
            "args[0].value: a number here is no u8",
        ),
        (r#"{ "global": [1], "args": [{ "kind": "struct", "bytes": "abc" }] }"#, "args[0].bytes: expected pairs"),
        (
            r#"{ "global": [1], "args": [{ "kind": "buffer", "type": "f64", "count": 99999999999 }] }"#,
            "args[0].count: a buffer has at most",
        ),
        ("{", "EOF"),
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
    assert_eq!(error.to_string(), "args[0]: no such file");
}

#[test]
fn outputs_are_compared_within_the_tolerance() {
    let float = |element, count| Argument::Buffer(Buffer { element, count, rule: Rule::Zero, role: Role::Output });
    let launch = Launch {
        kernel: None,
        global: [1; 3],
        dimensions: 1,
        local: None,
        offset: [0; 3],
        arguments: vec![float(Element::U8, 1), float(Element::F32, 2)],
        expected: None,
        tolerance: Tolerance { absolute: 0.5, relative: 0.0 },
    };
    let expected: Vec<u8> = [vec![9], 1.0f32.to_le_bytes().to_vec(), f32::NAN.to_le_bytes().to_vec()].concat();
    let outputs =
        |byte, first: f32, second: f32| vec![vec![byte], [first.to_le_bytes(), second.to_le_bytes()].concat()];
    assert_eq!(compare(&launch, &expected, &outputs(9, 1.5, -f32::NAN)), Ok(()));
    let wrong = Mismatch::Element { output: 1, element: 0, expected: "1.0".to_owned(), found: "1.6".to_owned() };
    assert_eq!(
        compare(&launch, &expected, &outputs(9, 1.6, f32::NAN))
            .map_err(|error| error.to_string().replace("1.600000023841858", "1.6")),
        Err(wrong.to_string())
    );
    assert!(matches!(
        compare(&launch, &expected, &outputs(8, 1.0, f32::NAN)),
        Err(Mismatch::Element { output: 0, .. })
    ));
    assert!(matches!(compare(&launch, &expected, &outputs(9, 1.0, 0.0)), Err(Mismatch::Element { element: 1, .. })));
    assert!(matches!(
        compare(&launch, &expected[1..], &outputs(9, 1.0, 0.0)),
        Err(Mismatch::Size { expected: 8, found: 9 })
    ));
}
