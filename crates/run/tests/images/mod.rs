//! Images and samplers in launches: as they are written, from and to files, bound to kernels.

mod bound;
mod broken;
mod files;
mod on_slices;
mod parameters;
mod written;

use reconverge_run::launch::{Argument, Image};

/// The argument of a flag.
fn argument(flag: &str) -> Argument {
    Argument::from_flag(flag).unwrap_or_else(|error| panic!("{error}"))
}

/// The image of a flag.
fn image(flag: &str) -> Image {
    match argument(flag) {
        Argument::Image(image) => image,
        other => panic!("{flag} is {other:?}"),
    }
}

/// The message about a flag that is refused.
fn refused(flag: &str) -> String {
    Argument::from_flag(flag).expect_err(flag).message
}
