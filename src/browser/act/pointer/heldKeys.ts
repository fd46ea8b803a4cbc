import type { Tab } from '../../tab/tab.ts';
import type { Modifier } from './pointerTargets.ts';

/** Runs a gesture while keys are held; releases them also when it fails. */
export async function whileHolding<T>(
  { page: { keyboard } }: Tab,
  modifiers: readonly Modifier[],
  gesture: () => Promise<T>,
): Promise<T> {
  for (const key of modifiers) await keyboard.down(key);
  try {
    return await gesture();
  } finally {
    // A page that is busy with the gesture releases the keys when it has time.
    for (const key of modifiers) keyboard.up(key).catch(() => {});
  }
}
