import { buildInPageScripts, buildWebScripts } from '../../src/setup/build.ts';

/** Tests drive the scripts of pages as they stand in src/. */
export default async function buildOnce(): Promise<void> {
  await Promise.all([buildInPageScripts(), buildWebScripts()]);
}
