constant uint squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
// clang writes no variables into a module without a function.
uint first_of_squares(void) { return squares[1]; }
