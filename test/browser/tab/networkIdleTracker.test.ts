import { EventEmitter } from 'node:events';
import type { CDPSession } from 'playwright';
import { expect, it } from 'vitest';
import { NetworkIdleTracker } from '../../../src/browser/tab/networkIdleTracker.ts';

it('NetworkIdleTracker counts the navigations that a page has begun and that have no document', () => {
  const session = new EventEmitter();
  const tracker = new NetworkIdleTracker(session as unknown as CDPSession, 'top');
  const begin = (id: string): unknown =>
    session.emit('Network.requestWillBeSent', {
      ...{ requestId: id, loaderId: id, type: 'Document', frameId: 'top' },
      request: { method: 'GET', url: 'https://example.com/' },
    });
  for (const id of ['1', '2', '2', '3']) begin(id);
  expect(tracker.navigationsWithoutDocument).toBe(3);
  session.emit('Page.frameNavigated', { frame: { id: 'top', loaderId: '3', mimeType: 'text/html' } });
  expect(tracker.navigationsWithoutDocument).toBe(2);
});

it.each([
  [{ 'Content-Security-Policy': "script-src 'none'" }, true],
  [{ 'content-security-policy': "script-src 'self'" }, false],
  [{}, false],
])(
  'NetworkIdleTracker tells of the top document with the headers %j whether they forbid scripts',
  (headers, forbidsScripts) => {
    const session = new EventEmitter();
    const tracker = new NetworkIdleTracker(session as unknown as CDPSession, 'top');
    const request = { requestId: '1', loaderId: '1', type: 'Document', frameId: 'top' };
    session.emit('Network.requestWillBeSent', {
      ...request,
      request: { method: 'GET', url: 'https://example.com/' },
    });
    session.emit('Network.responseReceived', {
      ...request,
      response: { status: 200, mimeType: 'text/html', headers },
    });
    session.emit('Page.frameNavigated', { frame: { id: 'top', loaderId: '1', mimeType: 'text/html' } });
    expect(tracker.document?.forbidsScripts).toBe(forbidsScripts);
  },
);

it.each([
  ['https://example.com/a#part', null, 'https://example.com/a', true],
  ['https://example.com/a', 'https://example.com/b?c#d', 'https://example.com/b?c', true],
  ['https://example.com/a', 'https://example.com/b', 'https://example.com/a?c', false],
])(
  'NetworkIdleTracker tells whether a refresh of %s, whose script has set the address %s, to %s is a reload',
  (url, setUrl, target, isReload) => {
    const session = new EventEmitter();
    const tracker = new NetworkIdleTracker(session as unknown as CDPSession, 'top');
    session.emit('Page.frameNavigated', { frame: { id: 'top', loaderId: '1', mimeType: 'text/html', url } });
    if (setUrl !== null) session.emit('Page.navigatedWithinDocument', { frameId: 'top', url: setUrl });
    session.emit('Page.frameScheduledNavigation', { frameId: 'top', delay: 9, url: target });
    expect(tracker.scheduledNavigation?.isReload).toBe(isReload);
  },
);
