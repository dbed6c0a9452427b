//! The rule of every op. The match has no default arm: a new op does not compile without a rule.

use reconverge_ir::Op;

use super::rule::Rule;
use super::{
    arithmetic, atomic, bits, composite, conversion, declarations, extended, group, image, logical, memory,
    miscellaneous, scope,
};

/// The rule of an op.
#[expect(clippy::too_many_lines, reason = "a row for every op")]
pub(super) const fn rule(op: Op) -> Rule {
    match op {
        Op::Dead | Op::Merged => miscellaneous::NONE,
        Op::Module | Op::Function | Op::Block | Op::EdgeBlock | Op::FunctionParameter | Op::BlockParameter => {
            miscellaneous::NONE
        }
        Op::Generic
        | Op::Interface
        | Op::GenericParameter
        | Op::Requirement
        | Op::TypeKind
        | Op::TypeWitness
        | Op::TypeExistential
        | Op::ImportedConstant
        | Op::WitnessTable
        | Op::Specialize
        | Op::LookupWitness
        | Op::ExtractType
        | Op::ExtractWitness
        | Op::MakeExistential
        | Op::ExtractValue => miscellaneous::NONE,
        Op::LiteralWords | Op::LiteralText => miscellaneous::NONE,
        Op::Name
        | Op::MemberName
        | Op::Decorate
        | Op::MemberDecorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorateString => miscellaneous::NONE,
        Op::SpirvHeader
        | Op::Capability
        | Op::Extension
        | Op::MemoryModel
        | Op::EntryPoint
        | Op::ExecutionMode
        | Op::ExecutionModeId
        | Op::String
        | Op::SourceContinued
        | Op::Source
        | Op::SourceExtension
        | Op::ModuleProcessed
        | Op::DebugLine
        | Op::DebugScope => miscellaneous::NONE,
        Op::TypeVoid
        | Op::TypeBool
        | Op::TypeSampler
        | Op::TypeOpaque
        | Op::TypeEvent
        | Op::TypeDeviceEvent
        | Op::TypeReserveId
        | Op::TypeQueue
        | Op::TypePipe
        | Op::TypePipeStorage
        | Op::TypeNamedBarrier
        | Op::TypeRayQueryKHR
        | Op::TypeAccelerationStructureKHR
        | Op::TypeCooperativeMatrixKHR
        | Op::TypeCooperativeMatrixNV => miscellaneous::NONE,
        Op::TypeInt => declarations::INTEGER,
        Op::TypeFloat => declarations::FLOATING,
        Op::TypeVector => declarations::OF_SCALARS,
        Op::TypeMatrix => declarations::OF_COLUMNS,
        Op::TypeImage => declarations::IMAGE,
        Op::TypeSampledImage => declarations::SAMPLED,
        Op::TypeArray => declarations::OF_ELEMENTS,
        Op::TypeRuntimeArray => declarations::UNSIZED,
        Op::TypeStruct => declarations::OF_MEMBERS,
        Op::TypePointer => declarations::TO_TYPE,
        Op::TypeFunction => declarations::OF_FUNCTION,
        Op::ConstantTrue | Op::ConstantFalse | Op::SpecConstantTrue | Op::SpecConstantFalse => declarations::BOOLEAN,
        Op::Constant | Op::SpecConstant => declarations::NUMERIC,
        Op::ConstantComposite | Op::SpecConstantComposite => declarations::COMPOSED,
        Op::ConstantSampler => declarations::OF_SAMPLER,
        Op::ConstantNull => declarations::NULL,
        Op::SpecConstantOp => miscellaneous::NONE,
        Op::Variable => memory::VARIABLE,
        Op::ImageTexelPointer => image::TEXEL_POINTER,
        Op::Load => memory::LOAD,
        Op::Store => memory::STORE,
        Op::CopyMemory => memory::COPY,
        Op::CopyMemorySized => memory::COPY_SIZED,
        Op::AccessChain | Op::InBoundsAccessChain => memory::ACCESS,
        Op::PtrAccessChain => memory::ELEMENT_ACCESS,
        Op::InBoundsPtrAccessChain => memory::ELEMENT_IN_BOUNDS,
        Op::ArrayLength => memory::ARRAY_LENGTH,
        Op::GenericPtrMemSemantics => memory::SEMANTICS_OF,
        Op::PtrEqual | Op::PtrNotEqual => logical::COMPARE_POINTERS,
        Op::PtrDiff => logical::POINTER_DIFFERENCE,
        Op::LifetimeStart | Op::LifetimeStop => memory::LIFETIME,
        Op::CooperativeMatrixStoreKHR => miscellaneous::NONE,
        Op::VectorExtractDynamic => composite::EXTRACT_DYNAMIC,
        Op::VectorInsertDynamic => composite::INSERT_DYNAMIC,
        Op::VectorShuffle => composite::SHUFFLE,
        Op::CompositeConstruct => composite::CONSTRUCT,
        Op::CompositeExtract => composite::EXTRACT,
        Op::CompositeInsert => composite::INSERT,
        Op::CopyObject => composite::COPY,
        Op::Transpose => composite::TRANSPOSE,
        Op::CopyLogical => composite::COPY_LOGICAL,
        Op::SampledImage => image::SAMPLED,
        Op::ImageSampleImplicitLod
        | Op::ImageSampleExplicitLod
        | Op::ImageSampleProjImplicitLod
        | Op::ImageSampleProjExplicitLod
        | Op::ImageSparseSampleImplicitLod
        | Op::ImageSparseSampleExplicitLod => image::SAMPLE,
        Op::ImageSampleDrefImplicitLod
        | Op::ImageSampleDrefExplicitLod
        | Op::ImageSampleProjDrefImplicitLod
        | Op::ImageSampleProjDrefExplicitLod
        | Op::ImageSparseSampleDrefImplicitLod
        | Op::ImageSparseSampleDrefExplicitLod => image::SAMPLE_COMPARE,
        Op::ImageFetch | Op::ImageSparseFetch => image::FETCH,
        Op::ImageGather | Op::ImageSparseGather => image::GATHER,
        Op::ImageDrefGather | Op::ImageSparseDrefGather => image::GATHER_COMPARE,
        Op::ImageRead | Op::ImageSparseRead => image::READ,
        Op::ImageWrite => image::WRITE,
        Op::Image => image::OF_SAMPLED,
        Op::ImageQueryFormat | Op::ImageQueryOrder => image::QUERY_NUMBER,
        Op::ImageQuerySizeLod => image::QUERY_SIZE_OF_LEVEL,
        Op::ImageQuerySize => image::QUERY_SIZE,
        Op::ImageQueryLod => image::QUERY_LEVEL,
        Op::ImageQueryLevels => image::QUERY_LEVELS,
        Op::ImageQuerySamples => image::QUERY_SAMPLES,
        Op::ImageSparseSampleProjImplicitLod
        | Op::ImageSparseSampleProjExplicitLod
        | Op::ImageSparseSampleProjDrefImplicitLod
        | Op::ImageSparseSampleProjDrefExplicitLod => image::RESERVED,
        Op::ImageSparseTexelsResident => image::RESIDENT,
        Op::ConvertFToU => conversion::FLOAT_TO_UNSIGNED,
        Op::ConvertFToS => conversion::FLOAT_TO_SIGNED,
        Op::ConvertSToF | Op::ConvertUToF => conversion::TO_FLOAT,
        Op::UConvert => conversion::UNSIGNED_WIDTH,
        Op::SConvert => conversion::SIGNED_WIDTH,
        Op::FConvert => conversion::FLOAT_WIDTH,
        Op::QuantizeToF16 => conversion::QUANTIZE,
        Op::ConvertPtrToU => conversion::POINTER_TO_INTEGER,
        Op::SatConvertSToU | Op::SatConvertUToS => conversion::SATURATING,
        Op::ConvertUToPtr => conversion::INTEGER_TO_POINTER,
        Op::PtrCastToGeneric => conversion::TO_GENERIC,
        Op::GenericCastToPtr | Op::GenericCastToPtrExplicit => conversion::FROM_GENERIC,
        Op::Bitcast => conversion::BITCAST,
        Op::SNegate | Op::IAdd | Op::ISub | Op::IMul | Op::SDiv | Op::SRem | Op::SMod => arithmetic::OF_INTEGERS,
        Op::FNegate | Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod => arithmetic::OF_FLOATS,
        Op::UDiv | Op::UMod => arithmetic::OF_UNSIGNED,
        Op::VectorTimesScalar => arithmetic::VECTOR_TIMES_SCALAR,
        Op::MatrixTimesScalar => arithmetic::MATRIX_TIMES_SCALAR,
        Op::VectorTimesMatrix => arithmetic::VECTOR_TIMES_MATRIX,
        Op::MatrixTimesVector => arithmetic::MATRIX_TIMES_VECTOR,
        Op::MatrixTimesMatrix => arithmetic::MATRIX_TIMES_MATRIX,
        Op::OuterProduct => arithmetic::OUTER_PRODUCT,
        Op::Dot => arithmetic::DOT,
        Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended => arithmetic::EXTENDED_UNSIGNED,
        Op::SMulExtended => arithmetic::EXTENDED,
        Op::SDot | Op::UDot | Op::SUDot => arithmetic::INTEGER_DOT,
        Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => arithmetic::ACCUMULATING_DOT,
        Op::Any | Op::All => logical::OF_BOOLEANS,
        Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => logical::TEST,
        Op::LessOrGreater
        | Op::Ordered
        | Op::Unordered
        | Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual => logical::COMPARE_FLOATS,
        Op::LogicalEqual | Op::LogicalNotEqual | Op::LogicalOr | Op::LogicalAnd | Op::LogicalNot => logical::LOGIC,
        Op::Select => logical::SELECT,
        Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::SGreaterThan
        | Op::UGreaterThanEqual
        | Op::SGreaterThanEqual
        | Op::ULessThan
        | Op::SLessThan
        | Op::ULessThanEqual
        | Op::SLessThanEqual => logical::COMPARE_INTEGERS,
        Op::ShiftRightLogical | Op::ShiftRightArithmetic | Op::ShiftLeftLogical => bits::SHIFT,
        Op::BitwiseOr | Op::BitwiseXor | Op::BitwiseAnd | Op::Not => bits::BITWISE,
        Op::BitFieldInsert => bits::INSERT,
        Op::BitFieldSExtract | Op::BitFieldUExtract => bits::EXTRACT,
        Op::BitReverse => bits::REVERSE,
        Op::BitCount => bits::COUNT,
        Op::DPdx
        | Op::DPdy
        | Op::Fwidth
        | Op::DPdxFine
        | Op::DPdyFine
        | Op::FwidthFine
        | Op::DPdxCoarse
        | Op::DPdyCoarse
        | Op::FwidthCoarse => arithmetic::DERIVATIVE,
        Op::EmitVertex | Op::EndPrimitive => miscellaneous::NONE,
        Op::EmitStreamVertex | Op::EndStreamPrimitive => miscellaneous::STREAM,
        Op::ControlBarrier | Op::MemoryBarrier => scope::BARRIER,
        Op::NamedBarrierInitialize => scope::INITIALIZE_BARRIER,
        Op::MemoryNamedBarrier => scope::NAMED_BARRIER_WAIT,
        Op::AtomicLoad => atomic::LOAD,
        Op::AtomicStore => atomic::STORE,
        Op::AtomicExchange => atomic::EXCHANGE,
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => atomic::COMPARE_EXCHANGE,
        Op::AtomicIIncrement | Op::AtomicIDecrement => atomic::COUNT,
        Op::AtomicIAdd
        | Op::AtomicISub
        | Op::AtomicSMin
        | Op::AtomicUMin
        | Op::AtomicSMax
        | Op::AtomicUMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor => atomic::OF_INTEGERS,
        Op::AtomicFlagTestAndSet => atomic::TEST_AND_SET,
        Op::AtomicFlagClear => atomic::CLEAR,
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => atomic::OF_FLOATS,
        Op::GroupAll | Op::GroupAny => group::VOTE_OF_GROUP,
        Op::GroupBroadcast => group::BROADCAST_OF_GROUP,
        Op::GroupIAdd
        | Op::GroupFAdd
        | Op::GroupFMin
        | Op::GroupUMin
        | Op::GroupSMin
        | Op::GroupFMax
        | Op::GroupUMax
        | Op::GroupSMax => group::OF_GROUP,
        Op::GroupAsyncCopy
        | Op::GroupWaitEvents
        | Op::SubgroupBallotKHR
        | Op::SubgroupFirstInvocationKHR
        | Op::SubgroupAllKHR
        | Op::SubgroupAnyKHR
        | Op::SubgroupAllEqualKHR
        | Op::SubgroupReadInvocationKHR => miscellaneous::NONE,
        Op::GroupNonUniformElect => scope::ELECT,
        Op::GroupNonUniformAll | Op::GroupNonUniformAny => group::VOTE,
        Op::GroupNonUniformAllEqual => group::ALL_EQUAL,
        Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap => group::FROM_LANE,
        Op::GroupNonUniformBroadcastFirst => group::FROM_FIRST,
        Op::GroupNonUniformBallot => group::BALLOT,
        Op::GroupNonUniformInverseBallot => group::INVERSE_BALLOT,
        Op::GroupNonUniformBallotBitExtract => group::BALLOT_BIT,
        Op::GroupNonUniformBallotBitCount => group::BALLOT_COUNT,
        Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => group::BALLOT_FIND,
        Op::GroupNonUniformIAdd
        | Op::GroupNonUniformIMul
        | Op::GroupNonUniformSMin
        | Op::GroupNonUniformSMax
        | Op::GroupNonUniformBitwiseAnd
        | Op::GroupNonUniformBitwiseOr
        | Op::GroupNonUniformBitwiseXor => group::INTEGERS,
        Op::GroupNonUniformFAdd | Op::GroupNonUniformFMul | Op::GroupNonUniformFMin | Op::GroupNonUniformFMax => {
            group::NUMBERS
        }
        Op::GroupNonUniformUMin | Op::GroupNonUniformUMax => group::UNSIGNEDS,
        Op::GroupNonUniformLogicalAnd | Op::GroupNonUniformLogicalOr | Op::GroupNonUniformLogicalXor => group::BOOLEANS,
        Op::GroupNonUniformRotateKHR => group::ROTATE,
        Op::Undef => miscellaneous::UNDEF,
        Op::Nop
        | Op::FunctionCall
        | Op::SizeOf
        | Op::DemoteToHelperInvocation
        | Op::TraceRayKHR
        | Op::ExecuteCallableKHR
        | Op::CooperativeMatrixLengthKHR => miscellaneous::NONE,
        Op::TypeForwardPointer => miscellaneous::FORWARD,
        Op::ExtInstImport => extended::IMPORT,
        Op::ExtInst => extended::EXTENDED,
        Op::IsHelperInvocationEXT => miscellaneous::TELLS,
        Op::ReadClockKHR => miscellaneous::CLOCK,
        Op::ExecutionMask => miscellaneous::ASSUME,
        Op::LaunchedLanes => miscellaneous::TELLS,
        Op::AnyLane => miscellaneous::VOTE,
        Op::AssumeTrueKHR => miscellaneous::ASSUME,
        Op::ExpectKHR => miscellaneous::EXPECT,
        Op::ConvertUToAccelerationStructureKHR => miscellaneous::TO_STRUCTURE,
        Op::RayQueryInitializeKHR => miscellaneous::BEGIN_QUERY,
        Op::RayQueryGetIntersectionTypeKHR => miscellaneous::ASK_QUERY,
        Op::OpaquePlain | Op::OpaqueResult | Op::OpaqueTyped => miscellaneous::NONE,
        Op::Branch
        | Op::BranchIf
        | Op::Switch
        | Op::If
        | Op::StructuredSwitch
        | Op::Loop
        | Op::Return
        | Op::ReturnValue
        | Op::Kill
        | Op::TerminateInvocation
        | Op::Unreachable
        | Op::IgnoreIntersectionKHR
        | Op::TerminateRayKHR => miscellaneous::NONE,
        Op::EmitMeshTasksEXT => miscellaneous::TASKS,
    }
}
