//! Every code that a message can have, and what it means.
//!
//! Rules and checks have their own text (`reconverge-verify`, `reconverge-diagnose`); the interpreter names undefined behaviour. The table
//! has the rest: errors of reading, writing, compiling and running. A test checks that it is complete.

use reconverge::{diagnose, verify};

use crate::{dxil, lowering, shading, uniformity};

/// A code that is neither a rule, nor a check, nor undefined behaviour.
pub(crate) struct Plain {
    code: &'static str,
    /// What it means, in a sentence.
    meaning: &'static str,
    /// What usually helps.
    help: &'static str,
}

pub(crate) const fn plain(code: &'static str, meaning: &'static str, help: &'static str) -> Plain {
    Plain { code, meaning, help }
}

const BETTER_FILE: &str =
    "compile the source again, or check that the file is complete; `spirv-val FILE` checks it independently";
const BETTER_TEXT: &str =
    "compare the line with the grammar in docs/ir.md; `reconverge compile IN -o - --to text` prints valid text";
const BETTER_BINARY: &str =
    "write the file again, or check that it is complete: `reconverge compile IN -o OUT.rcv` writes the form";
const BETTER_SOURCE: &str = "correct the text where the message points";
const BETTER_ASSEMBLY: &str = "compare the line with the output of `spirv-dis`";
const BETTER_GRAPH: &str = "compare the line with the grammar in docs/graph.md";
const BUG: &str = "this is a bug of the compiler: report it, with the folder that the message names";
const DEVICE: &str = "choose another device with --device, or use --on interpreter, which needs no GPU";

/// The codes by group, with a heading for each.
const GROUPS: [(&str, &[Plain]); 17] = [
    (
        "The command",
        &[
            plain("usage", "The command line is wrong (exit code 2).", "`reconverge help COMMAND` has all options"),
            plain("io", "A file cannot be read or written (exit code 75).", "check the path and its permissions"),
            plain("empty-input", "The input is empty.", "check that the command that writes it succeeds"),
            plain(
                "wrong-kind",
                "The file is not a module or graph that this command reads.",
                "convert the file to SPIR-V as the message describes",
            ),
            plain("internal", "The compiler has a bug (exit code 70). It wrote a reproducer.", BUG),
        ],
    ),
    ("OpenCL kernels", lowering::CODES),
    ("DXIL", dxil::CODES),
    (
        "Reading SPIR-V",
        &[
            plain(
                "spirv-length",
                "The file is not a whole number of words, or is shorter than the header.",
                BETTER_FILE,
            ),
            plain(
                "spirv-magic",
                "The first word is not the magic number of SPIR-V.",
                "give a SPIR-V module, or `--from text` for text",
            ),
            plain(
                "spirv-version",
                "The version is not one of 1.0 to 1.6.",
                "compile for an older version, such as 1.6",
            ),
            plain(
                "spirv-word-count",
                "The word count of an instruction is zero, or extends past the end of the file.",
                BETTER_FILE,
            ),
            plain("spirv-operand-missing", "An instruction ends before its operands do.", BETTER_FILE),
            plain("spirv-operand-surplus", "An instruction has words after its last operand.", BETTER_FILE),
            plain("spirv-text", "A string does not end inside its instruction.", BETTER_FILE),
            plain("spirv-literal-width", "The width of a literal differs from that of its type.", BETTER_FILE),
            plain("spirv-id-range", "An id is 0, or not below the bound in the header.", BETTER_FILE),
            plain("spirv-id-redefined", "Two instructions have the same result id.", BETTER_FILE),
            plain("spirv-id-undefined", "An id is used but never defined.", BETTER_FILE),
            plain(
                "spirv-forward-reference",
                "An id is used before its definition where SPIR-V does not allow it, or in a cycle.",
                BETTER_FILE,
            ),
            plain(
                "spirv-layout",
                "An instruction is in the wrong section of the module, or a required one is missing.",
                BETTER_FILE,
            ),
            plain("spirv-terminator", "A block has no terminator.", BETTER_FILE),
            plain(
                "spirv-branch-target",
                "A branch or merge names something that is not a block of the function.",
                BETTER_FILE,
            ),
            plain(
                "spirv-merge",
                "A merge instruction is in a place where none is allowed.",
                "`compile` without --strict structurizes the function again",
            ),
            plain("spirv-phi", "The parents of an OpPhi are not the predecessors of its block.", BETTER_FILE),
            plain(
                "spirv-limit",
                "The module exceeds a limit of the IR: the words of the file, the operands of an instruction, or the phis of a block.",
                "split the function",
            ),
            plain(
                "spirv-unsupported",
                "The module may be valid, but uses a feature that is not supported.",
                "the message names it",
            ),
        ],
    ),
    (
        "Reading text",
        &[
            plain("text-character", "A character cannot begin a word, number, name or string.", BETTER_TEXT),
            plain("text-number", "A number does not fit.", BETTER_TEXT),
            plain("text-string", "A string does not end, or has an unknown escape.", BETTER_TEXT),
            plain(
                "text-version",
                "The first line says a version of the text form that this build does not read.",
                "write the text again with this build, or use a newer one",
            ),
            plain("text-syntax", "A word or sign is not allowed at this place.", BETTER_TEXT),
            plain("text-op", "The op does not exist, or cannot be written here.", "docs/ops.md lists every op"),
            plain("text-enumerant", "The SPIR-V enumeration has no value of this name.", BETTER_TEXT),
            plain("text-result", "A result or type is missing, or the op has none.", BETTER_TEXT),
            plain("text-duplicate", "A name is defined twice.", "rename one of them"),
            plain("text-undefined", "A name is used but never defined.", BETTER_TEXT),
            plain("text-limit", "More text, operands, words or digits than the form allows.", "split the instruction"),
        ],
    ),
    (
        "Reading the binary form",
        &[
            plain("binary-magic", "The first bytes are not those of the binary form.", "give --from with the format"),
            plain(
                "binary-version",
                "The file needs a version of the format that this build does not read; the message has the versions of both and the writer.",
                "write the file again with this build, or use a newer one",
            ),
            plain(
                "binary-length",
                "A count or a length is greater than what is left of the file, or less than what there is.",
                BETTER_BINARY,
            ),
            plain("binary-section", "A section is there twice, or not in its place.", BETTER_BINARY),
            plain(
                "binary-op",
                "An instruction has an op that this build does not know, or that cannot be there.",
                "write the file again with this build, or use a newer one",
            ),
            plain("binary-encoding", "A value is not spelled as the writer spells it.", BETTER_BINARY),
            plain("binary-reference", "An operand names an instruction that the file does not have.", BETTER_BINARY),
            plain("binary-nesting", "Instructions are not nested as the tables of the file say.", BETTER_BINARY),
            plain(
                "binary-unique",
                "A type or constant is there twice, or in a narrower scope than its operands.",
                BETTER_BINARY,
            ),
            plain("binary-number", "Two instructions have the same number, or one is out of bounds.", BETTER_BINARY),
            plain(
                "binary-linkage",
                "The table of exports and imports differs from the decorations of the instructions.",
                BETTER_BINARY,
            ),
            plain("binary-limit", "The file is larger than 1 GiB, or reserves too many numbers.", "split the module"),
        ],
    ),
    (
        "Linking",
        &[
            plain(
                "link-undefined",
                "A module imports a symbol that no input defines. In OpenCL C, a function that is `inline` and not `static` is an import.",
                "give the module that defines it as one more input, of `link`, `compile` or `run`; `reconverge link IN... --list` lists all \
                 symbols, `link --allow-undefined` leaves it open; in OpenCL C write `static inline`",
            ),
            plain(
                "link-duplicate",
                "Two inputs define one symbol.",
                "remove one of the definitions, or make all of them LinkOnceODR",
            ),
            plain(
                "link-no-body",
                "An input exports a symbol that it only declares.",
                "export the function where its body is, and import it elsewhere",
            ),
            plain(
                "link-type",
                "An import and its definition have different types, or are different things.",
                "declare it alike in all sources; the message has the first difference",
            ),
            plain(
                "link-decoration",
                "The decorations of an import and of its definition contradict each other.",
                "declare it alike in all sources, with the same attributes; docs/linking.md has the rules",
            ),
            plain(
                "link-memory-model",
                "Two inputs have different addressing or memory models.",
                "compile all modules for the same target",
            ),
            plain(
                "link-entry-point",
                "Two inputs have an entry point of the same name and execution model.",
                "rename one of them, or choose the inputs that are linked",
            ),
            plain(
                "link-root",
                "No input has an entry point or export of the name that --root gives.",
                "`reconverge link IN... --list` lists all exports",
            ),
            plain(
                "link-recursion",
                "An entry point reaches a function that calls itself, which SPIR-V does not allow.",
                "replace the recursion by a loop; the message has the cycle",
            ),
            plain(
                "link-malformed",
                "An input breaks rules in a place that is linked.",
                "`reconverge check IN` lists all errors of an input",
            ),
            plain("link-read", "A part of an input cannot be read.", "check that the file is complete"),
        ],
    ),
    (
        "Writing",
        &[
            plain(
                "write-op",
                "The op has no SPIR-V instruction.",
                "write text (--to text), or run the pass that lowers the op",
            ),
            plain(
                "write-generic",
                "Generics or interfaces are left, which SPIR-V does not have. The message has the chain of uses that needs them.",
                "specialize the module; link the modules that define what it imports",
            ),
            plain("write-operand", "An operand has no result. This is a bug of the compiler.", BUG),
            plain("write-block", "A block or function part is in a wrong place. This is a bug of the compiler.", BUG),
            plain(
                "write-arguments",
                "A branch passes the wrong number of arguments. This is a bug of the compiler.",
                BUG,
            ),
            plain(
                "write-version",
                "The version in the header is not one of 1.0 to 1.6.",
                "change `spirv_header` in the text",
            ),
            plain(
                "write-layout",
                "The module has no memory model, so it is not a SPIR-V module.",
                "add `memory_model` to the text",
            ),
            plain(
                "write-unstructured",
                "The passes leave a shader that is not structured, and SPIR-V has no such shader (exit code 2).",
                "write text (--to text), or let the pass structurize run last",
            ),
            plain(
                "write-limit",
                "An instruction would have more words, or the module more ids, than SPIR-V allows.",
                "split the module",
            ),
        ],
    ),
    ("Writing WGSL, GLSL, HLSL and MSL", shading::CODES),
    (
        "Compiling",
        &[
            plain(
                "structurize-limit",
                "A graph exceeds a documented limit of the structurizer: its size, or --block-limit.",
                "raise --block-limit, or split the function",
            ),
            plain(
                "structurize-opaque",
                "After structurizing, the definition of a value no longer dominates a use. The value would need a block parameter (an \
                 OpPhi), and its type, such as an image, a sampler or a pointer, does not allow one.",
                "load or compute the value again in the block that uses it",
            ),
            plain(
                "not-structured",
                "An optional pass needs a structured function.",
                "--strip-merges structurizes the function first",
            ),
            plain(
                "unknown-pass",
                "The options name a pass that does not exist.",
                "`reconverge passes` lists the passes",
            ),
            plain(
                "stage-generic",
                "The module has generics or interfaces, and the step needs concrete types. The message has the chain of uses that needs them.",
                "specialize the module; link the modules that define what it imports",
            ),
            plain(
                "generics-open",
                "A generic or witness table is requested that this module only declares.",
                "link the module that defines it",
            ),
            plain(
                "generics-limit",
                "Requests for generics lead to more requests without end, or to more copies than the limit. The message has the chain of requests.",
                "let the generic not request itself for a type made of its parameter",
            ),
            plain(
                "generics-cycle",
                "What a request for a generic returns, or what a witness table has for a requirement, is defined by itself.",
                "define one of them by something else",
            ),
            plain(
                "generics-malformed",
                "A request or lookup that the verifier rejects: a wrong number of arguments, or a requirement without entry.",
                "verify the module first",
            ),
            plain(
                "generics-no-type",
                "A call through a value of interface type, and no type that implements the interface reaches it.",
                "make a value with make_existential, or remove the call",
            ),
            plain(
                "generics-value",
                "A value of interface type holds, or is in, what cannot be words: a logical pointer, an image, a buffer; or its parts are accessed where its type is not known.",
                "pass the value on as a whole; a generic that is called with it can take it apart",
            ),
            plain(
                "nesting-limit",
                "A pass would nest constructs deeper than SPIR-V allows (1023).",
                "--nesting-limit limits the nesting",
            ),
            plain(
                "growth-limit",
                "A pass would create more blocks or instructions than its limit.",
                "leave the pass out, or make the function smaller",
            ),
            plain(
                "unroll-shape",
                "A loop has the loop control Unroll, but loop_unroll does not support its form.",
                "rewrite the loop, or remove the loop control",
            ),
            plain("unroll-infinite", "A loop has the loop control Unroll, but never ends.", "remove the loop control"),
            plain(
                "unroll-unknown",
                "A loop has the loop control Unroll, but its trip count is not known.",
                "give the loop constant bounds",
            ),
            plain(
                "unroll-growth",
                "Unrolling a loop would create too many instructions.",
                "remove the loop control, or use PartialCount",
            ),
            plain(
                "peel-shape",
                "A loop has the loop control PeelCount, but loop_peel does not support its form.",
                "remove the loop control",
            ),
            plain("peel-growth", "Peeling a loop would create too many instructions.", "peel fewer iterations"),
            plain(
                "opaque-return",
                "The pass `lower_returns` gives a function one return. The returned value would need a block parameter (an OpPhi), and \
                 its type, such as an image, a sampler or a pointer, does not allow one.",
                "store the result to a variable of the caller instead of returning it, or inline the function",
            ),
            plain(
                "opaque-value",
                "An optional pass moved a definition so that it no longer dominates a use. The value would need a block parameter (an \
                 OpPhi), and its type, such as an image, a sampler or a pointer, does not allow one.",
                "leave the pass out, or load or compute the value again in the block that uses it",
            ),
        ],
    ),
    (
        "Graphs",
        &[
            plain("graph-encoding", "The graph is not UTF-8.", "save the file as UTF-8"),
            plain("graph-empty", "The graph has no block.", BETTER_GRAPH),
            plain("graph-missing-terminator", "A block has no terminator.", BETTER_GRAPH),
            plain(
                "graph-unknown-terminator",
                "The word is not a terminator.",
                "terminators are br, condbr, switch, ret and unreachable",
            ),
            plain("graph-missing-target", "A terminator has too few targets.", BETTER_GRAPH),
            plain("graph-extra-word", "A terminator or attribute has too many words.", BETTER_GRAPH),
            plain("graph-unknown-target", "A target is not a block of the graph.", BETTER_GRAPH),
            plain("graph-duplicate-block", "Two blocks have the same name.", "rename one of them"),
            plain("graph-duplicate-entry", "Two blocks are marked as the entry.", "mark one block as the entry"),
            plain("graph-attribute", "The word is not an attribute, or the attribute is given twice.", BETTER_GRAPH),
            plain("graph-number", "A weight is not a 32-bit number.", BETTER_GRAPH),
            plain("graph-character", "A name has a character that is not allowed.", BETTER_GRAPH),
            plain("graph-limit", "More blocks or targets than a graph can have.", "split the graph"),
            plain("graph-json", "The document is not a graph as JSON.", "docs/graph.md has the schema"),
            plain(
                "graph-json-format",
                "The document has a different format version.",
                "write the document with this version",
            ),
            plain("graph-json-graph", "The blocks of the document do not form a graph.", "docs/graph.md has the rules"),
            plain(
                "graph-json-plan",
                "The plan of the document contradicts itself.",
                "write the plan with `reconverge graph --to json`",
            ),
            plain("graph-json-mismatch", "The plan belongs to a different graph.", "structurize the graph again"),
        ],
    ),
    (
        "Running",
        &[
            plain(
                "run-launch",
                "The launch is wrong, or does not fit the kernel (exit code 2 if flags state it, 1 if only a file does).",
                "docs/launch.md has the grammar; the message says what the kernel expects",
            ),
            plain(
                "run-no-kernel",
                "The module has no OpenCL kernel.",
                "give the module that clang writes for OpenCL C, before it is compiled",
            ),
            plain(
                "run-file-size",
                "A note: a file of bytes is not as large as the buffer that it fills. A buffer that is larger ends in zeros; what is too much of a file \
                 is not used.",
                "TYPE[]=@FILE makes the buffer as large as its file; a file .npy is compared with its buffer",
            ),
            plain("run-mismatch", "An output is not as expected.", "the message has the first element that differs"),
            plain(
                "run-race",
                "Two work-items access the same byte without a barrier, and one of them writes.",
                "put a barrier between the accesses, or make them atomic; --races ignore disables this check",
            ),
            plain(
                "run-limit",
                "The device ends loops after a number of iterations without an error, so the result is wrong (exit code 4).",
                "run the kernel on another device",
            ),
            plain(
                "driver-barrier",
                "The driver waits at a barrier that no lane reaches, in a loop that subgroups iterate differently, so stores may be lost.",
                "run the kernel on another device",
            ),
            plain(
                "run-fuel",
                "A work-item executed more instructions than its limit.",
                "raise --fuel, or find the infinite loop",
            ),
            plain(
                "run-time",
                "The kernel did not end within the time limit.",
                "raise --timeout, or find the infinite loop with --on interpreter --fuel N",
            ),
            plain("run-depth", "The call stack of a work-item is too deep.", "find the infinite recursion"),
            plain(
                "run-unsupported",
                "The interpreter does not support the instruction.",
                "--on vulkan may run the kernel",
            ),
            plain(
                "run-cpu-unsupported",
                "The CPU engine does not support the instruction, or this machine does not support the engine (exit code 3).",
                "--on interpreter or --on vulkan may run the kernel; without --width the engine takes the widest vectors of this CPU",
            ),
            plain(
                "vc4-unsupported",
                "The VC4 does not have what the instruction needs, or the compiler does not support it there (exit code 3).",
                "docs/qpu.md lists what is not supported; --target vulkan and --on cpu take the kernel",
            ),
            plain(
                "vc4-limit",
                "The kernel exceeds a limit of the VC4: registers, rows of the vertex pipe memory, addresses; or it takes too long on the \
                 emulator (exit code 4).",
                "the message has the number; make private arrays or the work-group smaller, or split the kernel",
            ),
            plain(
                "run-vc4-fault",
                "The emulator of the VC4 stopped: the kernel left its buffers, or waits for ever.",
                "--on interpreter reports undefined behaviour with its place",
            ),
            plain(
                "run-malformed",
                "An instruction has operands of the wrong type.",
                "`reconverge check` names the broken rule",
            ),
            plain(
                "run-ended",
                "A work-item ended at an instruction such as OpKill, before the end of the kernel.",
                "remove the instruction that the message names",
            ),
        ],
    ),
    (
        "Vulkan",
        &[
            plain(
                "vulkan-no-loader",
                "The Vulkan loader is not installed.",
                "install it (Debian: libvulkan1), or use --on interpreter",
            ),
            plain("vulkan-old-loader", "The Vulkan loader is too old.", "install a newer one"),
            plain(
                "vulkan-missing-layer",
                "The validation layer is not installed.",
                "install it (Debian: vulkan-validationlayers), or leave out --validation",
            ),
            plain(
                "vulkan-no-device",
                "There is no Vulkan device.",
                "install a driver (Debian: mesa-vulkan-drivers has one for the CPU), or use --on interpreter",
            ),
            plain(
                "vulkan-device-not-found",
                "No device has this number or name.",
                "leave out --device to take the first; the message lists the devices",
            ),
            plain("vulkan-old-device", "The device does not support Vulkan 1.2.", DEVICE),
            plain("vulkan-no-compute-queue", "The device has no queue for compute shaders.", DEVICE),
            plain("vulkan-missing-feature", "The device lacks a feature that the kernel needs.", DEVICE),
            plain("vulkan-missing-extension", "The device lacks an extension that the kernel needs.", DEVICE),
            plain(
                "vulkan-unknown-feature",
                "The reflection names a feature that this version does not know.",
                "compile the kernel with this version",
            ),
            plain("vulkan-limit", "The launch exceeds a limit of the device.", "make the launch smaller"),
            plain("vulkan-bad-request", "The launch does not fit the kernel.", "docs/launch.md has the grammar"),
            plain(
                "vulkan-rejected",
                "The driver rejected the shader.",
                "report it with the output of `spirv-val`, which shows whether the shader is valid",
            ),
            plain("vulkan-out-of-memory", "The host or the device ran out of memory.", "make the launch smaller"),
            plain(
                "vulkan-timeout",
                "The device did not finish in time.",
                "raise --timeout, or make the launch smaller",
            ),
            plain(
                "vulkan-device-lost",
                "The device stopped working.",
                "run the kernel with --on interpreter, which reports accesses out of bounds",
            ),
            plain("vulkan-validation", "The validation layer found errors.", "report it, with the messages"),
            plain("vulkan-driver", "A call to the driver failed.", "try again, or try another device"),
        ],
    ),
    (
        "Front ends of sources",
        &[
            plain("front-end", "The front end of a source reports an error, or a warning.", BETTER_SOURCE),
            plain(
                "front-end-missing",
                "No front end of the language is installed, or the one that is named does not start (exit code 2).",
                "install it as the message says, or name it by --front-end or its environment variable (docs/front-ends.md)",
            ),
            plain(
                "front-end-crash",
                "The front end ended by a signal, or by an internal error that it reports.",
                "try another version of it with --front-end, or another way to write the source",
            ),
            plain(
                "front-end-output",
                "The front end reported success, and wrote nothing or something that is no module.",
                "check what --front-end and --front-end-arg ask for; --verbose prints the command line",
            ),
            plain(
                "front-end-invalid",
                "The front end wrote a module that breaks a rule, and no repair is known. The findings come before this message.",
                "try another version of it with --front-end, or another way to write the source",
            ),
            plain(
                "front-end-lines",
                "A note: messages have no source lines, because clang writes SPIR-V without them.",
                "install clang and llvm-spirv of one version, such as `apt-get install clang-15 llvm-spirv-15`",
            ),
        ],
    ),
    (
        "Reading WGSL",
        &[
            plain("source-syntax", "The text breaks the grammar, or uses a name that is not declared.", BETTER_SOURCE),
            plain("source-invalid", "The text breaks a rule about types, resources or entry points.", BETTER_SOURCE),
            plain(
                "source-unsupported",
                "The parser does not know what the text uses, though the language may have it.",
                "compile it to SPIR-V with another front end, such as Tint, and give that",
            ),
            plain("source-limit", "The text nests too deep.", "split the expression or the function"),
            plain(
                "source-language",
                "GLSL, HLSL and MSL are written and not read, as far as the library goes. The command has front ends for GLSL and HLSL.",
                "compile the source to SPIR-V first",
            ),
        ],
    ),
    ("Uniformity in WGSL", uniformity::CODES),
    (
        "Reading SPIR-V assembly",
        &[
            plain("assembly-character", "The text contains a NUL character.", BETTER_ASSEMBLY),
            plain("assembly-text", "A string does not end.", BETTER_ASSEMBLY),
            plain("assembly-syntax", "An instruction must begin here.", BETTER_ASSEMBLY),
            plain("assembly-opcode", "No instruction has this name.", BETTER_ASSEMBLY),
            plain("assembly-result", "A result is missing, or the instruction has none.", BETTER_ASSEMBLY),
            plain("assembly-operand-missing", "An instruction ends before its operands do.", BETTER_ASSEMBLY),
            plain("assembly-operand-surplus", "An instruction has too many operands.", BETTER_ASSEMBLY),
            plain("assembly-operand-kind", "The operand is of the wrong kind.", BETTER_ASSEMBLY),
            plain("assembly-enumerant", "The enumeration or mask has no such name.", BETTER_ASSEMBLY),
            plain(
                "assembly-id",
                "This is not an id: ids are names of letters, digits and underscores, or numbers above 0.",
                BETTER_ASSEMBLY,
            ),
            plain(
                "assembly-literal",
                "The literal is not a number of the kind that its type requires.",
                BETTER_ASSEMBLY,
            ),
            plain("assembly-literal-range", "The number does not fit its type.", BETTER_ASSEMBLY),
            plain(
                "assembly-literal-type",
                "The type of the literal is not numeric, or is defined too late.",
                BETTER_ASSEMBLY,
            ),
            plain("assembly-instruction-set", "The id is not an extended instruction set.", BETTER_ASSEMBLY),
            plain(
                "assembly-extended-instruction",
                "The extended instruction set has no instruction of this name.",
                BETTER_ASSEMBLY,
            ),
            plain("assembly-version", "The version in the comment is not one of 1.0 to 1.6.", BETTER_ASSEMBLY),
            plain(
                "assembly-limit",
                "An instruction has more words, or the module more ids, than SPIR-V allows.",
                BETTER_ASSEMBLY,
            ),
        ],
    ),
];

/// The page about a code, in Markdown; none if there is no such code.
pub(crate) fn page(name: &str) -> Option<String> {
    let is_named = |code: &str| code.eq_ignore_ascii_case(name);
    let check = diagnose::Code::ALL.iter().find(|code| is_named(code.name()));
    let rule = || verify::Code::ALL.iter().find(|code| is_named(code.name()));
    let behaviour = || reconverge_run::UndefinedBehaviour::ALL.iter().find(|behaviour| is_named(behaviour.code()));
    let plain = || GROUPS.iter().flat_map(|(_, codes)| codes.iter()).find(|plain| is_named(plain.code));
    let helped =
        |code: &str, meaning: &str, help: &str| format!("# {code}\n\n{meaning}\n\nWhat usually helps: {help}.\n");
    if let Some(check) = check {
        return Some(check.page().to_owned());
    }
    if let Some(rule) = rule() {
        return Some(helped(rule.name(), rule.rule(), rule.suggestion()));
    }
    if let Some(behaviour) = behaviour() {
        let meaning = format!(
            "Undefined behaviour: {}.\n\n{} The message names the lane or work-item, the instruction and, if the module has debug \
             information, the source line.",
            behaviour.text(),
            behaviour.explanation()
        );
        return Some(helped(behaviour.code(), &meaning, behaviour.suggestion()));
    }
    plain().map(|plain| helped(plain.code, plain.meaning, plain.help))
}

/// Every code with a few words, by group.
pub(crate) fn list() -> String {
    let mut text = String::from("Checks of valid modules (reconverge check), with their level\n");
    for code in diagnose::Code::ALL {
        text += &format!("  {:<24} {} ({})\n", code.name(), code.title(), code.level().name());
    }
    text += "\nRules of SPIR-V, with the rules of Vulkan and WGSL that the verifier checks\n";
    for code in verify::Code::ALL {
        text += &format!("  {:<24} {}\n", code.name(), code.rule());
    }
    text += "\nUndefined behaviour (reconverge run)\n";
    for behaviour in reconverge_run::UndefinedBehaviour::ALL {
        text += &format!("  {:<24} {}\n", behaviour.code(), behaviour.text());
    }
    for (title, codes) in &GROUPS {
        text += &format!("\n{title}\n");
        for plain in *codes {
            text += &format!("  {:<24} {}\n", plain.code, plain.meaning);
        }
    }
    text
}

/// The names of all codes, for tools.
pub(crate) fn names() -> Vec<&'static str> {
    let checks = diagnose::Code::ALL.iter().map(|code| code.name());
    let rules = verify::Code::ALL.iter().map(|code| code.name());
    let behaviours = reconverge_run::UndefinedBehaviour::ALL.iter().map(|behaviour| behaviour.code());
    let plain = GROUPS.iter().flat_map(|(_, codes)| codes.iter()).map(|plain| plain.code);
    checks.chain(rules).chain(behaviours).chain(plain).collect()
}

#[cfg(test)]
mod tests {
    use reconverge::ir::binary;
    use reconverge::ir::text::ErrorCode;
    use reconverge::link::Code as LinkCode;
    use reconverge::spirv::{AssemblyCode, ReadCode, WriteCode};
    use reconverge::structurize::text::ErrorCode as GraphCode;

    use super::*;

    /// Codes in the sources of the command and of the library, which no enumeration lists.
    const SOURCES: [&str; 8] = [
        include_str!("findings.rs"),
        include_str!("graph.rs"),
        include_str!("input.rs"),
        include_str!("run/mod.rs"),
        include_str!("run/launch.rs"),
        include_str!("run/outcome.rs"),
        include_str!("../../reconverge/src/error.rs"),
        include_str!("../../run/src/vulkan/error.rs"),
    ];

    #[test]
    fn every_code_is_explained() {
        let read = ReadCode::ALL.iter().map(|code| format!("spirv-{code}"));
        let uniformity = reconverge::shading::UniformityRule::ALL.iter().map(|rule| rule.code().to_owned());
        let source = reconverge::shading::ReadCode::ALL.iter().map(|code| format!("source-{code}"));
        let write = WriteCode::ALL.iter().map(|code| format!("write-{code}"));
        let shading = reconverge::shading::WriteCode::ALL.iter().map(|code| format!("shading-{code}"));
        let assembly = AssemblyCode::ALL.iter().map(ToString::to_string);
        let text = ErrorCode::ALL.iter().map(ToString::to_string);
        let binary = binary::ErrorCode::ALL.iter().map(ToString::to_string);
        let graph = GraphCode::ALL.iter().map(ToString::to_string);
        let prefixes = ["vulkan-", "run-", "kernel-", "structurize-", "graph-json", "write-"];
        let quoted = SOURCES.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        let is_code = |text: &&str| {
            prefixes.iter().any(|prefix| text.starts_with(prefix))
                && text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        };
        let quoted = quoted.filter(is_code).map(str::to_owned);
        let link = LinkCode::ALL.iter().map(ToString::to_string);
        for code in read
            .chain(source)
            .chain(uniformity)
            .chain(link)
            .chain(write)
            .chain(shading)
            .chain(assembly)
            .chain(text)
            .chain(binary)
            .chain(graph)
            .chain(quoted)
        {
            assert!(page(&code).is_some(), "{code} has no page");
        }
    }

    #[test]
    fn no_code_stands_for_two_things() {
        let mut names = names();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
