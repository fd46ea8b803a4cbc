/** The API key of this visit. It stays in the tab: `sessionStorage` ends with it, and no other site can read it. */
import { signal } from '@preact/signals';

const STORAGE_KEY = 'pagespace.key';

/** True in the view of a share link, which has a token of its own: the key of the visit stays out of it. */
export const isSharedView = location.pathname === '/dashboard/shared';

/** The key that every request carries; null when nobody is signed in. */
export const apiKey = signal<string | null>(isSharedView ? null : sessionStorage.getItem(STORAGE_KEY));

/** Why the last visit ended; null if the visitor signed out, or for a first visit. */
export const signedOutBecause = signal<string | null>(null);

export function keepKey(key: string): void {
  sessionStorage.setItem(STORAGE_KEY, key);
  signedOutBecause.value = null;
  apiKey.value = key;
}

/** Forgets the key. @param reason the sentence that the sign-in page shows */
export function forgetKey(reason: string | null = null): void {
  if (!isSharedView) sessionStorage.removeItem(STORAGE_KEY);
  signedOutBecause.value = reason;
  apiKey.value = null;
}

/** The take-over of a session that the reader has: the reader's own operations name it. Null for none. */
export const holdId = signal<string | null>(null);
