/** Texts for numbers and times. */
import { signal } from '@preact/signals';

/** The present time in milliseconds, once a second while the page is seen. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

/** `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return wholeDuration(ms);
}

/** A duration in whole seconds, of at most two units: `42 s`, `3 min 5 s`. */
export function wholeDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return pair(seconds, 60, 'min', 's');
  if (seconds < 86_400) return pair(Math.floor(seconds / 60), 60, 'h', 'min');
  return pair(Math.floor(seconds / 3_600), 24, 'd', 'h');
}

const pair = (amount: number, base: number, large: string, small: string): string => {
  const rest = amount % base;
  return `${Math.floor(amount / base)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
};

/** The age of a time, without seconds above a minute: `now`, `12 s`, `4 min`, `3 h`, `2 d`. */
export function ageText(time: string, at: number): string {
  const seconds = Math.max(0, Math.round((at - Date.parse(time)) / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

// A formatter costs a hundred times as much as a format, and the table has thousands of rows.
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const smallAmount = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });
const largeAmount = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** `14:05:09` in the reader's time zone. */
export const clockText = (time: string): string => clock.format(new Date(time));

/** `9 Mar 2026, 14:05` in the reader's language. */
export const dateText = (time: string): string => dateAndTime.format(new Date(time));

/** Millionths of the unit of account as a number: `0.0125`. */
export const micros = (amount: number): string => {
  const units = amount / 1_000_000;
  return (units < 1 ? smallAmount : largeAmount).format(units);
};

/** `1.2 kB`. */
export const bytesText = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** An address without its scheme, `www.` and last slash. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

/** The address of a session's page in short, or that it has none. */
export function pageOf({ url, status }: { readonly url: string | null; readonly status: string }): string {
  if (url !== null) return shortUrl(url);
  return status === 'ACTIVE' ? 'No page yet' : 'No page';
}

/** A caller in words: `agent · nightly`. */
export const callerText = ({
  kind,
  keyName,
}: {
  readonly kind: string;
  readonly keyName: string | null;
}): string => (keyName === null ? words(kind) : `${words(kind)} · ${keyName}`);

/** `STEP` and `TIMED_OUT` as words: `step`, `timed out`. */
export const words = (name: string): string => name.toLowerCase().replaceAll('_', ' ');
