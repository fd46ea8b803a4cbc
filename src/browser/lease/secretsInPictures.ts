/** Keeps secrets out of pictures: fields that hold one are painted over, and a page that shows a value of the vault as text has no picture. */
import { setTimeout } from 'node:timers/promises';
import { afterMs, race } from '../../async/race.ts';
import type { Screenshot, ScreenshotOptions } from '../../domain/content/scrape.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import type { Rect } from '../../domain/space/action.ts';
import { boxOnPage } from '../../domain/space/placement.ts';
import { placedDocuments } from '../act/pointer/placedDocuments.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { Capture } from '../tab/captureScreenshot.ts';
import { type FrameBoxes, redrawImage } from '../tab/screencast.ts';
import type { Tab } from '../tab/tab.ts';

/** Maximum time for the texts and the fields of a page. A page that does not tell them has no picture. Milliseconds. */
const READ_TIMEOUT_MS = 3_000;
/** Maximum number of screenshots that are taken because the page showed another document meanwhile. */
const MAX_ATTEMPTS = 4;
/** Maximum time between a change of a page and the live image that shows it, on a busy machine. Milliseconds. */
const DRAWING_MS = 100;
/** Minimum time between the readings for two live images, 15 per second: no viewer gets more. Milliseconds. */
const READING_INTERVAL_MS = 66;

interface SecretField extends Rect {
  readonly isFilled: boolean;
}

/** The secrets that a page shows at one time. */
interface Reading {
  /** Chromium's unique id of the isolated world of the top document. */
  readonly document: string;
  readonly showsVaulted: boolean;
  readonly fields: readonly SecretField[];
  /** CSS pixels. */
  readonly windowWidth: number;
  readonly scrolled: readonly [left: number, top: number];
  /** When the page has told it, in milliseconds since the epoch. */
  readonly at: number;
}

interface Readings {
  /** Those that may still be the one before a live image, the oldest first. */
  kept: readonly Reading[];
  /** Settled when the next one may begin. */
  busy: Promise<unknown>;
  /** The one that has not begun; null for none. */
  next: Promise<Reading | null> | null;
}

/** The reading of every page before the first entry of the session. */
const NOTHING_ENTERED: Reading = {
  ...{ document: '', showsVaulted: false, fields: [], windowWidth: 1, scrolled: [0, 0], at: 0 },
};
const NOTHING_TO_PAINT: FrameBoxes = { boxes: [], cssWidth: 1, isCertain: true };

/** Keeps the secrets of one session out of its pictures. A page is read before and after each picture: it may have changed meanwhile. */
export class SecretsInPictures {
  readonly #secrets: SecretMask;
  readonly #readings = new WeakMap<Tab, Readings>();

  constructor(secrets: SecretMask) {
    this.#secrets = secrets;
  }

  /** Returns a screenshot without secrets; null if the page shows a value of the vault, does not tell its fields, or is another one each time. */
  async screenshot(
    tab: Tab,
    { fullPage, quality }: Pick<ScreenshotOptions, 'fullPage' | 'quality'>,
    capture: () => Promise<Capture>,
  ): Promise<Screenshot | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await this.#read(tab);
      if (before === null || before.showsVaulted) return null;
      const { image, isCut, cssWidth } = await capture();
      const after = await this.#read(tab);
      if (after === null || after.showsVaulted) return null;
      if (after.document !== before.document) continue;
      const boxes = boxesIn([before, after].map(reading => (fullPage ? onPage(reading) : reading.fields)));
      if (boxes.length === 0) return { image, isCut };
      const painted = redrawImage(image, { boxes, cssWidth: cssWidth ?? after.windowWidth, quality });
      return { image: await painted, isCut };
    }
    return null;
  }

  /** @param at when the image was drawn, in milliseconds since the epoch */
  async boxesInFrame(tab: Tab, at: number): Promise<FrameBoxes> {
    if (!this.#secrets.hasEntry) return NOTHING_TO_PAINT;
    const readings = this.#readings.get(tab) ?? { kept: [], busy: Promise.resolve(), next: null };
    this.#readings.set(tab, readings);
    const own = await this.#readNext(tab, readings);
    if (own === null) return { boxes: null, cssWidth: 1, isCertain: false };
    const earlier = readings.kept.filter(reading => reading !== own);
    const first = earlier.findLastIndex(reading => reading.at <= at - DRAWING_MS);
    const around = [...earlier.slice(Math.max(0, first)), own];
    readings.kept = around;
    const isBracketed = earlier.some(reading => reading.at <= at);
    const isShown = isBracketed && around.every(one => one.document === own.document && !one.showsVaulted);
    return {
      boxes: isShown ? boxesIn(around.map(({ fields }) => fields)) : null,
      cssWidth: own.windowWidth,
      isCertain: isBracketed && around.every(one => isSameShown(one, own)),
    };
  }

  /** Returns what the page tells later than now, the same for all images that come until it is read. */
  #readNext(tab: Tab, readings: Readings): Promise<Reading | null> {
    readings.next ??= readings.busy.then(() => {
      readings.next = null;
      const reading = this.#read(tab);
      readings.busy = Promise.all([reading, setTimeout(READING_INTERVAL_MS)]);
      return reading;
    });
    return readings.next;
  }

  async #read(tab: Tab): Promise<Reading | null> {
    const { hasVaulted, hasEntry } = this.#secrets;
    if (!hasEntry) return NOTHING_ENTERED;
    return readInTime(tab, async (top, deadline) => {
      const [texts, { fields, place }] = await Promise.all([
        hasVaulted ? textsOf(top) : [],
        fieldsOf(top, deadline),
      ]);
      const [windowWidth, ...scrolled] = place;
      const showsVaulted = texts.some(text => this.#secrets.holdsVaulted(text));
      const document = top.context.uniqueId;
      return { document, showsVaulted, fields, windowWidth, scrolled, at: Date.now() };
    });
  }
}

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

async function textsOf(world: IsolatedWorld): Promise<readonly string[]> {
  await world.install('agent');
  const [own, ...inner] = await Promise.all([
    world.callAgent('pictureText'),
    ...(await world.children()).map(child => textsOf(child)),
  ]);
  return [own, ...inner.flat()];
}

async function fieldsOf(top: IsolatedWorld, deadline: Deadline) {
  await top.install('agent');
  const documents = await placedDocuments(top, deadline, world => world.install('agent'));
  const [place, found] = await Promise.all([
    top.callAgent('windowPlace'),
    Promise.all(
      documents.map(async ({ world, placement }) => {
        // A frame that is gone has no fields.
        const own = await world.callAgent('secretBoxes').catch(() => []);
        const fields = own.map(([left, above, width, height, isFilled]) => ({
          ...boxOnPage(placement, [left, above, width, height]),
          isFilled,
        }));
        return { id: world.context.uniqueId, fields };
      }),
    ),
  ]);
  // The frames of a document come in no particular order.
  const inOrder = found.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { place, fields: inOrder.flatMap(({ fields }) => fields) };
}

const onPage = ({ fields, scrolled: [left, top] }: Reading): readonly SecretField[] =>
  fields.map(field => ({ ...field, x: field.x + left, y: field.y + top }));

const isSameShown = (one: Reading, other: Reading): boolean =>
  one.document === other.document &&
  one.showsVaulted === other.showsVaulted &&
  isSame(one.fields, other.fields);

const isSame = (one: readonly SecretField[], other: readonly SecretField[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns what is painted over in a picture that was drawn between these readings: the fields that hold something; if they differ, every
 * place between those of a field, also of an empty one, which may have held a secret meanwhile.
 */
function boxesIn(readings: readonly (readonly SecretField[])[]): readonly Rect[] {
  const [first = [], ...others] = readings;
  if (others.every(other => isSame(first, other))) return first.filter(({ isFilled }) => isFilled);
  if (others.some(({ length }) => length !== first.length)) return readings.flat();
  return first.map((field, index) =>
    others.reduce<Rect>((box, { [index]: one = field }) => hull(box, one), field),
  );
}

function hull(one: Rect, other: Rect): Rect {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
