//! Temporary.
use reconverge_diagnose::*;
fn main() {
    let start = std::time::Instant::now();
    let mut options = Options::default();
    let mut files = Vec::new();
    for word in std::env::args().skip(1) {
        match word.strip_prefix('+') { Some(name) => options.set_rule(name, Level::Warning).unwrap(), None => files.push(word) }
    }
    let mut spent = std::time::Duration::ZERO;
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let module = if file.ends_with(".ir") { reconverge_ir::text::parse(std::str::from_utf8(&bytes).unwrap()).unwrap() } else { reconverge_spirv::read(&bytes, &Default::default()).unwrap() };
        let findings = reconverge_verify::verify(&module);
        if !findings.is_empty() { println!("## {file} invalid {}", findings[0]); continue; }
        let t = std::time::Instant::now();
        let found = check(&module, &options);
        let took = t.elapsed();
        spent += took;
        if took.as_millis() > 20 { println!("## {file} {took:?}"); }
        for d in found { println!("{}: {d}", file.rsplit('/').next().unwrap()); }
    }
    println!("{} files, check {spent:?}, all {:?}", files.len(), start.elapsed());
}
