//! The command line.

use crate::engines::Name;

pub(crate) const USAGE: &str = "\
usage: cpu_engines [OPTION…] [KERNEL…]
  --engines NAME,…   ours, a form such as 16x2, lavapipe, intel, intel-scalar, pocl, clang; all by default
  --parts NAME,…     speed, groups, threads, growth; all by default
  --rounds N         rounds of each measurement; 5 by default
  --core N           the core that engines run on; the last one by default
  --icds PATH        where the OpenCL loader finds the runtimes (OCL_ICD_VENDORS)
  --json FILE        write all figures to a file, too
  --assembly FORM    print the machine code of the kernels, and measure nothing";

/// What to measure, and how.
pub(crate) struct Arguments {
    pub(crate) engines: Vec<Name>,
    pub(crate) parts: Vec<Part>,
    pub(crate) kernels: Vec<String>,
    pub(crate) rounds: usize,
    pub(crate) core: Option<usize>,
    pub(crate) icds: Option<String>,
    pub(crate) json: Option<String>,
    pub(crate) assembly: Option<Name>,
}

/// A part of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Speed,
    Groups,
    Threads,
    Growth,
}

impl Part {
    const ALL: [Part; 4] = [Part::Speed, Part::Groups, Part::Threads, Part::Growth];

    fn from_text(text: &str) -> Option<Part> {
        let names = ["speed", "groups", "threads", "growth"];
        names.iter().position(|&name| name == text).map(|index| Part::ALL[index])
    }
}

impl Arguments {
    /// Reads a command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let engines = [Name::OURS].into_iter().chain(Name::PEERS).collect();
        let mut arguments = Arguments {
            engines,
            parts: Part::ALL.to_vec(),
            kernels: Vec::new(),
            rounds: 5,
            core: None,
            icds: None,
            json: None,
            assembly: None,
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                arguments.kernels.push(word);
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let wrong = || format!("{word}: {value} is not valid");
            match word.as_str() {
                "--engines" => arguments.engines = list(&value, Name::from_text).ok_or_else(wrong)?,
                "--parts" => arguments.parts = list(&value, Part::from_text).ok_or_else(wrong)?,
                "--rounds" => arguments.rounds = value.parse().ok().filter(|&rounds| rounds > 0).ok_or_else(wrong)?,
                "--core" => arguments.core = Some(value.parse().map_err(|_| wrong())?),
                "--icds" => arguments.icds = Some(value),
                "--json" => arguments.json = Some(value),
                "--assembly" => arguments.assembly = Some(Name::from_text(&value).ok_or_else(wrong)?),
                _ => return Err(format!("there is no option {word}")),
            }
        }
        Ok(arguments)
    }
}

fn list<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(',').map(read).collect()
}
