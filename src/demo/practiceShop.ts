/** The practice shop: a small paper shop that the service serves on loopback, for the demo and for the examples of the manuals. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The customer that a request names with its cookie; null if nobody has signed in. The shop itself keeps nothing. */
const customerOf = ({ headers }: IncomingMessage): string | null => {
  const [, value = ''] = /(?:^|;\s*)customer=([\w.-]{1,40})/.exec(headers.cookie ?? '') ?? [];
  return value === '' ? null : value;
};

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · The Paper Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>
:root{color-scheme:light;--ink:#2b2622;--line:#ddd3c4;--accent:#1f5f4a}
*{box-sizing:border-box}body{font:17px/1.55 Georgia,serif;color:var(--ink);background:#fbf8f2;max-width:46rem;margin:0 auto;padding:1.5rem}
nav{border-bottom:1px solid var(--line);padding-bottom:.75rem}nav a{margin-right:1.25rem}a{color:var(--accent)}
h1{font-size:1.9rem;margin:1.5rem 0 .5rem}h2{font-size:1.2rem;margin:1.75rem 0 .25rem}p{margin:.25rem 0 .75rem}
form{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end;background:#fff;border:1px solid var(--line);border-radius:6px;padding:1rem;margin:1rem 0}
label{display:flex;gap:.5rem;align-items:center}input,select,button{font:inherit;padding:.25rem .6rem}
button{background:var(--accent);color:#fff;border:0;border-radius:4px;cursor:pointer}
table{border-collapse:collapse;width:100%}th,td{text-align:left;border-bottom:1px solid var(--line);padding:.4rem .5rem .4rem 0}
footer{margin-top:2.5rem;color:#7a6f63;font-size:.85rem}
</style></head>
<body><header><nav aria-label="Shop"><a href="/">All papers</a><a href="/about">About us</a><a href="/orders">Your orders</a><a href="/samples">Samples</a></nav></header>
<main>${main}</main>
<footer><p>The Paper Shop, open since 1921.</p></footer></body></html>`;

const PAPERS = page(
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
document.getElementById('basket').textContent=++n+(n===1?' paper':' papers')+' in your basket.';document.title=n+' in the basket · The Paper Shop'});
document.getElementById('find').addEventListener('click',()=>{const q=document.querySelector('[name=q]').value.toLowerCase();let hits=0;
for(const h of document.querySelectorAll('h2')){const hit=h.textContent.toLowerCase().includes(q);hits+=hit;
for(const e of[h,h.nextElementSibling,h.nextElementSibling.nextElementSibling])e.hidden=!hit}
document.getElementById('basket').textContent=hits+(hits===1?' paper':' papers')+' found.'})</script>`,
);

const ABOUT = page(
  'About us',
  '<h1>About us</h1><p>We have sold paper in the same street since 1921. Come in and feel it: paper is chosen by hand.</p>',
);

const SAMPLES = page(
  'Samples',
  `<h1>Samples</h1>
<p>Send us a drawing, and we print it on three papers. Our <a href="/prices.csv" download>price list</a> is a file of four lines.</p>
<form aria-label="Your drawing"><label>Drawing <input type="file" id="drawing"></label></form><p role="status" id="received">Nothing received yet.</p>
<button type="button" id="ask">Ask the mill</button><p role="status" id="mill">The mill has not been asked.</p>
<script>document.getElementById('drawing').addEventListener('change',e=>{const[f]=e.target.files;
document.getElementById('received').textContent='Received '+f.name+', '+f.size+' bytes.'});
document.getElementById('ask').addEventListener('click',()=>{const m=document.getElementById('mill');m.textContent='Asking the mill…';
setTimeout(()=>{m.textContent='The mill has 40 sheets.'},2500)})</script>`,
);

const PRICES = 'paper,weight_g,price\nCotton,300,4.20\nFlax,90,1.10\nHemp,120,1.90\n';

const signIn = (problem: string): string =>
  page(
    'Sign in',
    `<h1>Sign in</h1>${problem === '' ? '' : `<p role="alert">${problem}</p>`}
<form method="post" action="/sign-in"><label>Name <input name="name" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label><button>Sign in</button></form>
<p>This shop is for practice: any name will do, and the password is <em>paper</em>.</p>`,
  );

const orders = (customer: string): string =>
  page(
    'Your orders',
    `<h1>Your orders, ${customer}</h1><table><thead><tr><th>Order</th><th>Paper</th><th>Sheets</th><th>State</th></tr></thead>
<tbody><tr><td>1207</td><td>Cotton, 300 g</td><td>25</td><td>sent</td></tr><tr><td>1224</td><td>Flax, 90 g</td><td>100</td><td>being cut</td></tr></tbody></table>
<form method="post" action="/sign-out"><button>Sign out</button></form>`,
  );

const MAX_FORM_BYTES = 10_000;
const MAX_CONNECTIONS = 500;

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_FORM_BYTES) break;
  }
  return new URLSearchParams(text.slice(0, MAX_FORM_BYTES));
}

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
const COOKIE = 'Path=/; HttpOnly; SameSite=Lax';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (body: string, status = 200) => response.writeHead(status, HTML).end(body);
  const go = (location: string, cookie: string) =>
    response.writeHead(303, { location, 'set-cookie': `${cookie}; ${COOKIE}` }).end();
  const customer = customerOf(request);
  const [path] = (request.url ?? '/').split('?');
  switch (`${request.method} ${path}`) {
    case 'GET /':
      return void send(PAPERS);
    case 'GET /about':
      return void send(ABOUT);
    case 'GET /samples':
      return void send(SAMPLES);
    case 'GET /orders':
      return void send(customer === null ? signIn('') : orders(customer));
    case 'GET /prices.csv':
      return void response
        .writeHead(200, {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="prices.csv"',
        })
        .end(PRICES);
    case 'POST /sign-in': {
      const form = await readForm(request);
      const name = (form.get('name') ?? '').replaceAll(/[^\w.-]/g, '').slice(0, 40);
      if (form.get('password') === 'paper' && name !== '') return void go('/orders', `customer=${name}`);
      return void send(signIn('The name or the password is wrong.'), 403);
    }
    case 'POST /sign-out':
      return void go('/', 'customer=; Max-Age=0');
    default:
      return void send(page('Not found', '<h1>Not found</h1>'), 404);
  }
}

/** The running practice shop. Disposing of it stops its server. */
export interface PracticeShop extends AsyncDisposable {
  readonly url: string;
  /** The address and port of its listener, `127.0.0.1:4001`: all that a session must be allowed to reach. */
  readonly host: string;
}

/**
 * Serves the practice shop on 127.0.0.1. Its listener serves nothing else, and the shop keeps no state: a basket is in its page,
 * a customer in the cookie of the session.
 * @param port default: any free port
 * @throws the error of the socket when the port cannot be used
 */
export async function startPracticeShop(port = 0): Promise<PracticeShop> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/`,
    host,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
