# The service with its browser in one image. Nothing in it is written to but /data and /tmp:
#   docker build -t pagespace .
#   docker run --read-only --tmpfs /tmp -v pagespace:/data -p 127.0.0.1:4000:4000 pagespace
# The first start prints an API key. More keys: docker exec <container> pagespace keys create

FROM debian:bookworm-slim AS build
# Debian's Node only runs npm and install.mjs: the runtime itself, Node 24, comes through the lockfile.
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends nodejs npm ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
COPY src/setup/install.mjs ./src/setup/
RUN npm_config_omit=dev node src/setup/install.mjs --cli
COPY src ./src
RUN node_modules/.bin/node src/setup/build.ts

FROM debian:bookworm-slim
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-liberation fonts-noto-color-emoji ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home pagespace \
  && install -d -o pagespace -m 0700 /data \
  && printf '#!/bin/sh\nexec /app/node_modules/.bin/node /app/src/main.ts "$@"\n' > /usr/local/bin/pagespace \
  && chmod 0755 /usr/local/bin/pagespace
COPY --from=build /app /app
WORKDIR /app
USER pagespace
# Docker's default seccomp profile forbids the user namespaces that Chromium's sandbox is made of: here the container is
# the boundary. With a profile that allows them (--security-opt seccomp=…), set PAGESPACE_CHROMIUM_SANDBOX=on.
ENV HOST=0.0.0.0 \
  PORT=4000 \
  HOME=/tmp \
  CHROMIUM_PATH=/usr/bin/chromium-headless-shell \
  PAGESPACE_DATA_DIR=/data \
  PAGESPACE_CHROMIUM_SANDBOX=off
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "pagespace"]
CMD ["serve"]
