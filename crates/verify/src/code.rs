//! The codes: one for each rule, stable across releases.
//!
//! `I` codes are rules of the IR; `R` codes are rules of the SPIR-V specification (version 1.6, section in brackets), applied to the SPIR-V
//! form of the function. `G` codes are rules of type-level code. `L` codes are rules of functions whose lanes are explicit. `C` codes are rules of code
//! motion, which compare two versions of a module.

reconverge_diagnostic::codes! {
    /// The rule that a finding is about. Displays as its own name: `I03`, `R18`.
    pub enum Code in "Rules of SPIR-V, with the rules of Vulkan and WGSL that the verifier checks" {
        I01 = "I01" Rejected
            "Every used instruction exists and is placed in the module."
            "replace the uses before you delete an instruction, and place each created instruction";
        I02 = "I02" Rejected
            "The module contains functions, functions contain blocks, blocks contain instructions; no other nesting is allowed."
            "move the instruction to a container of the right kind";
        I03 = "I03" Rejected
            "The number and the kinds of operands match the op table."
            "compare the operands with the op's row in docs/ops.md";
        I04 = "I04" Rejected
            "The type of a value is a type instruction, and a value is not itself a type."
            "give the instruction a type from the module level";
        I05 = "I05" Rejected
            "A hoistable instruction is unique and is placed in the widest scope where its operands exist."
            "define each type and constant once, at the top of the module, before its uses (in code: Editor::unique)";
        I06 = "I06" Rejected
            "A function's type, return type and parameters agree."
            "give the function type the types of its parameters and its result (in code: Builder::add_function)";
        I07 = "I07" Rejected
            "The arguments and the type of a call match the callee's type."
            "change the call's arguments or the callee's type";
        I08 = "I08" Rejected
            "Parameters come first in their function or block."
            "put the parameters of a block before its other instructions (in code: Builder::add_parameter)";
        I09 = "I09" Rejected
            "Terminators name blocks of their own function."
            "name a block of the same function";
        I10 = "I10" Rejected
            "No edge goes from a block with several successors to a block with several predecessors."
            "put a block with a single branch on the edge (`edge ^e:` in the text form; in code: Editor::split_edge)";
        I11 = "I11" Rejected
            "Only `branch` and `loop` may target blocks with parameters."
            "put a block on the edge that passes the arguments (`edge ^e:` and `branch ^t(%x)`; in code: Editor::split_edge)";
        I12 = "I12" Rejected
            "A loop header is entered by one `loop` in its preheader and by its back edge, and by nothing else."
            "route all entries of the loop through one preheader";
        I13 = "I13" Rejected
            "No type or constant contains itself, except through a pointer."
            "break the cycle with a pointer";
        I14 = "I14" Rejected
            "Vectors have 2, 3, 4, 8 or 16 components, long vectors up to 65,535, and matrices 2, 3 or 4 columns."
            "use an array";
        R1 = "R1" Rejected
            "The entry block is no branch target and has no parameters. (2.16.1)"
            "put an empty block before the entry";
        R2 = "R2" Rejected
            "A block has exactly one terminator, its last instruction. (2.2.5)"
            "end the block with a terminator, and move the instructions after it to another block";
        R3 = "R3" Rejected
            "A block comes after its dominators. (2.16.1)"
            "order the blocks in reverse post-order";
        R4 = "R4" Rejected
            "A definition dominates its uses. (2.16.1)"
            "pass the value on as a block parameter";
        R5 = "R5" Rejected
            "Arguments and parameters agree in number and type, and the type is one that OpPhi can have. (OpPhi)"
            "pass one argument of the parameter's type for each parameter";
        R6 = "R6" Rejected
            "An OpSampledImage is used in its own block only. (2.16.1)"
            "create the sampled image again next to its use";
        R7 = "R7" Rejected
            "Variables of class Function are at the top of the entry block, all others at module level; all have a pointer type. (2.4, OpVariable)"
            "move the variable to the top of the entry block, and let its type be a pointer to its storage class";
        R8 = "R8" Rejected
            "A condition is a boolean, its labels differ, and it has no branch weights or two. (OpBranchConditional)"
            "use branch if both targets are the same";
        R9 = "R9" Rejected
            "A switch has an integer selector and at most 16,383 distinct literals of its width. (OpSwitch, 2.17)"
            "give the switch an integer selector, and each case a literal of its own in the selector's width";
        R10 = "R10" Rejected
            "The terminators of a function fit its type and the execution models of its entry points. (OpReturnValue, OpKill)"
            "return a value of the function's type";
        R11 = "R11" Rejected
            "A loop header ends in branch, branch_if or loop. (OpLoopMerge)"
            "move the selection out of the header into a block of its own";
        R12 = "R12" Rejected
            "A break block is neither header nor continue block, and the loop controls do not contradict each other. (OpLoopMerge)"
            "give the loop a break block of its own";
        R13 = "R13" Rejected
            "Nesting is at most 1,023 deep, a function has at most 524,287 variables, and an instruction at most 65,535 operands. (2.17, 2.3)"
            "reduce the nesting, or split the function or the instruction";
        R14 = "R14" Rejected
            "The target of a back edge is a loop header. (2.16.2)"
            "structurize the function";
        R15 = "R15" Rejected
            "A switch has a merge block. (2.16.2)"
            "name the merge block with OpSelectionMerge; structured_switch in the text form";
        R16 = "R16" Rejected
            "A conditional branch without merge block goes to a merge block, continue block or case on one side at least. (2.16.2)"
            "use `if` with a merge block";
        R17 = "R17" Rejected
            "A merge block belongs to one header. (2.11.1)"
            "give each construct a merge block of its own";
        R18 = "R18" Rejected
            "A header strictly structurally dominates its merge block. (2.11.3)"
            "route all paths into the merge block through the header, or choose another merge block";
        R19 = "R19" Rejected
            "A loop header has exactly one back edge. (2.11.3)"
            "join the back edges in one latch";
        R20 = "R20" Rejected
            "A loop header structurally dominates its continue block. (2.11.3)"
            "route all paths into the continue block through the header";
        R21 = "R21" Rejected
            "A continue block structurally dominates the block of its back edge. (2.11.3)"
            "route all paths into the latch through the continue block";
        R22 = "R22" Rejected
            "The block of the back edge structurally post-dominates the continue block. (2.11.3)"
            "let the loop exit before the continue block, or from the latch";
        R23 = "R23" Rejected
            "The target of a back edge structurally dominates its source. (2.11.3)"
            "make the loop reducible";
        R24 = "R24" Rejected
            "A construct is left by structured exits only. (2.11.3)"
            "leave one construct after the other";
        R25 = "R25" Rejected
            "A continue construct is left to its loop's header or break block only. (2.11.3)"
            "break to the loop's own break block first";
        R26 = "R26" Rejected
            "The continue block is entered from its loop construct only. (2.11.3)"
            "give the other edge a target block of its own";
        R27 = "R27" Rejected
            "A construct that contains a header contains its merge block. (2.11.3)"
            "give the inner construct a merge block inside the outer one";
        R28 = "R28" Rejected
            "A construct is entered at its header only. (2.11.3)"
            "redirect the edge to the header";
        R29 = "R29" Rejected
            "A switch header structurally dominates its case constructs. (2.11.3)"
            "put a block between the switch and its target";
        R30 = "R30" Rejected
            "A case construct falls through to one other at most. (2.11.3)"
            "leave the switch, and branch after it";
        R31 = "R31" Rejected
            "At most one other case construct falls through to a case construct. (2.11.3)"
            "leave the switch, and branch after it";
        R32 = "R32" Rejected
            "A case that falls through comes directly before its fall-through target. (2.11.3)"
            "reorder the cases";
        R33 = "R33" Rejected
            "A case that falls through the default comes directly before the fall-through target of the default. (2.11.3)"
            "reorder the cases";
        R34 = "R34" Rejected
            "Cases with the same target are adjacent. (2.11.3)"
            "reorder the cases";
        L1 = "L1" Rejected
            "The instructions `execution_mask`, `launched_lanes` and `any_lane` occur at stage Masked only."
            "make the lanes of the function explicit, or remove the instruction";
        L2 = "L2" Rejected
            "A function at stage Masked has no merge blocks."
            "use branch_if, switch and branch";
        L3 = "L3" Rejected
            "All lanes take a branch of a function at stage Masked together."
            "branch on any_lane of the mask";
        T01 = "T01" Rejected
            "The operands and the result of an arithmetic instruction have the right kind and size. (3.3.13, 3.3.16)"
            "convert the operands, or choose the op for their types";
        T02 = "T02" Rejected
            "Comparisons and logical instructions take operands of one type and return booleans; both values of a select have its type. (3.3.15)"
            "convert the operands, or choose the op for their types";
        T03 = "T03" Rejected
            "The operands and results of bit instructions are integers of matching sizes. (3.3.14)"
            "convert the operands, or choose the op for their types";
        T04 = "T04" Rejected
            "A conversion instruction is used with the types that it is defined for. (3.3.11)"
            "choose the conversion for these types";
        T05 = "T05" Rejected
            "The parts of a composite have the types of its members. (3.3.12)"
            "compare the indices and types with the composite's declaration";
        T06 = "T06" Rejected
            "The pointer of a memory access points to the type that is read or written. (3.3.8)"
            "give the pointer the type of what it points to, and the access its alignment";
        T07 = "T07" Rejected
            "Scopes and memory semantics are constants, and their combination is valid. (3.1.25, 3.1.27)"
            "use constants of 32 bits, and one order at most";
        T08 = "T08" Rejected
            "Atomics work on numbers in shared memory, of the type that their pointer points to. (3.3.18)"
            "point to an integer or float in a buffer or in workgroup memory, and name an order that the operation can have";
        T09 = "T09" Rejected
            "The operands and results of group operations are scalars and vectors of the right kind. (3.3.21, 3.3.24)"
            "convert the operands, or choose the op for their types";
        T10 = "T10" Rejected
            "An image access fits the image type, and the coordinates have its dimensions. (3.3.10)"
            "compare the operands with the image type's declaration";
        T11 = "T11" Rejected
            "The operands and results of extended instructions match the specification of their set."
            "compare the operands with the specification of the instruction set";
        T12 = "T12" Rejected
            "The component types of a type are valid, and the capabilities that it needs are declared. (3.3.6, 2.17)"
            "declare the capability, or use another type";
        T13 = "T13" Rejected
            "Constants fit their types. (3.3.7)"
            "give the constant the type of its value";
        T14 = "T14" Rejected
            "The operands and results of all other instructions have the types that SPIR-V requires. (3.3)"
            "compare the operands with SPIR-V's specification";
        N1 = "N1" Rejected
            "The capabilities that instructions and enumerants need are declared. (2.16.1)"
            "add OpCapability with the name in the message (`capability NAME` in the text form)";
        N2 = "N2" Rejected
            "Instructions and enumerants exist in the module's version, or in a declared extension. (2.16.1)"
            "raise the version, or declare the extension that provides it";
        N3 = "N3" Rejected
            "Enumerants and mask bits are defined by SPIR-V. (3.1)"
            "use a number that the specification lists";
        D01 = "D01" Rejected
            "A decoration has the right operands and a valid target. (3.1.20)"
            "move the decoration, or remove it";
        D02 = "D02" Rejected
            "No target has the same decoration twice, or two decorations that exclude each other. (3.1.20)"
            "remove one of them";
        D03 = "D03" Rejected
            "Externally visible memory has an explicit layout. (2.16.2)"
            "give members offsets, arrays strides, and matrices strides and an order";
        E01 = "E01" Rejected
            "A module has one memory model and entry points; each entry point has a name of its own, is a function without a return value, and no instruction calls it. (2.4, 2.16.1)"
            "declare the entry point, or the capability Linkage; declare nothing twice";
        E02 = "E02" Rejected
            "The interface of an entry point names the variables that it uses, and nothing else. (OpEntryPoint)"
            "list the variables that the reachable functions use";
        E03 = "E03" Rejected
            "Execution modes apply to entry points and fit their execution models; some models require a mode. (3.1.6)"
            "give the entry point the mode that its model needs";
        E04 = "E04" Rejected
            "An instruction that only some execution models allow is reached only from entry points of these models. (3.1.3, 3.3)"
            "change the execution model of the entry point, or do not call this function from it";
        E05 = "E05" Rejected
            "Function declarations come before function definitions. (2.4)"
            "move the declaration before the first function with blocks";
        G01 = "G01" Rejected
            "Generics hold parameters, type-level code and functions, and nest 64 deep at most; interfaces hold one parameter, a type, and requirements; both are nowhere else."
            "move the instruction to a container of the right kind";
        G02 = "G02" Rejected
            "A generic ends in the return of a function, a type or a witness table, or only declares its parameters."
            "end the generic with return_value";
        G03 = "G03" Rejected
            "What a generic, interface or function defines is used in it alone."
            "pass it as an argument of a request, or move the use into the generic";
        G04 = "G04" Rejected
            "A request has an argument of the right kind and type for each parameter of its generic."
            "compare the arguments with the parameters of the generic";
        G05 = "G05" Rejected
            "A witness table has one entry for each requirement of its interface, of the requirement's kind and type."
            "compare the entries with the requirements, where the interface's parameter is the type that the table is for";
        G06 = "G06" Rejected
            "A lookup names a witness, and a requirement of the interface that the witness is for."
            "name a requirement of that interface";
        G07 = "G07" Rejected
            "A value of interface type is made of a value and a witness that its type fulfils the interface, and is split into these."
            "use a witness for the value's type and the interface of the result";
        G08 = "G08" Rejected
            "Only functions at stage Generic contain type-level code or types made of it."
            "specialize the module, or set the stage of the function";
        C1 = "C1" Rejected
            "Code motion does not change blocks, their order, their parameters or their jumps."
            "change control flow in a pass of its own";
        C2 = "C2" Rejected
            "Instructions with visible effects, and convergent operations, stay in their block and in their order."
            "leave stores, calls, atomics, barriers and group operations where they are";
        C3 = "C3" Rejected
            "The replacement of a value is the same operation on the same values."
            "claim what was replaced and what was copied, and from where";
        C4 = "C4" Rejected
            "An instruction whose result may be undefined runs only where it ran before, or where it would have run in any case."
            "leave it in its old place, or prove by a constant operand that its result is defined";
        C5 = "C5" Rejected
            "A read sees the same memory state as before."
            "keep it after the last write to its memory, and before the next one";
        C6 = "C6" Rejected
            "A derivative is computed where at least as many lanes of its quad are converged as before."
            "leave it in its old place";
    }
}

impl Code {
    /// The rule, in one sentence.
    pub const fn rule(self) -> &'static str {
        self.declared().meaning
    }

    /// The usual remedy.
    pub const fn suggestion(self) -> &'static str {
        self.declared().help
    }
}
