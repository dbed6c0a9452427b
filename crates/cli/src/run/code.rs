//! Codes of what happens to a launch, apart from those of the engines.

reconverge_diagnostic::codes! {
    /// Codes of runs.
    pub(crate) enum RunCode in "Running" {
        Mismatch = "run-mismatch" Rejected
            "An output is not as expected."
            "compare the kernel with the expected values from that element on; --checked reports undefined behaviour";
        Race = "run-race" Rejected
            "Two work-items access the same byte without a barrier, and one of them writes."
            "put a barrier between the accesses, or make them atomic; --races ignore disables this check";
        Limit = "run-limit" Limit
            "The device ends loops after a number of iterations without an error, so the result is wrong (exit code 4)."
            "run the kernel on another device";
        Fuel = "run-fuel" Limit
            "A work-item executed more instructions than its limit."
            "raise --fuel, or find the infinite loop";
        Depth = "run-depth" Limit
            "The call stack of a work-item is too deep."
            "find the infinite recursion";
        Unsupported = "run-unsupported" Unsupported
            "The interpreter does not support the instruction."
            "--on vulkan may run the kernel";
        Malformed = "run-malformed" Rejected
            "An instruction has operands of the wrong type."
            "`reconverge check` names the broken rule";
        Ended = "run-ended" Rejected
            "A work-item ended at an instruction such as OpKill, before the end of the kernel."
            "remove the instruction that the message names: a kernel ends by returning";
        Lost = "run-printf" Warning
            "A warning: the buffer of printf is full, so the text of some calls is lost. These calls return -1."
            "--printf-buffer BYTES makes the buffer larger";
    }
}

reconverge_diagnostic::codes! {
    /// Codes of launches.
    pub(crate) enum LaunchCode in "Running" {
        FileSize = "run-file-size" Note
            "A note: a file of bytes is not as large as the buffer that it fills. A buffer that is larger ends in zeros; what is too much of a file is not used."
            "TYPE[]=@FILE makes the buffer as large as its file; a file .npy is compared with its buffer";
    }
}
