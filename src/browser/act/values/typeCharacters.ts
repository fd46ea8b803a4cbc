/** Types text with the keys of a keyboard, in as few round trips as the page allows. */
import type { Deadline } from '../../../domain/ports/clock.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ElementContext } from '../element/elementContext.ts';

/** Length of a text above which it is worth a round trip to find out whether its keys can be sent at once. Characters. */
const MIN_LENGTH_AT_ONCE = 3;

/** A key as `Input.dispatchKeyEvent` names it. */
interface Key {
  readonly code: string;
  /** The Windows virtual key code, which pages read as `keyCode`. */
  readonly keyCode: number;
  /** True if Shift is held for it: pages take a capital without Shift for Caps Lock. */
  readonly isShifted: boolean;
}

/** The keys of a US keyboard that enter no letter: code, virtual key code, and the characters that they enter. */
const KEYS = `Backquote 192 \`~,Digit1 49 1!,Digit2 50 2@,Digit3 51 3#,Digit4 52 4$,Digit5 53 5%,Digit6 54 6^,Digit7 55 7&,Digit8 56 8*
Digit9 57 9(,Digit0 48 0),Minus 189 -_,Equal 187 =+,Backslash 220 \\|,BracketLeft 219 [{,BracketRight 221 ]},Semicolon 186 ;:,Quote 222 '"
Period 190 .>,Slash 191 /?`;

const KEY_BY_CHARACTER: ReadonlyMap<string, Key> = new Map([
  ...KEYS.split(/[,\n]/).flatMap((line): [string, Key][] => {
    const [code = '', keyCode = '', characters = ''] = line.split(' ');
    return [...characters].map((character, nth) => [
      character,
      { code, keyCode: Number(keyCode), isShifted: nth > 0 },
    ]);
  }),
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter): [string, Key][] => {
    const key = { code: `Key${letter}`, keyCode: letter.charCodeAt(0) };
    return [
      [letter, { ...key, isShifted: true }],
      [letter.toLowerCase(), { ...key, isShifted: false }],
    ];
  }),
  [',', { code: 'Comma', keyCode: 188, isShifted: false }],
  ['<', { code: 'Comma', keyCode: 188, isShifted: true }],
  [' ', { code: 'Space', keyCode: 32, isShifted: false }],
]);

/** The bit of Shift in `Input.dispatchKeyEvent`. */
const SHIFT = 8;

/** A line break in an editable element: a key of no code, since inserted text leaves the caret in the line before it. */
const LINE_BREAK = {
  type: 'char',
  key: 'Enter',
  code: 'Enter',
  windowsVirtualKeyCode: 13,
  text: '\r',
} as const;

/** Breaks the line in the editable element that has the focus. The page gets no `keydown`: many send what was entered then. */
export const breakLine = ({ target }: Tab, deadline: Deadline): Promise<unknown> =>
  target.channel.send('Input.dispatchKeyEvent', { ...LINE_BREAK, unmodifiedText: LINE_BREAK.text }, deadline);

/**
 * Types a text into what has the focus: each character of a US keyboard by its key, any other as inserted text. Keys in turn go on
 * at once if the page has done all its work after the first one: it reacts to keys while it receives them. The order of keys that
 * are sent at once holds.
 * @param isEditor true for an editable element, in which a line break is a key
 * @throws Failure of the deadline
 */
export async function typeCharacters(
  tab: Tab,
  text: string,
  { keyEntry, isIdle, betweenKeys }: Pick<ElementContext, 'keyEntry' | 'isIdle' | 'betweenKeys'>,
  deadline: Deadline,
  isEditor = false,
): Promise<void> {
  const { channel } = tab.target;
  // A line break that is inserted with other text is no line of its own in an editable element.
  if (keyEntry === 'inserted' && !text.includes('\n'))
    return void (await channel.send('Input.insertText', { text }, deadline));
  let isInTurn = keyEntry === 'in turn';
  let sent: Promise<unknown>[] = [];
  for (const [nth, character] of [...text].entries()) {
    const key = KEY_BY_CHARACTER.get(character);
    if (key === undefined) {
      await Promise.all(sent);
      sent = [
        isEditor && character === '\n'
          ? breakLine(tab, deadline)
          : channel.send('Input.insertText', { text: character }, deadline),
      ];
    } else {
      const { code, keyCode, isShifted } = key;
      const modifiers = isShifted ? SHIFT : 0;
      const event = { key: character, code, windowsVirtualKeyCode: keyCode, modifiers };
      sent.push(
        channel.send(
          'Input.dispatchKeyEvent',
          { ...event, type: 'keyDown', text: character, unmodifiedText: character },
          deadline,
        ),
        channel.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' }, deadline),
      );
    }
    if (!isInTurn) continue;
    await Promise.all(sent);
    sent = [];
    await betweenKeys?.();
    if (nth === 0 && betweenKeys === undefined && text.length > MIN_LENGTH_AT_ONCE)
      isInTurn = !(await isIdle());
  }
  await Promise.all(sent);
}
