//! Every rule of types and of whole modules fires: a valid module, a small change to its text, and that rule's code among the findings.

use reconverge_ir::{Module, Op, Position, text};
use reconverge_verify::{Code, verify, verify_whole};

/// A compute shader as glslangValidator writes it: a buffer with a matrix, a float and words, an image, a barrier, an atomic.
const SHADER: &str = include_str!("../../../tests/filetests/verify/whole/shader.ir");

/// A rule, a piece of the text, and what stands in its place where the rule is broken.
#[rustfmt::skip]
const CHANGES: &[(Code, &str, &str)] = &[
    (Code::T01, "f_mul %20, %21", "f_mul %20, %17"),
    (Code::T02, "f_ord_greater_than %24, %23", "f_ord_greater_than %24, %17"),
    (Code::T03, "shift_left_logical %39, %40", "shift_left_logical %39, %21"),
    (Code::T04, "%44: %11 = convert_f_to_u %x", "%44: %11 = convert_f_to_u %39"),
    (Code::T05, "composite_extract %61, 0", "composite_extract %61, 7"),
    (Code::T06, "%20: %6 = load %19", "%20: %6 = load %b"),
    (Code::T07, "%51: %11 = constant 264", "%51: %11 = constant 268"),
    (Code::T08, "atomic_i_add %42, %40, %47, %46", "atomic_i_add %42, %40, %47, %x"),
    (Code::T10, "image_write %55, %57, %65", "image_write %55, %36, %65"),
    (Code::T14, "import \"GLSL.std.450\"", "import \"GLSL.std.45\""),
    (Code::T11, "ext_inst %1, 40, %24, %31", "ext_inst %1, 40, %24, %17"),
    (Code::T12, "%10 = type_matrix %9, 2", "%10 = type_matrix %56, 2"),
    (Code::T13, "constant_composite %36, %36", "constant_composite %36, %23"),
    (Code::T14, "block ^5:\n", "block ^5:\n  %none: %2 = undef\n"),
    (Code::N1, "capability Shader\n", "capability Matrix\n"),
    (Code::N2, "block ^5:\n", "block ^5:\n  %copy: %9 = copy_logical %20\n"),
    (Code::N3, "memory_model Logical, GLSL450", "memory_model Logical, 9"),
    (Code::D01, "{decorate ArrayStride 4}", "{decorate ArrayStride 4, decorate Binding 1}"),
    (Code::D02, "{decorate DescriptorSet 0, decorate Binding 0}", "{decorate DescriptorSet 0, decorate Binding 0, decorate Binding 1}"),
    (Code::D03, "member_decorate 2 Offset 20, ", ""),
    (Code::E01, "entry_point GLCompute, %main, \"main\"\nexecution_mode %main, LocalSize, 1, 1, 1\n", ""),
    (Code::E02, "entry_point GLCompute, %main, \"main\"", "entry_point GLCompute, %main, \"main\", %b"),
    (Code::E03, "LocalSize, 1, 1, 1", "OriginUpperLeft"),
    (Code::E04, "entry_point GLCompute, %main", "entry_point Fragment, %main"),
    (Code::E05, "  return\n}\n", "  return\n}\nfunc %declared: %2 () type %3 control 0 stage graph {decorate LinkageAttributes \"declared\" 1} {\n}\n"),
    // Of one rule, what stands in a file of its own or is easily forgotten.
    (Code::T14, "  return\n", "  return at %40 1:1\n"),
    (Code::N1, "%21: %6 = constant 1073741824\n", "%21: %6 = constant 1073741824\n%sum: %6 = spec_constant_op 129, %21, %21\n"),
    (Code::N2, "%40: %11 = constant 1\n", "%40: %11 = constant 1\n%wide: %11 = spec_constant_op 113, %40\n"),
    (Code::N3, "%40: %11 = constant 1\n", "%40: %11 = constant 1\n%copy: %11 = spec_constant_op 83, %40\n"),
    (Code::D03, "%26 = type_bool\n", "%26 = type_bool\n%bs = type_struct %26 {member_decorate 0 Offset 0, decorate Block}\n%bp = type_pointer Uniform, %bs\n%bv: %bp = variable Uniform {decorate DescriptorSet 0, decorate Binding 2}\n"),
    (Code::D01, "{decorate ArrayStride 4}", "{decorate ArrayStride 4, decorate RelaxedPrecision}"),
    (Code::D01, "{decorate ArrayStride 4}", "{decorate ArrayStride 4, member_name 0 \"x\"}"),
    (Code::D01, "member_decorate 2 Offset 20", "member_decorate 2 BuiltIn 0"),
    (Code::D01, "{decorate DescriptorSet 0,", "{decorate Component 1, decorate DescriptorSet 0,"),
    (Code::D03, "member_decorate 2 Offset 20", "member_decorate 2 Offset 4294967295"),
    (Code::D03, " {decorate ArrayStride 4}", ""),
    (Code::D03, "{decorate ArrayStride 4}", "{decorate ArrayStride 0}"),
    (Code::D03, "%26 = type_bool\n", "%26 = type_bool\n%bindings = type_array %B, %17 {decorate ArrayStride 64}\n"),
    (Code::T06, "%63: %6 = composite_extract %61, 0", "%63: %6 = bitcast %60"),
    (Code::T06, "%21: %6 = constant 1073741824\n", "%21: %6 = constant 1073741824\n%n = type_int 8, 0\n%np = type_pointer Private, %n\n%nv: %np = variable Private\n"),
    (Code::N2, "%1 = ext_inst_import", "extension \"SPV_KHR_workgroup_memory_explicit_layout\"\n%1 = ext_inst_import"),
    (Code::E03, "LocalSize, 1, 1, 1", "LocalSize, 1, 1"),
    (Code::N1, "capability Shader\n", "capability Shader\ncapability VulkanMemoryModel\n"),
    (Code::N3, "memory_model Logical", "source 99, 450\nmemory_model Logical"),
];

/// The same for operations across lanes.
const VOTE: (&str, &str) = ("capability Shader\n", "capability Shader\ncapability GroupNonUniformVote\n");

fn module(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn changed(from: &str, to: &str) -> String {
    assert!(SHADER.contains(from), "{from}");
    SHADER.replacen(from, to, 1)
}

fn codes(module: &Module) -> Vec<Code> {
    verify_whole(module).iter().map(|finding| finding.code).collect()
}

#[test]
fn the_valid_module_is_valid() {
    assert_eq!(codes(&module(SHADER)), []);
}

#[test]
fn each_change_breaks_its_rule() {
    for (code, from, to) in CHANGES {
        let found = codes(&module(&changed(from, to)));
        assert!(found.contains(code), "{code}: {from} ⇒ {to}: {found:?}");
    }
}

#[test]
fn lanes_vote_on_booleans() {
    let text = changed(VOTE.0, VOTE.1).replacen("spirv_header 65536", "spirv_header 66304", 1);
    let vote = |operand: &str| {
        text.replacen(
            "  control_barrier",
            &format!("  %vote: %26 = group_non_uniform_all %three, {operand}\n  control_barrier"),
            1,
        )
        .replacen("%51:", "%three: %11 = constant 3\n%51:", 1)
        .replacen("%26 = type_bool\n", "%26 = type_bool\n%yes: %26 = constant_true\n", 1)
    };
    assert_eq!(codes(&module(&vote("%yes"))), []);
    assert_eq!(codes(&module(&vote("%40"))), [Code::T09]);
}

/// What spirv-val accepts beside what it refuses: booleans in memory of our own, operations of shaders and of kernels.
#[test]
fn what_stands_beside_the_refused_is_accepted() {
    for (from, to) in [
        ("  return\n", "  return at %file 1:1\n"),
        ("%40: %11 = constant 1\n", "%40: %11 = constant 1\n%sum: %11 = spec_constant_op 128, %40, %40\n"),
        ("%26 = type_bool\n", "%26 = type_bool\n%bp = type_pointer Private, %26\n%bv: %bp = variable Private\n"),
        ("%26 = type_bool\n", "%26 = type_bool\n%bs = type_struct %26\n%bp = type_pointer Uniform, %bs\n"),
    ] {
        let text = changed(from, to).replace("source GLSL, 450\n", "%file = string \"a.comp\"\nsource GLSL, 450\n");
        assert_eq!(codes(&module(&text)), [], "{to}");
    }
    let wide = changed("%40: %11 = constant 1\n", "%40: %11 = constant 1\n%wide: %11 = spec_constant_op 113, %40\n");
    assert_eq!(codes(&module(&wide)), [Code::N2]);
    let brought = "extension \"SPV_AMD_gpu_shader_int16\"\n%1 = ext_inst_import";
    assert_eq!(codes(&module(&wide.replace("%1 = ext_inst_import", brought))), []);
    let later = wide.replace("spirv_header 65536", "spirv_header 67072");
    assert!(verify_whole(&module(&later)).iter().all(|finding| !finding.message.contains("specialization")));
}

/// What is said against a rule broken one way is no help against another.
#[test]
fn help_is_about_what_was_found() {
    let helped = |from: &str, to: &str, code: Code| {
        let findings = verify_whole(&module(&changed(from, to)));
        let finding = findings.into_iter().find(|finding| finding.code == code);
        finding.unwrap_or_else(|| panic!("no {code}")).suggestion.unwrap_or_default()
    };
    let too_high = helped("spirv_header 65536", "spirv_header 67072", Code::N2);
    assert!(too_high.starts_with("lower the version"), "{too_high}");
    let too_low = helped("block ^5:\n", "block ^5:\n  %copy: %9 = copy_logical %20\n", Code::N2);
    assert!(too_low.starts_with("raise the version"), "{too_low}");
    assert!(Code::R15.suggestion().contains("OpSelectionMerge"));
}

#[test]
fn help_against_a_lane_that_is_no_constant_is_a_constant() {
    let helped = |instruction: &str| {
        let declared =
            ["", "Ballot", "Quad", "Clustered", "Arithmetic"].map(|of| format!("capability GroupNonUniform{of}\n"));
        let text = changed(VOTE.0, &format!("{}{}", VOTE.0, declared.concat())).replacen(
            "spirv_header 65536",
            "spirv_header 66304",
            1,
        );
        let text = text.replacen("%51:", "%three: %11 = constant 3\n%51:", 1);
        let line = format!("  %lane: %11 = i_add %40, %40\n  %moved: %11 = {instruction}\n  control_barrier");
        let findings = verify_whole(&module(&text.replacen("  control_barrier", &line, 1)));
        let finding = findings.into_iter().find(|finding| finding.code == Code::T09);
        finding.unwrap_or_else(|| panic!("no finding: {instruction}")).suggestion.unwrap_or_default()
    };
    assert_eq!(helped("group_non_uniform_broadcast %three, %40, %lane"), "use a constant, or SPIR-V 1.5");
    assert_eq!(helped("group_non_uniform_quad_swap %three, %40, %lane"), "use a constant");
    assert_eq!(helped("group_non_uniform_i_add %three, 3, %40, %lane"), "use a constant");
    assert_eq!(helped("group_non_uniform_f_add %three, 0, %40"), Code::T09.suggestion());
}

#[test]
fn every_rule_has_a_change() {
    let is_here = |code: &&Code| (Code::T01..=Code::E05).contains(code) && **code != Code::T09;
    let missing: Vec<&Code> =
        Code::ALL.iter().filter(is_here).filter(|code| !CHANGES.iter().any(|row| row.0 == **code)).collect();
    assert!(missing.is_empty(), "no change breaks {missing:?}");
}

/// Between passes a module need not declare what it uses.
#[test]
fn parts_are_judged_without_what_a_whole_declares() {
    let text = changed("capability Shader\n", "");
    assert_eq!(verify(&module(&text)), []);
    assert!(codes(&module(&text)).contains(&Code::N1));
}

/// `WorkgroupSize` says how large a workgroup is, whatever the execution mode says.
#[test]
fn an_empty_workgroup_is_refused_where_its_size_counts() {
    let text = changed("LocalSize, 1, 1, 1", "LocalSize, 8, 8, 0");
    assert_eq!(codes(&module(&text)), []);
    assert_eq!(codes(&module(&text.replacen(" {decorate BuiltIn 25}", "", 1))), [Code::E03]);
}

/// SPV_AMD_shader_ballot brings group operations to shaders with `Groups`, which the grammar does not say of their enumerants.
#[test]
fn group_operations_come_with_groups() {
    let call = "  %48: %11 = atomic_i_add %42, %40, %47, %46\n";
    let text = changed(call, &format!("{call}  %reduced: %11 = group_i_add %50, 0, %48\n"));
    assert!(codes(&module(&text)).contains(&Code::N1));
    let groups = "capability Shader\ncapability Groups\nextension \"SPV_AMD_shader_ballot\"\n";
    assert_eq!(codes(&module(&text.replacen("capability Shader\n", groups, 1))), []);
}

/// SPIR-V section 2.17: structs nest 255 deep, functions have 255 parameters.
#[test]
fn universal_limits_hold() {
    let nested = |depth: usize| {
        let structs: String = (1..depth).map(|number| format!("%s{number} = type_struct %s{}\n", number - 1)).collect();
        changed(
            "%21: %6 = constant 1073741824\n",
            &format!("%21: %6 = constant 1073741824\n%s0 = type_struct %6\n{structs}"),
        )
    };
    assert_eq!(codes(&module(&nested(255))), []);
    assert_eq!(codes(&module(&nested(256))), [Code::T12]);
    let parameters = |count: usize| {
        let types = ", %6".repeat(count);
        changed(
            "%21: %6 = constant 1073741824\n",
            &format!("%21: %6 = constant 1073741824\n%wide = type_function %2{types}\n"),
        )
    };
    assert_eq!(codes(&module(&parameters(255))), []);
    assert_eq!(codes(&module(&parameters(256))), [Code::T12]);
}

/// SPIR-V section 2.3: the words of an instruction are counted in 16 bits.
#[test]
fn an_instruction_has_a_limit_of_operands() {
    let wide = |count: usize| {
        let mut module = module(SHADER);
        let block = module.functions().next().and_then(|function| module.entry(function)).unwrap();
        let mut editor = module.edit();
        // An opcode that is none, and words behind it.
        let word = editor.word(60_000);
        editor.insert(Position::AtStart(block.inst()), Op::OpaquePlain, None, &vec![word; count]);
        module
    };
    assert_eq!(codes(&wide(65_535)), []);
    assert_eq!(codes(&wide(65_536)), [Code::R13]);
}

/// A block of a selection with two predecessors, where lanes would come together without a word.
const JOINED: &str = include_str!("../../../tests/filetests/verify/whole/joined.ir");

#[test]
fn lanes_come_together_where_the_structure_says_so() {
    let without = JOINED.replace("execution_mode %main, MaximallyReconvergesKHR\n", "");
    assert_eq!(codes(&module(&without)), []);
    assert_eq!(codes(&module(JOINED)), [Code::E03]);
}

/// OpFragmentMaskFetchAMD, which the op table does not know, takes values; an unknown opcode may mean anything.
#[test]
fn types_are_no_values_of_known_instructions() {
    let text = changed(
        "capability Shader\n",
        "capability Shader\ncapability FragmentMaskAMD\nextension \"SPV_AMD_shader_fragment_mask\"\n",
    );
    let with = |line: &str| module(&text.replacen("block ^5:\n", &format!("block ^5:\n  {line}\n"), 1));
    assert_eq!(codes(&with("%c: %11 = opaque_typed 5011, %50, %50")), []);
    assert_eq!(codes(&with("%c: %11 = opaque_typed 5011, %11, %50")), [Code::T14]);
    assert_eq!(codes(&with("%c: %11 = opaque_typed 9999, %11")), []);
}
