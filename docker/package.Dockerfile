# The grader as an image, of the teachers' package and what of Debian 12's clang compiles kernels. Nothing is built.
#
#     cmake --build --preset package
#     docker build -t memory-labs -f docker/package.Dockerfile .
#
# docker/Dockerfile makes the one with NVRTC.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends clang tini xz-utils
WORKDIR /work
COPY build/default/package/cuda-memory-labs-[0-9]*.tar.xz ./
RUN tar -xf cuda-memory-labs-[0-9]*.tar.xz && rm *.tar.xz && mv cuda-memory-labs-* kit
COPY docker/stage_runtime docker/
RUN docker/stage_runtime package /runtime kit

FROM ${BASE}
LABEL org.opencontainers.image.title="CUDA memory labs" \
      org.opencontainers.image.description="Grades CUDA memory labs without a GPU, with clang" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /runtime/ /
ENV LABKIT_COMMAND="docker run ... memory-labs" \
    PATH=/opt/memory-labs/bin:/usr/local/bin:/usr/bin:/bin \
    LABKIT_CACHE=/tmp/labkit-cache
USER 10001:10001
VOLUME /tmp
WORKDIR /tmp
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/memory-labs/bin/labkit"]
CMD ["--help"]
