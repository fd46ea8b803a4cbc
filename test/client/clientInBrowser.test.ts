import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type * as Client from '../../src/client/main.ts';
import { startPracticeShop } from '../../src/demo/practiceShop.ts';
import { sharedChromium } from '../support/sharedChromium.ts';
import { startTestProduct } from '../support/startServer.ts';

test('PagespaceClient works in a page of the service: operations, events and failures; in a page of another origin its failure names the setting', async () => {
  const bundled = build({
    entryPoints: ['src/client/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'client',
    platform: 'browser',
    target: 'chrome120',
  });
  await using product = await startTestProduct({ browser: 'fake' });
  await using shop = await startPracticeShop();
  const page = await (await sharedChromium()).newPage();
  try {
    await page.goto(`${product.url}/health`);
    const [script] = (await bundled).outputFiles;
    await page.evaluate(`${script?.text ?? ''};window.pagespaceClient = client`);
    const result = await page.evaluate(
      async ({ url, key, shopUrl }) => {
        const { PagespaceClient, SessionNotFoundError } = (
          window as unknown as { pagespaceClient: typeof Client }
        ).pagespaceClient;
        const client = new PagespaceClient({ url, key });
        const session = await client.start();
        const events: string[] = [];
        const reading = (async () => {
          for await (const { type } of session.events()) events.push(type);
        })();
        const { metadata } = await session.observe(shopUrl);
        await session.close();
        await reading;
        const failure = await client
          .session('00000000-0000-4000-8000-000000000000')
          .info()
          .catch(error => error instanceof SessionNotFoundError);
        return { title: metadata.title, last: events.at(-1), failure };
      },
      { url: product.url, key: product.key, shopUrl: shop.url },
    );
    await page.goto(shop.url);
    await page.evaluate(`${script?.text ?? ''};window.pagespaceClient = client`);
    const refused = await page.evaluate(
      ({ url, key }) =>
        new (window as unknown as { pagespaceClient: typeof Client }).pagespaceClient.PagespaceClient({
          url,
          key,
          maxRetries: 0,
        })
          .start()
          .then(String, String),
      { url: product.url, key: product.key },
    );
    expect(refused).toContain(
      `PAGESPACE_ALLOWED_ORIGINS must name the origin of this page, ${new URL(shop.url).origin}.`,
    );
    expect(result).toEqual({
      title: 'All papers · The Paper Shop',
      last: expect.stringMatching(/ended/i),
      failure: true,
    });
  } finally {
    await page.close();
  }
});
