//! The command line.

use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: vc4 --vc4c PATH --cache FOLDER [--only NAME,…] FOLDER…
  --vc4c PATH     the compiler VC4C
  --cache FOLDER  what it has written, so that it compiles each kernel once
  --only NAME,…   the kernels that are compared; all by default
  FOLDER…         where the kernels are: NAME.cl, NAME.spv, NAME.json";

/// What to compare.
pub(crate) struct Arguments {
    pub(crate) vc4c: PathBuf,
    pub(crate) cache: PathBuf,
    pub(crate) only: Vec<String>,
    pub(crate) folders: Vec<PathBuf>,
}

impl Arguments {
    /// Reads a command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let (mut vc4c, mut cache) = (None, None);
        let (mut only, mut folders) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                folders.push(PathBuf::from(word));
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--vc4c" => vc4c = Some(PathBuf::from(value)),
                "--cache" => cache = Some(PathBuf::from(value)),
                "--only" => only.extend(value.split(',').map(str::to_owned)),
                _ => return Err(format!("there is no option {word}")),
            }
        }
        let vc4c = vc4c.ok_or("--vc4c is missing")?;
        let cache = cache.ok_or("--cache is missing")?;
        Ok(Arguments { vc4c, cache, only, folders })
    }
}
