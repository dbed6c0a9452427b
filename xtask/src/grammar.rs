//! `cargo xtask grammar`: writes the tables of requirements of `verify` from Khronos' grammar of SPIR-V.
//!
//! The grammar is `spirv.core.grammar.json` of SPIRV-Headers, which `setup` installs at a pinned release. Its rows give the version of an
//! instruction or enumerant, the capabilities that allow it and the extensions that add it. `verify` has them as tables in Rust, so that it
//! depends on no file: [`TABLES`] lists them. A test compares the tables with the grammar.
//!
//! An instruction or enumerant without requirements has no row, except in [`Rows::All`], where the name is used too. Where two names have
//! one number, the first counts: the others are aliases.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use xtask_setup::tools;
use xtask_setup::workspace::root;

/// A source file of tables.
struct File {
    /// From the workspace root.
    path: &'static str,
    /// The doc comment up to the explanation of a row.
    title: &'static str,
    tables: &'static [Table],
}

/// A table: the enumeration in the grammar, or `None` for the instructions.
struct Table {
    name: &'static str,
    kind: Option<&'static str>,
    rows: Rows,
    additions: &'static [Addition],
}

/// A capability that allows what another one allows, and that the grammar does not have in these rows.
struct Addition {
    capability: &'static str,
    beside: &'static str,
    reason: &'static str,
}

/// The entries of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Those with requirements.
    Restricted,
    All,
}

const fn table(name: &'static str, kind: &'static str) -> Table {
    Table { name, kind: Some(kind), rows: Rows::Restricted, additions: &[] }
}

const TABLES: &[File] = &[
    File {
        path: "crates/verify/src/requirements/instructions.rs",
        title: "The requirements of instructions: rows by opcode, in order.",
        tables: &[Table { name: "INSTRUCTIONS", kind: None, rows: Rows::Restricted, additions: &[] }],
    },
    File {
        path: "crates/verify/src/requirements/enumerants.rs",
        title: "The requirements of enumerants: one table for each enumeration, rows by number, in order.",
        tables: &[
            table("IMAGE_OPERANDS", "ImageOperands"),
            table("FP_FAST_MATH_MODE", "FPFastMathMode"),
            table("LOOP_CONTROL", "LoopControl"),
            table("FUNCTION_CONTROL", "FunctionControl"),
            table("MEMORY_ACCESS", "MemoryAccess"),
            table("EXECUTION_MODEL", "ExecutionModel"),
            table("ADDRESSING_MODEL", "AddressingModel"),
            table("MEMORY_MODEL", "MemoryModel"),
            table("EXECUTION_MODE", "ExecutionMode"),
            table("STORAGE_CLASS", "StorageClass"),
            table("DIM", "Dim"),
            table("IMAGE_FORMAT", "ImageFormat"),
            table("LINKAGE_TYPE", "LinkageType"),
            table("ACCESS_QUALIFIER", "AccessQualifier"),
            table("FUNCTION_PARAMETER_ATTRIBUTE", "FunctionParameterAttribute"),
            table("DECORATION", "Decoration"),
            table("BUILT_IN", "BuiltIn"),
            Table {
                additions: &[Addition {
                    capability: "Groups",
                    beside: "Kernel",
                    reason: "SPV_AMD_shader_ballot gives shaders group operations, which the grammar says of instructions alone",
                }],
                ..table("GROUP_OPERATION", "GroupOperation")
            },
            table("PACKED_VECTOR_FORMAT", "PackedVectorFormat"),
            table("FP_ENCODING", "FPEncoding"),
        ],
    },
    File {
        path: "crates/verify/src/requirements/capabilities.rs",
        title: "The requirements of capabilities, and the capabilities that they imply: rows by number, in order.",
        tables: &[Table { rows: Rows::All, ..table("CAPABILITIES", "Capability") }],
    },
];

/// The explanation of a row, and what the tables use.
const PREAMBLE: &str = "//!
//! `cargo xtask grammar` writes this file. A row is `need(number, name, version, capabilities, extensions)`, as in Khronos' grammar
//! (spirv.core.grammar.json of SPIRV-Headers), unless a comment above the rows says otherwise: the minor version of SPIR-V 1 that introduced
//! it, or `NEVER` if only an extension does; the capabilities of which one must be declared; the extensions that add it to earlier versions.

use spirv::Capability as C;

use super::{NEVER, Need, need};
";

/// Writes the tables.
pub(crate) fn grammar() -> Result<(), String> {
    tools::setup()?;
    for (path, text) in sources()? {
        fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// The files and their contents, as the installed grammar has them.
fn sources() -> Result<Vec<(&'static str, String)>, String> {
    let path = tools::grammar();
    let failed =
        |error: &dyn std::fmt::Display| format!("{}: {error}; `cargo xtask setup` installs it", path.display());
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let grammar: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    TABLES.iter().map(|file| Ok((file.path, source(file, &grammar)?))).collect()
}

fn source(file: &File, grammar: &Value) -> Result<String, String> {
    let mut text = format!("//! {}\n{PREAMBLE}", file.title);
    for table in file.tables {
        let (entries, is_mask) = match table.kind {
            None => (&grammar["instructions"], false),
            Some(kind) => {
                let of_kind = |candidate: &&Value| candidate["kind"] == kind;
                let found = grammar["operand_kinds"].as_array().into_iter().flatten().find(of_kind);
                let found = found.ok_or_else(|| format!("the grammar has no enumeration {kind}"))?;
                (&found["enumerants"], found["category"] == "BitEnum")
            }
        };
        let rows = rows(entries, table)?;
        let name = table.name;
        write!(text, "\n#[rustfmt::skip]\npub(super) static {name}: &[Need] = &[\n").expect("infallible: a string");
        for Addition { capability, beside, reason } in table.additions {
            let comment = format!("    // `{capability}` beside `{beside}` is not in the grammar: {reason}.");
            writeln!(text, "{comment}").expect("infallible: a string");
        }
        for (number, row) in rows {
            let number = if is_mask { format!("{number:#x}") } else { number.to_string() };
            writeln!(text, "    need({number}, {row},").expect("infallible: a string");
        }
        text.push_str("];\n");
    }
    Ok(text)
}

/// The rows of a table after their numbers.
fn rows(entries: &Value, table: &Table) -> Result<BTreeMap<u32, String>, String> {
    let mut rows = BTreeMap::new();
    let mut add = |entry: &Value| {
        let number = number_of(entry)?;
        let requirements = requirements(entry, table.additions);
        if table.rows == Rows::All || !requirements.is_none() {
            let name = entry["opname"].as_str().or(entry["enumerant"].as_str())?;
            rows.entry(number).or_insert_with(|| requirements.row(name));
        }
        Some(())
    };
    let entries = entries.as_array().ok_or_else(|| format!("{} has no entries in the grammar", table.name))?;
    entries.iter().try_for_each(|entry| add(entry).ok_or_else(|| format!("{}: {entry}", table.name)))?;
    Ok(rows)
}

/// The number of an instruction, a value or a mask.
fn number_of(entry: &Value) -> Option<u32> {
    let number = if entry["opcode"].is_null() { &entry["value"] } else { &entry["opcode"] };
    match number.as_str() {
        Some(mask) => u32::from_str_radix(mask.strip_prefix("0x")?, 16).ok(),
        None => u32::try_from(number.as_u64()?).ok(),
    }
}

struct Requirements {
    /// The minor version of SPIR-V 1, or `NEVER`.
    since: String,
    until: Option<String>,
    capabilities: Vec<String>,
    extensions: Vec<String>,
}

fn requirements(entry: &Value, additions: &[Addition]) -> Requirements {
    let minor = |version: &str| version.rsplit('.').next().unwrap_or_default().to_owned();
    let list = |name: &str| -> Vec<String> {
        entry[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut capabilities = list("capabilities");
    for addition in additions {
        if let Some(index) = capabilities.iter().position(|capability| capability == addition.beside) {
            capabilities.insert(index + 1, addition.capability.to_owned());
        }
    }
    Requirements {
        since: match entry["version"].as_str() {
            None => "0".to_owned(),
            Some("None") => "NEVER".to_owned(),
            Some(version) => minor(version),
        },
        until: entry["lastVersion"].as_str().map(minor),
        capabilities,
        extensions: list("extensions"),
    }
}

impl Requirements {
    fn is_none(&self) -> bool {
        self.since == "0" && self.until.is_none() && self.capabilities.is_empty() && self.extensions.is_empty()
    }

    /// The row after its number.
    fn row(&self, name: &str) -> String {
        let capabilities: Vec<String> = self.capabilities.iter().map(|name| format!("C::{name}")).collect();
        let extensions: Vec<String> = self.extensions.iter().map(|name| format!("{name:?}")).collect();
        let until = self.until.as_ref().map(|until| format!(".until({until})")).unwrap_or_default();
        let since = &self.since;
        format!("{name:?}, {since}, &[{}], &[{}]){until}", capabilities.join(", "), extensions.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_grammar() {
        for (path, text) in sources().unwrap() {
            let written = fs::read_to_string(root().join(path)).unwrap();
            let differing = written.lines().zip(text.lines()).position(|(written, wanted)| written != wanted);
            assert!(written == text, "{path}:{}: `cargo xtask grammar` writes it again", differing.unwrap_or(0) + 1);
        }
    }

    #[test]
    fn a_table_has_a_row_for_each_number_and_first_names_count() {
        let grammar = serde_json::json!({"operand_kinds": [{"category": "BitEnum", "kind": "Kind", "enumerants": [
            {"enumerant": "Free", "value": "0x1"},
            {"enumerant": "New", "value": "0x10", "version": "1.4", "lastVersion": "1.5", "capabilities": ["Shader"]},
            {"enumerant": "Alias", "value": "0x10", "version": "1.4"},
            {"enumerant": "Extended", "value": "0x8", "version": "None", "extensions": ["SPV_X"]},
        ]}]});
        let entries = &grammar["operand_kinds"][0]["enumerants"];
        let rows: Vec<(u32, String)> = rows(entries, &table("KIND", "Kind")).unwrap().into_iter().collect();
        assert_eq!(
            rows,
            [
                (8, "\"Extended\", NEVER, &[], &[\"SPV_X\"])".to_owned()),
                (16, "\"New\", 4, &[C::Shader], &[]).until(5)".to_owned()),
            ]
        );
        const ADDITION: Addition = Addition { capability: "Groups", beside: "Shader", reason: "a reason" };
        const KIND: &[Table] = &[Table { additions: &[ADDITION], ..table("KIND", "Kind") }];
        const OTHER: &[Table] = &[table("OTHER", "Other")];
        let file = File { path: "", title: "A title.", tables: KIND };
        let text = source(&file, &grammar).unwrap();
        let above =
            "= &[\n    // `Groups` beside `Shader` is not in the grammar: a reason.\n    need(0x8, \"Extended\"";
        assert!(text.contains(above) && text.contains("&[C::Shader, C::Groups]"), "{text}");
        let absent = File { path: "", title: "", tables: OTHER };
        assert_eq!(source(&absent, &grammar).unwrap_err(), "the grammar has no enumeration Other");
    }
}
