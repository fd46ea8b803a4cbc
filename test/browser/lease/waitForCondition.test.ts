import { describe, expect, it } from 'vitest';
import { parseWaitCondition } from '../../../src/domain/specialActions/specialActionDefinition.ts';
import { pageHarness } from '../../support/pageHarness.ts';

/** Resolved when the server may answer /held. */
const answered = Promise.withResolvers<void>();
const page = (body: string): string => `<!doctype html><title>Wait</title><body>${body}</body>`;

const { started, pages } = pageHarness({
  '/late': page(`<p id="state">Working on it</p><script>setTimeout(() => {
    document.getElementById('state').textContent = 'All done'; document.body.append(Object.assign(document.createElement('button'), { textContent: 'Next' })) }, 1200)</script>`),
  '/frame': page('<iframe src="/late"></iframe>'),
  '/written': page(
    '<p>Show <select><option>All<option>Some</select> 3 "new" fi&shy;les</p><button>Say "hi"</button>',
  ),
  '/never': page('<p>Nothing happens</p><button>Save</button>'),
  '/parts': page(`<button>Start</button><p id="state">0 parts</p><script>const busy = nth => {
    const end = performance.now() + 900; while (performance.now() < end); state.textContent = nth + ' parts' };
    onload = () => setTimeout(() => { busy(1); const s = document.createElement('script'); s.src = '/part2.js'; document.body.append(s) }, 200)</script>`),
  '/part2.js': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end('busy(2)');
  },
  '/held': (_, response) => void answered.promise.then(() => response.end()),
  '/slow': page(`<button>Ask</button><script>
    document.querySelector('button').onclick = () => { fetch('/held').then(() => document.body.append('answered')) }</script>`),
});

const signal = new AbortController().signal;
const options = {
  keepAlive: null,
  timeoutMinutes: null,
  screenshot: false,
  signal,
  limits: { max: 100, min: null },
  data: null,
  space: true,
};
const markdown = { text: true, onlyMainContent: false };

/** Observes a page in a new session, waits for a condition there, as long as a busy machine needs, and returns what the page shows then. */
async function textAfter(path: string, waitFor: string, waitMs = 40_000): Promise<string> {
  const { service, viewer } = started;
  const result = await service.scrape(viewer, {
    ...options,
    sessionId: null,
    url: pages.url + path,
    data: markdown as never,
    waitFor: parseWaitCondition(waitFor),
    waitMs,
  });
  return result.data?.text ?? '';
}

describe.concurrent('wait_for', () => {
  it('waits until a text appears', async () => {
    expect(await textAfter('/late', 'text "all  DONE"')).toContain('All done');
  });

  it('waits until a text in a frame disappears', async () => {
    expect(await textAfter('/frame', 'no text "Working on it"')).not.toContain('Working on it');
  });

  it('finds texts as lists write them: without invisible characters, options and double quotes', async () => {
    expect(await textAfter('/written', `text "Show 3 'new' files"`)).toContain('files');
    expect(await textAfter('/written', `action "Say  'hi'"`)).toContain('files');
  });

  it('waits until an action appears', async () => {
    expect(await textAfter('/late', 'action "Next"')).toContain('All done');
  });

  it('fails with WAIT_TIMEOUT and the present space after wait_ms', async () => {
    const failed = await textAfter('/never', 'text "Saved"', 300).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'WAIT_TIMEOUT',
      context: { space: { actions: [{ description: 'button "Save"' }] } },
    });
  });

  it('waits until the network is quiet, and pending tells of the requests before', async () => {
    const { service, viewer } = started;
    const observed = await service.observe(viewer, {
      ...options,
      sessionId: null,
      url: `${pages.url}/slow`,
      keepAlive: true,
    });
    const sessionId = observed.session.id;
    const step = { ...options, sessionId, value: null, enter: false, params: {} };
    const asked = await service.step(viewer, { ...step, actionId: 'B1', waitMs: 0 });
    expect(asked.space?.pending).toMatchObject({
      requests: [`GET ${new URL(pages.url).host}/held`],
      busy: [],
    });
    const waiting = service.step(viewer, {
      ...step,
      actionId: 'S24',
      value: 'network quiet',
      keepAlive: false,
    });
    answered.resolve();
    const waited = await waiting;
    expect(waited.space?.pending).toEqual({ requests: [], timers: [], busy: [], navigation: null });
  });

  it('waits for what a script loads that has run for longer than the network must be quiet', async () => {
    expect(await textAfter('/parts', 'network quiet')).toContain('2 parts');
  });

  it('S24 refuses a value that is no condition', async () => {
    const { service, viewer } = started;
    const { session } = await service.observe(viewer, {
      ...options,
      sessionId: null,
      url: `${pages.url}/never`,
      keepAlive: true,
    });
    const step = {
      ...options,
      sessionId: session.id,
      actionId: 'S24',
      value: 'Saved',
      enter: false,
      params: {},
    };
    await expect(service.step(viewer, step)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
