import { z } from 'zod';
import { Failure } from '../failure/failures.ts';
import type { StorageState } from './browserOptions.ts';

/** Maximum size of a storage state as JSON, in bytes. */
const MAX_STORAGE_STATE_BYTES = 4_000_000;

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text;
const nameValue = z.object({ name: z.string(), value: z.string() });

const storageStateSchema = z.object({
  cookies: z
    .array(
      z.object({
        name: z.string().min(1).max(4_096),
        value: z.string().max(4_096),
        domain: z.string().min(1).max(255),
        path: z.string().startsWith('/').max(1_000),
        expires: z.number().min(-1).default(-1),
        httpOnly: z.boolean().default(false),
        secure: z.boolean().default(false),
        sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
      }),
    )
    .max(2_000)
    .default([]),
  origins: z
    .array(
      z.object({
        origin: z.string().max(500).refine(isOrigin, 'must be an origin such as https://example.com'),
        localStorage: z.array(nameValue).max(10_000).default([]),
        indexedDB: z
          .array(z.looseObject({ name: z.string(), version: z.number() }))
          .max(100)
          .optional(),
      }),
    )
    .max(100)
    .default([]),
});

/** @throws Failure VALIDATION_ERROR if a storage state is longer than MAX_STORAGE_STATE_BYTES */
export function assertStateSize(state: unknown, field?: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(state) ?? '');
  if (bytes <= MAX_STORAGE_STATE_BYTES) return;
  const [has, max] = [bytes, MAX_STORAGE_STATE_BYTES].map(each => each.toLocaleString('en'));
  throw storageStateFailure([{ path: '', message: `has ${has} bytes; the maximum is ${max}` }], field);
}

/** Returns the storage state of a request. @param field its name in the request @throws Failure VALIDATION_ERROR, without the values of the state */
export function toStorageState(input: unknown, field = 'storageState'): StorageState {
  assertStateSize(input, field);
  const parsed = storageStateSchema.safeParse(input);
  if (!parsed.success)
    throw storageStateFailure(
      parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
      field,
    );
  return {
    cookies: parsed.data.cookies,
    origins: parsed.data.origins.map(({ indexedDB, ...origin }) => ({
      ...origin,
      ...(indexedDB !== undefined && { indexedDB }),
    })),
  };
}

function storageStateFailure(
  problems: readonly { readonly path: string; readonly message: string }[],
  field = 'storageState',
): Failure {
  const errors = problems.map(({ path, message }) => ({
    path: path === '' ? field : `${field}.${path}`,
    message,
  }));
  const detail = errors
    .slice(0, 5)
    .map(({ path, message }) => `${path} ${message}`)
    .join('; ');
  return new Failure('VALIDATION_ERROR', `The storage state cannot be used: ${detail}.`, { errors });
}
