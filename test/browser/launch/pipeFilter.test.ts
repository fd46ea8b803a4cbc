import { describe, expect, it } from 'vitest';
import { PipeFilter } from '../../../src/browser/launch/pipeFilter.ts';
import { ProtocolRateLimiter } from '../../../src/browser/limits/protocolRateLimiter.ts';

const SESSION = '"sessionId":"5EB39B6C244F49D40DC2FBCE4838C4C4"';
const event = (method: string, length: number): string =>
  `{"method":"${method}","params":{"text":"${'x'.repeat(length)}"},${SESSION}}`;
const answer = (id: number, length: number): string =>
  `{"id":${id},"result":{"text":"${'x'.repeat(length)}"},${SESSION}}`;

const ATTACHED = `{"method":"Target.attachedToTarget","params":{${SESSION},"targetInfo":{"browserContextId":"C1"}}}`;

/** @returns the messages that pass the filter @param chunkBytes length of the chunks in which they are written */
async function filterMessages(
  messages: readonly string[],
  chunkBytes: number,
  rateLimiter = new ProtocolRateLimiter(),
): Promise<readonly string[]> {
  const filter = new PipeFilter({ response: 1_000, event: 500 }, rateLimiter);
  const bytes = Buffer.from(messages.map(message => `${message}\0`).join(''));
  for (let at = 0; at < bytes.length; at += chunkBytes) filter.write(bytes.subarray(at, at + chunkBytes));
  filter.end();
  const out = Buffer.concat(await filter.toArray()).toString();
  return out.split('\0').slice(0, -1);
}

describe.each([1, 7, 64, 100_000])('PipeFilter, with chunks of %i bytes,', chunkBytes => {
  it('passes responses and short events unchanged and in order', async () => {
    const messages = ['{"id":1,"result":{}}', event('Page.frameNavigated', 300), answer(2, 800), '{"id":3}'];
    expect(await filterMessages(messages, chunkBytes)).toEqual(messages);
  });

  it('drops console messages of any length', async () => {
    const messages = [answer(1, 9), event('Runtime.consoleAPICalled', 9), answer(2, 9)];
    expect(await filterMessages(messages, chunkBytes)).toEqual([messages[0], messages[2]]);
  });

  it('passes the errors of a page to the second session of the page alone, and drops its other log lines', async () => {
    const [first, own] = ['A'.repeat(32), 'B'.repeat(32)];
    const attached = (id: string) =>
      `{"method":"Target.attachedToTarget","params":{"sessionId":"${id}","targetInfo":{"targetId":"T1","type":"page"}}}`;
    const logged = (id: string, type: string) =>
      `{"method":"Runtime.consoleAPICalled","params":{"type":"${type}","args":[]},"sessionId":"${id}"}`;
    const thrown = (id: string, length = 9) =>
      `{"method":"Runtime.exceptionThrown","params":{"text":"${'x'.repeat(length)}"},"sessionId":"${id}"}`;
    const sessions = [attached(first), attached(own)];
    const dropped = [logged(first, 'error'), logged(own, 'log'), thrown(first), thrown(own, 600)];
    const passed = [logged(own, 'error'), thrown(own)];
    expect(await filterMessages([...sessions, ...dropped, ...passed], chunkBytes)).toEqual([
      ...sessions,
      ...passed,
    ]);
  });

  it('drops an event that is too long', async () => {
    const messages = [answer(1, 9), event('Page.frameNavigated', 600), answer(2, 9)];
    expect(await filterMessages(messages, chunkBytes)).toEqual([messages[0], messages[2]]);
  });

  it('copies page events of the first session of a page to its other sessions', async () => {
    const attached = (id: string, type = 'page') =>
      `{"method":"Target.attachedToTarget","params":{"sessionId":"${id}","targetInfo":{"targetId":"T1","type":"${type}"}}}`;
    const loaded = (id: string, method = 'Page.loadEventFired') =>
      `{"method":"${method}","params":{},"sessionId":"${id}"}`;
    const detached = `{"method":"Target.detachedFromTarget","params":{"sessionId":"${'AB'.repeat(16)}"}}`;
    const messages = [
      attached('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
      attached('ABABABABABABABABABABABABABABABAB'),
      attached('ACACACACACACACACACACACACACACACAC', 'worker'),
      loaded('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    ];
    const others = [
      loaded('ABABABABABABABABABABABABABABABAB'),
      loaded('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'Page.lifecycleEvent'),
      detached,
      loaded('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    ];
    expect(await filterMessages([...messages, ...others], chunkBytes)).toEqual([
      ...messages,
      loaded('ABABABABABABABABABABABABABABABAB'),
      ...others,
    ]);
  });

  it('replaces the event of a dialog that is too long by one without its text', async () => {
    const [only] = await filterMessages([event('Page.javascriptDialogOpening', 600)], chunkBytes);
    expect(JSON.parse(only ?? '')).toMatchObject({
      method: 'Page.javascriptDialogOpening',
      params: { type: 'prompt', message: expect.stringMatching(/too long/) },
      sessionId: '5EB39B6C244F49D40DC2FBCE4838C4C4',
    });
  });

  it('replaces the event of a download whose URL is too long by one without it', async () => {
    const begins =
      '{"method":"Browser.downloadWillBegin","params":{"frameId":"F1","guid":"a-1","url":"data:,';
    const [only] = await filterMessages(
      [`${begins}${'x'.repeat(600)}","suggestedFilename":"x.txt"}}`],
      chunkBytes,
    );
    expect(JSON.parse(only ?? '')).toEqual({
      method: 'Browser.downloadWillBegin',
      params: { frameId: 'F1', guid: 'a-1', url: 'data:,', suggestedFilename: 'download' },
    });
  });

  it('replaces a response that is too long by an error in the same session', async () => {
    const [first, second] = await filterMessages([answer(41, 2_000), answer(42, 9)], chunkBytes);
    expect(JSON.parse(first ?? '')).toEqual({
      id: 41,
      error: { code: -32_000, message: expect.stringMatching(/too large: 2\d{3} bytes/) },
      sessionId: '5EB39B6C244F49D40DC2FBCE4838C4C4',
    });
    expect(second).toBe(answer(42, 9));
  });

  it('replaces a response without a session by an error without a session', async () => {
    const [only] = await filterMessages(
      [`{"id":7,"result":{"text":"${'x'.repeat(2_000)}","sessionId":"AB"}}`],
      chunkBytes,
    );
    expect(JSON.parse(only ?? '')).not.toHaveProperty('sessionId');
  });

  it.each([
    ['counts events of pages', 'Page.frameNavigated', 1],
    ['counts console messages', 'Runtime.consoleAPICalled', 1],
    ['does not count pictures of the screencast', 'Page.screencastFrame', 0],
  ])('%s against the rate limit of the session', async (_, method, times) => {
    const low = { burst: 1_000, perSecond: 0 };
    const rateLimiter = new ProtocolRateLimiter({ bytes: low, events: low });
    let exceeded = 0;
    rateLimiter.watch('C1', () => exceeded++);
    await filterMessages([ATTACHED, ...Array(3).fill(event(method, 300))], chunkBytes, rateLimiter);
    expect(exceeded).toBe(times);
  });
});
