//! N17: edits do not keep SSA, and repair brings it back.

use reconverge_control_tree::{Cursor, Role, TreeEditor};
use reconverge_ir::{Block, Op, text};
use reconverge_rewrite::{OriginalDominance, repair_ssa};
use reconverge_verify::verify;

const MODULE: &str = "
capability Shader
capability Linkage
memory_model Logical, GLSL450
%u32 = type_int 32, 0
%bool = type_bool
%fn = type_function %u32, %u32, %bool
func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  %x: %u32 = i_add %n, %n
  if %c ^then ^else merge ^m control 0
block ^then:
  branch ^m
edge ^else:
  branch ^m
block ^m:
  return_value %x
}
";

#[test]
fn n17_a_definition_moved_into_an_arm_is_repaired_for_its_use() {
    let mut module = text::parse(MODULE).unwrap();
    let function = module.functions().next().unwrap();
    let entry: Block = module.entry(function).unwrap();
    let x = module.children(entry).find(|&inst| module.op(inst) == Op::IAdd).unwrap();
    let mut editor = TreeEditor::new(&mut module, function).unwrap();
    let then = editor.ends(entry, Role::Then).unwrap().0;
    let fragment = editor.extract(Cursor::Before(x), Cursor::After(x)).unwrap();
    editor.insert(Cursor::BeforeBlock(then), fragment).unwrap();
    assert_ne!(verify(&module), [], "the use after the `if` is not dominated any more");
    // The merge block gets a parameter: the value from the arm, undefined from the other. The motion is new, so dominance before it
    // says nothing about where the value may be asked for.
    let report = repair_ssa(&mut module, function, &OriginalDominance::unknown()).unwrap();
    assert_eq!(verify(&module), []);
    assert_eq!((report.values, report.parameters), (1, 1));
}
