//! The number and the size of the work-groups of a launch.

use crate::launch::Launch;

use crate::RunError;

/// The number of work-groups, and their size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Work-groups in each dimension.
    pub groups: [u32; 3],
    /// Work-items of a work-group in each dimension.
    pub local: [u32; 3],
}

/// The default work-group size: this, or the largest power of two that fits.
const DEFAULT_LOCAL: u64 = 64;

/// Divides the range of a launch into work-groups of one size. `required` is the size that the kernel requires.
///
/// # Errors
/// [`LaunchCode::Launch`](crate::LaunchCode::Launch) if the range is not a whole number of work-groups, or the kernel requires another size.
pub(super) fn range(launch: &Launch, required: Option<[u32; 3]>) -> Result<Size, RunError> {
    let size = range_with_rest(launch, required)?;
    for (global, local) in launch.global.iter().zip(size.local) {
        if !global.is_multiple_of(u64::from(local)) {
            return Err(RunError::launch(format!(
                "{global} work-items cannot be divided into work-groups of {local}; --on interpreter runs work-groups of several sizes"
            )));
        }
    }
    Ok(size)
}

/// As [`range`], but the last work-groups may be smaller (OpenCL C 2.0, non-uniform work-groups).
///
/// # Errors
/// [`LaunchCode::Launch`](crate::LaunchCode::Launch) if there are too many work-groups, global ids leave 64 bits, or the kernel
/// requires another size.
pub(super) fn range_with_rest(launch: &Launch, required: Option<[u32; 3]>) -> Result<Size, RunError> {
    let local = match (launch.local, required) {
        (Some(local), Some(required)) if local != required => {
            let message = format!("the kernel requires work-groups of {required:?}, but the launch has {local:?}");
            return Err(RunError::launch(message));
        }
        (Some(local), _) | (None, Some(local)) => local,
        (None, None) => [largest_divisor(launch.global[0]), 1, 1],
    };
    if local.contains(&0) || launch.global.contains(&0) {
        return Err(RunError::launch("a size of the launch is zero"));
    }
    // As clEnqueueNDRangeKernel has it: every global id is a number of 64 bits.
    for (offset, global) in launch.offset.into_iter().zip(launch.global) {
        if offset.checked_add(global).is_none() {
            return Err(RunError::launch(format!(
                "{global} work-items from the global offset {offset} on are more than 64 bits can number"
            )));
        }
    }
    let mut groups = [0; 3];
    for dimension in 0..3 {
        let (global, local) = (launch.global[dimension], u64::from(local[dimension]));
        groups[dimension] = u32::try_from(global.div_ceil(local)).map_err(|_| {
            RunError::launch(format!("{global} work-items in work-groups of {local} are too many work-groups"))
        })?;
    }
    Ok(Size { groups, local })
}

/// The largest power of two that divides the number and is not above the default.
fn largest_divisor(global: u64) -> u32 {
    let power = 1 << global.trailing_zeros().min(DEFAULT_LOCAL.trailing_zeros());
    power as u32
}
