// A union is written as a whole and read in parts.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
union word { uint whole; uchar parts[4]; };
kernel void k(global uint *out) {
  union word w;
  w.whole = 0x01020304;
  out[get_global_id(0)] = w.parts[get_global_id(0) & 3];
}
