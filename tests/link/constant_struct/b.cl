typedef struct { uint x; uint y; } pair;
constant pair limits[2] = {{100, 500}, {200, 300}};
// clang writes no variables into a module without a function.
uint first_of_limits(void) { return limits[0].x; }
