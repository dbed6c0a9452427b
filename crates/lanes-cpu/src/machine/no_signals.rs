//! A system whose signals are not handled: see `signals.rs`.

/// True if this system has signals that are handled.
pub(super) const EXIST: bool = false;

/// A thread that no signal is sent to.
pub(super) type Thread = ();

/// Nothing.
pub(super) fn this_thread() -> Thread {}

/// Nothing.
pub(super) fn tell(_: Thread) {}

/// Nothing.
pub(super) fn install() {}
