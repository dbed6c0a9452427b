//! Groups of ops, by what they do. They are finer than classes.
//!
//! The class of an op is its section of the SPIR-V specification. Code that treats several ops alike tests their group and has no list of
//! its own. Every op is in exactly one group: the compiler rejects an op without one.

use super::Op;

/// Declares the groups, each with its ops.
macro_rules! groups {
    ($( $(#[doc = $doc:literal])+ $group:ident: $($op:ident)+; )*) => {
        /// The group of an op by its behaviour. Each op is in one group ([`Op::group`]).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum OpGroup { $( $(#[doc = $doc])+ $group, )* }

        impl Op {
            /// The group of the op.
            ///
            /// ```
            /// use reconverge_ir::{Op, OpGroup};
            ///
            /// assert_eq!(Op::ULessThan.group(), OpGroup::IntegerComparison);
            /// assert_eq!(Op::StructuredSwitch.group(), OpGroup::Branch);
            /// ```
            pub const fn group(self) -> OpGroup {
                match self { $( $( Op::$op )|+ => OpGroup::$group, )* }
            }
        }
    };
}

groups! {
    /// Nothing that is executed: parts of the program's frame, literals, decorations, types, constants, `undef`, `nop`.
    Declaration: Dead Merged Module Function Block EdgeBlock FunctionParameter BlockParameter LiteralWords LiteralText Name
        MemberName Decorate MemberDecorate DecorateId DecorateString MemberDecorateString DebugLine DebugScope SpirvHeader
        Capability Extension ExtInstImport MemoryModel EntryPoint ExecutionMode ExecutionModeId String SourceContinued Source
        SourceExtension ModuleProcessed TypeForwardPointer TypeVoid TypeBool TypeInt TypeFloat TypeVector TypeMatrix TypeImage
        TypeSampler TypeSampledImage TypeArray TypeRuntimeArray TypeStruct TypeOpaque TypePointer TypeFunction TypeEvent
        TypeDeviceEvent TypeReserveId TypeQueue TypePipe TypePipeStorage TypeNamedBarrier TypeRayQueryKHR
        TypeAccelerationStructureKHR TypeCooperativeMatrixKHR TypeCooperativeMatrixNV ConstantTrue ConstantFalse Constant
        ConstantComposite ConstantSampler ConstantNull SpecConstantTrue SpecConstantFalse SpecConstant SpecConstantComposite
        SpecConstantOp Undef Nop Generic Interface GenericParameter Requirement TypeKind TypeWitness TypeExistential
        ImportedConstant;
    /// Type-level code, and values of interface type.
    TypeLevel: WitnessTable Specialize LookupWitness ExtractType ExtractWitness MakeExistential ExtractValue;
    /// Makes a variable.
    Variable: Variable;
    /// Computes the address of a part: the access chains, and the address of a texel.
    Address: ImageTexelPointer AccessChain InBoundsAccessChain PtrAccessChain InBoundsPtrAccessChain;
    /// Reads memory through a pointer.
    Load: Load;
    /// Writes memory through a pointer.
    Store: Store CooperativeMatrixStoreKHR;
    /// Copies memory.
    Copy: CopyMemory CopyMemorySized;
    /// Compares pointers, or asks something of one.
    PointerQuery: ArrayLength GenericPtrMemSemantics PtrEqual PtrNotEqual PtrDiff;
    /// Says how long a variable lives.
    Lifetime: LifetimeStart LifetimeStop;
    /// Moves parts of composites, or copies values.
    Composite: VectorExtractDynamic VectorInsertDynamic VectorShuffle CompositeConstruct CompositeExtract CompositeInsert CopyObject
        Transpose CopyLogical;
    /// Joins an image and a sampler, takes them apart, or says something about a result of an access.
    ImageValue: SampledImage Image ImageSparseTexelsResident;
    /// Samples or gathers, through a sampler.
    Sample: ImageSampleImplicitLod ImageSampleExplicitLod ImageSampleDrefImplicitLod ImageSampleDrefExplicitLod
        ImageSampleProjImplicitLod ImageSampleProjExplicitLod ImageSampleProjDrefImplicitLod ImageSampleProjDrefExplicitLod
        ImageGather ImageDrefGather ImageSparseSampleImplicitLod ImageSparseSampleExplicitLod ImageSparseSampleDrefImplicitLod
        ImageSparseSampleDrefExplicitLod ImageSparseSampleProjImplicitLod ImageSparseSampleProjExplicitLod
        ImageSparseSampleProjDrefImplicitLod ImageSparseSampleProjDrefExplicitLod ImageSparseGather ImageSparseDrefGather;
    /// Reads texels without a sampler.
    ImageRead: ImageFetch ImageRead ImageSparseFetch ImageSparseRead;
    /// Writes texels.
    ImageWrite: ImageWrite;
    /// Asks for the size or another property of an image.
    ImageQuery: ImageQueryFormat ImageQueryOrder ImageQuerySizeLod ImageQuerySize ImageQueryLod ImageQueryLevels ImageQuerySamples;
    /// Converts numbers.
    NumberConversion: ConvertFToU ConvertFToS ConvertSToF ConvertUToF UConvert SConvert FConvert QuantizeToF16 SatConvertSToU
        SatConvertUToS;
    /// Converts pointers to pointers of another storage class, or to integers and back.
    PointerConversion: ConvertPtrToU ConvertUToPtr PtrCastToGeneric GenericCastToPtr GenericCastToPtrExplicit;
    /// Takes bits for another type.
    Bitcast: Bitcast;
    /// Adds, subtracts, multiplies or negates integers.
    IntegerArithmetic: SNegate IAdd ISub IMul;
    /// Computes with floats, component by component.
    FloatArithmetic: FNegate FAdd FSub FMul FDiv FRem FMod;
    /// Divides integers, or gives the remainder. Undefined for some operands.
    IntegerDivision: UDiv SDiv UMod SRem SMod;
    /// Computes with vectors and matrices of floats as a whole.
    LinearAlgebra: VectorTimesScalar MatrixTimesScalar VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix OuterProduct Dot;
    /// Adds, subtracts or multiplies integers with a result of two parts.
    WideArithmetic: IAddCarry ISubBorrow UMulExtended SMulExtended;
    /// Scalar products of vectors of integers.
    IntegerDot: SDot UDot SUDot SDotAccSat UDotAccSat SUDotAccSat;
    /// Tests whether any or all components are true.
    BooleanReduction: Any All;
    /// Tests one float.
    FloatTest: IsNan IsInf IsFinite IsNormal SignBitSet;
    /// Compares two floats.
    FloatComparison: LessOrGreater Ordered Unordered FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual FOrdLessThan FUnordLessThan
        FOrdGreaterThan FUnordGreaterThan FOrdLessThanEqual FUnordLessThanEqual FOrdGreaterThanEqual FUnordGreaterThanEqual;
    /// Boolean logic.
    BooleanLogic: LogicalEqual LogicalNotEqual LogicalOr LogicalAnd LogicalNot;
    /// Chooses one of two values.
    Select: Select;
    /// Compares two integers.
    IntegerComparison: IEqual INotEqual UGreaterThan SGreaterThan UGreaterThanEqual SGreaterThanEqual ULessThan SLessThan
        ULessThanEqual SLessThanEqual;
    /// Shifts.
    Shift: ShiftRightLogical ShiftRightArithmetic ShiftLeftLogical;
    /// Logic of bits.
    Bitwise: BitwiseOr BitwiseXor BitwiseAnd Not;
    /// Inserts or extracts bits by offset and count.
    BitField: BitFieldInsert BitFieldSExtract BitFieldUExtract;
    /// Counts or reverses bits.
    BitCount: BitReverse BitCount;
    /// Differences to neighbouring lanes.
    Derivative: DPdx DPdy Fwidth DPdxFine DPdyFine FwidthFine DPdxCoarse DPdyCoarse FwidthCoarse;
    /// Emits vertices and primitives.
    Geometry: EmitVertex EndPrimitive EmitStreamVertex EndStreamPrimitive;
    /// Waits for other lanes.
    ControlBarrier: ControlBarrier;
    /// Orders accesses to memory.
    MemoryBarrier: MemoryBarrier NamedBarrierInitialize MemoryNamedBarrier;
    /// Atomics.
    Atomic: AtomicLoad AtomicStore AtomicExchange AtomicCompareExchange AtomicCompareExchangeWeak AtomicIIncrement AtomicIDecrement
        AtomicIAdd AtomicISub AtomicSMin AtomicUMin AtomicSMax AtomicUMax AtomicAnd AtomicOr AtomicXor AtomicFlagTestAndSet
        AtomicFlagClear AtomicFAddEXT AtomicFMinEXT AtomicFMaxEXT;
    /// Copies that go on while the lanes do, and waiting for them.
    AsyncCopy: GroupAsyncCopy GroupWaitEvents;
    /// Operations of a whole group: all of its lanes have to come.
    WholeGroup: GroupAll GroupAny GroupBroadcast GroupIAdd GroupFAdd GroupFMin GroupUMin GroupSMin GroupFMax GroupUMax GroupSMax;
    /// Operations of the lanes of a subgroup or quad that come.
    Subgroup: GroupNonUniformElect GroupNonUniformAll GroupNonUniformAny GroupNonUniformAllEqual GroupNonUniformBroadcast
        GroupNonUniformBroadcastFirst GroupNonUniformBallot GroupNonUniformInverseBallot GroupNonUniformBallotBitExtract
        GroupNonUniformBallotBitCount GroupNonUniformBallotFindLSB GroupNonUniformBallotFindMSB GroupNonUniformShuffle
        GroupNonUniformShuffleXor GroupNonUniformShuffleUp GroupNonUniformShuffleDown GroupNonUniformIAdd GroupNonUniformFAdd
        GroupNonUniformIMul GroupNonUniformFMul GroupNonUniformSMin GroupNonUniformUMin GroupNonUniformFMin GroupNonUniformSMax
        GroupNonUniformUMax GroupNonUniformFMax GroupNonUniformBitwiseAnd GroupNonUniformBitwiseOr GroupNonUniformBitwiseXor
        GroupNonUniformLogicalAnd GroupNonUniformLogicalOr GroupNonUniformLogicalXor GroupNonUniformQuadBroadcast
        GroupNonUniformQuadSwap SubgroupBallotKHR SubgroupFirstInvocationKHR SubgroupAllKHR SubgroupAnyKHR SubgroupAllEqualKHR
        GroupNonUniformRotateKHR SubgroupReadInvocationKHR;
    /// Instructions of another set.
    Extended: ExtInst;
    /// Calls, also of shaders.
    Call: FunctionCall TraceRayKHR ExecuteCallableKHR;
    /// Says how large something is.
    Size: SizeOf CooperativeMatrixLengthKHR;
    /// Makes the lane a helper, or asks whether it is one.
    Helper: DemoteToHelperInvocation IsHelperInvocationEXT;
    /// Reads a clock.
    Clock: ReadClockKHR;
    /// Tells the optimizer something.
    Hint: AssumeTrueKHR ExpectKHR;
    /// Steps and results of ray queries, and what they look into.
    RayQuery: ConvertUToAccelerationStructureKHR RayQueryInitializeKHR RayQueryGetIntersectionTypeKHR;
    /// Says or asks which lanes execute, where lanes are explicit.
    Lane: ExecutionMask LaunchedLanes AnyLane;
    /// Ops that the table does not know.
    Opaque: OpaquePlain OpaqueResult OpaqueTyped;
    /// Goes to one block.
    Jump: Branch Loop;
    /// Goes to one of several blocks, as a condition or a selector decides.
    Branch: BranchIf Switch If StructuredSwitch;
    /// Returns from the function.
    Return: Return ReturnValue;
    /// Ends the lane, or all that the shader does.
    LaneEnd: Kill TerminateInvocation IgnoreIntersectionKHR TerminateRayKHR EmitMeshTasksEXT;
    /// Control never comes there.
    Unreachable: Unreachable;
}
