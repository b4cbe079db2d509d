import { expect, it } from 'vitest';
import { deviceText, methodText } from './device';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19) AppleWebKit Version/19 Safari/604', 'Safari on iPhone'],
  ['Mozilla/5.0 (Linux; Android 16) Firefox/143.0', 'Firefox on Android'],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown device'],
])('%s', (userAgent, text) => expect(deviceText(userAgent)).toBe(text));

it('says how a session began', () => {
  expect(methodText('sso')).toBe('Single sign-on');
  expect(methodText('else')).toBe('Signed in');
});
