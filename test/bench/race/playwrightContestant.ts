import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import Turndown from 'turndown';
import type { Contestant } from './contestant.ts';

/** The converter that most programs use. */
const converter = new Turndown().remove(['script', 'style']);
const VIEWPORT = { viewport: { width: 1280, height: 720 } };

/** A script on bare Playwright: AI snapshots, locators, and `content()` with Turndown in the same process. */
export async function playwrightContestant(executablePath: string): Promise<Contestant> {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  return { ...playwrightSession(browser), stop: () => browser.close() };
}

/** A script in a browser that others use too. */
export function playwrightSession(browser: Browser): Contestant {
  let context: BrowserContext | null = null;
  let page: Page | null = null;
  const current = (): Page => {
    if (page === null) throw new Error('The script has not started');
    return page;
  };
  const list = (): Promise<string> => current().ariaSnapshot({ mode: 'ai' });
  const content = async (): Promise<string> => converter.turndown(await current().content());
  const session: Contestant = {
    name: 'bare Playwright',
    async start() {
      context = await browser.newContext(VIEWPORT);
      page = await context.newPage();
    },
    async open(url) {
      await current().goto(url);
      return list();
    },
    list,
    async click(name) {
      await current().getByRole('button', { name, exact: true }).click();
      return list();
    },
    async type(name, text) {
      await current().getByRole('textbox', { name, exact: true }).fill(text);
      return list();
    },
    content,
    async end() {
      await context?.close();
    },
    stop: async () => {},
  };
  // A default answer of pagespace has the list and the content.
  return { ...session, whole: { ...session, content: async () => `${await list()}\n${await content()}` } };
}
