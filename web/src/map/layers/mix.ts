const channel = (color: string, at: number) => Number.parseInt(color.slice(1 + 2 * at, 3 + 2 * at), 16);

/** A share of another color in a color; both as #rrggbb. */
export function mixed(color: string, other: string, share: number): string {
  const mix = (at: number) => Math.round(channel(color, at) * (1 - share) + channel(other, at) * share);
  return `#${[0, 1, 2].map(at => mix(at).toString(16).padStart(2, '0')).join('')}`;
}
