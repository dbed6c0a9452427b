float half_of(float x);
float mix_of(float a, float b) { return a * 4.0f + half_of(b) * 8.0f; }
