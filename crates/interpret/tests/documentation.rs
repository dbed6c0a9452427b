//! That `docs/interpreter.md` names tests and filetests that there are, and all codes.

use std::fs;
use std::path::Path;

use reconverge_interpret::UndefinedBehaviour;

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(crate_folder().join("../../docs/interpreter.md")).expect("the page is there")
}

/// The text of all test files.
fn tests() -> String {
    let files = crate_folder().join("tests").read_dir().expect("a folder").filter_map(Result::ok);
    let files = files.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "rs"));
    files.map(|path| fs::read_to_string(path).expect("a text")).collect()
}

#[test]
fn the_tests_that_the_page_names_exist() {
    let (page, tests) = (page(), tests());
    // What stands in backquotes and has at least three underscores between small letters is the name of a test, or of an op.
    let is_name = |text: &&str| {
        text.matches('_').count() >= 3
            && text.chars().all(|it| it == '_' || it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    let names: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_name).collect();
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        let is_op = reconverge_ir::Op::ALL.iter().any(|op| op.name() == name);
        let is_filetest = crate_folder().join(format!("../../tests/filetests/run/tangles/{name}.ir")).is_file();
        assert!(is_op || is_filetest || tests.contains(&format!("fn {name}()")), "{name}");
    }
}

#[test]
fn every_code_has_a_row() {
    let page = page();
    for behaviour in UndefinedBehaviour::ALL {
        assert!(page.contains(&format!("\n| {} |", behaviour.name())), "{}", behaviour.name());
    }
}
