/** Errors show only when a field was touched and is dirty, or a submit failed (requirements 5.general). */
export function errorOf(
  field: { isTouched: boolean; isDirty: boolean; error?: { message?: string | undefined } | undefined },
  form: { submitCount: number },
): string | undefined {
  return form.submitCount > 0 || (field.isTouched && field.isDirty) ? field.error?.message : undefined;
}
