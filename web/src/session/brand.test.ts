import { expect, it } from 'vitest';
import { brandOf, environmentTag } from './brand';

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
