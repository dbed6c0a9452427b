//! The page about OpenCL.std says what the table says.

#[path = "../examples/opencl_std.rs"]
#[expect(dead_code, reason = "the example's own main is not called here")]
mod opencl_std;

#[test]
fn the_table_of_open_cl_is_fresh() {
    let path = format!("{}/../../docs/opencl-std.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(
        page == opencl_std::markdown(),
        "docs/opencl-std.md is stale: cargo run -p reconverge-opencl --example opencl_std > docs/opencl-std.md"
    );
}
