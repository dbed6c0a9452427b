//! `if_conversion` within other limits than its own.

use reconverge_ir::Function;
use reconverge_optimize::structured::{SelectLimits, if_conversion_within};
use reconverge_testing::filetest::input;
use reconverge_testing::programs::functions;

/// The filetest says that the arm is too expensive for the limits of the pass.
#[test]
fn a_higher_limit_takes_a_longer_arm() {
    let mut module = input("structured/if_conversion/price.ir");
    let is_expensive = |&function: &Function| module.name(function).as_deref() == Some("expensive");
    let function = functions(&module).into_iter().find(is_expensive).expect("a function of that name");
    let limits = |plain| SelectLimits { plain, flatten: 0 };
    assert_eq!(if_conversion_within(&mut module, function, limits(9)).ok(), Some(false));
    assert_eq!(if_conversion_within(&mut module, function, limits(10)).ok(), Some(true));
}
