/** Every known way in which a page can make the browser send a request. Ids are permanent: never reuse or renumber one. */
import { byScript, byTag, js, part, row, tag, type Vector } from './attackVector.ts';
import { WORKER_VECTORS } from './workerVectors.ts';

export const VECTORS: readonly Vector[] = [
  ...WORKER_VECTORS,
  byTag('V-001', 'img', to => `<img src="${to}">`),
  byTag('V-002', 'img srcset', to => `<img srcset="${to} 1x">`),
  byTag('V-003', 'picture source', to => `<picture><source srcset="${to}"><img></picture>`),
  byTag('V-004', 'input type=image', to => `<input type="image" src="${to}">`),
  row('V-005', 'body background', { oneTarget: true, body: to => `<body background="${to}">` }),
  byTag('V-006', 'SVG image', to => `<svg><image href="${to}" width="9" height="9"/></svg>`),
  byTag(
    'V-007',
    'SVG feImage',
    to =>
      `<svg><filter id="f"><feImage href="${to}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  ),
  byTag('V-008', 'video', to => `<video src="${to}" preload="auto"></video>`),
  byTag('V-009', 'video poster', to => `<video poster="${to}"></video>`),
  byTag('V-010', 'audio', to => `<audio src="${to}" preload="auto"></audio>`),
  byTag(
    'V-011',
    'text track',
    to => `<video src="/none" crossorigin><track default kind="subtitles" src="${to}"></video>`,
  ),
  byTag('V-012', 'script', to => `<script src="${to}"></script>`),
  byTag('V-013', 'module script', to => `<script type="module" src="${to}"></script>`),
  byScript('V-014', 'dynamic import', to => `import(${to})`),
  byScript('V-015', 'static import', to => `import ${to}`),
  byTag('V-016', 'stylesheet', to => `<link rel="stylesheet" href="${to}">`),
  byTag('V-017', 'CSS @import', to => `<style>@import "${to}";</style>`),
  row('V-018', 'CSS url()', {
    oneTarget: true,
    ...tag(to => `<style>body{background:url("${to}")}</style>`),
  }),
  byTag(
    'V-019',
    'CSS web font',
    to => `<style>@font-face{font-family:x;src:url("${to}")}p{font-family:x}</style><p>a`,
  ),
  row('V-020', 'CSS cursor', {
    oneTarget: true,
    ...tag(to => `<style>body{cursor:url("${to}"),auto;list-style:url("${to}")}</style><li>a`),
  }),
  byTag('V-021', 'CSS border image', to => `<p style='border:9px solid;border-image:url("${to}")'>a`),
  byTag('V-022', 'CSS mask', to => `<p style='mask-image:url("${to}")'>a`),
  byTag('V-023', 'iframe', to => `<iframe src="${to}"></iframe>`),
  byTag('V-024', 'iframe in srcdoc', to => `<iframe srcdoc="<iframe src='${to}'></iframe>"></iframe>`),
  row('V-025', 'frameset', { oneTarget: true, body: to => `<frameset><frame src="${to}"></frameset>` }),
  byTag('V-026', 'sandboxed iframe', to => `<iframe sandbox src="${to}"></iframe>`),
  byTag('V-027', 'object', to => `<object data="${to}"></object>`),
  byTag('V-028', 'embed', to => `<embed src="${to}">`),
  byTag('V-029', 'data: frame that asks', to => `<iframe src="data:text/html,<img src='${to}'>"></iframe>`),
  byScript(
    'V-030',
    'blob: frame that asks',
    to =>
      `document.body.append(Object.assign(document.createElement('iframe'),{src:URL.createObjectURL(new Blob(['<img src="'+${to}+'">'],{type:'text/html'}))}))`,
  ),
  byTag('V-031', 'javascript: frame', to => `<iframe src="javascript:location='${to}'"></iframe>`),
  byTag('V-032', 'link prefetch', to => `<link rel="prefetch" href="${to}">`),
  byTag('V-033', 'link preload', to => `<link rel="preload" as="image" href="${to}">`),
  byTag('V-034', 'link modulepreload', to => `<link rel="modulepreload" href="${to}">`),
  byTag(
    'V-035',
    'link preconnect, then a request',
    to => `<link rel="preconnect" href="${to}"><link rel="dns-prefetch" href="${to}"><img src="${to}">`,
  ),
  byScript('V-036', 'fetch', to => `fetch(${to},{mode:'no-cors'})`),
  byScript('V-037', 'fetch with preflight', to => `fetch(${to},{method:'PUT',headers:{x:'y'}})`),
  row('V-038', 'fetch that outlives its page', {
    oneTarget: true,
    ...js(to => `fetch(${to},{mode:'no-cors',keepalive:true});location='/'`),
  }),
  byScript('V-039', 'XMLHttpRequest', to => `const x=new XMLHttpRequest();x.open('GET',${to});x.send()`),
  row('V-040', 'synchronous XMLHttpRequest', {
    blocks: true,
    ...js(to => `const x=new XMLHttpRequest();x.open('GET',${to},false);x.send()`),
  }),
  byScript('V-041', 'sendBeacon', to => `navigator.sendBeacon(${to},'x')`),
  byScript('V-042', 'EventSource', to => `new EventSource(${to})`),
  byScript('V-043', 'WebSocket', to => `new WebSocket(${to}.replace('http','ws'))`),
  byScript('V-050', 'Cache.add', to => `(await caches.open('c')).add(new Request(${to},{mode:'no-cors'}))`),
  byScript(
    'V-051',
    'worklet',
    to =>
      `CSS.paintWorklet ? CSS.paintWorklet.addModule(${to}) : new AudioContext().audioWorklet.addModule(${to})`,
  ),
  row('V-052', 'location', { ownTab: true, ...js(to => `location=${to}`) }),
  row('V-053', 'location.replace', { ownTab: true, ...js(to => `location.replace(${to})`) }),
  row('V-054', 'meta refresh', {
    ownTab: true,
    body: to => `<meta http-equiv="refresh" content="0;url=${to}">`,
  }),
  row('V-055', 'Refresh header', { ownTab: true, headers: to => ({ refresh: `0;url=${to}` }) }),
  row('V-056', 'a click on a link', {
    ownTab: true,
    ...tag(to => `<a id="a" href="${to}">a</a><script>a.click()</script>`),
  }),
  row('V-057', 'a link in a new tab', {
    oneTarget: true,
    ...tag(to => `<a id="a" href="${to}" target="_blank">a</a><script>a.click()</script>`),
  }),
  row('V-058', 'a download link', {
    ownTab: true,
    ...tag(to => `<a id="a" href="${to}" download>a</a><script>a.click()</script>`),
  }),
  byScript('V-059', 'window.open', to => `window.open(${to})`),
  row('V-060', 'window.open without opener', {
    ...js(to => `window.open(${to},'_blank','noopener')`),
  }),
  row('V-061', 'about:blank window that goes on', {
    ...js(to => `window.open('about:blank').location=${to}`),
  }),
  row('V-062', 'form GET', {
    ownTab: true,
    ...tag(to => `<form id="f" action="${to}"></form><script>f.submit()</script>`),
  }),
  row('V-063', 'form POST', {
    ownTab: true,
    ...tag(
      to =>
        `<form id="f" action="${to}" method="post"><input name="a" value="b"></form><script>f.submit()</script>`,
    ),
  }),
  row('V-064', 'form POST with a file body', {
    ownTab: true,
    ...tag(
      to =>
        `<form id="f" action="${to}" method="post" enctype="multipart/form-data"><input name="a"></form><script>f.submit()</script>`,
    ),
  }),
  row('V-065', 'form into a frame', {
    oneTarget: true,
    ...tag(
      to =>
        `<iframe name="n"></iframe><form id="f" action="${to}" target="n"></form><script>f.submit()</script>`,
    ),
  }),
  row('V-066', 'base and a relative address', {
    body: to => `<base href="${to}"><body><img src="">${`<img src="${to}">`}`,
  }),
  row('V-067', 'CSP report', {
    headers: to => ({ 'content-security-policy': `img-src 'none'; report-uri ${to}` }),
    body: () => '<body><img src="/none">',
  }),
  row('V-068', 'Link header preload', { headers: to => ({ link: `<${to}>; rel=preload; as=image` }) }),
  byTag('V-069', 'favicon or an image beside it', to => `<link rel="icon" href="${to}"><img src="${to}">`),
  byTag('V-070', 'redirect 301', to => `<img src="/redirect/301?to=${encodeURIComponent(to)}">`),
  byScript(
    'V-071',
    'redirect 303 of a POST',
    to => `fetch('/redirect/303?to='+encodeURIComponent(${to}),{method:'POST',body:'x',mode:'no-cors'})`,
  ),
  byScript(
    'V-072',
    'redirect 307 of a POST',
    to => `fetch('/redirect/307?to='+encodeURIComponent(${to}),{method:'POST',body:'x',mode:'no-cors'})`,
  ),
  byTag(
    'V-073',
    'redirect 308 of a frame',
    to => `<iframe src="/redirect/308?to=${encodeURIComponent(to)}"></iframe>`,
  ),
  byTag(
    'V-074',
    'redirect after a redirect',
    to => `<img src="/redirect/302?to=${encodeURIComponent(`/redirect/302?to=${encodeURIComponent(to)}`)}">`,
  ),
  byTag(
    'V-075',
    'redirect of a script',
    to => `<script src="/redirect/302?to=${encodeURIComponent(to)}"></script>`,
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
    oneTarget: true,
    ...tag(to => `<link rel="stylesheet" href="${part('V-078', to)}">`),
    part: to => ['text/css', `body{background:url("${to}")}`],
  }),
  row('V-079', 'import map', {
    oneTarget: true,
    body: to =>
      `<script type="importmap">{"imports":{"x":"${to}"}}</script><script type="module">import('x')</script>`,
  }),
  row('V-080', 'CSS image-set and content', {
    oneTarget: true,
    ...tag(to => `<style>p::before{content:image-set("${to}" 1x)}</style><p>a`),
  }),
  byTag(
    'V-081',
    'media source element',
    to => `<audio preload="auto"><source src="${to}" type="audio/mpeg"></audio>`,
  ),
  byScript('V-082', 'picture through new Image()', to => `new Image().src=${to}`),
  byTag(
    'V-083',
    'document.write of a script',
    to => `<script>document.write('<script src="${to}"><\\/script>')</script>`,
  ),
  byScript(
    'V-084',
    'innerHTML with a handler',
    to => `document.body.innerHTML='<img src="x:" onerror="fetch(\\''+${to}+'\\',{mode:\\'no-cors\\'})">'`,
  ),
  row('V-085', 'unload of the page', {
    ownTab: true,
    ...js(to => `onpagehide=()=>navigator.sendBeacon(${to});location='/'`),
  }),
  row('V-086', 'speculation rules prefetch', {
    ownTab: true,
    trustworthyOnly: true,
    body: to =>
      `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  }),
  row('V-087', 'speculation rules prerender', {
    ownTab: true,
    trustworthyOnly: true,
    body: to =>
      `<script type="speculationrules">{"prerender":[{"source":"list","urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  }),
  row('V-088', 'a link with ping', {
    oneTarget: true,
    ...tag(to => `<a id="a" href="/" ping="${to}">a</a><script>a.click()</script>`),
  }),
  byScript('V-089', 'WebSocketStream', to => `new WebSocketStream(${to}.replace('http','ws'))`),
  row('V-090', 'fetchLater', {
    ownTab: true,
    trustworthyOnly: true,
    ...js(to => `fetchLater(${to},{activateAfter:0})`),
  }),
  row('V-091', 'segment of an HLS list', {
    ...tag(to => `<video src="${part('V-091', to)}" preload="auto" muted autoplay></video>`),
    part: to => [
      'application/vnd.apple.mpegurl',
      `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${to}\n#EXT-X-ENDLIST\n`,
    ],
  }),
  byTag(
    'V-092',
    'CSS shape',
    to => `<p style='float:left;width:9px;height:9px;shape-outside:url("${to}")'>a`,
  ),
  byScript(
    'V-094',
    'WebAssembly from a stream',
    to => `WebAssembly.compileStreaming(fetch(${to},{mode:'no-cors'}))`,
  ),
  row('V-095', 'navigation.navigate', { ownTab: true, ...js(to => `navigation.navigate(${to})`) }),
  row('V-096', 'a window that sends its opener on', {
    ownTab: true,
    ...js(to => `window.open('about:blank').eval('opener.location='+JSON.stringify(${to}))`),
  }),
  byScript('V-097', 'FontFace', to => `new FontFace('x','url('+${to}+')').load()`),
  byScript('V-099', 'JSON module', to => `import(${to},{with:{type:'json'}})`),
  row('V-101', 'fetch in a window of about:blank', {
    ...js(to => `window.open('about:blank').fetch(${to},{mode:'no-cors'})`),
  }),
  byTag('V-103', 'credentialless frame', to => `<iframe credentialless src="${to}"></iframe>`),
  byScript(
    'V-104',
    'fetch that names a local network',
    to => `fetch(${to},{mode:'no-cors',targetAddressSpace:'local'}).catch(()=>fetch(${to},{mode:'no-cors'}))`,
  ),
];
