import catalog from '@catalog/texts.json';
import * as z from 'zod/mini';
import { isEmail } from '~/model/email';
import { keepsRules, matchError, type PasswordPolicy } from '~/model/password';

const words = catalog.texts.validation;

const email = z
  .string()
  .check(z.trim(), z.minLength(1, { error: words.required, abort: true }), z.refine(isEmail, { error: words.email }));

/** What the sign-in form holds; the address is trimmed, the password is not. */
export const signInSchema = z.object({ email, password: z.string().check(z.minLength(1, words.required)) });

export type SignInForm = z.infer<typeof signInSchema>;

/** Forgot password checks the address only. */
export const forgotSchema = z.object({ email });

export type ForgotForm = z.infer<typeof forgotSchema>;

/** A new password, twice. The rules say by themselves which of them is broken: the field only turns red. */
export const newPasswordSchema = (policy: PasswordPolicy | undefined) =>
  z.object({ password: z.string().check(z.minLength(1, words.required)), confirmation: z.string() }).check(
    z.refine(form => form.password === '' || keepsRules(form.password, policy), { path: ['password'], error: ' ' }),
    z.refine(form => matchError(form.password, form.confirmation) === undefined, {
      path: ['confirmation'],
      error: words.passwordMatch,
    }),
  );

export type NewPasswordForm = z.infer<ReturnType<typeof newPasswordSchema>>;

/** A code of an app or a recovery code; blanks that people type for reading are dropped. */
export const codeSchema = z.object({
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform(text => text.replaceAll(/\s/g, '')),
    ),
    z.string().check(z.minLength(1, words.required)),
  ),
});

export type CodeForm = z.infer<typeof codeSchema>;
