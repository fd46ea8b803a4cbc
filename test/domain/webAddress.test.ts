import { describe, expect, it } from 'vitest';
import { addressText, isWebAddress, missingInAddress } from '../../src/domain/webAddress.ts';

describe('missingInAddress()', () => {
  it.each([
    ['/relative', /relative and lacks the host/],
    ['./a', /lacks the host/],
    ['../a', /lacks the host/],
    ['..', /lacks the host/],
    ['?q=1', /lacks the host/],
    ['#top', /lacks the host/],
    ['\\a', /lacks the host/],
    ['//example.com/a', /lacks the scheme/],
    ['\\\\example.com', /lacks the scheme/],
    ['http:/x', /lacks "\/\/" after "http:"/],
    ['http:x', /lacks "\/\/" after "http:"/],
    ['http:8080', /lacks "\/\/" after "http:"/],
    ['HTTPS:example.com', /lacks "\/\/" after "HTTPS:"/],
    ['http:\\\\example.com', /lacks "\/\/" after "http:"/],
    ['ht\ttp:/x', /lacks "\/\/" after "http:"/],
    ['\u0001http:\n/x', /lacks "\/\/" after "http:"/],
    ['ftp:/x', /lacks "\/\/" after "ftp:"/],
    ['http://', /lacks the host after "http:\/\/"/],
    ['https:///a', /lacks the host after "https:\/\/"/],
    ['https://?q', /lacks the host/],
    ['https://:80', /lacks the host/],
  ])('says what %j lacks', (address, missing) => {
    expect(missingInAddress(address)).toMatch(missing);
    expect(isWebAddress(address)).toBe(false);
  });

  it.each([
    'https://example.com/',
    'http://[::1]:3000/a',
    'example.com',
    'example.com/a?b#c',
    'localhost:3000',
    'localhost',
    '127.0.0.1:80/x',
    'user:word@example.com',
    'https://user:word@example.com',
    'about:blank',
    'mailto:a@example.com',
    'file:///etc/passwd',
    'ftp://example.com/',
    'bücher.example',
    'example.com:',
  ])('accepts %j', address => {
    expect(missingInAddress(address)).toBeNull();
    expect(isWebAddress(address)).toBe(true);
  });
});

describe('addressText()', () => {
  it.each([
    ['h\nttp://10.0.0.1/', 'http://10.0.0.1/'],
    ['\u0001\u0000 fi\tle:///etc/passwd\u001F ', 'file:///etc/passwd'],
    ['\u00A0example.com\r\n', 'example.com'],
    [' \n', ''],
  ])('reads %j as the URL standard does', (text, address) => {
    expect(addressText(text)).toBe(address);
  });

  it('reads long runs of white space once', () => {
    const run = ' '.repeat(1_000_000);
    expect(addressText(`a${run}b${run}`)).toBe(`a${run}b`);
  });
});
