import limits from '@catalog/limits.json';
import { countOf, whenText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { problemText, type Subscription } from './subscription';

const silentMs = limits.closure.silentMs.value;
const confirmMs = limits.subscription.confirmMs.value;
const lifeMs = limits.hazard.lifeMs.value;

/** What is wrong with a feed and what becomes of what it brought. */
interface Notice {
  tone: 'danger' | 'warn' | 'info';
  title: string;
  sentences: readonly string[];
}

/** What of a feed stands: "12 closures, 1 hazard"; '' where nothing does. */
export const activeText = ({ closures, hazards }: Pick<Subscription, 'closures' | 'hazards'>) =>
  [closures > 0 && countOf(closures, 'closure'), hazards > 0 && countOf(hazards, 'hazard')].filter(Boolean).join(', ');

/** What somebody has to know of a feed that is not simply good; none where it is. */
export function noticeOf(row: Subscription, timezone: string, now: Instant): Notice | undefined {
  const when = (text: string | null) => whenText(instantOf(text), timezone, now);
  switch (row.status) {
    case 'off':
      return {
        tone: 'info',
        title: 'Paused',
        sentences: ["The feed isn't fetched. It has no active closures or hazards."],
      };
    case 'waiting':
      return { tone: 'info', title: 'Not fetched yet', sentences: ['The first fetch starts in a few seconds.'] };
    case 'held':
      return { tone: 'warn', title: 'The feed is much shorter than before', sentences: heldSentences(row, when) };
    case 'frozen':
      return {
        tone: 'warn',
        title: `Nothing new since ${when(row.last_changed_at)}`,
        sentences: [
          'Fetches succeed, but the content never changes. The publisher may no longer maintain it.',
          ...(activeText(row)
            ? ['Its closures and hazards stay active until their own end times. Check them before you rely on them.']
            : []),
        ],
      };
    case 'failing':
      return {
        tone: 'danger',
        title: problemText(row.problem ?? '', row.http_code),
        sentences: [...failingSentences(row, timezone, now), ...(row.missing > 0 ? heldSentences(row, when) : [])],
      };
    default:
      return undefined;
  }
}

/**
 * What is missing in a held feed, in its words: "12 closures". A feed says how much, not what of it: where both stand
 * it may be either.
 */
export function missingText({ missing, closures, hazards }: Subscription): string {
  if (hazards === 0) return countOf(missing, 'closure');
  if (closures === 0) return countOf(missing, 'hazard');
  return countOf(missing, 'closure or hazard', 'closures and hazards');
}

/** Closures stand until the loss is believed; hazards have an hour of their own, which is never longer. */
function heldSentences(row: Subscription, when: (text: string | null) => string): string[] {
  const { missing, closures, hazards } = row;
  const [are, they, end, come] = missing === 1 ? ['is', 'it', 'ends', 'comes'] : ['are', 'they', 'end', 'come'];
  const until = when(row.held_until);
  const what = `${missingText(row)} of this feed ${are} missing. A feed that loses this much at once is often broken`;
  if (closures === 0)
    return [
      `${what}.`,
      `Unless ${they} ${come} back, ${they} ${end} by ${until} at the latest. A hazard ends an hour after it was last listed.`,
    ];
  const lasts = `If ${they} ${are} still missing at ${until}, ${they} ${end}. If ${they} ${come} back before then, nothing changes.`;
  return [
    `${what}, so ${hazards > 0 ? 'closures' : they} ${missing === 1 && hazards === 0 ? 'stays' : 'stay'} active for now.`,
    hazards > 0 ? `${lasts} Hazards end by then at the latest.` : lasts,
  ];
}

/** Some of a document could be read, and was taken. */
const isPartly = (problem: string | null) => problem === 'truncated' || problem === 'malformed';

function failingSentences(row: Subscription, timezone: string, now: Instant): string[] {
  if (isPartly(row.problem))
    return ['Everything readable was accepted. Closures that the feed no longer lists end after 8 hours.'];
  const last = instantOf(row.last_good_at);
  if (last === 0) return ['No fetch has succeeded yet, so nothing was imported.'];
  const when = (at: Instant) => whenText(at, timezone, now);
  const [soonest, latest] = [last + silentMs - confirmMs, last + silentMs];
  const out: string[] = [];
  if (row.closures > 0)
    out.push(
      now < latest
        ? `Its closures are still active. If the feed keeps failing, they end between ${when(soonest)} and ${when(latest)}.`
        : 'Its closures have ended. The feed failed for 8 hours.',
    );
  if (row.hazards > 0)
    out.push(now < last + lifeMs ? `Its hazards end by ${when(last + lifeMs)}.` : 'Its hazards have ended.');
  return out;
}
