/**
 * Catalogue of what Chromium keeps for more than one page: each row leaves something in one session and looks for it in
 * another session of the same browser. docs/isolation.md explains the rows. Ids are permanent.
 */
export interface SharedState {
  readonly id: string;
  readonly what: string;
  /** A script that leaves the state, and returns a text that `find` can use as `LEFT`. */
  readonly leave: string;
  /** A script that looks for the state. */
  readonly find: string;
  /** The text that `find` returns where the state is visible, such as in the page that left it. `LEFT` stands for the text that `leave` returned. */
  readonly found: string;
}

/** Sends a request with or without a user name, and returns its status. */
const request = (open: string): string =>
  `new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = () => done(String(x.status)); x.open(${open}); x.send() })`;
const text = (path: string): string => `return (await fetch('${path}')).text()`;
const isFound = (condition: string): string => `return (${condition}) ? 'found' : 'nothing'`;

export const SHARED_STATE: readonly SharedState[] = [
  {
    id: 'G-001',
    what: 'cookies',
    leave: `document.cookie = 'left=1; max-age=1000'`,
    find: isFound(`document.cookie.includes('left')`),
    found: 'found',
  },
  {
    id: 'G-002',
    what: 'local storage',
    leave: 'localStorage.left = 1',
    find: isFound('localStorage.left'),
    found: 'found',
  },
  {
    id: 'G-003',
    what: 'databases',
    leave: `await new Promise(done => { indexedDB.open('left').onsuccess = done })`,
    find: isFound('(await indexedDB.databases()).length > 0'),
    found: 'found',
  },
  {
    id: 'G-004',
    what: 'caches of scripts',
    leave: `await (await caches.open('left')).put('/left', new Response('left'))`,
    find: isFound(`await caches.match('/left')`),
    found: 'found',
  },
  {
    id: 'G-005',
    what: 'files of the origin',
    leave: `await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true })`,
    find: isFound(`await (await navigator.storage.getDirectory()).getFileHandle('left').catch(() => null)`),
    found: 'found',
  },
  {
    id: 'G-006',
    what: 'the use of the storage quota',
    leave: `await (await caches.open('much')).put('/much', new Response('x'.repeat(3e6)))`,
    find: isFound('(await navigator.storage.estimate()).usage > 2e6'),
    found: 'found',
  },
  {
    id: 'G-007',
    what: 'the HTTP cache',
    leave: text('/counted'),
    find: text('/counted'),
    found: 'LEFT',
  },
  {
    id: 'G-008',
    what: 'prefetched resources',
    leave: `const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href: '/counted?prefetch' });
      await new Promise(done => { link.onload = done; document.head.append(link) }); ${text('/counted?prefetch')}`,
    find: text('/counted?prefetch'),
    found: 'LEFT',
  },
  {
    id: 'G-009',
    what: 'connections to a server',
    leave: text('/connection'),
    find: text('/connection'),
    found: 'LEFT',
  },
  {
    id: 'G-010',
    what: 'the user name and password of a server',
    leave: `return ${request(`'GET', '/password', true, 'user', 'secret'`)}`,
    find: `return ${request(`'GET', '/password'`)}`,
    found: '200',
  },
  {
    id: 'G-011',
    what: 'the name of a window',
    leave: `window.name = 'left'`,
    find: 'return window.name',
    found: 'left',
  },
  {
    id: 'G-012',
    what: 'messages of a BroadcastChannel',
    leave: `const sender = new BroadcastChannel('left'); setInterval(() => sender.postMessage('left'), 5)`,
    find: `const channel = new BroadcastChannel('left');
      return new Promise(done => { channel.onmessage = () => done('found'); setTimeout(done, 100, 'nothing') })`,
    found: 'found',
  },
  {
    id: 'G-013',
    what: 'shared workers',
    leave: `window.worker = new SharedWorker('/shared.js'); worker.port.postMessage('left')`,
    find: `const { port } = new SharedWorker('/shared.js');
      return new Promise(done => { port.onmessage = ({ data }) => done(data); port.postMessage(null) })`,
    found: 'left',
  },
  {
    id: 'G-014',
    what: 'service workers',
    leave: `await navigator.serviceWorker.register('/service.js'); await navigator.serviceWorker.ready`,
    find: isFound('(await navigator.serviceWorker.getRegistrations()).length > 0'),
    found: 'found',
  },
  {
    id: 'G-015',
    what: 'Web Locks',
    leave: `await new Promise(done => navigator.locks.request('left', () => { done(); return new Promise(() => {}) }))`,
    find: isFound('(await navigator.locks.query()).held.length > 0'),
    found: 'found',
  },
  {
    id: 'G-016',
    what: 'blob URLs',
    leave: `return URL.createObjectURL(new Blob(['left']))`,
    find: `return fetch('LEFT').then(response => response.text(), () => 'nothing')`,
    found: 'left',
  },
  {
    id: 'G-017',
    what: 'windows found by their name',
    leave: `window.name = 'target'`,
    find: `const found = open('', 'target'); const same = found === window; if (!same) found?.close(); return same ? 'found' : 'nothing'`,
    found: 'found',
  },
  {
    id: 'G-018',
    what: 'partitioned cookies',
    leave: `document.cookie = 'partitioned=1; Secure; SameSite=None; Path=/; Partitioned'`,
    find: isFound(`document.cookie.includes('partitioned')`),
    found: 'found',
  },
  {
    id: 'G-019',
    what: 'storage buckets',
    leave: `await navigator.storageBuckets.open('left')`,
    find: isFound(`(await navigator.storageBuckets.keys()).includes('left')`),
    found: 'found',
  },
  {
    id: 'G-020',
    what: 'fonts that a page adds',
    leave: `document.fonts.add(new FontFace('left', 'url(/left.woff2)'))`,
    find: isFound('document.fonts.size > 0'),
    found: 'found',
  },
  {
    id: 'G-021',
    what: 'addresses in the history',
    leave: `history.pushState(null, '', '/left'); history.pushState(null, '', '/left')`,
    find: isFound('history.length > 3'),
    found: 'found',
  },
];
