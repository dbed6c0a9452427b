//! Launches, faults and time limits on several threads at once, and what a thread leaves for the handler of a signal.

use std::sync::Arc;
use std::time::Duration;

use reconverge_run::{CpuKernel, CpuOptions, RunCode, RunError};

use super::{Victim, compiled, launch};

/// A kernel is launched by several threads, of which each may be the last that has it.
#[test]
fn a_kernel_is_dropped_while_others_launch_it() {
    let (module, reflection) = compiled();
    let given = launch("ids", 4, &["out:i32[256]"]);
    let kernel = CpuKernel::compile(&module, &reflection, &given, CpuOptions::default()).expect("it compiles");
    let kernel = Arc::new(kernel);
    let run = |kernel: Arc<CpuKernel>| {
        let (reflection, given) = (reflection.clone(), given.clone());
        std::thread::spawn(move || kernel.launch(&reflection, &given, 3).map(|measured| measured.buffers))
    };
    let threads: Vec<_> = (0..6).map(|_| run(Arc::clone(&kernel))).collect();
    drop(kernel);
    let expected: Vec<u8> = (1..=256).flat_map(i32::to_le_bytes).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("it ends"), Ok(vec![expected.clone()]));
    }
}

/// Faults, traps, time limits, and threads that begin and end: the handler never sees a record of a call that ended.
#[test]
fn signals_reach_threads_that_come_and_go() {
    let (module, reflection) = compiled();
    let victim = Victim::new();
    let address = victim.address();
    let launches = [
        launch("ids", 2, &["out:i32[128]"]),
        launch("ids", 2, &["out:i32[1]"]),
        launch("write_at", 2, &["out:i32[128]", &format!("u64={address}")]),
        launch("far", 2, &["out:i32[128]", "i64=100000000000"]),
        launch("walk", 1 << 14, &["out:i32[64]", "i64=0", "i32=200000"]),
    ];
    for round in 0..20 {
        std::thread::scope(|scope| {
            for (number, given) in launches.iter().enumerate() {
                let (module, reflection) = (&module, &reflection);
                scope.spawn(move || {
                    let limit = Some(Duration::from_micros(200 + 100 * round));
                    let options = CpuOptions { limit, ..CpuOptions::default() };
                    let kernel = CpuKernel::compile(module, reflection, given, options).expect("it compiles");
                    for threads in [1, 2, 5] {
                        match (number, kernel.launch(reflection, given, threads)) {
                            // A busy machine may not even run the small ones in time.
                            (_, Err(error)) if error.is(RunCode::Time) => {}
                            (0, Ok(_)) => {}
                            (1..=3, Err(RunError::CpuEnded(_))) => {}
                            (number, other) => panic!("launch {number}: {other:?}"),
                        }
                    }
                });
            }
        });
        victim.assert_kept("after a round");
    }
}

/// A clock of the caller that panics, in the middle of a launch, leaves nothing behind.
#[test]
fn a_panic_leaves_no_watch() {
    let (module, reflection) = compiled();
    let given = launch("ids", 2, &["out:i32[128]"]);
    let options = CpuOptions { limit: Some(Duration::from_secs(60)), ..CpuOptions::default() };
    let kernel = CpuKernel::compile(&module, &reflection, &given, options).expect("it compiles");
    for panics_at in [1, 2] {
        let calls = std::sync::atomic::AtomicUsize::new(0);
        let clock = || {
            let call = 1 + calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            assert_ne!(call, panics_at, "the clock fails, as it is told to");
        };
        let run = std::panic::AssertUnwindSafe(|| kernel.launch_measured(&reflection, &given, 2, clock).map(|_| ()));
        assert!(std::panic::catch_unwind(run).is_err());
        assert!(kernel.launch(&reflection, &given, 2).is_ok());
    }
}
