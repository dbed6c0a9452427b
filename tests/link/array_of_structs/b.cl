typedef struct { uint x; uint y; } pair;
uint weight(global const pair *p);
uint best(global const pair *all, uint count) {
    uint most = 0;
    for (uint k = 0; k < count; k++) most = max(most, weight(all + k));
    return most;
}
