/** Finds the browser; the npm package installs one if there is none. */
import { type FoundChromium, findChromium } from '../browser/launch/findChromium.ts';

/**
 * Finds the browser to use. In the npm package it installs one if there is none; in a clone, `npm start` has done that before.
 * @returns null when there is none
 * @throws Error when CHROMIUM_PATH is wrong; NoBrowserError when no browser can be installed
 */
export async function findOrInstallChromium(chromiumPath: string | null): Promise<FoundChromium | null> {
  const find = () => findChromium(chromiumPath);
  const found = find();
  if (found !== null || import.meta.url.endsWith('.ts')) return found;
  const { aptInstall, installBrowser, playwrightInstall } = await import('../setup/installBrowser.ts');
  const report = (line: string): void => void process.stderr.write(`pagespace: ${line}\n`);
  await installBrowser([playwrightInstall, aptInstall], () => find()?.path ?? null, report);
  return find();
}
