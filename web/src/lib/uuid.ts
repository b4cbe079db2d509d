const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The id that nothing has. */
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * An id of the browser's address, as the server is asked for it. Anything may stand in an address: what is no id is
 * asked for as the one that nothing has, so that the answer is the noun's own "not found" and no refusal of the form.
 */
export const askedId = (id: string): string => (UUID.test(id) ? id : NIL);
