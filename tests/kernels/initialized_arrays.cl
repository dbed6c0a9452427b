// Private arrays, structs, unions and texts with initial values that the kernel then changes; compound literals, partial initializers.
typedef struct {
    ushort id;
    int weights[3];
    char label[6];
} Item;
typedef union {
    uint word;
    uchar bytes[4];
} Parts;
kernel void initialized_arrays(global const uint *in, global uint *out)
{
    uint gid = get_global_id(0), x = in[gid];
    uint powers[10] = {1, 3, 9, 27, 81, 243, 729, 2187};
    Item items[3] = {{7, {1, -2, 3}, "wood"}, {.label = "iron", .id = 65000}, {9, {x & 7, 5}}};
    char text[] = "reconverge";
    Parts parts[2] = {{0x01020304}, {.word = gid}};
    float4 corners[2] = {(float4)(1.0f, 2.0f, 3.0f, 4.0f), (float4)(0.5f)};
    powers[x % 10] += x & 255;
    items[x & 1].weights[x % 3] -= 40;
    items[(x >> 4) % 3].label[(x >> 6) & 3] = 'z';
    text[x % 10] ^= 0x20;
    parts[(x >> 3) & 1].bytes[x & 3] += 9;
    corners[x & 1].y *= 4.0f;
    uint sum = 0;
    for (uint k = 0; k < 10; ++k)
        sum = sum * 7 + powers[k] + (uint)text[k];
    for (uint k = 0; k < 3; ++k) {
        const Item *i = &items[k];
        for (uint j = 0; j < 6; ++j)
            sum = sum * 5 + (uint)i->label[j] + (uint)i->weights[j % 3] + i->id;
    }
    items[2] = (Item){1, {2, 3, 4}, "x"};
    sum += (uint)items[2].weights[x % 3] * 1000 + parts[0].word + parts[1].word * 3;
    out[gid] = sum + (uint)(corners[0].y + corners[1].y * 16.0f);
}
