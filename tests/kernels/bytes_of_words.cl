// Reverses the bytes of each word and sums its halves; the same memory is seen as char, short and int (pointer casts).
static void reverse(global uchar *first, uint count)
{
    global uchar *last = first + count - 1;
    while (first < last) {
        uchar t = *first;
        *first++ = *last;
        *last-- = t;
    }
}
kernel void bytes_of_words(global uint *words, global uchar *sums, global const short *signed_halves, uint count)
{
    uint gid = get_global_id(0);
    if (gid >= count)
        return;
    reverse((global uchar *)(words + gid), 4);
    global const ushort *halves = (global const ushort *)words + 2 * gid;
    global const char *bytes = (global const char *)words;
    uint sum = halves[0] + halves[1];
    int signed_sum = signed_halves[gid] + bytes[4 * gid + 3] - bytes[4 * gid];
    *((global ushort *)(sums + 4 * gid)) = (ushort)sum;
    *((global ushort *)sums + 2 * gid + 1) = (ushort)signed_sum;
}
