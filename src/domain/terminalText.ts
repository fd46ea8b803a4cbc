import { normalizeLines } from './space/pageText.ts';

/** Characters in JSON that terminals obey, or that change the order or the width of what people see. JSON escapes those below U+0020 itself. */
export const OBEYED_IN_JSON =
  /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u2800\u3164\u115F\u1160\uFFA0]|\uDB40[\uDC00-\uDFFF]/g;

/** Returns the text with its line breaks and tabs, and without terminal sequences and characters that people cannot see. */
export const terminalText = (text: string): string => normalizeLines(text);

/** Returns JSON that means the same and has escapes for the characters that a terminal obeys or that people cannot see. */
export const terminalJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(OBEYED_IN_JSON, escapeUnits);

export const escapeUnits = (characters: string): string =>
  Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
