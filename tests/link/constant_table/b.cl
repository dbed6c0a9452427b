constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
// clang writes no variables into a module without a function.
uint first_of_table(void) { return table[0]; }
