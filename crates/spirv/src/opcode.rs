//! Opcodes that the reader and the writer handle by name.

use spirv::Op;

macro_rules! opcodes {
    ($( $name:ident = $op:ident, )*) => { $( pub(crate) const $name: u16 = Op::$op as u16; )* };
}

opcodes! {
    NAME = Name,
    MEMBER_NAME = MemberName,
    LINE = Line,
    NO_LINE = NoLine,
    EXT_INST_IMPORT = ExtInstImport,
    EXT_INST = ExtInst,
    EXT_INST_WITH_FORWARD_REFS = ExtInstWithForwardRefsKHR,
    CAPABILITY = Capability,
    EXTENSION = Extension,
    MEMORY_MODEL = MemoryModel,
    SAMPLER_IMAGE_ADDRESSING_MODE = SamplerImageAddressingModeNV,
    ENTRY_POINT = EntryPoint,
    STRING = String,
    SOURCE = Source,
    SOURCE_CONTINUED = SourceContinued,
    SOURCE_EXTENSION = SourceExtension,
    MODULE_PROCESSED = ModuleProcessed,
    NOP = Nop,
    TYPE_INT = TypeInt,
    TYPE_FLOAT = TypeFloat,
    CONSTANT = Constant,
    SPEC_CONSTANT = SpecConstant,
    SPEC_CONSTANT_OP = SpecConstantOp,
    FUNCTION = Function,
    FUNCTION_PARAMETER = FunctionParameter,
    FUNCTION_END = FunctionEnd,
    DECORATE = Decorate,
    MEMBER_DECORATE = MemberDecorate,
    DECORATE_ID = DecorateId,
    DECORATE_STRING = DecorateString,
    MEMBER_DECORATE_STRING = MemberDecorateString,
    MEMBER_DECORATE_ID = MemberDecorateIdEXT,
    EXECUTION_MODE = ExecutionMode,
    EXECUTION_MODE_ID = ExecutionModeId,
    CONDITIONAL_EXTENSION = ConditionalExtensionINTEL,
    CONDITIONAL_ENTRY_POINT = ConditionalEntryPointINTEL,
    CONDITIONAL_CAPABILITY = ConditionalCapabilityINTEL,
    DECORATION_GROUP = DecorationGroup,
    GROUP_DECORATE = GroupDecorate,
    GROUP_MEMBER_DECORATE = GroupMemberDecorate,
    COPY_OBJECT = CopyObject,
    COPY_LOGICAL = CopyLogical,
    LABEL = Label,
    PHI = Phi,
    VARIABLE = Variable,
    LOOP_MERGE = LoopMerge,
    SELECTION_MERGE = SelectionMerge,
    BRANCH = Branch,
    BRANCH_CONDITIONAL = BranchConditional,
    SWITCH = Switch,
}

/// Types that the op table lacks, and types of their constants.
pub(crate) const OPAQUE_TYPES: [u16; 5] = [
    Op::TypeTensorARM as u16,
    Op::TypeGraphARM as u16,
    Op::TypeCooperativeVectorNV as u16,
    Op::TypeTensorLayoutNV as u16,
    Op::TypeTensorViewNV as u16,
];
