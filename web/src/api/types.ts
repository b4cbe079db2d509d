import type { components } from './schema.gen';

/** Every shape of the wire by its name, as the server's OpenAPI document has it. No shape of the wire is typed by hand. */
export type Schemas = components['schemas'];

/** Which field of a form stands for which of a body: where the server's sentences about fields go. */
export type PerField<Body, Field extends string = string> = Readonly<Partial<Record<keyof Body, Field>>>;

export type WireThing = Schemas['Thing'];
export type WireLive = Schemas['Live'];
export type WireLocation = Schemas['Location'];
/** A message of the stream; `type` says which. */
export type WireMessage = Schemas['AnyMessage'];
/** A frame of the server at /cable. */
export type WireFrame = Schemas['ServerFrame'];
export type WireSnapshot = Schemas['Snapshot'];
export type WireOrganization = Schemas['Organization'];
export type WireUser = Schemas['User'];
export type WireProfile = Schemas['Profile'];
export type WireSession = Schemas['ProfileSession'];
