/** Keeps secrets out of pictures: fields that hold one are painted over, and a page that shows a value of the vault as text has no picture. */
import { afterMs, race } from '../../async/race.ts';
import type { ScreenshotOptions } from '../../domain/content/scrapeRequest.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import type { ScreencastFrame } from '../../domain/session/screencastFrame.ts';
import type { Rect } from '../../domain/space/action.ts';
import { placedDocuments } from '../act/pointer/placedDocuments.ts';
import { type IsolatedWorld, injectedScript } from '../cdp/isolatedWorld.ts';
import { redrawImage } from '../tab/redrawImage.ts';
import type { Tab } from '../tab/tab.ts';

/** Maximum time for the texts and the fields of a page. A page that does not tell them has no picture. Milliseconds. */
const READ_TIMEOUT_MS = 3_000;

/** Reads something of the page of a tab. @returns null if the page does not tell it in time */
async function readInTime<T>(tab: Tab, read: (top: IsolatedWorld, deadline: Deadline) => Promise<T>) {
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const end = performance.now() + READ_TIMEOUT_MS;
  const deadline = { signal, remainingMs: () => Math.max(0, end - performance.now()) };
  const result = (async () => read(await tab.world(deadline), deadline))().catch(() => null);
  return race(
    result,
    afterMs(READ_TIMEOUT_MS, () => null),
  );
}

/** Returns true if a document of the tab shows a value of the vault, or does not tell. Always false before the session has filled one. */
export async function showsVaulted(tab: Tab, secrets: SecretMask): Promise<boolean> {
  if (!secrets.hasVaulted) return false;
  const found = await readInTime(tab, textsOf);
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

/** The fields of a page that hold secrets. CSS pixels. */
interface SecretBoxes {
  /** Their boxes in the window. */
  readonly boxes: readonly Rect[];
  readonly windowWidth: number;
  readonly scrolled: readonly [left: number, top: number];
}

const NO_BOXES: SecretBoxes = { boxes: [], windowWidth: 1, scrolled: [0, 0] };

/** Returns the fields that hold secrets, null if the page does not tell. None before the session has a secret. */
async function secretBoxesOf(tab: Tab, secrets: SecretMask): Promise<SecretBoxes | null> {
  if (secrets.isEmpty) return NO_BOXES;
  return readInTime(tab, async (top, deadline) => {
    await top.evaluate(injectedScript('agent'));
    const documents = await placedDocuments(top, deadline);
    const [[windowWidth, left, above], found] = await Promise.all([
      top.callAgent('windowPlace'),
      Promise.all(
        documents.map(async ({ world, placement: { x, y, scaleX, scaleY } }) => {
          // A frame that was not observed has no agent, and no secret of a step.
          const own = await world.callAgent('secretBoxes').catch(() => []);
          return own.map(([left, top, width, height]) => ({
            x: x + left * scaleX,
            y: y + top * scaleY,
            width: width * scaleX,
            height: height * scaleY,
          }));
        }),
      ),
    ]);
    return { boxes: found.flat(), windowWidth, scrolled: [left, above] as const };
  });
}

/** Returns a screenshot with the fields that hold secrets painted over; null if the page does not tell them. */
export async function paintedScreenshot(
  tab: Tab,
  secrets: SecretMask,
  image: string,
  { fullPage, quality }: Pick<ScreenshotOptions, 'fullPage' | 'quality'>,
): Promise<string | null> {
  const found = await secretBoxesOf(tab, secrets);
  if (found === null || found.boxes.length === 0) return found === null ? null : image;
  const [left, top] = fullPage ? found.scrolled : [0, 0];
  const boxes = found.boxes.map(box => ({ ...box, x: box.x + left, y: box.y + top }));
  return redrawImage(image, { boxes, cssWidth: fullPage ? null : found.windowWidth, quality });
}

/** Quality of a live image in which something is painted over. */
const FRAME_QUALITY = 70;

/** Returns the live images with secrets painted over, without those of a page that shows a value of the vault or does not tell its fields. */
export function withoutSecrets(
  frames: AsyncIterableIterator<ScreencastFrame, undefined>,
  secrets: SecretMask,
  tabOf: (frame: ScreencastFrame) => Tab | undefined,
): AsyncIterableIterator<ScreencastFrame, undefined> {
  const painted = async (frame: ScreencastFrame): Promise<ScreencastFrame | null> => {
    if (secrets.isEmpty) return frame;
    const tab = tabOf(frame);
    if (tab === undefined || (await showsVaulted(tab, secrets))) return null;
    const found = await secretBoxesOf(tab, secrets);
    if (found === null || found.boxes.length === 0) return found === null ? null : frame;
    const options = { boxes: found.boxes, cssWidth: frame.width, quality: FRAME_QUALITY };
    return { ...frame, image: await redrawImage(frame.image, options) };
  };
  return {
    async next() {
      for (;;) {
        const result = await frames.next();
        if (result.done === true) return result;
        const value = await painted(result.value);
        if (value !== null) return { done: false, value };
      }
    },
    return: () => frames.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
