/** One setting: an environment variable with its schema, and the schemas that several settings share. */
import { isIP } from 'node:net';
import { z } from 'zod';

/** One environment variable: its schema, its default and its description. */
export interface Setting<Schema extends z.ZodType> {
  readonly variable: string;
  readonly schema: Schema;
  /** The text that is parsed when the variable is unset or empty; null for no value. */
  readonly default: string | null;
  /** Text for the default in the table of docs/configuration.md, if `default` itself would be unclear. */
  readonly defaultDescription?: string;
  /** The meaning of the variable, for the table of docs/configuration.md. */
  readonly description: string;
  /** True if error messages must not contain the value. */
  readonly secret?: boolean;
}

/** Creates one environment variable of the table of settings. */
export const setting = <Schema extends z.ZodType>(
  variable: string,
  text: string | null,
  schema: Schema,
  description: string,
  more: { defaultDescription?: string; secret?: boolean } = {},
): Setting<Schema> => ({ variable, default: text, schema, description, ...more });

/** Characters of a wrong value that an error repeats. */
const MAX_QUOTED_CHARACTERS = 100;

/** Returns a wrong value for an error: in quotes, cut, and in ASCII, because a terminal obeys other characters or hides them. */
export function quoteValue(value: string | undefined): string {
  const cut = (value ?? '').slice(0, MAX_QUOTED_CHARACTERS);
  const quoted = JSON.stringify(cut).replace(
    /[^ -~]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return cut.length < (value ?? '').length ? `${quoted} and more` : quoted;
}

/** Schema of a whole number in decimal digits. */
export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      text => /^\d{1,12}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `must be a whole number from ${from} to ${to}`,
    )
    .transform(Number);

/** Schema of one of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(...allowed: Words) =>
  z.enum(allowed, `must be one of ${allowed.join(', ')}`);

/** Schema of a URL with one of the protocols. @param example shown in the error, which never shows the value */
export const urlText = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

/** Schema of such a URL without user name and password, which `fetch` refuses, and without fragment. */
export const publicUrlText = (protocols: RegExp, example: string) =>
  urlText(protocols, example).refine(text => {
    const { username, password } = URL.parse(text) ?? { username: '', password: '' };
    return username === '' && password === '' && !text.includes('#');
  }, 'must have no user name, password and fragment');

/** Schema of such a URL without a query too: other URLs are made of it. */
export const baseUrlText = (protocols: RegExp, example: string) =>
  publicUrlText(protocols, example).refine(text => !text.includes('?'), 'must have no query');

/** Schema of a host name or an IP address, without brackets, scheme and port. */
export const hostName = z
  .string()
  .trim()
  .refine(
    text =>
      (isIP(text) !== 0 && !text.includes('%')) || (/^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`)),
    'must be a host name or an IP address, such as 127.0.0.1 or ::',
  );

/** Schema of the practice shop: `auto`, a port, or null for `off`. */
export const practiceShop = z
  .string()
  .refine(
    text => /^(auto|off|\d{1,5})$/.test(text) && !(Number(text) > 65_535),
    'must be auto, off, or a port from 0 to 65535',
  )
  .transform(text => (text === 'off' ? null : text === 'auto' ? ('auto' as const) : Number(text)));

/** Schema of exact origins, separated by commas. */
export const origins = z.string().transform((text, ctx) => {
  const given = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  for (const each of given)
    if (!/^https?:[^*]*$/.test(each) || URL.parse(each)?.origin !== each)
      ctx.addIssue({
        code: 'custom',
        message: 'must be exact origins, such as https://dashboard.example.com or http://localhost:5173',
      });
  return given;
});

/** Schema of a setting that may be unset. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

/** Schema of the path of a file or folder. */
export const path = z.string().trim().min(1, 'must not be blank');

/** Maximum of every setting in seconds: one week. In milliseconds it is still below the limit of a timer (2^31). */
export const MAX_SECONDS = 604_800;

/** Schema of keys of 32 bytes in Base64 or hexadecimal, separated by commas. */
export const secretsKeysText = z.string().transform((text, ctx): readonly Buffer[] => {
  const keys = text
    .split(',')
    .map(each => each.trim())
    .map(each => Buffer.from(each, /^[0-9a-f]{64}$/i.test(each) ? 'hex' : 'base64'));
  if (keys.some(key => key.length !== 32))
    ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in Base64 or hexadecimal' });
  return keys;
});
