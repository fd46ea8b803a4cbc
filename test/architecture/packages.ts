/** Each package with the folders that may use it; `*` for all. Every package must be listed here. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: ['*'],
  kysely: ['store'],
  'node:sqlite': ['store'],
  playwright: ['browser'],
  'playwright-core': ['browser'],
  'ipaddr.js': ['browser/egress', 'api/http'],
  socks: ['browser/egress'],
  'rate-limiter-flexible': ['limiter'],
  viem: ['wallet'],
  mdream: ['browser/scrape'],
  unpdf: ['browser/scrape'],
  dompurify: ['browser/injected/scrape'],
  '@mozilla/readability': ['browser/injected/scrape'],
  graphql: ['api', 'cli', 'setup'],
  'graphql-yoga': ['api/graphql'],
  '@graphql-tools/executor': ['api/graphql'],
  'graphql-ws': ['api/graphql'],
  'graphql-request': ['demo', 'main'],
  '@graphql-typed-document-node/core': ['api', 'cli'],
  '@graphql-yoga/render-graphiql': ['api/pages'],
  '@pothos/core': ['api/graphql'],
  '@pothos/plugin-complexity': ['api/graphql'],
  '@pothos/plugin-dataloader': ['api/graphql'],
  '@pothos/plugin-relay': ['api/graphql'],
  '@pothos/plugin-scope-auth': ['api/graphql'],
  '@pothos/plugin-zod': ['api/graphql'],
  dataloader: ['api/graphql'],
  ws: ['api/graphql'],
  '@modelcontextprotocol/server': ['api/mcp', 'main'],
  jose: ['api/auth'],
  'prom-client': ['api/monitoring'],
  'node:http': ['api', 'browser/egress', 'demo'],
  pino: ['log.ts'],
  'pino-pretty': ['log.ts'],
  'fastest-levenshtein': ['config'],
  'lru-cache': ['*'],
  commander: ['main.ts'],
  picocolors: ['main', 'demo', 'setup'],
  esbuild: ['setup'],
};

/** Packages whose types every folder may use. */
export const TYPES_ANYWHERE: readonly string[] = ['pino'];

/** Folders that must not use Node: the domain is pure, the others run in browsers too. */
export const WITHOUT_NODE: readonly string[] = ['domain', 'browser/injected', 'web', 'client'];
