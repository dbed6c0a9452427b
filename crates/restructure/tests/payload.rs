//! Arguments of original edges on their way through added blocks: as many as are due, however many parameters there are.

use reconverge_testing::programs::{module, phis, structurized};

#[test]
fn a_thousand_parameters_on_every_way() {
    let list = |of: &dyn Fn(usize) -> String| (0..1_000).map(of).collect::<Vec<_>>().join(", ");
    let parameters = list(&|index| format!("%p{index}: %u32"));
    let (first, second) = (list(&|_| "%one".to_owned()), list(&|_| "%n".to_owned()));
    let before = module(&format!(
        "func %f: %u32 (%n: %u32, %c: %bool, %d: %bool) {{
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch_if %d ^am ^an
         edge ^am:
           branch ^m({first})
         edge ^an:
           branch ^k({second})
         block ^b:
           branch_if %d ^bm ^bn
         edge ^bm:
           branch ^m({second})
         edge ^bn:
           branch ^k({first})
         block ^m({parameters}):
           return_value %p999
         block ^k({}):
           return_value %q7
         }}",
        parameters.replace("%p", "%q")
    ));
    let after = structurized(&before);
    assert!(phis(&after) <= 3_001, "{} phis", phis(&after));
}
