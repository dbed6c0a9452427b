typedef struct { uint tag; struct { uint low, high; } range; uint rest[3]; } record;
void fill(record *r, uint seed) {
    r->tag = seed;
    r->range.low = seed / 3;
    r->range.high = seed * 2;
    for (uint k = 0; k < 3; k++) r->rest[k] = seed + k * k;
}
