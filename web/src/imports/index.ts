export { CSV_FILE, refuseCsv } from './csv';
export type { ImportSteps } from './flow';
export { ImportDialog, type ImportOf, ImportSection } from './Import';
export { type Undone, undoneText } from './Outcome';
export { ActionPill, CellLines, linesOf, Problems } from './rows';
