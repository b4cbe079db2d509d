/** One event of a stream of server-sent events. */
export interface StreamEvent {
  type: string;
  data: string;
  /** The last id that the stream has said, '' for none. */
  id: string;
}

interface Options {
  /** Characters. */
  most?: number;
  /** How long the server asks to wait before the next connection, ms. */
  retry?: (ms: number) => void;
}

/**
 * Reads text/event-stream as it comes, in pieces of any size (HTML standard, "Server-sent events"). Comments and unknown
 * fields are skipped. Throws on a line or an event beyond `most` characters: nothing sensible is that long.
 */
export function createEventReader(
  hear: (event: StreamEvent) => void,
  { most = 262_144, retry }: Options = {},
): (piece: string) => void {
  let rest = '';
  let isBegun = false;
  let type = '';
  let data: string[] = [];
  let length = 0;
  let id = '';
  const end = () => {
    if (data.length > 0) hear({ type: type || 'message', data: data.join('\n'), id });
    type = '';
    data = [];
    length = 0;
  };
  const take = (line: string) => {
    if (line === '') return end();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry?.(Number(value));
    else if (name === 'data') {
      data.push(value);
      length += value.length;
      if (length > most) throw new RangeError('an event is too long');
    }
  };
  return piece => {
    rest += isBegun ? piece : piece.replace(/^\uFEFF/, '');
    isBegun ||= piece !== '';
    // A CR at the end may be half of a CRLF: the next piece tells.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > most) throw new RangeError('a line is too long');
    for (const line of lines) take(line);
  };
}
