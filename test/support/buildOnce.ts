import type { TestProject } from 'vitest/node';
import { buildInjectedScripts, buildWebScripts } from '../../src/setup/build.ts';
import { prepareProgram } from './bundledProgram.ts';
import { preparePostgres } from './startPostgres.ts';

const buildScripts = () => Promise.all([buildInjectedScripts(), buildWebScripts()]);

/** Vitest's global setup: builds the scripts of `dist` from the sources under test. @returns the tear-down */
export default async function buildOnce(project: TestProject): Promise<() => void> {
  const stopPostgres = preparePostgres();
  const program = prepareProgram();
  // `vitest` without `run` runs the tests again after each change.
  project.onTestsRerun(async () => {
    program.forget();
    await buildScripts();
  });
  await buildScripts();
  return () => {
    program.remove();
    stopPostgres();
  };
}
