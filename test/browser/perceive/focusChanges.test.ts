import { expect, test } from 'vitest';
import { diffMarkdown } from '../../../src/domain/space/diffMarkdown.ts';
import { spaceDiff } from '../../../src/domain/space/spaceDiff.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({
  '/': `<!doctype html><html lang="en"><title>t</title><body><label>Name <input id="i" value="Ada Lovelace"></label>
    <canvas id="c" width="600" height="300" aria-label="Board" onclick="0"></canvas>
    <button onmousedown="event.preventDefault()" onclick="i.focus(); i.setSelectionRange(0, 3)">Select</button>
    <button onclick="c.getContext('2d').fillRect(300, 100, 3, 3)">Draw</button></body></html>`,
});

/** The difference that a step makes, as text. */
async function differenceOf(step: () => Promise<unknown>): Promise<string> {
  const observed = () => {
    const { space, metadata } = agent.lastObservation;
    return { url: metadata.url, actions: space?.actions ?? [], messages: space?.messages ?? [] };
  };
  const before = observed();
  await step();
  return diffMarkdown(spaceDiff(before, observed()));
}

test('the focus, the selection and the picture of a canvas are changes', async () => {
  await agent.observe(`${pages.url}/`);
  expect(await differenceOf(() => agent.step(/"Select"/))).toBe(
    '~ I1 "Name", value "Ada Lovelace" (focused, caret 3, selected "Ada")',
  );
  expect(await differenceOf(() => agent.observe())).toBe('Nothing has changed.');
  expect(await differenceOf(() => agent.step(/"Draw"/))).toMatch(
    /^~ \w+ canvas "Board"[^\n]* \((?:"x,y", )?new picture\)/m,
  );
});
