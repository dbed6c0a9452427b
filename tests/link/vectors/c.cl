uint fold(uint4 v) { return v.x + v.y * 3 + v.z * 5 + v.w * 7; }
