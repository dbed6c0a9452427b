//! Bytes to a module.
//!
//! Every result has its handle before any record is read: a kept number, or the next handle that is free. So a reference is one access to a
//! table, forwards as well as backwards, and each record is read and built once. A body is a flat list of records in which a zero goes back to
//! the parent, so that the nesting takes neither recursion nor a stack. Linear.

use reconverge_diagnostic::Diagnostic;
use smallvec::SmallVec;

use super::UnknownSection;
use super::archive::{Archive, Group};
use super::bytes::Bytes;
use super::decode::{Decoder, Progress, Record, Sink};
use super::error::{ErrorCode, Fault, fault};
use super::numbers::{RunReader, is_within_limit};
use super::reach::{Located, Positions};
use super::{GROUP, linkage};
use crate::storage::NONE;
use crate::{Inst, Module, Op, hoist};

/// The number of small words whose literals are in a table.
const SMALL: usize = 256;

/// Reads a module from its binary form.
///
/// # Errors
/// The first error, with its place. A returned module is well formed as data; the verifier checks whether it is valid.
pub fn read(bytes: &[u8]) -> Result<Module, Diagnostic> {
    Archive::open(bytes)?.read()
}

impl Archive<'_> {
    /// Reads the whole file.
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn read(&self) -> Result<Module, Diagnostic> {
        let mut build = Build::whole(self)?;
        build.module_record()?;
        let bodies = build.all_globals()?;
        for (body, container) in (0..).zip(bodies) {
            build.body(container, body)?;
        }
        build.check_linkage()?;
        let unknown = self.unknown_sections();
        build.sink.module.unknown_sections = unknown.collect::<Vec<UnknownSection>>();
        Ok(build.sink.module)
    }
}

/// Builds the module of these globals, which refer only to each other; returns the instruction of each as well.
pub(super) fn read_part(
    archive: &Archive<'_>,
    positions: Positions,
    part: &[(u32, Located)],
) -> Result<(Module, Vec<Inst>), Fault> {
    let mut build = Build::part(archive, positions, part);
    let mut insts = Vec::with_capacity(part.len());
    for &(global, place) in part {
        build.decoder.bytes = Bytes::new(archive.file, place.start as usize..archive.file.len());
        insts.push(build.global(global)?.0);
    }
    for (&(_, place), &inst) in part.iter().zip(&insts) {
        if let Some(body) = place.body {
            build.body(inst, body)?;
        }
    }
    Ok((build.sink.module, insts))
}

/// The handles of what references name, and the module so far.
pub(super) struct Handles<'a, 'b> {
    archive: &'a Archive<'b>,
    pub(super) module: Module,
    /// The literals of small words; [`NONE`] for those that were not used yet.
    small: [u32; SMALL],
    /// By global.
    pub(super) globals: Vec<u32>,
    /// By result, in the order of all bodies.
    pub(super) locals: Vec<u32>,
    /// The first result of the current body.
    first_local: usize,
    positions: Option<Positions>,
    /// The instruction for operands that are not in the module.
    missing: Option<u32>,
}

impl<'a, 'b> Handles<'a, 'b> {
    fn new(archive: &'a Archive<'b>, module: Module, positions: Option<Positions>) -> Handles<'a, 'b> {
        Handles {
            archive,
            module,
            small: [NONE; SMALL],
            globals: vec![0; archive.count as usize],
            locals: vec![0; archive.result_count() as usize],
            first_local: 0,
            positions,
            missing: None,
        }
    }

    /// The position of a global in the file.
    pub(super) fn locate(&mut self, global: u32) -> Result<Located, Fault> {
        let archive = self.archive;
        self.positions.get_or_insert_with(|| Positions::new(archive)).locate(archive, global)
    }
}

impl Sink for Handles<'_, '_> {
    #[inline]
    fn word(&mut self, word: u32) -> u32 {
        match self.small.get(word as usize) {
            Some(&literal) if literal != NONE => literal,
            _ => self.literal(Op::LiteralWords, &[word]),
        }
    }

    fn literal(&mut self, op: Op, words: &[u32]) -> u32 {
        let literal = hoist::literal(&mut self.module, op, words).0;
        if let (Op::LiteralWords, &[word]) = (op, words)
            && let Some(small) = self.small.get_mut(word as usize)
        {
            *small = literal;
        }
        literal
    }

    #[inline]
    fn global(&mut self, number: u32) -> Result<u32, Fault> {
        Ok(self.globals[number as usize])
    }

    #[inline]
    fn local(&mut self, number: u32) -> u32 {
        self.locals[self.first_local + number as usize]
    }

    fn foreign(&mut self, global: u32, number: u32) -> Result<Option<u32>, Fault> {
        let Some(body) = self.locate(global)?.body else { return Ok(None) };
        let archive = self.archive;
        let [first, end] = [body, body + 1].map(|body| archive.bodies[body as usize].first_result);
        Ok((number < end - first).then(|| self.locals[(first + number) as usize]))
    }

    fn missing(&mut self) -> u32 {
        *self.missing.get_or_insert_with(|| {
            let inst = self.module.storage.create(None, Op::Nop, NONE, &[]);
            self.module.storage.bury(inst);
            inst
        })
    }

    fn note(&mut self, op: Op, operands: &[Inst]) -> u32 {
        hoist::note(&mut self.module, op, operands).0
    }
}

/// Builds instructions from records.
pub(super) struct Build<'a, 'b> {
    archive: &'a Archive<'b>,
    pub(super) decoder: Decoder<'a>,
    pub(super) sink: Handles<'a, 'b>,
    /// The number of exports and imports that decorations have named.
    symbols: usize,
}

impl<'a, 'b: 'a> Build<'a, 'b> {
    /// For all globals, with the numbers that they keep.
    fn whole(archive: &'a Archive<'b>) -> Result<Build<'a, 'b>, Fault> {
        let mut numbers = RunReader::new(archive.numbers())?;
        let offset = numbers.offset();
        let (bound, results) = (numbers.bound(), archive.count as usize + archive.result_count() as usize);
        if !is_within_limit(bound, results) {
            let message = format!("expected at most 524,288 numbers and sixteen for each result, found {bound}");
            return Err(fault(offset, ErrorCode::Limit, message));
        }
        // What a byte usually is; more takes more memory, and nothing else.
        let length = archive.file.len();
        let mut module = Module::with_room(bound, results + length / 3, length);
        module.interned.reserve(length / 16);
        module.decorations.reserve(bound as usize, length / 24);
        let mut sink = Handles::new(archive, module, None);
        let mut free = sink.module.storage.records.len() as u32;
        let mut global = 0;
        for (index, &run) in archive.runs.iter().enumerate() {
            let handles = &mut sink.globals[global..global + run as usize];
            match index % 2 {
                0 => numbers.fill(handles, &mut free)?,
                _ => fill(handles, &mut free),
            }
            global += run as usize;
        }
        numbers.fill(&mut sink.locals, &mut free)?;
        numbers.expect_end()?;
        sink.module.storage.reserve_numbers(free);
        Ok(Build::new(archive, sink))
    }

    /// For some globals.
    pub(super) fn part(archive: &'a Archive<'b>, positions: Positions, part: &[(u32, Located)]) -> Build<'a, 'b> {
        let mut sink = Handles::new(archive, Module::new(), Some(positions));
        let mut free = sink.module.storage.records.len() as u32;
        for &(global, _) in part {
            sink.globals[global as usize] = free;
            free += 1;
        }
        for body in part.iter().filter_map(|(_, place)| place.body) {
            let [first, end] = [body, body + 1].map(|body| archive.bodies[body as usize].first_result as usize);
            for handle in &mut sink.locals[first..end] {
                *handle = free;
                free += 1;
            }
        }
        sink.module.storage.reserve_numbers(free);
        Build::new(archive, sink)
    }

    fn new(archive: &'a Archive<'b>, sink: Handles<'a, 'b>) -> Build<'a, 'b> {
        let decoder = Decoder::new(archive.global_bytes(), &archive.shapes, archive.count);
        Build { archive, decoder, sink, symbols: 0 }
    }

    /// Gives the module what hangs on it.
    fn module_record(&mut self) -> Result<(), Fault> {
        let (offset, root) = (self.archive.module_record.start, self.sink.module.root());
        if self.archive.module_record.is_empty() {
            return Ok(());
        }
        let globals = std::mem::replace(
            &mut self.decoder.bytes,
            Bytes::new(self.archive.file, self.archive.module_record.clone()),
        );
        let record = self.decoder.record(&mut Progress::before(0), &mut self.sink)?;
        self.decoder.bytes = globals;
        match record {
            None => Ok(()),
            Some(record) if record.op == Op::Module && self.decoder.operands.is_empty() => {
                self.hang(root);
                Ok(())
            }
            Some(record) => Err(misplaced(offset, record.op)),
        }
    }

    /// Reads all globals in order; returns the containers.
    fn all_globals(&mut self) -> Result<Vec<Inst>, Fault> {
        let archive = self.archive;
        let mut containers = Vec::with_capacity(archive.bodies.len());
        let (mut run, mut left) = (0, archive.runs.first().copied().unwrap_or(0));
        for global in 0..archive.count {
            let offset = self.decoder.bytes.offset();
            let (inst, record) = self.global(global)?;
            while left == 0 {
                run += 1;
                left = archive.runs[run];
            }
            left -= 1;
            if (run % 2 == 0) != record.traits.has_result {
                let message = format!("expected a run that says whether `{}` has a result", record.op.name());
                return Err(fault(offset, ErrorCode::Nesting, message));
            }
            if record.traits.is_container {
                containers.push(inst);
            }
            if (global + 1) % GROUP == 0 || global + 1 == archive.count {
                let next = archive.groups[(global / GROUP) as usize + 1];
                check_group_start(&self.decoder.bytes, containers.len() as u32, next)?;
            }
        }
        Ok(containers)
    }

    /// Reads the record at the cursor as a global.
    pub(super) fn global(&mut self, number: u32) -> Result<(Inst, Record), Fault> {
        let offset = self.decoder.bytes.offset();
        let record = self.decoder.record(&mut Progress::before(0), &mut self.sink)?;
        let record = record.ok_or_else(|| no_record(offset))?;
        let (handle, root) = (self.sink.globals[number as usize], self.sink.module.root());
        if record.traits.is_hoistable && record.traits.uses_locals {
            return Err(fault(offset, ErrorCode::Unique, "expected a type or constant beside its operands"));
        }
        let inst = self.create(offset, Some(handle), record, root)?;
        let module = &mut self.sink.module;
        match record.op {
            Op::Function if module.first_function.is_none() => module.first_function = Some(inst),
            Op::Undef if record.ty != NONE => module.undefs.entry(Inst(record.ty)).or_default().push(inst),
            _ => {}
        }
        let decorations = self.decoder.decorations.iter();
        let named = decorations.filter(|&&note| linkage::of_decoration(&self.sink.module, note).is_some());
        self.symbols += named.count();
        Ok((inst, record))
    }

    /// Reads the contents of a container.
    pub(super) fn body(&mut self, container: Inst, number: u32) -> Result<(), Fault> {
        let (bytes, results) = self.archive.body(number);
        self.decoder.bytes = bytes;
        self.sink.first_local = self.archive.bodies[number as usize].first_result as usize;
        let (mut progress, mut parent) = (Progress::before(results), container);
        while !self.decoder.bytes.is_at_end() {
            let offset = self.decoder.bytes.offset();
            let Some(record) = self.decoder.record(&mut progress, &mut self.sink)? else {
                if parent == container {
                    let message = "expected a record, found the end of a container that is not open";
                    return Err(fault(offset, ErrorCode::Nesting, message));
                }
                parent = self.sink.module.parent(parent).expect("invariant: a container in a body has a parent");
                continue;
            };
            let handle = match record.traits.has_result {
                true if progress.next == results => {
                    let message = format!("expected {results} results in this body, found more");
                    return Err(fault(offset, ErrorCode::Nesting, message));
                }
                true => Some(self.sink.local(progress.next)),
                false => None,
            };
            if record.traits.is_hoistable && !record.traits.uses_locals {
                let message = "expected a type or constant beside its operands";
                return Err(fault(offset, ErrorCode::Unique, message));
            }
            progress.next += u32::from(handle.is_some());
            let inst = self.create(offset, handle, record, parent)?;
            if record.traits.is_container {
                parent = inst;
            }
        }
        if parent != container || progress.next != results {
            let message = format!("expected the ends of all containers, and {results} results");
            return Err(fault(self.decoder.bytes.offset(), ErrorCode::Nesting, message));
        }
        Ok(())
    }

    /// Creates the instruction of a record, at the end of its parent.
    fn create(&mut self, offset: usize, handle: Option<u32>, record: Record, parent: Inst) -> Result<Inst, Fault> {
        if !record.traits.is_placed {
            return Err(misplaced(offset, record.op));
        }
        let storage = &mut self.sink.module.storage;
        if let Some(number) = handle.filter(|&handle| !storage.record(handle).is_vacant()) {
            let message = format!("expected each number once, found {number} again");
            return Err(fault(offset, ErrorCode::Number, message));
        }
        let inst = Inst(storage.create(handle, record.op, record.ty, &self.decoder.operands));
        storage.append_child(parent.0, inst.0);
        self.hang(inst);
        if record.traits.is_hoistable && !hoist::enlist(&mut self.sink.module, inst) {
            let message = format!("expected equal instructions once, found a second `{}`", record.op.name());
            return Err(fault(offset, ErrorCode::Unique, message));
        }
        Ok(inst)
    }

    /// Gives an instruction the decorations and the location of its record.
    fn hang(&mut self, inst: Inst) {
        let module = &mut self.sink.module;
        if !self.decoder.decorations.is_empty() {
            module.decorations.insert(inst, SmallVec::from_slice(&self.decoder.decorations));
        }
        if let Some(location) = self.decoder.location {
            module.locations.insert(inst, location);
        }
    }

    /// Compares the table of exports and imports with the decorations.
    fn check_linkage(&self) -> Result<(), Fault> {
        let module = &self.sink.module;
        let symbols = self.archive.symbols();
        let mut rest = symbols;
        let mut agrees = symbols.len() == self.symbols;
        let has_symbol = symbols.iter().map(|symbol| symbol.global).collect::<Vec<u32>>();
        for global in has_symbol.chunk_by(|one, other| one == other).map(|run| run[0]) {
            let inst = Inst(self.sink.globals[global as usize]);
            let decorations = module.decorations(inst).iter();
            for (name, linkage) in decorations.filter_map(|&note| linkage::of_decoration(module, note)) {
                let same = rest.first().is_some_and(|symbol| {
                    symbol.name == name
                        && (symbol.linkage, symbol.global, symbol.op) == (linkage, global, module.op(inst))
                });
                agrees &= same;
                rest = rest.get(1..).unwrap_or_default();
            }
        }
        match agrees && rest.is_empty() {
            true => Ok(()),
            false => {
                let message = "expected a table of exports and imports that agrees with the decorations";
                Err(fault(self.archive.linkage_offset(), ErrorCode::Linkage, message))
            }
        }
    }
}

/// Gives instructions the next free handles.
pub(super) fn fill(handles: &mut [u32], free: &mut u32) {
    handles.iter_mut().zip(*free..).for_each(|(handle, next)| *handle = next);
    *free += handles.len() as u32;
}

#[cold]
pub(super) fn no_record(offset: usize) -> Fault {
    fault(offset, ErrorCode::Nesting, "expected a record, found the end of a container")
}

#[cold]
fn misplaced(offset: usize, op: Op) -> Fault {
    fault(offset, ErrorCode::Op, format!("expected an op that can be here, found `{}`", op.name()))
}

/// Checks that a group ends where the next one starts.
pub(super) fn check_group_start(bytes: &Bytes<'_>, body: u32, next: Group) -> Result<(), Fault> {
    if bytes.offset() == next.start as usize && body == next.body {
        return Ok(());
    }
    let message = format!("expected a group of globals up to byte {} with its containers", next.start);
    Err(fault(bytes.offset(), ErrorCode::Length, message))
}
