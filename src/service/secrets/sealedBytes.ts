/** Encrypts what the store keeps of accounts: AES-256-GCM, bound to what it belongs to. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1.';
const NO_KEY = Buffer.alloc(0);

/** Keys of 32 bytes, at least one: the first seals, all open. */
export type SecretsKeys = readonly Buffer[];

/** @param context what the contents belong to: sealed contents that were moved elsewhere do not open */
export function sealBytes([key = NO_KEY]: SecretsKeys, context: string, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  );
  const parts = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return FORM + Buffer.concat(parts).toString('base64');
}

/** Opens what `sealBytes` has sealed. @throws Error for other keys, another context, another form, and changed contents */
export function unsealBytes(keys: SecretsKeys, context: string, sealed: string): Buffer {
  if (!sealed.startsWith(FORM)) throw new Error('The form of the sealed contents is unknown.');
  const bytes = Buffer.from(sealed.slice(FORM.length), 'base64');
  const open = (key: Buffer): Buffer => {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  };
  let problem: unknown;
  for (const key of keys)
    try {
      return open(key);
    } catch (error) {
      problem = error;
    }
  throw problem;
}
