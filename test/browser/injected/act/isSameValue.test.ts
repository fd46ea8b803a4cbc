import { expect, it } from 'vitest';
import { isSameValue } from '../../../../src/browser/injected/act/isSameValue.ts';

it.each([
  ['1234', '1,234'],
  ['1234', '1,234.00'],
  ['1234.5', '$1,234.50'],
  ['4111111111111111', '4111 1111 1111 1111'],
  ['5551234567', '+1 (555) 123-4567'],
  ['5551234567', '(555) 123-4567'],
  ['ab12', 'AB-12'],
  ['12.5', '12,5'],
  ['1234.5', '1.234,5'],
  ['New', 'New York'],
  ['2026-03-09', '03/09/2026'],
  ['Mar 9, 2026', 'March 9, 2026'],
  ['one\ntwo', 'one\r\ntwo'],
  ['new york', 'newyork.com - New York'],
  ['jbsw y3dp ehpk 3pxp', 'jbswy3dpehpk3pxp'],
  ['abcd efgh ijkl mn', 'abcdefghijklmn'],
  ['two  words', 'Two-words'],
  ['555 123 4567', '5551234567'],
  ['de89 3704 0044', 'DE8937040044'],
  ['ABCD EFGH', 'ABCDEFGH'],
  [' spaced ', 'spaced'],
  ['', ''],
])('a field that holds the entered "%s" as "%s" has kept it', (entered, held) => {
  expect(isSameValue(entered, held, '')).toBe(true);
});

it.each([
  ['abc', '', ''],
  ['abc', 'ab', ''],
  ['5', '15', ''],
  ['60', '14', ''],
  ['3.3', '3', ''],
  ['3.3', '33', ''],
  ['1234.5', '12,345', ''],
  ['abc', '123', '123'],
  ['abc', 'xabc', 'x'],
  ['', 'still here', 'still here'],
  ['->', '', ''],
  ['two words', 'twowords', ''],
  ['John Smith', 'JOHNSMITH', ''],
])('a field that holds the entered "%s" as "%s" has not kept it', (entered, held, before) => {
  expect(isSameValue(entered, held, before)).toBe(false);
});
