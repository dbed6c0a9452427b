// Walks a tree that lives in an array with an explicit stack of frames; a switch resumes each frame; arrays in structs in arrays.
typedef struct {
    ushort node;
    uchar stage;
    int sums[2];
} Frame;
kernel void spill_stack(global const int *values, global int *out, uint count)
{
    Frame frames[8];
    int top = 0, result = 0;
    uint visited = 0;
    frames[0].node = (ushort)(get_global_id(0) % 7);
    frames[0].stage = 0;
    while (top >= 0) {
        Frame *f = &frames[top];
        uint child = f->node * 2 + 1 + (f->stage & 1);
        switch (f->stage) {
        case 0:
        case 1:
            if (f->stage == 1)
                f->sums[0] = result;
            if (child < count && top < 7) {
                f->stage++;
                frames[++top].node = (ushort)child;
                frames[top].stage = 0;
                continue;
            }
            result = 0;
            if (f->stage++ == 0)
                continue;
            // fall through
        default:
            f->sums[1] = result;
            result = values[f->node] + max(f->sums[0], f->sums[1]) * 2 - min(f->sums[0], f->sums[1]);
            ++visited;
            --top;
        }
    }
    out[get_global_id(0) * 2] = result;
    out[get_global_id(0) * 2 + 1] = (int)visited;
}
