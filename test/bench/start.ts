/** `npm run bench:start`: the time of `POST /session/start` without and with options, in milliseconds. */
import { buildInjectedScripts } from '../../src/setup/build.ts';
import { callApi } from '../support/callApi.ts';
import { startTestProduct } from '../support/startServer.ts';
import { percentile } from './statistics.ts';

const ROUNDS = 30;
const OPTIONS: Readonly<Record<string, object>> = {
  none: {},
  'all that pages see': {
    viewport: { width: 900, height: 640 },
    user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36',
    locale: 'de-DE',
    timezone: 'Asia/Tokyo',
    geolocation: { latitude: 52.5, longitude: 13.4 },
    color_scheme: 'dark',
    permissions: ['camera'],
    cookies: [{ name: 'a', value: 'b', domain: 'shop.example' }],
  },
  device: { device: 'iPhone 15' },
  'headers and block': {
    headers: [{ origin: 'https://shop.example', name: 'X-Api-Key', value: 'v' }],
    block: ['images'],
  },
};

await buildInjectedScripts();
await using product = await startTestProduct({ warmContexts: 2 });
for (const [name, options] of Object.entries(OPTIONS)) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const { body } = await callApi(product.url, 'POST', '/session/start', {
      key: product.key,
      body: options,
    });
    times.push(performance.now() - began);
    await callApi(product.url, 'POST', '/session/close', {
      key: product.key,
      body: { session_id: body.session_id },
    });
    // A warm context is made again after a start.
    await new Promise(resolve => setTimeout(resolve, 300));
  }
  const [median, high] = [0.5, 0.95].map(share => percentile(times, share).toFixed(0));
  process.stdout.write(`${name.padEnd(20)} median ${median} ms, 95% ${high} ms\n`);
}
process.exit();
