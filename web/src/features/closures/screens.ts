// The screens that everybody sees who sees closures: one part of the app.
export { ClosureDetail } from './ClosureDetail';
export { ClosureList } from './ClosureList';
