/** Maximum wait of the special action S7 (wait), in seconds. */
export const MAX_WAIT_SECONDS = 30;

/** The condition for which an operation waits at the request of its caller (`wait_for`), and the grammar of that request. */

export type WaitCondition =
  | {
      /** `text`: text that the page shows. `action`: an action whose description contains the text. */
      readonly kind: 'text' | 'action';
      /** Compared without regard to case and white space. */
      readonly text: string;
      /** False: wait until it is not there any more. */
      readonly isPresent: boolean;
    }
  /** No request of the page is open; polls and streams do not count. */
  | { readonly kind: 'network' };

/** Default of the maximum wait for a condition. Milliseconds. */
export const DEFAULT_WAIT_FOR_MS = 10_000;
/** Default of the maximum wait for what an operation has begun. Milliseconds. */
export const DEFAULT_WAIT_MS = 5_000;
/** Maximum of `wait_ms`. */
export const MAX_WAIT_MS = 60_000;

/** The grammar in one sentence, for schema texts and failures. */
export const WAIT_FOR_GRAMMAR =
  '`text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"` or `network quiet`';

const PATTERN = /^(?:(no)\s+)?(text|action)\s+["“”](.+)["“”]$/is;
/** Matches two conditions in one text: only one can be awaited. */
const COMPOUND = /["“”]\s*(?:,|;|&&|\|\||\band\b|\bor\b)\s*(?:no\s+)?(?:(?:text|action)\s+["“”]|network\s)/i;
const NETWORK_PATTERN = /^network\s+(?:is\s+)?(?:quiet|idle)$/i;

/** Parses a condition. @returns null if the text does not follow the grammar */
export function parseWaitCondition(text: string): WaitCondition | null {
  const trimmed = text.trim();
  if (NETWORK_PATTERN.test(trimmed)) return { kind: 'network' };
  const [, no, kind = '', quoted = ''] = PATTERN.exec(trimmed) ?? [];
  if (kind === '' || quoted.trim() === '' || COMPOUND.test(trimmed)) return null;
  return {
    kind: kind.toLowerCase() === 'text' ? 'text' : 'action',
    text: quoted.trim(),
    isPresent: no === undefined,
  };
}

/** Returns a text as conditions compare it: as lists write it (double quotes are single ones), without regard to case and white space. */
export const comparableText = (text: string): string =>
  text.replace(/\s+/g, ' ').replaceAll('"', "'").trim().toLowerCase();

/** Writes a condition in its grammar. */
export const waitConditionText = (condition: WaitCondition): string =>
  condition.kind === 'network'
    ? 'network quiet'
    : `${condition.isPresent ? '' : 'no '}${condition.kind} "${condition.text}"`;
