import limits from '@catalog/limits.json';

const PART = String.raw`[^\s\p{Z}\p{Cc}\p{Cf}@<>\(\)\[\]:;,"\\.]+`;
const EMAIL = new RegExp(String.raw`^${PART}(\.${PART})*@${PART}(\.${PART})+$`, 'u');

/** The law of addresses, trimmed ones (requirements 5.general); catalog/vectors/email.json pins it for both sides. */
export const isEmail = (text: string): boolean =>
  new TextEncoder().encode(text).length <= limits.text.email.value && EMAIL.test(text);
