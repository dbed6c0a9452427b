static constant uint table[4] = {9, 8, 7, 6};
uint other(uint at) { return table[at & 3]; }
