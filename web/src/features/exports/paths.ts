export const LIST_PATH = '/dashboard/data/exports';
export const NEW_PATH = `${LIST_PATH}/new`;
