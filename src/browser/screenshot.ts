/** A picture of a tab. */
import type { ScreenshotOptions } from '../domain/page.ts';
import type { Deadline } from '../domain/ports.ts';
import type { Tab } from './tab.ts';

/** Chromium draws no picture that is larger, each way: the bound of its textures. */
const MOST_PIXELS = 16_384;

/** @returns base64. A page higher than 16,384 pixels is cut there. */
export async function screenshot(tab: Tab, options: ScreenshotOptions, deadline: Deadline): Promise<string> {
  const { channel } = tab.target;
  const look =
    options.format === 'png'
      ? ({ format: 'png', optimizeForSpeed: true } as const)
      : ({ format: 'jpeg', quality: options.quality } as const);
  if (!options.fullPage) return (await channel.send('Page.captureScreenshot', look, deadline)).data;
  const { cssContentSize } = await channel.send('Page.getLayoutMetrics', undefined, deadline);
  const width = Math.min(MOST_PIXELS, Math.ceil(cssContentSize.width));
  const height = Math.min(MOST_PIXELS, Math.ceil(cssContentSize.height));
  const clip = { x: 0, y: 0, width, height, scale: 1 };
  const shot = await channel.send(
    'Page.captureScreenshot',
    { ...look, captureBeyondViewport: true, clip },
    deadline,
  );
  return shot.data;
}
