constant uint matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
// clang writes no variables into a module without a function.
uint first_of_matrix(void) { return matrix[0][0]; }
