// Padding in an array of structs in a struct.
// run: --global 2 --local 2 --arg 'out:u8[64]=zero'
struct padded { uchar small; ulong large; };
struct outer { struct padded parts[2]; };
kernel void k(global struct outer *out) {
  struct outer o;
  for (uint i = 0; i < 2; ++i) { o.parts[i].small = i; o.parts[i].large = i; }
  struct outer copy = o;
  out[get_global_id(0)] = copy;
}
