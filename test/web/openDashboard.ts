/** The dashboard in a page of its own, signed in, and what went wrong in it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright';
import { sharedChromium } from '../support/sharedChromium.ts';

/** A page of the dashboard. */
export interface Dashboard extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the console, exceptions, and requests to other hosts. */
  readonly errors: string[];
  /** Opens a path of the service. */
  go(path: string): Promise<void>;
}

/** Opens a tab. @param key the key of the visit; null to be signed out */
export async function openDashboard(
  url: string,
  key: string | null,
  options: BrowserContextOptions = {},
): Promise<Dashboard> {
  const context = await (await sharedChromium()).newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Most of what moves needs a new picture sixty times a second.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(30_000);
  const errors: string[] = [];
  context.on('request', request => {
    const requested = request.url();
    if (!requested.startsWith(url) && !requested.startsWith('blob:'))
      errors.push(`requested ${requested.slice(0, 200)}`);
  });
  if (key !== null)
    await context.addInitScript(text => {
      // Once for the tab: signing out must last.
      if (sessionStorage.getItem('test.began') === null) sessionStorage.setItem('pagespace.key', text);
      sessionStorage.setItem('test.began', 'yes');
    }, key);
  const page = await context.newPage();
  page.on('pageerror', error => errors.push(`threw ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  return {
    page,
    errors,
    go: async path => {
      await page.goto(url + path);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe whose finding depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns what axe finds in the page by all rules in the light theme, and by the rules on colours in the dark one. */
export async function axeFindingsInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await axeFindings(page, { runOnly: COLOUR_RULES }))];
}

/** Returns what axe finds in the page as it is: the rule and the first element of each. */
export async function axeFindings(
  page: Page,
  options: { readonly runOnly?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async chosen => {
    const { axe } = window as unknown as {
      readonly axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...chosen });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary?.slice(0, 200)}`,
    );
  }, options);
}
