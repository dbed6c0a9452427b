//! Operations on signed numbers get signed types, and give what they gave.

use reconverge_interpret::{End, Launch, Value, no_externals, run};
use reconverge_ir::{Inst, Module, Op, text};
use reconverge_opencl::{Context, KernelOptions, signed_operands};
use reconverge_verify::verify;

const SOURCE: &str = "
%glsl = ext_inst_import \"GLSL.std.450\"
%u32 = type_int 32 0
%f32 = type_float 32
%x2 = type_vector %u32 2
%y2 = type_vector %f32 2
func %f: %u32 (%a: %u32, %b: %u32) {
block ^entry:
  %low: %u32 = ext_inst %glsl, 39, %a, %b
  %high: %u32 = ext_inst %glsl, 42, %a, %b
  %kept: %u32 = ext_inst %glsl, 45, %a, %low, %high
  %unsigned: %u32 = ext_inst %glsl, 41, %a, %b
  %pair: %x2 = composite_construct %kept, %high
  %numbers: %y2 = convert_s_to_f %pair
  %x: %f32 = composite_extract %numbers, 0
  %y: %f32 = composite_extract %numbers, 1
  %z: %f32 = f_add %x, %y
  %whole: %u32 = convert_f_to_s %z
  %sum: %u32 = i_add %whole, %unsigned
  return_value %sum
}
";

fn result(module: &Module, arguments: [u32; 2]) -> Value {
    let function = module.functions().next().expect("there is one");
    let launch = Launch::new(arguments.map(Value::u32).to_vec()).with_fuel(1000);
    let outcome = run(module, function, &launch, &mut no_externals).expect("the launch fits");
    match outcome.only().end.clone() {
        End::Returned(Some(value)) => value,
        other => panic!("{other:?}"),
    }
}

fn is_signed(module: &Module, value: Inst) -> bool {
    let ty = module.ty(value).expect("a value has a type");
    let number = if module.op(ty) == Op::TypeVector { module.operand(ty, 0) } else { ty };
    module.op(number) == Op::TypeInt && module.literal_word(module.operand(number, 1)) == Some(1)
}

#[test]
fn signed_operations_have_signed_types() {
    let before = text::parse(SOURCE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&before), []);
    let mut after = before.clone();
    let mut context = Context::new(KernelOptions::default());
    assert_eq!(signed_operands(&mut after, &mut context), Ok(true));
    assert_eq!(verify(&after), [], "{}", text::print(&after));
    let mut seen = 0;
    for inst in after.functions().flat_map(|function| after.descendants(function)) {
        match after.op(inst) {
            Op::ConvertSToF => assert!(is_signed(&after, after.operand(inst, 0))),
            Op::ConvertFToS => assert!(is_signed(&after, inst)),
            Op::ExtInst if after.literal_word(after.operand(inst, 1)) != Some(41) => {
                assert!(is_signed(&after, inst));
                assert!(after.operands(inst).skip(2).all(|operand| is_signed(&after, operand)));
            }
            Op::ExtInst => assert!(!is_signed(&after, inst)),
            _ => continue,
        }
        seen += 1;
    }
    assert_eq!(seen, 6);
    assert_eq!(signed_operands(&mut after, &mut context), Ok(false), "once is enough");
    for arguments in [[5, 0xffff_fe04], [0xffff_fffe, 3], [7, 9], [0xffff_fff0, 0xffff_fff8]] {
        assert_eq!(result(&before, arguments), result(&after, arguments), "{arguments:?}");
    }
}
