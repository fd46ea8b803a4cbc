import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFailure } from '../../../src/domain/failure/failures.ts';
import { spaceMarkdown } from '../../../src/domain/space/spaceMarkdown.ts';
import { hostileText, PAGE_WORD, UNSAFE_CHARACTERS } from '../../support/hostileText.ts';
import { pageHarness } from '../../support/pageHarness.ts';
import { parseSpaceMarkdown } from '../../support/parseSpaceMarkdown.ts';
import { contextOf, isSameWords, isShownName, nameOf, shownAction } from '../../support/shownAction.ts';

/** Number of pages; each has a hostile text in all places below. */
const PAGES = 8;
const [SEED, TEXTS_PER_PAGE] = [7, 30];

/** Builds a page in which every place that the service reads has a text of its own. Runs in the page. */
const BUILD = `const next = (() => { let n = 0; return () => texts[n++ % texts.length]; })();
const add = (tag, attributes = {}, text = null, parent = document.body) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) try { element.setAttribute(name, value); } catch {}
  if (text !== null) element.textContent = text;
  parent.append(element);
  return element;
};
document.title = next();
add('meta', { name: 'description', content: next() }, null, document.head);
add('h1', {}, next());
add('button', {}, next()); add('button', { 'aria-label': next() }, 'x'); add('button', { title: next() }); add('button', { class: next() + ' ' + next() });
add('button', { id: next() }); add('button', { 'data-label': next() }); add('button', { class: next() }, '×');
add('a', { href: '/' + next() }, next()); add('a', { href: 'javascript:' + next() }, next());
for (const type of ['text', 'number', 'range', 'date', 'file', 'color', 'checkbox'])
  add('input', { type, value: next(), placeholder: next(), min: next(), max: next(), step: next(), accept: next(), name: next(), 'aria-label': next() });
add('input', { name: next(), list: 'list' }); add('option', { value: next() }, null, add('datalist', { id: 'list' }));
add('textarea', {}, next());
const select = add('select', { 'aria-label': next() }); for (let n = 0; n < 3; n++) add('option', {}, next(), select);
add('div', { role: next(), tabindex: '0', class: next(), 'aria-valuetext': next() }, next());
const form = add('form', { name: next(), id: next() }); add('h2', {}, next(), form); for (let n = 0; n < 2; n++) add('button', { ['data-' + ${JSON.stringify(PAGE_WORD)}]: next() }, 'Same', form);
const nav = add('nav', { 'aria-label': next() }); add('a', { href: '#a' }, 'In it', nav);
add('input', { 'aria-label': 'Bad', 'aria-invalid': 'true', 'aria-describedby': 'why' }); add('p', { id: 'why' }, next());
add('div', { role: 'alert' }, next()); add('div', { class: 'toast' }, next());
add('iframe', { title: next(), srcdoc: '<button>Inside</button>' });
add('${PAGE_WORD}-element', { onclick: '1', class: next() }, next());
const covered = add('button', { style: 'position:absolute;left:0;top:2000px' }, next()); add('${PAGE_WORD}-cover', { id: next(), style: 'position:absolute;left:0;top:1990px;width:600px;height:80px' });
const add2 = add('button', {}, 'Change'); add2.onclick = () => { document.getElementById('why').textContent = next(); add('p', {}, next()); };`;

const texts = fc.sample(hostileText(10), { numRuns: PAGES * TEXTS_PER_PAGE, seed: SEED });
const pageOf = (own: readonly string[]): string => {
  // JSON.stringify escapes halves of surrogate pairs, so that the script can make them.
  const json = JSON.stringify(own)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><body><script>const texts = ${json};\n${BUILD}</script></body></html>`;
};
const paths = Array.from({ length: PAGES }, (_, index) => `/page${index}`);
const { pages, agent } = pageHarness(
  Object.fromEntries(
    paths.map((path, index) => [
      path,
      pageOf(texts.slice(index * TEXTS_PER_PAGE, (index + 1) * TEXTS_PER_PAGE)),
    ]),
  ),
);

/** All texts in a value, with the path to each. */
function* textsIn(value: unknown, path = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, `${path}.${name}`);
}

function checkObservation(): void {
  const { space, metadata } = agent.lastObservation;
  if (space === null) throw new Error('There is no space.');
  const markdown = spaceMarkdown(space);
  const parsed = parseSpaceMarkdown(markdown);
  const shown = new Map(parsed.actions.map(one => [one.id, one]));
  expect(shown.size).toBe(parsed.actions.length);
  expect(shown.size).toBe(space.actions.length);
  for (const action of space.actions) {
    const { category = '', context = null, name = null, ...line } = shown.get(action.id) ?? {};
    expect(line).toEqual(shownAction(action));
    expect(isShownName(name, nameOf(action.description))).toBe(true);
    expect(isSameWords(category.slice(0, -1), action.category.slice(0, -1))).toBe(true);
    // What stands between two actions of a row is in the row too.
    const own = contextOf(action.description);
    if (context !== null && own !== null) expect(isSameWords(context, own)).toBe(true);
  }
  expect(parsed.ownWords).not.toContain(PAGE_WORD);
  for (const [path, text] of textsIn({ space, metadata })) {
    expect.soft(text.isWellFormed(), path).toBe(true);
    expect.soft(text, path).not.toMatch(UNSAFE_CHARACTERS);
    if (!/\.(?:value|default|message|defaultValue|url)$/.test(path))
      expect.soft(text, path).not.toMatch(/[\n\t]/);
  }
}

/** The own words of a failure: what is outside of quotes. */
async function ownWordsOfFailure(id: string, value: string | null): Promise<string> {
  const error: unknown = await agent.step(id, value).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!isFailure(error)) throw new Error(`The step on ${id} did not fail as expected.`, { cause: error });
  expect(error.message).not.toMatch(UNSAFE_CHARACTERS);
  return error.message.replace(/"[^"]*"/g, '""');
}

test('a failure quotes what it repeats from the page', async () => {
  for (const path of paths.slice(0, 3)) {
    await agent.observe(`${pages.url}${path}`);
    const actions = agent.lastObservation.space?.actions ?? [];
    const select = actions.find(({ params }) => params[0]?.type === 'option');
    const covered = actions.find(({ status }) => status === 'covered');
    expect(await ownWordsOfFailure(select?.id ?? '', 'no such option')).not.toContain(PAGE_WORD);
    expect(await ownWordsOfFailure(covered?.id ?? '', null)).not.toContain(PAGE_WORD);
  }
});

test('the Markdown of hostile pages is read back by its grammar, and no text of theirs is unsafe', async () => {
  for (const path of paths) {
    await agent.observe(`${pages.url}${path}`);
    expect(agent.lastObservation.space?.actions.length).toBeGreaterThan(25);
    checkObservation();
    await agent.step(/"Change"/);
    expect(agent.lastObservation.space?.messages.length).toBeGreaterThan(1);
    checkObservation();
  }
});
