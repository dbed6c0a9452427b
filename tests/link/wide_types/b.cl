ulong mix64(ulong x, ulong y) { return x * 0x9e3779b97f4a7c15ul + y * y * 77; }
