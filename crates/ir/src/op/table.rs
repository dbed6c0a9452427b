//! The op table: every operation of the IR, declared once.
//!
//! A row is `Variant = name opcode shape [operands] effects`: the enum variant, the name in the text form, the SPIR-V opcode (0 if SPIR-V
//! has no such instruction), whether the instruction has a type and a result, its operands, and what it does besides producing a value. The
//! order matters: classes are contiguous, so that "is a type?" is one comparison of a range. The enum, the class ranges, the names, the
//! builder's methods, the parser, the printer, the signatures that the verifier checks, the typed views ([`crate::view`]), the mapping to
//! SPIR-V and `docs/ops.md` are all generated from this table.
//!
//! An operand is `name: Kind`, `name: optional(Kind)`, `name: many(Kind)` or `name: rest(Kind)`. The last one belongs to a mask or an
//! enumerant before it: as many operands as that one requires. Names follow SPIR-V's grammar.
//!
//! Value operations have SPIR-V's own names, in snake case and without `Op`; the meaning of each is that of the SPIR-V
//! specification, section 3 ("Instructions").

use super::declare_ops;

declare_ops! {
    /// What is left of an instruction that was deleted or merged into an equal one.
    Removed {
        Dead = dead 0 Plain [] STRUCTURE,
        Merged = merged 0 Plain [] STRUCTURE,
    }
    /// The parts of a program that hold other instructions, and their parameters.
    Structure {
        Module = module 0 Plain [] STRUCTURE,
        Function = func 54 Typed [function_type: Value, control: FunctionControl, stage: Integer] STRUCTURE,
        Block = block 248 Result [] STRUCTURE,
        EdgeBlock = edge 248 Result [] STRUCTURE,
        FunctionParameter = function_parameter 55 Typed [] STRUCTURE,
        BlockParameter = block_parameter 245 Typed [] STRUCTURE,
        Generic = generic 0 Result [] STRUCTURE,
        Interface = interface 0 Result [] STRUCTURE,
        GenericParameter = generic_parameter 0 Typed [] STRUCTURE,
        Requirement = requirement 0 Typed [] STRUCTURE,
    }
    /// Words and strings: the only instructions that carry a payload.
    Literal {
        LiteralWords = literal 0 Result [] PURE,
        LiteralText = text 0 Result [] PURE,
    }
    /// Notes that hang on another instruction.
    Decoration {
        Name = name 5 Plain [name: Text] STRUCTURE,
        MemberName = member_name 6 Plain [member: Integer, name: Text] STRUCTURE,
        Decorate = decorate 71 Plain [decoration: Decoration, parameters: many(Any)] STRUCTURE,
        MemberDecorate = member_decorate 72 Plain [member: Integer, decoration: Decoration, parameters: many(Any)] STRUCTURE,
        DecorateId = decorate_id 332 Plain [decoration: Decoration, parameters: many(Value)] STRUCTURE,
        DecorateString = decorate_string 5632 Plain [decoration: Decoration, text: Text, more: many(Text)] STRUCTURE,
        MemberDecorateString = member_decorate_string 5633 Plain [member: Integer, decoration: Decoration, text: Text, more: many(Text)] STRUCTURE,
    }
    /// What debug information says about a place in the source: parts of locations.
    Position {
        DebugLine = debug_line 0 Plain [set: Value, source: Value, first_line: Value, last_line: Value, first_column: Value, last_column: Value] STRUCTURE,
        DebugScope = debug_scope 0 Plain [set: Value, scope: Value, inlined_at: optional(Value)] STRUCTURE,
    }
    /// Instructions that are at module level and describe it.
    ModuleInstruction {
        SpirvHeader = spirv_header 0 Plain [version: Integer, generator: Integer, schema: Integer] STRUCTURE,
        Capability = capability 17 Plain [capability: Capability] STRUCTURE,
        Extension = extension 10 Plain [name: Text] STRUCTURE,
        ExtInstImport = ext_inst_import 11 Result [name: Text] STRUCTURE,
        MemoryModel = memory_model 14 Plain [addressing_model: AddressingModel, memory_model: MemoryModel] STRUCTURE,
        EntryPoint = entry_point 15 Plain [execution_model: ExecutionModel, function: Value, name: Text, interface: many(Value)] STRUCTURE,
        ExecutionMode = execution_mode 16 Plain [function: Value, mode: ExecutionMode, parameters: many(Any)] STRUCTURE,
        ExecutionModeId = execution_mode_id 331 Plain [function: Value, mode: ExecutionMode, parameters: many(Any)] STRUCTURE,
        String = string 7 Result [text: Text] STRUCTURE,
        SourceContinued = source_continued 2 Plain [text: Text] STRUCTURE,
        Source = source 3 Plain [language: SourceLanguage, version: Integer, file: optional(Value), text: optional(Text)] STRUCTURE,
        SourceExtension = source_extension 4 Plain [extension: Text] STRUCTURE,
        ModuleProcessed = module_processed 330 Plain [process: Text] STRUCTURE,
        TypeForwardPointer = type_forward_pointer 39 Plain [pointer_type: Value, storage_class: StorageClass] STRUCTURE,
    }
    /// Types.
    Type {
        TypeVoid = type_void 19 Result [] PURE,
        TypeBool = type_bool 20 Result [] PURE,
        TypeInt = type_int 21 Result [width: Integer, signedness: Integer] PURE,
        TypeFloat = type_float 22 Result [width: Integer, encoding: optional(FPEncoding), parameters: rest(Any)] PURE,
        TypeVector = type_vector 23 Result [component: Value, count: Integer] PURE,
        TypeMatrix = type_matrix 24 Result [column: Value, count: Integer] PURE,
        TypeImage = type_image 25 Result [sampled_type: Value, dim: Dim, depth: Integer, arrayed: Integer, multisampled: Integer, sampled: Integer, format: ImageFormat, access_qualifier: optional(AccessQualifier), parameters: rest(Any)] PURE,
        TypeSampler = type_sampler 26 Result [] PURE,
        TypeSampledImage = type_sampled_image 27 Result [image: Value] PURE,
        TypeArray = type_array 28 Result [element: Value, length: Value] PURE,
        TypeRuntimeArray = type_runtime_array 29 Result [element: Value] PURE,
        TypeStruct = type_struct 30 Result [members: many(Value)] PURE,
        TypeOpaque = type_opaque 31 Result [name: Text] PURE,
        TypePointer = type_pointer 32 Result [storage_class: StorageClass, pointee: Value] PURE,
        TypeFunction = type_function 33 Result [result: Value, parameters: many(Value)] PURE,
        TypeEvent = type_event 34 Result [] PURE,
        TypeDeviceEvent = type_device_event 35 Result [] PURE,
        TypeReserveId = type_reserve_id 36 Result [] PURE,
        TypeQueue = type_queue 37 Result [] PURE,
        TypePipe = type_pipe 38 Result [access_qualifier: AccessQualifier, parameters: rest(Any)] PURE,
        TypePipeStorage = type_pipe_storage 322 Result [] PURE,
        TypeNamedBarrier = type_named_barrier 327 Result [] PURE,
        TypeRayQueryKHR = type_ray_query_khr 4472 Result [] PURE,
        TypeAccelerationStructureKHR = type_acceleration_structure_khr 5341 Result [] PURE,
        TypeCooperativeMatrixKHR = type_cooperative_matrix_khr 4456 Result [component: Value, scope: Scope, rows: Value, columns: Value, matrix_use: Value] PURE,
        TypeCooperativeMatrixNV = type_cooperative_matrix_nv 5358 Result [component: Value, scope: Scope, rows: Value, columns: Value] PURE,
        TypeKind = type_kind 0 Result [] PURE,
        TypeWitness = type_witness 0 Result [subject: Value, interface: Value] PURE,
        TypeExistential = type_existential 0 Result [interface: Value] PURE,
    }
    /// Constants, ordinary and specialization.
    Constant {
        ConstantTrue = constant_true 41 Typed [] PURE,
        ConstantFalse = constant_false 42 Typed [] PURE,
        Constant = constant 43 Typed [value: Number] PURE,
        ConstantComposite = constant_composite 44 Typed [constituents: many(Value)] PURE,
        ConstantSampler = constant_sampler 45 Typed [addressing_mode: SamplerAddressingMode, normalized: Integer, filter_mode: SamplerFilterMode, parameters: rest(Any)] PURE,
        ConstantNull = constant_null 46 Typed [] PURE,
        SpecConstantTrue = spec_constant_true 48 Typed [] PURE,
        SpecConstantFalse = spec_constant_false 49 Typed [] PURE,
        SpecConstant = spec_constant 50 Typed [value: Number] PURE,
        SpecConstantComposite = spec_constant_composite 51 Typed [constituents: many(Value)] PURE,
        SpecConstantOp = spec_constant_op 52 Typed [opcode: Integer, operands: many(Any)] PURE,
        ImportedConstant = imported_constant 0 Typed [] PURE,
    }
    /// Type-level code: generics, interfaces and values of interface type, at stage Generic alone.
    TypeLevel {
        WitnessTable = witness_table 0 Typed [entries: many(Value)] PURE,
        Specialize = specialize 0 Result [generic: Value, arguments: many(Value)] PURE,
        LookupWitness = lookup_witness 0 Result [witness: Value, requirement: Value] PURE,
        ExtractType = extract_type 0 Result [existential: Value] PURE,
        ExtractWitness = extract_witness 0 Typed [existential: Value] PURE,
        MakeExistential = make_existential 0 Typed [value: Value, witness: Value] PURE,
        ExtractValue = extract_value 0 Typed [existential: Value] PURE,
    }
    /// Variables, pointers, loads and stores.
    Memory {
        Variable = variable 59 Typed [storage_class: StorageClass, initializer: optional(Value)] ALLOCATES,
        ImageTexelPointer = image_texel_pointer 60 Typed [image: Value, coordinate: Value, sample: Value] PURE,
        Load = load 61 Typed [pointer: Value, memory_access: optional(MemoryAccess), parameters: rest(Any)] READS,
        Store = store 62 Plain [pointer: Value, object: Value, memory_access: optional(MemoryAccess), parameters: rest(Any)] WRITES,
        CopyMemory = copy_memory 63 Plain [target: Value, source: Value, memory_access: optional(MemoryAccess), source_access: optional(MemoryAccess), parameters: rest(Any)] READS|WRITES,
        CopyMemorySized = copy_memory_sized 64 Plain [target: Value, source: Value, size: Value, memory_access: optional(MemoryAccess), source_access: optional(MemoryAccess), parameters: rest(Any)] READS|WRITES,
        AccessChain = access_chain 65 Typed [base: Value, indexes: many(Value)] PURE,
        InBoundsAccessChain = in_bounds_access_chain 66 Typed [base: Value, indexes: many(Value)] PURE,
        PtrAccessChain = ptr_access_chain 67 Typed [base: Value, element: Value, indexes: many(Value)] PURE,
        ArrayLength = array_length 68 Typed [structure: Value, member: Integer] PURE,
        GenericPtrMemSemantics = generic_ptr_mem_semantics 69 Typed [pointer: Value] PURE,
        InBoundsPtrAccessChain = in_bounds_ptr_access_chain 70 Typed [base: Value, element: Value, indexes: many(Value)] PURE,
        PtrEqual = ptr_equal 401 Typed [left: Value, right: Value] PURE,
        PtrNotEqual = ptr_not_equal 402 Typed [left: Value, right: Value] PURE,
        PtrDiff = ptr_diff 403 Typed [left: Value, right: Value] PURE,
        LifetimeStart = lifetime_start 256 Plain [pointer: Value, size: Integer] WRITES,
        LifetimeStop = lifetime_stop 257 Plain [pointer: Value, size: Integer] WRITES,
        CooperativeMatrixStoreKHR = cooperative_matrix_store_khr 4458 Plain [pointer: Value, object: Value, layout: Value, stride: optional(Value), memory_access: optional(MemoryAccess), parameters: rest(Any)] WRITES,
    }
    /// Composite instructions: vectors, matrices, arrays and structs.
    Composite {
        VectorExtractDynamic = vector_extract_dynamic 77 Typed [vector: Value, index: Value] PURE,
        VectorInsertDynamic = vector_insert_dynamic 78 Typed [vector: Value, component: Value, index: Value] PURE,
        VectorShuffle = vector_shuffle 79 Typed [vector_1: Value, vector_2: Value, components: many(Integer)] PURE,
        CompositeConstruct = composite_construct 80 Typed [constituents: many(Value)] PURE,
        CompositeExtract = composite_extract 81 Typed [composite: Value, indexes: many(Integer)] PURE,
        CompositeInsert = composite_insert 82 Typed [object: Value, composite: Value, indexes: many(Integer)] PURE,
        CopyObject = copy_object 83 Typed [operand: Value] PURE,
        Transpose = transpose 84 Typed [matrix: Value] PURE,
        CopyLogical = copy_logical 400 Typed [operand: Value] PURE,
    }
    /// Images and samplers.
    Image {
        SampledImage = sampled_image 86 Typed [image: Value, sampler: Value] PURE,
        ImageSampleImplicitLod = image_sample_implicit_lod 87 Typed [sampled_image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSampleExplicitLod = image_sample_explicit_lod 88 Typed [sampled_image: Value, coordinate: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSampleDrefImplicitLod = image_sample_dref_implicit_lod 89 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSampleDrefExplicitLod = image_sample_dref_explicit_lod 90 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSampleProjImplicitLod = image_sample_proj_implicit_lod 91 Typed [sampled_image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSampleProjExplicitLod = image_sample_proj_explicit_lod 92 Typed [sampled_image: Value, coordinate: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSampleProjDrefImplicitLod = image_sample_proj_dref_implicit_lod 93 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSampleProjDrefExplicitLod = image_sample_proj_dref_explicit_lod 94 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageFetch = image_fetch 95 Typed [image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageGather = image_gather 96 Typed [sampled_image: Value, coordinate: Value, component: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageDrefGather = image_dref_gather 97 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageRead = image_read 98 Typed [image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageWrite = image_write 99 Plain [image: Value, coordinate: Value, texel: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] WRITES,
        Image = image 100 Typed [sampled_image: Value] PURE,
        ImageQueryFormat = image_query_format 101 Typed [image: Value] PURE,
        ImageQueryOrder = image_query_order 102 Typed [image: Value] PURE,
        ImageQuerySizeLod = image_query_size_lod 103 Typed [image: Value, level: Value] PURE,
        ImageQuerySize = image_query_size 104 Typed [image: Value] PURE,
        ImageQueryLod = image_query_lod 105 Typed [sampled_image: Value, coordinate: Value] CONVERGENT|DERIVATIVE,
        ImageQueryLevels = image_query_levels 106 Typed [image: Value] PURE,
        ImageQuerySamples = image_query_samples 107 Typed [image: Value] PURE,
        ImageSparseSampleImplicitLod = image_sparse_sample_implicit_lod 305 Typed [sampled_image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSparseSampleExplicitLod = image_sparse_sample_explicit_lod 306 Typed [sampled_image: Value, coordinate: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSparseSampleDrefImplicitLod = image_sparse_sample_dref_implicit_lod 307 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSparseSampleDrefExplicitLod = image_sparse_sample_dref_explicit_lod 308 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSparseSampleProjImplicitLod = image_sparse_sample_proj_implicit_lod 309 Typed [sampled_image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSparseSampleProjExplicitLod = image_sparse_sample_proj_explicit_lod 310 Typed [sampled_image: Value, coordinate: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSparseSampleProjDrefImplicitLod = image_sparse_sample_proj_dref_implicit_lod 311 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS|CONVERGENT|DERIVATIVE,
        ImageSparseSampleProjDrefExplicitLod = image_sparse_sample_proj_dref_explicit_lod 312 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: ImageOperands, parameters: rest(Any)] READS,
        ImageSparseFetch = image_sparse_fetch 313 Typed [image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageSparseGather = image_sparse_gather 314 Typed [sampled_image: Value, coordinate: Value, component: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageSparseDrefGather = image_sparse_dref_gather 315 Typed [sampled_image: Value, coordinate: Value, dref: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
        ImageSparseTexelsResident = image_sparse_texels_resident 316 Typed [resident_code: Value] PURE,
        ImageSparseRead = image_sparse_read 320 Typed [image: Value, coordinate: Value, image_operands: optional(ImageOperands), parameters: rest(Any)] READS,
    }
    /// Conversions between types.
    Conversion {
        ConvertFToU = convert_f_to_u 109 Typed [operand: Value] PURE,
        ConvertFToS = convert_f_to_s 110 Typed [operand: Value] PURE,
        ConvertSToF = convert_s_to_f 111 Typed [operand: Value] PURE,
        ConvertUToF = convert_u_to_f 112 Typed [operand: Value] PURE,
        UConvert = u_convert 113 Typed [operand: Value] PURE,
        SConvert = s_convert 114 Typed [operand: Value] PURE,
        FConvert = f_convert 115 Typed [operand: Value] PURE,
        QuantizeToF16 = quantize_to_f16 116 Typed [operand: Value] PURE,
        ConvertPtrToU = convert_ptr_to_u 117 Typed [operand: Value] PURE,
        SatConvertSToU = sat_convert_s_to_u 118 Typed [operand: Value] PURE,
        SatConvertUToS = sat_convert_u_to_s 119 Typed [operand: Value] PURE,
        ConvertUToPtr = convert_u_to_ptr 120 Typed [operand: Value] PURE,
        PtrCastToGeneric = ptr_cast_to_generic 121 Typed [operand: Value] PURE,
        GenericCastToPtr = generic_cast_to_ptr 122 Typed [operand: Value] PURE,
        GenericCastToPtrExplicit = generic_cast_to_ptr_explicit 123 Typed [operand: Value, storage_class: StorageClass] PURE,
        Bitcast = bitcast 124 Typed [operand: Value] PURE,
    }
    /// Arithmetic.
    Arithmetic {
        SNegate = s_negate 126 Typed [operand: Value] PURE,
        FNegate = f_negate 127 Typed [operand: Value] PURE,
        IAdd = i_add 128 Typed [left: Value, right: Value] PURE,
        FAdd = f_add 129 Typed [left: Value, right: Value] PURE,
        ISub = i_sub 130 Typed [left: Value, right: Value] PURE,
        FSub = f_sub 131 Typed [left: Value, right: Value] PURE,
        IMul = i_mul 132 Typed [left: Value, right: Value] PURE,
        FMul = f_mul 133 Typed [left: Value, right: Value] PURE,
        UDiv = u_div 134 Typed [left: Value, right: Value] PURE|TRAPS,
        SDiv = s_div 135 Typed [left: Value, right: Value] PURE|TRAPS,
        FDiv = f_div 136 Typed [left: Value, right: Value] PURE,
        UMod = u_mod 137 Typed [left: Value, right: Value] PURE|TRAPS,
        SRem = s_rem 138 Typed [left: Value, right: Value] PURE|TRAPS,
        SMod = s_mod 139 Typed [left: Value, right: Value] PURE|TRAPS,
        FRem = f_rem 140 Typed [left: Value, right: Value] PURE,
        FMod = f_mod 141 Typed [left: Value, right: Value] PURE,
        VectorTimesScalar = vector_times_scalar 142 Typed [vector: Value, scalar: Value] PURE,
        MatrixTimesScalar = matrix_times_scalar 143 Typed [matrix: Value, scalar: Value] PURE,
        VectorTimesMatrix = vector_times_matrix 144 Typed [vector: Value, matrix: Value] PURE,
        MatrixTimesVector = matrix_times_vector 145 Typed [matrix: Value, vector: Value] PURE,
        MatrixTimesMatrix = matrix_times_matrix 146 Typed [left: Value, right: Value] PURE,
        OuterProduct = outer_product 147 Typed [left: Value, right: Value] PURE,
        Dot = dot 148 Typed [left: Value, right: Value] PURE,
        IAddCarry = i_add_carry 149 Typed [left: Value, right: Value] PURE,
        ISubBorrow = i_sub_borrow 150 Typed [left: Value, right: Value] PURE,
        UMulExtended = u_mul_extended 151 Typed [left: Value, right: Value] PURE,
        SMulExtended = s_mul_extended 152 Typed [left: Value, right: Value] PURE,
        SDot = s_dot 4450 Typed [left: Value, right: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
        UDot = u_dot 4451 Typed [left: Value, right: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
        SUDot = su_dot 4452 Typed [left: Value, right: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
        SDotAccSat = s_dot_acc_sat 4453 Typed [left: Value, right: Value, accumulator: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
        UDotAccSat = u_dot_acc_sat 4454 Typed [left: Value, right: Value, accumulator: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
        SUDotAccSat = su_dot_acc_sat 4455 Typed [left: Value, right: Value, accumulator: Value, packed_vector_format: optional(PackedVectorFormat), parameters: rest(Any)] PURE,
    }
    /// Comparisons, boolean logic and select.
    Logical {
        Any = any 154 Typed [operand: Value] PURE,
        All = all 155 Typed [operand: Value] PURE,
        IsNan = is_nan 156 Typed [operand: Value] PURE,
        IsInf = is_inf 157 Typed [operand: Value] PURE,
        IsFinite = is_finite 158 Typed [operand: Value] PURE,
        IsNormal = is_normal 159 Typed [operand: Value] PURE,
        SignBitSet = sign_bit_set 160 Typed [operand: Value] PURE,
        LessOrGreater = less_or_greater 161 Typed [left: Value, right: Value] PURE,
        Ordered = ordered 162 Typed [left: Value, right: Value] PURE,
        Unordered = unordered 163 Typed [left: Value, right: Value] PURE,
        LogicalEqual = logical_equal 164 Typed [left: Value, right: Value] PURE,
        LogicalNotEqual = logical_not_equal 165 Typed [left: Value, right: Value] PURE,
        LogicalOr = logical_or 166 Typed [left: Value, right: Value] PURE,
        LogicalAnd = logical_and 167 Typed [left: Value, right: Value] PURE,
        LogicalNot = logical_not 168 Typed [operand: Value] PURE,
        Select = select 169 Typed [condition: Value, true_value: Value, false_value: Value] PURE,
        IEqual = i_equal 170 Typed [left: Value, right: Value] PURE,
        INotEqual = i_not_equal 171 Typed [left: Value, right: Value] PURE,
        UGreaterThan = u_greater_than 172 Typed [left: Value, right: Value] PURE,
        SGreaterThan = s_greater_than 173 Typed [left: Value, right: Value] PURE,
        UGreaterThanEqual = u_greater_than_equal 174 Typed [left: Value, right: Value] PURE,
        SGreaterThanEqual = s_greater_than_equal 175 Typed [left: Value, right: Value] PURE,
        ULessThan = u_less_than 176 Typed [left: Value, right: Value] PURE,
        SLessThan = s_less_than 177 Typed [left: Value, right: Value] PURE,
        ULessThanEqual = u_less_than_equal 178 Typed [left: Value, right: Value] PURE,
        SLessThanEqual = s_less_than_equal 179 Typed [left: Value, right: Value] PURE,
        FOrdEqual = f_ord_equal 180 Typed [left: Value, right: Value] PURE,
        FUnordEqual = f_unord_equal 181 Typed [left: Value, right: Value] PURE,
        FOrdNotEqual = f_ord_not_equal 182 Typed [left: Value, right: Value] PURE,
        FUnordNotEqual = f_unord_not_equal 183 Typed [left: Value, right: Value] PURE,
        FOrdLessThan = f_ord_less_than 184 Typed [left: Value, right: Value] PURE,
        FUnordLessThan = f_unord_less_than 185 Typed [left: Value, right: Value] PURE,
        FOrdGreaterThan = f_ord_greater_than 186 Typed [left: Value, right: Value] PURE,
        FUnordGreaterThan = f_unord_greater_than 187 Typed [left: Value, right: Value] PURE,
        FOrdLessThanEqual = f_ord_less_than_equal 188 Typed [left: Value, right: Value] PURE,
        FUnordLessThanEqual = f_unord_less_than_equal 189 Typed [left: Value, right: Value] PURE,
        FOrdGreaterThanEqual = f_ord_greater_than_equal 190 Typed [left: Value, right: Value] PURE,
        FUnordGreaterThanEqual = f_unord_greater_than_equal 191 Typed [left: Value, right: Value] PURE,
    }
    /// Shifts and bit operations.
    Bit {
        ShiftRightLogical = shift_right_logical 194 Typed [base: Value, shift: Value] PURE,
        ShiftRightArithmetic = shift_right_arithmetic 195 Typed [base: Value, shift: Value] PURE,
        ShiftLeftLogical = shift_left_logical 196 Typed [base: Value, shift: Value] PURE,
        BitwiseOr = bitwise_or 197 Typed [left: Value, right: Value] PURE,
        BitwiseXor = bitwise_xor 198 Typed [left: Value, right: Value] PURE,
        BitwiseAnd = bitwise_and 199 Typed [left: Value, right: Value] PURE,
        Not = not 200 Typed [operand: Value] PURE,
        BitFieldInsert = bit_field_insert 201 Typed [base: Value, insert: Value, offset: Value, count: Value] PURE,
        BitFieldSExtract = bit_field_s_extract 202 Typed [base: Value, offset: Value, count: Value] PURE,
        BitFieldUExtract = bit_field_u_extract 203 Typed [base: Value, offset: Value, count: Value] PURE,
        BitReverse = bit_reverse 204 Typed [operand: Value] PURE,
        BitCount = bit_count 205 Typed [operand: Value] PURE,
    }
    /// Derivatives.
    Derivative {
        DPdx = d_pdx 207 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        DPdy = d_pdy 208 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        Fwidth = fwidth 209 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        DPdxFine = d_pdx_fine 210 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        DPdyFine = d_pdy_fine 211 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        FwidthFine = fwidth_fine 212 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        DPdxCoarse = d_pdx_coarse 213 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        DPdyCoarse = d_pdy_coarse 214 Typed [operand: Value] CONVERGENT|DERIVATIVE,
        FwidthCoarse = fwidth_coarse 215 Typed [operand: Value] CONVERGENT|DERIVATIVE,
    }
    /// Geometry-stage streams.
    Geometry {
        EmitVertex = emit_vertex 218 Plain [] READS|WRITES,
        EndPrimitive = end_primitive 219 Plain [] READS|WRITES,
        EmitStreamVertex = emit_stream_vertex 220 Plain [stream: Value] READS|WRITES,
        EndStreamPrimitive = end_stream_primitive 221 Plain [stream: Value] READS|WRITES,
    }
    /// Barriers.
    Barrier {
        ControlBarrier = control_barrier 224 Plain [execution: Scope, memory: Scope, semantics: Semantics] READS|WRITES|CONVERGENT,
        MemoryBarrier = memory_barrier 225 Plain [memory: Scope, semantics: Semantics] READS|WRITES|CONVERGENT,
        NamedBarrierInitialize = named_barrier_initialize 328 Typed [subgroup_count: Value] READS|WRITES|CONVERGENT,
        MemoryNamedBarrier = memory_named_barrier 329 Plain [named_barrier: Value, memory: Scope, semantics: Semantics] READS|WRITES|CONVERGENT,
    }
    /// Atomics.
    Atomic {
        AtomicLoad = atomic_load 227 Typed [pointer: Value, memory: Scope, semantics: Semantics] READS,
        AtomicStore = atomic_store 228 Plain [pointer: Value, memory: Scope, semantics: Semantics, value: Value] WRITES,
        AtomicExchange = atomic_exchange 229 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicCompareExchange = atomic_compare_exchange 230 Typed [pointer: Value, memory: Scope, equal_semantics: Semantics, unequal_semantics: Semantics, value: Value, comparator: Value] READS|WRITES,
        AtomicCompareExchangeWeak = atomic_compare_exchange_weak 231 Typed [pointer: Value, memory: Scope, equal_semantics: Semantics, unequal_semantics: Semantics, value: Value, comparator: Value] READS|WRITES,
        AtomicIIncrement = atomic_i_increment 232 Typed [pointer: Value, memory: Scope, semantics: Semantics] READS|WRITES,
        AtomicIDecrement = atomic_i_decrement 233 Typed [pointer: Value, memory: Scope, semantics: Semantics] READS|WRITES,
        AtomicIAdd = atomic_i_add 234 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicISub = atomic_i_sub 235 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicSMin = atomic_s_min 236 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicUMin = atomic_u_min 237 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicSMax = atomic_s_max 238 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicUMax = atomic_u_max 239 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicAnd = atomic_and 240 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicOr = atomic_or 241 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicXor = atomic_xor 242 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicFlagTestAndSet = atomic_flag_test_and_set 318 Typed [pointer: Value, memory: Scope, semantics: Semantics] READS|WRITES,
        AtomicFlagClear = atomic_flag_clear 319 Plain [pointer: Value, memory: Scope, semantics: Semantics] WRITES,
        AtomicFAddEXT = atomic_f_add_ext 6035 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicFMinEXT = atomic_f_min_ext 5614 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
        AtomicFMaxEXT = atomic_f_max_ext 5615 Typed [pointer: Value, memory: Scope, semantics: Semantics, value: Value] READS|WRITES,
    }
    /// Operations across a group or subgroup.
    Group {
        GroupAsyncCopy = group_async_copy 259 Typed [execution: Scope, destination: Value, source: Value, count: Value, stride: Value, event: Value] READS|WRITES|CONVERGENT,
        GroupWaitEvents = group_wait_events 260 Plain [execution: Scope, count: Value, events: Value] READS|WRITES|CONVERGENT,
        GroupAll = group_all 261 Typed [execution: Scope, predicate: Value] CONVERGENT,
        GroupAny = group_any 262 Typed [execution: Scope, predicate: Value] CONVERGENT,
        GroupBroadcast = group_broadcast 263 Typed [execution: Scope, value: Value, invocation_id: Value] CONVERGENT,
        GroupIAdd = group_i_add 264 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupFAdd = group_f_add 265 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupFMin = group_f_min 266 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupUMin = group_u_min 267 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupSMin = group_s_min 268 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupFMax = group_f_max 269 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupUMax = group_u_max 270 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupSMax = group_s_max 271 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupNonUniformElect = group_non_uniform_elect 333 Typed [execution: Scope] CONVERGENT,
        GroupNonUniformAll = group_non_uniform_all 334 Typed [execution: Scope, predicate: Value] CONVERGENT,
        GroupNonUniformAny = group_non_uniform_any 335 Typed [execution: Scope, predicate: Value] CONVERGENT,
        GroupNonUniformAllEqual = group_non_uniform_all_equal 336 Typed [execution: Scope, value: Value] CONVERGENT,
        GroupNonUniformBroadcast = group_non_uniform_broadcast 337 Typed [execution: Scope, value: Value, invocation_id: Value] CONVERGENT,
        GroupNonUniformBroadcastFirst = group_non_uniform_broadcast_first 338 Typed [execution: Scope, value: Value] CONVERGENT,
        GroupNonUniformBallot = group_non_uniform_ballot 339 Typed [execution: Scope, predicate: Value] CONVERGENT,
        GroupNonUniformInverseBallot = group_non_uniform_inverse_ballot 340 Typed [execution: Scope, value: Value] CONVERGENT,
        GroupNonUniformBallotBitExtract = group_non_uniform_ballot_bit_extract 341 Typed [execution: Scope, value: Value, index: Value] CONVERGENT,
        GroupNonUniformBallotBitCount = group_non_uniform_ballot_bit_count 342 Typed [execution: Scope, operation: GroupOperation, value: Value] CONVERGENT,
        GroupNonUniformBallotFindLSB = group_non_uniform_ballot_find_lsb 343 Typed [execution: Scope, value: Value] CONVERGENT,
        GroupNonUniformBallotFindMSB = group_non_uniform_ballot_find_msb 344 Typed [execution: Scope, value: Value] CONVERGENT,
        GroupNonUniformShuffle = group_non_uniform_shuffle 345 Typed [execution: Scope, value: Value, invocation_id: Value] CONVERGENT,
        GroupNonUniformShuffleXor = group_non_uniform_shuffle_xor 346 Typed [execution: Scope, value: Value, mask: Value] CONVERGENT,
        GroupNonUniformShuffleUp = group_non_uniform_shuffle_up 347 Typed [execution: Scope, value: Value, delta: Value] CONVERGENT,
        GroupNonUniformShuffleDown = group_non_uniform_shuffle_down 348 Typed [execution: Scope, value: Value, delta: Value] CONVERGENT,
        GroupNonUniformIAdd = group_non_uniform_i_add 349 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformFAdd = group_non_uniform_f_add 350 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformIMul = group_non_uniform_i_mul 351 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformFMul = group_non_uniform_f_mul 352 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformSMin = group_non_uniform_s_min 353 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformUMin = group_non_uniform_u_min 354 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformFMin = group_non_uniform_f_min 355 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformSMax = group_non_uniform_s_max 356 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformUMax = group_non_uniform_u_max 357 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformFMax = group_non_uniform_f_max 358 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformBitwiseAnd = group_non_uniform_bitwise_and 359 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformBitwiseOr = group_non_uniform_bitwise_or 360 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformBitwiseXor = group_non_uniform_bitwise_xor 361 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformLogicalAnd = group_non_uniform_logical_and 362 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformLogicalOr = group_non_uniform_logical_or 363 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformLogicalXor = group_non_uniform_logical_xor 364 Typed [execution: Scope, operation: GroupOperation, value: Value, cluster_size: optional(Value)] CONVERGENT,
        GroupNonUniformQuadBroadcast = group_non_uniform_quad_broadcast 365 Typed [execution: Scope, value: Value, index: Value] CONVERGENT,
        GroupNonUniformQuadSwap = group_non_uniform_quad_swap 366 Typed [execution: Scope, value: Value, direction: Value] CONVERGENT,
        SubgroupBallotKHR = subgroup_ballot_khr 4421 Typed [predicate: Value] CONVERGENT,
        SubgroupFirstInvocationKHR = subgroup_first_invocation_khr 4422 Typed [value: Value] CONVERGENT,
        SubgroupAllKHR = subgroup_all_khr 4428 Typed [predicate: Value] CONVERGENT,
        SubgroupAnyKHR = subgroup_any_khr 4429 Typed [predicate: Value] CONVERGENT,
        SubgroupAllEqualKHR = subgroup_all_equal_khr 4430 Typed [predicate: Value] CONVERGENT,
        GroupNonUniformRotateKHR = group_non_uniform_rotate_khr 4431 Typed [execution: Scope, value: Value, delta: Value, cluster_size: optional(Value)] CONVERGENT,
        SubgroupReadInvocationKHR = subgroup_read_invocation_khr 4432 Typed [value: Value, index: Value] CONVERGENT,
    }
    /// Calls and what fits nowhere else.
    Miscellaneous {
        Undef = undef 1 Typed [] PURE,
        Nop = nop 0 Plain [] PURE,
        ExtInst = ext_inst 12 Typed [set: Value, instruction: Integer, operands: many(Any)] READS|WRITES,
        FunctionCall = function_call 57 Typed [function: Value, arguments: many(Value)] READS|WRITES|CONVERGENT|TRAPS,
        SizeOf = size_of 321 Typed [pointer: Value] PURE,
        DemoteToHelperInvocation = demote_to_helper_invocation 5380 Plain [] WRITES|CONVERGENT,
        IsHelperInvocationEXT = is_helper_invocation_ext 5381 Typed [] READS,
        ReadClockKHR = read_clock_khr 5056 Typed [execution: Scope] READS|WRITES,
        AssumeTrueKHR = assume_true_khr 5630 Plain [condition: Value] WRITES,
        ExpectKHR = expect_khr 5631 Typed [value: Value, expected: Value] PURE,
        TraceRayKHR = trace_ray_khr 4445 Plain [acceleration_structure: Value, ray_flags: Value, cull_mask: Value, sbt_offset: Value, sbt_stride: Value, miss_index: Value, ray_origin: Value, ray_t_min: Value, ray_direction: Value, ray_t_max: Value, payload: Value] READS|WRITES|CONVERGENT,
        ExecuteCallableKHR = execute_callable_khr 4446 Plain [sbt_index: Value, callable_data: Value] READS|WRITES|CONVERGENT,
        ConvertUToAccelerationStructureKHR = convert_u_to_acceleration_structure_khr 4447 Typed [address: Value] PURE,
        CooperativeMatrixLengthKHR = cooperative_matrix_length_khr 4460 Typed [matrix_type: Value] PURE,
        RayQueryInitializeKHR = ray_query_initialize_khr 4473 Plain [ray_query: Value, acceleration_structure: Value, ray_flags: Value, cull_mask: Value, ray_origin: Value, ray_t_min: Value, ray_direction: Value, ray_t_max: Value] READS|WRITES|CONVERGENT,
        RayQueryGetIntersectionTypeKHR = ray_query_get_intersection_type_khr 4479 Typed [ray_query: Value, intersection: Value] READS|WRITES|CONVERGENT,
    }
    /// Lanes made explicit, at stage Masked alone.
    Lane {
        ExecutionMask = execution_mask 0 Plain [mask: Value] READS|WRITES|CONVERGENT,
        LaunchedLanes = launched_lanes 0 Typed [] CONVERGENT,
        AnyLane = any_lane 0 Typed [condition: Value] CONVERGENT,
    }
    /// SPIR-V instructions that this table does not know, kept whole: the opcode and then the operands.
    Opaque {
        OpaquePlain = opaque 0 Plain [opcode: Integer, operands: many(Any)] CAREFUL,
        OpaqueResult = opaque_result 0 Result [opcode: Integer, operands: many(Any)] CAREFUL,
        OpaqueTyped = opaque_typed 0 Typed [opcode: Integer, operands: many(Any)] CAREFUL,
    }
    /// The last instruction of a block.
    Terminator {
        Branch = branch 249 Plain [target: Successor, arguments: many(Value)] CONTROL,
        BranchIf = branch_if 250 Plain [condition: Value, true_target: Successor, false_target: Successor, weights: many(Integer)] CONTROL,
        Switch = switch 251 Plain [selector: Value, default: Successor, cases: many(Case)] CONTROL,
        If = r#if 250 Plain [condition: Value, true_target: Successor, false_target: Successor, merge: Merge, control: SelectionControl, weights: many(Integer)] CONTROL,
        StructuredSwitch = structured_switch 251 Plain [selector: Value, default: Successor, merge: Merge, control: SelectionControl, cases: many(Case)] CONTROL,
        Loop = r#loop 246 Plain [header: Successor, merge: Merge, continue_target: Merge, control: LoopControl, arguments: many(Value)] CONTROL,
        Return = r#return 253 Plain [] CONTROL,
        ReturnValue = return_value 254 Plain [value: Value] CONTROL,
        Kill = kill 252 Plain [] CONTROL,
        TerminateInvocation = terminate_invocation 4416 Plain [] CONTROL,
        Unreachable = unreachable 255 Plain [] CONTROL,
        IgnoreIntersectionKHR = ignore_intersection_khr 4448 Plain [] CONTROL,
        TerminateRayKHR = terminate_ray_khr 4449 Plain [] CONTROL,
        EmitMeshTasksEXT = emit_mesh_tasks_ext 5294 Plain [group_count_x: Value, group_count_y: Value, group_count_z: Value, payload: optional(Value)] CONTROL,
    }
}
