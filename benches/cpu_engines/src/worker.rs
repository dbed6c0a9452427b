//! An engine in a process of its own, and the other end of its pipe.
//!
//! Runtimes bring libraries, threads and environments that do not go together, and may crash. So each is in a child, which answers one line for
//! each line:
//!
//! ```text
//! load KERNEL LOCAL      ok                 LOCAL: work-items of a work-group, 0: those of the launch
//! compile                ok MILLISECONDS    or `ok -` where the compiler is another process
//! run                    ok MILLISECONDS NOTE
//! outputs FILE           ok                 the file has the outputs
//! anything               error MESSAGE
//! ```

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::engines::{Engine, Job, Name, Sample};
use crate::kernels;

/// The argument that makes this program a worker.
pub(crate) const FLAG: &str = "--worker";

/// Answers requests of the parent until it closes the pipe.
pub(crate) fn work(engine: Name) {
    let mut started = engine.start();
    let hello = started.as_ref().map(|engine| engine.description()).map_err(Clone::clone);
    answer(hello);
    let Ok(engine) = &mut started else { return };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        answer(request(engine.as_mut(), &line));
    }
}

fn answer(result: Result<String, String>) {
    match result {
        Ok(text) => println!("ok {text}"),
        Err(text) => println!("error {}", text.replace('\n', " ")),
    }
}

fn request(engine: &mut dyn Engine, line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["load", kernel, local] => {
            let kernel = kernels::find(kernel).ok_or("no such kernel")?;
            let local = local.parse().ok().filter(|&local| local > 0);
            let job = Job { kernel, launch: kernel.launch(local), is_local_fixed: local.is_some() };
            engine.load(job).map(|()| String::new())
        }
        ["compile"] => engine.compile().map(|time| time.map_or("-".to_owned(), |time| time.to_string())),
        ["run"] => engine.run().map(|Sample { time, note }| format!("{time} {note}")),
        ["outputs", file] => {
            let outputs = engine.outputs()?;
            std::fs::write(file, outputs).map(|()| String::new()).map_err(|error| format!("{file}: {error}"))
        }
        _ => Err(format!("no such request: {line}")),
    }
}

/// A worker, from outside.
pub(crate) struct Worker {
    pub(crate) engine: Name,
    /// What the engine is, with its version.
    pub(crate) description: String,
    icds: Option<String>,
    is_alive: bool,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a worker. `icds`: where the OpenCL loader finds the runtimes, if not at its usual place.
    ///
    /// # Errors
    /// The engine is not on this machine.
    pub(crate) fn start(engine: Name, icds: Option<&str>) -> Result<Worker, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args([FLAG, &engine.text()]).envs(engine.environment()).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(icds) = icds {
            command.env("OCL_ICD_VENDORS", icds);
        }
        let mut child = command.stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("invariant: the output is a pipe"));
        let mut worker = Worker {
            engine,
            description: String::new(),
            icds: icds.map(str::to_owned),
            is_alive: true,
            child,
            requests,
            answers,
        };
        worker.description = worker.answer()?;
        Ok(worker)
    }

    /// Loads a kernel, in a new process if the one before crashed.
    pub(crate) fn load(&mut self, kernel: &str, local: Option<u32>) -> Result<(), String> {
        if !self.is_alive {
            *self = Worker::start(self.engine, self.icds.clone().as_deref())?;
        }
        self.ask(&format!("load {kernel} {}", local.unwrap_or(0))).map(|_| ())
    }

    /// Milliseconds to compile.
    pub(crate) fn compile(&mut self) -> Result<Option<f64>, String> {
        self.ask("compile").map(|text| text.parse().ok())
    }

    pub(crate) fn run(&mut self) -> Result<Sample, String> {
        let answer = self.ask("run")?;
        let (time, note) = answer.split_once(' ').unwrap_or((&answer, ""));
        let time = time.parse().map_err(|_| format!("no time: {answer}"))?;
        Ok(Sample { time, note: note.to_owned() })
    }

    pub(crate) fn outputs(&mut self, folder: &Path) -> Result<Vec<u8>, String> {
        let file = folder.join(self.engine.text());
        self.ask(&format!("outputs {}", file.display()))?;
        std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn ask(&mut self, request: &str) -> Result<String, String> {
        let requests = self.requests.as_mut().expect("invariant: the pipe closes with the worker");
        writeln!(requests, "{request}").map_err(|error| format!("the engine is gone: {error}"))?;
        self.answer()
    }

    /// The next answer. Libraries may print lines of their own before it.
    fn answer(&mut self) -> Result<String, String> {
        loop {
            let mut line = String::new();
            let read = self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
            if read == 0 {
                self.is_alive = false;
                return Err("the engine crashed".to_owned());
            }
            let line = line.trim_end();
            if line == "ok" {
                return Ok(String::new());
            } else if let Some(text) = line.strip_prefix("ok ") {
                return Ok(text.to_owned());
            } else if let Some(text) = line.strip_prefix("error ") {
                return Err(text.to_owned());
            }
        }
    }
}

impl Drop for Worker {
    /// The worker ends when its pipe closes.
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
