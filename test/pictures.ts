/**
 * `npm run pictures`: makes the pictures of the README from the running product: the practice shop beside its list, after a step.
 * Writes docs/pictures/list.png, docs/pictures/dashboard.png and docs/pictures/dashboard.gif, a film of some seconds.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';
import { PagespaceClient } from '../src/client/main.ts';
import { startPracticeShop } from '../src/demo/practiceShop.ts';
import { sharedChromium } from './support/sharedChromium.ts';
import { startTestProduct } from './support/startServer.ts';

const FOLDER = new URL('../docs/pictures/', import.meta.url);
const SIZE = { width: 1200, height: 660 };
/** The part of the page that the picture shows, in pixels, and its scale. */
const SHOWN = { left: 250, width: 780, height: 700, scale: 0.78 };

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

await using product = await startTestProduct({ record: 'steps' });
await using shop = await startPracticeShop();
const client = new PagespaceClient({ url: product.url, key: product.key });
await using session = await client.start();
const page = await session.observe(shop.url, { screenshot: true });
const after = await session.step(page.find('Add to basket', { in: 'Cotton' }), null, {
  diffSince: page.id,
});

const badges = (page.space?.actions ?? []).flatMap(({ id, bounds }) => {
  if (bounds === null) return [];
  const { left, scale } = SHOWN;
  const x = Math.round((bounds.x - left) * scale);
  return [`<b style="left:${x}px;top:${Math.round(bounds.y * scale)}px">${id}</b>`];
});
const answer = (title: string, text: string): string =>
  `<h2>${title}</h2><pre>${escapeHtml(text.trim()).replace(/^([=~+] )?([BILS]\d+\S*)/gm, '$1<i>$2</i>')}</pre>`;
const list = (page.space?.markdown ?? '').split('\n').filter(line => !/^S\d|^"…"/.test(line));
const html = `<!doctype html><meta charset="utf-8"><style>
*{box-sizing:border-box;margin:0}body{width:${SIZE.width}px;height:${SIZE.height}px;display:flex;background:#10151c;color:#dfe6ee;font:15px/1.5 system-ui,sans-serif}
.page{position:relative;width:${SHOWN.width * SHOWN.scale}px;height:${SHOWN.height * SHOWN.scale}px;margin:56px 0 0 28px;border-radius:8px;overflow:hidden;background:#fff}
.page img{position:absolute;left:${-SHOWN.left * SHOWN.scale}px;width:${1280 * SHOWN.scale}px}
.page b{position:absolute;transform:translate(-60%,-55%);background:#0f7a5f;color:#fff;font:600 12px/1.35 ui-monospace,monospace;border-radius:4px;padding:0 4px}
.text{flex:1;padding:22px 28px}h2{font:600 14px/1.6 system-ui,sans-serif;color:#8fa3b8;margin:0 0 6px}h2+pre{margin-bottom:18px}
pre{font:13.5px/1.62 ui-monospace,"DejaVu Sans Mono",monospace;white-space:pre-wrap}i{font-style:normal;color:#5fd0b4}
.title{position:absolute;left:28px;top:18px;color:#8fa3b8;font-weight:600;font-size:14px}</style>
<div class="title">A page …</div>
<div class="page"><img src="data:image/png;base64,${page.screenshot}">${badges.join('')}</div>
<div class="text">${answer('… as your program gets it', list.join('\n'))}${answer('step B2 → what changed', after.diff?.markdown ?? '')}</div>`;

const context = await (await sharedChromium()).newContext({ viewport: SIZE, deviceScaleFactor: 2 });
const sheet = await context.newPage();
await sheet.setContent(html);
const picture = await sheet.screenshot({ type: 'png' });
await context.close();
await mkdir(FOLDER, { recursive: true });
await writeFile(new URL('list.png', FOLDER), picture);
process.stdout.write(`${fileURLToPath(FOLDER)}list.png, ${picture.byteLength} bytes\n`);

// The dashboard, with the same session after the same step.
const dashboard = await (await sharedChromium()).newContext({
  viewport: { width: 1280, height: 720 },
  deviceScaleFactor: 2,
  colorScheme: 'dark',
});
const tab = await dashboard.newPage();
await tab.addInitScript(key => sessionStorage.setItem('pagespace.key', key), product.key);
await tab.goto(`${product.url}/dashboard/sessions/${session.id}`);
await tab.getByRole('img', { name: /Live picture/ }).waitFor();
await tab.locator('.box.changed, .box.added').first().waitFor();
const view = await tab.screenshot({ type: 'png' });
await dashboard.close();
await writeFile(new URL('dashboard.png', FOLDER), view);
process.stdout.write(`${fileURLToPath(FOLDER)}dashboard.png, ${view.byteLength} bytes\n`);

// A film: an agent's session in the dashboard, looked at and gone through.
const FILM = { width: 1200, height: 640 };
const filmed = await (await sharedChromium()).newContext({ viewport: FILM, colorScheme: 'dark' });
const screen = await filmed.newPage();
await screen.addInitScript(key => sessionStorage.setItem('pagespace.key', key), product.key);
const film = new GifEncoder(FILM.width, FILM.height, { repeat: 0 });
/** Adds what the screen shows. @param seconds how long it stays */
const shoot = async (seconds: number): Promise<void> => {
  const image = await loadImage(await screen.screenshot({ type: 'png', animations: 'disabled' }));
  const context = createCanvas(FILM.width, FILM.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, FILM.width, FILM.height);
  film.addFrame(new Uint8Array(data), FILM.width, FILM.height, { delay: seconds * 1_000 });
};
await session.observe(shop.url);
await screen.goto(`${product.url}/dashboard/sessions/${session.id}`);
await screen.getByRole('img', { name: /Live picture/ }).waitFor();
const boxOf = (id: string) =>
  screen.locator('.box', { has: screen.locator('b', { hasText: new RegExp(`^${id}$`) }) });
await boxOf('B3').hover();
await shoot(1.6);
await boxOf('B3').click();
await screen.locator('.box.changed, .box.added').first().waitFor();
await screen.getByRole('tab', { name: 'Changes' }).click();
await shoot(2);
await screen.getByRole('tab', { name: 'Actions' }).click();
await boxOf('I1').click();
await screen.getByLabel('Value of I1').fill('cotton');
await shoot(1.4);
await screen.getByLabel('Value of I1').press('Enter');
await screen.locator('.action', { hasText: 'cotton' }).first().waitFor();
await boxOf('L2').click();
await screen.getByRole('tab', { name: 'Events' }).click();
await screen.locator('.event', { hasText: 'L2' }).waitFor();
await shoot(1.6);
await screen.getByRole('button', { name: 'Event before' }).click();
await screen.getByRole('button', { name: 'Both' }).click();
await screen.waitForFunction(() => {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('.sides img')];
  return pictures.length === 2 && pictures.every(({ naturalWidth }) => naturalWidth > 0);
});
await shoot(2);
await screen.getByRole('tab', { name: 'Network' }).click();
await screen.locator('.log-row').first().waitFor();
await shoot(1.6);
await filmed.close();
const moving = film.finish();
await writeFile(new URL('dashboard.gif', FOLDER), moving);
process.stdout.write(`${fileURLToPath(FOLDER)}dashboard.gif, ${moving.byteLength} bytes\n`);
process.exit(0);
