/** The scale of the pages of a context, and whether they are those of a mobile device. */
import type { BrowserContext, BrowserContextOptions } from 'playwright';

type Device = Pick<BrowserContextOptions, 'deviceScaleFactor' | 'isMobile'>;

const DEVICES = new WeakMap<BrowserContext, Device>();

/** Keeps the options with which a context was created. */
export const keepDevice = (context: BrowserContext, options: Device): void =>
  void DEVICES.set(context, options);

/** Returns the pixels of a device for each CSS pixel; null for pages without a device. */
export function deviceScaleOf(context: BrowserContext): number | null {
  const { deviceScaleFactor = 1, isMobile = false } = DEVICES.get(context) ?? {};
  return deviceScaleFactor === 1 && !isMobile ? null : deviceScaleFactor;
}
