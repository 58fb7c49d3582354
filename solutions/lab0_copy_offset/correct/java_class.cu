// Style: someone from Java: a class with static methods, final-like constants, camelCase, else branches.
// Right: the class has no state; threads without an element take the path that accesses nothing.
class Hardware {
 public:
  static constexpr int WARP_SIZE = 32;
  static constexpr int SECTOR_BYTES = 32;
  static __device__ int sectorOf(int floatIndex) {
    return (floatIndex * (int)sizeof(float)) / SECTOR_BYTES;
  }
};

class ThreadUtil {
 public:
  static __device__ int getGlobalId() { return blockIdx.x * blockDim.x + threadIdx.x; }
};

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int globalId = ThreadUtil::getGlobalId();
  if (globalId >= n) {
    // nothing to do
  } else {
    int sourceIndex = offset + globalId * stride;
    float temp = in[sourceIndex];
    out[globalId] = temp;
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int caseId = ThreadUtil::getGlobalId();
  bool hasCase = caseId < cases;
  if (hasCase) {
    int currentSector = -1;
    int counter = 0;
    for (int lane = 0; lane < Hardware::WARP_SIZE; lane++) {
      int newSector = Hardware::sectorOf(offset[caseId] + lane * stride[caseId]);
      if (newSector == currentSector) {
        continue;
      }
      currentSector = newSector;
      counter++;
    }
    sectors[caseId] = counter;
  }
}
