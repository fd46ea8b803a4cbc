import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const NOTE = `<!doctype html><title>Note</title><h1>Note</h1>
<textarea id="a" aria-label="Recipe" rows="4" cols="60">Old default text</textarea>
<input id="b" aria-label="Words" value="one two  three"><p>Two cups</p><p id="o"></p>
<button onclick="document.title = [a, b].map(f => f.value.slice(f.selectionStart, f.selectionEnd)).join('|')">Show</button>
<script>a.value = 'Mix flour and milk. Bake twenty minutes.'; a.onmouseup = () => o.textContent = 'selected ' + a.value.slice(a.selectionStart, a.selectionEnd)</script>`;

const BOARD = `<!doctype html><title>Board</title><h1>Board</h1>
<div draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'card')" style="width:120px;height:30px">Card</div>
<div style="width:200px;height:80px;margin-top:60px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); document.title = 'dropped'">Done column</div><p>Some words</p>`;

describe('Words in the value of a field', () => {
  const { pages, agent } = pageHarness({ '/': NOTE, '/board': BOARD });
  const open = () => agent.observe(pages.url);
  const selected = async (): Promise<string> => {
    await agent.step(/"Show"/);
    return agent.lastObservation.metadata.title;
  };
  const id = (name: RegExp): string => agent.find(name).id;

  it('are selected in the field that is named, and the page notices the end of the selection', async () => {
    await open();
    await agent.step('S17', `${id(/"Recipe"/)} "twenty minutes"`);
    expect(agent.lastObservation.space?.messages).toContainEqual(
      expect.objectContaining({ text: 'selected twenty minutes' }),
    );
    expect(await selected()).toBe('twenty minutes|');
  });

  it('are selected in a field that is not named, from the first words to the last', async () => {
    await open();
    await agent.step('S17', '"two three"');
    expect(await selected()).toBe('|two three');
    await agent.step('S17', '"flour" -> "Bake"');
    expect(await selected()).toBe('flour and milk. Bake|two three');
  });

  it.each(['"forty minutes"', '"Old default"'])(
    'are refused if the field does not hold them: %s',
    async words => {
      await open();
      const named = {
        code: 'ACTION_BLOCKED',
        message: expect.stringContaining(`does not show the words ${words}`),
      };
      await expect(agent.step('S17', `${id(/"Recipe"/)} ${words}`)).rejects.toMatchObject(named);
      await expect(agent.step('S17', words)).rejects.toMatchObject(named);
    },
  );

  it('are refused beside an end of a drag that is neither words nor an element', async () => {
    await agent.observe(`${pages.url}/board`);
    await expect(agent.step('S17', 'card -> "Done column"')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('are a place where an element is dropped, beside the id of the element', async () => {
    await agent.observe(`${pages.url}/board`);
    await agent.step('S17', `${id(/"Card"/)} -> "Done column"`);
    expect(agent.lastObservation.metadata.title).toBe('dropped');
  });
});
