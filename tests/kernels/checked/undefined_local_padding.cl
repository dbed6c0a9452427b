// Structs with padding in local memory, written member by member and copied.
// run: --global 4 --local 4 --arg 'out:u8[32]=zero' --arg local=32
struct padded { uchar small; uint large; };
kernel void k(global struct padded *out, local struct padded *tile) {
  uint i = get_local_id(0);
  tile[i].small = i;
  tile[i].large = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[3 - i];
}
