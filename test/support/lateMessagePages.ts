/** Pages whose late effects are answers of others: workers, service workers, sockets, streams, frames, popups. */
import { click, go, type LatePage, page } from './latePage.ts';

/** The address of the same server under its other name. */
const OTHER = `'http://localhost:' + location.port`;
/** Registers a service worker, if none controls the page yet. */
const CONTROLLED = `const workers = navigator.serviceWorker; if (!workers.controller) { workers.register('/late-sw.js'); await new Promise(r => { workers.oncontrollerchange = r }) }`;
const SOCKET = (path: string): string => `new WebSocket('ws://' + location.host + '${path}')`;

export const LATE_MESSAGE_PAGES: readonly LatePage[] = [
  click(
    'worker that answers without a question after 1200',
    `const w = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 1200)']))); w.onmessage = () => show('Result')`,
  ),
  click(
    'worker that reads a database, then 900',
    `const w = new Worker(URL.createObjectURL(new Blob(['onmessage = () => { const r = indexedDB.open("w" + Math.random()); r.onsuccess = () => setTimeout(() => postMessage(1), 900) }']))); w.onmessage = () => show('Result'); w.postMessage({ read: 1 })`,
  ),
  {
    ...click('storage event of a frame, fetch 500', ''),
    html: page(
      `<iframe src="/storing"></iframe>`,
      `addEventListener('storage', async () => { await api(500); show('Result') })`,
    ),
  },
  {
    ...click('frame of another origin that pays for 800, then 300', ''),
    html: page(
      `<iframe id="f"></iframe>`,
      `$('f').src = ${OTHER} + '/paying'; addEventListener('message', () => setTimeout(() => show('Result'), 300))`,
    ),
  },
  click(
    'answer of a frame of another origin after 1200',
    `$('f').contentWindow.postMessage('ask', '*')`,
    `${go}<iframe id="f"></iframe><script>addEventListener('load', () => {}); document.getElementById('f').src = ${OTHER} + '/answering'; onmessage = ({ data }) => data === 'answer' && show('Result')</script>`,
  ),
  click(
    'frame that loads again for 900',
    `$('f').contentWindow.location.reload()`,
    `${go}<iframe id="f" src="/counting"></iframe>`,
  ),
  click(
    'frame that gets another address for 900',
    `$('f').src = '/slow-frame'`,
    `${go}<iframe id="f" src="about:blank"></iframe>`,
  ),
  click(
    'popup that signs in for 700 and closes',
    `open('/signing', 'popup', 'width=300,height=300')`,
    `${go}<script>addEventListener('message', () => show('Result'))</script>`,
  ),
  click(
    'answer of a socket after 1500',
    `s.send('{"save":1,"ms":1500}')`,
    `${go}<script>const s = ${SOCKET('/socket')}; s.onmessage = ({ data }) => data !== 'beat' && show('Result')</script>`,
  ),
  click(
    'answer of a socket after 1000 beside beats of 200',
    `s.send('{"save":1,"ms":1000}')`,
    `${go}<script>const s = ${SOCKET('/socket?beats')}; s.onmessage = ({ data }) => data !== 'beat' && show('Result')</script>`,
  ),
  click(
    'first message of a new socket after 900',
    `const s = ${SOCKET('/socket?greets')}; s.onmessage = () => show('Result')`,
  ),
  click(
    'subscription over a socket, next after 800',
    `const s = ${SOCKET('/socket?subscription')}; s.onopen = () => s.send('{"type":"connection_init"}');
     s.onmessage = ({ data }) => { const { type } = JSON.parse(data); if (type === 'connection_ack') s.send('{"type":"subscribe","id":"1"}'); else show('Result') }`,
  ),
  click(
    'first message of an event stream after 1000',
    `new EventSource('/first').onmessage = () => show('Result')`,
  ),
  click(
    'subscription in parts of a response, first after 900',
    `const r = (await fetch('/parts')).body.getReader(); const d = new TextDecoder(); for (;;) { const { value, done } = await r.read(); if (done) break; if (d.decode(value).includes('next')) show('Result') }`,
  ),
  click(
    'answer that grows for 1800',
    `$('out').textContent = ''; const r = (await fetch('/growing')).body.getReader(); const d = new TextDecoder();
     for (;;) { const { value, done } = await r.read(); if (done) break; $('out').append(d.decode(value)) } show('Result')`,
  ),
  click(
    'service worker that answers a request after 900',
    `${CONTROLLED}; await (await fetch('/of-worker')).text(); show('Result')`,
  ),
  click(
    'message of a service worker after 900',
    `(await navigator.serviceWorker.ready).active.postMessage({ ask: 1 })`,
    `${go}<script>navigator.serviceWorker.register('/late-sw.js'); navigator.serviceWorker.onmessage = () => show('Result')</script>`,
  ),
  click(
    'news of a long poll 900 after a post',
    `await fetch('/poll-push?k=' + location.pathname, { method: 'POST' })`,
    `${go}<script>addEventListener('load', async () => { for (;;) { const { n } = await (await fetch('/long-poll?k=' + location.pathname)).json(); if (n) show('Result') } })</script>`,
  ),
];
