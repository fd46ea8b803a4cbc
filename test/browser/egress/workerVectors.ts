/** The ways in which a worker of a page can make the browser send a request. */
import { byScript, js, part, row, tag, type Vector } from './attackVector.ts';

export const WORKER_VECTORS: readonly Vector[] = [
  row('V-044', 'worker', {
    ...js(to => `new Worker(URL.createObjectURL(new Blob(["fetch('"+${to}+"',{mode:'no-cors'})"])))`),
  }),
  byScript(
    'V-045',
    'importScripts in a worker',
    to => `new Worker(URL.createObjectURL(new Blob(["importScripts('"+${to}+"')"])))`,
  ),
  row('V-046', 'shared worker', {
    ...js(to => `new SharedWorker(URL.createObjectURL(new Blob(["fetch('"+${to}+"',{mode:'no-cors'})"])))`),
  }),
  row('V-047', 'service worker', {
    oneTarget: true,
    ...js(
      to =>
        `navigator.serviceWorker.register('/part/V-047?to='+encodeURIComponent(${to}),{scope:location.pathname+location.search})`,
    ),
    part: to => [
      'text/javascript',
      `self.oninstall=e=>e.waitUntil(fetch('${to}',{mode:'no-cors'}).catch(()=>{}))`,
    ],
  }),
  row('V-048', 'service worker that imports', {
    oneTarget: true,
    ...js(
      to =>
        `navigator.serviceWorker.register('/part/V-048?to='+encodeURIComponent(${to}),{scope:location.pathname+location.search})`,
    ),
    part: to => ['text/javascript', `importScripts('${to}')`],
  }),
  row('V-049', 'service worker in the way of a request', {
    oneTarget: true,
    ...js(
      to => `const r=await navigator.serviceWorker.register('/part/V-049?to='+encodeURIComponent(${to}),{scope:location.pathname+location.search});
      await navigator.serviceWorker.ready; if(!navigator.serviceWorker.controller) await new Promise(d=>navigator.serviceWorker.oncontrollerchange=d); fetch('/part/asked')`,
    ),
    part: to => [
      'text/javascript',
      `self.oninstall=()=>self.skipWaiting();self.onactivate=e=>e.waitUntil(self.clients.claim());self.onfetch=e=>e.respondWith(fetch('${to}',{mode:'no-cors'}))`,
    ],
  }),
  byScript(
    'V-093',
    'import in a module worker',
    to =>
      `new Worker(URL.createObjectURL(new Blob(["import '"+${to}+"'"],{type:'text/javascript'})),{type:'module'})`,
  ),
  byScript(
    'V-098',
    'WebSocket in a worker',
    to => `new Worker(URL.createObjectURL(new Blob(["new WebSocket('"+${to}.replace('http','ws')+"')"])))`,
  ),
  byScript(
    'V-100',
    'synchronous XMLHttpRequest in a worker',
    to =>
      `new Worker(URL.createObjectURL(new Blob(["const x=new XMLHttpRequest();x.open('GET','"+${to}+"',false);x.send()"])))`,
  ),
  row('V-102', 'EventSource in a shared worker of a frame', {
    ...tag(to => `<iframe src="${part('V-102', to)}"></iframe>`),
    part: to => [
      'text/html',
      `<meta http-equiv="content-security-policy" content="img-src 'none'"><script>new SharedWorker(URL.createObjectURL(new Blob(["new EventSource('${to}')"])))</script>`,
    ],
  }),
];
