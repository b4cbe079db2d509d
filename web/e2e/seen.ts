// When a page shows something: asked inside the page, where nothing but its own work comes in between.
import type { Page } from 'playwright-core';

export interface Place {
  lat: number;
  lng: number;
}

/** A text of a row in the list, or its absence; a line of the detail, a pattern; where the map has a record, null for not at all. */
export type Look = { row: string; isListed: boolean } | { line: string } | { id: string; at: Place | null };

/** A guard against hanging. */
const PATIENCE_MS = 60_000;
/** Degrees: a closure's sign stands somewhere on its line. */
const WITHIN = 1e-4;

/**
 * The instant, by the clock that the page shares with the journey, at which it shows something. It is asked with each
 * change of the document and before each frame, so that the instant is at most a frame late.
 */
export const seen = (page: Page, look: Look): Promise<number> =>
  page.evaluate(
    ([asked, patience, within]) =>
      new Promise<number>((resolve, reject) => {
        const isStanding = (id: string, at: Place | null) => {
          const place = window.map.standing.placeOf(id);
          if (!place || !at) return place === at;
          return Math.abs(place.lat - at.lat) + Math.abs(place.lng - at.lng) < within;
        };
        const textsOf = (selector: string) =>
          [...document.querySelectorAll(selector)].map(one => one.textContent ?? '');
        const line = new RegExp(`^(?:${'line' in asked ? asked.line : ''})$`);
        const isShown = () => {
          if ('id' in asked) return isStanding(asked.id, asked.at);
          if ('line' in asked) return textsOf('article *').some(text => line.test(text));
          return textsOf('[role="row"]').some(text => text.includes(asked.row)) === asked.isListed;
        };
        const begun = Date.now();
        const isOver = () => {
          if (isShown()) resolve(Date.now());
          else if (Date.now() - begun > patience) reject(new Error(`not shown: ${JSON.stringify(asked)}`));
          else return false;
          observer.disconnect();
          return true;
        };
        const observer = new MutationObserver(() => void isOver());
        observer.observe(document, { childList: true, characterData: true, subtree: true });
        const frame = () => void (isOver() || requestAnimationFrame(frame));
        frame();
      }),
    [look, PATIENCE_MS, WITHIN] as const,
  );
