//! What each language does in its own way: one method for each, which calls that of the language.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::function::Body;
use super::{Entry, Lowering, Target};
use crate::syntax::{Arguments, Binary, Expr, GlobalId, Image, Member, Scalar, Type, Unary};

/// Declares methods that call those of the language.
macro_rules! by_language {
    ($($(#[doc = $doc:literal])+ $name:ident [$glsl:ident $hlsl:ident $msl:ident $wgsl:ident] ($($argument:ident: $ty:ty),*) -> $result:ty;)*) => { $(
        $(#[doc = $doc])+
        pub(crate) fn $name(&mut self, $($argument: $ty),*) -> $result {
            match self.target() {
                Target::Glsl(_) => self.$glsl($($argument),*),
                Target::Hlsl(_) => self.$hlsl($($argument),*),
                Target::Msl(_) => self.$msl($($argument),*),
                Target::Wgsl => self.$wgsl($($argument),*),
            }
        }
    )* };
}

impl Body<'_, '_> {
    fn target(&self) -> Target {
        self.cx.target
    }

    by_language! {
        /// A sample or a gather.
        sample [glsl_sample hlsl_sample msl_sample wgsl_sample] (inst: Inst) -> Result<(), Diagnostic>;
        /// A fetch or a read of an image.
        read_image [glsl_read_image hlsl_read_image msl_read_image wgsl_read_image] (inst: Inst) -> Result<(), Diagnostic>;
        /// A write to a storage image.
        write_image [glsl_write_image hlsl_write_image msl_write_image wgsl_write_image] (inst: Inst) -> Result<(), Diagnostic>;
        /// A query of an image.
        query_image [glsl_query_image hlsl_query_image msl_query_image wgsl_query_image] (inst: Inst) -> Result<(), Diagnostic>;
        /// An atomic operation.
        atomic [glsl_atomic hlsl_atomic msl_atomic wgsl_atomic] (inst: Inst) -> Result<(), Diagnostic>;
        /// An operation of the subgroup.
        subgroup [glsl_subgroup hlsl_subgroup msl_subgroup wgsl_subgroup] (inst: Inst) -> Result<(), Diagnostic>;
        /// An extended instruction.
        extended [glsl_extended hlsl_extended msl_extended wgsl_extended] (inst: Inst) -> Result<(), Diagnostic>;
        /// A derivative.
        derivative [glsl_derivative hlsl_derivative msl_derivative wgsl_derivative] (inst: Inst) -> Result<(), Diagnostic>;
        /// A barrier.
        barrier [glsl_barrier hlsl_barrier msl_barrier wgsl_barrier] (inst: Inst) -> Result<(), Diagnostic>;
        /// The length of the array at the end of a buffer.
        array_length [glsl_array_length hlsl_array_length msl_array_length wgsl_array_length] (inst: Inst) -> Result<(), Diagnostic>;
        /// Any other instruction.
        special [glsl_special hlsl_special msl_special wgsl_special] (inst: Inst) -> Result<(), Diagnostic>;
        /// A terminator besides branches and returns.
        special_terminator [glsl_special_terminator hlsl_special_terminator msl_special_terminator wgsl_special_terminator] (inst: Inst) -> Result<(), Diagnostic>;
        /// What is written before the type of a value.
        value_prefix [glsl_value_prefix hlsl_value_prefix msl_value_prefix msl_value_prefix] (value: Inst) -> &'static str;
        /// What is written before the type of a parameter.
        parameter_prefix [glsl_parameter_prefix hlsl_parameter_prefix msl_parameter_prefix wgsl_parameter_prefix] (parameter: Inst) -> Result<&'static str, Diagnostic>;
        /// An instruction on numbers that the language spells in its own way; `None` for others.
        own_number [glsl_number hlsl_number msl_number wgsl_number] (inst: Inst, operands: &[Inst], ty: Type) -> Result<Option<Expr>, Diagnostic>;
        /// A sum with its carry, a difference with its borrow, a product with its high half.
        two_parts [glsl_two_parts hlsl_two_parts msl_two_parts wgsl_two_parts] (inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic>;
        /// An instruction on the bits of integers.
        bit_op [glsl_bit_op hlsl_bit_op msl_bit_op wgsl_bit_op] (inst: Inst, operands: &[Inst]) -> Result<Expr, Diagnostic>;
        /// A comparison of numbers of one type.
        compare_by [glsl_compare_by plain_operation plain_operation plain_operation] (operator: Binary, left: Expr, right: Expr, ty: Type) -> Result<Expr, Diagnostic>;
        /// The conjunction or disjunction of conditions.
        both [both_by_component both_by_component plain_operation wgsl_both] (operator: Binary, left: Expr, right: Expr, ty: Type) -> Result<Expr, Diagnostic>;
        /// The opposite of a condition.
        logical_not [glsl_logical_not plain_not plain_not plain_not] (operand: Expr) -> Expr;
        /// The remainder of signed integers with the sign of the dividend.
        signed_remainder [glsl_signed_remainder hlsl_signed_remainder msl_signed_remainder wgsl_signed_remainder] (left: Expr, right: Expr, ty: Type) -> Expr;
        /// The first value where a component of the condition holds, the second elsewhere.
        choose_components [glsl_choose_components choose_by_component msl_choose_components wgsl_choose_components] (condition: Expr, accept: Expr, reject: Expr) -> Result<Expr, Diagnostic>;
        /// The bits of numbers as numbers of another type.
        bit_cast [glsl_bit_cast hlsl_bit_cast msl_bit_cast wgsl_bit_cast] (operand: Expr, ty: Type, place: Inst) -> Result<Expr, Diagnostic>;
        /// What a function has before its statements: the parameters of an entry point, and the inputs and outputs that it uses.
        enter [glsl_enter hlsl_enter msl_enter wgsl_enter] (entry: Option<&Entry>) -> Result<(), Diagnostic>;
        /// The value that an entry point returns.
        entry_result [glsl_entry_result hlsl_entry_result glsl_entry_result wgsl_entry_result] () -> Result<Option<Expr>, Diagnostic>;
        /// The value that a pointer points to.
        read_memory [glsl_read_memory hlsl_read_memory msl_read_memory wgsl_read_memory] (pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic>;
        /// Writes a value to where a pointer points.
        write_memory [glsl_write_memory hlsl_write_memory msl_write_memory wgsl_write_memory] (pointer: Inst, value: Expr, inst: Inst) -> Result<(), Diagnostic>;
        /// A struct or an array from its parts.
        composite_value [glsl_composite_value hlsl_composite_value glsl_composite_value glsl_composite_value] (value: Expr) -> Expr;
        /// An index that differs between lanes.
        nonuniform [glsl_nonuniform hlsl_nonuniform msl_nonuniform msl_nonuniform] (index: Expr, place: Inst) -> Expr;
        /// An operator on integers of one type.
        integer_operation [plain_integer plain_integer msl_integer wgsl_integer] (operator: Binary, left: Expr, right: Expr, place: Inst) -> Expr;
        /// An operator before an integer.
        integer_prefix [plain_prefix plain_prefix msl_prefix wgsl_prefix] (operator: Unary, operand: Expr, place: Inst) -> Expr;
        /// A parameter of the function.
        add_parameter [plain_parameter companion_parameter msl_parameter wgsl_parameter] (parameter: Inst) -> Result<(), Diagnostic>;
        /// An argument of a call.
        add_argument [plain_argument companion_argument msl_argument wgsl_argument] (argument: Inst, arguments: &mut Arguments) -> Result<(), Diagnostic>;
        /// The value of an array in memory, where a language does not copy arrays of that memory as a whole.
        load_array [whole_array whole_array msl_load_array whole_array] (pointer: Inst, place: Expr, inst: Inst) -> Result<Expr, Diagnostic>;
        /// Stores an array element by element, where a language does not copy arrays of that memory as a whole.
        store_array [no_store_of_array no_store_of_array msl_store_array no_store_of_array] (pointer: Inst, object: Inst, inst: Inst) -> Result<bool, Diagnostic>;
        /// The place that an address leads to.
        behind_address [glsl_behind_address unknown msl_behind_address unknown] (pointer: Inst) -> Result<Expr, Diagnostic>;
        /// What an entry point does before it returns.
        before_return [nothing_before_return nothing_before_return msl_before_return nothing_before_return] () -> Result<(), Diagnostic>;
    }
}

impl Lowering<'_> {
    fn target(&self) -> Target {
        self.target
    }

    by_language! {
        /// Declares the variables that the written functions use.
        add_globals [glsl_add_globals hlsl_add_globals msl_add_globals wgsl_add_globals] () -> Result<(), Diagnostic>;
        /// Adds the head of the text, and the layouts.
        finish [glsl_finish hlsl_finish msl_finish wgsl_finish] () -> Result<(), Diagnostic>;
        /// The name of an entry point.
        entry_name [glsl_entry_name hlsl_entry_name msl_entry_name wgsl_entry_name] (entry: &Entry) -> String;
        /// Returns whether the language has numbers of a type, and notes the extension that it needs.
        has_scalar [glsl_has_scalar hlsl_has_scalar msl_has_scalar wgsl_has_scalar] (scalar: Scalar, place: Inst) -> bool;
        /// A number that is infinite or NaN, from its bits.
        special_float [glsl_special_float hlsl_special_float msl_special_float wgsl_special_float] (bits: u64, ty: Type, place: Inst) -> Result<Expr, Diagnostic>;
        /// What is written before a specialization constant.
        specialization [glsl_specialization hlsl_specialization msl_specialization wgsl_specialization] (constant: Inst) -> Result<String, Diagnostic>;
        /// The zero of a type, if the language has a short form.
        short_zero [glsl_short_zero hlsl_short_zero glsl_short_zero wgsl_short_zero] (ty: Type) -> Option<Expr>;
        /// What is written before the type of a member of a struct.
        member_prefix [glsl_member_prefix hlsl_member_prefix glsl_member_prefix glsl_member_prefix] (structure: Inst, member: u32) -> &'static str;
        /// The value of a constant that may be specialized, from its default.
        specialized [plain_specialized hlsl_specialized msl_specialized plain_specialized] (constant: Inst, default: Expr) -> Result<Expr, Diagnostic>;
        /// The words of padding behind an element of an array with a stride of its own.
        padding_of [glsl_padding_of hlsl_padding_of memory_padding memory_padding] (array: Inst, stride: u32) -> Result<u32, Diagnostic>;
        /// The global of a constant that is the size of the workgroup, if it is one.
        workgroup_size_constant [glsl_workgroup_size_constant hlsl_workgroup_size_constant msl_workgroup_size_constant msl_workgroup_size_constant] (constant: Inst) -> Result<Option<GlobalId>, Diagnostic>;
        /// The members of a struct in the layout of the language, if it has another than values.
        laid_out [no_layout no_layout memory_layout memory_layout] (structure: Inst) -> Result<Option<Vec<Member>>, Diagnostic>;
        /// The type of an image of a variable or parameter, as it is used.
        used_image [plain_image plain_image msl_used_image wgsl_used_image] (value: Inst, image: Image, place: Inst) -> Result<Image, Diagnostic>;
        /// The type of an element of an array in memory, if it is another than that of values.
        stored_element_type [no_element_type no_element_type memory_element memory_element] (array: Inst) -> Result<Option<Type>, Diagnostic>;
    }
}
