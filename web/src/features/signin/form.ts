import catalog from '@catalog/texts.json';
import * as z from 'zod/mini';

const words = catalog.texts.validation;

/** Something before and after an @, a dot after it, no spaces (specification section 5). */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What the sign-in form holds; the address is trimmed, the password is not. */
export const signInSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: words.required, abort: true }), z.regex(EMAIL, { error: words.email })),
  password: z.string().check(z.minLength(1, words.required)),
});

export type SignInForm = z.infer<typeof signInSchema>;
