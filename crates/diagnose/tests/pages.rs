//! The pages say what is so: the first example of each fires its code and nothing else, the second fires nothing.

use reconverge_diagnose::{Code, Diagnosis, Level, Options, check};
use reconverge_ir::text::parse;
use reconverge_verify::verify;

/// The page of a check.
fn page(code: Code) -> String {
    let path = format!("{}/../../docs/codes/{code}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the checks say of an example, with the check of the page at least as loud as a warning.
fn diagnoses(code: Code, example: &str) -> Vec<Diagnosis> {
    let module = parse(example).unwrap_or_else(|error| panic!("{code}: {error}\n{example}"));
    let findings = verify(&module);
    assert!(findings.is_empty(), "{code}: {}\n{example}", findings[0]);
    let mut options = Options::default();
    if code.level() == Level::Off {
        options.set(code, Level::Warning);
    }
    check(&module, &options)
}

#[test]
fn examples_fire_and_do_not() {
    for &code in Code::ALL {
        let page = page(code);
        let examples: Vec<&str> =
            page.split("```ir example.ir\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        let [fires, does_not] = examples.as_slice() else { panic!("{code}: {} examples", examples.len()) };
        let found: Vec<Code> = diagnoses(code, fires).iter().map(|diagnosis| diagnosis.code).collect();
        assert_eq!(found, [code]);
        assert_eq!(diagnoses(code, does_not), [], "{code}");
    }
}

#[test]
fn every_page_says_what_the_table_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes");
    let index = std::fs::read_to_string(format!("{folder}/README.md")).unwrap();
    for &code in Code::ALL {
        let page = page(code);
        let mut lines = page.lines();
        assert_eq!(lines.next(), Some(format!("# {code}: {}", code.title()).as_str()));
        let level = lines.nth(1).unwrap().split([';', '.']).next().unwrap();
        assert_eq!(level.to_lowercase(), code.level().name(), "{code}");
        for heading in ["## Reported", "## Not reported", "## What to do", "## Rule"] {
            assert!(page.contains(heading), "{code}: {heading}");
        }
        let row = format!("| [{code}]({code}.md) | {} | {} |", code.title(), code.level().name());
        assert!(index.contains(&row), "{row}");
    }
}

#[test]
fn every_code_has_filetests_that_fire_and_do_not() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/filetests/check");
    for &code in Code::ALL {
        let [fires, does_not] = ["fires", "does_not"].map(|name| {
            let path = format!("{folder}/{code}_{name}.ir");
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        });
        assert!(fires.contains(&format!("[{code}]: ")), "{code}");
        assert!(!does_not.contains(&format!("[{code}]: ")), "{code}");
    }
}
