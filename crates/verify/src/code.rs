//! The codes: one for each rule, stable from release to release.
//!
//! `I` codes are rules of the IR; `R` codes are rules of the SPIR-V specification (version 1.6, section in brackets), applied to
//! what the function will be in SPIR-V. `C` codes are rules of code motion, which compare two versions of a module.

use std::fmt;

macro_rules! codes {
    ($( $variant:ident $rule:literal $suggestion:literal; )*) => {
        /// The rule that a finding is about. Displays as its own name: `I03`, `R18`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $( #[doc = $rule] $variant, )*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[ $( Code::$variant, )* ];

            /// The rule, in one sentence.
            pub const fn rule(self) -> &'static str {
                match self { $( Code::$variant => $rule, )* }
            }

            /// What usually helps.
            pub const fn suggestion(self) -> &'static str {
                match self { $( Code::$variant => $suggestion, )* }
            }

            /// The name, as it displays.
            pub const fn name(self) -> &'static str {
                match self { $( Code::$variant => stringify!($variant), )* }
            }
        }
    };
}

codes! {
    I01 "Everything that is used lives and stands in the module."
        "replace the uses before deleting an instruction, and place what was created";
    I02 "Functions stand in the module, blocks in functions, instructions in blocks; nothing else nests."
        "move the instruction to a container of the right kind";
    I03 "Operands are as many and of such kinds as the op table says."
        "compare the operands with the op's row in docs/ops.md";
    I04 "What has a type has a type instruction for it, and values of types are not types themselves."
        "give the instruction a type from the module level";
    I05 "A hoistable instruction is unique and stands in the widest scope in which its operands live."
        "create types and constants with Editor::unique and never move them";
    I06 "A function's type, return type and parameters agree."
        "build the function with Builder::add_function, or change its type together with its parameters";
    I07 "A call passes what the callee's type asks for and has its return type."
        "change the call's arguments or the callee's type";
    I08 "Parameters stand before everything else in their function or block."
        "add parameters with Builder::add_parameter";
    I09 "Terminators name blocks of their own function."
        "name a block of the same function";
    I10 "No edge goes from a block with several successors to a block with several predecessors."
        "split the edge with Editor::split_edge";
    I11 "Only `branch` and `loop` go to blocks with parameters."
        "split the edge with Editor::split_edge and pass the arguments from the edge block";
    I12 "A loop header is entered by one `loop` in its preheader and by its back edge, and by nothing else."
        "lead all entries of the loop through one preheader";
    I13 "No type or constant contains itself, but through a pointer."
        "put a pointer in between";
    I14 "Vectors have 2, 3, 4, 8 or 16 components, long vectors up to 65,535, and matrices 2, 3 or 4 columns."
        "use an array";
    R1 "The entry block is no branch target and has no parameters. (2.16.1)"
        "put an empty block before the entry";
    R2 "A block has exactly one terminator, its last instruction. (2.2.5)"
        "end the block with a terminator and move what follows it";
    R3 "A block stands after its dominators. (2.16.1)"
        "order the blocks in reverse post-order";
    R4 "A definition dominates its uses. (2.16.1)"
        "pass the value on as a block parameter";
    R5 "Arguments and parameters agree in number and type, and the type is one that OpPhi can have. (OpPhi)"
        "pass one argument of the parameter's type for each parameter";
    R6 "An OpSampledImage is used in its own block only. (2.16.1)"
        "make the sampled image again next to its use";
    R7 "Variables of class Function stand at the top of the entry block, all others at module level; all are pointers. (2.4, OpVariable)"
        "move the variable to the top of the entry block, and let its type be a pointer to its storage class";
    R8 "A condition is a boolean, its labels differ, and it has no branch weights or two. (OpBranchConditional)"
        "use branch where both ways are one";
    R9 "A switch has an integer selector and at most 16,383 distinct literals of its width. (OpSwitch, 2.17)"
        "give the switch an integer selector, and each case a literal of its own in the selector's width";
    R10 "Functions end as their type and their entry points' execution models allow. (OpReturnValue, OpKill)"
        "return a value of the function's type";
    R11 "A loop header ends in branch, branch_if or loop. (OpLoopMerge)"
        "move the selection out of the header into a block of its own";
    R12 "A break block is neither header nor continue block, and the loop controls do not contradict each other. (OpLoopMerge)"
        "give the loop a break block of its own";
    R13 "Nesting is at most 1,023 deep and a function has at most 524,287 variables. (2.17)"
        "flatten the function";
    R14 "The target of a back edge is a loop header. (2.16.2)"
        "structurize the function";
    R15 "A switch has a merge block. (2.16.2)"
        "name the merge block with OpSelectionMerge; structured_switch in the text form";
    R16 "A conditional branch without merge block goes to a merge block, continue block or case on one side at least. (2.16.2)"
        "use `if` with a merge block";
    R17 "A merge block belongs to one header. (2.11.1)"
        "give each construct a merge block of its own";
    R18 "A header strictly structurally dominates its merge block. (2.11.3)"
        "lead all ways into the merge block through the header, or choose another merge block";
    R19 "A loop header has exactly one back edge. (2.11.3)"
        "join the back edges in one latch";
    R20 "A loop header structurally dominates its continue block. (2.11.3)"
        "lead all ways into the continue block through the header";
    R21 "A continue block structurally dominates the block of its back edge. (2.11.3)"
        "lead all ways into the latch through the continue block";
    R22 "The block of the back edge structurally post-dominates the continue block. (2.11.3)"
        "leave the loop before the continue block or from the latch";
    R23 "The target of a back edge structurally dominates its source. (2.11.3)"
        "make the loop reducible";
    R24 "A construct is left by structured exits only. (2.11.3)"
        "lead the exit through one construct after the other";
    R25 "A continue construct is left to its loop's header or break block only. (2.11.3)"
        "break to the loop's own break block first";
    R26 "The continue block is entered from its loop construct only. (2.11.3)"
        "give the other way a block of its own";
    R27 "A construct that contains a header contains its merge block. (2.11.3)"
        "give the inner construct a merge block inside the outer one";
    R28 "A construct is entered at its header only. (2.11.3)"
        "lead the edge to the header";
    R29 "A switch header structurally dominates its case constructs. (2.11.3)"
        "put a block between the switch and its target";
    R30 "A case construct falls through to one other at most. (2.11.3)"
        "leave the switch and decide behind it";
    R31 "A case construct is fallen into from one other at most. (2.11.3)"
        "leave the switch and decide behind it";
    R32 "A case that falls through stands right before the case it falls into. (2.11.3)"
        "reorder the cases";
    R33 "A case that falls through the default stands right before the case that the default falls into. (2.11.3)"
        "reorder the cases";
    R34 "Cases of one target stand next to each other. (2.11.3)"
        "reorder the cases";
    T01 "Arithmetic has operands and a result of its kind, all of one size. (3.3.13, 3.3.16)"
        "convert the operands, or choose the op for their types";
    T02 "Comparisons and logic give booleans for operands of one type; both sides of a selection have its type. (3.3.15)"
        "convert the operands, or choose the op for their types";
    T03 "Bits are shifted and combined in integers of one size. (3.3.14)"
        "convert the operands, or choose the op for their types";
    T04 "A conversion goes between types that it is made for. (3.3.11)"
        "choose the conversion for these types";
    T05 "A composite is put together from its parts, and a part has the type that stands there. (3.3.12)"
        "compare the indices and types with the composite's declaration";
    T06 "Memory is read and written by pointers to what is read and written. (3.3.8)"
        "give the pointer the type of what it points to, and the access its alignment";
    T07 "Scopes and memory semantics are constants that make sense together. (3.1.25, 3.1.27)"
        "use constants of 32 bits, and one order at most";
    T08 "Atomics work on numbers in shared memory, of the type that their pointer points to. (3.3.18)"
        "point to an integer or float in a buffer or in workgroup memory, and name an order that the operation can have";
    T09 "Operations across lanes take and give scalars and vectors of their kind. (3.3.21, 3.3.24)"
        "convert the operands, or choose the op for their types";
    T10 "Images are accessed as their type says, by coordinates of their dimensions. (3.3.10)"
        "compare the operands with the image type's declaration";
    T11 "Extended instructions take and give what their set says."
        "compare the operands with the specification of the instruction set";
    T12 "Types are made of types that fit, and of capabilities declared. (3.3.6, 2.17)"
        "declare the capability, or use another type";
    T13 "Constants fit their types. (3.3.7)"
        "give the constant the type of its value";
    T14 "Everything else takes and gives the types that SPIR-V says. (3.3)"
        "compare the operands with SPIR-V's specification";
    N1 "Instructions and enumerants are declared by a capability where they need one. (2.16.1)"
        "declare the capability";
    N2 "Instructions and enumerants are of the module's version, or of an extension that is declared. (2.16.1)"
        "raise the version, or declare the extension that brings it";
    N3 "Enumerants are some that SPIR-V has, and masks have no other bits. (3.1)"
        "use a number that the specification lists";
    D01 "A decoration has its operands and hangs on what it describes. (3.1.20)"
        "move the decoration, or take it away";
    D02 "Nothing has a decoration twice, or two that exclude each other. (3.1.20)"
        "take one of them away";
    D03 "Memory that is shared with others is laid out explicitly. (2.16.2)"
        "give members offsets, arrays strides, and matrices strides and an order";
    E01 "A module has entry points; each is a function that returns nothing and that nobody calls. (2.16.1)"
        "declare the entry point, or the capability Linkage";
    E02 "The interface of an entry point names the variables that it uses, and nothing else. (OpEntryPoint)"
        "list the variables that the functions it reaches use";
    E03 "Execution modes are of entry points, for their execution models; some models need one. (3.1.6)"
        "give the entry point the mode that its model needs";
    E04 "What only some execution models have is reached from entry points of those alone. (3.1.3, 3.3)"
        "give the entry point another execution model, or keep it away from this function";
    E05 "Functions that are declared stand before those that are defined. (2.4)"
        "move the declaration in front of the first function with blocks";
    C1 "Code motion leaves blocks, their order, their parameters and their jumps as they are."
        "change control flow in a pass of its own";
    C2 "What others can see or what depends on the lanes that run it stays in its block, in its order."
        "leave stores, calls, atomics, barriers and group operations where they are";
    C3 "What stands for a value is the same operation on the same values."
        "claim what was replaced and what was copied, and from where";
    C4 "What may have no defined result runs only where it ran, or would have run in any case."
        "leave it where it stood, or prove by a constant operand that its result is defined";
    C5 "A read sees the memory that it saw."
        "keep it before the next write of what it reads, and behind the last one";
    C6 "A derivative stands where the lanes of its quad are together as they were."
        "leave it where it stood";
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
