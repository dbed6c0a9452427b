//! The report as data. Its JSON form is these structs, field by field; `docs/report.md` describes it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

use crate::lanes::Lanes;

/// The version of the JSON form. It grows when a field changes its meaning or vanishes.
pub const SCHEMA: u32 = 1;

/// The results of every pass over a module.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The tool and its version.
    pub tool: String,
    /// The command line.
    pub command: String,
    /// True if it is about a graph without instructions, before and after structurizing: the page shows both beside each other.
    pub is_graph: bool,
    /// The input.
    pub input: InputFile,
    /// The source of the shader, if the input is one or embeds one.
    pub source: Text,
    /// The module in the output format.
    pub output: Text,
    /// Lines of the text form, each once. Other lists hold indices into this.
    pub lines: Vec<String>,
    /// Blocks as some pass left them, each once.
    pub blocks: Vec<BlockVersion>,
    /// Functions as some pass left them, each once.
    pub functions: Vec<FunctionVersion>,
    /// Module-level lines as some pass left them, each list once.
    pub globals: Vec<Vec<u32>>,
    /// The input first, then the passes that ran, in order.
    pub passes: Vec<Pass>,
    /// The execution of lanes after some of the passes.
    pub lanes: Lanes,
    /// The images that the given launch writes.
    pub pictures: Vec<Picture>,
}

/// An image that a launch writes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Picture {
    /// The argument.
    pub name: String,
    /// The picture as PNG, in base64.
    pub png: String,
}

impl Picture {
    /// A picture of an argument, as a file of PNG. Linear in its bytes.
    pub fn new(name: String, png: &[u8]) -> Picture {
        Picture { name, png: BASE64.encode(png) }
    }
}

/// A file that was read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputFile {
    /// Its name as given.
    pub name: String,
    /// Its size.
    pub bytes: usize,
    /// A number that changes with its contents: FNV-1a of 64 bits, in hexadecimal.
    pub digest: String,
}

/// A named text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Text {
    /// The name of the file, or of the language.
    pub name: String,
    /// The lines; none if there is no text.
    pub lines: Vec<String>,
}

/// The module after a pass.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Pass {
    /// The name of the pass; `input` for the module as it was read.
    pub name: String,
    /// Its number among the optimizations, from 1.
    pub optimization: Option<usize>,
    /// True if it changed something.
    pub is_changed: bool,
    /// True if it failed: the module is what it left.
    pub is_failed: bool,
    /// Indices of [`Report::functions`], in the order of the module.
    pub functions: Vec<u32>,
    /// Index of [`Report::globals`].
    pub globals: u32,
    /// The number of blocks, without empty edge blocks.
    pub blocks: usize,
    /// The number of instructions in functions.
    pub instructions: usize,
    /// Notes about it.
    pub notes: Vec<Note>,
    /// By number in the text form, the text that is shown instead of it: a type, a constant, or a name of the source. Only what is not the same
    /// as after the pass before; empty where the number is shown again.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<u32, String>,
}

/// A function as a pass left it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct FunctionVersion {
    /// The name in the text form.
    pub name: String,
    /// Index of [`Report::lines`]: the head of the function.
    pub head: u32,
    /// The stage.
    pub stage: String,
    /// Width of the picture. All lengths are in pixels of the unscaled picture.
    pub width: u32,
    /// Height of the picture.
    pub height: u32,
    /// The blocks, in the order of the function.
    pub nodes: Vec<PlacedBlock>,
    /// The constructs, each after those around it.
    pub boxes: Vec<ConstructBox>,
    /// The edges.
    pub routes: Vec<Route>,
}

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Shape {
    /// Left.
    pub x: u32,
    /// Top.
    pub y: u32,
    /// Width.
    pub w: u32,
    /// Height.
    pub h: u32,
}

/// A block in a picture.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct PlacedBlock {
    /// Index of [`Report::blocks`].
    pub block: u32,
    /// Its position and size.
    pub shape: Shape,
}

/// A construct in a picture: a box around the blocks of its lists.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct ConstructBox {
    /// `if`, `switch`, `loop`, `scope`, `exit`, or the role of a list in it: `then`, `else`, `case`, `body`, `continue`, `join`.
    pub kind: String,
    /// The identity of the block that opens it.
    pub opener: u32,
    /// The number of boxes that are around it.
    pub depth: u32,
    /// Its position and size.
    pub shape: Shape,
}

/// An edge in a picture.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Route {
    /// Index of the node that it leaves.
    pub from: u32,
    /// Index of the node that it leads to.
    pub to: u32,
    /// The kind.
    pub kind: RouteKind,
    /// The condition, case or arguments.
    pub label: String,
    /// Corners, `x` and `y` in turn, each at a right angle to the one before.
    pub points: Vec<u32>,
}

/// The kind of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// To the next block, or into a construct.
    #[default]
    Next,
    /// To the merge block of a selection.
    Merge,
    /// Out of a loop.
    Break,
    /// To the continue target.
    Continue,
    /// To the header of a loop.
    Back,
    /// To the next case.
    FallThrough,
}

/// A block as a pass left it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct BlockVersion {
    /// Its identity: the same in all passes.
    pub id: u32,
    /// The name in the text form.
    pub name: String,
    /// True if it is an empty block of an edge.
    pub is_edge: bool,
    /// Indices of [`Report::lines`]: the head first, then the instructions.
    pub lines: Vec<u32>,
    /// For each line, the line of the source, from 1; 0 where unknown. Empty if all are unknown.
    pub source: Vec<u32>,
    /// The edges to its successors.
    pub edges: Vec<Edge>,
    /// Its roles in constructs.
    pub roles: Vec<Role>,
    /// The number of loops that are around it.
    pub loop_depth: u32,
    /// True if all lanes of a subgroup that entered the function, and are still in it, are in the block together.
    pub is_converged: bool,
    /// True if lanes that are in it together leave it in one direction.
    pub is_uniform: bool,
    /// The machine code that was made of it, in the order of the code; only in the state of the machine code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<BlockCode>,
}

/// The role of the instructions of a block itself, among the parts of its machine code.
pub const BODY: &str = "body";

/// A part of the machine code of a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct BlockCode {
    /// Its purpose for the block, in a word: [`BODY`], `lane loop`, `failed check` and so on.
    pub role: String,
    /// Indices of [`Report::lines`]: the assembly.
    pub lines: Vec<u32>,
}

impl BlockVersion {
    /// The lines that its picture shows: the head and the instructions, or in the state of the machine code the head and the assembly. If the
    /// assembly has other parts than the body, the role of each part is a line before it.
    pub fn shown<'r>(&'r self, lines: &'r [String]) -> Vec<Cow<'r, str>> {
        let text = |&line: &u32| Cow::Borrowed(lines[line as usize].as_str());
        if self.code.is_empty() {
            return self.lines.iter().map(text).collect();
        }
        let is_named = self.code.iter().any(|part| part.role != BODY);
        let name = |part: &BlockCode| is_named.then(|| Cow::Owned(format!("; {}", part.role)));
        let of_part = |part: &'r BlockCode| name(part).into_iter().chain(part.lines.iter().map(text));
        self.lines.first().map(text).into_iter().chain(self.code.iter().flat_map(of_part)).collect()
    }
}

/// An edge of a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Edge {
    /// The identity of the block that it leads to.
    pub to: u32,
    /// The condition or case; empty if there is none.
    pub label: String,
}

/// The role of a block in a construct.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The first block of the function.
    Entry,
    /// Opens a selection.
    Selection,
    /// Opens a switch.
    Switch,
    /// The block before a loop.
    Preheader,
    /// The first block of a loop.
    Header,
    /// The continue target.
    Continue,
    /// Leads back to the header.
    Latch,
    /// The merge block of a selection or a switch.
    Merge,
    /// The break block of a loop.
    Break,
}

/// Something to say about a pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// The kind.
    pub kind: NoteKind,
    /// The function, by its name in the text form; empty for the module.
    pub function: String,
    /// The block, by its name; empty if it is about none.
    pub block: String,
    /// The value, by its name; empty if it is about none.
    pub value: String,
    /// The code or the reason in a word.
    pub code: String,
    /// The sentence.
    pub text: String,
}

/// The kind of a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// The reason why the structurizer added a block.
    Why,
    /// The reason why code motion moved an instruction.
    Move,
    /// A finding of the verifier, or a diagnosis.
    Finding,
    /// The reason why the pass failed.
    Failure,
}
