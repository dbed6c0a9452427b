//! `reconverge --version`, and `--version --json` for tools that have to know what they talk to.

use serde_json::{Value, json};

/// Name and version.
pub(crate) fn line() -> String {
    format!("reconverge {}\n", env!("CARGO_PKG_VERSION"))
}

/// Version, build, formats and passes as one JSON object. Nothing in it depends on the machine it runs on.
pub(crate) fn object() -> Value {
    let formats = reconverge::Format::ALL.map(reconverge::Format::name);
    let passes: Vec<&str> = reconverge::pipeline::PASSES.iter().map(|pass| pass.name).collect();
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
        "passes": passes,
    })
}
