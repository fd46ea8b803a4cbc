/** Pictures of a page that changes while they are taken: it is read before and after each one. */
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SecretsInPictures } from '../../../src/browser/lease/secretsInPictures.ts';
import type { Capture } from '../../../src/browser/tab/captureScreenshot.ts';
import { Tab } from '../../../src/browser/tab/tab.ts';
import { DEFAULT_SCREENSHOT } from '../../../src/domain/content/scrape.ts';
import { SecretMask } from '../../../src/domain/secretMask.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';

const BOXES = [0, 1, 2, 3].map(
  at =>
    `<input maxlength="1" autocomplete="one-time-code" style="position:absolute;left:${100 * at}px;top:50px;width:40px;height:40px">`,
);
const PAGE = `<title>Code</title><body style="margin:0">${BOXES.join('')}`;
const IMAGE = createCanvas(1280, 720).toBuffer('image/jpeg').toString('base64');

let tab: Tab;
beforeAll(async () => {
  tab = await Tab.open('T1', await (await sharedChromium()).newPage());
});
afterAll(() => tab.page.close());

async function open() {
  await tab.page.goto('about:blank');
  await tab.page.setContent(PAGE);
  const secrets = new SecretMask();
  const pictures = new SecretsInPictures(secrets);
  const enter = (code: string) =>
    tab.page.evaluate(
      `[...'${code}'].forEach((digit, at) => { const box = document.querySelectorAll('input')[at]; box.focus(); box.value = digit })`,
    );
  return { pictures, secrets, enter };
}
const capture = async (): Promise<Capture> => ({ image: IMAGE, isCut: false, cssWidth: null });

it('a code of which the first digit is being entered is painted over', async () => {
  const { pictures, secrets, enter } = await open();
  expect(await pictures.screenshot(tab, DEFAULT_SCREENSHOT, capture)).toEqual({ image: IMAGE, isCut: false });
  secrets.add('4');
  await pictures.boxesInFrame(tab, Date.now());
  await enter('4');
  expect((await pictures.screenshot(tab, DEFAULT_SCREENSHOT, capture))?.image).not.toBe(IMAGE);
});

it('the boxes of a code that nothing marks, and a field that draws dots, are painted over from their first digit on', async () => {
  const { pictures, secrets } = await open();
  secrets.noteEntry();
  for (const attribute of ['maxlength="1"', 'style="-webkit-text-security:disc"']) {
    await tab.page.setContent(`<style>input { width: 30px }</style>${`<input ${attribute}>`.repeat(4)}`);
    await tab.page.evaluate(
      "const box = document.querySelector('input'); box.focus(); box.value = '4'; if (box.maxLength === 1) box.nextElementSibling.focus()",
    );
    expect((await pictures.screenshot(tab, DEFAULT_SCREENSHOT, capture))?.image).not.toBe(IMAGE);
  }
});

it('fields that the page removes at the last digit are painted over in the live image before; then nothing is', async () => {
  const { pictures, secrets, enter } = await open();
  secrets.noteEntry();
  await enter('1');
  expect(await pictures.boxesInFrame(tab, Date.now())).toMatchObject({ boxes: null, isCertain: false });
  const still = await pictures.boxesInFrame(tab, Date.now());
  expect(still).toMatchObject({ boxes: [{ x: 0, y: 50 }], cssWidth: 1280, isCertain: true });
  await enter('1234');
  const drawnAt = Date.now();
  await tab.page.evaluate('document.body.replaceChildren()');
  const { boxes, isCertain } = await pictures.boxesInFrame(tab, drawnAt);
  expect(new Set(boxes?.map(({ x }) => x))).toEqual(new Set([0, 100, 200, 300]));
  expect(isCertain).toBe(false);
  await expect
    .poll(() => pictures.boxesInFrame(tab, Date.now()))
    .toMatchObject({ boxes: [], isCertain: true });
});

it('a form that sends itself gets another screenshot, and no live image of the page between', async () => {
  const { pictures, secrets, enter } = await open();
  secrets.noteEntry();
  await enter('1');
  await pictures.boxesInFrame(tab, Date.now());
  let captures = 0;
  const screenshot = await pictures.screenshot(tab, DEFAULT_SCREENSHOT, async () => {
    if (++captures === 1) await tab.page.goto('data:text/html,<title>Sent</title>');
    return capture();
  });
  expect([captures, screenshot?.image]).toEqual([2, IMAGE]);
  expect(await pictures.boxesInFrame(tab, Date.now())).toMatchObject({ boxes: null, isCertain: false });
});

it.each([
  ['scale(.5)', 'translateZ(10px)'],
  ['scale(-.5, .5) translateX(-600px)', 'rotateY(180deg) translateX(-300px)'],
])(
  'a code in a frame with the transform %s within %s is painted over where it is drawn',
  async (own, outer) => {
    const { pictures, secrets } = await open();
    secrets.noteEntry();
    const field = BOXES[2]?.replaceAll('"', "'");
    await tab.page.setContent(
      `<body style="margin:0"><div style="transform:${outer};transform-origin:0 0"><iframe style="width:600px;height:400px;border:0;transform:${own};transform-origin:0 0" srcdoc="<body style='margin:0'>${field}"></iframe></div>`,
    );
    const frame = tab.page.frames()[1];
    await frame?.waitForSelector('input');
    await frame?.evaluate("const box = document.querySelector('input'); box.focus(); box.value = '4'");
    await pictures.boxesInFrame(tab, Date.now());
    const { boxes } = await pictures.boxesInFrame(tab, Date.now());
    expect(boxes).toMatchObject([{ x: 100, y: 25 }]);
  },
);
