//! The pictures of the pages are what the command draws. `RECONVERGE_BLESS=1` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Scratch, content};
use crate::lane_picture;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Compares a picture with what the command just drew.
fn check(drawn: &Path, picture: &Path) {
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        fs::copy(drawn, picture).expect("the picture is written");
    }
    let is_same = fs::read(picture).is_ok_and(|old| old == content(drawn));
    assert!(is_same, "{}: not what the command draws; RECONVERGE_BLESS=1 writes it", picture.display());
}

#[test]
fn the_picture_of_the_readme_is_that_of_the_demo() {
    let scratch = Scratch::new();
    scratch.run(&["demo", "-o", "search.svg"]).ended(0);
    check(&scratch.path("search.svg"), &Path::new(ROOT).join("docs/images/search.svg"));
}

/// A page about a word shows the graph of its example.
#[test]
fn the_pictures_of_words_are_those_of_their_examples() {
    let folder = Path::new(ROOT).join("docs/concepts");
    let pages: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let mut count = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let name = page.file_stem().and_then(|name| name.to_str()).unwrap();
        let Some((_, example)) = text.split_once("```text example.cfg\n") else { continue };
        let image = format!("](../images/{name}.svg)");
        assert!(text.contains(&image), "{name} shows its picture: {image}");
        let scratch = Scratch::new();
        scratch.file("example.cfg", example.split_once("```").unwrap().0);
        scratch.run(&["graph", "example.cfg", "-o", "example.svg"]).ended(0);
        check(&scratch.path("example.svg"), &folder.join(format!("../images/{name}.svg")));
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

/// The page about lanes shows a run of its example: the data of the report, as it is before the first pass.
#[test]
fn the_picture_of_masks_is_a_run_of_its_example() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/lanes.md")).unwrap();
    let (_, example) = page.split_once("```text masks.ir\n").expect("the page has the example");
    let scratch = Scratch::new();
    scratch.file("masks.ir", example.split_once("```").unwrap().0);
    scratch
        .run(&["report", "masks.ir", "-O0", "--target", "input", "-o", "masks.html", "--emit", "masks.json"])
        .ended(0);
    let report: serde_json::Value = serde_json::from_slice(&content(&scratch.path("masks.json"))).unwrap();
    let drawn = scratch.file("masks.svg", lane_picture::svg(&report));
    check(&drawn, &Path::new(ROOT).join("docs/images/masks.svg"));
}

#[test]
fn the_picture_of_the_pipeline_has_every_pass_of_it() {
    let scratch = Scratch::new();
    let picture = scratch.run(&["passes", "--svg"]).ended(0).stdout();
    let plain = scratch.run(&["passes"]).ended(0).stdout();
    let names = plain.lines().skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().nth(1)).collect();
    let words: Vec<&str> = picture.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    assert!(names.len() > 30 && names.iter().all(|name| words.contains(name)), "{picture}");
    let drawn = scratch.file("pipeline.svg", picture);
    check(&drawn, &Path::new(ROOT).join("docs/images/pipeline.svg"));
}
