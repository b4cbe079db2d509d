import { expect, it } from 'vitest';
import { brand, brandOf, environmentTag, wordsOfCode } from './brand';

it('keeps the defaults of what is missing or no web address', () => {
  const read = brandOf({
    name: 'County Alerts',
    license_url: 'javascript:alert(1)',
    terms_url: '//evil.example',
    refer_url: 7,
  });
  expect(read).toEqual({
    name: 'County Alerts',
    supportEmail: 'support@localhost',
    supportPhone: '',
    licenseUrl: '/legal/license',
    termsUrl: '/legal/terms',
    helpUrl: '/help',
    referUrl: '',
    copyrightOwner: 'County Alerts',
    environment: '',
  });
});

// spec: 2.nav.03
it('takes what the operator has set', () => {
  const read = brandOf({
    refer_url: 'https://refer.example/fleet',
    support_email: 'help@county.example',
    copyright_owner: 'County',
  });
  expect(read).toMatchObject({
    name: 'Safety Cloud',
    referUrl: 'https://refer.example/fleet',
    supportEmail: 'help@county.example',
    copyrightOwner: 'County',
  });
});

// spec: 9.list.08
it.each([
  ['staging', 'staging'],
  ['local', 'local'],
  ['UK staging', 'UK staging'],
  ['production', ''],
  ['production-uk', ''],
  ['Production EU', ''],
  ['', ''],
])('of the environment %s the shell says "%s"', (environment, word) => {
  expect(environmentTag(brandOf({ environment }))).toBe(word);
});

// spec: D.brand.01
it('names the product as the operator does in the words of a refused sign-in', () => {
  brand.set({ ...brand.get(), name: 'County Alerts' });
  expect(wordsOfCode('sso_not_mapped')).toBe('Your user is not authorized to access County Alerts Dashboard.');
  expect(wordsOfCode('toString')).toBe(wordsOfCode('sso_failed'));
});
