constant uint offset = 4000000000u;
// clang writes no variables into a module without a function.
uint first_of_offset(void) { return offset; }
