//! Lanes made explicit: Structured → Masked.
