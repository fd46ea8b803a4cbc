import { buildInjectedScripts, buildWebScripts } from '../../src/setup/build.ts';
import { preparePostgres } from './startPostgres.ts';

/** Vitest's global setup: builds the scripts of `dist` from the sources under test. @returns the tear-down */
export default async function buildOnce(): Promise<() => void> {
  const stopPostgres = preparePostgres();
  await Promise.all([buildInjectedScripts(), buildWebScripts()]);
  return stopPostgres;
}
