/** Finds or installs the browser and writes its path to a file for the next start. install.mjs runs this. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findChromium } from '../browser/launch/findChromium.ts';
import { aptInstall, installBrowser, playwrightInstall } from './installBrowser.ts';

const report = (line: string): void => void process.stderr.write(`pagespace: ${line}\n`);
const find = (): string | null => findChromium(process.env.CHROMIUM_PATH)?.path ?? null;

try {
  const path = find() ?? (await installBrowser([playwrightInstall, aptInstall], find, report));
  const pathFile = process.argv[2];
  if (pathFile !== undefined) {
    mkdirSync(dirname(pathFile), { recursive: true });
    writeFileSync(pathFile, path);
  }
} catch (error) {
  report(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
