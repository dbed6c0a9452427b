//! The page in a browser: every feature is used, and nothing fails, overlaps or sticks out.
//!
//! A script is added to the page of the test. It clicks and presses keys, collects errors, measures, and writes what it found into the page,
//! which headless Chromium prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::ir::Module;
use reconverge_report::{Change, Recorder, Report};

use crate::{MODULES, code_report, graph_report, lanes, names, report_of};

/// Names under which Debian and others install it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

const CLICKS: &str = include_str!("clicks.js");

/// The browser; without one the test fails and says how to get it.
fn browser() -> PathBuf {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let candidates = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.expect("there is no Chromium: run `cargo xtask setup`, or install the package chromium")
}

/// What the script found: `ok` with counts, or the problems.
fn clicked(browser: &Path, report: &Report, folder: &Path) -> String {
    clicked_in(browser, report, folder, [1_500, 950])
}

/// The same in a window of this size.
fn clicked_in(browser: &Path, report: &Report, folder: &Path, [width, height]: [u32; 2]) -> String {
    let early = "<script>window.problems = []; addEventListener('error', (e) => problems.push(e.message));\n\
                 console.error = (...words) => problems.push(words.join(' '));</script>\n<style>";
    let page = report.page().replacen("<style>", early, 1);
    let page = page.replace("</body>", &format!("<script>{CLICKS}</script></body>"));
    let file = folder.join("page.html");
    std::fs::write(&file, page).expect("the folder is writable");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = text.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    found.map_or_else(|| format!("no result; {}", String::from_utf8_lossy(&output.stderr)), str::to_owned)
}

#[test]
fn every_feature_works_and_nothing_overlaps() {
    let browser = browser();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    // Of the ten modules four are enough for every feature.
    for path in MODULES.into_iter().step_by(3) {
        let found = clicked(&browser, &report_of(path), folder.path());
        assert!(found.starts_with("ok "), "{path}: {found}");
    }
    let graph = graph_report();
    assert!(!graph.passes[1].notes.is_empty(), "the graph has a reason to add blocks");
    let found = clicked(&browser, &graph, folder.path());
    assert!(found.starts_with("ok "), "graph: {found}");
    let found = clicked(&browser, &code_report(), folder.path());
    assert!(found.starts_with("ok ") && found.contains("8 code"), "machine code: {found}");
    // The script notices what is wrong.
    let mut broken = report_of(MODULES[0]);
    let last = broken.passes.last().expect("there are passes").functions[0] as usize;
    broken.functions[last].nodes[1].shape = broken.functions[last].nodes[0].shape;
    let found = clicked(&browser, &broken, folder.path());
    assert!(found.contains("overlap"), "{found}");
}

/// In a narrow window no part of the page is cut off at the side.
#[test]
fn every_feature_works_in_a_narrow_window() {
    let browser = browser();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    for report in [report_of(MODULES[0]), graph_report()] {
        let found = clicked_in(&browser, &report, folder.path(), [800, 900]);
        assert!(found.starts_with("ok "), "{found}");
    }
}

#[test]
fn names_of_the_source_are_shown() {
    let browser = browser();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let report = names::named();
    let found = clicked(&browser, &report, folder.path());
    assert!(
        found.starts_with("ok ")
            && !found.contains(" 0 names")
            && !found.contains(" 0 cards")
            && !found.contains(" 0 differences"),
        "{found}"
    );
}

/// A report of two modules, with their lanes.
fn compared(states: [&Module; 2]) -> Report {
    let mut recorder = Recorder::new(states[0]);
    recorder.record("change", None, Change::Some, states[1]);
    recorder.report().lanes.launches.push(lanes::launch(states));
    recorder.finish()
}

#[test]
fn lanes_are_played_and_runs_are_compared() {
    let browser = browser();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let found = |states: [&Module; 2]| clicked(&browser, &compared(states), folder.path());
    let (together, apart) = (lanes::together(), lanes::apart());
    let differing = found([&together, &apart]);
    assert!(differing.starts_with("ok ") && differing.ends_with("2 rows, differ verdict"), "{differing}");
    let agreeing = found([&together, &lanes::extended()]);
    assert!(agreeing.starts_with("ok ") && agreeing.ends_with("1 rows, agree verdict"), "{agreeing}");
}
