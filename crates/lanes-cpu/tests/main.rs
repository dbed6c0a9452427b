//! The tests of this crate, as one program: it links once.

#[cfg(target_arch = "x86_64")]
mod machine_control;
#[cfg(target_arch = "x86_64")]
mod machine_forms;
#[cfg(target_arch = "x86_64")]
mod machine_packs;
#[cfg(target_arch = "x86_64")]
mod machine_pressure;
#[cfg(target_arch = "x86_64")]
mod machine_support;
#[cfg(target_arch = "x86_64")]
mod select_arithmetic;
#[cfg(target_arch = "x86_64")]
mod select_support;
