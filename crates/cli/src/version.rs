//! `reconverge --version`, and `--version --json` for tools that need the version and its features.

use serde_json::{Value, json};

use crate::codes;

/// Name and version.
pub(crate) fn line() -> String {
    format!("reconverge {}\n", env!("CARGO_PKG_VERSION"))
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
