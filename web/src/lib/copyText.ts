/**
 * Puts a text on the clipboard. Browsers keep the clipboard's own way from pages that came without TLS, as in a
 * station's own network: there the text is copied as a selection. Rejects where that is refused as well.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    if (!copySelected(text)) throw error;
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Beside the focus: a dialog lets it go nowhere else.
  (before?.parentElement ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
