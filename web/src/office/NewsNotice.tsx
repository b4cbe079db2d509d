import { useEffect, useState } from 'react';
import { serverClock } from '~/lib/clock';
import { type Author, authorText } from '~/model/changed';
import { Button, Notice } from '~/ui';
import type { News } from './draft';

/** Says while a form stands that what it edits has changed elsewhere, or is gone. What was typed stays. */
export function NewsNotice({ news, className }: { news: News; className: string }) {
  const { version, isGone, text, take } = news;
  const [author, setAuthor] = useState<Author>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once for each version
  useEffect(() => {
    let isWanted = true;
    setAuthor(undefined);
    news.author()?.then(
      found => isWanted && setAuthor(found),
      () => undefined, // who it was is said where it can be known
    );
    return () => {
      isWanted = false;
    };
  }, [version]);
  const said = author && authorText(author, isGone ? 'deleted' : 'changed', serverClock.now());
  const action = take && (
    <Button size="small" onPress={take}>
      Use saved version
    </Button>
  );
  return (
    <div role="status" className={className}>
      <Notice tone="warn" action={action}>
        {said || text} {isGone ? "Your entries can't be saved." : 'Your entries are kept.'}
      </Notice>
    </div>
  );
}
