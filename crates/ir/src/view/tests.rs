//! Views read what is there, and nothing from what is malformed.

use spirv::{BuiltIn, Decoration, ExecutionMode, GroupOperation, StorageClass};

use crate::decoration::{self, LinkageAttributes};
use crate::view::{self, TypeView};
use crate::{Builder, Editor, Inst, Module, Op, OperandKind, Quantity, text};

const SHADER: &str = r#"
capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, "main", %output
execution_mode %main, LocalSize, 64, 2, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%f32 = type_float 32
%vec = type_vector %f32, 3
%four: %u32 = constant 4
%long = type_int 64, 1
%wide: %long = constant words(1, 2)
%array = type_array %u32, %four {decorate ArrayStride 4}
%pointer = type_pointer StorageBuffer, %array
%element = type_pointer StorageBuffer, %u32
%output: %pointer = variable StorageBuffer {decorate Binding 3, decorate NonWritable, decorate 9999 1}
%function = type_function %void, %u32
%image = type_image %f32, Dim2D, 0, 0, 0, 1, Unknown
%sampled = type_sampled_image %image

func %main: %void (%lane: %u32, %texture: %sampled, %where: %vec) {
block ^entry:
  %place: %element = access_chain %output, %lane
  %x: %u32 = load %place 3, 16
  %sum: %u32 = group_non_uniform_i_add %four, Reduce, %x
  %old: %u32 = atomic_compare_exchange %place, %four, %four, %lane, %x, %sum
  %color: %vec = image_sample_explicit_lod %texture, %where, 12, %x, %sum, %old
  %both: %u32 = i_add %x, %sum
  copy_memory %place, %place, 1, 2, 8
  %less: %bool = u_less_than %x, %sum
  branch_if %less ^then ^else weights 1 2
block ^then:
  switch %x default ^else [1 ^else] [7 ^else]
block ^else:
  return
}
"#;

fn shader() -> Module {
    text::parse(SHADER).unwrap_or_else(|error| panic!("{error}"))
}

fn the(module: &Module, op: Op) -> Inst {
    let found = module.descendants(module.root()).find(|&inst| module.op(inst) == op);
    found.unwrap_or_else(|| panic!("{op:?}"))
}

fn named(module: &Module, name: &str) -> Inst {
    let found = module.descendants(module.root()).find(|&inst| module.name(inst).as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn operands_come_by_name() {
    let module = shader();
    let entry = view::EntryPoint::of(&module, the(&module, Op::EntryPoint)).unwrap();
    assert_eq!(entry.execution_model, Some(spirv::ExecutionModel::GLCompute));
    assert_eq!((entry.function, entry.name == "main"), (named(&module, "main"), true));
    assert_eq!(entry.interface.to_vec(), [named(&module, "output")]);
    let mode = view::Mode::of(&module, the(&module, Op::ExecutionMode)).unwrap();
    assert_eq!((mode.mode, mode.parameters.len()), (Some(ExecutionMode::LocalSize), 3));
    let wide = view::Constant::of(&module, named(&module, "wide")).unwrap();
    assert_eq!((wide.value, module.constant_bits(named(&module, "wide"))), (&[1, 2][..], Some(2 << 32 | 1)));
    let switch = view::Selection::of(&module, the(&module, Op::Switch)).unwrap();
    assert_eq!((switch.selector, switch.cases.len()), (named(&module, "x"), 2));
    let literals: Vec<_> = switch.cases.iter().map(|case| module.literal_word(case.literal)).collect();
    assert_eq!(literals, [Some(1), Some(7)]);
    let branch = view::BranchIf::of(&module, the(&module, Op::BranchIf)).unwrap();
    assert_eq!(branch.weights.to_vec(), [1, 2]);
}

#[test]
fn masks_come_with_what_they_call_for() {
    let module = shader();
    let load = view::Load::of(&module, named(&module, "x")).unwrap().memory_access.unwrap();
    assert_eq!((load.is_volatile(), load.alignment, load.make_visible), (true, Some(16), None));
    let copy = view::CopyMemory::of(&module, the(&module, Op::CopyMemory)).unwrap();
    assert_eq!(copy.memory_access.unwrap().mask, spirv::MemoryAccess::VOLATILE);
    assert_eq!(copy.source_access.unwrap().alignment, Some(8));
    assert_eq!(module.memory_access(named(&module, "place")), view::MemoryAccess::default());
    let sample = view::ImageAccess::of(&module, named(&module, "color")).unwrap();
    let [x, sum, old] = ["x", "sum", "old"].map(|name| named(&module, name));
    assert_eq!(sample.operands.grad, Some(view::Gradient { dx: x, dy: sum }));
    assert_eq!((sample.operands.const_offset, sample.operands.lod, sample.argument), (Some(old), None, None));
}

#[test]
fn families_read_alike() {
    let module = shader();
    let [x, sum, place] = ["x", "sum", "place"].map(|name| named(&module, name));
    assert_eq!(view::Binary::of(&module, named(&module, "both")), Some(view::Binary { left: x, right: sum }));
    assert_eq!(view::Binary::of(&module, named(&module, "less")), Some(view::Binary { left: x, right: sum }));
    assert_eq!(view::Unary::of(&module, named(&module, "both")), None);
    let group = view::Group::of(&module, sum).unwrap();
    assert_eq!((group.operation, group.value), (Some(GroupOperation::Reduce), Some(x)));
    let atomic = view::Atomic::of(&module, named(&module, "old")).unwrap();
    assert_eq!((atomic.pointer, atomic.value, atomic.comparator), (place, Some(x), Some(sum)));
    assert_eq!(atomic.unequal_semantics, Some(named(&module, "lane")));
    let chain = view::Chain::of(&module, place).unwrap();
    assert_eq!((chain.base, chain.element), (named(&module, "output"), None));
    assert_eq!(chain.indexes.to_vec(), [named(&module, "lane")]);
}

#[test]
fn every_op_of_a_family_has_the_operands_of_its_struct() {
    let count = |covers: fn(Op) -> bool| Op::ALL.iter().filter(|&&op| covers(op)).count();
    let images =
        Op::ALL.iter().filter(|op| op.signature().iter().any(|entry| entry.kind == OperandKind::ImageOperands));
    assert_eq!(images.count(), count(view::ImageAccess::covers));
    for &op in Op::ALL.iter().filter(|&&op| view::Atomic::covers(op)) {
        let names: Vec<&str> = op.signature().iter().map(|entry| entry.name).collect();
        assert_eq!(names[..2], ["pointer", "memory"], "{op:?}");
        assert!([3, 4, 6].contains(&names.len()), "{op:?}");
    }
    for &op in Op::ALL.iter().filter(|&&op| view::Group::covers(op) && op != Op::GroupNonUniformElect) {
        let value = op.signature().iter().position(|entry| matches!(entry.name, "value" | "predicate"));
        let before = &op.signature()[..value.unwrap()];
        assert!(before.iter().all(|entry| matches!(entry.name, "execution" | "operation")), "{op:?}");
    }
}

#[test]
fn types_are_an_enum() {
    let mut module = shader();
    let view = |name: &str| module.type_view(named(&module, name)).unwrap();
    assert_eq!(view("void"), TypeView::Void);
    assert_eq!(view("long"), TypeView::Int { width: 64, is_signed: true });
    assert_eq!(view("f32"), TypeView::Float { width: 32, is_ieee: true });
    assert_eq!(view("vec"), TypeView::Vector { component: named(&module, "f32"), count: 3 });
    let TypeView::Function { result, parameters } = view("function") else { panic!() };
    assert_eq!((result, parameters.to_vec()), (named(&module, "void"), vec![named(&module, "u32")]));
    let TypeView::Image(image) = view("image") else { panic!() };
    assert_eq!((image.dim, image.sampled, image.access_qualifier), (Some(spirv::Dim::Dim2D), 1, None));
    assert_eq!(module.type_view(named(&module, "four")), None);
    let output = named(&module, "output");
    assert_eq!(module.pointee(output), Some(named(&module, "array")));
    assert_eq!(module.storage_class(output), Some(StorageClass::StorageBuffer));
    assert!(module.is_variable_of(output, StorageClass::StorageBuffer));
    assert_eq!(module.element_type(named(&module, "array")), Some(named(&module, "u32")));
    let [vector, array] = ["vec", "array"].map(|name| named(&module, name));
    let structure = module.edit().append_global(Op::TypeStruct, None, &[vector, array]);
    assert_eq!(module.part_type(structure, 1), Some(array));
    assert_eq!(module.part_type(structure, 2), None);
    assert_eq!(module.part_type(array, 2), Some(named(&module, "u32")));
    assert_eq!(module.components(named(&module, "vec")), (named(&module, "f32"), 3));
    assert_eq!(module.components(output), (output, 1));
    assert_eq!(module.array_stride(named(&module, "array")), Some(4));
}

#[test]
fn decorations_are_asked_by_type() {
    let mut module = shader();
    let output = named(&module, "output");
    let notes = module.decorated(output);
    assert_eq!(notes.find(), Some(decoration::Binding(3)));
    assert_eq!(notes.find::<decoration::DescriptorSet>(), None);
    assert!(notes.has(Decoration::NonWritable) && !notes.has(Decoration::NonReadable));
    let unknown = notes.iter().find(|note| note.kind().is_none()).unwrap();
    assert_eq!((unknown.number, unknown.words().collect::<Vec<u32>>()), (9999, vec![1]));
    let mut build = Builder::new(&mut module);
    let name = build.editor().text("shared");
    let linkage = LinkageAttributes { name, linkage: spirv::LinkageType::Export };
    build.add_decoration(output, linkage);
    build.add_decoration(output, decoration::BuiltIn(BuiltIn::PointSize));
    assert_eq!(module.decorated(output).find(), Some(linkage));
    assert_eq!(module.decorated(output).find(), Some(decoration::BuiltIn(BuiltIn::PointSize)));
}

#[test]
fn what_is_malformed_has_no_view() {
    let mut module = shader();
    let x = named(&module, "x");
    let literal = module.find_word(16).unwrap();
    module.edit().set_operands(x, &[]);
    assert_eq!(view::Load::of(&module, x), None);
    assert_eq!(module.memory_access(x), view::MemoryAccess::default());
    module.edit().set_operands(x, &[literal, x]);
    assert_eq!(view::Load::of(&module, x), None, "the mask is no literal");
    let aligned = module.edit().enumerant(spirv::MemoryAccess::ALIGNED);
    module.edit().set_operands(x, &[literal, aligned]);
    assert_eq!(view::Load::of(&module, x).unwrap().memory_access.unwrap().alignment, None);
    let unknown = module.edit().word(12_345);
    let variable = named(&module, "output");
    module.edit().set_operand(variable, view::Variable::SLOT.storage_class, unknown);
    assert_eq!(view::Variable::of(&module, variable).unwrap().storage_class, None);
}

#[test]
fn the_numbers_of_operands_are_those_of_all_ops_of_a_family() {
    let covered = |covers: fn(Op) -> bool| Op::ALL.iter().copied().filter(move |&op| covers(op));
    let name = |op: Op, number: usize| op.signature()[number].name;
    for op in covered(view::DerivedPointer::covers) {
        assert!(["base", "operand"].contains(&name(op, view::DerivedPointer::BASE)), "{op:?}");
    }
    assert_eq!([view::Binary::LEFT, view::Binary::RIGHT].map(|number| name(Op::IEqual, number)), ["left", "right"]);
    for op in covered(view::Unary::covers) {
        assert_eq!(op.signature().len(), view::Unary::OPERAND + 1, "{op:?}");
    }
    for op in covered(view::Access::covers).filter(|&op| !view::Copy::covers(op)) {
        assert_eq!(name(op, view::Access::POINTER), "pointer", "{op:?}");
    }
    for op in covered(view::Copy::covers) {
        assert_eq!([view::Copy::TARGET, view::Copy::SOURCE].map(|number| name(op, number)), ["target", "source"]);
        assert_eq!(view::Access::POINTER, view::Copy::TARGET);
    }
}

#[test]
fn no_view_panics_on_operands_of_any_number() {
    let mut module = Module::new();
    let literal = module.edit().word(u32::MAX);
    for &op in Op::ALL.iter().filter(|op| !op.signature().is_empty()) {
        for count in 0..op.signature().len() + 3 {
            let mut edit = module.edit();
            let inst = edit.create(op, None, &vec![literal; count]);
            read_all(&mut edit, inst);
        }
    }
}

/// Reads an instruction by the views that check more than the presence of operands.
fn read_all(edit: &mut Editor<'_>, inst: Inst) {
    let module = edit.module();
    let op = module.op(inst);
    let required = op.signature().iter().filter(|entry| entry.quantity == Quantity::One).count();
    assert_eq!(op.required_operands(), required);
    let is_whole = module.operand_count(inst) >= required;
    assert_eq!(view::Binary::of(module, inst).is_some(), view::Binary::covers(op) && module.operand_count(inst) >= 2);
    assert_eq!(view::Atomic::of(module, inst).is_some(), view::Atomic::covers(op) && is_whole);
    assert!(view::Group::of(module, inst).is_some() || !(view::Group::covers(op) && is_whole));
    assert!(view::ImageAccess::of(module, inst).is_some() || !(view::ImageAccess::covers(op) && is_whole));
    assert_eq!(view::Jump::of(module, inst).is_some(), view::Jump::covers(op) && is_whole);
    assert_eq!(view::Conditional::of(module, inst).is_some(), view::Conditional::covers(op) && is_whole);
    assert_eq!(view::Mode::of(module, inst).is_some(), view::Mode::covers(op) && is_whole);
    assert!(module.type_view(inst).is_some() || !(op.is_type() && is_whole));
    assert!(module.memory_access(inst).alignment.is_none_or(|alignment| alignment == u32::MAX));
}
