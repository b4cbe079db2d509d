import type { components } from './schema.gen';

/** Every shape of the wire by its name, as the server's OpenAPI document has it. No shape of the wire is typed by hand. */
export type Schemas = components['schemas'];

/**
 * Something of the wire before anybody has looked at it: what the server says its fields are called, and nothing about
 * what is in them. A field that the server does not know cannot be read.
 */
export type Unchecked<T> = T extends object ? { readonly [K in keyof T]?: unknown } : never;

export type WireThing = Schemas['Thing'];
export type WireLive = Schemas['Live'];
export type WireLocation = Schemas['Location'];
export type WireMessage = Schemas['Message'];
export type WireSnapshot = Schemas['Snapshot'];
export type WireOrganization = Schemas['Organization'];
export type WireUser = Schemas['User'];
export type WireProfile = Schemas['Profile'];
export type WireSession = Schemas['ProfileSession'];
