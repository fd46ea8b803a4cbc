import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './test/support/slowFilesFirst.ts';

export default defineConfig({
  resolve: {
    // graphql ships an ESM and a CommonJS build. Without this alias both are loaded, GraphQLError exists twice,
    // and expected failures are masked as internal errors.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/buildOnce.ts'],
    // A worker imports the product once, not once per file. A test that changes global state restores it.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    // The tests wait for browsers, timeouts and other processes about half of the time: two workers keep a processor busy for 94 %
    // of the run, and three made it 6 % longer. More than 16 workers would end no sooner.
    maxWorkers: Math.min(availableParallelism() * 2, 16),
    // The workers and the browsers keep all processors busy: threads of a worker that collect garbage beside it take 7 % more
    // processor time, and gain nothing.
    execArgv: ['--single-threaded-gc'],
    // No test needs more than 15 s on a quiet machine. A busy one must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that never comes fails the test late; a busy machine, on which it comes late, fails none.
    expect: { poll: { timeout: 60_000 } },
  },
});
