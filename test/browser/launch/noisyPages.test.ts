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
let program: ChildProcess | null = null;
const note = (message: unknown): void => {
  const child: unknown = Reflect.get(message as object, 'process');
  if (child instanceof ChildProcess) program = child;
};

beforeAll(async () => {
  egress = await startEgressProxy({ allow: parseEgressAllow('127.0.0.1').rules });
  subscribe('child_process', note);
  browser = await launchChromium({ executablePath: testChromium(), sandbox: 'auto', egress, flags: [] });
  unsubscribe('child_process', note);
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await egress.close();
});

describe('a page that talks to whoever drives its browser', () => {
  it('is not heard when it logs or throws', async () => {
    const heard: string[] = [];
    page.on('console', message => heard.push(message.text()));
    page.on('pageerror', error => heard.push(error.message));
    await page.evaluate(() => {
      console.log('hear me', { deep: [1, 2, 3] });
      console.error(new Error('hear me too'));
      reportError(new Error('and me'));
    });
    // The browser's words come in order: what was logged before this answer would be here.
    expect(await page.evaluate(() => document.title)).toBe('');
    expect(heard).toEqual([]);
  });

  it('is told as an error, and no more, when it answers more than anybody reads', async () => {
    const session = await page.context().newCDPSession(page);
    const much = session.send('Runtime.evaluate', { expression: '"x".repeat(13e7)', returnByValue: true });
    await expect(much).rejects.toThrow(/response of the browser is too large: 130\d{6} bytes/);
    expect(await page.evaluate(() => document.title)).toBe('');
  });

  it('is heard to the end of the headers of an answer, which Playwright would wait for without end', async () => {
    const site = createServer({ maxHeaderSize: 300_000 }, (_request, response) => {
      const quotes = Array.from({ length: 30 }, (_, nth) => [`x-${nth}`, '"'.repeat(7_900)] as const);
      response.writeHead(200, Object.fromEntries(quotes)).end('heavy');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    await using door = await egress.openSessionProxy(() => {});
    const context = await browser.newContext({ proxy: door.proxy });
    // Sound: a listening TCP server has an AddressInfo.
    const { port } = site.address() as AddressInfo;
    const answer = await (await context.newPage()).goto(`http://127.0.0.1:${port}/`);
    expect(Object.keys((await answer?.allHeaders()) ?? {}).length).toBeGreaterThan(30);
    await context.close();
    site.close();
  });

  it('changes its address no more often than Chromium lets pages of people', async () => {
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

  it('is not heard either where two browsers started at the same time', async () => {
    const options = { executablePath: testChromium(), sandbox: 'auto', egress, flags: [] } as const;
    const both = await Promise.all([launchChromium(options), launchChromium(options)]);
    for (const one of both) {
      const heard: string[] = [];
      const own = await one.newPage();
      own.on('console', message => heard.push(message.text()));
      await own.evaluate(() => console.log('hear me'));
      expect(heard).toEqual([]);
      await one.close();
    }
  });

  it('leaves nothing in what the browser writes to its standard error', async () => {
    const written: Buffer[] = [];
    program?.stderr?.on('data', (piece: Buffer) => written.push(piece));
    await page.evaluate(() => {
      console.error('written down?');
      reportError(new Error('written down?'));
    });
    await browser.close();
    expect(program?.stderr).not.toBeNull();
    expect(Buffer.concat(written).toString()).not.toContain('written down?');
  });
});
