static uint local_step(uint x) { return x * 10; }
uint other(uint x) { return local_step(x) - 1; }
