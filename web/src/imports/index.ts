export { CSV_FILE, refuseCsv } from './csv';
export type { ImportSteps } from './flow';
export { GEOJSON_ENDINGS, isGeoJson } from './geojson';
export { ImportDialog, type ImportOf, ImportSection } from './Import';
export { type Undone, undoneText } from './Outcome';
export { ActionPill, CellLines, linesOf, Problems } from './rows';
