import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AgentDriver } from '../support/agentDriver.ts';
import { pageHarness } from '../support/pageHarness.ts';
import { TASK_PAGES } from './taskPages.ts';

const file = (path: string, type: string) => {
  const body = readFileSync(new URL(`../../node_modules/${path}`, import.meta.url));
  return (_request: IncomingMessage, response: ServerResponse) => {
    // Kept by the browser, with the compiled code: every page has the same scripts.
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' });
    response.end(body);
  };
};

type AgentScript = (agent: AgentDriver) => Promise<unknown>;

/** The steps that reach the goal of each page. An element is found by its description. */
const SCRIPTS: Readonly<Record<string, AgentScript>> = {
  '/datepicker': async p => {
    await p.step(/"Date"/);
    await p.step(/Next/);
    await p.step(/Next/);
    await p.step(/"17"/);
    await p.step(/Submit/);
  },
  '/slider': async p => {
    await p.step(/^slider/, '37');
    await p.step(/Submit/);
  },
  '/spinner': async p => {
    await p.step(/^spin|spinbutton|textbox/, '3');
    await p.step(/Submit/);
  },
  '/autocomplete': async p => {
    await p.step(/"Place/, 'Bar');
    await p.step(/"Barbados"/);
    await p.step(/Submit/);
  },
  '/accordion': async p => {
    await p.step(/"Two"/);
    await p.step(/deep word/);
  },
  '/tabs': async p => {
    await p.step(/"Tab #2"/);
    await p.step(/"here"/);
  },
  '/menu': async p => {
    await p.step(/"Export"/);
    // jQuery UI opens a submenu by a timer after 0.3 s, which settling cannot know.
    await p.step('S7', '0.5');
    await p.step(/"As Text"/);
  },
  '/dialog': async p => p.step(/button "Close"/),
  '/sortable': async p => {
    await p.step('S17', `${p.find(/"Ada"/).id} -> ${p.find(/"Bob"/).id}@60,20`);
    await p.step(/Submit/);
  },
  '/span-in-text': async p => p.step(/"amet"/),
  '/colors': async p => p.step(/blue/),
  '/shapes': async p => p.step(/rect/),
  '/inbox': async p => p.step(/trash.*Bob|Bob.*trash/),
  '/social': async p => p.step(/like.*ben|ben.*like/),
  '/anchors': async p => p.step(/"elsewhere"/),
  '/tree': async p => {
    await p.step(/"Books"/);
    await p.step(/"Atlas"/);
  },
  '/list': async p => {
    await p.step(/listbox|combobox/, 'Ben\nDee');
    await p.step(/Submit/);
  },
  '/grid': async p => {
    const cells = p.lastObservation.space?.actions.filter(
      action => action.role === 'cell' || /cell/.test(action.description),
    );
    await p.step(cells?.[4]?.id ?? 'B99');
  },
  '/editable': async p => {
    await p.step(
      (p.lastObservation.space?.actions ?? []).find(action => action.kind === 'input')?.id ?? 'I99',
      'note',
    );
    await p.step(/Submit/);
  },
  '/cover': async p => {
    await p.step(/START/);
    await p.step(/"Go"/);
  },
  '/checks': async p => {
    await p.step(/"ab"/, 'true');
    await p.step(/"ef"/, 'true');
    await p.step(/Submit/);
  },
  '/hover-menu': async p => {
    const file = p.lastObservation.space?.actions.find(action => /File/.test(action.description));
    await p.step('S16', file?.id);
    await p.step(/clickable "Close"|"Close"$/);
  },
  '/drop': async p => p.step('S17', `${p.find(/Box A/).id},${p.find(/Target/).id}`),
  '/modal-form': async p => {
    await p.step(/"Log in"/);
    await p.step(/"User"/, 'ada');
    await p.step(/"Password"/, 'x1');
    await p.step(/"OK"/);
  },
};

describe('A scripted agent that finds elements by their descriptions', () => {
  const { pages, agent } = pageHarness({
    ...TASK_PAGES,
    '/jquery.js': file('jquery/dist/jquery.min.js', 'text/javascript'),
    '/jquery-ui.js': file('jquery-ui/dist/jquery-ui.min.js', 'text/javascript'),
    '/jquery-ui.css': file('jquery-ui/dist/themes/base/jquery-ui.css', 'text/css'),
  });

  for (const [path, script] of Object.entries(SCRIPTS))
    it(`reaches the goal of ${path.slice(1)}`, async () => {
      await agent.observe(pages.url + path);
      await script(agent);
      const actions = agent.lastObservation.space?.actions
        .map(action => `${action.id} ${action.description}`)
        .join('\n');
      expect(agent.lastObservation.metadata.title, actions).toBe('won');
    });

  it('has a script for every page', () => {
    expect(Object.keys(SCRIPTS)).toEqual(Object.keys(TASK_PAGES));
  });
});
