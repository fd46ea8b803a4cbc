import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

describe('The address of a page', () => {
  const { pages, agent } = pageHarness({
    '/': `<title>Home</title><a href="ws://127.0.0.1:9/x">Socket</a>
      <button onclick="window.open('ws://127.0.0.1:9/z')">Window</button>
      <button onclick="window.open('about:version')">Version</button>`,
  });

  it.each([/"Socket"/, /"Window"/, /"Version"/])(
    'is about:blank where the browser shows nothing of it: %s',
    async name => {
      await agent.observe(pages.url);
      await agent.step(name);
      const { metadata } = await agent.observe();
      expect(metadata.url).toBe('about:blank');
      expect(metadata.tabs.find(({ active }) => active)?.url).toBe('about:blank');
    },
  );
});
