/** The contract of every BrowserHost, with real and with fake browsers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_PARTS, type PagePart } from '../../src/domain/content/contentParts.ts';
import type { ScrapeRequest } from '../../src/domain/content/scrape.ts';
import { Failure } from '../../src/domain/failure/failures.ts';
import type { BrowserHost, BrowserLease, LeaseListener } from '../../src/domain/ports/browserHost.ts';
import type { Deadline } from '../../src/domain/ports/clock.ts';
import { type ServedPages, servePages } from '../support/servePages.ts';

export interface HostOptions {
  readonly capacity: number;
  readonly maxWaiting: number;
  readonly waitTimeoutMs: number;
}

const PAGES = {
  '/': '<title>First</title><h1>Hello reader</h1><a href="/second">On</a><button>Save</button><input aria-label="Name">',
  '/second': '<title>Second</title><p>The end</p>',
};
const ALL = { max: 100, min: null };
const NOTHING: ScrapeRequest = {
  ...(Object.fromEntries(PAGE_PARTS.map(part => [part, false])) as Record<PagePart, false>),
  onlyMainContent: false,
};
const FRAMES = { maxWidth: 640, quality: 50 };

const deadline = (signal = new AbortController().signal): Deadline => ({ signal, remainingMs: () => 20_000 });
const fails = (code: string) => expect.objectContaining({ code });

/** Runs the contract over a host. @param start starts a host that may access loopback */
export function describeBrowserHostContract(
  name: string,
  start: (options: HostOptions) => Promise<BrowserHost>,
): void {
  describe(`BrowserHost on ${name}`, () => {
    let pages: ServedPages;
    let host: BrowserHost;
    let calls: string[];
    let leases: BrowserLease[];
    const startHost = () => start({ capacity: 2, maxWaiting: 1, waitTimeoutMs: 10_000 });
    beforeAll(async () => {
      host = await startHost();
    });
    afterAll(() => host.close());
    beforeEach(async () => {
      pages = await servePages(PAGES);
      calls = [];
      leases = [];
    });
    afterEach(async () => {
      for (const lease of leases) await lease.close();
      await pages[Symbol.asyncDispose]();
    });

    const open = async (signal = new AbortController().signal, from = host): Promise<BrowserLease> => {
      const listener: LeaseListener = {
        onLost: () => calls.push('lost'),
        onLimitExceeded: () => calls.push('limit exceeded'),
        onEvent: () => {},
        onDialog: () => {},
        onConsole: () => {},
        onRequest: () => {},
      };
      const options = { sessionId: crypto.randomUUID(), accountId: 'a', proxy: null };
      const lease = await from.open(options, listener, signal);
      leases.push(lease);
      return lease;
    };
    const step = (lease: BrowserLease, actionId: string, value: string | null = null) =>
      lease.step({ actionId, value, enter: false, params: {} }, deadline());

    describe('open()', () => {
      it('returns a blank lease with one tab', async () => {
        const lease = await open();
        expect(lease.isBlank).toBe(true);
        expect(lease.tabs()).toMatchObject([{ id: 'T1', url: 'about:blank', active: true }]);
        expect([host.sessionCount, host.hasCapacity]).toEqual([1, true]);
      });

      it('rejects with AT_CAPACITY when all slots and queue positions are in use', async () => {
        const held = [await open(), await open()];
        expect(host.hasCapacity).toBe(false);
        const waiting = open();
        await expect(open()).rejects.toMatchObject({
          code: 'AT_CAPACITY',
          context: { retryAfterSeconds: 10 },
        });
        await held[0]?.close();
        expect((await waiting).isBlank).toBe(true);
        expect(host.sessionCount).toBe(2);
      });

      it('rejects with the reason of the signal when the caller disconnects while it waits', async () => {
        const held = [await open(), await open()];
        const caller = new AbortController();
        const waiting = open(caller.signal);
        caller.abort(new Error('gone'));
        await expect(waiting).rejects.toThrow('gone');
        for (const lease of held) await lease.close();
        expect(host.sessionCount).toBe(0);
      });

      it('rejects with SHUTTING_DOWN after close(), and so do waiting callers', async () => {
        const closing = await startHost();
        const { signal } = new AbortController();
        await open(signal, closing);
        await open(signal, closing);
        const waiting = expect(open(signal, closing)).rejects.toEqual(fails('SHUTTING_DOWN'));
        await closing.close();
        await waiting;
        await expect(open(signal, closing)).rejects.toEqual(fails('SHUTTING_DOWN'));
        expect(closing.hasCapacity).toBe(false);
      });
    });

    describe('close() of a lease', () => {
      it('frees the slot once, and does not call the listener', async () => {
        const lease = await open();
        await lease.close();
        await lease.close();
        expect([host.sessionCount, lease.tabs(), calls]).toEqual([0, [], []]);
      });
    });

    describe('goto() and observe()', () => {
      it('return the page with its links, buttons and text fields', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        expect(lease.isBlank).toBe(false);
        const { metadata, space } = await lease.observe(ALL, deadline());
        expect(metadata).toMatchObject({ url: `${pages.url}/`, title: 'First', httpStatus: 200 });
        expect(metadata.tabs).toEqual(lease.tabs());
        expect(space.actions.map(({ kind, role, name }) => [kind, role, name])).toEqual(
          expect.arrayContaining([
            ['link', 'link', 'On'],
            ['button', 'button', 'Save'],
            ['input', 'textbox', 'Name'],
          ]),
        );
        expect(space).toMatchObject({ totalActions: 3, truncated: false, dialog: null });
        expect(space.specialActions.map(({ id }) => id)).toEqual([
          'S1',
          'S2',
          'S3',
          'S4',
          'S5',
          'S6',
          'S7',
          'S8',
        ]);
      });

      it('observe() applies the limits', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        const { space } = await lease.observe({ max: 1, min: null }, deadline());
        expect(space.actions).toHaveLength(1);
        expect(space).toMatchObject({ totalActions: 3, truncated: true });
      });

      it('load the page of an error status', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/missing`, deadline());
        expect((await lease.observe(ALL, deadline())).metadata).toMatchObject({
          title: 'Not found',
          httpStatus: 404,
        });
      });

      it('reject with URL_BLOCKED for other schemes and for private addresses', async () => {
        const lease = await open();
        for (const url of ['file:///etc/passwd', 'http://192.168.0.1/'])
          await expect(lease.goto(url, deadline())).rejects.toEqual(fails('URL_BLOCKED'));
      });

      it('reject with NAVIGATION_FAILED when the site refuses the connection', async () => {
        const lease = await open();
        const { url } = pages;
        await pages[Symbol.asyncDispose]();
        await expect(lease.goto(url, deadline())).rejects.toEqual(fails('NAVIGATION_FAILED'));
        pages = await servePages(PAGES);
      });

      it('reject with the reason of a deadline that has passed', async () => {
        const lease = await open();
        const late = deadline(AbortSignal.abort(new Failure('OPERATION_TIMEOUT', 'Too late.')));
        await expect(lease.goto(`${pages.url}/`, late)).rejects.toEqual(fails('OPERATION_TIMEOUT'));
        await expect(lease.observe(ALL, late)).rejects.toEqual(fails('OPERATION_TIMEOUT'));
      });
    });

    describe('step()', () => {
      it('follows a link, and S1 loads an address', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        await lease.observe(ALL, deadline());
        await step(lease, 'L1');
        expect(lease.tabs()).toMatchObject([{ url: `${pages.url}/second` }]);
        await step(lease, 'S1', `${pages.url}/`);
        expect(lease.tabs()).toMatchObject([{ url: `${pages.url}/` }]);
      });

      it('types into a text field', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        await lease.observe(ALL, deadline());
        await step(lease, 'I1', 'Ada');
        const { space } = await lease.observe(ALL, deadline());
        expect(space.actions.find(({ id }) => id === 'I1')?.value).toBe('Ada');
      });

      it('reports what S2, S3 and S8 request', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        expect(await step(lease, 'S2')).toMatchObject({ scrape: true, screenshot: false, terminate: false });
        expect(await step(lease, 'S3')).toMatchObject({ scrape: false, screenshot: true, terminate: false });
        expect(await step(lease, 'S8')).toMatchObject({ scrape: false, screenshot: false, terminate: true });
      });

      it('rejects with NOT_OBSERVED, ACTION_NOT_FOUND and ACTION_STALE', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        await expect(step(lease, 'L1')).rejects.toEqual(fails('NOT_OBSERVED'));
        await lease.observe(ALL, deadline());
        await expect(step(lease, 'L99')).rejects.toEqual(fails('ACTION_NOT_FOUND'));
        await lease.goto(`${pages.url}/second`, deadline());
        await expect(step(lease, 'L1')).rejects.toMatchObject({
          code: 'ACTION_STALE',
          context: { space: { totalActions: 0 } },
        });
      });
    });

    describe('scrape() and screenshot()', () => {
      it('scrape() returns the requested parts only', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        const data = await lease.scrape({ ...NOTHING, text: true, links: true }, deadline());
        expect(data.text).toContain('Hello reader');
        expect(data).toMatchObject({
          links: [{ url: `${pages.url}/second`, text: 'On' }],
          mainContent: null,
          markdown: null,
          images: null,
          structured: null,
          metadata: null,
        });
      });

      it('screenshot() returns a PNG', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        const image = Buffer.from((await lease.screenshot(deadline()))?.image ?? '', 'base64');
        expect(image.subarray(1, 4).toString()).toBe('PNG');
      });
    });

    describe('frames()', () => {
      it('yields a frame of the active tab, and ends when the lease closes', async () => {
        const lease = await open();
        await lease.goto(`${pages.url}/`, deadline());
        const frames = lease.frames(FRAMES, new AbortController().signal);
        expect((await frames.next()).value).toMatchObject({ tabId: 'T1' });
        await lease.close();
        for await (const _ of frames);
      });

      it('throws RATE_LIMITED for the fifty-first reader', async () => {
        const lease = await open();
        const readers = new AbortController();
        for (let n = 0; n < 50; n++) lease.frames(FRAMES, readers.signal);
        expect(() => lease.frames(FRAMES, readers.signal)).toThrow(fails('RATE_LIMITED'));
        readers.abort();
      });
    });
  });
}
