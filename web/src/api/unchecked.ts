type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * Something of the wire before anybody has looked at it: what the server says its fields are called (of a union, those
 * of all its members), and nothing about what is in them. A field that the server does not know cannot be read.
 */
export type Unchecked<T> = { readonly [K in KeysOf<T>]?: unknown };

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of something that arrived; none when it is no object. */
export const unchecked = <T>(value: unknown): Unchecked<T> => (isObject(value) ? (value as Unchecked<T>) : {});
