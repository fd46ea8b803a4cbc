/** Chromium and a loopback server, for tests of scraping. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright';
import type { IsolatedWorld } from '../../src/browser/cdp/isolatedWorld.ts';
import { scrapePage } from '../../src/browser/scrape/scrapePage.ts';
import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { ScrapedData, ScrapeRequest } from '../../src/domain/content/scrape.ts';
import { mainFrameWorld } from './mainFrameWorld.ts';
import { sharedChromium } from './sharedChromium.ts';

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

/** A context in the worker's browser and one server, for all tests of a file. */
export class ScrapeHarness implements AsyncDisposable {
  readonly context: BrowserContext;
  readonly #server: Server;
  readonly #pages = new Map<string, ServedPage>();
  /** Opening a tab for each page would take most of the time. */
  readonly #idleTabs: Page[] = [];

  private constructor(context: BrowserContext, server: Server) {
    this.context = context;
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
    const server = createServer();
    await new Promise<void>(listening => server.listen(0, () => listening()));
    return new ScrapeHarness(await (await sharedChromium()).newContext(), server);
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

  /** Opens a URL and reads it. The tab is used again. */
  async visit<T>(url: string, read: (world: IsolatedWorld, page: Page) => Promise<T>): Promise<T> {
    const page = this.#idleTabs.pop() ?? (await this.context.newPage());
    await page.goto(url);
    // Each session that stays attached makes the next navigations of the tab slower.
    const session = await this.context.newCDPSession(page);
    const result = await read(await mainFrameWorld(page, session), page);
    await session.detach();
    this.#idleTabs.push(page);
    return result;
  }

  /** Opens a URL and scrapes it. */
  async scrape(url: string, request: Partial<ScrapeRequest> = {}): Promise<ScrapedData> {
    return this.visit(url, world => scrapePage(world, { ...ALL_PARTS, ...request }));
  }

  /** Scrapes a page with this HTML. */
  async scrapeMarkup(markup: string, request: Partial<ScrapeRequest> = {}): Promise<ScrapedData> {
    return this.scrape(this.serve('/dir/page.html', markup), request);
  }

  /** Scrapes each of these parts of one page: opening a page for each would take most of the time. */
  async scrapeParts(markups: readonly string[]): Promise<ScrapedData[]> {
    const page = markups.map((markup, at) => `<main id=part${at}>${markup}</main>`).join('\n');
    return this.visit(this.serve('/dir/parts.html', page), async world => {
      const found: ScrapedData[] = [];
      for (const at of markups.keys())
        found.push(await scrapePage(world, { ...ALL_PARTS, include: [`#part${at}`] }));
      return found;
    });
  }

  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
    this.#server.closeAllConnections();
    await new Promise(closed => this.#server.close(closed));
  }
}
