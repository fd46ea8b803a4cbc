/** Chromium and a loopback server, for tests of scraping. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from '../../src/browser/launch/findChromium.ts';
import { scrapePage } from '../../src/browser/scrape/scrapePage.ts';
import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { ScrapedData } from '../../src/domain/content/scrapedData.ts';
import type { ScrapeRequest } from '../../src/domain/content/scrapeRequest.ts';
import { mainFrameWorld } from './mainFrameWorld.ts';

/** A response of the loopback server. */
export interface ServedPage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests every part, of the main content. */
export const ALL_PARTS: ScrapeRequest = {
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, true])) as Record<PagePart, true>),
  onlyMainContent: true,
};

/** One browser and one server, for all tests of a file. */
export class ScrapeHarness implements AsyncDisposable {
  readonly browser: Browser;
  readonly #server: Server;
  readonly #pages = new Map<string, ServedPage>();
  /** Opening a tab for each page would take most of the time. */
  readonly #idleTabs: Page[] = [];

  private constructor(browser: Browser, server: Server) {
    this.browser = browser;
    this.#server = server;
    server.on('request', (request, response) => {
      const page = this.#pages.get(request.url ?? '');
      response.writeHead(page === undefined ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        ...page?.headers,
      });
      response.end(page?.body ?? '');
    });
  }

  static async start(): Promise<ScrapeHarness> {
    const found = findChromium(process.env.CHROMIUM_PATH);
    const server = createServer();
    await new Promise<void>(listening => server.listen(0, () => listening()));
    const browser = await chromium.launch({
      ...(found === null ? {} : { executablePath: found.path }),
      chromiumSandbox: false,
    });
    return new ScrapeHarness(browser, server);
  }

  /** The URL of a path. @param host `localhost` and `127.0.0.1` are different sites, so their frames run in different processes */
  address(path: string, host: '127.0.0.1' | 'localhost' = '127.0.0.1'): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Serves HTML at `path` and returns its URL. */
  serve(path: string, markup: string, headers: Readonly<Record<string, string>> = {}): string {
    this.#pages.set(path, { body: markup, headers });
    return this.address(path);
  }

  /** Opens a URL and scrapes it. */
  async scrape(url: string, request: Partial<ScrapeRequest> = {}): Promise<ScrapedData> {
    const page = this.#idleTabs.pop() ?? (await this.browser.newPage());
    await page.goto(url);
    const world = await mainFrameWorld(page);
    const data = await scrapePage(world, { ...ALL_PARTS, ...request }, new AbortController().signal);
    this.#idleTabs.push(page);
    return data;
  }

  /** Scrapes a page with this HTML. */
  async scrapeMarkup(markup: string, request: Partial<ScrapeRequest> = {}): Promise<ScrapedData> {
    return this.scrape(this.serve('/dir/page.html', markup), request);
  }

  async open(url: string): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(url);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    this.#server.closeAllConnections();
    await new Promise(closed => this.#server.close(closed));
  }
}
