//! The bill of materials: every crate that the command is made of, as CycloneDX 1.5 in JSON, from what `cargo metadata` says.
//!
//! The crates are those that the package reaches by dependencies of its build for the target; dependencies for tests are none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The bill of a package of a workspace.
pub(crate) fn bill(metadata: &Value, package: &str, date: &str) -> Result<Value, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo metadata: no packages")?;
    let by_id: BTreeMap<&str, &Value> = packages.iter().filter_map(|own| Some((own["id"].as_str()?, own))).collect();
    let own = packages.iter().find(|own| own["name"] == package).ok_or(format!("there is no package {package}"))?;
    let edges = edges(metadata);
    let root = own["id"].as_str().ok_or("cargo metadata: a package without an id")?;
    let mut reached = BTreeSet::from([root]);
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let next = edges.get(id).into_iter().flatten().copied();
        open.extend(next.filter(|&id| reached.insert(id)));
    }
    let known = |id: &&str| by_id.get(id).copied();
    let mut components: Vec<Value> =
        reached.iter().filter(|&&id| id != root).filter_map(known).map(component).collect();
    components.sort_by_key(|component| component["bom-ref"].to_string());
    let reference = |id: &&str| known(id).map(reference_of);
    let mut dependencies: Vec<Value> = Vec::new();
    for id in &reached {
        let mut on: Vec<String> = edges.get(id).into_iter().flatten().filter_map(reference).collect();
        on.sort();
        dependencies.extend(reference(id).map(|own| json!({ "ref": own, "dependsOn": on })));
    }
    dependencies.sort_by_key(|dependency| dependency["ref"].to_string());
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "timestamp": format!("{date}T00:00:00Z"), "component": component_as(own, "application") },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// For each package the packages that its build needs, without those for tests.
fn edges(metadata: &Value) -> BTreeMap<&str, Vec<&str>> {
    let mut edges: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in metadata["resolve"]["nodes"].as_array().into_iter().flatten() {
        let is_built = |dependency: &&Value| {
            let mut kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            kinds.any(|kind| kind["kind"] != "dev")
        };
        let dependencies = node["deps"].as_array().into_iter().flatten().filter(is_built);
        let on = dependencies.filter_map(|dependency| dependency["pkg"].as_str()).collect();
        edges.extend(node["id"].as_str().map(|id| (id, on)));
    }
    edges
}

fn component(package: &Value) -> Value {
    component_as(package, "library")
}

fn component_as(package: &Value, kind: &str) -> Value {
    let text = |field: &str| package[field].as_str().unwrap_or_default();
    let mut component = json!({
        "type": kind,
        "bom-ref": reference_of(package),
        "name": text("name"),
        "version": text("version"),
        "purl": reference_of(package),
    });
    if let Some(license) = package["license"].as_str() {
        // Before SPDX, crates wrote a slash for `OR`.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ").replace("  ", " ") }]);
    }
    if let Some(description) = package["description"].as_str() {
        component["description"] = json!(description.trim());
    }
    component
}

/// The name of a package as a package URL.
fn reference_of(package: &Value) -> String {
    format!(
        "pkg:cargo/{}@{}",
        package["name"].as_str().unwrap_or_default(),
        package["version"].as_str().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `app` needs `lib`, which needs `leaf`; `app` needs `judge` for tests, and nothing needs `other`.
    fn metadata() -> Value {
        let license = "MIT/Apache-2.0";
        let package = |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": license });
        let on = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let packages = ["leaf", "lib", "judge", "other", "app"].map(package);
        json!({
            "packages": packages,
            "resolve": { "nodes": [
                { "id": "app", "deps": [on("lib", Value::Null), on("judge", json!("dev"))] },
                { "id": "lib", "deps": [on("leaf", json!("build"))] },
                { "id": "leaf", "deps": [] },
                { "id": "judge", "deps": [on("other", Value::Null)] },
            ] },
        })
    }

    #[test]
    fn the_bill_has_what_the_build_reaches_and_no_more() {
        let bill = bill(&metadata(), "app", "2026-11-29").unwrap();
        let names: Vec<&str> =
            bill["components"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["leaf", "lib"]);
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/app@1.0.0");
        assert_eq!(bill["metadata"]["timestamp"], "2026-11-29T00:00:00Z");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(
            bill["dependencies"][0],
            json!({ "ref": "pkg:cargo/app@1.0.0", "dependsOn": ["pkg:cargo/lib@1.0.0"] })
        );
    }

    #[test]
    fn a_package_that_does_not_exist_has_no_bill() {
        assert!(super::bill(&metadata(), "none", "2026-11-29").is_err());
    }
}
