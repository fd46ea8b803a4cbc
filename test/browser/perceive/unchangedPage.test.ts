import { expect, test } from 'vitest';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({
  '/': `<!doctype html><html lang="en"><title>Orders</title><body><label>Name <input id="i"></label>
    <button onclick="this.textContent = 'Saved'">Save</button>
    <button onclick="const next = () => { i.value = 'Ada' }; onmessage = next; postMessage(1)">Later</button></body></html>`,
  '/frame': `<!doctype html><html lang="en"><title>Frame</title><body><button>Outside</button>
    <iframe title="Inner" srcdoc="<button onclick=&quot;this.textContent = 'Pressed'&quot;>Inside</button>"></iframe></body></html>`,
});

const listOf = async (): Promise<string> => {
  const { space } = await agent.observe();
  return space === null ? '' : spaceMarkdown(space);
};

test('a page that has not changed is answered with the actions that were made from its last list', async () => {
  const { space: first } = await agent.observe(`${pages.url}/`);
  const { space: second } = await agent.observe();
  expect(second?.actions).toBe(first?.actions);
});

test('an observation of a page that has not changed has an id of its own, and steps find the actions of both', async () => {
  const first = await agent.observe(`${pages.url}/`);
  const second = await agent.observe();
  expect(second.observationId).not.toBe(first.observationId);
  await agent.step(/"Save"/);
  expect(await listOf()).toContain('"Saved"');
});

test('a value that a script sets without a change of the document is in the next list', async () => {
  await agent.observe(`${pages.url}/`);
  await agent.step(/"Later"/);
  expect(await listOf()).toContain('value "Ada"');
});

test('a change is told also after lists of the page without one', async () => {
  await agent.observe(`${pages.url}/`);
  await agent.observe();
  const { observationId } = await agent.observe();
  const { diff } = await agent.step(/"Save"/, null, { diffSince: observationId ?? '' });
  expect(diff?.changed.map(({ name }) => name)).toEqual(['Saved']);
});

test('the actions of a frame are read anew when the page around it has not changed', async () => {
  await agent.observe(`${pages.url}/frame`);
  expect(await listOf()).toContain('"Inside"');
  await agent.step(/"Inside"/);
  expect(await listOf()).toContain('"Pressed"');
});
