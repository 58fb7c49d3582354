// Virtual functions on objects that the device constructs in its own memory.
#include <cstdio>
#include <cstdlib>
#include <new>

#define CHECK(x)                                                         \
  do {                                                                   \
    if (cudaError_t e = (x); e != cudaSuccess) {                         \
      fprintf(stderr, "%s in line %d\n", cudaGetErrorName(e), __LINE__); \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

class Shape {
 public:
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual int area() const = 0;
  __host__ __device__ virtual int corners() const { return 4; }
};

class Rectangle : public Shape {
 public:
  __host__ __device__ Rectangle(int width, int height) : width_(width), height_(height) {}
  __host__ __device__ int area() const override { return width_ * height_; }

 protected:
  int width_, height_;
};

class Square final : public Rectangle {
 public:
  __host__ __device__ explicit Square(int side) : Rectangle(side, side) {}
};

class RightTriangle final : public Rectangle {
 public:
  using Rectangle::Rectangle;
  __host__ __device__ int area() const override { return Rectangle::area() / 2; }
  __host__ __device__ int corners() const override { return 3; }
};

union Storage {
  char rectangle[sizeof(Rectangle)];
  char triangle[sizeof(RightTriangle)];
  double alignment;
};

__host__ __device__ Shape* make_shape(int i, void* place) {
  switch (i % 3) {
    case 0:
      return new (place) Rectangle(i, i + 1);
    case 1:
      return new (place) Square(i);
    default:
      return new (place) RightTriangle(i, 4);
  }
}

// A virtual table belongs to one side: the device makes what the device calls.
__global__ void construct(Storage* storage, Shape** shapes, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) shapes[i] = make_shape(i, &storage[i]);
}

__global__ void measure(Shape* const* shapes, int count, int* totals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  atomicAdd(&totals[0], shapes[i]->area());
  atomicAdd(&totals[1], shapes[i]->corners());
}

int main() {
  const int count = 300;
  Storage* storage;
  Shape** shapes;
  int* d_totals;
  CHECK(cudaMalloc(&storage, count * sizeof(Storage)));
  CHECK(cudaMalloc(&shapes, count * sizeof(Shape*)));
  CHECK(cudaMalloc(&d_totals, 2 * sizeof(int)));
  CHECK(cudaMemset(d_totals, 0, 2 * sizeof(int)));

  construct<<<3, 128>>>(storage, shapes, count);
  CHECK(cudaGetLastError());
  measure<<<3, 128>>>(shapes, count, d_totals);
  CHECK(cudaGetLastError());

  int totals[2];
  CHECK(cudaMemcpy(totals, d_totals, sizeof totals, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(storage));
  CHECK(cudaFree(shapes));
  CHECK(cudaFree(d_totals));

  int area = 0, corners = 0;
  for (int i = 0; i < count; ++i) {
    Storage place;
    Shape* shape = make_shape(i, &place);
    area += shape->area();
    corners += shape->corners();
    shape->~Shape();
  }
  printf("shapes: %d, area: %d, corners: %d\n", count, totals[0], totals[1]);
  bool ok = totals[0] == area && totals[1] == corners;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// shapes: 300, area: 5985050, corners: 1100
// PASS
