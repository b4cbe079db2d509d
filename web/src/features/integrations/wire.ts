// The wire of integrations as it was agreed, until the server's document has it.
type Answer<T> = { responses: { 200: { content: { 'application/json': T } } } };
type Body<T> = { requestBody: { content: { 'application/json': T } } };
type One = { data: Integration };
type Of<T> = Omit<{ get?: never; put?: never; post?: never; delete?: never }, keyof T> & T;

export interface Integration {
  id: string;
  organization_id: string;
  provider: 'geotab' | 'samsara';
  name: string;
  server: string;
  database: string;
  user: string;
  has_secret: boolean;
  lights: string[];
  is_active: boolean;
  status: 'off' | 'waiting' | 'good' | 'failing' | 'unauthorized';
  last_fetched_at: string | null;
  last_good_at: string | null;
  last_report_at: string | null;
  failing_since: string | null;
  problem: string | null;
  error: string | null;
  counted_since: string | null;
  kept: number;
  repeated: number;
  unlinked: number;
  next_fetch_at: string | null;
  updated_at: string | null;
  refused: Record<string, number>;
  version: number;
  is_deleted?: boolean;
}

export interface IntegrationWrite {
  organization_id?: string;
  provider?: Integration['provider'];
  name?: string;
  server?: string;
  database?: string;
  user?: string;
  secret?: string;
  lights?: string[];
  is_active?: boolean;
}

export interface Vehicle {
  external_id: string;
  name: string;
  vin: string;
  serial: string;
  plate: string;
  thing_id: string | null;
  match: 'linked' | 'vin' | 'serial' | 'plate' | 'none' | 'twice';
}

export interface VehicleLink {
  external_id: string;
  thing_id: string | null;
}

declare module '../../api/schema.gen' {
  interface paths {
    '/organization/integrations': Of<{
      get: Answer<{ data: Integration[]; meta: { total: number } }> & {
        parameters: { query?: { 'org_ids[]'?: string[] } };
      };
      post: Answer<One> & Body<IntegrationWrite>;
    }>;
    '/organization/integrations/{id}': Of<{
      get: Answer<One>;
      put: Answer<One> & Body<IntegrationWrite>;
      delete: { responses: { 204: { content?: never } } };
    }>;
    '/organization/integrations/{id}/check': Of<{ post: Answer<{ data: { vehicles: Vehicle[] } }> }>;
    '/organization/integrations/{id}/fetch': Of<{ post: Answer<One> }>;
    '/organization/integrations/{id}/vehicles': Of<{
      put: Answer<{ data: { vehicles: Vehicle[] } }> & Body<{ vehicles: VehicleLink[] }>;
    }>;
    '/organization/integrations/{id}/undo': Of<{ post: Answer<One> & Body<{ version: number }> }>;
  }
}
