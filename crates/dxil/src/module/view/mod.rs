//! Typed views of the metadata.
