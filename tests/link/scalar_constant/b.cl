constant uint scale = 17;
// clang writes no variables into a module without a function.
uint first_of_scale(void) { return scale; }
