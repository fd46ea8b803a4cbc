import { describe, expect, it } from 'vitest';
import { pageHarness } from '../../../support/pageHarness.ts';

const GROUPS = `<!doctype html><title>Groups</title><h1>Visit</h1>
<label>Slot <select onchange="document.title = this.value"><option value="">Choose</option>
<optgroup label="Mon"><option value="m1">Early</option><option value="m2">Late</option></optgroup>
<optgroup label="Tue"><option value="t1">Early</option></optgroup>
<optgroup label="Sun" disabled><option value="s">Late</option></optgroup></select></label>
<label>Town <select onchange="document.title = this.value"><option value="1">Newport</option><option value="2">Newport</option></select></label>
<label>Land <select onchange="document.title = this.value"><option value="">-</option><optgroup label="Often"><option value="NO">Norway</option></optgroup><optgroup label="All"><option value="NO">Norway</option></optgroup></select></label>
<label>Turn <select><optgroup label="A"><option>First</option></optgroup><optgroup label="B"><option>First</option></optgroup></select></label>`;

const DRAWN = `<!doctype html><title>Drawn</title><style>select, ::picker(select) { appearance: base-select }</style>
<h1>Shop</h1><label>Fruit <select onchange="document.title = this.value"><button><selectedcontent></selectedcontent></button>
<option value="">None</option>
<option value="fig"><i aria-hidden="true">F</i><b>Fig</b><small>sweet</small></option>
<optgroup><legend>Sour</legend><option value="lime"><b>Lime</b></option></optgroup></select></label>`;

const LATE = `<!doctype html><title>Late</title><h1>Form</h1>
<label>Name <input readonly onfocus="this.removeAttribute('readonly')"></label>
<label>Born <input readonly onclick="days.hidden = false"></label><div id="days" hidden><button>17</button></div>
<label>Ship <input id="ship" readonly onclick="crew.hidden = false"></label><div id="crew" hidden onclick="ship.value = event.target.textContent; crew.hidden = true"><button>Fram</button><button>Gjøa</button></div>
<label>Code <input id="code" readonly onclick="setTimeout(() => { hint.textContent = 'Pick a land first.'; lands.hidden = false })"></label><p id="hint"></p><div id="lands" hidden onclick="code.value = '+47'"><button>Norway</button></div>
<label>City <select id="city" onmousedown="load()" onchange="document.title = this.value"><option>Choose</option></select></label>
<script>function load() { if (city.options.length === 1) setTimeout(() => { for (const name of ['Bergen', 'Oslo']) city.add(new Option(name)) }, 300) }</script>`;

describe('A choice of a list', () => {
  const { pages, agent } = pageHarness({ '/groups': GROUPS, '/drawn': DRAWN, '/late': LATE });
  const open = (path: string) => agent.observe(pages.url + path);
  const title = () => agent.lastObservation.metadata.title;

  it('is listed with the name of its group, and can be named with it or without', async () => {
    await open('/groups');
    const [param] = agent.find(/"Slot"/).params;
    expect(param?.values).toEqual(['Choose', 'Mon: Early', 'Mon: Late', 'Tue: Early']);
    await agent.step(/"Slot"/, 'tue: early');
    expect(title()).toBe('t1');
    expect(agent.find(/"Slot"/).value).toBe('Tue: Early');
    await agent.step(/"Slot"/, 'Late');
    expect(title()).toBe('m2');
  });

  it.each([
    [/"Slot"/, 'Early', '"Early" names 2 options of I1. They are: "Mon: Early", "Tue: Early".'],
    [/"Turn"/, 'First', '"First" names 2 options of I4. They are: "A: First", "B: First".'],
    [/"Town"/, 'Newport', '"Newport" names 2 options of I2. They are: "1", "2".'],
  ])('is refused with the candidates if its name is ambiguous: %s', async (list, value, message) => {
    await open('/groups');
    await expect(agent.step(list, value)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  });

  it('may be listed twice if both mean the same value', async () => {
    await open('/groups');
    await agent.step(/"Land"/, 'Norway');
    expect(title()).toBe('NO');
  });

  it('is named by the first part that a customizable list draws, without the button inside the list', async () => {
    await open('/drawn');
    expect(agent.lastObservation.space?.actions).toHaveLength(1);
    expect(agent.find(/"Fruit"/).params[0]?.values).toEqual(['None', 'Fig (sweet)', 'Sour: Lime']);
    await agent.step(/"Fruit"/, 'Fig');
    expect(title()).toBe('fig');
    expect(agent.find(/"Fruit"/).value).toBe('Fig');
  });

  it('is found in a list that loads its options when it is pressed', async () => {
    await open('/late');
    await agent.step(/"City"/, 'Oslo');
    expect(title()).toBe('Oslo');
  });

  it('is written into a field that is read-only until it has the focus; one that stays read-only blocks the step', async () => {
    await open('/late');
    await agent.step(/"Name"/, 'Ada');
    expect(agent.find(/"Name"/).value).toBe('Ada');
    await expect(agent.step(/"Born"/, '2001-05-17')).rejects.toMatchObject({
      code: 'ACTION_BLOCKED',
      message: expect.stringMatching(
        /is read-only, also after it was pressed\. That has opened B1 \(button "17"\)/,
      ),
      context: { space: { actions: expect.arrayContaining([expect.objectContaining({ name: '17' })]) } },
    });
  });

  it('is pressed in what a read-only field opens, if its name is the value, and the answer says so', async () => {
    await open('/late');
    await agent.step(/"Ship"/, 'Gjøa');
    expect(agent.find(/"Ship"/).value).toBe('Gjøa');
    expect(agent.lastObservation.space?.messages[0]?.text).toContain(
      'the step has pressed B2 (button "Gjøa")',
    );
  });

  it('can leave another form of its name in the read-only field; what appeared at the press is told too', async () => {
    await open('/late');
    await agent.step(/"Code"/, 'Norway');
    const texts = agent.lastObservation.space?.messages.map(({ text }) => text);
    expect(texts?.[0]).toMatch(/is read-only: the step has pressed B1 .* It holds "\+47" now\.$/);
    expect(texts).toContain('Pick a land first.');
  });
});
