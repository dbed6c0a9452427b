//! `cargo xtask pictures`: the pictures of the report in `docs/images`, from pages of this project's own inputs.
//!
//! ```text
//! examples/, tests/ ── reconverge report ──▶ page ── headless Chromium, at the view of the address ──▶ docs/images/NAME.png
//! ```
//!
//! Look at the pictures before you commit them: another version of the browser draws other pixels, so that no test compares them. The pictures of
//! graphs (`.svg`) are of the command alone, and a test compares those.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask_setup::workspace::{find_program, output, relative, root};

use crate::programs::{self, Profile, Program};

/// Names under which Debian and others install the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The window in pixels.
const WINDOW: &str = "1200,700";

/// A picture of a page.
struct Picture {
    /// The file in `docs/images`, without `.png`.
    name: &'static str,
    /// The command that writes the page, without its output.
    page: &'static [&'static str],
    /// The view, as the address of the page holds it.
    view: &'static str,
}

const PICTURES: [Picture; 10] = [
    Picture {
        name: "report-lanes",
        page: &["report", "examples/search.spv", "--launch", "examples/search.json"],
        view: "pass=dce&beside=input&step=5&tab=lanes&zoom=0.45&theme=light",
    },
    Picture {
        name: "report-lanes-dark",
        page: &["report", "examples/search.spv", "--launch", "examples/search.json"],
        view: "pass=dce&beside=input&step=5&tab=lanes&zoom=0.45&theme=dark",
    },
    Picture {
        name: "report-why",
        page: &["report", "examples/gotos.spv"],
        view: "pass=structurize&since=remove_unreachable&tab=notes&theme=light",
    },
    Picture {
        name: "report-source",
        page: &["report", "examples/wave.comp"],
        view: "pass=partial_dce&colour=lanes&tab=source&theme=light",
    },
    Picture {
        name: "report-graph",
        page: &["report", "tests/kernels/strided_loops.spv"],
        view: "pass=gcm&colour=depth&zoom=0.7&theme=light",
    },
    Picture {
        name: "report-moves",
        page: &["report", "examples/wave.comp"],
        view: "pass=gcm&colour=cost&tab=notes&theme=light",
    },
    Picture {
        name: "report-difference",
        page: &["report", "examples/wave.comp"],
        view: "pass=gvn&since=loop_rotate&theme=light",
    },
    Picture {
        name: "report-output",
        page: &["report", "tests/kernels/barrier_break.spv"],
        view: "pass=gcm&colour=depth&tab=output&theme=light",
    },
    Picture {
        name: "report-texts",
        page: &["report", "examples/wave.comp"],
        view: "pass=gvn&since=sroa&tab=difference&theme=light",
    },
    Picture { name: "graph-page", page: &["graph", "examples/search.cfg"], view: "theme=light" },
];

/// Makes all pictures.
pub(crate) fn pictures() -> Result<(), String> {
    let browser = BROWSERS.iter().find_map(|name| find_program(name));
    let browser = browser.ok_or("there is no Chromium: run `cargo xtask setup`, or install the package chromium")?;
    let command = programs::build(Program::Binary("reconverge"), Profile::Tests)?;
    let folder = root().join("target").join("pictures");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", relative(&folder)))?;
    for picture in &PICTURES {
        let page = folder.join(picture.name).with_extension("html");
        // The page shows the command, which is to have no folder of this machine.
        let named = relative(&page);
        output(Command::new(&command).current_dir(root()).args(picture.page).args(["-o", &named]))?;
        println!("{}", relative(&take(&browser, picture, &page)?));
    }
    Ok(())
}

/// Makes a picture of a page.
fn take(browser: &Path, picture: &Picture, page: &Path) -> Result<PathBuf, String> {
    let image = root().join("docs/images").join(picture.name).with_extension("png");
    let mut run = Command::new(browser);
    run.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=10000"]);
    run.arg(format!("--window-size={WINDOW}")).arg(format!("--screenshot={}", image.display()));
    run.arg(format!("--user-data-dir={}", page.with_extension("profile").display()));
    output(run.arg(format!("file://{}#{}", page.display(), picture.view)))?;
    Ok(image)
}
