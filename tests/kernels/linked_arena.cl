// Builds and walks a linked list in an arena; global memory that holds pointers to global memory, and null.
typedef struct Node {
    global struct Node *next;
    uint key, count;
} Node;
kernel void linked_arena(global Node *arena, global const uint *in, global uint *out, uint width)
{
    uint gid = get_global_id(0);
    global Node *free_node = arena + gid * width;
    global Node *head = 0;
    for (uint k = 0; k < width; ++k) {
        uint key = in[gid * width + k];
        global Node *n = head, *before = 0;
        while (n && n->key < key) {
            before = n;
            n = n->next;
        }
        if (n && n->key == key) {
            n->count++;
            continue;
        }
        free_node->key = key;
        free_node->count = 1;
        free_node->next = n;
        if (before)
            before->next = free_node;
        else
            head = free_node;
        ++free_node;
    }
    uint sum = 0, length = 0;
    for (global Node *n = head; n; n = n->next, ++length)
        sum = sum * 33 + n->key * n->count;
    out[gid * 3] = sum;
    out[gid * 3 + 1] = length;
    out[gid * 3 + 2] = (uint)(free_node - arena) - gid * width;
}
