import { type BrowserContext, type BrowserContextOptions, devices } from 'playwright';
import { type Failure, fieldFailure } from '../../domain/failure/failures.ts';
import type { BrowserOptions, ChangeableOptions, StorageState } from '../../domain/session/browserOptions.ts';
import { messageOf } from '../cdp/playwrightInternals.ts';
import { type RequestRules, setRequestRules } from '../cdp/requestRules.ts';

/** Size of a page in CSS pixels: large enough for desktop layouts, small enough for a cheap screenshot. */
const VIEWPORT = { width: 1280, height: 720 } as const;
const LOCALE = 'en-US';

/**
 * Credentials for no origin: Playwright pauses the requests of a context only if it has some, and `setRequestRules` needs them paused. Its
 * `route` would send a header on to other origins after a redirect, and answer CORS preflights in place of the server.
 */
const PAUSING_CREDENTIALS = { origin: 'https://origin.invalid', username: '', password: '' };

/** The choices for a context: those of the caller, and the methods that the policy of the API key leaves. */
export interface ContextChoices extends BrowserOptions {
  readonly methods?: RequestRules['methods'];
  readonly onMethodRefused?: RequestRules['onRefused'];
  readonly hosts?: RequestRules['hosts'];
}

/** Returns true if Playwright must pause the requests of the context. */
export const pausesRequests = ({
  headers = [],
  block = [],
  httpCredentials = [],
  methods = null,
}: ContextChoices): boolean => headers.length + block.length + httpCredentials.length > 0 || methods !== null;

/** @throws Failure VALIDATION_ERROR for a device that Playwright does not have */
export function contextOptions(options: ContextChoices, userAgent: string): BrowserContextOptions {
  const { httpCredentials = [], storageState } = options;
  return {
    viewport: VIEWPORT,
    locale: LOCALE,
    userAgent,
    ...(options.device !== undefined && deviceOptions(options.device)),
    ...(options.viewport !== undefined && { viewport: options.viewport, screen: options.viewport }),
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
    ...(options.locale !== undefined && { locale: options.locale }),
    ...(options.timezone !== undefined && { timezoneId: options.timezone }),
    ...(options.colorScheme !== undefined && { colorScheme: options.colorScheme }),
    ...(options.reducedMotion !== undefined && { reducedMotion: options.reducedMotion }),
    ...(pausesRequests(options) && { httpCredentials: [...httpCredentials, PAUSING_CREDENTIALS] }),
    ...(storageState !== undefined && { storageState: toPlaywright(storageState) }),
  };
}

/** Playwright's types are mutable, and know databases in more detail than the service does. */
const toPlaywright = (state: StorageState) =>
  state as unknown as Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** @throws Failure VALIDATION_ERROR */
export function deviceOptions(name: string): BrowserContextOptions {
  const device = Object.hasOwn(devices, name) ? devices[name] : undefined;
  if (device === undefined)
    throw optionFailure('device', `must be a device of Playwright's table, such as "iPhone 15"`);
  const { defaultBrowserType: _browser, ...options } = device;
  return options;
}

const optionFailure = (path: string, message: string, cause?: unknown): Failure =>
  fieldFailure(path, message, undefined, cause);

/** Gives the context what Playwright sets after its creation, or anew (`replaces`). @throws Failure VALIDATION_ERROR if the browser refuses a cookie */
export async function applyOptions(context: BrowserContext, options: ChangeableOptions): Promise<void> {
  const { viewport, geolocation, permissions, cookies } = options;
  if (geolocation !== undefined) await context.setGeolocation(geolocation);
  if (permissions !== undefined) await context.clearPermissions();
  const granted = [
    ...new Set([...(permissions ?? []), ...(geolocation === undefined ? [] : ['geolocation'])]),
  ];
  if (granted.length > 0) await context.grantPermissions(granted);
  if (viewport !== undefined) await Promise.all(context.pages().map(page => page.setViewportSize(viewport)));
  try {
    if (cookies !== undefined) await context.addCookies(cookies);
  } catch (cause) {
    // The text of Playwright names the fields, and may contain the value.
    throw optionFailure(
      'cookies',
      'were not accepted by the browser: check their domains and prefixes',
      cause,
    );
  }
}

export const requestRulesOf = ({
  headers = [],
  block = [],
  hosts,
  methods = null,
  onMethodRefused,
}: ContextChoices): RequestRules => ({ headers, block, hosts, methods, onRefused: onMethodRefused });

/** Returns the failure of a context that the browser did not create because of the caller's options; other errors unchanged. */
export function contextFailure(error: unknown): unknown {
  const message = messageOf(error);
  if (/timezone/i.test(message)) return optionFailure('timezone', 'is not known to the browser', error);
  if (/storage state|cookie|localStorage|indexedDB/i.test(message))
    return optionFailure(
      'storageState',
      'was not accepted by the browser: check its cookies and databases',
      error,
    );
  return error;
}

/** Returns the function that changes options of a running session. @param options those with which it began */
export function changeable(
  context: BrowserContext,
  options: ContextChoices,
): (changes: ChangeableOptions) => Promise<void> {
  let current = options;
  context.on('page', page => {
    const { viewport } = current;
    // Playwright opens the page with the viewport with which the context began.
    if (viewport !== options.viewport && viewport !== undefined)
      page.setViewportSize(viewport).catch(() => {});
  });
  return async changes => {
    await applyOptions(context, changes);
    const next = { ...current, ...changes };
    await next.hosts?.choose(next.block ?? []);
    // Nothing told of the pages that opened while no request paused.
    for (const page of context.pages()) next.hosts?.opens(page.url());
    setRequestRules(context, requestRulesOf(next));
    if (pausesRequests(next) && !pausesRequests(current))
      await context.setHTTPCredentials(PAUSING_CREDENTIALS);
    current = next;
  };
}
