// Updates records of 15 bytes each; unaligned members of a packed struct in global and private memory.
typedef struct __attribute__((packed)) {
    uchar tag;
    uint value;
    ushort length;
    ulong stamp;
} Record;
static uint weigh(const Record *r)
{
    return r->tag * 3 + r->value + r->length * 7 + (uint)(r->stamp >> 32) + (uint)r->stamp;
}
kernel void packed_records(global Record *records, global uint *weights)
{
    uint gid = get_global_id(0);
    global Record *r = records + gid;
    Record copy = *r;
    weights[gid] = weigh(&copy);
    r->value = copy.value * 2 + copy.tag;
    r->stamp = copy.stamp ^ ((ulong)copy.value << 17);
    if (copy.tag & 1) {
        r->length = (ushort)(copy.length + sizeof(Record));
    } else {
        copy.tag += 100;
        copy.length = (ushort)gid;
        *r = copy;
    }
}
