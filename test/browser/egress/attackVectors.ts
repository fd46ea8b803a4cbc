/** Every known way in which a page can make the browser send a request. Ids are permanent: never reuse or renumber one. */

/** One attacking page; `to` is the URL that it tries to request. */
export interface Vector {
  readonly id: string;
  readonly what: string;
  /** The page's body. */
  readonly body?: (to: string) => string;
  /** Response headers of the page. */
  readonly headers?: (to: string) => Readonly<Record<string, string>>;
  /** Further documents of the site under `/part/<id>`: content type and content. */
  readonly part?: (to: string) => readonly [type: string, content: string];
  /** True when it opens windows, leaves its page or runs on after it: then other rows cannot use its tabs. */
  readonly ownTabs?: boolean;
  /** True when Chromium does this only for https and loopback; then it is not tried with a plain-http name. */
  readonly trustworthyOnly?: boolean;
}

const js = (code: (to: string) => string): Pick<Vector, 'body'> => ({
  body: to => `<body><script type="module">${code(JSON.stringify(to).replaceAll('<', '\\u003c'))}</script>`,
});
const tag = (markup: (to: string) => string): Pick<Vector, 'body'> => ({ body: to => `<body>${markup(to)}` });
const part = (id: string, to: string) => `/part/${id}?to=${encodeURIComponent(to)}`;

const row = (id: string, what: string, parts: Omit<Vector, 'id' | 'what'>): Vector => ({
  id,
  what,
  ...parts,
});

export const VECTORS: readonly Vector[] = [
  row(
    'V-001',
    'img',
    tag(to => `<img src="${to}">`),
  ),
  row(
    'V-002',
    'img srcset',
    tag(to => `<img srcset="${to} 1x">`),
  ),
  row(
    'V-003',
    'picture source',
    tag(to => `<picture><source srcset="${to}"><img></picture>`),
  ),
  row(
    'V-004',
    'input type=image',
    tag(to => `<input type="image" src="${to}">`),
  ),
  row('V-005', 'body background', { body: to => `<body background="${to}">` }),
  row(
    'V-006',
    'SVG image',
    tag(to => `<svg><image href="${to}" width="9" height="9"/></svg>`),
  ),
  row(
    'V-007',
    'SVG feImage',
    tag(
      to =>
        `<svg><filter id="f"><feImage href="${to}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
    ),
  ),
  row(
    'V-008',
    'video',
    tag(to => `<video src="${to}" preload="auto"></video>`),
  ),
  row(
    'V-009',
    'video poster',
    tag(to => `<video poster="${to}"></video>`),
  ),
  row(
    'V-010',
    'audio',
    tag(to => `<audio src="${to}" preload="auto"></audio>`),
  ),
  row(
    'V-011',
    'text track',
    tag(to => `<video src="/none" crossorigin><track default kind="subtitles" src="${to}"></video>`),
  ),
  row(
    'V-012',
    'script',
    tag(to => `<script src="${to}"></script>`),
  ),
  row(
    'V-013',
    'module script',
    tag(to => `<script type="module" src="${to}"></script>`),
  ),
  row(
    'V-014',
    'dynamic import',
    js(to => `import(${to})`),
  ),
  row(
    'V-015',
    'static import',
    js(to => `import ${to}`),
  ),
  row(
    'V-016',
    'stylesheet',
    tag(to => `<link rel="stylesheet" href="${to}">`),
  ),
  row(
    'V-017',
    'CSS @import',
    tag(to => `<style>@import "${to}";</style>`),
  ),
  row(
    'V-018',
    'CSS url()',
    tag(to => `<style>body{background:url("${to}")}</style>`),
  ),
  row(
    'V-019',
    'CSS web font',
    tag(to => `<style>@font-face{font-family:x;src:url("${to}")}p{font-family:x}</style><p>a`),
  ),
  row(
    'V-020',
    'CSS cursor',
    tag(to => `<style>body{cursor:url("${to}"),auto;list-style:url("${to}")}</style><li>a`),
  ),
  row(
    'V-021',
    'CSS border image',
    tag(to => `<p style='border:9px solid;border-image:url("${to}")'>a`),
  ),
  row(
    'V-022',
    'CSS mask',
    tag(to => `<p style='mask-image:url("${to}")'>a`),
  ),
  row(
    'V-023',
    'iframe',
    tag(to => `<iframe src="${to}"></iframe>`),
  ),
  row(
    'V-024',
    'iframe in srcdoc',
    tag(to => `<iframe srcdoc="<iframe src='${to}'></iframe>"></iframe>`),
  ),
  row('V-025', 'frameset', { body: to => `<frameset><frame src="${to}"></frameset>` }),
  row(
    'V-026',
    'sandboxed iframe',
    tag(to => `<iframe sandbox src="${to}"></iframe>`),
  ),
  row(
    'V-027',
    'object',
    tag(to => `<object data="${to}"></object>`),
  ),
  row(
    'V-028',
    'embed',
    tag(to => `<embed src="${to}">`),
  ),
  row(
    'V-029',
    'data: frame that asks',
    tag(to => `<iframe src="data:text/html,<img src='${to}'>"></iframe>`),
  ),
  row(
    'V-030',
    'blob: frame that asks',
    js(
      to =>
        `document.body.append(Object.assign(document.createElement('iframe'),{src:URL.createObjectURL(new Blob(['<img src="'+${to}+'">'],{type:'text/html'}))}))`,
    ),
  ),
  row(
    'V-031',
    'javascript: frame',
    tag(to => `<iframe src="javascript:location='${to}'"></iframe>`),
  ),
  row(
    'V-032',
    'link prefetch',
    tag(to => `<link rel="prefetch" href="${to}">`),
  ),
  row(
    'V-033',
    'link preload',
    tag(to => `<link rel="preload" as="image" href="${to}">`),
  ),
  row(
    'V-034',
    'link modulepreload',
    tag(to => `<link rel="modulepreload" href="${to}">`),
  ),
  row(
    'V-035',
    'link preconnect, then a request',
    tag(to => `<link rel="preconnect" href="${to}"><link rel="dns-prefetch" href="${to}"><img src="${to}">`),
  ),
  row(
    'V-036',
    'fetch',
    js(to => `fetch(${to},{mode:'no-cors'})`),
  ),
  row(
    'V-037',
    'fetch with preflight',
    js(to => `fetch(${to},{method:'PUT',headers:{x:'y'}})`),
  ),
  row('V-038', 'fetch that outlives its page', {
    ownTabs: true,
    ...js(to => `fetch(${to},{mode:'no-cors',keepalive:true});location='/'`),
  }),
  row(
    'V-039',
    'XMLHttpRequest',
    js(to => `const x=new XMLHttpRequest();x.open('GET',${to});x.send()`),
  ),
  row(
    'V-040',
    'synchronous XMLHttpRequest',
    js(to => `const x=new XMLHttpRequest();x.open('GET',${to},false);x.send()`),
  ),
  row(
    'V-041',
    'sendBeacon',
    js(to => `navigator.sendBeacon(${to},'x')`),
  ),
  row(
    'V-042',
    'EventSource',
    js(to => `new EventSource(${to})`),
  ),
  row(
    'V-043',
    'WebSocket',
    js(to => `new WebSocket(${to}.replace('http','ws'))`),
  ),
  row('V-044', 'worker', {
    ...js(to => `new Worker(URL.createObjectURL(new Blob(["fetch('"+${to}+"',{mode:'no-cors'})"])))`),
  }),
  row(
    'V-045',
    'importScripts in a worker',
    js(to => `new Worker(URL.createObjectURL(new Blob(["importScripts('"+${to}+"')"])))`),
  ),
  row('V-046', 'shared worker', {
    ownTabs: true,
    ...js(to => `new SharedWorker(URL.createObjectURL(new Blob(["fetch('"+${to}+"',{mode:'no-cors'})"])))`),
  }),
  row('V-047', 'service worker', {
    ownTabs: true,
    ...js(to => `navigator.serviceWorker.register('/part/V-047?to='+encodeURIComponent(${to}))`),
    part: to => [
      'text/javascript',
      `self.oninstall=e=>e.waitUntil(fetch('${to}',{mode:'no-cors'}).catch(()=>{}))`,
    ],
  }),
  row('V-048', 'service worker that imports', {
    ownTabs: true,
    ...js(to => `navigator.serviceWorker.register('/part/V-048?to='+encodeURIComponent(${to}))`),
    part: to => ['text/javascript', `importScripts('${to}')`],
  }),
  row('V-049', 'service worker in the way of a request', {
    ownTabs: true,
    ...js(
      to => `const r=await navigator.serviceWorker.register('/part/V-049?to='+encodeURIComponent(${to}),{scope:location.pathname+location.search});
      await navigator.serviceWorker.ready; if(!navigator.serviceWorker.controller) await new Promise(d=>navigator.serviceWorker.oncontrollerchange=d); fetch('/part/asked')`,
    ),
    part: to => [
      'text/javascript',
      `self.oninstall=()=>self.skipWaiting();self.onactivate=e=>e.waitUntil(self.clients.claim());self.onfetch=e=>e.respondWith(fetch('${to}',{mode:'no-cors'}))`,
    ],
  }),
  row(
    'V-050',
    'Cache.add',
    js(to => `(await caches.open('c')).add(new Request(${to},{mode:'no-cors'}))`),
  ),
  row(
    'V-051',
    'worklet',
    js(
      to =>
        `CSS.paintWorklet ? CSS.paintWorklet.addModule(${to}) : new AudioContext().audioWorklet.addModule(${to})`,
    ),
  ),
  row('V-052', 'location', { ownTabs: true, ...js(to => `location=${to}`) }),
  row('V-053', 'location.replace', { ownTabs: true, ...js(to => `location.replace(${to})`) }),
  row('V-054', 'meta refresh', {
    ownTabs: true,
    body: to => `<meta http-equiv="refresh" content="0;url=${to}">`,
  }),
  row('V-055', 'Refresh header', { ownTabs: true, headers: to => ({ refresh: `0;url=${to}` }) }),
  row('V-056', 'a click on a link', {
    ownTabs: true,
    ...tag(to => `<a id="a" href="${to}">a</a><script>a.click()</script>`),
  }),
  row('V-057', 'a link in a new tab', {
    ownTabs: true,
    ...tag(to => `<a id="a" href="${to}" target="_blank">a</a><script>a.click()</script>`),
  }),
  row('V-058', 'a download link', {
    ownTabs: true,
    ...tag(to => `<a id="a" href="${to}" download>a</a><script>a.click()</script>`),
  }),
  row('V-059', 'window.open', { ownTabs: true, ...js(to => `window.open(${to})`) }),
  row('V-060', 'window.open without opener', {
    ownTabs: true,
    ...js(to => `window.open(${to},'_blank','noopener')`),
  }),
  row('V-061', 'about:blank window that goes on', {
    ownTabs: true,
    ...js(to => `window.open('about:blank').location=${to}`),
  }),
  row('V-062', 'form GET', {
    ownTabs: true,
    ...tag(to => `<form id="f" action="${to}"></form><script>f.submit()</script>`),
  }),
  row('V-063', 'form POST', {
    ownTabs: true,
    ...tag(
      to =>
        `<form id="f" action="${to}" method="post"><input name="a" value="b"></form><script>f.submit()</script>`,
    ),
  }),
  row('V-064', 'form POST with a file body', {
    ownTabs: true,
    ...tag(
      to =>
        `<form id="f" action="${to}" method="post" enctype="multipart/form-data"><input name="a"></form><script>f.submit()</script>`,
    ),
  }),
  row(
    'V-065',
    'form into a frame',
    tag(
      to =>
        `<iframe name="n"></iframe><form id="f" action="${to}" target="n"></form><script>f.submit()</script>`,
    ),
  ),
  row('V-066', 'base and a relative address', {
    body: to => `<base href="${to}"><body><img src="">${`<img src="${to}">`}`,
  }),
  row('V-067', 'CSP report', {
    headers: to => ({ 'content-security-policy': `img-src 'none'; report-uri ${to}` }),
    body: () => '<body><img src="/none">',
  }),
  row('V-068', 'Link header preload', { headers: to => ({ link: `<${to}>; rel=preload; as=image` }) }),
  row(
    'V-069',
    'favicon or an image beside it',
    tag(to => `<link rel="icon" href="${to}"><img src="${to}">`),
  ),
  row(
    'V-070',
    'redirect 301',
    tag(to => `<img src="/redirect/301?to=${encodeURIComponent(to)}">`),
  ),
  row(
    'V-071',
    'redirect 303 of a POST',
    js(to => `fetch('/redirect/303?to='+encodeURIComponent(${to}),{method:'POST',body:'x',mode:'no-cors'})`),
  ),
  row(
    'V-072',
    'redirect 307 of a POST',
    js(to => `fetch('/redirect/307?to='+encodeURIComponent(${to}),{method:'POST',body:'x',mode:'no-cors'})`),
  ),
  row(
    'V-073',
    'redirect 308 of a frame',
    tag(to => `<iframe src="/redirect/308?to=${encodeURIComponent(to)}"></iframe>`),
  ),
  row(
    'V-074',
    'redirect after a redirect',
    tag(
      to =>
        `<img src="/redirect/302?to=${encodeURIComponent(`/redirect/302?to=${encodeURIComponent(to)}`)}">`,
    ),
  ),
  row(
    'V-075',
    'redirect of a script',
    tag(to => `<script src="/redirect/302?to=${encodeURIComponent(to)}"></script>`),
  ),
  row('V-076', 'XSLT of an XML document', {
    ...tag(to => `<iframe src="${part('V-076', to)}"></iframe>`),
    part: to => ['text/xml', `<?xml version="1.0"?><?xml-stylesheet href="${to}" type="text/css"?><a/>`],
  }),
  row('V-077', 'SVG document with an image', {
    ...tag(to => `<iframe src="${part('V-077', to)}"></iframe>`),
    part: to => [
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg"><image href="${to}" width="9" height="9"/></svg>`,
    ],
  }),
  row('V-078', 'stylesheet of the site that asks', {
    ...tag(to => `<link rel="stylesheet" href="${part('V-078', to)}">`),
    part: to => ['text/css', `body{background:url("${to}")}`],
  }),
  row('V-079', 'import map', {
    body: to =>
      `<script type="importmap">{"imports":{"x":"${to}"}}</script><script type="module">import('x')</script>`,
  }),
  row(
    'V-080',
    'CSS image-set and content',
    tag(to => `<style>p::before{content:image-set("${to}" 1x)}</style><p>a`),
  ),
  row(
    'V-081',
    'media source element',
    tag(to => `<audio preload="auto"><source src="${to}" type="audio/mpeg"></audio>`),
  ),
  row(
    'V-082',
    'picture through new Image()',
    js(to => `new Image().src=${to}`),
  ),
  row(
    'V-083',
    'document.write of a script',
    tag(to => `<script>document.write('<script src="${to}"><\\/script>')</script>`),
  ),
  row(
    'V-084',
    'innerHTML with a handler',
    js(
      to => `document.body.innerHTML='<img src="x:" onerror="fetch(\\''+${to}+'\\',{mode:\\'no-cors\\'})">'`,
    ),
  ),
  row('V-085', 'unload of the page', {
    ownTabs: true,
    ...js(to => `onpagehide=()=>navigator.sendBeacon(${to});location='/'`),
  }),
  row('V-086', 'speculation rules prefetch', {
    ownTabs: true,
    trustworthyOnly: true,
    body: to =>
      `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  }),
  row('V-087', 'speculation rules prerender', {
    ownTabs: true,
    trustworthyOnly: true,
    body: to =>
      `<script type="speculationrules">{"prerender":[{"source":"list","urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  }),
  row('V-088', 'a link with ping', {
    ownTabs: true,
    ...tag(to => `<a id="a" href="/" ping="${to}">a</a><script>a.click()</script>`),
  }),
  row(
    'V-089',
    'WebSocketStream',
    js(to => `new WebSocketStream(${to}.replace('http','ws'))`),
  ),
  row('V-090', 'fetchLater', { trustworthyOnly: true, ...js(to => `fetchLater(${to},{activateAfter:0})`) }),
  row('V-091', 'segment of an HLS list', {
    ...tag(to => `<video src="${part('V-091', to)}" preload="auto" muted autoplay></video>`),
    part: to => [
      'application/vnd.apple.mpegurl',
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${to}\n#EXT-X-ENDLIST\n`,
    ],
  }),
  row(
    'V-092',
    'CSS shape',
    tag(to => `<p style='float:left;width:9px;height:9px;shape-outside:url("${to}")'>a`),
  ),
  row(
    'V-093',
    'import in a module worker',
    js(
      to =>
        `new Worker(URL.createObjectURL(new Blob(["import '"+${to}+"'"],{type:'text/javascript'})),{type:'module'})`,
    ),
  ),
  row(
    'V-094',
    'WebAssembly from a stream',
    js(to => `WebAssembly.compileStreaming(fetch(${to},{mode:'no-cors'}))`),
  ),
  row('V-095', 'navigation.navigate', { ownTabs: true, ...js(to => `navigation.navigate(${to})`) }),
  row('V-096', 'a window that sends its opener on', {
    ownTabs: true,
    ...js(to => `window.open('about:blank').eval('opener.location='+JSON.stringify(${to}))`),
  }),
  row(
    'V-097',
    'FontFace',
    js(to => `new FontFace('x','url('+${to}+')').load()`),
  ),
  row(
    'V-098',
    'WebSocket in a worker',
    js(
      to => `new Worker(URL.createObjectURL(new Blob(["new WebSocket('"+${to}.replace('http','ws')+"')"])))`,
    ),
  ),
  row(
    'V-099',
    'JSON module',
    js(to => `import(${to},{with:{type:'json'}})`),
  ),
  row(
    'V-100',
    'synchronous XMLHttpRequest in a worker',
    js(
      to =>
        `new Worker(URL.createObjectURL(new Blob(["const x=new XMLHttpRequest();x.open('GET','"+${to}+"',false);x.send()"])))`,
    ),
  ),
  row('V-101', 'fetch in a window of about:blank', {
    ownTabs: true,
    ...js(to => `window.open('about:blank').fetch(${to},{mode:'no-cors'})`),
  }),
  row('V-102', 'EventSource in a shared worker of a frame', {
    ownTabs: true,
    ...tag(to => `<iframe src="${part('V-102', to)}"></iframe>`),
    part: to => [
      'text/html',
      `<meta http-equiv="content-security-policy" content="img-src 'none'"><script>new SharedWorker(URL.createObjectURL(new Blob(["new EventSource('${to}')"])))</script>`,
    ],
  }),
];
