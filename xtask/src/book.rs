//! `cargo xtask book`: the documentation as a site, by mdBook.
//!
//! ```text
//! docs/, README.md and others ── links rewritten ──▶ target/book-source ── mdbook build ──▶ target/book/index.html
//! ```
//!
//! The pages stay where they are read on a code host. In the book they are beside each other, so links between them lose their folders. What is no
//! page, such as a source file, is no link in the book.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use xtask_setup::workspace::{find_program, relative, root, run};

/// The parts of the book: the title, and the pages below `docs/` or at the root.
const PARTS: &[(&str, &[&str])] = &[
    (
        "Guides",
        &[
            "docs/guide/opencl.md",
            "docs/guide/graphics.md",
            "docs/guide/compiler.md",
            "docs/guide/emulator.md",
            "docs/guide/dxil.md",
            "docs/guide/build.md",
            "docs/guide/research.md",
        ],
    ),
    (
        "Inputs and outputs",
        &[
            "docs/front-ends.md",
            "docs/shading.md",
            "docs/dxil.md",
            "docs/dxil-operations.md",
            "docs/graph.md",
            "docs/linking.md",
            "docs/modules.md",
            "docs/launch.md",
            "docs/kernel-abi.md",
            "docs/opencl-std.md",
            "docs/machine-code.md",
            "docs/report.md",
        ],
    ),
    (
        "How it works",
        &[
            "ARCHITECTURE.md",
            "docs/structurize.md",
            "docs/policies.md",
            "docs/convergence.md",
            "docs/uniformity.md",
            "docs/control-tree.md",
            "docs/ir.md",
            "docs/ops.md",
            "docs/passes.md",
            "docs/optimization.md",
            "docs/code-motion.md",
            "docs/kernel-memory.md",
            "docs/interpreter.md",
            "docs/lanes.md",
            "docs/qpu.md",
            "docs/rules.md",
            "docs/extending.md",
        ],
    ),
    ("Tests and figures", &["docs/comparison.md", "docs/torture.md", "docs/bibliography.md"]),
    ("Words", &["docs/index-of-terms.md", "GLOSSARY.md"]),
    ("The project", &["CONTRIBUTING.md", "docs/release.md", "CHANGELOG.md"]),
];

const SETTINGS: &str = "[book]
title = \"Reconverge\"
language = \"en\"
src = \"pages\"

[build]
build-dir = \"../book\"

[output.html]
preferred-dark-theme = \"navy\"
no-section-label = true

[output.html.fold]
enable = true
level = 0

[output.html.search]
limit-results = 30
";

/// Writes the book.
pub(crate) fn book() -> Result<(), String> {
    let source = write_source()?;
    let Some(program) = find_program("mdbook") else {
        return Err(format!(
            "the pages are in {}, and mdbook, which makes a site of them, is not installed: cargo install mdbook --locked",
            relative(&source)
        ));
    };
    run(Command::new(program).arg("build").arg(&source))?;
    eprintln!("book: target/book/index.html");
    Ok(())
}

/// Writes the pages, with the list of them, and returns the folder.
fn write_source() -> Result<PathBuf, String> {
    let folder = root().join("target/book-source");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let pages = pages()?;
    for page in &pages {
        let text = fs::read_to_string(root().join(page)).map_err(|error| format!("{}: {error}", page.display()))?;
        write(&folder.join("pages").join(place(page)), rewritten(&text, page, &pages).as_bytes())?;
    }
    for image in files(Path::new("docs/images"))? {
        let bytes = fs::read(root().join(&image)).map_err(|error| format!("{}: {error}", image.display()))?;
        write(&folder.join("pages").join(place(&image)), &bytes)?;
    }
    write(&folder.join("pages/SUMMARY.md"), summary(&pages)?.as_bytes())?;
    write(&folder.join("book.toml"), SETTINGS.as_bytes())?;
    Ok(folder)
}

/// All pages, from the workspace root.
fn pages() -> Result<Vec<PathBuf>, String> {
    let mut pages = vec![PathBuf::from("README.md")];
    pages.extend(PARTS.iter().flat_map(|(_, pages)| *pages).map(PathBuf::from));
    for folder in ["docs/codes", "docs/concepts"] {
        pages.extend(files(Path::new(folder))?);
    }
    Ok(pages)
}

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(root().join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
    files.sort();
    Ok(files)
}

/// The place of a file in the book. mdBook makes the front page of a folder of its `index.md`.
fn place(file: &Path) -> PathBuf {
    let file = file.strip_prefix("docs").unwrap_or(file);
    if file.ends_with("README.md") { file.with_file_name("index.md") } else { file.to_owned() }
}

/// The list of the pages: guides first, then reference pages, then a page a code.
fn summary(pages: &[PathBuf]) -> Result<String, String> {
    let mut text = "# Summary\n\n[Reconverge](index.md)\n".to_owned();
    for (title, pages) in PARTS {
        text += &format!("\n# {title}\n\n");
        for page in *pages {
            text += &entry(Path::new(page), 0)?;
        }
    }
    text += "\n# Messages\n\n- [Words in messages]()\n";
    for page in pages.iter().filter(|page| page.starts_with("docs/concepts")) {
        text += &entry(page, 1)?;
    }
    let index = Path::new("docs/codes/README.md");
    text += &entry(index, 0)?;
    for page in pages.iter().filter(|page| page.starts_with("docs/codes") && *page != index) {
        text += &entry(page, 1)?;
    }
    Ok(text)
}

/// A line of the list, with the heading of the page.
fn entry(page: &Path, depth: usize) -> Result<String, String> {
    let text = fs::read_to_string(root().join(page)).map_err(|error| format!("{}: {error}", page.display()))?;
    let title = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or("page");
    let title = title.replace(['[', ']', '`'], "");
    Ok(format!("{:indent$}- [{title}]({})\n", "", place(page).display(), indent = 4 * depth))
}

/// A page with its links as they are in the book. Linear.
fn rewritten(text: &str, page: &Path, pages: &[PathBuf]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            out += line;
        } else if line.trim_start().starts_with('<') {
            out += &rewrite_html(line, page);
        } else {
            rewrite_line(&mut out, line, page, pages);
        }
    }
    out
}

/// A line of HTML with its images as they are in the book.
fn rewrite_html(line: &str, page: &Path) -> String {
    let up = "../".repeat(place(page).components().count() - 1);
    line.replace("\"docs/images/", &format!("\"{up}images/"))
}

fn rewrite_line(out: &mut String, line: &str, page: &Path, pages: &[PathBuf]) {
    let mut rest = line;
    while let Some((before, label, target, after)) = next_link(rest) {
        let is_image = before.ends_with('!');
        out.push_str(before);
        // Code spans have no links.
        if before.matches('`').count() % 2 == 1 {
            *out += &format!("[{label}]({target})");
            rest = after;
            continue;
        }
        match in_book(target, page, pages) {
            Some(target) => *out += &format!("[{label}]({target})"),
            None if is_image => *out += &format!("[{label}]({target})"),
            None => out.push_str(label),
        }
        rest = after;
    }
    out.push_str(rest);
}

/// The next link of a line: what is before it, its label, its target, and the rest.
fn next_link(line: &str) -> Option<(&str, &str, &str, &str)> {
    // The label of the first end may begin on the line before.
    let (middle, start) =
        line.match_indices("](").find_map(|(middle, _)| Some((middle, line[..middle].rfind('[')?)))?;
    let end = middle + 2 + line[middle + 2..].find(')')?;
    Some((&line[..start], &line[start + 1..middle], &line[middle + 2..end], &line[end + 1..]))
}

/// The target of a link in the book; none if it is a file without a page.
fn in_book(target: &str, page: &Path, pages: &[PathBuf]) -> Option<String> {
    if target.contains("://") || target.starts_with('#') {
        return Some(target.to_owned());
    }
    let (file, anchor) =
        target.split_once('#').map_or((target, String::new()), |(file, anchor)| (file, format!("#{anchor}")));
    let mut file = normalized(&page.parent().unwrap_or(Path::new("")).join(file));
    if file == Path::new("docs/codes") || file == Path::new("docs/concepts") {
        file = PathBuf::from("docs/codes/README.md");
    }
    let is_in_book = pages.contains(&file) || file.starts_with("docs/images");
    is_in_book.then(|| {
        let up = "../".repeat(place(page).components().count() - 1);
        format!("{up}{}{anchor}", place(&file).display())
    })
}

/// A path without `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().expect("invariant: a page is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, path: &str) -> String {
        let pages = ["README.md", "docs/graph.md", "docs/codes/F01.md", "docs/codes/README.md", "GLOSSARY.md"];
        rewritten(text, Path::new(path), &pages.map(PathBuf::from))
    }

    #[test]
    fn links_between_pages_lose_their_folders() {
        assert_eq!(
            page("see [graphs](docs/graph.md#plans), [x](https://a.b)", "README.md"),
            "see [graphs](graph.md#plans), [x](https://a.b)"
        );
        assert_eq!(
            page("[a](../graph.md) [b](../../README.md)", "docs/codes/F01.md"),
            "[a](../graph.md) [b](../index.md)"
        );
        assert_eq!(page("[words](../GLOSSARY.md), [here](#a)", "docs/graph.md"), "[words](GLOSSARY.md), [here](#a)");
        assert_eq!(page("![p](docs/images/p.svg)", "README.md"), "![p](images/p.svg)");
        assert_eq!(page("<img src=\"docs/images/p.png\">", "README.md"), "<img src=\"images/p.png\">");
        assert_eq!(page("[codes](docs/codes)", "README.md"), "[codes](codes/index.md)");
    }

    #[test]
    fn a_label_that_began_on_the_line_before_hides_no_link() {
        assert_eq!(
            page("of a label](docs/graph.md), [words](GLOSSARY.md)", "README.md"),
            "of a label](docs/graph.md), [words](GLOSSARY.md)"
        );
        assert_eq!(page("b](x) [graphs](docs/graph.md)", "README.md"), "b](x) [graphs](graph.md)");
        assert_eq!(page("code `[a](docs/graph.md)`", "README.md"), "code `[a](docs/graph.md)`");
    }

    #[test]
    fn what_has_no_page_is_no_link() {
        assert_eq!(page("the file [`a.rs`](../crates/a.rs).", "docs/graph.md"), "the file `a.rs`.");
        assert_eq!(page("```text\n[a](b.rs)\n```\n", "docs/graph.md"), "```text\n[a](b.rs)\n```\n");
    }

    /// Each page of `docs/` is in the book.
    #[test]
    fn the_book_has_every_page() {
        let pages = pages().expect("the folders are there");
        for folder in ["docs", "docs/guide"] {
            for file in files(Path::new(folder)).expect("the folder is there") {
                let is_page = file.extension().is_some_and(|extension| extension == "md");
                assert!(!is_page || pages.contains(&file), "{} is in no part of the book", file.display());
            }
        }
        assert!(pages.iter().all(|page| root().join(page).is_file()));
    }
}
