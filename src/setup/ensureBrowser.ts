/** Finds the browser, installs one where there is none, and notes where it is for the next start. Run by install.mjs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findChromium } from '../browser/launch/findChromium.ts';
import { aptInstall, installBrowser, playwrightInstall } from './installBrowser.ts';

const tell = (line: string): void => void process.stderr.write(`pagespace: ${line}\n`);
const find = (): string | null => findChromium(process.env.CHROMIUM_PATH)?.path ?? null;

try {
  const path = find() ?? (await installBrowser([playwrightInstall, aptInstall], find, tell));
  const note = process.argv[2];
  if (note !== undefined) {
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(note, path);
  }
} catch (error) {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
