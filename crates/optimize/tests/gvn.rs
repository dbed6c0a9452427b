//! What value numbering says of its work, on the programs of its filetests.

use reconverge_optimize::{Analyses, gvn};
use reconverge_testing::filetest::{folder, modules_below};
use reconverge_testing::programs::functions;

#[test]
fn every_value_that_gives_way_is_named() {
    let (mut merged, mut parameters) = (0, 0);
    for (path, mut module) in modules_below(&folder().join("passes/gvn")).expect("files") {
        for function in functions(&module) {
            let done = gvn(&mut module, function, &mut Analyses::default());
            assert_eq!(done.replaced.len(), done.merged + done.parameters, "{}", path.display());
            merged += done.merged;
            parameters += done.parameters;
        }
    }
    assert!(merged > 10 && parameters > 1, "{merged} instructions, {parameters} parameters");
}
