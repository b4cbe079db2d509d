export { AddressFields, addressFact } from './AddressFields';
export { actionsColumn, numberColumn, textColumn } from './columns';
export { type Draft, type DraftParts, type FormOf, type Shape, sayMarked, useDraft } from './draft';
export { EditForm } from './EditForm';
export { Back, Cancel, EditLink, PathLink, PathRedirect, type Place, To, useGoTo } from './links';
export { ListPage, Loaded, Permitted, RowPage } from './pages';
export { resource } from './resource';
export { things, useAssignable } from './shared';
