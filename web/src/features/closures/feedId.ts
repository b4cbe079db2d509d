/** Letters and signs, then a number: "DE-95-0017". */
const NUMBERED = /^(.*?)(\d{1,9})$/;
const DIGITS = 4;

/** The first letters of an organization's name: "Wilmington Fire Dept" is WFD. */
const initials = (name: string): string =>
  (name.match(/[A-Za-z0-9]+/g) ?? [])
    .map(word => word.charAt(0))
    .join('')
    .toUpperCase() || 'C';

/**
 * A proposal for a closure's id in feeds: the next number as the organization numbers already, else its initials, the
 * year, and a first number. The server decides whether it is free: ids are unique among all organizations.
 */
export function proposedFeedId(used: readonly string[], organization: string, year: number): string {
  const numbered = used.flatMap(id => {
    const [, prefix = '', digits = ''] = NUMBERED.exec(id) ?? [];
    return digits ? [{ prefix, digits, number: Number(digits) }] : [];
  });
  const last = numbered.sort((a, b) => a.number - b.number).at(-1);
  const { prefix, digits, number } = last ?? {
    prefix: `${initials(organization)}-${year}-`,
    digits: '0'.repeat(DIGITS),
    number: 0,
  };
  return `${prefix}${String(number + 1).padStart(digits.length, '0')}`;
}
