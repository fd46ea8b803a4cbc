import { buildInjectedScripts, buildWebScripts } from '../../src/setup/build.ts';

/** Vitest's global setup: builds the scripts of `dist` from the sources under test. */
export default async function buildOnce(): Promise<void> {
  await Promise.all([buildInjectedScripts(), buildWebScripts()]);
}
