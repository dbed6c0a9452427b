// Finds a key, with gotos. The loop has two entries, `test` and `step`: no loop of a structured language fits it.
kernel void search(global uint *answer, global const uint *data, uint key, uint count)
{
    size_t item = get_global_id(0);
    uint i = (uint)item;
    uint result = 0xffffffff;
    if (item & 1)
        goto step;
test:
    if (data[i] == key)
        goto found;
step:
    i = i + 1;
    if (i < count)
        goto test;
    goto done;
found:
    result = i;
done:
    answer[item] = result;
}
