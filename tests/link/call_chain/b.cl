uint two(uint x);
uint one(uint x) { return two(x + 1) ^ 5; }
