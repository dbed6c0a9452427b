//! The mutex and the semaphores, which all QPUs share.

use crate::decode::SemaphoreAccess;
use crate::fault::FaultKind;

/// Semaphores of the chip.
pub(crate) const SEMAPHORES: usize = 16;

/// The largest count of a semaphore.
pub(crate) const SEMAPHORE_LIMIT: u8 = 15;

/// The mutex and the semaphores.
#[derive(Debug, Default)]
pub(crate) struct Sync {
    owner: Option<usize>,
    counts: [u8; SEMAPHORES],
}

impl Sync {
    pub(crate) fn has_mutex(&self, qpu: usize) -> bool {
        self.owner == Some(qpu)
    }

    /// Returns whether the QPU can acquire the mutex now.
    pub(crate) fn can_acquire(&self, qpu: usize) -> Result<bool, FaultKind> {
        if self.has_mutex(qpu) { Err(FaultKind::MutexTwice) } else { Ok(self.owner.is_none()) }
    }

    pub(crate) fn acquire(&mut self, qpu: usize) {
        self.owner = Some(qpu);
    }

    pub(crate) fn release(&mut self, qpu: usize) -> Result<(), FaultKind> {
        if !self.has_mutex(qpu) {
            return Err(FaultKind::MutexNotOwned);
        }
        self.owner = None;
        Ok(())
    }

    /// Increments or decrements a semaphore. Returns false if the QPU has to wait.
    pub(crate) fn access(&mut self, access: SemaphoreAccess) -> bool {
        let count = &mut self.counts[access.number];
        match access.is_acquire {
            true if *count > 0 => *count -= 1,
            false if *count < SEMAPHORE_LIMIT => *count += 1,
            _ => return false,
        }
        true
    }
}
