// Draws cards from a deck that is a struct argument; the kernel writes to its by-value argument, at dynamic places.
typedef struct {
    ushort cards[10];
    uchar left;
    uint state;
} Deck;
static uint draw(Deck *deck)
{
    deck->state = deck->state * 1664525u + 1013904223u;
    uint at = (deck->state >> 16) % deck->left;
    uint card = deck->cards[at];
    deck->cards[at] = deck->cards[--deck->left];
    return card;
}
kernel void argument_written(Deck deck, global uint *out, uint count, ushort4 extra)
{
    uint gid = get_global_id(0), sum = 0;
    deck.state += gid;
    for (uint k = 0; k < count; ++k)
        sum = sum * 11 + draw(&deck);
    count = deck.left;
    extra.z += (ushort)gid;
    out[gid] = sum * 10 + count + ((ushort *)&extra)[gid & 3];
}
