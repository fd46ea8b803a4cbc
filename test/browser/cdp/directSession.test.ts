import type { CDPSession, Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { directSession } from '../../../src/browser/cdp/cdpChannel.ts';
import { isDocumentGone, isTargetGone } from '../../../src/browser/cdp/playwrightInternals.ts';
import {
  childSessions,
  detachSession,
  takePipeSession,
} from '../../../src/browser/cdp/playwrightSessions.ts';
import { type SharedBrowser, sharedChromium } from '../../support/sharedChromium.ts';

let browser: SharedBrowser;
let page: Page;
let ofPlaywright: CDPSession;
let session: CDPSession;

beforeAll(async () => {
  browser = await sharedChromium();
});
beforeEach(async () => {
  page = await browser.newPage();
  ofPlaywright = await page.context().newCDPSession(page);
  session = directSession(ofPlaywright);
  return () => page.close();
});

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('childSessions', () => {
  it('are none in a page that is closed', async () => {
    await page.context().close();
    expect(childSessions(page)).toEqual([]);
  });

  it('end the script of a worker', async () => {
    await page.evaluate(() => {
      const source =
        "onmessage = () => { postMessage('loops'); for (;;); }; setInterval(() => postMessage('free'), 10)";
      const worker = new Worker(URL.createObjectURL(new Blob([source])));
      Object.assign(window, { worker });
    });
    const received = (text: string): Promise<unknown> =>
      page.evaluate(
        expected =>
          new Promise<void>(resolve => {
            const { worker } = window as unknown as { worker: Worker };
            worker.onmessage = ({ data }) => void (data === expected && resolve());
            if (expected === 'loops') worker.postMessage('');
          }),
        text,
      );
    await received('loops');
    const children = childSessions(page);
    expect(children).toHaveLength(1);
    await children[0]?.send('Runtime.terminateExecution');
    await received('free');
  });
});

describe('detachSession', () => {
  it('ends a session without a message to the page, which Playwright sends, and with which a page that waits for its new window goes on', async () => {
    const pipe = takePipeSession(ofPlaywright);
    if (pipe === null) throw new Error('Playwright has no such session.');
    const sent = vi.spyOn(pipe, 'send');
    const closed = new Promise(resolve => ofPlaywright.once('close', resolve));
    await detachSession(ofPlaywright);
    await closed;
    expect(sent).not.toHaveBeenCalled();
    expect(isTargetGone(await errorOf(session.send('Runtime.enable')))).toBe(true);
  });
});

describe('directSession', () => {
  it('is not the session of Playwright, and answers calls', async () => {
    expect(session).not.toBe(ofPlaywright);
    const { result } = await session.send('Runtime.evaluate', { expression: '6 * 7' });
    expect(result.value).toBe(42);
  });

  it('delivers events until the listener is removed', async () => {
    const names: string[] = [];
    const listener = ({ name }: { name: string }) => void names.push(name);
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: 'tell' });
    session.on('Runtime.bindingCalled', listener);
    await session.send('Runtime.evaluate', { expression: 'tell("")' });
    expect(names).toEqual(['tell']);
    session.off('Runtime.bindingCalled', listener);
    await session.send('Runtime.evaluate', { expression: 'tell("")' });
    expect(names).toEqual(['tell']);
  });

  it('delivers an event before the answer to a later call', async () => {
    const order: string[] = [];
    session.on('Runtime.executionContextCreated', () => void order.push('event'));
    await session.send('Runtime.enable');
    order.push('answer');
    expect(order.at(-1)).toBe('answer');
    expect(order.length).toBeGreaterThan(1);
  });

  it('answers after Playwright has told its page about what came before', async () => {
    const { url } = await session
      .send('Runtime.evaluate', { expression: 'location.hash = "later"; 1' })
      .then(() => ({ url: page.url() }));
    expect(url).toBe('about:blank#later');
  });

  it('rejects a call that Chromium refuses with its words', async () => {
    const error = await errorOf(session.send('Runtime.evaluate', { expression: '1', contextId: 987 }));
    expect(isDocumentGone(error)).toBe(true);
  });

  it('rejects a call to a page that is closed, before and after', async () => {
    const waiting = errorOf(
      session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }),
    );
    await page.close();
    expect(isTargetGone(await waiting)).toBe(true);
    const later = await errorOf(session.send('Runtime.evaluate', { expression: '1' }));
    expect(isTargetGone(later)).toBe(true);
  });

  it('tells that the session has ended', async () => {
    const closed = Promise.withResolvers<string>();
    session.on('close', () => closed.resolve('closed'));
    await page.close();
    expect(await closed.promise).toBe('closed');
  });
});
