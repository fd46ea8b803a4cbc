/** Reads values from a page by a caller's JSON Schema. */

import type { ExtractPlan } from '../../../domain/content/extractPlan.ts';
import {
  type ExtractSchema,
  extractSchemaFailure,
  parseExtractSchema,
} from '../../../domain/content/extractSchema.ts';
import type { ExtractError } from '../../../domain/content/scrape.ts';
import type { Json } from '../../../domain/json.ts';
import { wellFormedJson } from '../../../domain/space/pageText.ts';
import type { IsolatedWorld } from '../../cdp/isolatedWorld.ts';
import type { ExtractResponse } from '../../injected/scrape/pageScraper.ts';
import { addClosedRoots, callScraper, installScraper } from '../callScraper.ts';
import { runInWorker, WorkerFailed } from '../runInWorker.ts';
import { validationErrors } from './validationErrors.ts';

/**
 * @param sign the decimal sign of the page; null if unknown
 * @returns the converted value; text that cannot be converted stays text, so that the validator reports it
 */
function coerce(raw: Json, plan: ExtractPlan, sign: DecimalSign | null): Json {
  if (raw === null) return null;
  if (plan.type === 'array' && plan.items !== null) {
    const { items } = plan;
    return Array.isArray(raw) ? (raw as readonly Json[]).map(item => coerce(item, items, sign)) : null;
  }
  if (plan.type === 'object') {
    const parts = raw as { readonly [name: string]: Json };
    return Object.fromEntries(
      plan.properties.map(({ name, plan: inner }) => [name, coerce(parts[name] ?? null, inner, sign)]),
    );
  }
  return typeof raw === 'string' ? coerceScalar(raw, plan.type, sign) : raw;
}

function coerceScalar(text: string, type: ExtractPlan['type'], sign: DecimalSign | null): Json {
  if (type === 'number' || type === 'integer') return parseNumber(text, sign) ?? text;
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

type DecimalSign = '.' | ',';

/** The currencies of prices in which a point may separate thousands. */
const CURRENCY = /€|EUR\b|kr\b|Kč|zł|₺|₫|R\$|Rp/;
/** Matches a number that tells which sign is the decimal one: `0.325`, `12,5`, `1.299,00`. */
const TELLING_NUMBER = /(?<![\d.,])0([.,])\d|\d([.,])\d\d?(?![\d.,]*\d)/g;

/** Returns the decimal sign of the prices among the numbers, if they agree; else that of the language (BCP 47); null if that is unknown. */
function decimalSignOf(numbers: readonly string[], language: string): DecimalSign | null {
  const prices = numbers.filter(text => CURRENCY.test(text));
  const [sign, other] = new Set(
    prices.flatMap(text => Array.from(text.matchAll(TELLING_NUMBER), ([, small, cents]) => small ?? cents)),
  );
  if (other !== undefined || sign === undefined) return signOfLanguage(language);
  return sign === ',' ? ',' : '.';
}

function signOfLanguage(language: string): DecimalSign | null {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language)) return null;
  try {
    if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return null;
    return new Intl.NumberFormat(language).format(0.5).includes(',') ? ',' : '.';
  } catch {
    // The page says a language that is none.
    return null;
  }
}

/** Returns the texts that the plan reads as numbers. */
function numbersOf(raw: Json, plan: ExtractPlan): readonly string[] {
  const { items } = plan;
  if (typeof raw === 'string') return plan.type === 'number' || plan.type === 'integer' ? [raw] : [];
  if (Array.isArray(raw))
    return items === null ? [] : (raw as readonly Json[]).flatMap(item => numbersOf(item, items));
  const parts = (raw ?? {}) as { readonly [name: string]: Json };
  return plan.properties.flatMap(({ name, plan: inner }) => numbersOf(parts[name] ?? null, inner));
}

/**
 * Returns the first number in a text such as `1,299.00 €`, `1.299,00`, `−3` or `12 %`; null if the text has none.
 * @param sign the decimal sign of the page; null if unknown
 */
export function parseNumber(text: string, sign: DecimalSign | null = null): number | null {
  const composed = /[\^/⁄]/.test(text) ? parseComposed(text) : null;
  if (composed !== null && Number.isFinite(composed)) return composed;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [found, digits = '', vulgar] = match;
  if (vulgar !== undefined) {
    const [above, below] = vulgar.normalize('NFKC').split('⁄');
    const whole = digits === '' ? 0 : Number(normalizeDecimal(digits));
    return (/^[-−–]/.test(found) ? -1 : 1) * (whole + Number(above) / Number(below));
  }
  const bare = found.replace(/[−–]/, '-').replace(/['’\u00a0\u202f ]/g, '');
  const after = text.slice(match.index + found.length);
  const isGrouped =
    /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare) &&
    (/^,[-–—]/.test(after) ||
      (sign === ',' &&
        !OF_UNIT.test(after) &&
        (NO_CENTS.test(after) || POINT_GROUPS.test(text.slice(0, match.index)))));
  return Number(isGrouped ? bare.replace('.', '') : normalizeDecimal(bare));
}

/** A number, which may begin with its point or end with a sign such as `½`. */
const NUMBER =
  /[-−–]?\s?(?=[\d.¼-¾⅐-⅞])((?:(?<![^\s$€£¥(+−–-])\.)?\d(?:[\d.,'’\u00a0\u202f ]*\d)?)?(?:\s?([¼-¾⅐-⅞]))?(?<=[\d¼-¾⅐-⅞])/;

/** The end of a price without cents whose point separates thousands, where the comma is the decimal sign: `1.250 €`. */
const NO_CENTS = /^\s?(?:€|EUR\b|kr\b|Kč|zł|₺|₫)/;
/** The end of the price of fuel, power or another currency, which may have three decimals: `1.759 €/l`. */
const OF_UNIT =
  /^\s?[^\s\d/]{0,3}\s?\/\s?(?:[Ll]|[Ll]it[er]{2}s?|gal|k[Ww]h|kg|m³|[A-Z]{3}|[$£¥€])(?![\p{L}\d])/u;
/** The sign before such a price: `€ 1.250`, `R$ 1.250`. */
const POINT_GROUPS = /(?:€|R\$|Rp|₺|₫)\s?$/;

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

const MAX_ERRORS = 1_000;

/** Returns one error for each value that was not found, unless the schema says that it may be null. */
function notFoundErrors(plan: ExtractPlan, value: Json): readonly ExtractError[] {
  const errors: ExtractError[] = [];
  collectErrors(plan, value, [], errors);
  return errors.slice(0, MAX_ERRORS);
}

function collectErrors(
  plan: ExtractPlan,
  value: Json,
  path: readonly string[],
  errors: ExtractError[],
): void {
  if (errors.length >= MAX_ERRORS) return;
  if (plan.type === 'array') {
    const { items } = plan;
    if (items === null || !Array.isArray(value)) return;
    // The selector of the list has found the item itself; only the parts of an item have labels.
    if (items.type === 'object' || items.type === 'array')
      for (const [index, item] of (value as readonly Json[]).entries())
        collectErrors(items, item, [...path, String(index)], errors);
    return;
  }
  if (plan.type === 'object' && value !== null) {
    if (typeof value !== 'object' || Array.isArray(value)) return;
    const held = value as { readonly [name: string]: Json };
    for (const { name, plan: inner } of plan.properties)
      collectErrors(inner, held[name] ?? null, [...path, name], errors);
    return;
  }
  const where = whereOf(plan);
  if (value === null && !plan.isNullable && where !== null)
    errors.push({ path: path.join('.'), message: `was not found: ${where}` });
}

/** Returns where a value was searched, as the end of a message; null if its element is that of the part around it. */
function whereOf({ type, selector, label, attribute }: ExtractPlan): string | null {
  if (selector !== null && attribute !== null)
    return `nothing matches the selector "${selector}" and has the attribute "${attribute}"`;
  if (selector !== null) return `nothing matches the selector "${selector}", or its value cannot be read`;
  return label === null || type === 'object' ? null : `nothing on the page has the label "${label}"`;
}

/** Maximum processor time of a validation in a worker that has started, in milliseconds. A usual schema takes a few. */
const VALIDATION_TIMEOUT_MS = 3_000;
const WORKER_MEMORY_MB = 256;

/**
 * Returns one error for each extracted value that is missing or does not match the caller's schema. Validates on the main
 * thread if the schema needs only linear time; in a worker if it has patterns, references or choices.
 * @param timeoutMs maximum processor time in the worker, without its start; it may take ten times as long
 * @throws Failure VALIDATION_ERROR when the worker takes longer or fails; the signal's reason
 */
export async function validateExtracted(
  { validator, isLinear }: ExtractSchema,
  schema: Json,
  value: Json,
  signal: AbortSignal,
  timeoutMs = VALIDATION_TIMEOUT_MS,
): Promise<readonly ExtractError[]> {
  if (isLinear) return validationErrors(validator, value);
  const module = new URL('./validationWorker.ts', import.meta.url);
  try {
    return await runInWorker(module, { schema, value }, { memoryMb: WORKER_MEMORY_MB, signal, timeoutMs });
  } catch (cause) {
    if (signal.aborted || !(cause instanceof WorkerFailed)) throw cause;
    throw extractSchemaFailure([{ path: '', message: TOO_SLOW }], cause);
  }
}

const TOO_SLOW =
  'takes too long to validate the values of the page: simplify a pattern that backtracks, or references that multiply';

export interface ExtractResult {
  /** The values in the schema's shape; null for a value that was not found. */
  readonly value: Json;
  readonly errors: readonly ExtractError[];
  readonly isTruncated: boolean;
}

const MAX_CLOSED_ROOT_DEPTH = 4;

/**
 * Reads from a page the values that a caller's schema describes, including values in shadow roots and in frames of the
 * same process. Makes one call to the page, and more only for closed shadow roots.
 * @param schema JSON Schema whose parts may have `selector` (CSS, inside the parent part's element), `label` (text
 * beside the value) and `attribute`: `{"price": {"type": "number", "selector": ".price"}}`. A list is `{"type":
 * "array", "selector": ".row", "items": …}`
 * @throws Failure VALIDATION_ERROR when the schema is invalid or takes too long to validate; OPERATION_TIMEOUT, BROWSER_CRASHED
 */
export async function extractPage(
  world: IsolatedWorld,
  schema: Json,
  signal: AbortSignal,
): Promise<ExtractResult> {
  const parsed = parseExtractSchema(schema);
  const { plan } = parsed;
  await installScraper(world);
  const read = async (again: boolean) =>
    JSON.parse(wellFormedJson(await callScraper(world, 'extractValues', plan, again))) as ExtractResponse;
  let response = await read(false);
  for (let left = MAX_CLOSED_ROOT_DEPTH; response.hostCount > 0 && left > 0; left--) {
    if (!(await addClosedRoots(world, response.hostCount))) break;
    response = await read(true);
  }
  if (response.invalidSelectors.length > 0)
    throw extractSchemaFailure(
      response.invalidSelectors.map(path => ({
        path: joinPath(path, 'selector'),
        message: 'is not a CSS selector',
      })),
    );
  const sign = decimalSignOf(numbersOf(response.value, plan), response.language);
  const value = coerce(response.value, plan, sign);
  const invalid = await validateExtracted(parsed, schema, value, signal);
  // A limit leaves values out that the page may have.
  const missing = response.isTruncated ? [] : notFoundErrors(plan, value);
  const known = new Set(invalid.map(({ path }) => path));
  return {
    value,
    errors: [
      ...invalid,
      ...missing.filter(({ path }) => !known.has(path)),
      ...response.hidden
        .filter(path => !known.has(path))
        .map(path => ({ path, message: 'is in an element that the page does not show' })),
    ],
    isTruncated: response.isTruncated,
  };
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
