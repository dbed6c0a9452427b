// Unsupported: prints from a kernel.
kernel void print(global const int *in)
{
    int x = in[get_global_id(0)];
    if (x < 0)
        printf("item %d: %d\n", (int)get_global_id(0), x);
}
