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
mod op_codes;
mod select_check;
#[cfg(target_arch = "x86_64")]
mod select_floats;
#[cfg(target_arch = "x86_64")]
mod select_integers;
#[cfg(target_arch = "x86_64")]
mod select_support;
#[cfg(target_arch = "x86_64")]
mod select_transcendental;
