import type { ExpressionSpecification } from 'maplibre-gl';
import { TRIP_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import { mixed } from './mix';
import type { TripForm } from './tripMarks';

/** Which of the colors of trips an asset has. */
export type TripColor = 0 | 1 | 2 | 3 | 4;

const TOKENS_OF = ['trip1', 'trip2', 'trip3', 'trip4', 'trip5'] as const satisfies readonly (keyof MapTokens)[];
const plain = (tokens: MapTokens, color: TripColor): string => tokens[TOKENS_OF[color]];

/** From the ground's color (slow) over the asset's own to the ink's (fast): in both themes what is fast stands out most. */
const MIXES: readonly (readonly [with_: 'land' | 'ink', share: number])[] = [
  ['land', 0.4],
  ['land', 0.18],
  ['ink', 0],
  ['ink', 0.34],
];

/** The colors of an asset's lines, from slow to fast. */
export const tripShades = (tokens: MapTokens, color: TripColor): string[] =>
  MIXES.map(([other, share]) => mixed(plain(tokens, color), tokens[other], share));

/** Something for each of the colors. */
export const byColor = (of: (color: TripColor) => string | ExpressionSpecification): ExpressionSpecification =>
  [
    'match',
    ['get', 'color'],
    ...([0, 1, 2, 3] as const).flatMap(color => [color, of(color)]),
    of(4),
  ] as unknown as ExpressionSpecification;

/** The asset's color, or a shade of it where the feature has one. */
export const toneOf = (tokens: MapTokens): ExpressionSpecification =>
  byColor(color => {
    const [slow, some, own, fast] = tripShades(tokens, color);
    return ['match', ['get', 'shade'], 0, slow, 1, some, 3, fast, own] as unknown as ExpressionSpecification;
  });

export const plainOf = (tokens: MapTokens): ExpressionSpecification => byColor(color => plain(tokens, color));

/** The image of a form in the asset's color: filled with it, or with its edge alone. */
export const formImage = (tokens: MapTokens, form: TripForm, look: 'filled' | 'outlined') =>
  byColor(color => {
    const [fill, edge] =
      look === 'filled' ? [plain(tokens, color), tokens.panel] : [tokens.panel, plain(tokens, color)];
    return `${TRIP_IMAGE}${form}/${fill}/${edge}`;
  });
