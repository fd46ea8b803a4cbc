# The service and its browser in one image. The service writes only to /data and /tmp. docs/container.md explains how to run it:
#   docker build -t pagespace .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v pagespace:/data -p 127.0.0.1:4000:4000 pagespace
# The first start prints an API key. More keys: docker exec <container> pagespace keys create

# A tag, not a digest: each build takes the newest Chromium, and its libraries should be as new. --build-arg BASE=…@sha256:… pins the base.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build
# Debian's Node only runs npm and install.mjs. The lockfile installs the runtime, Node 24.
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends nodejs npm ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
COPY src/setup/install.mjs src/setup/installLock.mjs ./src/setup/
RUN npm_config_omit=dev node src/setup/install.mjs --cli
COPY src ./src
COPY docs/licences.md ./docs/
# Keep the built scripts; remove the build tools and the files that only compilers and debuggers read. Make all files readable,
# whatever the umask of the checkout, because the user of the container owns none of them.
RUN node_modules/.bin/node src/setup/build.ts \
  && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/typescript node_modules/@typescript node_modules/@scarf \
    node_modules/node-*/include node_modules/.bin/esbuild node_modules/.bin/tsc \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && chmod -R a+rX .

FROM ${BASE}
# Mesa's drivers and their compilers (LLVM, Z3) are a third of Chromium's dependencies. Headless Chromium draws WebGL with its own
# SwiftShader and loads none of them.
RUN for unused in dri/* libLLVM* libz3* libgallium*; do echo "path-exclude=/usr/lib/*-linux-gnu/$unused"; done > /etc/dpkg/dpkg.cfg.d/pagespace \
  && echo 'path-exclude=/usr/lib/chromium/libVkLayer_*' >> /etc/dpkg/dpkg.cfg.d/pagespace \
  && apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends chromium-headless-shell bubblewrap fonts-liberation fonts-noto-color-emoji ca-certificates tini \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log \
  && useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin pagespace \
  && install -d -o pagespace -g root -m 0770 /data \
  && printf '#!/bin/sh\nexport PAGESPACE_PROGRAM=pagespace\nexec /app/node_modules/.bin/node /app/src/main.ts "$@"\n' > /usr/local/bin/pagespace \
  && chmod 0755 /usr/local/bin/pagespace
COPY --from=build /app /app
WORKDIR /app
# A number, because Kubernetes' runAsNonRoot does not accept names.
USER 10001
# Docker's default seccomp profile forbids the user namespaces that both sandboxes need, so with plain `docker run` the container is
# the only boundary. compose.yaml turns both on.
ENV HOST=0.0.0.0 \
  PORT=4000 \
  HOME=/tmp \
  CHROMIUM_PATH=/usr/bin/chromium-headless-shell \
  PAGESPACE_DATA_DIR=/data \
  PAGESPACE_CHROMIUM_SANDBOX=off \
  UV_THREADPOOL_SIZE=32
LABEL org.opencontainers.image.title="pagespace" \
  org.opencontainers.image.description="A service that opens web pages in browser sessions, lists the actions on each page, performs them, and returns the content." \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="Apache-2.0"
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "pagespace"]
CMD ["serve"]
