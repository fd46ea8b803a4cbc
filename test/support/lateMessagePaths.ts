/** Handlers of the paths and web sockets that the pages of `lateMessagePages` and `lateFlowPages` use. */
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { keepLateSocket } from './lateLeavingPages.ts';
import type { Page } from './servePages.ts';

const HTML = { 'content-type': 'text/html', 'cache-control': 'no-store' };
const SCRIPT = { 'content-type': 'text/javascript', 'cache-control': 'no-store' };

const after =
  (ms: number, headers: Record<string, string>, body: string | Buffer, status = 200): Page =>
  (_, response) => {
    setTimeout(() => response.writeHead(status, headers).end(body), ms);
  };
/** Sends the parts one after another, `ms` apart. */
const inParts =
  (ms: number, headers: Record<string, string>, parts: readonly string[]): Page =>
  (_, response) => {
    response.writeHead(200, headers);
    parts.forEach((part, nth) => {
      setTimeout(() => (nth === parts.length - 1 ? response.end(part) : response.write(part)), nth * ms);
    });
  };
const keyOf = (url = ''): string => new URL(url, 'http://x').searchParams.get('k') ?? '';
/** The open long polls, by the paths of their pages. */
const polls = new Map<string, ServerResponse>();

const SERVICE_WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', e => e.waitUntil(clients.claim()));
addEventListener('fetch', e => { if (new URL(e.request.url).pathname === '/of-worker') e.respondWith(new Promise(r => setTimeout(() => r(new Response('{}')), 900))) });
addEventListener('message', e => setTimeout(() => e.source.postMessage('answer'), 900));`;

export const LATE_MESSAGE_PATHS: Readonly<Record<string, Page>> = {
  '/storing': `<!doctype html><button onclick="localStorage.setItem('late', Math.random())">Go</button>`,
  '/paying': `<!doctype html><button onclick="fetch('/api?ms=800').then(() => parent.postMessage('paid', '*'))">Go</button>`,
  '/counting': after(
    900,
    HTML,
    `<!doctype html><button></button><script>document.querySelector('button').textContent = sessionStorage.late ? 'Result' : 'Old'; sessionStorage.late = 1</script>`,
  ),
  '/slow-frame': after(900, HTML, '<!doctype html><button>Result</button>'),
  '/signing': `<!doctype html><title>Sign in</title><p>Signing in</p><script>setTimeout(() => { opener.postMessage('signed in', '*'); close() }, 700)</script>`,
  '/first': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    setTimeout(() => response.write('data: 1\n\n'), 1_000);
  },
  '/parts': inParts(900, { 'content-type': 'multipart/mixed; boundary="-"' }, [
    '\r\n---\r\n',
    'content-type: application/json\r\n\r\n{"type":"next"}\r\n---\r\n',
    'content-type: application/json\r\n\r\n{}\r\n-----\r\n',
  ]),
  '/growing': inParts(
    150,
    { 'content-type': 'text/plain' },
    'Here is the answer to what you have asked me just now .'.split(' ').map(word => `${word} `),
  ),
  '/late-sw.js': after(0, SCRIPT, SERVICE_WORKER),
  '/module-a': after(500, SCRIPT, `export { show } from '/module-b'`),
  '/module-b': after(500, SCRIPT, 'export const show = () => window.showResult()'),
  '/callback': after(1_100, SCRIPT, 'called()'),
  '/failing': after(1_500, { 'content-type': 'application/json' }, '{}', 500),
  '/failing-once': ({ url }, response) => {
    setTimeout(() => response.writeHead(url?.endsWith('?0') ? 200 : 503).end('{}'), 100);
  },
  '/long-poll': ({ url }, response) => {
    polls.set(keyOf(url), response);
  },
  '/poll-push': ({ url }, response) => {
    response.writeHead(202).end();
    setTimeout(() => polls.get(keyOf(url))?.writeHead(200).end('{"n":1}'), 900);
  },
  '/refreshing':
    '<!doctype html><meta http-equiv="refresh" content="1;url=/result"><title>Wait</title><p>One moment</p>',
  '/refreshed': after(
    0,
    { ...HTML, refresh: '2;url=/result' },
    '<!doctype html><title>Sent</title><p>Order received</p>',
  ),
  '/streamed': inParts(1_200, HTML, [
    `<!doctype html><title>Parts</title><div id="b"><p>Fallback</p></div>${' '.repeat(2_000)}`,
    `<template id="t"><button>Result</button></template><script>document.getElementById('b').replaceChildren(document.getElementById('t').content)</script>`,
  ]),
  '/filled': `<!doctype html><title>Filled</title><h1>Orders</h1><div id="o"></div><script>addEventListener('load', () => setTimeout(() => fetch('/api?ms=600').then(() => { document.getElementById('o').innerHTML = '<button>Result</button>' }), 300))</script>`,
  '/program': after(700, { 'content-type': 'application/wasm' }, Buffer.from([0, 97, 115, 109, 1, 0, 0, 0])),
};

/** Answers the messages of a web socket as its page expects. @param kind the query of its address */
export function answerLateSocket(socket: WebSocket, kind: string): void {
  keepLateSocket(socket, kind);
  if (kind === '?greets') setTimeout(() => socket.send('hello'), 900);
  if (kind === '?beats') {
    const beats = setInterval(() => socket.send('beat'), 200);
    socket.on('close', () => clearInterval(beats));
  }
  socket.on('message', data => {
    const { type, ms } = JSON.parse(String(data)) as { type?: string; ms?: number };
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    else setTimeout(() => socket.send('{"type":"next"}'), ms ?? 800);
  });
}
