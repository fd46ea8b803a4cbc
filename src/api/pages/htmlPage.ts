import type { HttpContext } from '../http/httpContext.ts';
import { gzipAsync, type HttpResponse } from '../http/httpResponse.ts';

/**
 * Returns a handler that serves a file, compressed with gzip if the caller accepts it. Reads and compresses the file at the
 * first request, and keeps it in memory.
 * @param load reads the file; called once
 * @param type the Content-Type
 * @param moreHeaders further headers; they replace the default `Cache-Control` of one hour
 */
export function staticAsset(
  load: () => Promise<string | Uint8Array> | string,
  type: string,
  moreHeaders: Readonly<Record<string, string>> = {},
): (http: HttpContext) => Promise<HttpResponse> {
  let loaded: Promise<{ plain: Uint8Array; compressed: Uint8Array }> | null = null;
  const read = async () => {
    const content = await load();
    const plain = typeof content === 'string' ? Buffer.from(content) : content;
    return { plain, compressed: await gzipAsync(plain) };
  };
  return async ({ headers }) => {
    loaded ??= read();
    const { plain, compressed } = await loaded;
    const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    return {
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'public, max-age=3600',
        vary: 'accept-encoding',
        ...moreHeaders,
        ...(acceptsGzip && { 'content-encoding': 'gzip' }),
      },
      body: acceptsGzip ? compressed : plain,
    };
  };
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';
export const HTML = 'text/html; charset=utf-8';

/** The Content-Security-Policy of pages without a script: the style sheet of the service and data images. */
const STATIC_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const PAGE_CSS_PATH = '/assets/page.css';

/** Creates a response with an HTML document. @param policy the value of its Content-Security-Policy */
export const htmlResponse = (text: string, policy: string): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  },
  body: text,
});

/** @param title as text, which is escaped here @param body as HTML */
export const htmlPage = (title: string, body: string, policy: string = STATIC_PAGE_POLICY): HttpResponse =>
  htmlResponse(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PAGE_CSS_PATH}">
<main>
${body}
</main>
</html>
`,
    policy,
  );

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);

export const PAGE_CSS = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2430, #e4e8ef);
  --soft: light-dark(#5a6577, #98a3b5);
  --ground: light-dark(#fbfbf9, #14181f);
  --raised: light-dark(#f0f1ee, #1d232d);
  --line: light-dark(#dcdfda, #2d3542);
  --accent: light-dark(#0b6b58, #5fd0b4);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3.5rem 1.25rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem; }
p { margin: 0 0 1rem; }
.lead { font-size: 1.15rem; color: var(--soft); }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
p.brand { display: flex; align-items: center; gap: .6rem; margin: -1.5rem 0 2.25rem; font-weight: 700; letter-spacing: -.01em; }
p.brand span { width: 1.25rem; height: 1.25rem; border-radius: 5px; background: light-dark(#0b6b58, #157b67); box-shadow: inset 0 0 0 .28rem light-dark(#0b6b58, #157b67), inset 0 0 0 .42rem #fff; }
.doors { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.5rem 0 2rem; }
a.door { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--ink); font-weight: 600; text-decoration: none; }
a.door:hover { border-color: var(--accent); }
a.door.first { border-color: transparent; background: light-dark(#0b6b58, #157b67); color: #fff; }
.picture { display: grid; grid-template-columns: 1fr 1fr; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; box-shadow: 0 12px 40px light-dark(#0f1a1622, #00000070); }
.picture pre { margin: 0; border: 0; border-radius: 0; white-space: pre-wrap; }
.picture em { font-style: normal; font-weight: 700; color: var(--accent); }
.mock { display: flex; flex-wrap: wrap; align-content: flex-start; gap: .6rem 1.1rem; padding: 0 1.25rem 1.5rem; background: #fdf8f1; color: #2a211a; font: .85rem/1.5 Georgia, serif; }
.mock i { flex: 0 0 calc(100% + 2.5rem); height: 1.6rem; margin: 0 -1.25rem .5rem; background: #e9e2d8; }
.mock b, .mock .text { flex: 1 0 100%; }
.mock b { margin-top: .4rem; font-size: 1.05rem; }
.mock .press { padding: .15rem .7rem; border-radius: 4px; background: #1d4b3c; color: #fff; }
.mock .entry { flex: 1; padding: .15rem .6rem; border: 1px solid #b9ab9a; border-radius: 4px; color: #6d5f52; }
.mock .link { color: #1d4b3c; text-decoration: underline; }
.mock [data-id] { position: relative; outline: 1px solid #0b7a4b; outline-offset: 2px; }
.mock [data-id]::before { content: attr(data-id); position: absolute; left: -.5rem; top: -.75rem; padding: 0 .25rem; border-radius: 3px; background: #0b7a4b; color: #fff; font: 700 .65rem/1.35 ui-monospace, monospace; }
.mock .entry::before { background: #9a5b00; }
.mock .entry { outline-color: #9a5b00; }
.mock .link::before { background: #2264c7; }
.mock .link { outline-color: #2264c7; }
@media (max-width: 34rem) { .picture { grid-template-columns: 1fr; } }
code, pre { font: .875rem/1.55 ui-monospace, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; }
ul.links { list-style: none; padding: 0; margin: 2rem 0; border-top: 1px solid var(--line); }
ul.links li { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: .7rem 0; border-bottom: 1px solid var(--line); }
ul.links a { flex: 0 0 9rem; font-weight: 600; }
ul.links span { flex: 1 1 16rem; color: var(--soft); }
button, input { font: inherit; color: inherit; }
button { background: var(--accent); color: var(--ground); border: 0; border-radius: 6px; padding: .4rem .9rem; font-weight: 600; cursor: pointer; min-height: 2.5rem; }
button:focus-visible, input:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button.copy { background: var(--raised); color: var(--ink); border: 1px solid var(--line); font-weight: 500; }
button.copy { display: block; margin: 0 0 .35rem auto; min-height: 1.9rem; padding: .1rem .6rem; font-size: .85rem; }
input { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem; min-height: 2.5rem; max-width: 100%; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; font-size: .875rem; }
tr:target { background: var(--raised); }
td small { display: block; color: var(--soft); }
main:has(nav.wide) { max-width: 60rem; }
nav.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: -2rem 0 2rem; font-weight: 600; }
nav.bar a:first-child { margin-right: auto; }
h3 { font-size: 1rem; margin: 1.75rem 0 .25rem; text-transform: capitalize; }
summary { cursor: pointer; padding: .45rem 0; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
details.op, details.howto, details.type, #types { border-bottom: 1px solid var(--line); }
details[open] > summary { font-weight: 600; }
details.op summary span { color: var(--soft); margin-left: .5rem; }
details.op summary b { display: inline-block; min-width: 3.2rem; font-size: .8rem; color: var(--accent); }
details.type { margin-left: 1rem; }
table.fields { font-size: .9rem; margin-bottom: 1rem; }
table.fields td { padding: .3rem .75rem .3rem 0; }
table.fields em { color: var(--soft); font-size: .8rem; }
table.fields td:nth-child(2) { color: var(--soft); max-width: 16rem; }
table.fields td:nth-child(1) { white-space: nowrap; }
table.fields ul { margin: .25rem 0; padding-left: 1.1rem; }
p.tools, p.tools label { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; }
p.tools label { gap: .4rem; flex-wrap: nowrap; white-space: nowrap; }
p.tools input { min-width: 0; }
summary code, td code { overflow-wrap: anywhere; }
form.try { display: grid; gap: .5rem; justify-items: start; margin: 0 0 1.5rem; }
form.try textarea { width: 100%; font: .875rem/1.5 ui-monospace, monospace; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
form.try output { width: 100%; font: .8rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
[hidden] { display: none; }
@media (max-width: 36rem) {
  thead { display: none; }
  tr { display: grid; grid-template-columns: 3.25rem 1fr; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .15rem 0; }
  td:nth-child(3) { grid-column: 2; }
  table.fields, table.fields tbody, table.fields tr { display: block; }
  table.fields td:nth-child(1) { white-space: normal; }
  table.fields td { display: inline; padding: 0 .5rem 0 0; overflow-wrap: anywhere; }
  table.fields td:nth-child(3) { display: block; }
  p.tools label { flex: 1 1 100%; }
  p.tools input { flex: 1; }
}
`;
