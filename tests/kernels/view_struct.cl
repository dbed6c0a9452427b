// Blurs a picture through views; structs that hold global pointers, passed by value and by pointer.
typedef struct {
    global uint *data;
    uint width, height, stride;
} View;
typedef struct {
    View from, to;
    uint weight;
} Job;
static View part(View v, uint x, uint y, uint w, uint h)
{
    View r = {v.data + y * v.stride + x, w, h, v.stride};
    return r;
}
__attribute__((noinline)) static uint at(const View *v, int x, int y)
{
    x = clamp(x, 0, (int)v->width - 1);
    y = clamp(y, 0, (int)v->height - 1);
    return v->data[y * (int)v->stride + x];
}
__attribute__((noinline)) static void blur(const Job *job, uint x, uint y)
{
    uint sum = at(&job->from, x, y) * job->weight;
    for (int d = -1; d <= 1; d += 2)
        sum += at(&job->from, x + d, y) + at(&job->from, x, y + d);
    job->to.data[y * job->to.stride + x] = sum;
}
kernel void view_struct(global uint *picture, global uint *result, uint width, uint height)
{
    View whole = {picture, width, height, width}, target = {result, width, height, width};
    uint tile = get_group_id(0);
    Job job;
    job.from = part(whole, (tile & 1) * 8, (tile >> 1) * 4, 8, 4);
    job.to = part(target, (tile & 1) * 8, (tile >> 1) * 4, 8, 4);
    job.weight = 4 + tile;
    blur(&job, get_local_id(0) % 8, get_local_id(0) / 8);
}
