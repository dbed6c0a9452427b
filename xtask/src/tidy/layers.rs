//! Layers: a crate depends only on what the layers table of ARCHITECTURE.md allows, and the crates that a program embeds need no engine.
//!
//! ```text
//! | crate    | layer | names          | …        names: `lower layers`, `nothing`, `anything`,
//! | `graph`  | 0     | nothing        | …               or the crates, in code spans
//! | `verify` | 2     | `ir`           | …        layer: a number, or `tool` for what stands beside
//! ```
//!
//! A tool may be named only in `[dev-dependencies]`, and those are otherwise free: tests may use any lower layer. The dependency table
//! there gives the reason for each external crate; a crate without a row, and a row without its crate, are errors.

use std::path::Path;

use serde_json::Value;

use super::Finding;
use super::markdown::{code_spans, table};
use super::source::Source;
use xtask_setup::workspace::{cargo, output, relative};

const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// A row of the layers table. `layer` is `None` for a tool.
struct Layer<'a> {
    line: usize,
    name: &'a str,
    layer: Option<u32>,
    names: Names<'a>,
}

enum Names<'a> {
    LowerLayers,
    Anything,
    Only(Vec<&'a str>),
}

/// A package of the workspace, named by its folder.
struct Package {
    name: String,
    manifest: String,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    /// The folder's name for a crate of ours, the package's name for one from elsewhere.
    name: String,
    is_ours: bool,
    is_for_tests: bool,
}

/// Compares what cargo knows of the workspace with the two tables of ARCHITECTURE.md.
pub(super) fn check(source: &Source) -> Result<Vec<Finding>, String> {
    let Some(page) = source.file(ARCHITECTURE) else {
        return Err(format!("{ARCHITECTURE} is missing; its tables say what a crate may name"));
    };
    let metadata = output(&mut cargo(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = packages(&metadata).ok_or("cargo metadata: not of the expected form")?;
    let mut findings = check_layers(&packages, &page.text);
    findings.extend(check_reasons(&packages, &page.text));
    findings.extend(check_embedding(&packages));
    Ok(findings)
}

/// Crates that a program embeds.
const EMBEDDED: [&str; 3] = ["reconverge", "codegen", "structurize"];

/// Crates that such a program must not build: checkers that run programs, and what calls a device.
const NOT_EMBEDDED: [&str; 4] = ["interpret", "qpu-emulate", "run", "ash"];

/// Checks that the crates of [`EMBEDDED`] need none of [`NOT_EMBEDDED`], through any number of crates and with any features.
fn check_embedding(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for root in packages.iter().filter(|package| EMBEDDED.contains(&package.name.as_str())) {
        let mut reached = vec![root];
        let mut next = 0;
        while let Some(&package) = reached.get(next) {
            next += 1;
            for dependency in package.dependencies.iter().filter(|dependency| !dependency.is_for_tests) {
                if NOT_EMBEDDED.contains(&dependency.name.as_str()) {
                    let message =
                        format!("needs `{}` through `{}`: a program embeds it", dependency.name, package.name);
                    findings.push(Finding::error(&root.manifest, 1, message));
                }
                let ours = packages.iter().find(|other| dependency.is_ours && other.name == dependency.name);
                if let Some(ours) = ours.filter(|ours| reached.iter().all(|known| known.name != ours.name)) {
                    reached.push(ours);
                }
            }
        }
    }
    findings
}

fn packages(metadata: &Value) -> Option<Vec<Package>> {
    metadata["packages"].as_array()?.iter().map(package).collect()
}

fn package(entry: &Value) -> Option<Package> {
    let manifest = Path::new(entry["manifest_path"].as_str()?);
    let dependencies = entry["dependencies"].as_array()?.iter().map(dependency).collect::<Option<_>>()?;
    Some(Package { name: folder_name(manifest.parent()?), manifest: relative(manifest), dependencies })
}

fn dependency(entry: &Value) -> Option<Dependency> {
    let path = entry["path"].as_str();
    let name = match path {
        Some(path) => folder_name(Path::new(path)),
        None => entry["name"].as_str()?.to_owned(),
    };
    Some(Dependency { name, is_ours: path.is_some(), is_for_tests: entry["kind"] == "dev" })
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn check_layers(packages: &[Package], page: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let layers = layers(page, &mut findings);
    for package in packages {
        let Some(own) = layers.iter().find(|layer| layer.name == package.name) else {
            findings.push(Finding::error(
                &package.manifest,
                1,
                format!("no row in the layers table of {ARCHITECTURE}"),
            ));
            continue;
        };
        for dependency in
            package.dependencies.iter().filter(|dependency| dependency.is_ours && !dependency.is_for_tests)
        {
            let other = layers.iter().find(|layer| layer.name == dependency.name);
            if let Some(fault) = fault(own, &dependency.name, other.and_then(|other| other.layer)) {
                findings.push(Finding::error(&package.manifest, 1, fault));
            }
        }
    }
    let gone = layers.iter().filter(|layer| packages.iter().all(|package| package.name != layer.name));
    findings.extend(
        gone.map(|layer| Finding::error(ARCHITECTURE, layer.line, format!("there is no crate `{}`", layer.name))),
    );
    findings
}

/// The reason why `own` may not name `other`, which is on that layer.
fn fault(own: &Layer<'_>, other: &str, other_layer: Option<u32>) -> Option<String> {
    if matches!(own.names, Names::Anything) {
        return None;
    }
    let Some(other_layer) = other_layer else {
        return Some(format!("names the tool `{other}` outside of dev-dependencies"));
    };
    if let Some(layer) = own.layer.filter(|&layer| other_layer >= layer) {
        return Some(format!("stands on layer {layer} and names `{other}` on layer {other_layer}"));
    }
    match &own.names {
        Names::Only(granted) if !granted.contains(&other) => {
            Some(format!("names `{other}`, which the layers table does not grant it"))
        }
        _ => None,
    }
}

fn layers<'a>(page: &'a str, findings: &mut Vec<Finding>) -> Vec<Layer<'a>> {
    let mut layers = Vec::new();
    for (line, row) in table(page, "crate") {
        let (Some(name), Some(&layer), Some(&names)) = (code_spans(row[0]).next(), row.get(1), row.get(2)) else {
            findings.push(Finding::error(ARCHITECTURE, line, "a row is crate, layer, names"));
            continue;
        };
        let names = match names {
            "lower layers" => Names::LowerLayers,
            "anything" => Names::Anything,
            "nothing" => Names::Only(Vec::new()),
            listed => Names::Only(code_spans(listed).collect()),
        };
        match (layer, layer.parse()) {
            ("tool", _) => layers.push(Layer { line, name, layer: None, names }),
            (_, Ok(number)) => layers.push(Layer { line, name, layer: Some(number), names }),
            (_, Err(_)) => findings.push(Finding::error(ARCHITECTURE, line, "a layer is a number or `tool`")),
        }
    }
    if layers.is_empty() {
        findings.push(Finding::error(ARCHITECTURE, 1, "no layers table: its first heading is `crate`"));
    }
    layers
}

fn check_reasons(packages: &[Package], page: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rows = table(page, "dependency");
    let names: Vec<(usize, &str)> =
        rows.iter().flat_map(|(line, row)| code_spans(row[0]).map(|name| (*line, name))).collect();
    for (line, row) in &rows {
        if row.last().is_none_or(|reason| reason.is_empty()) {
            findings.push(Finding::error(ARCHITECTURE, *line, "a dependency without its reason"));
        }
    }
    for package in packages {
        for dependency in package.dependencies.iter().filter(|dependency| !dependency.is_ours) {
            if names.iter().all(|(_, name)| *name != dependency.name) {
                let message = format!("`{}` has no row in the dependency table of {ARCHITECTURE}", dependency.name);
                findings.push(Finding::error(&package.manifest, 1, message));
            }
        }
    }
    let is_used = |name: &str| packages.iter().flat_map(|package| &package.dependencies).any(|one| one.name == name);
    let idle = names.iter().filter(|(_, name)| !is_used(name));
    findings
        .extend(idle.map(|(line, name)| Finding::error(ARCHITECTURE, *line, format!("nothing depends on `{name}`"))));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
| crate | layer | names | holds |
|---|---|---|---|
| `graph` | 0 | nothing | graphs |
| `ir` | 1 | lower layers | the program |
| `verify` | 2 | `ir` | a witness |
| `analysis` | 2 | `ir`, `graph` | facts |
| `testing` | tool | anything | generators |

| dependency | used by | reason |
|---|---|---|
| `smallvec` | ir | short lists |
";

    fn package(name: &str, dependencies: &[(&str, bool, bool)]) -> Package {
        let dependency = |&(name, is_ours, is_for_tests): &(&str, bool, bool)| Dependency {
            name: name.to_owned(),
            is_ours,
            is_for_tests,
        };
        Package {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    /// A workspace in order, except for what `name` depends on.
    fn messages(name: &str, dependencies: &[(&str, bool, bool)]) -> Vec<String> {
        let mut packages: Vec<Package> =
            ["graph", "ir", "verify", "analysis", "testing"].iter().map(|name| package(name, &[])).collect();
        packages[1] = package("ir", &[("smallvec", false, false)]);
        packages.retain(|package| package.name != name);
        packages.push(package(name, dependencies));
        let mut findings = check_layers(&packages, PAGE);
        findings.extend(check_reasons(&packages, PAGE));
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn what_the_table_grants_passes() {
        let none: [String; 0] = [];
        assert_eq!(messages("verify", &[("ir", true, false)]), none);
        assert_eq!(messages("verify", &[("analysis", true, true), ("testing", true, true)]), none);
        assert_eq!(messages("analysis", &[("ir", true, false), ("graph", true, false)]), none);
        assert_eq!(messages("testing", &[("verify", true, false), ("analysis", true, false)]), none);
    }

    #[test]
    fn names_out_of_reach_are_errors() {
        let one = |name, other| messages(name, &[(other, true, false)]);
        assert_eq!(one("verify", "graph"), ["names `graph`, which the layers table does not grant it"]);
        assert_eq!(one("verify", "analysis"), ["stands on layer 2 and names `analysis` on layer 2"]);
        assert_eq!(one("graph", "ir"), ["stands on layer 0 and names `ir` on layer 1"]);
        assert_eq!(one("analysis", "testing"), ["names the tool `testing` outside of dev-dependencies"]);
    }

    #[test]
    fn what_a_program_embeds_runs_nothing() {
        let packages = |of_codegen| {
            [
                package("reconverge", &[("codegen", true, false), ("run", true, true)]),
                package("codegen", &[("qpu", true, false)]),
                package("qpu", &[(of_codegen, true, false)]),
            ]
        };
        assert!(check_embedding(&packages("ir")).is_empty());
        let messages: Vec<String> =
            check_embedding(&packages("qpu-emulate")).into_iter().map(|finding| finding.message).collect();
        let expected = "needs `qpu-emulate` through `qpu`: a program embeds it";
        assert_eq!(messages, [expected, expected]);
    }

    #[test]
    fn both_tables_must_be_complete_and_current() {
        let unknown = messages("new", &[]);
        assert_eq!(unknown, [format!("no row in the layers table of {ARCHITECTURE}")]);
        assert_eq!(
            messages("graph", &[("rayon", false, true)]),
            [format!("`rayon` has no row in the dependency table of {ARCHITECTURE}")]
        );
        assert_eq!(messages("ir", &[]), ["nothing depends on `smallvec`"]);
        let packages = [package("ir", &[("smallvec", false, false)])];
        assert_eq!(check_layers(&packages, PAGE).len(), 4);
    }

    #[test]
    fn packages_are_read_from_what_cargo_prints() {
        let metadata = serde_json::json!({ "packages": [{
            "name": "reconverge-ir", "manifest_path": "/w/crates/ir/Cargo.toml",
            "dependencies": [
                { "name": "reconverge-graph", "path": "/w/crates/graph", "kind": null },
                { "name": "tempfile", "kind": "dev" },
            ],
        }]});
        let packages = packages(&metadata).unwrap();
        let dependencies: Vec<_> = packages[0]
            .dependencies
            .iter()
            .map(|dependency| (dependency.name.as_str(), dependency.is_ours, dependency.is_for_tests))
            .collect();
        assert_eq!(packages[0].name, "ir");
        assert_eq!(dependencies, [("graph", true, false), ("tempfile", false, true)]);
    }
}
