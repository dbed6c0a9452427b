//! A module as bytes.
//!
//! Two walks over the module: the first numbers the globals and, in each body, the results; the second writes each instruction once, in
//! order, into the buffer of its section. Nothing that was written is changed later. The bytes depend on the order of instructions and not
//! on their handles, so equal modules are equal files, whatever edits led to them. Linear; no recursion.

use rustc_hash::FxHashMap;

use super::bytes;
use super::numbers::{RunWriter, is_within_limit};
use super::sections::{GREATEST_LENGTH, kind, write_header, write_sections};
use super::shape::{Kind, Kinds, Place, Shape};
use super::{GROUP, linkage};
use crate::literal::{text_bytes, text_words};
use crate::storage::NONE;
use crate::{Class, Inst, Line, Location, Module, Op};

/// A module as bytes.
///
/// Deterministic; linear. Operands that are not in the module, such as deleted instructions, become one deleted instruction. Numbers that are
/// kept ([`Module::with_numbers`]) are left out if over half a million are reserved, and over sixteen for each result.
///
/// # Panics
/// With more than 1 GiB of bytes, which are more instructions than a module of 32-bit handles can have operands for.
pub fn write(module: &Module) -> Vec<u8> {
    let mut writer = Writer::new(module);
    writer.globals();
    let mut bodies = Vec::new();
    bytes::push(&mut bodies, writer.bodies.len() as u32);
    for body in &writer.bodies {
        bytes::push(&mut bodies, body.length);
        bytes::push(&mut bodies, body.results);
    }
    let has_bodies = !writer.bodies.is_empty();
    bodies.append(&mut writer.body_bytes);
    let contents = [
        (kind::SHAPES, writer.shapes.finish()),
        (kind::GLOBALS, writer.global_bytes),
        (kind::LINKAGE, linkage::write(module)),
        (kind::BODIES, if has_bodies { bodies } else { Vec::new() }),
        (kind::NUMBERS, numbers(module, &writer.places)),
    ];
    let known = contents.iter().filter(|(_, bytes)| !bytes.is_empty()).map(|(kind, bytes)| (*kind, bytes.as_slice()));
    let unknown = module.unknown_sections().iter().map(|section| (section.kind, &*section.bytes));
    let mut out = Vec::new();
    write_header(&mut out);
    write_sections(&mut out, &known.chain(unknown).collect::<Vec<_>>());
    assert!(out.len() <= GREATEST_LENGTH, "a module takes at most 1 GiB in the binary form");
    out
}

/// The numbers that results keep; nothing if none are reserved.
fn numbers(module: &Module, places: &Places) -> Vec<u8> {
    let bound = module.number_bound();
    let globals = places.globals.iter().copied();
    let results = globals.filter(|&inst| module.op(inst).has_result()).chain(places.results.iter().copied());
    if bound == 0 || !is_within_limit(bound, results.clone().count()) {
        return Vec::new();
    }
    let mut runs = RunWriter::new(bound);
    results.for_each(|inst| runs.push((inst.index() < bound as usize).then_some(inst.0)));
    runs.finish()
}

/// The positions of instructions in the file.
struct Places {
    globals: Vec<Inst>,
    /// The results in bodies, in the order of the file.
    results: Vec<Inst>,
    /// By handle, the number of the global that it is or is in.
    global: Vec<u32>,
    /// By handle, the number in the body; [`NONE`] for globals and for what has no result.
    local: Vec<u32>,
}

impl Places {
    fn of(module: &Module) -> Places {
        let globals: Vec<Inst> = module.children(module.root()).collect();
        let mut places = Places {
            globals: Vec::new(),
            results: Vec::new(),
            global: vec![NONE; module.capacity()],
            local: vec![NONE; module.capacity()],
        };
        for (number, &global) in (0..).zip(&globals) {
            places.global[global.index()] = number;
            let mut next = 0;
            for inst in module.descendants(global).skip(1) {
                places.global[inst.index()] = number;
                if module.op(inst).has_result() {
                    places.local[inst.index()] = next;
                    places.results.push(inst);
                    next += 1;
                }
            }
        }
        places.globals = globals;
        places
    }
}

struct Body {
    length: u32,
    results: u32,
}

/// The part of a body that was written so far.
struct Progress {
    /// The number of the global; [`NONE`] for its own record.
    global: u32,
    /// The number of the next result.
    next: u32,
    location: Option<Location>,
}

impl Progress {
    fn record() -> Progress {
        Progress { global: NONE, next: 0, location: None }
    }
}

struct Writer<'m> {
    module: &'m Module,
    places: Places,
    shapes: ShapeTable,
    global_bytes: Vec<u8>,
    body_bytes: Vec<u8>,
    bodies: Vec<Body>,
    /// The parts of the current instruction after its shape.
    parts: Vec<u8>,
}

impl<'m> Writer<'m> {
    fn new(module: &'m Module) -> Writer<'m> {
        Writer {
            module,
            places: Places::of(module),
            shapes: ShapeTable::default(),
            global_bytes: Vec::new(),
            body_bytes: Vec::new(),
            bodies: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Writes the globals, and the body of each that is a container.
    fn globals(&mut self) {
        let module = self.module;
        let globals = self.places.globals.clone();
        bytes::push(&mut self.global_bytes, globals.len() as u32);
        self.plain_runs(&globals);
        self.module_record();
        let (mut records, mut groups) = (Vec::new(), Vec::new());
        for group in globals.chunks(GROUP as usize) {
            let (start, first_body) = (records.len(), self.bodies.len());
            for &global in group {
                self.record(&mut records, global, &mut Progress::record());
                if module.op(global).is_container() {
                    self.body(global);
                }
            }
            bytes::push(&mut groups, (records.len() - start) as u32);
            bytes::push(&mut groups, (self.bodies.len() - first_body) as u32);
        }
        self.global_bytes.extend(groups);
        self.global_bytes.extend(records);
    }

    /// Writes which globals have no result: the lengths of runs that alternate, the first of results.
    fn plain_runs(&mut self, globals: &[Inst]) {
        let has_result = |&inst: &Inst| self.module.op(inst).has_result();
        let mut lengths: Vec<u32> =
            if globals.first().is_some_and(|first| !has_result(first)) { vec![0] } else { vec![] };
        lengths.extend(globals.chunk_by(|one, other| has_result(one) == has_result(other)).map(|run| run.len() as u32));
        lengths.iter().for_each(|&length| bytes::push(&mut self.global_bytes, length));
    }

    /// Writes what hangs on the module itself: a zero if nothing does.
    fn module_record(&mut self) {
        let root = self.module.root();
        if self.module.decorations(root).is_empty() && self.module.explicit_location(root).is_none() {
            self.global_bytes.push(0);
            return;
        }
        let mut out = std::mem::take(&mut self.global_bytes);
        self.record(&mut out, root, &mut Progress::record());
        self.global_bytes = out;
    }

    /// Writes the contents of a container: a record for each instruction, and a zero after the contents of each that is itself a container.
    fn body(&mut self, container: Inst) {
        let module = self.module;
        let mut out = std::mem::take(&mut self.body_bytes);
        let start = out.len();
        let global = self.places.global[container.index()];
        let mut progress = Progress { global, next: 0, location: None };
        let mut current = module.first_child(container);
        let mut parent = container;
        loop {
            let Some(inst) = current else {
                if parent == container {
                    break;
                }
                out.push(0);
                current = module.next(parent);
                parent = module.parent(parent).expect("invariant: what is in a body has a parent");
                continue;
            };
            self.record(&mut out, inst, &mut progress);
            progress.next += u32::from(module.op(inst).has_result());
            current = match module.op(inst).is_container() {
                true => {
                    parent = inst;
                    module.first_child(inst)
                }
                false => module.next(inst),
            };
        }
        self.bodies.push(Body { length: (out.len() - start) as u32, results: progress.next });
        self.body_bytes = out;
    }

    /// Writes an instruction: the number of its shape and one more, its type, its operands, its decorations, its location.
    fn record(&mut self, out: &mut Vec<u8>, inst: Inst, progress: &mut Progress) {
        let module = self.module;
        self.parts.clear();
        let mut kinds = Kinds::new();
        kinds.push(match module.ty(inst) {
            Some(ty) => self.reference(ty, progress),
            None => Kind::Untyped,
        });
        for operand in module.operands(inst) {
            let kind = self.reference(operand, progress);
            kinds.push(kind);
        }
        let decorations = module.decorations(inst);
        let location = module.explicit_location(inst);
        let place = match location {
            None => Place::Absent,
            Some(_) if location == progress.location => Place::Same,
            Some(_) => Place::Own,
        };
        let shape = Shape { op: module.op(inst), decorations: decorations.len() as u32, place, kinds };
        bytes::push(out, self.shapes.number(shape) + 1);
        out.extend_from_slice(&self.parts);
        for &decoration in decorations {
            self.note(out, decoration, progress);
        }
        if let (Place::Own, Some(location)) = (place, location) {
            self.location(out, location, progress);
        }
    }

    /// Writes a decoration or position: the number of its shape, its operands.
    fn note(&mut self, out: &mut Vec<u8>, inst: Inst, progress: &Progress) {
        self.parts.clear();
        let mut kinds = Kinds::new();
        kinds.push(Kind::Untyped);
        for operand in self.module.operands(inst) {
            let kind = self.reference(operand, progress);
            kinds.push(kind);
        }
        let shape = Shape { op: self.module.op(inst), decorations: 0, place: Place::Absent, kinds };
        bytes::push(out, self.shapes.number(shape));
        out.extend_from_slice(&self.parts);
    }

    /// Writes a location: which parts it has, then these.
    fn location(&mut self, out: &mut Vec<u8>, location: Location, progress: &mut Progress) {
        let last = progress.location.and_then(|location| location.line);
        let same_file = matches!((location.line, last), (Some(line), Some(last)) if line.file == last.file);
        let flags = [location.line.is_some(), location.range.is_some(), location.scope.is_some(), same_file];
        out.push(flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag)));
        if let Some(Line { file, line, column }) = location.line {
            if !same_file {
                self.parts.clear();
                let kind = self.reference(file, progress);
                out.push(kind as u8);
                out.extend_from_slice(&self.parts);
            }
            bytes::push(out, bytes::fold(last.map_or(0, |last| last.line), line));
            bytes::push(out, column);
        }
        for position in location.range.into_iter().chain(location.scope) {
            self.note(out, position, progress);
        }
        progress.location = Some(location);
    }

    /// Appends a reference to the parts, and returns its kind.
    fn reference(&mut self, inst: Inst, progress: &Progress) -> Kind {
        let (module, out) = (self.module, &mut self.parts);
        let words = module.literal_words(inst);
        match (module.op(inst), words) {
            (Op::LiteralWords, &[word]) => {
                bytes::push(out, word);
                return Kind::Word;
            }
            (Op::LiteralWords, _) => {
                push_words(out, words);
                return Kind::Words;
            }
            (Op::LiteralText, _) => {
                let text = text_bytes(words);
                if text_words(&text) == words {
                    bytes::push_text(out, &text);
                    return Kind::Text;
                }
                push_words(out, words);
                return Kind::TextWords;
            }
            _ => {}
        }
        let (global, local) = (self.places.global[inst.index()], self.places.local[inst.index()]);
        match local {
            NONE if global == NONE || module.parent(inst) != Some(module.root()) => {
                out.push(0);
                Kind::Missing
            }
            NONE => {
                bytes::push(out, global);
                Kind::Global
            }
            _ if global != progress.global => {
                bytes::push(out, global);
                bytes::push(out, local);
                Kind::Foreign
            }
            _ if local < progress.next => {
                bytes::push(out, progress.next - local - 1);
                Kind::Back
            }
            _ => {
                bytes::push(out, local - progress.next);
                Kind::Forward
            }
        }
    }
}

fn push_words(out: &mut Vec<u8>, words: &[u32]) {
    bytes::push(out, words.len() as u32);
    words.iter().for_each(|&word| bytes::push(out, word));
}

/// The shapes so far, in order of first use.
#[derive(Default)]
struct ShapeTable {
    numbers: FxHashMap<Shape, u32>,
    out: Vec<u8>,
}

impl ShapeTable {
    /// The number of a shape.
    fn number(&mut self, shape: Shape) -> u32 {
        debug_assert!(!matches!(shape.op.class(), Class::Removed | Class::Literal));
        let fresh = self.numbers.len() as u32;
        *self.numbers.entry(shape).or_insert_with_key(|shape| {
            shape.write(&mut self.out);
            fresh
        })
    }

    /// The section.
    fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        bytes::push(&mut out, self.numbers.len() as u32);
        out.extend(self.out);
        out
    }
}
