import fc from 'fast-check';
import type { Frame, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkAddress, documentRefusal, urlBlocked } from '../../../src/browser/egress/checkTarget.ts';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { withDefaultScheme } from '../../../src/domain/defaultScheme.ts';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { type EgressHarness, type ProxiedContext, startEgressHarness } from './egressHarness.ts';

/** URLs with schemes other than http and https. Ids are permanent. `$` is replaced by the site's origin. */
const SCHEMES = [
  { id: 'S-001', url: 'file:///etc/passwd' },
  { id: 'S-002', url: 'FILE:///etc/passwd' },
  { id: 'S-003', url: 'file://localhost/etc/passwd' },
  { id: 'S-004', url: ' file:///etc/passwd' },
  { id: 'S-005', url: 'fi\nle:///etc/passwd' },
  { id: 'S-006', url: 'chrome://version/' },
  { id: 'S-007', url: 'chrome://gpu/' },
  { id: 'S-008', url: 'chrome-untrusted://terminal/' },
  { id: 'S-009', url: 'chrome-extension://aapocclcgogkmnckokdopfmhonfmgoek/x' },
  { id: 'S-010', url: 'devtools://devtools/bundled/inspector.html' },
  { id: 'S-011', url: 'view-source:$/' },
  { id: 'S-012', url: 'view-source:file:///etc/passwd' },
  { id: 'S-013', url: 'data:text/html,<title>in</title>in' },
  { id: 'S-014', url: 'data:text/html;base64,aW4=' },
  { id: 'S-015', url: 'javascript:void(0)' },
  { id: 'S-016', url: 'filesystem:$/temporary/x' },
  { id: 'S-017', url: 'blob:$/2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d' },
  { id: 'S-018', url: 'about:version' },
  { id: 'S-019', url: 'about:srcdoc' },
  { id: 'S-020', url: 'ftp://127.0.0.1/' },
  { id: 'S-021', url: 'ws://127.0.0.1/' },
  { id: 'S-022', url: 'mailto:a@open.test' },
  { id: 'S-023', url: 'isolated-app://x/' },
  { id: 'S-024', url: 'intent://x#Intent;scheme=http;end' },
  { id: 'S-025', url: 'externalfile:x' },
  { id: 'S-026', url: 'cid:x' },
  { id: 'S-028', url: 'chrome://blob-internals/' },
] as const;
const SOON = { timeout: 60_000, interval: 20 };
const ROWS = SCHEMES.map(({ id, url }) => [id, JSON.stringify(url), url] as const);

let harness: EgressHarness;
/** A context with the tab that navigates and another one as a witness. */
interface Tabs {
  readonly proxied: ProxiedContext;
  readonly page: Page;
  readonly witness: Page;
}
/** Tabs that no row uses at the moment: starting their processes for each row would take most of the time. */
const idle: Tabs[] = [];
async function openTabs(): Promise<Tabs> {
  const proxied = await harness.openContext();
  return { proxied, page: await proxied.context.newPage(), witness: await proxied.context.newPage() };
}
beforeAll(async () => {
  harness = await startEgressHarness({
    site: (_request, response, url) => {
      response.setHeader('content-type', 'text/html');
      if (url.pathname === '/settled') response.end('settled');
      else response.end('<title>site</title><body>site');
    },
  });
});
afterAll(async () => {
  for (const { proxied } of idle) await proxied[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

/** Runs in the page: navigates the top-level page in six ways. */
function navigateInEveryWay(url: string): void {
  const link = (target: string) => Object.assign(document.createElement('a'), { href: url, target }).click();
  const form = Object.assign(document.createElement('form'), { action: url });
  document.body.append(form);
  window.open(url);
  link('_blank');
  const blank = window.open('about:blank');
  if (blank !== null) blank.location.href = url;
  for (const go of [() => link(''), () => form.submit(), () => location.assign(url)]) {
    try {
      go();
    } catch {
      // Some schemes throw; the next way follows.
    }
  }
}

describe('A URL with a scheme other than http and https', () => {
  test.each(ROWS)('%s %s is refused by checkAddress', (_id, _text, url) => {
    const { rules } = parseEgressAllow('127.0.0.1');
    const address = url.replace('$', harness.siteOrigin);
    const check = () => checkAddress(address, rules);
    expect(check).toThrowError(/not a web scheme/);
    // As a caller writes it, it is not taken for a host without a scheme either.
    expect(() => checkAddress(withDefaultScheme(address), rules)).toThrowError(
      /not a web scheme|lacks "\/\/"/,
    );
    expect(check).toThrowError(expect.toSatisfy((error: unknown) => isFailure(error, 'URL_BLOCKED')));
  });

  test.concurrent.each(ROWS)('%s %s cannot be opened by a page in any way', async (_id, _text, url) => {
    const tabs = idle.pop() ?? (await openTabs());
    const { page, witness } = tabs;
    const { context } = tabs.proxied;
    await page.goto(`${harness.siteOrigin}/`);
    const committed: string[] = [];
    const keep = (frame: Frame): void => void committed.push(frame.url());
    const watch = (opened: Page): void => void opened.on('framenavigated', keep);
    context.on('page', watch);
    watch(page);
    await page
      .evaluate(navigateInEveryWay, url.replace('$', harness.siteOrigin))
      .catch(() => 'the page navigated to an empty document');
    // The browser processes the six navigations before these two.
    for (const _ of [1, 2]) await witness.goto(`${harness.siteOrigin}/settled`);
    const urls = [...committed, ...context.pages().map(opened => opened.url())];
    expect(urls.filter(seen => documentRefusal(seen) !== null)).toEqual([]);
    // A tab that is still on its way to an error page has no content yet.
    for (const opened of context.pages())
      expect(await vi.waitFor(() => opened.content(), SOON)).not.toMatch(/root:|<title>in/);
    context.off('page', watch);
    page.off('framenavigated', keep);
    const others = context.pages().filter(opened => opened !== page && opened !== witness);
    await Promise.all(others.map(opened => opened.close()));
    idle.push(tabs);
  });

  describe('in a redirect', () => {
    let shared: ProxiedContext;
    let page: Page;
    beforeAll(async () => {
      shared = await harness.openContext();
      page = await shared.context.newPage();
    });
    afterAll(() => shared[Symbol.asyncDispose]());

    test.each(ROWS)('%s %s is refused', async (_id, _text, url) => {
      const to = encodeURIComponent(url.trim().replace('$', harness.siteOrigin));
      await expect(page.goto(`${harness.siteOrigin}/redirect/302?to=${to}`)).rejects.toThrow(/net::ERR_/);
      // The error page would interrupt the next row's navigation.
      await page.waitForURL(/^chrome-error:/);
    });
  });
});

describe('checkAddress, for any text of a client,', () => {
  const pieces = [
    ...SCHEMES.map(({ url }) => url.replace('$', 'http://127.0.0.1')),
    ...[
      'http://',
      'https:',
      'about:blank',
      'about:',
      'open.test',
      '10.0.0.1',
      '[::1]',
      'localhost',
      ':80',
      '@',
      '/',
      '\\',
    ],
    ...[
      '?',
      '#',
      '%',
      '.',
      '\t',
      '\n',
      '\r',
      '\0',
      '\x01',
      ' ',
      '\u200b',
      '\ufeff',
      '\u3002',
      'é',
      '\ud800',
      'FILE',
      'file',
    ],
  ];
  const written = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map(parts => parts.join(''));

  test('S-027 returns a web URL or throws a Failure', () => {
    const accepted: string[] = [];
    const check = (text: string): void => {
      try {
        accepted.push(checkAddress(withDefaultScheme(text), []).href);
      } catch (error) {
        if (!isFailure(error, 'URL_BLOCKED') && !isFailure(error, 'VALIDATION_ERROR')) throw error;
      }
    };
    fc.assert(fc.property(fc.oneof(written, fc.string(), fc.webUrl()), check), { numRuns: 2_000 });
    expect(accepted.length).toBeGreaterThan(100);
    for (const href of accepted) {
      expect(href).toMatch(/^(https?:\/\/|about:blank$)/);
      expect(() => checkAddress(href, [])).not.toThrow();
    }
  });
});

describe('checkAddress', () => {
  const rules = parseEgressAllow('127.0.0.1:8080,wiki.test:22').rules;

  test('returns the URL as the browser parses it', () => {
    expect(checkAddress(' HTTPS://Example.COM:443/a b?c#d ', []).href).toBe('https://example.com/a%20b?c#d');
    expect(checkAddress('about:blank', []).href).toBe('about:blank');
  });

  test('accepts names, which are checked when the proxy connects', () => {
    expect(checkAddress('http://loopback.test/', []).host).toBe('loopback.test');
  });

  test('accepts what a rule opens, and nothing else', () => {
    expect(checkAddress('http://127.0.0.1:8080/', rules).port).toBe('8080');
    expect(checkAddress('http://localhost:8080/', rules).port).toBe('8080');
    expect(checkAddress('http://wiki.test:22/', rules).port).toBe('22');
    expect(() => checkAddress('http://127.0.0.1:8081/', rules)).toThrowError(
      /127\.0\.0\.1 is a loopback address/,
    );
    expect(() => checkAddress('http://wiki.test:25/', rules)).toThrowError(/port/);
  });

  test.each([
    '',
    'example.com',
    '//example.com',
    '/path',
    'http://',
    'http://[::1',
    'http://a b/',
    'http://256.1.1.1/',
  ])('throws VALIDATION_ERROR for %o, which is not an absolute URL', url => {
    expect(() => checkAddress(url, [])).toThrowError(
      expect.toSatisfy(
        (error: unknown) => isFailure(error, 'VALIDATION_ERROR') && error.context.errors?.[0]?.path === 'url',
      ),
    );
  });

  test('repeats only the beginning of a long URL', () => {
    expect(urlBlocked(`data:${'a'.repeat(9_000)}`, 'x').message.length).toBeLessThan(300);
  });
});

describe('documentRefusal', () => {
  test.each([
    '',
    ':',
    'about:blank',
    'about:blank#blocked',
    'about:srcdoc',
    'chrome-error://chromewebdata/',
    'http://x/',
    'https://x/',
    'blob:https://x/1',
  ])('returns null for %o', url => expect(documentRefusal(url)).toBeNull());
  test.each([
    'file:///etc/passwd',
    'chrome://version/',
    'chrome://blob-internals/',
    'chrome-error://other/',
    'data:text/html,x',
    'view-source:http://x/',
    'blob:null/1',
    'blob:file:///1',
    'nonsense',
  ])('returns a reason for %o', url => expect(documentRefusal(url)).toBeTypeOf('string'));
});
