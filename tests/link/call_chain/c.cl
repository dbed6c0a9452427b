uint three(uint x);
uint two(uint x) { return three(x * 7) + x; }
