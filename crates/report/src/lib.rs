//! The report: what every pass made of a module, as one page for a browser and as JSON.
//!
//! ```text
//! module after each pass ─▶ Recorder ─▶ Report ─┬─▶ page: one HTML file, without network and frameworks
//!                           blocks, lines and   └─▶ JSON: the same data (docs/report.md)
//!                           pictures kept once
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `report.rs` | the data: passes, functions, blocks, pictures, notes |
//! | `recorder.rs` | makes it from a module after each pass; what a pass does not change is stored once |
//! | `names.rs` | texts that are shown instead of numbers: types, constants, names of the source |
//! | `lanes/` | what lanes do in the states of the module: runs, compared |
//! | `layout/` | pictures: constructs as nested boxes, blocks in the order of the source, edges at right angles |
//! | `page/` | the HTML file around the data |
//!
//! The bytes depend on the module, the passes and the notes alone: no times, no addresses, no order of a hash table.

pub mod lanes;
mod layout;
mod names;
mod page;
mod recorder;
mod report;

pub use recorder::{Change, CodePart, MACHINE_CODE, Recorder};
pub use report::{
    BODY, BlockCode, BlockVersion, ConstructBox, Edge, FunctionVersion, InputFile, Note, NoteKind, Pass, Picture,
    PlacedBlock, Report, Role, Route, RouteKind, SCHEMA, Shape, Text,
};
