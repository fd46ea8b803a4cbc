import { expect, it } from 'vitest';
import { forbidsScripts } from '../../../src/browser/tab/scriptWatch.ts';

it.each([
  "script-src 'none'",
  "default-src 'none'; img-src *",
  'script-src',
  "img-src *; SCRIPT-SRC  'NONE'; script-src *",
  "script-src *, script-src 'none'",
  "img-src *\nscript-src 'none'",
  "script-src-elem 'none'; script-src-attr 'none'; script-src *",
  'sandbox',
  'sandbox allow-forms allow-same-origin',
])('forbidsScripts is true for %j', policy => expect(forbidsScripts(policy)).toBe(true));

it.each([
  undefined,
  '',
  "script-src 'self'",
  "default-src 'none'; script-src 'nonce-abc'",
  "script-src 'none'; script-src-elem 'self'",
  "script-src 'none'; script-src-attr 'unsafe-inline'",
  "default-src 'self'; object-src 'none'",
  "script-src-elem 'none'",
  'sandbox allow-scripts',
])('forbidsScripts is false for %j', policy => expect(forbidsScripts(policy)).toBe(false));
