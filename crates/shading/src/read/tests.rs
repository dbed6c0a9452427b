use super::*;

fn wgsl(text: &str) -> Result<Module, ReadError> {
    read(text, SourceOptions { file: "a.wgsl" })
}

const SQUARE: &str = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64)
fn square(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&data)) {
        data[id.x] = data[id.x] * data[id.x];
    }
}
";

#[test]
fn the_text_is_not_in_the_module_and_its_lines_are() {
    let module = wgsl(SQUARE).expect("the text is valid");
    let text = reconverge_ir::text::print(&module);
    assert!(!text.contains("arrayLength"), "{text}");
    assert!(text.contains("a.wgsl"), "{text}");
    assert!(text.contains(" at %3 5:22"), "{text}");
}

#[test]
fn errors_have_their_line_and_kind() {
    let error = wgsl("fn f() {\n    let x = y;\n}\n").expect_err("y is not declared");
    assert_eq!((error.code, error.line, error.column), (ReadCode::Syntax, 2, 13));
    let error =
        wgsl("@compute @workgroup_size(1)\nfn f() {\n    let x: i32 = 1 + 2.5;\n}\n").expect_err("types differ");
    assert_eq!(error.line, 3);
}

#[test]
fn deep_texts_are_read_or_refused() {
    for (open, close) in [("(", ")"), ("-", ""), ("f(", ")"), ("a[", "]"), ("true ? 1 : ", ""), ("~", "")] {
        for count in [100, 1_500, 100_000] {
            let expression = format!("{}1{}", open.repeat(count), close.repeat(count));
            let body = format!("fn f(x: i32) -> i32 {{ return {expression}; }}\n");
            let found = wgsl(&body).err().map(|error| error.code);
            // The parser has limits of its own, which are lower.
            assert!(count <= MAX_DEPTH || found == Some(ReadCode::Limit), "{open} {count}: {found:?}");
        }
    }
    for statement in ["if (true) { ", "for (;;) { ", "while (true) { ", "{ ", "loop { ", "if (true) { x = 1; } else { "]
    {
        for count in [100, 100_000] {
            let close = "}".repeat(count);
            let body = format!("fn f() {{ var x = 0; {} x = 1; {close} }}\n", statement.repeat(count));
            let found = wgsl(&body).err().map(|error| error.code);
            assert_eq!(found == Some(ReadCode::Limit), count > MAX_DEPTH, "{statement} {count}: {found:?}");
        }
    }
}

#[test]
fn long_texts_are_not_deep() {
    let statements =
        "if (x < 3) { x += 1; } if (x > 4) { x = -x; } else if (x > 5) { x -= 1; } else { x *= 2; }\n".repeat(2_000);
    let text = format!("@compute @workgroup_size(1)\nfn main() {{ var x = 0;\n{statements}}}\n");
    assert!(wgsl(&text).is_ok());
}
