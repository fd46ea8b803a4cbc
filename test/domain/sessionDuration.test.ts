import { expect, it } from 'vitest';
import { minutesText } from '../../src/domain/session/sessionLimits.ts';

it.each([
  [1, '1 minute'],
  [2, '2 minutes'],
  [0.5, '0.5 minutes'],
  [1440, '1440 minutes'],
])('%s minutes are told as "%s"', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text);
});
