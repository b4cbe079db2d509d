/**
 * The text of a file that somebody has chosen. Most are UTF-8; spreadsheets also save UTF-16, which begins with a mark,
 * and older programs of Windows a code page of their own, whose letters would turn into question marks.
 */
export async function fileText(file: Blob): Promise<string> {
  const text = await file.text();
  if (!text.includes('\ufffd')) return text;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
