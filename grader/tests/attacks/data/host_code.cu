// Host code that would run if anything of the host ever ran.
extern "C" int system(const char*);
struct Start {
  Start() { system("touch @FOLDER@/ran"); }
} start;
int main() { return system("touch @FOLDER@/ran"); }
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
