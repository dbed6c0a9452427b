//! The pages of `docs/codes`: the example of each is run, and gives a message with that code.
//!
//! A fence of a page whose first line names a file after the language is an input; a fence `text` is what the command after `$` says, with the
//! variables before it. With `RECONVERGE_BLESS=1` the test writes what is said into the page. An input of the language `bytes` is a recipe:
//!
//! | line | appended |
//! |---|---|
//! | `hex 03 02 23` | bytes |
//! | `text "a\n"` | a text, as JSON writes it |
//! | `repeat 3000 "("` | a text as often |
//! | `of tests/dxil/points.O3.dxil` | a file of the repository |
//! | `at 24 hex FF` | nothing: these bytes replace others |
//! | `cut 20` | nothing: only so many bytes stay |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, Scratch, content};

/// Why the example of a page is not run, and of how many pages that is true.
const REASONS: [(&str, usize); 7] = [
    ("it needs a device, its driver or the Vulkan loader", 19),
    ("it needs a build without a feature", 1),
    ("only a bug of the compiler leads to it", 12),
    ("the smallest input that leads to it is too large for a test", 10),
    ("it needs a front end that not every machine has", 1),
    ("the command reports something else first, and only callers of the library see it", 10),
    ("no small input that leads to it is known", 11),
];

/// How a page says that its example is not run.
const NOT_RUN: &str = "No example is run here, because ";

/// A fenced block: what is after the fence, its text, and where the text is in the page.
struct Fence<'p> {
    head: &'p str,
    text: &'p str,
    start: usize,
}

fn fences(page: &str) -> Vec<Fence<'_>> {
    let mut fences = Vec::new();
    let mut at = 0;
    while let Some(open) = page[at..].find("```") {
        let head_start = at + open + 3;
        let start = head_start + page[head_start..].find('\n').expect("the page is well formed") + 1;
        let end = start + page[start..].find("```").expect("the page is well formed");
        fences.push(Fence { head: page[head_start..start].trim(), text: &page[start..end], start });
        at = end + 3;
    }
    fences
}

/// The bytes of a recipe.
fn cooked(recipe: &str) -> Vec<u8> {
    let quoted = |text: &str| serde_json::from_str::<String>(text).expect("the page is well formed").into_bytes();
    let hex = |text: &str| -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("the page is well formed")).collect()
    };
    let mut bytes = Vec::new();
    for line in recipe.lines().filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').expect("the page is well formed");
        match word {
            "hex" => bytes.extend(hex(rest)),
            "text" => bytes.extend(quoted(rest)),
            "of" => bytes = content(&root().join(rest)),
            "cut" => bytes.truncate(rest.parse().expect("the page is well formed")),
            "repeat" => {
                let (count, text) = rest.split_once(' ').expect("the page is well formed");
                bytes.extend(quoted(text).repeat(count.parse().expect("the page is well formed")));
            }
            "at" => {
                let (place, new) = rest.split_once(" hex ").expect("the page is well formed");
                let (place, new): (usize, _) = (place.parse().expect("the page is well formed"), hex(new));
                bytes[place..place + new.len()].copy_from_slice(&new);
            }
            _ => panic!("{line}"),
        }
    }
    bytes
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the examples of a page; the page with what they say, and the codes.
fn run(page: &str) -> (String, Vec<String>) {
    let mut scratch = Scratch::new();
    let (mut written, mut copied, mut codes) = (String::new(), 0, Vec::new());
    let mut was_run = false;
    for fence in fences(page) {
        let (language, name) = fence.head.split_once(' ').unwrap_or((fence.head, ""));
        if !name.is_empty() {
            // A file after a command begins the next example.
            if std::mem::take(&mut was_run) {
                scratch = Scratch::new();
            }
            let bytes = if language == "bytes" { cooked(fence.text) } else { fence.text.as_bytes().to_vec() };
            let path = scratch.file(name, bytes);
            if language == "sh" {
                make_executable(&path);
            }
            continue;
        }
        let Some(line) = fence.text.lines().next().and_then(|line| line.strip_prefix("$ ")) else { continue };
        let Some((variables, command)) = line.split_once("reconverge ") else { continue };
        let mut run = scratch.command(&command.split(' ').collect::<Vec<_>>());
        run.envs(variables.split_whitespace().filter_map(|variable| variable.split_once('=')));
        let ran = Ran(run.output().expect("the command starts"));
        was_run = true;
        let said = ran.stderr();
        codes.extend(said.lines().filter_map(code_of));
        written += &page[copied..fence.start];
        written += &format!("$ {line}\n{}\n", said.trim_end());
        copied = fence.start + fence.text.len();
    }
    (written + &page[copied..], codes)
}

/// The code in the brackets of a line that begins a message.
fn code_of(line: &str) -> Option<String> {
    let rest = ["error[", "warning[", "note[", "info["].iter().find_map(|head| line.strip_prefix(head))?;
    Some(rest.split(']').next()?.to_owned())
}

fn make_executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the page is well formed");
    }
    assert!(path.exists());
}

#[test]
fn every_page_has_an_example_that_gives_its_code() {
    let mut paths: Vec<_> = fs::read_dir(root().join("docs/codes"))
        .expect("the page is well formed")
        .map(|entry| entry.expect("the page is well formed").path())
        .collect();
    paths.sort();
    let blesses = std::env::var_os("RECONVERGE_BLESS").is_some();
    let mut reasons: BTreeMap<&str, usize> = REASONS.map(|(reason, _)| (reason, 0)).into();
    let mut wrong = Vec::new();
    for path in paths.iter().filter(|path| !path.ends_with("README.md")) {
        let code = path.file_stem().expect("the page is well formed").to_str().expect("the page is well formed");
        let page = fs::read_to_string(path).expect("the page is well formed");
        if let Some(reason) = page.lines().find_map(|line| line.strip_prefix(NOT_RUN)) {
            *reasons.get_mut(reason.trim_end_matches('.')).unwrap_or_else(|| panic!("{code}: {reason}")) += 1;
            continue;
        }
        if cfg!(not(unix)) && page.contains("```sh ") {
            continue;
        }
        let (written, codes) = run(&page);
        if !codes.iter().any(|found| found == code) {
            wrong.push(format!("{code}: the example gives {codes:?}"));
        }
        if written != page {
            match blesses {
                true => fs::write(path, written).expect("the page is well formed"),
                false => wrong.push(format!("{code}: the page shows something else than\n{written}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(reasons, REASONS.into());
}

#[test]
fn the_pages_of_concepts_show_what_is_said() {
    for entry in fs::read_dir(root().join("docs/concepts")).expect("the page is well formed") {
        let path = entry.expect("the page is well formed").path();
        let page = fs::read_to_string(&path).expect("the page is well formed");
        let name = path.file_stem().expect("the page is well formed").to_str().expect("the page is well formed");
        assert_eq!(run(&page).0, page, "{name}");
        // The reason of an added block has the name of the concept.
        let reason = format!("{}: ", name.replace('-', " "));
        let is_shown = fences(&page).iter().any(|fence| fence.text.contains(&reason));
        assert_eq!(is_shown, page.contains("$ reconverge "), "{name}");
    }
}
