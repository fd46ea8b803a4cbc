import { describe, expect, it } from 'vitest';
import {
  parseWaitCondition,
  waitConditionText,
} from '../../src/domain/specialActions/specialActionDefinition.ts';

describe('parseWaitCondition', () => {
  it.each([
    ['text "Saved"', { kind: 'text', text: 'Saved', isPresent: true }],
    ['no text “Loading…”', { kind: 'text', text: 'Loading…', isPresent: false }],
    ['ACTION "Check out"', { kind: 'action', text: 'Check out', isPresent: true }],
    ['no action "Say "hi""', { kind: 'action', text: 'Say "hi"', isPresent: false }],
    [' network quiet ', { kind: 'network' }],
  ])('reads %s', (text, condition) => {
    expect(parseWaitCondition(text)).toEqual(condition);
  });

  it.each([
    '',
    'Saved',
    'text Saved',
    'text ""',
    'text " "',
    'button "Save"',
    'network',
    'no network quiet',
    'text "A" and text "B"',
    'text "A", no action "B"',
    'text "A" && network quiet',
  ])('refuses %j', text => {
    expect(parseWaitCondition(text)).toBeNull();
  });

  it.each(['text "Saved"', 'no action "Cancel"', 'network quiet'])('%s is written as it is read', text => {
    const condition = parseWaitCondition(text);
    expect(condition && waitConditionText(condition)).toBe(text);
  });
});
