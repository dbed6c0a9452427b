//! The control tree: the structured view of a function.
