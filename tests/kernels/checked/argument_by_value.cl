// A function changes its copy of a struct.
// run: --global 1 --local 1 --arg 'out:u32[2]=zero'
struct pair { uint first, second; };
__attribute__((noinline)) uint changed(struct pair p) {
  p.first += 1;
  return p.first + p.second;
}
kernel void k(global uint *out) {
  struct pair p;
  p.first = 20;
  p.second = 21;
  out[0] = changed(p);
  out[1] = changed(p);
}
