import errors from '@catalog/errors.json';
import { api, fill, nameProduct, type Schemas, unchecked } from '~/api';
import { createStore, useStore } from '~/lib/store';

/** What the operator of an installation calls things and where help is (decisions.md, Name and brand). */
export interface Brand {
  name: string;
  supportEmail: string;
  supportPhone: string;
  licenseUrl: string;
  termsUrl: string;
  /** Help for users; the topics of the support dialog are anchors on it. */
  helpUrl: string;
  /** Empty: the Refer a Fleet link does not show. */
  referUrl: string;
  /** Stands in the copyright line. */
  copyrightOwner: string;
  /** Where this installation stands (staging, production, production-uk, …); empty where the server does not say. */
  environment: string;
}

const DEFAULTS: Brand = {
  name: 'Safety Cloud',
  supportEmail: 'support@localhost',
  supportPhone: '',
  licenseUrl: '/legal/license',
  termsUrl: '/legal/terms',
  helpUrl: '/help',
  referUrl: '',
  copyrightOwner: 'Safety Cloud',
  environment: '',
};

/** The environment's word for the shell: nothing of production, whose users need no reminder. */
export const environmentTag = ({ environment }: Brand): string =>
  /^production\b/i.test(environment) ? '' : environment;

/** Whether the operator has said where support is; until then the address leads nowhere, and no link is shown to it. */
export const hasSupportMail = ({ supportEmail }: Brand): boolean => supportEmail !== DEFAULTS.supportEmail;

/** A text that names support "at {email}", with the address, or without a word of it while the operator has set none. */
export const supportText = (text: string, brand: Brand): string =>
  hasSupportMail(brand) ? text.replace('{email}', brand.supportEmail) : text.replace(' at {email}', '');

export const brand = createStore<Brand>(DEFAULTS);
brand.subscribe(() => nameProduct(brand.get().name));

export const useBrand = (): Brand => useStore(brand);

/** Reads GET /brand; whatever is missing, of another kind or not a web address keeps its default. */
export function brandOf(wire: unknown): Brand {
  const fields = unchecked<Schemas['Brand']>(wire);
  const text = (name: keyof Schemas['Brand'], fallback: string) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : fallback;
  };
  const address = (name: keyof Schemas['Brand'], fallback: string) => {
    const value = text(name, fallback);
    return /^(https?:\/\/|\/(?!\/))/.test(value) ? value : fallback;
  };
  return {
    name: text('name', DEFAULTS.name),
    supportEmail: text('support_email', DEFAULTS.supportEmail),
    supportPhone: text('support_phone', DEFAULTS.supportPhone),
    licenseUrl: address('license_url', DEFAULTS.licenseUrl),
    termsUrl: address('terms_url', DEFAULTS.termsUrl),
    helpUrl: address('help_url', DEFAULTS.helpUrl),
    referUrl: address('refer_url', DEFAULTS.referUrl),
    copyrightOwner: text('copyright_owner', text('name', DEFAULTS.copyrightOwner)),
    environment: text('environment', DEFAULTS.environment),
  };
}

/** Asks the server once; without an answer the defaults stand. */
export async function loadBrand(): Promise<void> {
  await api.data('GET /brand', { auth: false }).then(
    wire => brand.set(brandOf(wire)),
    () => undefined,
  );
}

/** The words for a code that a sign-in provider's return has put into the address; unknown ones are a failed sign-in. */
export function wordsOfCode(code: string): string {
  const known: Readonly<Record<string, { message: string }>> = errors;
  const { message } = (Object.hasOwn(known, code) && known[code]) || errors.sso_failed;
  return fill(message, { brand: brand.get().name });
}
