//! Register pressure.
