//! Reads files.
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("readable");
        for merges in [reconverge_spirv::Merges::Keep, reconverge_spirv::Merges::Strip] {
            if let Err(error) = reconverge_spirv::read(&bytes, &reconverge_spirv::ReadOptions { merges }) {
                println!("{path}: {error}");
            }
        }
    }
}
