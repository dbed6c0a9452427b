//! What is wrong with a program that is valid: control flow that its author cannot have meant, or that a target forbids.
