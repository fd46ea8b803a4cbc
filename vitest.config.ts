import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // graphql ships an ESM and a CommonJS build; without this both are loaded, GraphQLError exists twice,
    // and every expected failure is taken for a fault and masked.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/buildOnce.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Browsers are started and ended while a test looks; a second is short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
});
