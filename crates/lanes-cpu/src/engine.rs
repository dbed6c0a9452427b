//! Kernels that run on this CPU.
//!
//! ```text
//! entry point, Masked (Structured for one lane) → select → assemble → Kernel
//! Kernel, launch: for each work-group, over threads: context and frames ← numbers; call
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::{Function, Inst, Module};
use reconverge_lanes::CodePart;

use crate::call_memory::{Line, context, header};
use crate::error::unsupported;
use crate::machine::{Code, INTERRUPTED, MachinePart, Request, Statistics, Watch, assemble};
use crate::ranges::Ranges;
use crate::select::{AddressWords, BEFORE_WORKGROUP, Divergence, Selection, Site, Specialization, select};
use crate::trap::{Ended, Trap};

/// A kernel as code for this CPU.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) code: Code,
    pub(crate) specialization: Specialization,
    pub(crate) workgroup_bytes: u32,
    pub(crate) push_constant_bytes: u32,
    /// The module after the last step before instruction selection, for reports.
    pub(crate) module: Arc<Module>,
    pub(crate) sites: Vec<Site>,
    pub(crate) origins: Vec<Inst>,
    pub(crate) divergence: Divergence,
    /// In guarded code, the words of the push constants that it takes for addresses of buffers.
    pub(crate) address_words: AddressWords,
}

/// The arguments of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// The push constants, with the addresses of buffers.
    pub push_constants: &'a [u8],
    /// The number of work-groups.
    pub groups: [u32; 3],
    /// The range of work-groups that run, numbered with the first dimension fastest; there are fewer than 2⁶³.
    pub range: (u64, u64),
    /// The number of threads that execute them, at least one.
    pub threads: usize,
    /// The memory that the kernel may access, for checked and guarded code.
    pub ranges: &'a Ranges,
    /// The request to end the launch early.
    pub request: &'a Request,
}

impl Kernel {
    /// Selects and assembles the code of the entry point `function` of a module: at stage Masked with the facts of the specialization
    /// ([`Specialization::facts`]), or at stage Structured for one lane. Near-linear in its instructions.
    ///
    /// # Errors
    /// Constructs that the engine does not support, by name.
    pub fn new(module: Arc<Module>, function: Function, specialization: Specialization) -> Result<Kernel, Diagnostic> {
        let entry = function;
        check_size(specialization.local)?;
        let selection = select(&module, function, &specialization)?;
        let Selection { function, workgroup_bytes, push_constant_bytes, sites, origins, divergence, address_words } =
            selection;
        let code = assemble(function)?;
        let kernel = Kernel {
            code,
            specialization,
            workgroup_bytes,
            push_constant_bytes,
            module,
            sites,
            origins,
            divergence,
            address_words,
        };
        if u64::from(kernel.code.frame_size()) * u64::from(kernel.frames()) > FRAMES_LIMIT {
            let what = format!("more than {} MiB for the work-items of a work-group with barriers", FRAMES_LIMIT >> 20);
            return Err(unsupported(entry.inst(), what));
        }
        Ok(kernel)
    }

    /// The specialization that the kernel was compiled for.
    pub fn specialization(&self) -> &Specialization {
        &self.specialization
    }

    /// The number of frames of a work-group: with barriers one for each pack, else one for all.
    pub(crate) fn frames(&self) -> u32 {
        if self.code.has_barriers() { self.specialization.packs() } else { 1 }
    }

    /// Its code, for people.
    pub fn code(&self) -> impl fmt::Display + '_ {
        &self.code
    }

    /// What its code was made of, in the order of the code. The beginning of a part is a byte of [`Kernel::machine_code`].
    /// Linear in their number.
    pub fn parts(&self) -> Vec<CodePart> {
        let block_of = |origin: u32| self.module.block_of(*self.origins.get(origin as usize)?);
        let part = |&MachinePart { start, origin, role }: &MachinePart| CodePart {
            start,
            block: origin.and_then(block_of),
            role,
        };
        self.code.parts().iter().map(part).collect()
    }

    /// The byte of [`Kernel::machine_code`] at which each line of [`Kernel::code`] begins. Linear in the code, which is decoded.
    pub fn line_offsets(&self) -> Vec<usize> {
        self.code.offsets()
    }

    /// Its code as the CPU reads it, from its entry.
    pub fn machine_code(&self) -> &[u8] {
        self.code.bytes().0
    }

    /// Numbers about its code.
    pub fn statistics(&self) -> Statistics {
        self.code.statistics()
    }

    /// Runs every work-group of a launch. With several threads, each takes the next work-groups that no other has taken.
    ///
    /// # Errors
    /// The first trap of the thread that came to one first.
    ///
    /// # Safety
    /// The kernel was compiled of a module that `reconverge_verify` accepts. The launch has at most as many work-groups in each dimension as it
    /// was compiled for, the range is one of them, and the CPU has the instructions of the pack and of the features. And, by its [`Bounds`]:
    ///
    /// - of trusted code, every access of the launch is to memory that the caller may access, and which nothing else accesses meanwhile;
    /// - of guarded code, the ranges are those of an arena that is guarded ([`Ranges::of_arena`]) and that nothing else accesses meanwhile,
    ///   and the words of the push constants for which it was compiled are addresses of its buffers;
    /// - of checked code, the ranges are of memory that nothing else accesses meanwhile.
    ///
    /// [`Bounds`]: crate::select::Bounds
    #[expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]
    pub unsafe fn launch(&self, arguments: &Arguments<'_>) -> Result<(), Box<Trap>> {
        let (first, end) = arguments.range;
        let total = end.saturating_sub(first);
        let next = AtomicU64::new(first);
        let failure: Mutex<Option<Box<Trap>>> = Mutex::new(None);
        let most = usize::try_from(total).unwrap_or(usize::MAX).clamp(1, THREADS_LIMIT);
        let threads = arguments.threads.clamp(1, most);
        let step = (total / (threads as u64 * 64)).clamp(1, 1024);
        let run = |watch: &Watch<'_>| {
            let mut worker = Worker::new(self, arguments, watch);
            loop {
                let first = next.fetch_add(step, Ordering::Relaxed);
                if first >= end {
                    return;
                }
                for group in first..end.min(first + step) {
                    // SAFETY: the caller guarantees what the kernel accesses; the worker has the frames and the memory of a work-group.
                    let result = unsafe { worker.run(group) };
                    if let Err(trap) = result {
                        next.store(end, Ordering::Relaxed);
                        failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(trap);
                        return;
                    }
                }
            }
        };
        let work = || Watch::during(&self.code, arguments.request, run);
        if threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                // Where the system gives no more threads, those that there are do the work.
                let start = |_: &usize| std::thread::Builder::new().spawn_scoped(scope, work).is_ok();
                (1..threads).take_while(start).count();
                work();
            });
        }
        match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(trap) => Err(trap),
            None => Ok(()),
        }
    }
}

/// The state of a thread that executes one work-group at a time.
struct Worker<'a> {
    kernel: &'a Kernel,
    watch: &'a Watch<'a>,
    request: &'a Request,
    groups: [u32; 3],
    /// The frames of the packs, or one for all.
    frames: Vec<Line>,
    /// The memory of the work-group.
    memory: Vec<Line>,
    push_constants: Vec<Line>,
    context: Box<Line>,
    packs: u32,
}

impl<'a> Worker<'a> {
    fn new(kernel: &'a Kernel, arguments: &Arguments<'a>, watch: &'a Watch<'a>) -> Worker<'a> {
        let packs = kernel.specialization.packs();
        let bytes = kernel.code.frame_size() as usize * kernel.frames() as usize;
        let memory = lines((BEFORE_WORKGROUP + kernel.workgroup_bytes + SPARE_BYTES) as usize);
        let push_constants = push_constants(arguments.push_constants, kernel.push_constant_bytes as usize);
        let mut context = Box::new(Line([0; 64]));
        for (index, &count) in arguments.groups.iter().enumerate() {
            put_word(&mut context.0, context::WORKGROUP_COUNT + 4 * index as i32, count);
        }
        put(&mut context.0, context::RANGES, arguments.ranges.address());
        put(&mut context.0, context::NEAR_FIRST, arguments.ranges.near().first);
        put(&mut context.0, context::NEAR_COUNT, arguments.ranges.near().count);
        Worker {
            kernel,
            watch,
            request: arguments.request,
            groups: arguments.groups,
            frames: lines(bytes),
            memory,
            push_constants,
            context,
            packs,
        }
    }

    /// Runs a work-group.
    ///
    /// # Safety
    /// Those of [`Kernel::launch`].
    #[expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]
    unsafe fn run(&mut self, group: u64) -> Result<(), Box<Trap>> {
        let [width, height, _] = self.groups.map(u64::from);
        let numbers = [group % width, group / width % height, group / (width * height)];
        for (index, number) in numbers.into_iter().enumerate() {
            put_word(&mut self.context.0, context::WORKGROUP_ID + 4 * index as i32, number as u32);
        }
        if self.request.is_made() {
            return Err(self.trap(INTERRUPTED, numbers));
        }
        self.prepare_frames();
        // SAFETY: the frames have the size that the code requires and headers as it expects them.
        let result = unsafe { self.kernel.code.call(self.frames.as_mut_ptr().cast()) };
        match result as u32 {
            0 => Ok(()),
            code => Err(self.trap(code, numbers)),
        }
    }

    /// The report of a call that ended early.
    #[cold]
    fn trap(&self, code: u32, group: [u64; 3]) -> Box<Trap> {
        let fault = self.watch.fault();
        let line = fault.frame.wrapping_sub(self.frames.as_ptr() as u64) / 64;
        let frame = usize::try_from(line).ok().and_then(|line| self.frames.get(line));
        let pack = frame.and_then(|frame| frame.0[header::PACK as usize..].first_chunk());
        let pack = pack.map_or(0, |&bytes| u32::from_le_bytes(bytes));
        let ended = Ended { code, fault, pack, context: &self.context.0 };
        Box::new(Trap::of(self.kernel, group.map(|number| number as u32), &ended))
    }

    /// Writes the headers: without barriers one, else a ring of one for each pack.
    fn prepare_frames(&mut self) {
        let context = self.context.0.as_ptr() as u64;
        let lines = self.kernel.code.frame_size() as usize / 64;
        let count = self.kernel.frames() as usize;
        let base = self.frames.as_ptr() as u64;
        let memory = self.memory.as_mut_ptr() as u64 + u64::from(BEFORE_WORKGROUP);
        let push_constants = self.push_constants.as_ptr() as u64;
        for pack in 0..count {
            let next = base + (lines * 64 * ((pack + 1) % count)) as u64;
            let before = base + (lines * 64 * pack.saturating_sub(1)) as u64;
            let frame = &mut self.frames[pack * lines].0;
            put(frame, header::BEFORE, before);
            put(frame, header::RESUME, self.kernel.code.entry());
            put(frame, header::NEXT, next);
            put(frame, header::PACK, pack as u64);
            put(frame, header::CONTEXT, context);
            put(frame, header::PACKS, self.packs.into());
            put(frame, header::WORKGROUP_MEMORY, memory);
            put(frame, header::PUSH_CONSTANTS, push_constants);
        }
    }
}

/// The most work-items of a work-group.
pub const ITEMS_LIMIT: u32 = 1 << 20;
/// The most threads of a launch.
pub const THREADS_LIMIT: usize = 1024;
/// Bytes after what the code computes with: a vector may begin at the last one.
pub const SPARE_BYTES: u32 = 64;
/// The most bytes of the frames of a work-group.
const FRAMES_LIMIT: u64 = 1 << 30;

/// Checks the size of a work-group.
///
/// # Errors
/// It has no work-items, or too many.
pub fn check_size(local: [u32; 3]) -> Result<(), Diagnostic> {
    let items = local.iter().try_fold(1_u32, |items, &count| items.checked_mul(count));
    match items {
        Some(0) => Err(unsupported(Place::Whole, "work-groups without work-items")),
        Some(..=ITEMS_LIMIT) => Ok(()),
        _ => Err(unsupported(Place::Whole, format!("work-groups of more than {ITEMS_LIMIT} work-items"))),
    }
}

/// A copy of the push constants, with zeros after them if the kernel reads more.
fn push_constants(given: &[u8], bytes: usize) -> Vec<Line> {
    let mut copy = lines(given.len().max(bytes) + SPARE_BYTES as usize);
    for (line, chunk) in copy.iter_mut().zip(given.chunks(64)) {
        line.0[..chunk.len()].copy_from_slice(chunk);
    }
    copy
}

fn lines(bytes: usize) -> Vec<Line> {
    vec![Line([0; 64]); bytes.div_ceil(64)]
}

fn put(bytes: &mut [u8; 64], offset: i32, value: u64) {
    bytes[offset as usize..offset as usize + 8].copy_from_slice(&value.to_le_bytes());
}

fn put_word(bytes: &mut [u8; 64], offset: i32, value: u32) {
    bytes[offset as usize..offset as usize + 4].copy_from_slice(&value.to_le_bytes());
}
