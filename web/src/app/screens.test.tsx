import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Refused } from './screens';

it.each(['forbidden', 'notOnMobile'] as const)('a page that is refused (%s) has a way out', why => {
  expect(renderToStaticMarkup(<Refused why={why} />)).toMatch(/<a [^>]*href="\/"[^>]*>Take me back to the main page</);
});
