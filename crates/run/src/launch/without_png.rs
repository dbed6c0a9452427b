//! In place of PNG, in builds without it.

use crate::launch::picture::Picture;

const ABSENT: &str = "this build has no PNG (its feature `png` is off): use an array .npy, or raw texels";

/// The picture of a file.
///
/// # Errors
/// Always.
pub(crate) fn read_png(_: &[u8]) -> Result<Picture, String> {
    Err(ABSENT.to_owned())
}

/// The file of a picture.
///
/// # Errors
/// Always.
pub(crate) fn write_png(_: &Picture) -> Result<Vec<u8>, String> {
    Err(ABSENT.to_owned())
}
