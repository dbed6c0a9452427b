typedef struct { uint tag; struct { uint low, high; } range; uint rest[3]; } record;
uint digest(const record *r) {
    uint sum = r->tag ^ (r->range.low + r->range.high);
    for (uint k = 0; k < 3; k++) sum = sum * 31 + r->rest[k];
    return sum;
}
