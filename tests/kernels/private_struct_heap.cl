// Schedules tasks with a binary heap; a private array of structs with dynamic indices and struct swaps.
typedef struct {
    ushort time;
    uchar kind;
    uint load;
} Task;
static void sift_up(Task *heap, int at)
{
    while (at > 0 && heap[(at - 1) / 2].time > heap[at].time) {
        Task t = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = t;
        at = (at - 1) / 2;
    }
}
static Task take(Task *heap, int *count)
{
    Task top = heap[0];
    heap[0] = heap[--*count];
    for (int at = 0;;) {
        int child = 2 * at + 1;
        if (child >= *count)
            break;
        if (child + 1 < *count && heap[child + 1].time < heap[child].time)
            ++child;
        if (heap[at].time <= heap[child].time)
            break;
        Task t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
        at = child;
    }
    return top;
}
kernel void private_struct_heap(global const uint *in, global uint *out)
{
    Task heap[16];
    int count = 0;
    uint gid = get_global_id(0), hash = 0;
    for (uint k = 0; k < 12; ++k) {
        uint x = in[gid * 12 + k];
        Task t = {(ushort)(x % 500 * 16 + k), (uchar)(x >> 24), x % 7};
        heap[count] = t;
        sift_up(heap, count++);
        if (t.kind & 1)
            hash = hash * 31 + take(heap, &count).load;
    }
    while (count > 0) {
        Task t = take(heap, &count);
        hash = hash * 31 + t.time + t.load;
        if (t.load > 4 && count < 15) {
            t.time += 999;
            t.load -= 3;
            heap[count] = t;
            sift_up(heap, count++);
        }
    }
    out[gid] = hash;
}
