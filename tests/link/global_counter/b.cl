constant uint seed = 99;
uint next(uint x) { return x * seed; }
