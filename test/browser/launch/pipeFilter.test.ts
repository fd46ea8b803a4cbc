import { describe, expect, it } from 'vitest';
import { PipeFilter } from '../../../src/browser/launch/pipeFilter.ts';
import { ProtocolRateLimiter } from '../../../src/browser/limits/protocolRateLimiter.ts';

const SESSION = '"sessionId":"5EB39B6C244F49D40DC2FBCE4838C4C4"';
const event = (method: string, length: number): string =>
  `{"method":"${method}","params":{"text":"${'x'.repeat(length)}"},${SESSION}}`;
const answer = (id: number, length: number): string =>
  `{"id":${id},"result":{"text":"${'x'.repeat(length)}"},${SESSION}}`;

const ATTACHED = `{"method":"Target.attachedToTarget","params":{${SESSION},"targetInfo":{"browserContextId":"C1"}}}`;

/** What comes out of the messages when they go in by pieces of so many bytes. */
async function through(
  messages: readonly string[],
  pieces: number,
  speech = new ProtocolRateLimiter(),
): Promise<readonly string[]> {
  const filter = new PipeFilter({ response: 1_000, event: 500 }, speech);
  const bytes = Buffer.from(messages.map(message => `${message}\0`).join(''));
  for (let at = 0; at < bytes.length; at += pieces) filter.write(bytes.subarray(at, at + pieces));
  filter.end();
  const out = Buffer.concat(await filter.toArray()).toString();
  return out.split('\0').slice(0, -1);
}

describe.each([1, 7, 64, 100_000])('of what a browser says, in pieces of %i bytes,', pieces => {
  it('everything that is asked for or short comes through as it was, in its order', async () => {
    const messages = ['{"id":1,"result":{}}', event('Page.frameNavigated', 300), answer(2, 800), '{"id":3}'];
    expect(await through(messages, pieces)).toEqual(messages);
  });

  it('what pages log is left out, however short', async () => {
    const messages = [answer(1, 9), event('Runtime.consoleAPICalled', 9), answer(2, 9)];
    expect(await through(messages, pieces)).toEqual([messages[0], messages[2]]);
  });

  it('an event that is too long is left out', async () => {
    const messages = [answer(1, 9), event('Page.frameNavigated', 600), answer(2, 9)];
    expect(await through(messages, pieces)).toEqual([messages[0], messages[2]]);
  });

  it('a dialog that is too long is told as one without its text', async () => {
    const [only] = await through([event('Page.javascriptDialogOpening', 600)], pieces);
    expect(JSON.parse(only ?? '')).toMatchObject({
      method: 'Page.javascriptDialogOpening',
      params: { type: 'prompt', message: expect.stringMatching(/too long/) },
      sessionId: '5EB39B6C244F49D40DC2FBCE4838C4C4',
    });
  });

  it('a download from an address that is too long is told without it', async () => {
    const begins =
      '{"method":"Browser.downloadWillBegin","params":{"frameId":"F1","guid":"a-1","url":"data:,';
    const [only] = await through([`${begins}${'x'.repeat(600)}","suggestedFilename":"x.txt"}}`], pieces);
    expect(JSON.parse(only ?? '')).toEqual({
      method: 'Browser.downloadWillBegin',
      params: { frameId: 'F1', guid: 'a-1', url: 'data:,', suggestedFilename: 'download' },
    });
  });

  it('an answer that is too long becomes an error, to whom it belonged', async () => {
    const [first, second] = await through([answer(41, 2_000), answer(42, 9)], pieces);
    expect(JSON.parse(first ?? '')).toEqual({
      id: 41,
      error: { code: -32_000, message: expect.stringMatching(/too large: 2\d{3} bytes/) },
      sessionId: '5EB39B6C244F49D40DC2FBCE4838C4C4',
    });
    expect(second).toBe(answer(42, 9));
  });

  it('an answer to the browser itself, too long, becomes an error of no session', async () => {
    const [only] = await through(
      [`{"id":7,"result":{"text":"${'x'.repeat(2_000)}","sessionId":"AB"}}`],
      pieces,
    );
    expect(JSON.parse(only ?? '')).not.toHaveProperty('sessionId');
  });

  it.each([
    ['what a page does', 'Page.frameNavigated', 1],
    ['what a page logs', 'Runtime.consoleAPICalled', 1],
    ['what watchers of a page see', 'Page.screencastFrame', 0],
  ])('%s counts for its session as it should', async (_, method, times) => {
    const few = { burst: 1_000, perSecond: 0 };
    const speech = new ProtocolRateLimiter({ bytes: few, events: few });
    let told = 0;
    speech.watch('C1', () => told++);
    await through([ATTACHED, ...Array(3).fill(event(method, 300))], pieces, speech);
    expect(told).toBe(times);
  });
});
