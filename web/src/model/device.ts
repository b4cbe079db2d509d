const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const first = (list: readonly (readonly [RegExp, string])[], text: string) =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** "Chrome on Windows" for a user agent; the first word of one that is no browser; "Unknown device" for none. */
export function deviceText(userAgent: string): string {
  const browser = first(BROWSERS, userAgent);
  const system = first(SYSTEMS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent.trim().split(/[\s/]/)[0] || 'Unknown device');
}

const METHODS: Readonly<Record<string, string>> = {
  password: 'Password',
  totp: 'Password and authenticator app',
  passkey: 'Password and passkey',
  recovery: 'Password and recovery code',
  link: 'Sign-in link',
  sso: 'Single sign-on',
};

/** How a session began, in words. */
export const methodText = (method: string): string => METHODS[method] ?? 'Signed in';
