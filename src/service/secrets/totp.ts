import { createHmac } from 'node:crypto';

/** A seed, and how codes are made of it. */
interface TotpSeed {
  readonly key: Buffer;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly digits: number;
  readonly periodSeconds: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Sites issue seeds of 80 bits and more. */
const MIN_KEY_BYTES = 10;
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

/** Reads a seed in Base32, or an address `otpauth://totp/…?secret=…`, as QR codes have it. Null if it is none. */
export function parseTotpSeed(text: string): TotpSeed | null {
  const url = /^otpauth:/i.test(text) ? URL.parse(text) : null;
  if (/^otpauth:/i.test(text) && url?.host.toLowerCase() !== 'totp') return null;
  const parameter = (name: string, absent: string) => url?.searchParams.get(name) ?? absent;
  const key = fromBase32(url === null ? text : parameter('secret', ''));
  const algorithm = ALGORITHMS.find(
    name => name === parameter('algorithm', 'sha1').toLowerCase().replace('-', ''),
  );
  const digits = Number(parameter('digits', '6'));
  const periodSeconds = Number(parameter('period', '30'));
  if (key === null || key.length < MIN_KEY_BYTES || algorithm === undefined) return null;
  if (![6, 7, 8].includes(digits) || !Number.isInteger(periodSeconds)) return null;
  if (periodSeconds < 10 || periodSeconds > 300) return null;
  return { key, algorithm, digits, periodSeconds };
}

export function totpCode({ key, algorithm, digits, periodSeconds }: TotpSeed, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1_000 / periodSeconds)));
  const hash = createHmac(algorithm, key).update(counter).digest();
  // RFC 4226, section 5.3: dynamic truncation.
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function fromBase32(text: string): Buffer | null {
  const symbols = text.toUpperCase().replace(/[\s-]/g, '').replace(/=+$/, '');
  if (!/^[A-Z2-7]+$/.test(symbols)) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const symbol of symbols) {
    held = (held << 5) | ALPHABET.indexOf(symbol);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
