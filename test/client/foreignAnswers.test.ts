import { describe, expect, it } from 'vitest';
import { PagespaceClient, UnexpectedResponseError } from '../../src/client/main.ts';

const answering = (answer: () => Promise<Response>) =>
  new PagespaceClient({ url: 'http://127.0.0.1:1', key: 'psk_', fetch: answer });

const failed = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    error => error,
  );

describe('PagespaceClient', () => {
  it.each([
    '{"data":{"observe":5}}',
    '{"data":{"startSession":5}}',
    '{"data":5}',
    '{"data":{"startSession":null},"errors":[{"message":"x","extensions":{"code":"\\u001b[2J"}}]}',
    '{"errors":[{"message":"x","extensions":{"code":5}}]}',
  ])('throws UnexpectedResponseError for %s, which is not of the service', async text => {
    expect(await failed(answering(async () => new Response(text)).start())).toBeInstanceOf(
      UnexpectedResponseError,
    );
  });

  it('stops reading a body that does not end', async () => {
    const chunk = new Uint8Array(16_777_216).fill(0x20);
    let isCancelled = false;
    const endless = answering(async () => {
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => controller.enqueue(chunk);
      const cancel = () => {
        isCancelled = true;
      };
      return new Response(new ReadableStream({ pull, cancel }));
    });
    expect(await failed(endless.start())).toBeInstanceOf(UnexpectedResponseError);
    expect(isCancelled).toBe(true);
  });
});
