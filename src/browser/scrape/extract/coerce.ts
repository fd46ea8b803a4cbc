/** Converts text from a page to the types of the caller's schema. */
import type { ExtractPlan } from '../../../domain/content/extractPlan.ts';
import type { Json } from '../../../domain/json.ts';

/** @returns the converted value; text that cannot be converted stays text, so that the validator reports it */
export function coerce(raw: Json, plan: ExtractPlan): Json {
  if (raw === null) return null;
  if (plan.type === 'array' && plan.items !== null) {
    const { items } = plan;
    return Array.isArray(raw) ? (raw as readonly Json[]).map(item => coerce(item, items)) : null;
  }
  if (plan.type === 'object') {
    const parts = raw as { readonly [name: string]: Json };
    return Object.fromEntries(
      plan.properties.map(({ name, plan: inner }) => [name, coerce(parts[name] ?? null, inner)]),
    );
  }
  return typeof raw === 'string' ? coerceScalar(raw, plan.type) : raw;
}

function coerceScalar(text: string, type: ExtractPlan['type']): Json {
  if (type === 'number' || type === 'integer') return parseNumber(text) ?? text;
  if (type === 'boolean') return parseBoolean(text) ?? text;
  return text;
}

const TRUE_TEXT = /^(true|yes|on|1|checked|selected|in stock|available|✓|✔|☑)$/i;
const FALSE_TEXT = /^(false|no|off|0|unchecked|out of stock|sold out|unavailable|✗|✘|☐|)$/i;

function parseBoolean(text: string): boolean | null {
  if (TRUE_TEXT.test(text)) return true;
  return FALSE_TEXT.test(text) ? false : null;
}

/** Matches a number with a power of ten (`5×10^3`), and one with a fraction (`1 1/2`, `1/2`), at the beginning of a text. */
const POWER = /^\s*([-−–]?\d[\d.,]*)?\s*[×x·*]?\s*10\^\(?([-−–]?\d{1,3})/;
const FRACTION = /^\s*([-−–])?(?:(\d+)\s+)?(\d+)\s?[/⁄]\s?(2|3|4|8|16)(?![\d/.])/;

function parseComposed(text: string): number | null {
  const power = POWER.exec(text);
  if (power !== null) {
    const base = power[1] === undefined ? 1 : Number(normalizeDecimal(power[1].replace(/[−–]/, '-')));
    return base * 10 ** Number((power[2] ?? '').replace(/[−–]/, '-'));
  }
  const fraction = FRACTION.exec(text);
  if (fraction === null) return null;
  const [, sign, whole = '0', above, below] = fraction;
  // "4/3" is no part of one.
  if (Number(above) >= Number(below)) return null;
  const value = Number(whole) + Number(above) / Number(below);
  return sign === undefined ? value : -value;
}

/** Returns the first number in a text such as `1,299.00 €`, `1.299,00`, `−3` or `12 %`; null if the text has none. */
export function parseNumber(text: string): number | null {
  const composed = /[\^/⁄]/.test(text) ? parseComposed(text) : null;
  if (composed !== null && Number.isFinite(composed)) return composed;
  const found = /[-−–]?\s?\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0];
  if (found === undefined) return null;
  const bare = found.replace(/[−–]/, '-').replace(/['’\u00a0\u202f ]/g, '');
  return Number(normalizeDecimal(bare));
}

/**
 * Returns the digits without thousands separators and with a decimal point. If commas and points occur, the last sign is
 * the decimal sign. If only commas occur and three digits follow each, they separate thousands.
 */
function normalizeDecimal(digits: string): string {
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  if (comma >= 0 && point >= 0) {
    return comma > point ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  if (comma >= 0)
    return /^-?\d{1,3}(,\d{2,3})*,\d{3}$/.test(digits)
      ? digits.replaceAll(',', '')
      : digits.replace(',', '.');
  return /^-?\d{1,3}(\.\d{3}){2,}$/.test(digits) ? digits.replaceAll('.', '') : digits;
}
