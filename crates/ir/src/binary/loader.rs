//! A module that grows: globals of a file are created when they are requested.
//!
//! ```text
//! load %f    head of %f     names %u32, %g  ─▶ heads of both     an instruction with decorations, location, and an empty body
//!            body of %f     names %v        ─▶ head of %v, and of what that names …
//! ```
//!
//! A worklist: a record is read once for what it refers to, which gets handles, and once to be created. What an instruction names is there
//! when it was loaded, except for the contents of containers; the contents of an interface are there as soon as something names a part of
//! it. Handles are given in the order in which globals are met, so the module has only those that were requested. The tables by global are
//! zeros from the system, of which only the pages that are used exist. Linear in what is loaded, except for the groups in which it is
//! found.

use reconverge_diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use super::GROUP;
use super::archive::{Archive, Body};
use super::bytes::Bytes;
use super::decode::{Decoder, Pass, Progress};
use super::error::Fault;
use super::named::Named;
use super::reach::Positions;
use super::reader::{Build, fill, no_record};
use crate::{Inst, Module, Op};

/// The loaded parts of a global, as bits.
mod state {
    /// It has a handle.
    pub(super) const KNOWN: u8 = 1;
    /// It is an instruction.
    pub(super) const CREATED: u8 = 2;
    /// The results in its body have handles.
    pub(super) const OPENED: u8 = 4;
    /// It has its contents.
    pub(super) const FILLED: u8 = 8;
}

/// Creates the globals of a file on demand. See [`Archive::loader`].
pub struct Loader<'a, 'b> {
    archive: &'a Archive<'b>,
    build: Build<'a, 'b>,
    states: Vec<u8>,
    globals: FxHashMap<Inst, u32>,
}

/// A global to load.
#[derive(Clone, Copy)]
struct Wanted {
    global: u32,
    with_body: bool,
}

impl<'b> Archive<'b> {
    /// A module without contents, to which globals of the file are added as they are requested.
    ///
    /// ```
    /// use reconverge_ir::{binary, text};
    ///
    /// let module = text::parse("%u32 = type_int 32, 0\n%used: %u32 = constant 7\n%unused: %u32 = constant 8\n")?;
    /// let bytes = binary::write(&module);
    /// let archive = binary::Archive::open(&bytes)?;
    /// let mut loader = archive.loader();
    /// let used = loader.load(1)?;
    /// assert_eq!(loader.module().constant_bits(used), Some(7));
    /// assert_eq!(loader.module().children(loader.module().root()).count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn loader(&self) -> Loader<'_, 'b> {
        Loader {
            archive: self,
            build: Build::part(self, Positions::new(self), &[]),
            states: vec![0; self.count as usize],
            globals: FxHashMap::default(),
        }
    }

    /// The globals with an op, in order. Linear in the globals if the file has such an instruction anywhere, and in its shapes otherwise.
    ///
    /// # Errors
    /// A global cannot be read.
    pub fn globals_with(&self, op: Op) -> Result<Vec<u32>, Diagnostic> {
        let mut found = Vec::new();
        if self.shapes.has(op) {
            for group in 0..self.group_count() {
                self.ops_of_group(group, |global, other| {
                    if other == op {
                        found.push(global);
                    }
                })?;
            }
        }
        Ok(found)
    }

    /// The first function among the globals. Linear in the groups of globals, and in those with containers before it.
    ///
    /// # Errors
    /// A global cannot be read.
    pub fn first_function(&self) -> Result<Option<u32>, Diagnostic> {
        let has_body = |group: &u32| self.groups[*group as usize].body != self.groups[*group as usize + 1].body;
        for group in (0..self.group_count()).filter(has_body) {
            let mut first = None;
            self.ops_of_group(group, |global, op| {
                first = first.or(Some(global).filter(|_| op == Op::Function));
            })?;
            if first.is_some() {
                return Ok(first);
            }
        }
        Ok(None)
    }

    fn group_count(&self) -> u32 {
        self.count.div_ceil(GROUP)
    }

    fn ops_of_group(&self, group: u32, mut visit: impl FnMut(u32, Op)) -> Result<(), Fault> {
        let [start, end] = [group, group + 1].map(|group| self.groups[group as usize].start as usize);
        let mut decoder = Decoder::new(Bytes::new(self.file, start..end), &self.shapes, self.count);
        for global in group * GROUP..self.count.min((group + 1) * GROUP) {
            let start = decoder.bytes.offset();
            let record = decoder.record(&mut Progress::before(0), &mut Pass)?;
            visit(global, record.ok_or_else(|| no_record(start))?.op);
        }
        Ok(())
    }
}

impl Loader<'_, '_> {
    /// The module, as far as it is loaded. The order of its instructions is that in which they were loaded.
    pub fn module(&self) -> &Module {
        &self.build.sink.module
    }

    /// The handle of a global, whether it is loaded or not. Panics if the file has no such global.
    pub fn inst(&mut self, global: u32) -> Inst {
        if self.states[global as usize] & state::KNOWN == 0 {
            self.states[global as usize] |= state::KNOWN;
            let storage = &mut self.build.sink.module.storage;
            let handle = storage.records.len() as u32;
            storage.reserve_numbers(handle + 1);
            self.build.sink.globals[global as usize] = handle;
            self.globals.insert(Inst(handle), global);
        }
        Inst(self.build.sink.globals[global as usize])
    }

    /// The number of a global in the file, by its handle.
    pub fn global(&self, inst: Inst) -> Option<u32> {
        self.globals.get(&inst).copied()
    }

    /// Creates a global with its contents, and what these name without contents.
    ///
    /// # Errors
    /// If the file has no such global, or it cannot be read.
    pub fn load(&mut self, global: u32) -> Result<Inst, Diagnostic> {
        self.load_all(Wanted { global, with_body: true })
    }

    /// Creates a global without contents, and what it names.
    ///
    /// # Errors
    /// The errors of [`Loader::load`].
    pub fn load_head(&mut self, global: u32) -> Result<Inst, Diagnostic> {
        self.load_all(Wanted { global, with_body: false })
    }

    fn load_all(&mut self, wanted: Wanted) -> Result<Inst, Diagnostic> {
        self.archive.check_global(wanted.global)?;
        let mut open = vec![wanted];
        while let Some(Wanted { global, with_body }) = open.pop() {
            if self.states[global as usize] & state::CREATED == 0 {
                self.create(global, &mut open)?;
            }
            if with_body && self.states[global as usize] & state::FILLED == 0 {
                self.fill(global, &mut open)?;
            }
        }
        Ok(self.inst(wanted.global))
    }

    fn create(&mut self, global: u32, open: &mut Vec<Wanted>) -> Result<(), Fault> {
        self.inst(global);
        self.states[global as usize] |= state::CREATED;
        let start = self.build.sink.locate(global)?.start as usize;
        let record = Bytes::new(self.archive.file, start..self.archive.file.len());
        let mut named = Named::default();
        let mut decoder = Decoder::new(record, &self.archive.shapes, self.archive.count);
        decoder.record(&mut Progress::before(0), &mut named)?;
        self.meet(named, open)?;
        self.build.decoder.bytes = Bytes::new(self.archive.file, start..self.archive.file.len());
        self.build.global(global)?;
        Ok(())
    }

    fn fill(&mut self, global: u32, open: &mut Vec<Wanted>) -> Result<(), Fault> {
        self.states[global as usize] |= state::FILLED;
        let Some(body) = self.open(global)? else { return Ok(()) };
        let (bytes, results) = self.archive.body(body);
        let mut named = Named::default();
        let mut progress = Progress::before(results);
        let mut decoder = Decoder::new(bytes, &self.archive.shapes, self.archive.count);
        while !decoder.bytes.is_at_end() {
            let record = decoder.record(&mut progress, &mut named)?;
            progress.next += u32::from(record.is_some_and(|record| record.traits.has_result));
        }
        self.meet(named, open)?;
        let container = self.inst(global);
        self.build.body(container, body)
    }

    /// Gives the results in the body of a global handles; returns the body.
    fn open(&mut self, global: u32) -> Result<Option<u32>, Fault> {
        let body = self.build.sink.locate(global)?.body;
        if let Some(body) = body
            && self.states[global as usize] & state::OPENED == 0
        {
            self.states[global as usize] |= state::OPENED;
            let [first, end] = self.archive.results_of(body);
            let module = &mut self.build.sink.module;
            let mut free = module.storage.records.len() as u32;
            fill(&mut self.build.sink.locals[first..end], &mut free);
            module.storage.reserve_numbers(free);
        }
        Ok(body)
    }

    /// Gives handles to what was named, and puts it on the list.
    fn meet(&mut self, named: Named, open: &mut Vec<Wanted>) -> Result<(), Fault> {
        for global in named.globals {
            if self.states[global as usize] & state::CREATED == 0 {
                self.inst(global);
                open.push(Wanted { global, with_body: false });
            }
        }
        for global in named.holders {
            self.inst(global);
            self.open(global)?;
            open.push(Wanted { global, with_body: true });
        }
        Ok(())
    }
}

impl Archive<'_> {
    /// The numbers of the first result of a body and of the first after it, among those of all bodies.
    fn results_of(&self, body: u32) -> [usize; 2] {
        [body, body + 1].map(|body| {
            let Body { first_result, .. } = self.bodies[body as usize];
            first_result as usize
        })
    }
}
