import { type Browser, chromium } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';

/** The path of the browser that tests drive. @throws Error when there is none */
export function testChromium(): string {
  const found = findChromium(process.env.CHROMIUM_PATH);
  if (found === null) throw new Error('No Chromium was found; run npm test, which installs one');
  return found.path;
}

/** Starts a browser for the test, beside those of the service. The caller closes it. @param args more switches */
export const launchTestChromium = (args: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: testChromium(), chromiumSandbox: false, args });
