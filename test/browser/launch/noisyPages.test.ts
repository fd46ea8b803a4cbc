import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEgressAllow } from '../../../src/browser/egress/egressRules.ts';
import { type EgressProxy, startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';
import { launchChromium } from '../../../src/browser/launch/launchChromium.ts';
import { testChromium } from '../../support/testChromium.ts';

let egress: EgressProxy;
let browser: Browser;
let page: Page;
let chromium: ChildProcess | null = null;
const onProcessStart = (message: unknown): void => {
  const child: unknown = Reflect.get(message as object, 'process');
  if (child instanceof ChildProcess) chromium = child;
};

beforeAll(async () => {
  egress = await startEgressProxy({ asksForCredentials: false, allow: parseEgressAllow('127.0.0.1').rules });
  subscribe('child_process', onProcessStart);
  browser = await launchChromium({ executablePath: testChromium(), sandbox: 'auto', egress, flags: [] });
  unsubscribe('child_process', onProcessStart);
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await egress.close();
});

describe('a browser of launchChromium', () => {
  it('reports neither the console messages nor the uncaught errors of a page', async () => {
    const reported: string[] = [];
    page.on('console', message => reported.push(message.text()));
    page.on('pageerror', error => reported.push(error.message));
    await page.evaluate(() => {
      console.log('a message', { deep: [1, 2, 3] });
      console.error(new Error('an error'));
      reportError(new Error('another error'));
    });
    // Messages come in order: those of the page would have come before this response.
    expect(await page.evaluate(() => document.title)).toBe('');
    expect(reported).toEqual([]);
  });

  it('returns an error instead of a response that is too long', async () => {
    const session = await page.context().newCDPSession(page);
    // JSON writes each of these characters as six bytes.
    const expression = '"\\x01".repeat(2167e4)';
    const call = session.send('Runtime.evaluate', { expression, returnByValue: true });
    await expect(call).rejects.toThrow(/response of the browser is too large: 130\d{6} bytes/);
    expect(await page.evaluate(() => document.title)).toBe('');
  });

  it('delivers the longest response headers, for which Playwright waits without a timeout', async () => {
    const site = createServer({ maxHeaderSize: 300_000 }, (_request, response) => {
      const quotes = Array.from({ length: 30 }, (_, nth) => [`x-${nth}`, '"'.repeat(7_900)] as const);
      response.writeHead(200, Object.fromEntries(quotes)).end('heavy');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    await using sessionProxy = await egress.openSessionProxy(() => {});
    const context = await browser.newContext({ proxy: sessionProxy.proxy });
    // Sound: a listening TCP server has an AddressInfo.
    const { port } = site.address() as AddressInfo;
    const answer = await (await context.newPage()).goto(`http://127.0.0.1:${port}/`);
    expect(Object.keys((await answer?.allHeaders()) ?? {}).length).toBeGreaterThan(30);
    await context.close();
    site.close();
  });

  it('limits how often a page changes its address, as Chromium does by default', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    let changes = 0;
    session.on('Page.navigatedWithinDocument', () => changes++);
    await page.goto('about:blank');
    await page.evaluate(() => {
      for (let nth = 0; nth < 3_000; nth++) location.hash = `place-${nth}`;
    });
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThan(1_000);
  });

  it('filters both pipes when two browsers start at the same time', async () => {
    const options = { executablePath: testChromium(), sandbox: 'auto', egress, flags: [] } as const;
    const both = await Promise.all([launchChromium(options), launchChromium(options)]);
    for (const one of both) {
      const reported: string[] = [];
      const own = await one.newPage();
      own.on('console', message => reported.push(message.text()));
      await own.evaluate(() => console.log('a message'));
      expect(reported).toEqual([]);
      await one.close();
    }
  });

  it('writes nothing of a page to its standard error', async () => {
    const written: Buffer[] = [];
    chromium?.stderr?.on('data', (piece: Buffer) => written.push(piece));
    await page.evaluate(() => {
      console.error('written down?');
      reportError(new Error('written down?'));
    });
    await browser.close();
    expect(chromium?.stderr).not.toBeNull();
    expect(Buffer.concat(written).toString()).not.toContain('written down?');
  });
});
