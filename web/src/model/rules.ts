import * as z from 'zod/mini';
import { texts } from '~/api';
import { checkAddress, isEmptyAddress, lineError } from './address';
import { isEmail } from './email';

/** What must be there (requirements 5.general). */
export const required = z.minLength(1, texts.validation.required);

const line = (max: number) =>
  z.check<string>(context => {
    const message = lineError(context.value, max);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });

/** A line of text, trimmed, of at most `max` characters; it may be empty. */
export const text = (max: number) => z.string().check(z.trim(), line(max));

/** A line of text that must be there. */
export const needed = (max: number) => z.string().check(z.trim(), required, line(max));

/** Letters and digits, or nothing. */
export const alphanumeric = (max: number) =>
  text(max).check(z.regex(/^[A-Za-z0-9]*$/, 'Please only use numbers or letters'));

/** A number within bounds that is typed as a text, or nothing. */
export const numeric = (least: number, most: number, message: string) =>
  z.refine<string>(typed => {
    const value = Number(typed);
    return typed.trim() === '' || (value >= least && value <= most);
  }, message);

const latitude = z.string().check(z.trim(), required, numeric(-90, 90, texts.validation.latitude));
const longitude = z.string().check(z.trim(), required, numeric(-180, 180, texts.validation.longitude));

/** A place that is typed as two texts, in degrees. */
export const placeRules = { lat: latitude, lng: longitude };

/** An e-mail address, or nothing (requirements 5.general). */
export const optionalEmail = z.string().check(
  z.trim(),
  z.refine(text => text === '' || isEmail(text), texts.validation.email),
);

/** An e-mail address that must be there. */
export const email = z.string().check(z.trim(), required, z.refine(isEmail, texts.validation.email));

const code = z.string().check(z.trim(), z.toUpperCase());
const street = z.string().check(z.trim());

/** The fields of an address; `addressCheck` judges them together. */
export const addressRules = {
  address1: street,
  address2: street,
  city: street,
  state: code,
  postal_code: code,
  country_code: code,
};

/** The law of an address among a form's fields (requirements 5.address); `optional`: nobody has to give one. */
export const addressCheck = (optional?: 'optional') =>
  z.check<z.infer<z.ZodMiniObject<typeof addressRules>>>(context => {
    if (optional && isEmptyAddress(context.value)) return; // not even the country
    for (const [field, message] of Object.entries(checkAddress(context.value).wrong))
      context.issues.push({ code: 'custom', message, path: [field], input: context.value });
  });

/** The rules of a table of lines (`TextLines`), for a form's schema. */
export const rulesOf = <T extends Readonly<Record<string, { rule: z.ZodMiniType<string, string> }>>>(lines: T) =>
  Object.fromEntries(Object.entries(lines).map(([name, { rule }]) => [name, rule])) as { [K in keyof T]: T[K]['rule'] };
