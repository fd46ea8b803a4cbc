import { expect, it } from 'vitest';
import { withDefaultScheme } from '../../../src/domain/defaultScheme.ts';

it.each([
  ['localhost:4195', 'http://localhost:4195'],
  ['localhost', 'http://localhost'],
  ['app.localhost:3000/a', 'http://app.localhost:3000/a'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080/?a', 'http://[::1]:8080/?a'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['example.com:8443', 'https://example.com:8443'],
  ['https://localhost:4195', 'https://localhost:4195'],
])('An address without a scheme gets that of its host: %s', (address, url) => {
  expect(withDefaultScheme(address)).toBe(url);
});
