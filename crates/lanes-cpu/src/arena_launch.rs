//! Launches on the buffers of an arena: nothing that a kernel of a verified module computes leads to other memory of the process.
//!
//! | what | why it is so |
//! |---|---|
//! | the module is valid | the code that compiles the forms has verified it: all that is left to the caller |
//! | accesses through addresses are to the arena | they are checked, or guarded: proved or tested. What a proof relies on is checked here |
//! | accesses to variables are to their memory | offsets are confined when they are selected |
//! | ranges of ids hold | a launch is at most as large as the kernel was compiled for |
//! | nothing else accesses the buffers | the arena is borrowed as long as the launch runs |
#![expect(unsafe_code, reason = "the kernel reads and writes through the addresses that it is given")]

use std::fmt;

use crate::choose::{Choice, KernelForms};
use crate::engine::{Arguments, Kernel};
use crate::machine::Request;
use crate::select::Bounds;
use crate::trap::Trap;
use crate::{Arena, Ranges};

/// A launch on the buffers of an arena.
#[derive(Clone, Copy, Debug)]
pub struct ArenaLaunch<'a> {
    /// The push constants, with the addresses of buffers.
    pub push_constants: &'a [u8],
    /// The number of work-groups.
    pub groups: [u32; 3],
    /// The number of threads that execute them, at least one.
    pub threads: usize,
    /// The request to end the launch early.
    pub request: &'a Request,
}

/// The reason why a launch did not run, or did not finish.
#[derive(Debug)]
pub enum LaunchError {
    /// It does not fit the kernel; the text says why.
    Misfit(String),
    /// The kernel ended early.
    Trap(Box<Trap>),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Misfit(text) => formatter.write_str(text),
            LaunchError::Trap(trap) => write!(formatter, "the kernel ended early: {:?}", trap.kind),
        }
    }
}

impl std::error::Error for LaunchError {}

/// The most work-groups of a launch.
pub const GROUPS_LIMIT: u64 = 1 << 62;

impl KernelForms {
    /// Runs a launch as [`KernelForms::launch`] does, of a kernel that is guarded or checked. The kernel changes the buffers of the arena and no
    /// other memory of the process, whatever it computes.
    ///
    /// # Errors
    /// [`LaunchError::Misfit`] if the kernel is compiled as trusted, if there are more work-groups than it is compiled for or more than
    /// [`GROUPS_LIMIT`], or, of guarded code, if the arena has too little space around its buffers or a word of the push constants is not the
    /// address of a buffer as the kernel takes it; then nothing ran. [`LaunchError::Trap`] if the kernel ended early.
    ///
    /// # Safety
    /// The forms were compiled of a module that `reconverge_verify` accepted before its buffers were bound and its arguments fixed.
    pub unsafe fn launch_on(&self, arena: &mut Arena, launch: &ArenaLaunch<'_>) -> Result<Choice, LaunchError> {
        let ArenaLaunch { push_constants, groups, threads, request } = *launch;
        for form in self.forms() {
            check(form, arena, launch).map_err(LaunchError::Misfit)?;
        }
        let count = groups.iter().try_fold(1_u64, |count, &size| count.checked_mul(size.into()));
        let count = count
            .filter(|&count| count <= GROUPS_LIMIT)
            .ok_or_else(|| LaunchError::Misfit(format!("the launch has more than {GROUPS_LIMIT} work-groups")))?;
        let ranges = Ranges::of_arena(arena);
        let arguments = Arguments { push_constants, groups, range: (0, count), threads, ranges: &ranges, request };
        // SAFETY: the caller has verified the module; the CPU was looked at when the forms were compiled. The size of the launch was checked. The code is
        // guarded, and so is the arena, or it is checked. The ranges are those of the arena, which is borrowed; the words of the push
        // constants are addresses of its buffers.
        unsafe { self.launch(&arguments) }.map_err(LaunchError::Trap)
    }
}

/// Checks that a form can run a launch. The error is the reason.
fn check(form: &Kernel, arena: &Arena, launch: &ArenaLaunch<'_>) -> Result<(), String> {
    let specialization = form.specialization();
    let most = specialization.groups;
    if launch.groups.iter().zip(&most).any(|(count, most)| count > most) {
        return Err(format!("the kernel is compiled for at most {most:?} work-groups, not {:?}", launch.groups));
    }
    match specialization.bounds {
        Bounds::Trusted => return Err("the kernel is compiled without tests of its accesses".to_owned()),
        Bounds::Checked => return Ok(()),
        Bounds::Guarded(_) => {}
    }
    if !arena.is_guarded() {
        return Err(
            "this system gives too little address space for unchecked code: compile the kernel as checked".to_owned()
        );
    }
    let is_address = |offset: u64| {
        let bytes = launch.push_constants.get(offset as usize..).and_then(|rest| rest.first_chunk());
        bytes.is_some_and(|&bytes| arena.has(u64::from_le_bytes(bytes)))
    };
    match form.address_words.offsets().find(|&offset| !is_address(offset)) {
        Some(offset) => {
            Err(format!("the kernel is compiled for the address of a buffer at byte {offset} of the push constants"))
        }
        None => Ok(()),
    }
}
