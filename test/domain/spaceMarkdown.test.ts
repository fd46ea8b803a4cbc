import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/space/action.ts';
import { normalizeText, quote } from '../../src/domain/space/pageText.ts';
import { type Space, sectionsOf } from '../../src/domain/space/space.ts';
import { spaceMarkdown } from '../../src/domain/space/spaceMarkdown.ts';
import { browserActions } from '../../src/domain/specialActions/specialActions.ts';
import { hostileText, PAGE_WORD } from '../support/hostileText.ts';
import { parseSpaceMarkdown } from '../support/parseSpaceMarkdown.ts';
import {
  contextOf,
  isInOneBox,
  isSameWords,
  isShownName,
  nameOf,
  shownAction,
} from '../support/shownAction.ts';
import { actionOf } from './actionOf.ts';
import { spaceOf } from './spaceOf.ts';

const space = (actions: readonly Action[], more: Partial<Space> = {}): Space =>
  spaceOf(actions, { description: 'A page titled "Shop".', category: 'item', ...more });

const line = (more: Partial<Action>): string | undefined =>
  spaceMarkdown(space([actionOf(more)]))
    .split('\n')
    .find(text => /^[LBI]\d/.test(text));

describe('spaceMarkdown(): a line', () => {
  test.each([
    [{}, 'B1 "Save"'],
    [{ id: 'L1', kind: 'link' as const, description: 'link "Home", current' }, 'L1 "Home", current'],
    [{ id: 'L1', kind: 'link' as const, description: 'menuitem "Home"' }, 'L1 menuitem "Home"'],
    [{ description: 'button' }, 'B1 button'],
    [{ description: 'button "×" "close"' }, 'B1 "×" "close"'],
    [{ id: 'I1', kind: 'input' as const, description: 'checkbox "A", not checked' }, 'I1 checkbox "A"'],
    [{ description: `button "L${'o'.repeat(99)}ng"` }, `B1 "L${'o'.repeat(38)}…"`],
    [{ description: 'button "Shop all Shop all"' }, 'B1 "Shop all"'],
    [{ description: 'button "Gibson 335 new Gibson 335 $999"' }, 'B1 "Gibson 335 new … $999"'],
    [{ description: 'button "to be or not to bend"' }, 'B1 "to be or not to bend"'],
    [
      { disabled: true, status: 'excluded' as const, description: 'button "Save", disabled' },
      'B1 "Save", disabled',
    ],
    [{ status: 'covered' as const }, 'B1 "Save" (covered)'],
    [{ description: 'button "Delete", in "Ann"' }, 'B1 "Delete", in "Ann"'],
    [{ description: 'icon "trash", third of 4' }, 'B1 icon "trash", third of 4'],
    [{ description: 'button "two\n  lines"' }, 'B1 "two lines"'],
  ])('of %j is %s', (more, text) => {
    expect(line(more)).toBe(text);
  });

  test('of a select lists its values', () => {
    const params = [{ name: 'value', type: 'option' as const, default: null, values: ['S', 'M'] }];
    expect(line({ id: 'I1', description: 'combobox "Size", value "M"', params })).toBe(
      'I1 combobox "Size", value "M" ("S"|"M")',
    );
  });
});

test('spaceMarkdown() omits the values of a checkbox and marks a file field', () => {
  const tick = [{ name: 'value', type: 'boolean' as const, default: null, values: ['true', 'false'] }];
  const file = [{ name: 'value', type: 'file' as const, default: null, values: null }];
  expect(line({ id: 'I1', description: 'checkbox "Agree"', params: tick })).toBe('I1 checkbox "Agree"');
  expect(line({ id: 'I1', description: 'file field "Picture"', params: file })).toBe(
    'I1 file field "Picture" (takes a file)',
  );
});

test('spaceMarkdown() writes each category once, above its actions', () => {
  const text = spaceMarkdown(
    space([
      actionOf({ id: 'L1', category: 'Navigation' }),
      actionOf({ id: 'B1' }),
      actionOf({ id: 'L2', category: 'Navigation' }),
    ]),
  );
  expect(text.split('\n').slice(0, 6)).toEqual([
    '# "Shop" (item)',
    '"…" quotes the page.',
    '## Navigation',
    'L1–L2 button "Save"',
    '## Main',
    'B1 "Save"',
  ]);
});

test('spaceMarkdown() writes special actions and browser actions in one line, those with the same kind of value together', () => {
  const now = { scrollableDown: 0, scrollableUp: 0, tabs: [], fileChooser: null, dialog: 'prompt' as const };
  const text = spaceMarkdown(
    space([], {
      browserActions: browserActions(now),
      dialog: { kind: 'prompt', message: 'Your name?', defaultValue: null },
    }),
  );
  expect(text).toContain('\nOpen prompt: "Your name?"');
  expect(text).toContain('\nS1 goto(url); S2 scrape, S3 screenshot, ');
  expect(text).toContain('S15 dismiss dialog; S7 wait(s); S14 accept dialog(text)');
});

test('spaceMarkdown() says which answer leaves the page, because the dialog has no text of the page', () => {
  const now = {
    scrollableDown: 0,
    scrollableUp: 0,
    tabs: [],
    fileChooser: null,
    dialog: 'beforeunload' as const,
  };
  expect(browserActions(now).map(({ description }) => description)).toEqual([
    'Accept the open beforeunload dialog: leave the page',
    'Dismiss the open beforeunload dialog: stay on the page',
  ]);
  const dialog = { kind: 'beforeunload', message: '', defaultValue: null } as const;
  expect(spaceMarkdown(space([], { dialog }))).toContain(
    '\nOpen beforeunload (S14 leaves the page, S15 stays): ""',
  );
});

test('spaceMarkdown() states the number of omitted actions', () => {
  expect(spaceMarkdown(space([actionOf({})], { totalActions: 41, truncated: true }))).toContain(
    '\n… 40 more',
  );
});

describe('spaceMarkdown() with maxTokens', () => {
  const many = space(
    Array.from({ length: 400 }, (_, index) =>
      actionOf({ id: `B${index + 1}`, description: `button "Row ${index}, ${index % 7}"` }),
    ),
  );

  test.each([100, 200, 1_000])('%i limits the text and states the number of omitted actions', maxTokens => {
    const text = spaceMarkdown(many, maxTokens);
    expect(text.length).toBeLessThanOrEqual(maxTokens * 3.5);
    const listed = parseSpaceMarkdown(text).actions.length;
    expect(listed).toBeLessThan(400);
    expect(text).toContain(`… ${400 - listed} more`);
  });

  test('that is large enough omits nothing', () => {
    expect(spaceMarkdown(many, 100_000)).toBe(spaceMarkdown(many));
  });
});

test('spaceMarkdown() writes what the page says below the head', () => {
  const text = spaceMarkdown(
    space([actionOf({})], {
      messages: [
        { kind: 'alert', text: 'Wrong "password".', action: null, isNew: true },
        { kind: 'validation', text: 'Enter a name.', action: 'I1', isNew: false },
      ],
    }),
  );
  expect(text.split('\n').slice(2, 5)).toEqual([
    `! alert "Wrong 'password'."`,
    '! validation I1 "Enter a name."',
    '## Main',
  ]);
});

describe('the grammar of spaceMarkdown()', () => {
  const text = hostileText(8);
  // Few texts, so that actions have names, titles and sections in common.
  const texts = fc.array(text, { minLength: 3, maxLength: 3 });
  const hostileAction = (of: fc.Arbitrary<string>) =>
    fc
      .record({
        kind: fc.constantFrom('link' as const, 'button' as const, 'input' as const),
        name: of,
        noun: fc.constantFrom('button', 'link', 'date field', 'clickable red circle'),
        states: fc.constantFrom('', ', not checked', ', value "5"', ', disabled, current'),
        place: fc.tuple(of, fc.constantFrom('', ', 2nd of 3', ', column "Price"')),
        hasPlace: fc.boolean(),
        category: fc.tuple(fc.constantFrom('Form', 'Section', 'Frame'), of.map(quote)),
        status: fc.constantFrom('valid' as const, 'covered' as const, 'clipped' as const),
        values: fc.option(fc.array(text, { maxLength: 4 }), { nil: null }),
        isFile: fc.boolean(),
      })
      .map(({ name, noun, states, place: [place, more], hasPlace, category, values, isFile, ...fields }) => ({
        ...fields,
        name,
        description: `${noun} ${quote(name)}${states}${hasPlace ? `, in ${quote(place)}${more}` : ''}`,
        category: category.join(' '),
        params: [
          { name: 'value', type: isFile ? ('file' as const) : ('option' as const), default: null, values },
        ],
      }));
  const hostileSpace = fc.record({
    actions: texts.chain(all => fc.array(hostileAction(fc.constantFrom(...all)), { maxLength: 12 })),
    title: text,
    dialog: fc.option(text, { nil: null }),
    messages: fc.array(
      fc.record({
        kind: fc.constantFrom('alert' as const, 'validation' as const, 'appeared' as const),
        text,
        action: fc.constantFrom('I1', null),
        isNew: fc.constant(true),
      }),
      { maxLength: 4 },
    ),
  });

  test('lets a parser read back exactly the actions, from every page', () => {
    fc.assert(
      fc.property(hostileSpace, ({ actions, title, dialog, messages }) => {
        const listed = actions.map((fields, index) =>
          actionOf({ ...fields, id: `${{ link: 'L', button: 'B', input: 'I' }[fields.kind]}${index + 1}` }),
        );
        const parsed = parseSpaceMarkdown(
          spaceMarkdown(
            space(listed, {
              description: `A page titled ${quote(title)}.`,
              dialog: dialog === null ? null : { kind: 'alert', message: dialog, defaultValue: null },
              messages,
            }),
          ),
        );
        const inOrder = sectionsOf(listed).flat();
        expect(parsed.actions.map(({ category: _, context: __, name: ___, ...line }) => line)).toEqual(
          inOrder.map(shownAction),
        );
        parsed.actions.forEach(({ category, context, name }, index) => {
          const { description = '', category: whole = '' } = inOrder[index] ?? {};
          expect(isSameWords(category.slice(0, -1), whole.slice(0, -1))).toBe(true);
          // What stands between two actions of a row is in the row too. A row may be named by a part of the words around its actions.
          const own = contextOf(description);
          if (context !== null && own !== null) expect(isInOneBox(context, own)).toBe(true);
          expect(isShownName(name, nameOf(description)), `${name} ${description}`).toBe(true);
        });
        const unquoted = (words: string): string => quote(words).slice(1, -1);
        expect(parsed.messages).toEqual(
          messages.map(({ kind, action: id, text: words }) => ({ kind, action: id, text: unquoted(words) })),
        );
        expect(parsed.dialog?.message ?? null).toBe(dialog === null ? null : unquoted(dialog));
        expect(parsed.ownWords).not.toContain(PAGE_WORD);
        expect(normalizeText(parsed.ownWords.replaceAll('\n', ' '))).toMatch(/^[ -~·…–]*$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('spaceMarkdown() folds what is below a dialog into one line', () => {
  const below = ['B2', 'B3'].map(id => actionOf({ id, status: 'covered', layer: 'below' }));
  const text = spaceMarkdown(space([actionOf({ layer: 'top' }), ...below]));
  expect(text.split('\n').slice(2, 5)).toEqual([
    '## Main',
    'B1 "Save"',
    '… 2 covered actions below the dialog',
  ]);
  expect(spaceMarkdown(space(below))).toContain('\nB2–B3 "Save" (covered)');
});

test.each([
  ['equal actions', () => 'button "Edit"'],
  ['rows of actions', (nth: number) => `button "${['Edit', 'Delete'][nth % 2]}", in "Customer ${nth >> 1}"`],
  ['a row that goes on', (nth: number) => `button "Step ${nth}"${nth % 2 === 0 ? ', in "Plan"' : ''}`],
  ['repeated lists', (nth: number) => `button "Page ${nth % 7}"`],
])('spaceMarkdown() reads each of ten times as many actions as often: %s', (_, describe) => {
  const readsOf = (count: number): number => {
    let reads = 0;
    const actions = Array.from({ length: count }, (__, nth) => {
      const id = `B${nth + 1}`;
      const get = () => {
        reads++;
        return id;
      };
      return Object.defineProperty(actionOf({ description: describe(nth) }), 'id', { get });
    });
    spaceMarkdown(space(actions));
    return reads;
  };
  expect(readsOf(1_000)).toBeLessThanOrEqual(readsOf(100) * 11);
});
