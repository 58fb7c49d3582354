// Blocks that do nothing for a known number of cycles: what a launch takes beyond what its blocks do (profiles/h200.toml, launch_seconds).
//   bash spin.sh LABKIT > spin.txt
__global__ void spin(int* out, int cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (cycles < 0) out[threadIdx.x] = 1;
}
