import type { ExpressionSpecification } from 'maplibre-gl';
import type { MapTokens } from '../tokens';
import { mixed } from './mix';
import type { SignLook, SignShape } from './signs';

/** Features of rows that stand behind what the map is about; what is selected never does. */
export const QUIET: ExpressionSpecification = ['==', ['get', 'quiet'], true];

/** How much of the ground is in the colors of what stands behind: in both themes they are seen, and nothing alerting looks like them. */
const GROUND = 0.2;

export const quietTone = (tokens: MapTokens, color: 'active' | 'warn' | 'standby' | 'pending' | 'scene'): string =>
  mixed(tokens[color], tokens.land, GROUND);

/** An outlined sign: filled ones alert. */
export const quietLook = (shape: SignShape, { panel }: MapTokens, tone: string): SignLook => ({
  shape,
  fill: panel,
  edge: tone,
  ink: tone,
});

/** One or the other, of what stands behind and of the rest. */
export const byQuiet = (
  quiet: string | number | ExpressionSpecification,
  other: string | number | ExpressionSpecification,
): ExpressionSpecification => ['case', QUIET, quiet, other] as ExpressionSpecification;
