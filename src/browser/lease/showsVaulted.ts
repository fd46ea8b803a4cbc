/** Keeps values of the vault out of pictures: a page that shows one as text has no picture. */
import { afterMs, race } from '../../async/race.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import { type IsolatedWorld, injectedScript } from '../cdp/isolatedWorld.ts';
import type { Tab } from '../tab/tab.ts';

/** Maximum time for the texts of a page. A page that does not tell them has no picture. Milliseconds. */
const READ_TIMEOUT_MS = 3_000;

/** Returns true if a document of the tab shows a value of the vault, or does not tell. Always false before the session has filled one. */
export async function showsVaulted(tab: Tab, secrets: SecretMask): Promise<boolean> {
  if (!secrets.hasVaulted) return false;
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const end = performance.now() + READ_TIMEOUT_MS;
  const deadline = { signal, remainingMs: () => Math.max(0, end - performance.now()) };
  const texts = (async () => textsOf(await tab.world(deadline)))().catch(() => null);
  const found = await race(
    texts,
    afterMs(READ_TIMEOUT_MS, () => null),
  );
  return found === null || found.some(text => secrets.holdsVaulted(text));
}

async function textsOf(world: IsolatedWorld): Promise<readonly string[]> {
  await world.evaluate(injectedScript('agent'));
  const [own, ...inner] = await Promise.all([
    world.callAgent('pictureText'),
    ...(await world.children()).map(textsOf),
  ]);
  return [own, ...inner.flat()];
}

/** Returns the live images without those of a page that shows a value of the vault. */
export function withoutVaulted<Frame>(
  frames: AsyncIterableIterator<Frame, undefined>,
  isShown: (frame: Frame) => Promise<boolean>,
): AsyncIterableIterator<Frame, undefined> {
  return {
    async next() {
      for (;;) {
        const result = await frames.next();
        if (result.done === true || !(await isShown(result.value))) return result;
      }
    },
    return: () => frames.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
