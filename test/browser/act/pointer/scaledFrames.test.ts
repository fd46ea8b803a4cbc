import { expect, it } from 'vitest';
import type { Action } from '../../../../src/domain/space/action.ts';
import { pageHarness } from '../../../support/pageHarness.ts';

const inner = `<!doctype html><title>Inner</title><body style="margin:0"><button style="width:120px;height:40px;padding:0" onclick="tell('pressed ' + (this.n = (this.n || 0) + 1))">Press</button>
<button onmouseenter="tell('over')" ondblclick="tell('twice')">Other</button><div style="height:300px"></div><button onclick="tell('low')">Low</button>
<label><input type="checkbox" onchange="tell('checked ' + this.checked)">Box</label>
<canvas aria-label="Drawing" width="200" height="100" style="display:block" onclick="tell([event.offsetX, event.offsetY].map(Math.round) + '')"></canvas>
<script>const tell = text => top.postMessage(text, '*')</script>`;

const page = (
  style: string,
  frame: string,
): string => `<!doctype html><html style="${style}"><title>start</title>
<h1>Portal</h1><iframe src="${frame}" style="width:320px;height:220px;padding:3px;border:5px solid"></iframe>
<script>addEventListener('message', ({ data }) => { document.title = data })</script></html>`;

/** Each style once, and each kind of frame. */
const cases = [
  { style: 'zoom:.9', kind: 'nested' },
  { style: 'transform:scale(1.3);transform-origin:0 0', kind: 'same' },
  { style: 'transform:scale(.5);transform-origin:0 0', kind: 'foreign' },
  { style: 'rotate:180deg;scale:.9', kind: 'same' },
].map((one, nth) => ({ ...one, path: `/case${nth}` }));

const { agent, pages } = pageHarness({
  '/inner': inner,
  '/outer': `<!doctype html><title>Outer</title><iframe src="/inner" style="width:300px;height:200px;zoom:.8"></iframe>`,
  ...Object.fromEntries(
    cases.map(({ style, kind, path }) => [
      path,
      (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
        const port = request.headers.host?.split(':')[1];
        const frame =
          { same: '/inner', foreign: `http://localhost:${port}/inner`, nested: '/outer' }[kind] ?? '';
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(style, frame));
      },
    ]),
  ),
  '/turned': page('', '/inner').replace(
    'height:220px',
    'height:220px;transform:perspective(400px) rotateY(-50deg)',
  ),
  '/covered': `<!doctype html><html style="zoom:.9"><title>start</title><iframe src="/inner" style="width:320px;height:220px"></iframe>
    <div style="position:fixed;inset:0;background:#fff">Please wait</div></html>`,
});

const listed = (name: string): Action | undefined =>
  agent.lastObservation.space?.actions.find(action => action.name === name);

const idOf = (name: string): string => {
  const id = listed(name)?.id;
  if (id === undefined) throw new Error(`"${name}" is not listed`);
  return id;
};

it.each(cases)(
  'In a frame ($kind) of a page with $style presses and gestures arrive, in view or below, and bounds are pixels of the page',
  async ({ path }) => {
    await agent.observe(pages.url + path);
    const title = async (id: string, value?: string) => (await agent.step(id, value)).metadata?.title;
    const { bounds } = listed('Press') ?? {};
    const { x = 0, y = 0, width = 0, height = 0 } = bounds ?? {};
    expect(width / height).toBeCloseTo(3, 1);
    const corner = `@${Math.round(x + width - 3)},${Math.round(y + height - 3)}`;
    expect(await title('S21', corner)).toBe('pressed 1');
    expect(await title(idOf('Press'))).toBe('pressed 2');
    const drawing = listed('Drawing');
    const box = drawing?.bounds;
    const drawn = await title(drawing?.id ?? '', `${(box?.width ?? 0) / 2},${(box?.height ?? 0) / 4}`);
    const [left = 0, top = 0] = (drawn ?? '').split(',').map(Number);
    expect([left / 2, top].map(at => Math.round(at / 8))).toEqual([6, 3]);
    expect(await title(idOf('Low'))).toBe('low');
    expect(await title('S16', idOf('Other'))).toBe('over');
    expect(await title('S18', idOf('Other'))).toBe('twice');
    expect(await title(idOf('Box'), 'true')).toBe('checked true');
  },
);

it('In a frame that is turned in perspective a press arrives', async () => {
  await agent.observe(`${pages.url}/turned`);
  expect((await agent.step(idOf('Press'))).metadata?.title).toBe('pressed 1');
  expect((await agent.step(idOf('Low'))).metadata?.title).toBe('low');
});

it('What lies over a scaled frame keeps the press away, and the answer says so', async () => {
  await agent.observe(`${pages.url}/covered`);
  await expect(agent.step(idOf('Press'))).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
});
