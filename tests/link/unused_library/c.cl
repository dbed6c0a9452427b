uint never(uint x) { return x / 3; }
uint not_there(uint x) { return never(x) + 2; }
