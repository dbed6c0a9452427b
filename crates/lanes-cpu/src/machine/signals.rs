//! The signals of Linux on x86-64, for [`super::faults`].
#![expect(unsafe_code, reason = "signal handlers are installed and run by the system")]

use std::sync::atomic::Ordering;
use std::sync::{Once, OnceLock};

use libc::{c_int, c_void, sigaction, siginfo_t, ucontext_t};

use super::faults::{CURRENT, Fault};
use super::{FAULT, INTERRUPTED};

/// True if this system has them.
pub(super) const EXIST: bool = true;

/// A thread that a signal can be sent to. musl names a thread by a pointer, which other threads may not hold; glibc by an integer.
pub(super) type Thread = usize;

/// The signals that are handled.
const HANDLED: [c_int; 3] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGURG];

/// The code of a fault at an address without a canonical form, from the headers of the system.
const SI_KERNEL: c_int = 0x80;

/// The previous handlers.
static BEFORE: OnceLock<[sigaction; 3]> = OnceLock::new();
/// Installs the handlers once.
static INSTALLED: Once = Once::new();

/// This thread.
pub(super) fn this_thread() -> Thread {
    // SAFETY: the call has no conditions.
    unsafe { libc::pthread_self() as usize }
}

/// Asks a thread to look whether it is to end. The thread exists.
pub(super) fn tell(thread: Thread) {
    // SAFETY: the caller keeps the thread from ending. The signal is one that the process handles since `install`.
    unsafe { libc::pthread_kill(thread as libc::pthread_t, libc::SIGURG) };
}

/// Installs the handlers, once for the process.
pub(super) fn install() {
    // First what is there, because a handler can run as soon as it is installed.
    BEFORE.get_or_init(|| {
        // SAFETY: the structures are plain data, for which zero is valid, and are there to be written.
        unsafe {
            let mut before: [sigaction; 3] = std::mem::zeroed();
            for (signal, before) in HANDLED.into_iter().zip(&mut before) {
                libc::sigaction(signal, std::ptr::null(), before);
            }
            before
        }
    });
    INSTALLED.call_once(|| {
        // SAFETY: as above; the handler has the type that `SA_SIGINFO` requests, and does what a handler may do.
        unsafe {
            let mut handler: sigaction = std::mem::zeroed();
            handler.sa_sigaction = on_signal as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            handler.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
            libc::sigemptyset(&raw mut handler.sa_mask);
            for signal in HANDLED {
                libc::sigaction(signal, &raw const handler, std::ptr::null_mut());
            }
        }
    });
}

/// Ends the code that the thread runs, or passes the signal on.
extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives valid structures. The record of the thread, and the request in it, live as long as `CURRENT` points to it
    // (`Watch::during`), and only this thread reads and writes it. In the body of code, `rbp` is the frame and the stack pointer is as the
    // epilogue needs it.
    unsafe {
        let registers = &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs;
        let at = registers[libc::REG_RIP as usize] as usize;
        // Only a fault comes from the instruction; `kill` and `raise` have codes that are not positive.
        let is_of_code = signal == libc::SIGURG || (*info).si_code > 0;
        let record = CURRENT.with(|current| current.load(Ordering::SeqCst)).as_ref();
        if is_of_code && let Some(record) = record.filter(|record| record.body.contains(&at)) {
            let result = if signal == libc::SIGURG {
                (*record.request).load(Ordering::Relaxed).then_some(INTERRUPTED)
            } else {
                let frame = registers[libc::REG_RBP as usize] as u64;
                let address = ((*info).si_code != SI_KERNEL).then(|| (*info).si_addr() as u64);
                record.fault.set(Fault { address, instruction: at, frame });
                Some(FAULT)
            };
            if let Some(result) = result {
                registers[libc::REG_RAX as usize] = i64::from(result);
                registers[libc::REG_RIP as usize] = record.epilogue as i64;
            }
            return;
        }
        pass_on(signal, info, context);
    }
}

/// Does what was done before.
///
/// # Safety
///
/// The arguments are those of a handler.
unsafe fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let place = HANDLED.iter().position(|&handled| handled == signal);
    let before = BEFORE.get().zip(place).map(|(before, place)| before[place]);
    // SAFETY: a handler that was installed has the type that its flags say. Without one, the signal has its default action: `SIGURG` is
    // ignored; the others are raised again, and end the process. So does a fault that was to be ignored: the system does not ignore one.
    unsafe {
        let is_fault = signal != libc::SIGURG && (*info).si_code > 0;
        let Some(before) = before.filter(|before| before.sa_sigaction != libc::SIG_DFL) else {
            return default_action(signal);
        };
        match before.sa_sigaction {
            libc::SIG_IGN if is_fault => default_action(signal),
            libc::SIG_IGN => {}
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

/// Does what the system does with a signal: nothing for `SIGURG`, else it ends the process when the handler returns.
fn default_action(signal: c_int) {
    if signal == libc::SIGURG {
        return;
    }
    // SAFETY: the structure is plain data, for which zero is valid; the default action is always there.
    unsafe {
        let mut default: sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(signal, &raw const default, std::ptr::null_mut());
        libc::raise(signal);
    }
}
