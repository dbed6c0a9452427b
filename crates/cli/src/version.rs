//! `reconverge --version`, and `--version --json` for tools that need the version and its features.

use serde_json::{Value, json};

use crate::codes;

/// The commit; empty if the build did not know it. A build for development may be of a later one: `build.rs` says why.
const COMMIT: &str = env!("RECONVERGE_COMMIT");

/// The date of the commit, or that of `SOURCE_DATE_EPOCH`; empty if the build did not know it.
const DATE: &str = env!("RECONVERGE_DATE");

/// Name and version, commit and date.
pub(crate) fn line() -> String {
    let exactness = if cfg!(debug_assertions) { " or later, for development" } else { "" };
    match [COMMIT, DATE].map(known) {
        [None, None] => format!("reconverge {}\n", env!("CARGO_PKG_VERSION")),
        known => {
            let known: Vec<&str> = known.into_iter().flatten().collect();
            format!("reconverge {} ({}{exactness})\n", env!("CARGO_PKG_VERSION"), known.join(" "))
        }
    }
}

fn known(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

/// The version and the features of this build, as one JSON object. It does not depend on the machine.
pub(crate) fn object() -> Value {
    let formats: Vec<&str> = reconverge::Format::all().map(reconverge::Format::name).collect();
    let passes: Vec<&str> = reconverge::pipeline::all().map(|pass| pass.name).collect();
    let targets: Vec<&str> = reconverge::Target::all().map(reconverge::Target::name).collect();
    let levels = reconverge::pipeline::Level::ALL.map(reconverge::pipeline::Level::name);
    let policies = reconverge::structurize::Policy::ALL.map(reconverge::structurize::Policy::name);
    let drivers: Vec<&str> = reconverge::opencl::Driver::all().map(reconverge::opencl::Driver::name).collect();
    json!({
        "name": "reconverge",
        "version": env!("CARGO_PKG_VERSION"),
        "commit": known(COMMIT),
        "date": known(DATE),
        "build": {
            "architecture": std::env::consts::ARCH,
            "system": std::env::consts::OS,
            "profile": if cfg!(debug_assertions) { "debug" } else { "release" },
        },
        "spirv_versions": ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"],
        "formats": formats,
        "targets": targets,
        "levels": levels,
        "policies": policies,
        "drivers": drivers,
        "passes": passes,
        "codes": codes::names(),
        "exit_codes": { "done": 0, "rejected": 1, "usage": 2, "unsupported": 3, "limit": 4, "internal": 70, "io": 75 },
    })
}
