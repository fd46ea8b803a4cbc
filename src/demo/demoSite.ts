/** The demo's default site: two pages of a paper shop, served on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · The Paper Shop</title>
<style>body{font:16px/1.5 Georgia,serif;max-width:44rem;margin:2rem auto}nav a{margin-right:1rem}.box{cursor:pointer}</style></head>
<body><header><nav aria-label="Shop"><a href="/">All papers</a><a href="/about">About us</a></nav></header>
<main>${main}</main>
<footer><p>The Paper Shop, open since 1921.</p></footer></body></html>`;

const HOME = page(
  'All papers',
  `<h1>All papers</h1>
<p>Handmade papers from three mills, cut to your size and sent within a day. Every sheet is acid-free and made without chlorine.</p>
<form role="search" aria-label="Find a paper"><label>Name of the paper <input type="search" name="q"></label>
<label>Weight <select name="w"><option>90 g</option><option>120 g</option><option>300 g</option></select></label>
<label><input type="checkbox" name="deckle"> Deckle edge</label><button type="button" id="find">Find</button></form>
<h2>Cotton, 300 g</h2><p>Heavy, for water colours. Takes washes without buckling.</p><button type="button" class="add">Add to basket</button>
<h2>Flax, 90 g</h2><p>Thin and strong, for letters that travel. Rattles when it is folded.</p><button type="button" class="add">Add to basket</button>
<p role="status" id="basket">Your basket is empty.</p>
<script>let n=0;for(const b of document.querySelectorAll('.add'))b.addEventListener('click',()=>{
document.getElementById('basket').textContent=++n+(n===1?' paper':' papers')+' in your basket.';document.title=n+' in the basket · The Paper Shop'});</script>`,
);

const ABOUT = page(
  'About us',
  '<h1>About us</h1><p>We have sold paper in the same street since 1921. Come in and feel it: paper is chosen by hand.</p>',
);

/** The running demo site. Disposing of it stops its server. */
export interface DemoSite extends AsyncDisposable {
  readonly url: string;
}

/** Serves the demo site (a paper shop of two pages) on a free port of 127.0.0.1. */
export async function startDemoSite(): Promise<DemoSite> {
  const server = createServer((request, response) => {
    const body = request.url === '/' ? HOME : request.url === '/about' ? ABOUT : null;
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body ?? page('Not found', '<h1>Not found</h1>'));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
