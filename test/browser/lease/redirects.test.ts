import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePages } from '../../support/servePages.ts';
import { type StartedService, startService } from '../../support/startService.ts';
import { startTestSite, type TestSite } from '../../support/testSite.ts';

let site: TestSite;
let started: StartedService;
beforeAll(async () => {
  site = await startTestSite();
  started = await startService();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await site.close();
});

const open = (path: string) =>
  started.service.observe(started.viewer, {
    sessionId: null,
    url: site.url + path,
    keepAlive: null,
    timeoutMinutes: null,
    screenshot: false,
    limits: { max: 100, min: null },
    data: null,
    space: true,
    signal: new AbortController().signal,
  });

test('observe answers URL_BLOCKED for a redirect to an address that may not be opened', async () => {
  const to = encodeURIComponent('http://10.0.0.1/');
  await expect(open(`/redirect?to=${to}`)).rejects.toMatchObject({
    code: 'URL_BLOCKED',
    message: expect.stringContaining('10.0.0.1'),
  });
});

test('observe answers NAVIGATION_FAILED with the last address after a redirect', async () => {
  const gone = await servePages({});
  await gone[Symbol.asyncDispose]();
  await expect(open(`/redirect?to=${encodeURIComponent(gone.url)}`)).rejects.toMatchObject({
    code: 'NAVIGATION_FAILED',
    message: expect.stringContaining(gone.url),
  });
});
