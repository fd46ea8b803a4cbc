/** Canaries: each fails when an update of Playwright or Chromium changes behaviour that `playwrightInternals.ts` relies on. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as internals from '../../../src/browser/cdp/playwrightInternals.ts';
import { servePages } from '../../support/servePages.ts';
import { testChromium } from '../../support/testChromium.ts';
import { canaryPage, errorOf } from './canaryPage.ts';

const { browserSession, pages, context, page, session } = canaryPage({
  '/': '<title>Home</title><p>text</p>',
  '/frame': '<title>Frame</title><iframe src="/"></iframe>',
  '/empty': (_, response) => response.writeHead(204).end(),
  '/file': (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="a.bin"' }).end('file'),
  '/endless': (_, response) => {
    response
      .writeHead(200, { 'content-disposition': 'attachment; filename="b.bin"' })
      .write('x'.repeat(5_000));
  },
  '/hang': () => {},
});

// One test: each test opens a page, which the search for a text does not need.
it('Chromium or Playwright contains each of ERROR_TEXTS', async () => {
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
  const { id: pid } = processInfo.find(({ type }) => type === 'browser') ?? {};
  const executable = process.platform === 'linux' ? `/proc/${pid}/exe` : testChromium();
  const lib = new URL('../../../node_modules/playwright-core/lib/', import.meta.url);
  // The large one last: a text that Playwright has is not searched in it.
  const sources = [readFileSync(new URL('coreBundle.js', lib)), readFileSync(executable)];
  const isContained = (text: string): boolean => {
    const spellings = [text, `${text.charAt(0).toUpperCase()}${text.slice(1)}`];
    return sources.some(source => spellings.some(spelling => source.includes(spelling)));
  };
  const rows = Object.entries(internals.ERROR_TEXTS).flatMap(([kind, texts]) =>
    texts.map(text => [kind, text] as const),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(([, text]) => !isContained(text))).toEqual([]);
});

describe('errors of the protocol', () => {
  it('isDocumentGone: an evaluation in a document that was replaced', async () => {
    const contextId = Promise.withResolvers<number>();
    session.once('Runtime.executionContextCreated', ({ context: created }) => contextId.resolve(created.id));
    await session.send('Runtime.enable');
    const old = await contextId.promise;
    await page.goto(`${pages.url}/`);
    const error = await errorOf(session.send('Runtime.evaluate', { expression: '1', contextId: old }));
    expect(internals.isDocumentGone(error)).toBe(true);
  });

  it('isDocumentGone: an evaluation that is interrupted by a navigation', async () => {
    const running = errorOf(page.evaluate(() => new Promise(() => {})));
    await page.goto(`${pages.url}/`);
    expect(internals.isDocumentGone(await running)).toBe(true);
  });

  it('isTargetGone: a call to a closed page, and to a page whose process crashed', async () => {
    const crashing = await context.newPage();
    const crash = new Promise(resolve => crashing.once('crash', resolve));
    crashing.goto('chrome://crash').catch(() => {});
    await crash;
    expect(internals.isTargetGone(await errorOf(crashing.evaluate(() => 1)))).toBe(true);
    await page.close();
    expect(internals.isTargetGone(await errorOf(page.title()))).toBe(true);
    expect(internals.isTargetGone(await errorOf(session.send('Runtime.enable')))).toBe(true);
  });

  it('isExecutionTerminated: a script that Runtime.terminateExecution ended', async () => {
    const running = errorOf(session.send('Runtime.evaluate', { expression: 'for (;;);' }));
    // Before the script has started there is nothing to end.
    const terminating = setInterval(() => session.send('Runtime.terminateExecution').catch(() => {}), 100);
    const error = await running;
    clearInterval(terminating);
    expect(internals.isExecutionTerminated(error)).toBe(true);
  });
});

describe('errors of a navigation', () => {
  it('isTimeout: a page that does not answer', async () => {
    const error = await errorOf(page.goto(`${pages.url}/hang`, { timeout: 300 }));
    expect(internals.isTimeout(error)).toBe(true);
  });

  it('networkErrorOf and hasErrorPage: a refused connection', async () => {
    await using closed = await servePages({});
    await closed[Symbol.asyncDispose]();
    const error = await errorOf(page.goto(closed.url));
    expect(internals.networkErrorOf(error)).toBe('ERR_CONNECTION_REFUSED');
    expect(internals.hasErrorPage(error)).toBe(true);
  });

  it('networkErrorOf and hasErrorPage: a response without content', async () => {
    const error = await errorOf(page.goto(`${pages.url}/empty`));
    expect(internals.networkErrorOf(error)).toBe('ERR_ABORTED');
    expect(internals.hasErrorPage(error)).toBe(false);
  });

  it('isDownloadStart: an address that is a file', async () => {
    expect(internals.isDownloadStart(await errorOf(page.goto(`${pages.url}/file`)))).toBe(true);
  });

  it('isInvalidUrl: an address that cannot be parsed', async () => {
    expect(internals.isInvalidUrl(await errorOf(page.goto('http://')))).toBe(true);
  });

  it('isNavigationFrameGone: the frame was removed', async () => {
    await page.goto(`${pages.url}/frame`);
    const frame = page.frames().find(one => one !== page.mainFrame());
    await page.locator('iframe').evaluate(element => element.remove());
    const error = await errorOf(frame?.goto(`${pages.url}/`) ?? Promise.resolve());
    expect(internals.isNavigationFrameGone(error)).toBe(true);
  });
});

describe('errors of an action', () => {
  const timeout = 1_000;

  it.each([
    ['covered', '<button>x</button><div style="position:fixed;inset:0"></div>'],
    ['invisible', '<button style="visibility:hidden">x</button>'],
    ['disabled', '<button disabled>x</button>'],
    ['outside', '<button style="position:fixed;left:-500px">x</button>'],
    [
      'moving',
      '<style>@keyframes m{to{margin-left:900px}}</style><button style="animation:m 2s infinite linear">x</button>',
    ],
  ])('notReadyReasonOf: %s', async (reason, html) => {
    await page.setContent(html);
    const click = () => errorOf(page.locator('button').click({ timeout }));
    let error = await click();
    // A busy machine may leave Playwright no time to find the reason.
    for (let left = 5; left > 0 && internals.notReadyReasonOf(error) === 'other'; left--)
      error = await click();
    expect(internals.isTimeout(error)).toBe(true);
    expect(internals.notReadyReasonOf(error)).toBe(reason);
    expect(internals.coveringTagOf(error)).toBe(reason === 'covered' ? '<div>' : null);
  });

  it('isInputDispatched: the page is busy with the click', async () => {
    let error: unknown;
    // A busy machine may press the button later.
    for (const timeout of [600, 3_000, 12_000]) {
      await page.setContent('<button onclick="for (;;);">x</button>');
      error = await errorOf(page.locator('button').click({ timeout }));
      await session.send('Runtime.terminateExecution');
      if (internals.isInputDispatched(error)) break;
    }
    expect(internals.isInputDispatched(error)).toBe(true);
  });

  it('isInputDispatched: the page is busy with the click on an element that became ready late', async () => {
    let error: unknown;
    // A busy machine may look at the button for the first time when it is ready. Then it becomes ready later.
    for (const delay of [200, 1_000, 4_000]) {
      await page.setContent('<button disabled onclick="for (;;);">x</button>');
      const clicking = errorOf(page.locator('button').click({ timeout: delay + 1_800 }));
      await page.evaluate(
        delay => setTimeout(() => document.querySelector('button')?.removeAttribute('disabled'), delay),
        delay,
      );
      error = await clicking;
      await session.send('Runtime.terminateExecution');
      if (String(error).includes('element is not enabled')) break;
    }
    expect(String(error)).toContain('element is not enabled');
    expect(internals.notReadyReasonOf(error)).toBe('other');
    expect(internals.isInputDispatched(error)).toBe(true);
  });

  it('hasLeftView: an element lies outside of the view, and the check for it does not wait', async () => {
    await page.setContent('<button style="position: fixed; left: -900px">x</button>');
    const error = await errorOf(page.locator('button').click({ force: true }));
    expect([internals.hasLeftView(error), internals.isTimeout(error)]).toEqual([true, false]);
  });

  it('isShadowedElement: a form hides its own focus()', async () => {
    await page.setContent('<form tabindex="0"><input name="focus"></form>');
    expect(internals.isShadowedElement(await errorOf(page.locator('form').focus()))).toBe(true);
  });

  it('isMalformedValue: a word for an input of type number', async () => {
    await page.setContent('<input type="number">');
    const error = await errorOf(page.locator('input').fill('many'));
    expect(internals.isMalformedValue(error)).toBe(true);
  });

  it('isUnknownKey: a key that does not exist', async () => {
    expect(internals.isUnknownKey(await errorOf(page.keyboard.press('Entre')))).toBe(true);
  });
});

describe('downloads', () => {
  it('isDownloadCancelled: download.failure() of a cancelled download', async () => {
    const started = page.waitForEvent('download');
    page.goto(`${pages.url}/endless`).catch(() => {});
    const download = await started;
    await download.cancel();
    expect(internals.isDownloadCancelled((await download.failure()) ?? '')).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'isDiskFull: download.saveAs passes on the code of the system error',
    async () => {
      const started = page.waitForEvent('download');
      page.goto(`${pages.url}/file`).catch(() => {});
      const download = await started;
      expect(String(await errorOf(download.saveAs('/proc/file')))).toMatch(/\bENOENT\b/);
    },
  );
});
